#include "ui/model/hostlist.h"

#include <QHash>
#include <QSet>
#include <algorithm>
#include <optional>

namespace yard::model {
namespace {

bool isDigit(QChar c)
{
    return c >= QLatin1Char('0') && c <= QLatin1Char('9');
}

/// Reads one expression from left to right; the first error stops it.
class Reader {
public:
    explicit Reader(const QString& text)
        : m_text(text)
    {
    }

    Hosts read()
    {
        QStringList hosts;
        QSet<QString> known;
        QChar operation = QLatin1Char(',');
        for (;;) {
            skipBlanks();
            const QStringList term = readTerm();
            if (!m_error.isEmpty())
                return {{}, m_error};
            combine(operation, term, hosts, known);
            if (hosts.size() > kMaxHosts)
                return {{}, tooMany()};
            skipBlanks();
            if (m_at >= m_text.size())
                return {hosts, {}};
            operation = m_text[m_at++];
        }
    }

private:
    static void combine(QChar operation, const QStringList& term, QStringList& hosts,
                        QSet<QString>& known)
    {
        if (operation == QLatin1Char(',')) {
            for (const QString& host : term) {
                if (!known.contains(host)) {
                    known.insert(host);
                    hosts.append(host);
                }
            }
            return;
        }
        const QSet<QString> other(term.begin(), term.end());
        const bool keep = operation == QLatin1Char('&');
        hosts.removeIf([&](const QString& host) { return other.contains(host) != keep; });
        known = QSet<QString>(hosts.begin(), hosts.end());
    }

    /// One name with any number of brackets, expanded; empty between two commas.
    QStringList readTerm()
    {
        QStringList names{QString()};
        bool anything = false;
        while (m_error.isEmpty() && m_at < m_text.size()) {
            const QChar c = m_text[m_at];
            if (isSeparator(c) || c.isSpace())
                break;
            anything = true;
            if (c == QLatin1Char('['))
                names = product(names, readBracket());
            else if (c == QLatin1Char(']'))
                fail(QStringLiteral("The bracket at character %1 was never opened.").arg(m_at + 1));
            else
                appendPlain(names);
        }
        if (!m_error.isEmpty() || !anything)
            return {};
        skipBlanks();
        if (m_at < m_text.size() && !isSeparator(m_text[m_at]))
            fail(QStringLiteral("At character %1 a comma, ! or & is missing.").arg(m_at + 1));
        return names;
    }

    void appendPlain(QStringList& names)
    {
        const int start = m_at;
        while (m_at < m_text.size() && !isSeparator(m_text[m_at]) && !m_text[m_at].isSpace() &&
               m_text[m_at] != QLatin1Char('[') && m_text[m_at] != QLatin1Char(']'))
            ++m_at;
        const QString plain = m_text.mid(start, m_at - start);
        for (QString& name : names)
            name += plain;
    }

    QStringList product(const QStringList& heads, const QStringList& tails)
    {
        if (m_error.isEmpty() && qint64(heads.size()) * tails.size() > kMaxHosts)
            fail(tooMany());
        QStringList names;
        for (int i = 0; m_error.isEmpty() && i < heads.size(); ++i) {
            for (const QString& tail : tails)
                names.append(heads[i] + tail);
        }
        return names;
    }

    QStringList readBracket()
    {
        const int open = m_at;
        const int close = int(m_text.indexOf(QLatin1Char(']'), open));
        if (close < 0) {
            fail(QStringLiteral("The bracket at character %1 is not closed.").arg(open + 1));
            return {};
        }
        m_at = close + 1;
        QStringList numbers;
        for (const QString& range :
             m_text.mid(open + 1, close - open - 1).split(QLatin1Char(','))) {
            if (!appendRange(range.trimmed(), numbers)) {
                fail(QStringLiteral("%1 in the bracket at character %2 is not a number or a range.")
                         .arg(range.isEmpty() ? QStringLiteral("Nothing") : range)
                         .arg(open + 1));
                return {};
            }
            if (numbers.size() > kMaxHosts) {
                fail(tooMany());
                return {};
            }
        }
        return numbers;
    }

    static std::optional<qint64> number(const QString& digits)
    {
        if (digits.isEmpty() || digits.size() > 15 ||
            !std::all_of(digits.begin(), digits.end(), isDigit))
            return std::nullopt;
        return digits.toLongLong();
    }

    static bool appendRange(const QString& range, QStringList& numbers)
    {
        const int dash = int(range.indexOf(QLatin1Char('-')));
        const QString low = dash < 0 ? range : range.left(dash);
        const QString high = dash < 0 ? range : range.mid(dash + 1);
        const auto first = number(low);
        const auto last = number(high);
        if (!first || !last || *last < *first)
            return false;
        for (qint64 i = *first; i <= *last && numbers.size() <= kMaxHosts; ++i)
            numbers.append(QString::number(i).rightJustified(int(low.size()), QLatin1Char('0')));
        return true;
    }

    static bool isSeparator(QChar c)
    {
        return c == QLatin1Char(',') || c == QLatin1Char('!') || c == QLatin1Char('&');
    }
    static QString tooMany()
    {
        return QStringLiteral("The expression names more than %L1 nodes.").arg(kMaxHosts);
    }
    void skipBlanks()
    {
        while (m_at < m_text.size() && m_text[m_at].isSpace())
            ++m_at;
    }
    void fail(const QString& sentence)
    {
        if (m_error.isEmpty())
            m_error = sentence;
    }

    const QString& m_text;
    int m_at = 0;
    QString m_error;
};

/// The last number of a name, with what stands before and after it.
struct Parts {
    QString head;
    QString digits;
    QString tail;
};

Parts split(const QString& name)
{
    int end = int(name.size());
    while (end > 0 && !isDigit(name[end - 1]))
        --end;
    int start = end;
    while (start > 0 && isDigit(name[start - 1]))
        --start;
    return {name.left(start), name.mid(start, end - start), name.mid(end)};
}

/// 007 to 012 is a run; 9 to 10 too; 099 to 100 too, since its width is 3 both times.
bool follows(const QString& a, const QString& b)
{
    if (a.size() != b.size() && (a.startsWith(QLatin1Char('0')) || b.startsWith(QLatin1Char('0'))))
        return false;
    return b.toULongLong() == a.toULongLong() + 1 && b.size() >= a.size();
}

QString foldDigits(const QStringList& digits)
{
    QStringList ranges;
    for (int i = 0; i < digits.size();) {
        int last = i;
        while (last + 1 < digits.size() && follows(digits[last], digits[last + 1]))
            ++last;
        ranges += last == i ? digits[i] : digits[i] + QLatin1Char('-') + digits[last];
        i = last + 1;
    }
    return ranges.join(QLatin1Char(','));
}

/// One range of a folded hostlist, and the shape of its group.
struct Range {
    QString head;   ///< before the bracket; all of it where there is none
    QString words;  ///< "001-004"; empty without a bracket
    QString tail;   ///< behind the bracket
    qint64 hosts = 1;
};

qint64 hostsIn(const QString& words)
{
    const qsizetype dash = words.indexOf(QLatin1Char('-'));
    if (dash < 0)
        return 1;
    const qint64 first = words.left(dash).toLongLong();
    return qMax<qint64>(1, words.mid(dash + 1).toLongLong() - first + 1);
}

/// Top-level terms, each bracket range by itself. A name with several brackets stays one term.
QVector<Range> rangesOf(const QString& folded)
{
    QVector<Range> ranges;
    qsizetype start = 0;
    int depth = 0;
    for (qsizetype i = 0; i <= folded.size(); ++i) {
        const QChar c = i < folded.size() ? folded[i] : QLatin1Char(',');
        depth += c == QLatin1Char('[') ? 1 : c == QLatin1Char(']') ? -1 : 0;
        if (c != QLatin1Char(',') || depth > 0)
            continue;
        const QString term = folded.mid(start, i - start);
        start = i + 1;
        const qsizetype open = term.indexOf(QLatin1Char('['));
        const qsizetype close = term.indexOf(QLatin1Char(']'));
        if (open < 0 || close < open || term.indexOf(QLatin1Char('['), close) >= 0) {
            const auto hosts = open < 0 ? 1 : expandHostlist(term).hosts.size();
            ranges.push_back({term, {}, {}, qMax<qint64>(1, hosts)});
            continue;
        }
        for (const QString& words : term.mid(open + 1, close - open - 1).split(QLatin1Char(',')))
            ranges.push_back({term.left(open), words, term.mid(close + 1), hostsIn(words)});
    }
    return ranges;
}

bool sameGroup(const Range& a, const Range& b)
{
    return !a.words.isEmpty() && !b.words.isEmpty() && a.head == b.head && a.tail == b.tail;
}

/// The first `count` ranges; `more` hosts behind them are of the last one's group, or of others.
QString written(const QVector<Range>& ranges, qsizetype count, qint64 more, bool moreInGroup)
{
    const QString rest = QLatin1Char('+') + QString::number(more);
    QString text;
    for (qsizetype i = 0; i < count; ++i) {
        const Range& range = ranges[i];
        const bool continues = i > 0 && sameGroup(ranges[i - 1], range);
        const bool ends = i + 1 == count || !sameGroup(range, ranges[i + 1]);
        if (i > 0)
            text += QLatin1Char(',');
        if (!continues)
            text += range.head + (range.words.isEmpty() ? QString() : QStringLiteral("["));
        text += range.words;
        if (i + 1 == count && moreInGroup)
            text += QLatin1Char(',') + rest;
        if (ends && !range.words.isEmpty())
            text += QLatin1Char(']') + range.tail;
    }
    if (more > 0 && !moreInGroup)
        text += QLatin1Char(',') + rest;
    return text;
}

QString cutInTheMiddle(const QString& text, int columns)
{
    const int left = qMax(1, (columns - 1) * 2 / 3);
    return text.left(left) + QChar(0x2026) + text.right(qMax(0, columns - 1 - left));
}

}  // namespace

QString shortHostlist(const QString& folded, int columns)
{
    if (folded.size() <= columns)
        return folded;
    const QVector<Range> ranges = rangesOf(folded);
    qint64 all = 0;
    for (const Range& range : ranges)
        all += range.hosts;
    if (all < 2)
        return cutInTheMiddle(folded, columns);
    QString best;
    qint64 left = all;
    for (qsizetype count = 1; count < ranges.size(); ++count) {
        left -= ranges[count - 1].hosts;
        const bool inGroup = sameGroup(ranges[count - 1], ranges.last());
        const QString text = written(ranges, count, left, inGroup);
        if (text.size() > columns)
            break;
        best = text;
    }
    if (!best.isEmpty())
        return best;
    const QString counted = QStringLiteral("%1 nodes").arg(all);
    return counted.size() <= columns ? counted : QString::number(all);
}

Hosts expandHostlist(const QString& expression)
{
    return Reader(expression).read();
}

QString foldHostlist(QStringList hosts)
{
    std::sort(hosts.begin(), hosts.end(), naturalLess);
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    QStringList folded;
    for (int i = 0; i < hosts.size();) {
        const Parts first = split(hosts[i]);
        QStringList digits{first.digits};
        int next = i + 1;
        for (; !first.digits.isEmpty() && next < hosts.size(); ++next) {
            const Parts parts = split(hosts[next]);
            if (parts.head != first.head || parts.tail != first.tail || parts.digits.isEmpty())
                break;
            digits.append(parts.digits);
        }
        const bool bracket = digits.size() > 1;
        folded += bracket ? first.head + QLatin1Char('[') + foldDigits(digits) + QLatin1Char(']') +
                                first.tail
                          : hosts[i];
        i = next;
    }
    return folded.join(QLatin1Char(','));
}

bool naturalLess(const QString& a, const QString& b)
{
    int i = 0;
    int j = 0;
    while (i < a.size() && j < b.size()) {
        if (isDigit(a[i]) && isDigit(b[j])) {
            int iEnd = i;
            int jEnd = j;
            while (iEnd < a.size() && isDigit(a[iEnd]))
                ++iEnd;
            while (jEnd < b.size() && isDigit(b[jEnd]))
                ++jEnd;
            while (i < iEnd - 1 && a[i] == QLatin1Char('0'))
                ++i;
            while (j < jEnd - 1 && b[j] == QLatin1Char('0'))
                ++j;
            if (iEnd - i != jEnd - j)
                return iEnd - i < jEnd - j;
            for (; i < iEnd; ++i, ++j) {
                if (a[i] != b[j])
                    return a[i] < b[j];
            }
            continue;
        }
        if (a[i] != b[j])
            return a[i] < b[j];
        ++i;
        ++j;
    }
    if (a.size() - i != b.size() - j)
        return a.size() - i < b.size() - j;
    return a < b;  // 01 and 1: any order that is always the same
}

}  // namespace yard::model
