#include "ui/widgets/series/series_panel.h"

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/theme/wording.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/line_chart.h"
#include "ui/widgets/line_key.h"
#include "ui/widgets/segmented_switch.h"

namespace yard::widgets {
namespace {

using model::SeriesPoint;
using theme::Color;
using theme::Type;

constexpr int kMostLines = 6;  ///< more become one, with the band of all
constexpr int kMostBands = 3;  ///< more would hide each other
constexpr int kMostMetrics = 3;
constexpr int kSoonMs = 150;  ///< a hand that chooses twice asks once
constexpr int kSlowMs = 400;
constexpr int kLeastPoints = 100;
constexpr qint64 kLeastStepMs = 15'000;
constexpr double kGapSteps = 1.6;
constexpr qint64 kOwnRanges[] = {0, 3600, 6 * 3600, 24 * 3600};
constexpr qint64 kLastRanges[] = {3600, 6 * 3600, 24 * 3600, 7 * 86400};

LineChart::Line lineOf(const QString& name, int place, const QVector<SeriesPoint>& points,
                       double factor, bool band, qint64 stepMs)
{
    LineChart::Line line;
    line.name = name;
    line.color = [place] { return theme::seriesColor(theme::Series(place)); };
    line.band = band;
    line.gap = double(stepMs) * kGapSteps;
    line.points.reserve(points.size());
    for (const SeriesPoint& point : points)
        line.points.append({double(point.atMs), double(point.min) * factor,
                            double(point.mean) * factor, double(point.max) * factor});
    return line;
}

/// The axis that holds all of the lines.
void setAxis(LineChart& chart, const SeriesMetric& metric)
{
    double least = INFINITY;
    double most = metric.top;
    for (const LineChart::Line& line : chart.lines()) {
        for (const LineChart::Point& point : line.points) {
            least = std::min(least, point.low);
            most = std::max(most, line.band ? point.high : point.y);
        }
    }
    const auto words = [metric](double value) { return metric.words(value); };
    if (metric.fromZero || std::isinf(least)) {
        const AmountAxis axis = amountAxis(most, metric.unit);
        chart.setY(0, metric.top > 0 && most <= metric.top ? metric.top : axis.top, axis.ticks,
                   words);
        return;
    }
    constexpr double kTen = 10;
    const double low = std::floor(least / kTen) * kTen;
    const double high = std::max(low + kTen, std::ceil(most / kTen) * kTen);
    const auto mid = (low + high) / 2;
    chart.setY(low, high,
               {{0, theme::number(low, 0)},
                {0.5, theme::number(mid, 0)},
                {1, theme::number(high, 0) + QChar(0x2009) + metric.unit}},
               words);
}

}  // namespace

SeriesPanel::SeriesPanel(const model::ClusterState& state, model::Actions& actions, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_query(actions)
    , m_gpuMetrics({int(model::GpuMetric::SmActivity), int(model::GpuMetric::Power)})
    , m_nodeMetrics({int(model::NodeMetric::CpuUtilization), int(model::NodeMetric::Power)})
{
    setObjectName(QStringLiteral("seriesPanel"));
    buildHead();
    m_soon.setSingleShot(true);
    m_slow.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &SeriesPanel::ask);
    connect(&m_slow, &QTimer::timeout, this, [this] {
        if (m_query.isAsking())
            say(QStringLiteral("Being read"), QStringLiteral("The daemon has not answered yet."));
    });
    connect(&m_second, &QTimer::timeout, this, &SeriesPanel::tick);
    m_second.start(1000);
    connect(&m_query, &model::SeriesQuery::answered, this, &SeriesPanel::take);
}

void SeriesPanel::setScope(const model::SeriesScope& scope)
{
    if (m_scope == scope && m_hasScope)
        return;
    const bool another =
        !m_hasScope || m_scope.name != scope.name || m_scope.gpu != scope.gpu || m_whos.isEmpty();
    m_hasScope = true;
    m_scope = scope;
    makeWhos();
    if (another) {
        m_who = scope.gpu < 0 ? 0 : scope.gpu + (scope.gpuCount > 1 ? 1 : 0);
        m_zoom.reset();
        m_query.forget();
        m_asked = {};
    }
    m_who = std::clamp(m_who, 0, std::max(0, int(m_whos.size()) - 1));
    m_ownRange->setVisible(scope.from.isValid());
    m_lastRange->setVisible(!scope.from.isValid());
    makeRows();
    askSoon();
}

void SeriesPanel::makeWhos()
{
    m_whos.clear();
    if (!m_scope.nothing.isEmpty())
        return;
    if (m_scope.gpuCount > 1)
        m_whos.append(
            {theme::counted(m_scope.gpuCount, QStringLiteral("GPU"), QStringLiteral("GPUs")),
             m_scope.gpus, true, m_scope.gpuCount});
    for (const model::SeriesSubject& gpu : std::as_const(m_scope.gpus))
        m_whos.append({theme::gpuName(gpu.node, gpu.gpu), {gpu}, true, 1});
    if (m_scope.nodes.isEmpty())
        return;
    m_whos.append(
        {m_scope.nodeCount == 1
             ? QStringLiteral("node ") + m_scope.nodes.first().node
             : theme::counted(m_scope.nodeCount, QStringLiteral("node"), QStringLiteral("nodes")),
         m_scope.nodes, false, m_scope.nodeCount});
}

const SeriesPanel::Who* SeriesPanel::who() const
{
    return m_who < m_whos.size() ? &m_whos[m_who] : nullptr;
}

QStringList SeriesPanel::whoNames() const
{
    QStringList names;
    for (const Who& each : m_whos)
        names << each.name;
    return names;
}

void SeriesPanel::setWho(int who)
{
    if (who == m_who || who < 0 || who >= m_whos.size())
        return;
    m_who = who;
    m_query.forget();
    m_asked = {};
    makeRows();
    askSoon();
}

void SeriesPanel::setMetrics(const QVector<int>& metrics)
{
    if (!who() || metrics.isEmpty())
        return;
    (who()->areGpus ? m_gpuMetrics : m_nodeMetrics) = metrics.mid(0, kMostMetrics);
    m_asked = {};
    makeRows();
    askSoon();
}

QVector<SeriesMetric> SeriesPanel::chosen() const
{
    QVector<SeriesMetric> all;
    if (!who())
        return all;
    const QVector<int>& wanted = who()->areGpus ? m_gpuMetrics : m_nodeMetrics;
    for (const SeriesMetric& metric : who()->areGpus ? gpuSeriesMetrics() : nodeSeriesMetrics()) {
        if (wanted.contains(metric.metric))
            all.append(metric);
    }
    return all;
}

QPair<QDateTime, QDateTime> SeriesPanel::span() const
{
    const bool own = m_scope.from.isValid();
    const QDateTime now = m_state.now();
    const QDateTime to = own && m_scope.to.isValid() ? std::min(m_scope.to, now) : now;
    const qint64 last =
        own ? kOwnRanges[m_ownRange->current()] : kLastRanges[m_lastRange->current()];
    const QDateTime from = last == 0 ? m_scope.from : to.addSecs(-last);
    // A job of a second is no point.
    return {std::min(from, to.addSecs(-60)), to};
}

model::SeriesQuery::Wish SeriesPanel::wish() const
{
    model::SeriesQuery::Wish wish;
    if (!who())
        return wish;
    wish.subjects = who()->subjects;
    for (const SeriesMetric& metric : chosen())
        wish.metrics.append(metric.metric);
    const auto [from, to] = span();
    wish.from = m_zoom ? QDateTime::fromMSecsSinceEpoch(m_zoom->first, Qt::UTC) : from;
    wish.to = m_zoom ? QDateTime::fromMSecsSinceEpoch(m_zoom->second, Qt::UTC) : to;
    // No more points than pixels.
    wish.maxPoints = std::max(kLeastPoints, m_rows.isEmpty() ? 0 : m_rows.first().chart->width());
    return wish;
}

void SeriesPanel::askSoon()
{
    if (isVisible())
        m_soon.start(kSoonMs);
}

void SeriesPanel::ask()
{
    refreshNote();
    if (!isVisible())
        return;
    if (!m_scope.nothing.isEmpty() || !who())
        return say(QStringLiteral("No series"), m_scope.nothing);
    m_asked = wish();
    if (m_rows.isEmpty() || m_asked.metrics.isEmpty())
        return;
    m_query.ask(m_asked);
    if (m_rows.first().chart->lines().isEmpty())
        m_slow.start(kSlowMs);
}

/// As time goes on, or the cursor moves, so does the span.
void SeriesPanel::tick()
{
    if (!isVisible() || !who() || m_soon.isActive() || m_query.isAsking())
        return;
    const model::SeriesQuery::Wish now = wish();
    const qint64 pixel = now.from.msecsTo(now.to) / std::max(now.maxPoints, 1);
    const auto moved = [&](const QDateTime& a, const QDateTime& b) {
        return !a.isValid() || std::abs(a.msecsTo(b)) >= std::max(kLeastStepMs, pixel);
    };
    if (moved(m_asked.from, now.from) || moved(m_asked.to, now.to))
        ask();
}

void SeriesPanel::take(const model::SeriesQuery::Result& result)
{
    m_slow.stop();
    QStringList troubles = result.warnings;
    if (result.failed == int(result.wish.subjects.size())) {
        say(QStringLiteral("No readings"), result.errors.join(QLatin1Char(' ')));
    } else {
        if (result.failed > 0)
            troubles.prepend(QStringLiteral("%1 of %2 could not be read: %3")
                                 .arg(result.failed)
                                 .arg(result.wish.subjects.size())
                                 .arg(result.errors.join(QLatin1Char(' '))));
        for (Row& row : m_rows) {
            row.box->show();
            const auto place = int(result.wish.metrics.indexOf(row.metric.metric));
            if (place >= 0)
                fill(row, place, result);
        }
    }
    m_trouble->setText(troubles.join(QLatin1Char(' ')));
    m_trouble->setVisible(!troubles.isEmpty());
    refreshNote();
}

void SeriesPanel::fill(Row& row, int place, const model::SeriesQuery::Result& result)
{
    QVector<QVector<SeriesPoint>> series;
    QStringList names;
    for (int i = 0; i < result.bySubject.size(); ++i) {
        const model::SeriesSubject& subject = result.wish.subjects[i];
        series.append(result.bySubject[i].metrics.value(place));
        names << (subject.isGpu() ? theme::gpuShortName(subject.node, subject.gpu) : subject.node);
    }
    const qint64 step = std::max<qint64>(result.stepMs, 1000);
    QVector<LineChart::Line> lines;
    if (series.size() > kMostLines) {
        lines << lineOf(QStringLiteral("mean, and lowest to highest of %1").arg(series.size()), 0,
                        model::merged(series, step), row.metric.factor, true, step);
    } else {
        for (int i = 0; i < series.size(); ++i)
            lines << lineOf(names[i], i, series[i], row.metric.factor, series.size() <= kMostBands,
                            step);
    }
    const bool any = std::any_of(lines.begin(), lines.end(),
                                 [](const auto& line) { return !line.points.isEmpty(); });
    row.chart->setEmptyText(any ? QString() : QStringLiteral("No reading of this in the span"),
                            QStringLiteral("No source reported it then, or it is no longer kept."));
    row.chart->setLines(lines);
    setAxis(*row.chart, row.metric);
    QVector<LineKey::Entry> key;
    for (const LineChart::Line& line : std::as_const(lines))
        key.append({line.name, line.color, line.dashed});
    row.key->setEntries(key);
    const auto [from, to] = span();
    const QTimeZone zone = m_state.timeZone();
    const int ticks = std::clamp(row.chart->width() / 90, 2, 10);
    row.chart->setX(double(from.toMSecsSinceEpoch()), double(to.toMSecsSinceEpoch()),
                    {[zone, ticks](double low, double high) {
                         return timeTicks(qint64(low), qint64(high), zone, ticks);
                     },
                     [zone](double at) {
                         return theme::fullTime(QDateTime::fromMSecsSinceEpoch(qint64(at), Qt::UTC),
                                                zone);
                     }});
    if (m_zoom)
        row.chart->setView(double(m_zoom->first), double(m_zoom->second));
}

void SeriesPanel::say(const QString& title, const QString& detail)
{
    for (Row& row : m_rows) {
        row.chart->setLines({});
        row.key->setEntries({});
        // Once for all of them.
        const bool first = &row == &m_rows.first();
        row.chart->setEmptyText(first ? title : QStringLiteral(" "), first ? detail : QString());
        row.box->setVisible(first);
    }
}

void SeriesPanel::zoomed(LineChart* by, double low, double high)
{
    if (by->isZoomed())
        m_zoom = QPair(qint64(low), qint64(high));
    else
        m_zoom.reset();
    for (const Row& row : std::as_const(m_rows)) {
        if (row.chart != by)
            row.chart->setView(low, high);
    }
    refreshNote();
    askSoon();
}

void SeriesPanel::showAll()
{
    if (!m_rows.isEmpty())
        m_rows.first().chart->showAll();
}

void SeriesPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    askSoon();
}

void SeriesPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // More pixels can show more points; fewer have enough.
    if (!m_rows.isEmpty() && m_rows.first().chart->width() > m_asked.maxPoints * 5 / 4)
        askSoon();
}

}  // namespace yard::widgets
