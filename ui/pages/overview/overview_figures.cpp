#include <algorithm>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/overview/running_jobs_model.h"
#include "ui/theme/theme.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chart.h"
#include "ui/widgets/glyphs.h"
#include "ui/widgets/headline_tile.h"
#include "ui/widgets/label.h"
#include "ui/widgets/table/table_view.h"

namespace yard::pages {

using model::GpuMetric;
using model::JobState;
using theme::Color;

namespace {

constexpr int kSparkPoints = 48;
constexpr int kLongestWaits = 3;
constexpr qsizetype kMostPoints = 2000;

/// Up to the moment that is shown.
QVector<model::TrendInfo> trendOf(const model::ClusterState& state)
{
    const QVector<model::TrendInfo>& told = state.trend();
    if (!state.isPast())
        return told;
    const auto after =
        std::find_if(told.cbegin(), told.cend(),
                     [now = state.now()](const auto& point) { return point.at > now; });
    return QVector<model::TrendInfo>(told.cbegin(), after);
}

double known(float value)
{
    return value < 0 || std::isnan(value) ? std::nan("") : double(value);
}

/// Means over equal spans, so that a day fits into a small line.
QVector<double> thinned(const QVector<model::TrendInfo>& trend, float model::TrendInfo::*field)
{
    QVector<double> values;
    const qsizetype points = std::min<qsizetype>(kSparkPoints, trend.size());
    for (qsizetype i = 0; i < points; ++i) {
        double sum = 0;
        int count = 0;
        for (qsizetype j = i * trend.size() / points; j < (i + 1) * trend.size() / points; ++j) {
            const double value = known(trend[j].*field);
            if (!std::isnan(value)) {
                sum += value;
                ++count;
            }
        }
        values << (count ? sum / count : std::nan(""));
    }
    return values;
}

QVector<QPointF> points(const QVector<model::TrendInfo>& trend, float model::TrendInfo::*field)
{
    QVector<QPointF> result;
    const qsizetype step = trend.size() / kMostPoints + 1;
    for (qsizetype i = 0; i < trend.size(); i += step)
        result << QPointF(double(trend[i].at.toMSecsSinceEpoch()), known(trend[i].*field));
    return result;
}

QVector<QPair<qint64, QString>> timeTicks(const QVector<model::TrendInfo>& trend,
                                          const QTimeZone& zone)
{
    QVector<QPair<qint64, QString>> ticks;
    if (trend.size() < 2)
        return ticks;
    const qint64 first = trend.first().at.toSecsSinceEpoch();
    const qint64 last = trend.last().at.toSecsSinceEpoch();
    const qint64 offset = zone.isValid() ? zone.offsetFromUtc(trend.last().at) : 0;
    qint64 step = 60;
    for (qint64 each : {60, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400}) {
        step = each;
        if ((last - first) / each <= 5)
            break;
    }
    for (qint64 at = ((first + offset) / step + 1) * step - offset; at <= last; at += step) {
        const QDateTime there =
            QDateTime::fromSecsSinceEpoch(at, zone.isValid() ? zone : QTimeZone::utc());
        ticks.push_back({at * 1000, there.toString(QStringLiteral("HH:mm"))});
    }
    return ticks;
}

QString spanWords(const QVector<model::TrendInfo>& trend)
{
    if (trend.size() < 2)
        return {};
    const double span = double(trend.first().at.secsTo(trend.last().at));
    return QStringLiteral("last %1").arg(span > 86000 && span < 90000 ? QStringLiteral("24 h")
                                                                      : theme::duration(span));
}

QString jobStateName(JobState state)
{
    switch (state) {
        case JobState::Running:
            return QStringLiteral("Running");
        case JobState::Pending:
            return QStringLiteral("Waiting");
        case JobState::Suspended:
            return QStringLiteral("Suspended");
        case JobState::Completed:
            return QStringLiteral("Completed");
        case JobState::Cancelled:
            return QStringLiteral("Cancelled");
        case JobState::Failed:
            return QStringLiteral("Failed");
        case JobState::Timeout:
            return QStringLiteral("Timed out");
        case JobState::NodeFail:
            return QStringLiteral("Node failed");
        case JobState::Preempted:
            return QStringLiteral("Preempted");
        case JobState::BootFail:
            return QStringLiteral("Boot failed");
        case JobState::Deadline:
            return QStringLiteral("Past deadline");
        case JobState::OutOfMemory:
            return QStringLiteral("Out of memory");
        case JobState::Unknown:
            return QStringLiteral("Unknown");
    }
    Q_UNREACHABLE();
}

Color jobTone(JobState state)
{
    switch (state) {
        case JobState::NodeFail:
        case JobState::BootFail:
            return Color::Fault;
        case JobState::Completed:
        case JobState::Cancelled:
            return Color::TextMuted;
        default:
            return Color::TextSecondary;
    }
}

}  // namespace

void OverviewPage::refreshTiles()
{
    const QVector<model::TrendInfo> trend = trendOf(m_state);
    if (!theme::whyUnknown(m_state).isEmpty()) {
        for (auto* tile : m_tiles) {
            tile->setFigure(theme::unknownFigure());
            tile->setTone(Color::TextMuted);
            tile->setCaption(m_state.hasSnapshot() ? QStringLiteral("scheduler not read")
                                                   : QStringLiteral("nothing received yet"));
            tile->setHistory({});
        }
        return;
    }
    // Two points make a line.
    const QString missing = trend.size() > 1   ? QString()
                            : m_state.isPast() ? QStringLiteral("no trend then")
                                               : QStringLiteral("no trend yet");
    int total = 0;
    int used = 0;
    int out = 0;
    int outGpus = 0;
    for (const model::NodeInfo& node : m_state.nodes()) {
        using model::NodeCategory;
        const bool isOut =
            node.category == NodeCategory::Down || node.category == NodeCategory::Fail ||
            node.category == NodeCategory::Drained || node.category == NodeCategory::Maintenance ||
            node.category == NodeCategory::Unknown || node.category == NodeCategory::PoweredOff ||
            node.category == NodeCategory::Rebooting || node.category == NodeCategory::Invalid;
        total += node.gpusTotal;
        used += node.gpusAllocated;
        out += isOut ? 1 : 0;
        outGpus += isOut ? node.gpusTotal - node.gpusAllocated : 0;
    }
    const bool silent = !theme::whyNoTelemetry(m_state).isEmpty();
    const auto tile = [this](int index) { return m_tiles[index]; };
    for (auto* each : m_tiles)
        each->setTone(Color::TextPrimary);
    tile(0)->setFigure(theme::number(qint64(used)));
    tile(0)->setCaption(total == 0
                            ? QStringLiteral("the scheduler names no GPUs")
                            : QStringLiteral("of %1 · %2 · %3 free")
                                  .arg(theme::number(qint64(total)),
                                       theme::percent(total ? double(used) / total : std::nan("")),
                                       theme::number(qint64(std::max(0, total - used - outGpus)))));
    tile(0)->setHistory(thinned(trend, &model::TrendInfo::gpusInUse), missing);

    // Cut off from everything fresh, the last known figure stands in grey.
    const auto allStale = [this](const QVector<float>& values) {
        for (int gpu = 0; gpu < values.size() && gpu < m_map.flags().size(); ++gpu) {
            if (!std::isnan(values[gpu]) && !(m_map.flags()[gpu] & model::GpuMap::Stale))
                return false;
        }
        return true;
    };
    const QVector<float>& activity = m_state.gpuColumn(GpuMetric::SmActivity);
    const bool oldActivity = allStale(activity);
    std::vector<float> inUse;
    for (int gpu = 0; gpu < activity.size() && gpu < m_map.flags().size(); ++gpu) {
        const quint8 flags = m_map.flags()[gpu];
        if ((flags & model::GpuMap::InUse) && (oldActivity || !(flags & model::GpuMap::Stale)) &&
            !std::isnan(activity[gpu]))
            inUse.push_back(activity[gpu]);
    }
    if (inUse.empty()) {
        tile(1)->setFigure(theme::noReading());
        tile(1)->setTone(Color::TextMuted);
        tile(1)->setCaption(silent ? QStringLiteral("no telemetry configured")
                            : used
                                ? QStringLiteral("%1 GPUs in use").arg(theme::number(qint64(used)))
                                : QStringLiteral("no GPU is in use"));
    } else {
        std::nth_element(inUse.begin(), inUse.begin() + std::ptrdiff_t(inUse.size() / 2),
                         inUse.end());
        tile(1)->setFigure(theme::number(double(inUse[inUse.size() / 2]), 1), QStringLiteral("%"));
        tile(1)->setTone(oldActivity ? Color::TextMuted : Color::TextPrimary);
        tile(1)->setCaption((oldActivity ? QStringLiteral("stale, median of %1 GPUs in use")
                                         : QStringLiteral("median of %1 GPUs in use"))
                                .arg(theme::number(qint64(inUse.size()))));
    }
    tile(1)->setHistory(thinned(trend, &model::TrendInfo::smActivityMedian), missing);

    qint64 waiting = 0;
    qint64 held = 0;
    qint64 wanted = 0;
    for (const model::JobInfo& job : m_state.jobs()) {
        if (!job.isPending())
            continue;
        const qint64 tasks = std::max<qint64>(1, job.arrayPendingCount);
        waiting += tasks;
        held += job.held ? tasks : 0;
        wanted += job.gpus * tasks;
    }
    tile(2)->setFigure(theme::number(waiting));
    tile(2)->setCaption(waiting ? QStringLiteral("for %1 GPUs · %2 held")
                                      .arg(theme::number(wanted), theme::number(held))
                                : QStringLiteral("nobody waits"));
    tile(2)->setHistory(thinned(trend, &model::TrendInfo::jobsWaiting), missing);

    qint64 faults = m_map.counts().faults;
    // Nobody would see a fault.
    const bool blind = silent && faults == 0 && m_state.faults().isEmpty();
    tile(3)->setFigure(blind ? theme::unknownFigure() : theme::number(faults));
    tile(3)->setTone(blind ? Color::TextMuted : faults ? Color::FaultText : Color::TextPrimary);
    tile(3)->setCaption(
        blind    ? QStringLiteral("no telemetry configured")
        : faults ? QStringLiteral("%1 reported")
                       .arg(theme::counted(m_state.faults().size(), QStringLiteral("event"),
                                           QStringLiteral("events")))
                 : QStringLiteral("no Xid, no GPU lost"));
    tile(3)->setHistory(thinned(trend, &model::TrendInfo::faults), missing);

    tile(4)->setFigure(theme::number(qint64(out)));
    tile(4)->setCaption(
        QStringLiteral("of %1 · %2 withheld")
            .arg(theme::number(qint64(m_state.nodes().size())),
                 theme::counted(outGpus, QStringLiteral("GPU"), QStringLiteral("GPUs"))));
    tile(4)->setHistory(thinned(trend, &model::TrendInfo::nodesOut), missing);

    const QVector<float>& power = m_state.gpuColumn(GpuMetric::Power);
    const bool oldPower = allStale(power);
    double watts = 0;
    int measured = 0;
    for (int gpu = 0; gpu < power.size(); ++gpu) {
        if (std::isnan(power[gpu]) ||
            (!oldPower && (m_map.flags().value(gpu) & model::GpuMap::Stale)))
            continue;
        watts += double(power[gpu]);
        ++measured;
    }
    if (measured == 0) {
        tile(5)->setFigure(theme::noReading());
        tile(5)->setTone(Color::TextMuted);
        tile(5)->setCaption(silent ? QStringLiteral("no telemetry configured")
                                   : QStringLiteral("of any GPU"));
    } else {
        const bool kilo = watts >= 1000;
        tile(5)->setFigure(theme::figure(kilo ? watts / 1000 : watts),
                           kilo ? QStringLiteral("kW") : QStringLiteral("W"));
        tile(5)->setTone(oldPower ? Color::TextMuted : Color::TextPrimary);
        tile(5)->setCaption((oldPower ? QStringLiteral("stale, GPU boards · %1 measured")
                                      : QStringLiteral("GPU boards · %1 measured"))
                                .arg(theme::percent(total ? double(measured) / total : 0)));
    }
    tile(5)->setHistory(thinned(trend, &model::TrendInfo::powerKw), missing);
}

void OverviewPage::refreshTrend()
{
    const QVector<model::TrendInfo> trend = trendOf(m_state);
    m_useCard->setNote(spanWords(trend));
    m_waitingCard->setNote(spanWords(trend));
    // Two points make a line; one a minute comes.
    const QString none = trend.size() > 1   ? QString()
                         : m_state.isPast() ? QStringLiteral("No trend from before then")
                                            : QStringLiteral("No history yet");
    const QString since =
        m_state.isPast() ? QStringLiteral("The daemon keeps its trend for as long as it runs.")
        : trend.isEmpty()
            ? QStringLiteral("It starts with the first minute; one point a minute.")
            : QStringLiteral("It starts at %1; one point a minute.")
                  .arg(theme::shortTime(trend.first().at, m_state.now(), m_state.timeZone()));
    m_use->setEmptyText(none, since);
    m_waiting->setEmptyText(none, since);
    const auto ticks = timeTicks(trend, m_state.timeZone());
    int total = 0;
    for (const model::NodeInfo& node : m_state.nodes())
        total += node.gpusTotal;
    m_use->setLayers({{QStringLiteral("in use"),
                       [] { return theme::stateColor(model::NodeCategory::Allocated); },
                       points(trend, &model::TrendInfo::gpusInUse)}},
                     std::max(4, total), ticks);
    double most = 0;
    for (const model::TrendInfo& point : trend)
        most = std::max(most, double(point.jobsWaiting));
    if (!m_waitingCard->isHidden())
        m_waiting->setLayers(
            {{QStringLiteral("waiting"), [] { return theme::color(Color::TextSecondary); },
              points(trend, &model::TrendInfo::jobsWaiting)}},
            widgets::roundTop(most, 4), ticks);
}

void OverviewPage::refreshJobs()
{
    m_jobs->refresh();
    m_jobsCard->setNote(
        m_jobs->runningCount()
            ? QStringLiteral("%1 running").arg(theme::number(qint64(m_jobs->runningCount())))
            : QString());
    std::array<qint64, 13> counts{};
    QVector<const model::JobInfo*> waiting;
    for (const model::JobInfo& job : m_state.jobs()) {
        counts[size_t(job.state)] +=
            job.isPending() ? std::max<qint64>(1, job.arrayPendingCount) : 1;
        if (job.isPending() && job.submitTime.isValid())
            waiting.push_back(&job);
    }
    const qint64 most = std::max<qint64>(1, *std::max_element(counts.begin(), counts.end()));
    const QString unknown = theme::whyUnknown(m_state);
    QVector<widgets::BarList::Row> rows;
    for (JobState state :
         {JobState::Running, JobState::Pending, JobState::Suspended, JobState::Completed,
          JobState::Failed, JobState::OutOfMemory, JobState::Timeout, JobState::Cancelled,
          JobState::Preempted, JobState::NodeFail}) {
        const qint64 count = counts[size_t(state)];
        const bool always = state == JobState::Running || state == JobState::Pending;
        if (!unknown.isEmpty() || (count == 0 && !always))
            continue;
        if (rows.size() >= 8)
            break;
        rows.push_back({jobStateName(state),
                        double(count) / double(most),
                        theme::number(count),
                        {},
                        [state] {
                            return state == JobState::Running
                                       ? theme::stateColor(model::NodeCategory::Allocated)
                                       : theme::color(jobTone(state));
                        },
                        [state](QPainter& painter, const QRectF& rect) {
                            widgets::paintJobGlyph(painter, rect, state);
                        }});
    }
    m_ends->setRows(rows);
    m_endsCard->setNote(unknown.isEmpty() ? QStringLiteral("as the scheduler lists them")
                                          : QStringLiteral("not known"));

    std::sort(waiting.begin(), waiting.end(),
              [](auto* a, auto* b) { return a->submitTime < b->submitTime; });
    QVector<widgets::BarList::Row> waits;
    const double longest =
        waiting.isEmpty()
            ? 1
            : std::max(1.0, double(waiting.first()->submitTime.secsTo(m_state.now())));
    for (qsizetype i = 0; i < std::min<qsizetype>(kLongestWaits, waiting.size()); ++i) {
        const double seconds = double(waiting[i]->submitTime.secsTo(m_state.now()));
        waits.push_back({waiting[i]->name,
                         seconds / longest,
                         theme::duration(seconds),
                         theme::number(qint64(waiting[i]->gpus)),
                         [] { return theme::color(Color::TextMuted); },
                         {}});
    }
    m_waits->setRows(waits);
    m_waits->setVisible(!waits.isEmpty());
    m_nobodyWaits->setVisible(waits.isEmpty());
    m_nobodyWaits->setText(unknown.isEmpty()       ? QStringLiteral("No job waits.")
                           : m_state.hasSnapshot() ? QStringLiteral("Not known.")
                                                   : QStringLiteral("Nothing received yet."));
    m_jobsView->setEmptyText(
        unknown.isEmpty() ? QStringLiteral("No job is running")
                          : QStringLiteral("Jobs are not known"),
        unknown.isEmpty() ? QStringLiteral("The largest come first as they start.") : unknown);
}

}  // namespace yard::pages
