#pragma once

#include <QFontMetricsF>
#include <QString>

namespace yard::theme {

/// As many whole words as fit, then an ellipsis: "PENDING (Req…" says less than "PENDING…". Words
/// end at blanks and, as in Slurm's states, before a plus or a bracket. A first word that does not
/// fit is cut where it must be.
QString cutAtWord(const QString& text, const QFontMetricsF& metrics, double width);

}  // namespace yard::theme
