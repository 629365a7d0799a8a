#include "ui/pages/analytics/analytics_cards.h"

#include <algorithm>
#include <cmath>

#include "ui/theme/wording.h"

namespace yard::pages {

using model::Characterization;
using model::FigureSet;
using theme::Color;
using widgets::LineChart;

namespace {

FigureSet paperOf(const Characterization& all, const QString& paper)
{
    return all.papers.value(paper);
}

/// To the second where minutes would hide the difference from the paper.
QString secondsText(double seconds)
{
    constexpr double kTenMinutes = 600;
    if (std::isnan(seconds))
        return QStringLiteral("-");
    return seconds < kTenMinutes ? QStringLiteral("%1 s").arg(std::llround(seconds))
                                 : theme::wholeDuration(qint64(seconds));
}

/// Three figures, however many there are.
QString hoursText(double hours)
{
    constexpr double kMillion = 1e6;
    if (std::isnan(hours))
        return QStringLiteral("-");
    return hours < kMillion ? theme::figure(hours)
                            : theme::figure(hours / kMillion) + QStringLiteral(" M");
}

QString percentText(double percent)
{
    return std::isnan(percent) ? QStringLiteral("-") : theme::number(percent, 1) + QLatin1Char('%');
}

QString countText(double count)
{
    return std::isnan(count) ? QStringLiteral("-") : theme::number(qint64(count));
}

QString figureText(double value)
{
    return std::isnan(value) ? QStringLiteral("-") : theme::figure(value);
}

LineChart::Line curveLine(const QString& name, const QVector<QPointF>& curve,
                          std::function<QColor()> color, bool dashed)
{
    LineChart::Line line;
    line.name = name;
    line.color = std::move(color);
    line.dashed = dashed;
    for (const QPointF& point : curve) {
        if (point.x() > 0)
            line.points.append({std::log2(point.x()), point.y(), point.y(), point.y()});
    }
    return line;
}

}  // namespace

QColor typeColor(const QString& type)
{
    static const QStringList order{QStringLiteral("Pretrain"), QStringLiteral("Eval"),
                                   QStringLiteral("SFT"),      QStringLiteral("MLLM"),
                                   QStringLiteral("Debug"),    QStringLiteral("Other")};
    const qsizetype at = order.indexOf(type);
    // What has no type is no series of its own.
    return at < 0 ? theme::color(Color::LineControl) : theme::seriesColor(theme::Series(at));
}

QVector<FigureStrip::Tile> headlineTiles(const Characterization& all, const QString& paper)
{
    const FigureSet& ours = all.figures;
    const FigureSet theirs = paperOf(all, paper);
    const bool few = ours.value(QStringLiteral("gpu_jobs")) < kFewJobs;
    QVector<FigureStrip::Tile> tiles;
    const auto add = [&](const QString& title, const QString& figure,
                         const std::function<QString(double)>& words, const QString& note = {}) {
        FigureStrip::Tile tile;
        tile.title = title;
        tile.value = words(ours.value(figure));
        tile.caption = note;
        if (note.isEmpty() && theirs.contains(figure))
            tile.caption = QStringLiteral("%1 %2").arg(paper, words(theirs.value(figure)));
        tile.help = helpFor(all, {figure});
        tile.quiet = few;
        tiles.append(tile);
    };
    add(QStringLiteral("GPU jobs"), QStringLiteral("gpu_jobs"), countText);
    add(QStringLiteral("GPU time, GPU-h"), QStringLiteral("gpu_hours"), hoursText);
    add(QStringLiteral("Median run time"), QStringLiteral("duration_s.p50"), secondsText);
    add(QStringLiteral("Median wait"), QStringLiteral("queue_s.p50"), secondsText);
    add(QStringLiteral("Mean GPUs a job"), QStringLiteral("gpus_per_job.mean"), figureText);
    add(QStringLiteral("GPU time completed"),
        QStringLiteral("gpu_time_share_pct_by_outcome.completed"), percentText);
    // Jobs from before the span hold GPUs too: it is less than the cluster's peak.
    add(QStringLiteral("Peak GPUs at once"), QStringLiteral("peak_concurrent_gpus"), countText,
        QStringLiteral("of these jobs alone"));
    add(QStringLiteral("Not classified"), QStringLiteral("unclassified_job_share_pct"), percentText,
        QStringLiteral("%1 of GPU time")
            .arg(percentText(ours.value(QStringLiteral("unclassified_gpu_time_share_pct")))));
    tiles.last().help +=
        QStringLiteral("<p>%1 name the types.</p>")
            .arg(theme::counted(all.rules, QStringLiteral("rule"), QStringLiteral("rules")));
    return tiles;
}

QVector<LineChart::Line> timeCurves(const Characterization& all, const QString& what,
                                    const QString& paper)
{
    QVector<LineChart::Line> lines;
    const FigureSet theirs = paperOf(all, paper);
    const QString prefix = what + QStringLiteral("_cdf_pct.");
    for (const QString& type : all.types()) {
        const auto color = [type] { return typeColor(type); };
        const QVector<QPointF> curve = all.figures.curve(prefix + type);
        if (!curve.isEmpty())
            lines.append(curveLine(type, curve, color, false));
        const QVector<QPointF> dashed = theirs.curve(prefix + type);
        if (!dashed.isEmpty())
            lines.append(curveLine(type + QStringLiteral(", ") + paper, dashed, color, true));
    }
    return lines;
}

QVector<LineChart::Line> demandCurves(const Characterization& all, const QString& paper)
{
    struct Curve {
        const char* figure;
        const char* name;
        theme::Series series;
    };
    constexpr Curve kCurves[] = {
        {"gpu_demand_cdf_job_pct", "jobs", theme::Series::Eval},
        {"gpu_demand_cdf_gpu_time_pct", "GPU time", theme::Series::Pretrain}};
    const FigureSet theirs = paperOf(all, paper);
    QVector<LineChart::Line> lines;
    for (const Curve& curve : kCurves) {
        const QString figure = QString::fromLatin1(curve.figure);
        const QString name = QString::fromLatin1(curve.name);
        const auto color = [series = curve.series] { return theme::seriesColor(series); };
        const QVector<QPointF> ours = all.figures.curve(figure);
        if (!ours.isEmpty())
            lines.append(curveLine(name, ours, color, false));
        const QVector<QPointF> dashed = theirs.curve(figure);
        if (!dashed.isEmpty())
            lines.append(curveLine(name + QStringLiteral(", ") + paper, dashed, color, true));
    }
    return lines;
}

QString demandWords(const Characterization& all)
{
    const double jobs = all.figures.value(QStringLiteral("gpu_demand_cdf_job_pct.8"));
    const double time = all.figures.value(QStringLiteral("gpu_demand_cdf_gpu_time_pct.8"));
    if (std::isnan(jobs) || std::isnan(time))
        return {};
    return QStringLiteral("%1 of jobs ask for 8 GPUs or fewer; they take %2 of GPU time.")
        .arg(percentText(jobs), percentText(time));
}

QVector<LineChart::Line> arrivalLines(const Characterization& all)
{
    if (all.arrivals.isEmpty())
        return {};
    LineChart::Line line;
    line.name = QStringLiteral("jobs an hour");
    line.color = [] { return theme::color(Color::TextSecondary); };
    const qint64 first = all.firstHour.toMSecsSinceEpoch();
    constexpr double kHourMs = 3.6e6;
    for (int hour = 0; hour < all.arrivals.size(); ++hour) {
        const double jobs = all.arrivals[hour];
        line.points.append({double(first) + hour * kHourMs, jobs, jobs, jobs});
    }
    return {line};
}

QVector<ShareBars::Row> typeRows(const Characterization& all, const QString& paper)
{
    const FigureSet theirs = paperOf(all, paper);
    QVector<ShareBars::Row> rows;
    for (const QString& type : all.types()) {
        const QString jobs = QStringLiteral("job_share_pct.") + type;
        const QString time = QStringLiteral("gpu_time_share_pct.") + type;
        rows.append({type, [type] { return typeColor(type); }, all.figures.value(jobs),
                     all.figures.value(time), theirs.value(jobs), theirs.value(time)});
    }
    return rows;
}

void fillOutcomes(OutcomeBars& bars, const Characterization& all, const QString& paper)
{
    const auto barsOf = [&](const QString& prefix) {
        QVector<OutcomeBars::Bar> both;
        const auto add = [&](const QString& name, const FigureSet& figures) {
            OutcomeBars::Bar bar{name, {}};
            for (const char* outcome : {"completed", "cancelled", "failed"})
                bar.percent.append(
                    figures.value(prefix + QLatin1Char('.') + QLatin1String(outcome)));
            both.append(bar);
        };
        add(QStringLiteral("yours"), all.figures);
        if (!paper.isEmpty())
            add(paper, paperOf(all, paper));
        return both;
    };
    bars.setBars(barsOf(QStringLiteral("job_share_pct_by_outcome")),
                 barsOf(QStringLiteral("gpu_time_share_pct_by_outcome")));
}

QString helpFor(const Characterization& all, const QStringList& figures)
{
    QStringList words;
    for (const QString& figure : figures) {
        const model::FigureDefinition* definition = all.definitionOf(figure);
        if (definition)
            words << QStringLiteral("%1: %2").arg(definition->title, definition->text);
    }
    // As rich text, so that long ones are folded.
    return words.isEmpty() ? QString()
                           : QStringLiteral("<p>%1</p>").arg(words.join(QStringLiteral("</p><p>")));
}

QByteArray figuresCsv(const Characterization& all)
{
    QStringList papers = all.papers.keys();
    papers.sort();
    QByteArray csv = "figure,value,unit";
    for (const QString& paper : papers)
        csv += ",paper_" + paper.toUtf8();
    csv += "\n";
    const auto quoted = [](const QString& text) {
        QString inner = text;
        return (QStringLiteral("\"") + inner.replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
                QLatin1Char('"'))
            .toUtf8();
    };
    const auto number = [](double value) {
        return std::isnan(value) ? QByteArray() : QByteArray::number(value, 'g', 12);
    };
    for (const QString& name : all.figures.names()) {
        const model::FigureDefinition* definition = all.definitionOf(name);
        csv += quoted(name) + "," + number(all.figures.value(name)) + "," +
               (definition ? quoted(definition->unit) : QByteArray());
        for (const QString& paper : papers)
            csv += "," + number(all.papers.value(paper).value(name));
        csv += "\n";
    }
    return csv;
}

}  // namespace yard::pages
