#include "ui/theme/word_cut.h"

namespace yard::theme {

QString cutAtWord(const QString& text, const QFontMetricsF& metrics, double width)
{
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    const QChar ellipsis(0x2026);
    for (qsizetype end = text.size() - 1; end > 0; --end) {
        const QChar next = text[end];
        if (next != QLatin1Char(' ') && next != QLatin1Char('+') && next != QLatin1Char('('))
            continue;
        QString words = text.left(end);
        while (!words.isEmpty() && (words.back().isSpace() || words.back() == QLatin1Char(',') ||
                                    words.back() == QLatin1Char('(')))
            words.chop(1);
        if (!words.isEmpty() && metrics.horizontalAdvance(words + ellipsis) <= width)
            return words + ellipsis;
    }
    return metrics.elidedText(text, Qt::ElideRight, width);
}

}  // namespace yard::theme
