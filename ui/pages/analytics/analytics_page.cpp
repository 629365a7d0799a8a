#include "ui/pages/analytics/analytics_page.h"

#include <QFileDialog>
#include <QPainter>
#include <QSaveFile>
#include <QScrollArea>
#include <algorithm>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/model/span_text.h"
#include "ui/pages/analytics/analytics_cards.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/line_key.h"
#include "ui/widgets/segmented_switch.h"

namespace yard::pages {

using widgets::LineChart;

namespace {

constexpr int kSlowMs = 400;
constexpr qint64 kRanges[] = {86'400, 7 * 86'400, 30 * 86'400, 0};  ///< seconds; 0: all
constexpr int kAll = 3;
constexpr int kCustom = 4;
/// A characterization is not asked for more often than this while time goes on …
constexpr qint64 kLiveEveryMs = 60'000;
/// … but at once when the cursor has moved by so much.
constexpr qint64 kCursorMs = 1000;

QVector<LineChart::Tick> lastingTicks(double low, double high)
{
    struct Round {
        double seconds;
        const char* words;
    };
    constexpr Round kRounds[] = {{1, "1 s"},      {8, "8 s"},          {60, "1 min"},
                                 {600, "10 min"}, {3600, "1 h"},       {6 * 3600, "6 h"},
                                 {86'400, "1 d"}, {7 * 86'400, "7 d"}, {30 * 86'400, "30 d"}};
    QVector<LineChart::Tick> ticks;
    for (const Round& round : kRounds) {
        const double at = (std::log2(round.seconds) - low) / (high - low);
        if (at >= 0 && at <= 1)
            ticks.append({at, QString::fromLatin1(round.words)});
    }
    return ticks;
}

QVector<LineChart::Tick> gpuTicks(double low, double high)
{
    QVector<LineChart::Tick> ticks;
    for (int gpus = 1; gpus <= 65'536; gpus *= 8) {
        const double at = (std::log2(gpus) - low) / (high - low);
        if (at >= -1e-9 && at <= 1 + 1e-9)
            ticks.append({std::clamp(at, 0.0, 1.0), theme::number(qint64(gpus))});
    }
    return ticks;
}

QVector<widgets::LineKey::Entry> keyOf(const QVector<LineChart::Line>& lines, const QString& paper)
{
    QVector<widgets::LineKey::Entry> key;
    bool dashed = false;
    for (const LineChart::Line& line : lines) {
        dashed = dashed || line.dashed;
        if (!line.dashed)
            key.append({line.name, line.color, false});
    }
    if (dashed)
        key.append({QStringLiteral("paper, ") + paper,
                    [] { return theme::color(theme::Color::TextSecondary); }, true});
    return key;
}

void setPercent(LineChart& chart)
{
    chart.setY(0, 100,
               {{0, QStringLiteral("0")},
                {0.25, QStringLiteral("25")},
                {0.5, QStringLiteral("50")},
                {0.75, QStringLiteral("75")},
                {1, QStringLiteral("100%")}},
               [](double percent) { return theme::number(percent, 1) + QLatin1Char('%'); });
}

}  // namespace

AnalyticsPage::AnalyticsPage(const model::ClusterState& state, model::Actions& actions,
                             QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_actions(actions)
{
    setObjectName(QStringLiteral("analyticsPage"));
    buildLine();
    buildCards();
    m_slow.setSingleShot(true);
    connect(&m_slow, &QTimer::timeout, this, [this] { setWaiting(m_asking); });
    connect(&m_second, &QTimer::timeout, this, &AnalyticsPage::tick);
    m_second.start(1000);
    connect(&state, &model::ClusterState::connectionChanged, this, [this] {
        if (!m_all && m_state.connection() == model::Connection::Connected)
            ask();
    });
    refresh();
}

AnalyticsPage::~AnalyticsPage()
{
    *m_alive = false;
}

// -- asking --

QString AnalyticsPage::paper() const
{
    constexpr const char* kPapers[] = {"Seren", "Kalos", ""};
    return QString::fromLatin1(kPapers[m_paper->current()]);
}

model::CharacterizeRequest AnalyticsPage::wish() const
{
    const QDateTime now = m_state.now();
    const int range = m_range->current();
    if (range == kCustom)
        return {m_customFrom, m_customTo.isValid() ? std::min(m_customTo, now) : now};
    return {kRanges[range] == 0 ? QDateTime() : now.addSecs(-kRanges[range]), now};
}

void AnalyticsPage::ask()
{
    if (!isVisible() || m_asking || m_state.connection() != model::Connection::Connected)
        return;
    const model::CharacterizeRequest request = wish();
    if (m_range->current() == kCustom && !request.from.isValid())
        return;
    m_asking = true;
    m_asked = request;
    m_slow.start(kSlowMs);
    m_actions.characterize(request, [this, request, alive = m_alive](
                                        const model::Reply<model::Characterization>& reply) {
        if (*alive)
            take(request, reply);
    });
}

void AnalyticsPage::tick()
{
    if (!isVisible() || !m_asked || m_asking)
        return;
    const model::CharacterizeRequest now = wish();
    const qint64 moved = std::abs(m_asked->to.msecsTo(now.to));
    if (moved >= (m_state.isPast() ? kCursorMs : kLiveEveryMs))
        ask();
}

void AnalyticsPage::take(const model::CharacterizeRequest& asked,
                         const model::Reply<model::Characterization>& reply)
{
    m_asking = false;
    m_slow.stop();
    setWaiting(false);
    m_error = reply.error;
    if (reply.value)
        m_all = *reply.value;
    refresh();
    // Another range was chosen meanwhile.
    const model::CharacterizeRequest now = wish();
    const bool other = asked.from.isValid() != now.from.isValid() ||
                       std::abs(asked.from.msecsTo(now.from)) > kLiveEveryMs ||
                       std::abs(asked.to.msecsTo(now.to)) > kLiveEveryMs;
    if (other && m_error.isEmpty())
        ask();
}

void AnalyticsPage::setWaiting(bool waiting)
{
    for (const auto& [card, figures] : std::as_const(m_helped))
        card->setWaiting(waiting);
    refreshNote();
}

// -- showing --

void AnalyticsPage::refresh()
{
    const bool any = m_all && m_all->figures.value(QStringLiteral("jobs")) > 0;
    // First what goes: what comes is laid out at once.
    if (any)
        m_blank->hide();
    m_strip->setVisible(any);
    m_scroll->setVisible(any);
    m_blank->setVisible(!any);
    m_export->setRefusal(any ? QString() : QStringLiteral("There are no figures to export."));
    refreshNote();
    update();
    if (!any)
        return;
    m_strip->setTiles(headlineTiles(*m_all, paper()));
    for (const auto& [card, figures] : std::as_const(m_helped)) {
        if (auto* info = card->findChild<widgets::Button*>(QStringLiteral("infoButton")))
            info->setToolTip(helpFor(*m_all, figures));
    }
    refreshCurves(m_run, m_runKey, QStringLiteral("duration"));
    refreshCurves(m_queue, m_queueKey, QStringLiteral("queue"));
    refreshDemand();
    refreshArrivals();
    m_types->setRows(typeRows(*m_all, paper()));
    const bool outcomes =
        m_all->figures.contains(QStringLiteral("job_share_pct_by_outcome.completed"));
    m_outcomes->setVisible(outcomes);
    if (outcomes)
        fillOutcomes(*m_outcomes, *m_all, paper());
    m_states->setFacts(stateFacts(*m_all));
    m_quantiles->setFacts(quantileFacts(*m_all, paper()));
    m_definitions->setFacts(definitionFacts(*m_all));
}

void AnalyticsPage::refreshCurves(LineChart* chart, widgets::LineKey* key, const QString& what)
{
    const QVector<LineChart::Line> lines = timeCurves(*m_all, what, paper());
    const bool ours = std::any_of(lines.begin(), lines.end(),
                                  [](const LineChart::Line& line) { return !line.dashed; });
    // To where everybody has arrived.
    double high = std::log2(3600);
    for (const LineChart::Line& line : lines) {
        for (const LineChart::Point& point : line.points) {
            if (point.y < 99.9)
                high = std::max(high, point.x + 1);
        }
    }
    chart->setEmptyText(ours ? QString() : QStringLiteral("No such times"),
                        m_all->absences.value(what + QStringLiteral("_s")));
    chart->setLines(lines);
    key->setEntries(keyOf(lines, paper()));
    setPercent(*chart);
    chart->setX(0, high, {lastingTicks, [](double x) {
                              return QStringLiteral("up to ") +
                                     theme::wholeDuration(qint64(std::llround(std::exp2(x))));
                          }});
}

void AnalyticsPage::refreshDemand()
{
    const QVector<LineChart::Line> lines = demandCurves(*m_all, paper());
    double high = 3;
    for (const LineChart::Line& line : lines) {
        if (!line.points.isEmpty() && !line.dashed)
            high = std::max(high, line.points.last().x);
    }
    m_demand->setEmptyText(lines.isEmpty() ? QStringLiteral("No GPU jobs") : QString(),
                           QStringLiteral("No job of the span asked for a GPU."));
    m_demand->setLines(lines);
    m_demandKey->setEntries(keyOf(lines, paper()));
    setPercent(*m_demand);
    m_demand->setX(0, high, {gpuTicks, [](double x) {
                                 return QStringLiteral("up to ") +
                                        theme::counted(qint64(std::llround(std::exp2(x))),
                                                       QStringLiteral("GPU"),
                                                       QStringLiteral("GPUs"));
                             }});
    m_demandWords->setText(demandWords(*m_all));
}

void AnalyticsPage::refreshArrivals()
{
    const QTimeZone zone = m_state.timeZone();
    m_concurrency->setFacts(concurrencyFacts(*m_all, zone));
    const QVector<LineChart::Line> lines = arrivalLines(*m_all);
    double most = 1;
    for (const int jobs : std::as_const(m_all->arrivals))
        most = std::max(most, double(jobs));
    const widgets::AmountAxis axis = widgets::amountAxis(most, {});
    m_arrivals->setLines(lines);
    m_arrivals->setY(0, axis.top, axis.ticks,
                     [](double jobs) { return theme::number(qint64(std::llround(jobs))); });
    const double first = double(m_all->firstHour.toMSecsSinceEpoch());
    constexpr double kHourMs = 3.6e6;
    const double last = first + std::max<double>(1, double(m_all->arrivals.size() - 1)) * kHourMs;
    m_arrivals->setX(first, last,
                     {[zone](double low, double high) {
                          return widgets::timeTicks(qint64(low), qint64(high), zone, 4);
                      },
                      [zone](double at) {
                          return theme::fullTime(
                              QDateTime::fromMSecsSinceEpoch(qint64(at), Qt::UTC), zone);
                      }});
}

void AnalyticsPage::refreshNote()
{
    const QTimeZone zone = m_state.timeZone();
    QStringList words;
    if (m_all) {
        const QDateTime from = m_all->from.toMSecsSinceEpoch() > 0 ? m_all->from : m_all->knownFrom;
        words << QStringLiteral("submitted %1 to %2")
                     .arg(from.isValid() ? theme::fullTime(from, zone) : QStringLiteral("-"),
                          theme::fullTime(m_all->to, zone));
        if (m_all->knownFrom.isValid() && m_all->from.isValid() && m_all->from < m_all->knownFrom)
            words << QStringLiteral("the daemon has looked since %1")
                         .arg(theme::fullTime(m_all->knownFrom, zone));
        if (m_all->imported > 0)
            words << QStringLiteral("%1 of them imported")
                         .arg(theme::number(qint64(m_all->imported)));
    }
    if (m_asking)
        words.prepend(QStringLiteral("Being computed"));
    m_note->setText(words.join(QStringLiteral(" \u00b7 ")));
    QStringList troubles;
    if (m_all && !m_error.isEmpty())
        troubles << m_error + QStringLiteral(" These are the figures from before.");
    if (m_all) {
        troubles += m_all->notes;
        const double jobs = m_all->figures.value(QStringLiteral("gpu_jobs"));
        if (jobs < kFewJobs && m_all->figures.value(QStringLiteral("jobs")) > 0)
            troubles << QStringLiteral("n = %1 GPU jobs: too few to compare.")
                            .arg(theme::number(qint64(jobs)));
    }
    m_trouble->setText(troubles.join(QLatin1Char(' ')));
    m_trouble->setVisible(!troubles.isEmpty());
}

void AnalyticsPage::paintEvent(QPaintEvent*)
{
    if (m_scroll->isVisibleTo(this))
        return;
    QPainter painter(this);
    const QRect room = rect().adjusted(0, 60, 0, 0);
    const QTimeZone zone = m_state.timeZone();
    if (!m_error.isEmpty())
        theme::paintEmpty(painter, room, QStringLiteral("No figures"), m_error);
    else if (m_state.connection() != model::Connection::Connected)
        theme::paintEmpty(painter, room, QStringLiteral("No figures yet"),
                          QStringLiteral("They come from the daemon, which is not connected."));
    else if (!m_all)
        theme::paintEmpty(painter, room, QStringLiteral("Being computed"),
                          QStringLiteral("The daemon looks through the jobs that it knows."));
    else
        theme::paintEmpty(
            painter, room, QStringLiteral("No jobs in this span"),
            m_all->knownFrom.isValid()
                ? QStringLiteral("The daemon knows jobs since %1. Choose a longer span, or import "
                                 "older ones: yardctl import sacct FILE --cluster NAME "
                                 "--into STATE-DIRECTORY.")
                      .arg(theme::fullTime(m_all->knownFrom, zone))
                : QStringLiteral("The daemon has not seen the scheduler yet."));
}

void AnalyticsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    ask();
}

// -- export --

QString AnalyticsPage::exportTo(const QString& path) const
{
    if (!m_all)
        return QStringLiteral("There are no figures yet. Nothing was exported.");
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return QStringLiteral("%1 cannot be written: %2. Nothing was exported.")
            .arg(path, file.errorString());
    file.write(figuresCsv(*m_all));
    if (!file.commit())
        return QStringLiteral("%1 was not written: %2. Nothing was exported.")
            .arg(path, file.errorString());
    return {};
}

void AnalyticsPage::chooseFile()
{
    auto* dialog = new QFileDialog(this, QStringLiteral("Export the figures"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("csv"));
    dialog->selectFile(QStringLiteral("characterization.csv"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const QString error = exportTo(path);
        m_note->setText(error.isEmpty() ? QStringLiteral("Exported to ") + path : error);
    });
    dialog->open();
}

}  // namespace yard::pages
