#include "ui/model/filter_text.h"

namespace yard::model {
namespace {

/// Splits at blanks that are not inside double quotes; the quotes themselves are dropped.
QStringList splitWords(const QString& text)
{
    QStringList words;
    QString word;
    bool quoted = false;
    bool any = false;
    for (const QChar c : text) {
        if (c == QLatin1Char('"')) {
            quoted = !quoted;
            any = true;
        } else if (c.isSpace() && !quoted) {
            if (any)
                words.append(word);
            word.clear();
            any = false;
        } else {
            word += c;
            any = true;
        }
    }
    if (any)
        words.append(word);
    words.removeAll(QString());
    return words;
}

}  // namespace

QString FilterTerm::toText() const
{
    const bool blanks = value.contains(QLatin1Char(' '));
    const QString quote = blanks ? QStringLiteral("\"") : QString();
    return (excluded ? QStringLiteral("!") : QString()) + key + QLatin1Char(':') + quote + value +
           quote;
}

FilterText parseFilter(const QString& text, const QStringList& keys)
{
    FilterText filter;
    for (const QString& word : splitWords(text)) {
        const bool excluded = word.startsWith(QLatin1Char('!'));
        const int colon = int(word.indexOf(QLatin1Char(':')));
        const QString key = word.mid(excluded ? 1 : 0, colon - (excluded ? 1 : 0)).toLower();
        if (colon > 0 && colon + 1 < word.size() && keys.contains(key))
            filter.terms.append({key, word.mid(colon + 1), excluded});
        else
            filter.words.append(word);
    }
    return filter;
}

}  // namespace yard::model
