#pragma once

#include <QString>

#include "ui/model/characterization.h"
#include "ui/pages/analytics/figure_strip.h"
#include "ui/pages/analytics/share_bars.h"
#include "ui/widgets/facts/fact_sheet.h"
#include "ui/widgets/line_chart.h"

class QTimeZone;

/// What the cards of the analytics page show, from the figures. Pure; `paper` is "Seren", "Kalos"
/// or empty.
namespace yard::pages {

/// Fewer GPU jobs than these mean little, and are shown greyed.
constexpr int kFewJobs = 30;

QVector<FigureStrip::Tile> headlineTiles(const model::Characterization& all, const QString& paper);
/// Curves of "duration" or "queue" by type, x in powers of two of seconds; the paper's dashed.
QVector<widgets::LineChart::Line> timeCurves(const model::Characterization& all,
                                             const QString& what, const QString& paper);
/// Shares of jobs and GPU time at or below so many GPUs, x in powers of two.
QVector<widgets::LineChart::Line> demandCurves(const model::Characterization& all,
                                               const QString& paper);
QString demandWords(const model::Characterization& all);
QVector<widgets::LineChart::Line> arrivalLines(const model::Characterization& all);
QVector<ShareBars::Row> typeRows(const model::Characterization& all, const QString& paper);
void fillOutcomes(OutcomeBars& bars, const model::Characterization& all, const QString& paper);
/// Final states one by one.
QVector<widgets::Fact> stateFacts(const model::Characterization& all);
QVector<widgets::Fact> concurrencyFacts(const model::Characterization& all, const QTimeZone& zone);
/// Quantiles of run, wait and GPUs, by type.
QVector<widgets::Fact> quantileFacts(const model::Characterization& all, const QString& paper);
QVector<widgets::Fact> definitionFacts(const model::Characterization& all);
/// The definition of the figures of that name, as a tooltip.
QString helpFor(const model::Characterization& all, const QStringList& figures);
/// name,value,unit,paper…: one figure a line.
QByteArray figuresCsv(const model::Characterization& all);
QColor typeColor(const QString& type);

}  // namespace yard::pages
