#include "app/desktop/state_tour.h"

#include <QAbstractButton>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QLineEdit>
#include <QTimer>

#include "app/desktop/demo_daemon.h"
#include "app/desktop/page_renderer.h"
#include "ui/main_window.h"
#include "ui/model/selection.h"
#include "ui/pages/gpus/gpus_page.h"
#include "ui/rail.h"
#include "ui/widgets/label.h"
#include "ui/widgets/table/table_view.h"

namespace yard::desktop {

using model::Page;

constexpr int kPatienceMs = 20'000;
constexpr int kLookMs = 50;
constexpr int kNodes = 12;

StateTour::StateTour(PageRenderer& renderer, ui::MainWindow& window, model::ClusterState& state,
                     model::Selection& selection, DemoDaemon* demo)
    : m_renderer(renderer)
    , m_window(window)
    , m_state(state)
    , m_selection(selection)
    , m_demo(demo)
{
}

void StateTour::run()
{
    card();
    panels();
    nodes();
    jobs();
    if (m_demo == nullptr)
        return;
    drain();
    restart();
    audit();
    disconnected();
}

template <typename T>
T* StateTour::find(const char* name) const
{
    for (T* each : m_window.findChildren<T*>(QString::fromLatin1(name))) {
        if (each->isVisible())
            return each;
    }
    return nullptr;
}

bool StateTour::waitFor(const std::function<bool()>& done) const
{
    const QDeadlineTimer deadline(kPatienceMs);
    while (!done()) {
        if (deadline.hasExpired())
            return false;
        QEventLoop moment;
        QTimer::singleShot(kLookMs, &moment, &QEventLoop::quit);
        moment.exec();
    }
    return true;
}

bool StateTour::click(const char* name)
{
    auto* button = find<QAbstractButton>(name);
    if (button == nullptr || !button->isEnabled())
        return false;
    button->click();
    return true;
}

bool StateTour::hasPreview() const
{
    auto* command = find<widgets::Label>("commandLabel");
    return command != nullptr && command->text().size() > 1;
}

void StateTour::card()
{
    m_window.showPage(Page::Gpus);
    int node = int(m_state.nodes().size()) / 3;
    int gpu = 0;
    for (const model::FaultInfo& fault : m_state.faults()) {
        if (fault.gpuIndex && m_state.nodeIndex(fault.host) >= 0) {
            node = m_state.nodeIndex(fault.host);
            gpu = *fault.gpuIndex;
        }
    }
    if (node < m_state.nodes().size())
        m_window.gpusPage()->showCard(m_state.nodes()[node].name, gpu);
    m_renderer.save(QStringLiteral("gpus-fault-card"));
    const QStringList busy = twelveNodes();
    if (!busy.isEmpty())
        m_window.gpusPage()->showCard(busy.first(), 3);
    m_renderer.save(QStringLiteral("gpus-card"));
}

void StateTour::panels()
{
    m_window.showPage(Page::Overview);
    m_window.openJump(QStringLiteral("1"));
    m_renderer.save(QStringLiteral("jump"));
    m_window.openKeys();
    m_renderer.save(QStringLiteral("keys"));
    m_window.closeOverlay();
}

/// In use, of several jobs where the small ones are, so that the preview has something to say.
QStringList StateTour::twelveNodes() const
{
    QStringList names;
    for (qsizetype i = m_state.nodes().size() * 5 / 6; i < m_state.nodes().size(); ++i) {
        const auto category = m_state.nodes()[i].category;
        if (names.size() < kNodes &&
            (category == model::NodeCategory::Allocated || category == model::NodeCategory::Mixed))
            names << m_state.nodes()[i].name;
    }
    return names;
}

void StateTour::mark(const QStringList& nodes)
{
    // Up from the end, so that the first of them stands at the top.
    m_selection.showNode(m_state.nodes().last().name);
    m_selection.showNode(nodes.first());
    m_selection.setMarkedNodes(nodes);
    m_selection.setCurrentNode({});
}

QString StateTour::largestJob() const
{
    const model::JobInfo* largest = nullptr;
    for (const model::JobInfo& job : m_state.jobs()) {
        if (job.isActive() && (largest == nullptr || job.gpus > largest->gpus))
            largest = &job;
    }
    return largest != nullptr ? largest->displayId : QString();
}

void StateTour::nodes()
{
    m_window.showPage(Page::Nodes);
    model::NodeFilter filter;
    filter.text = QStringLiteral("no-such-node");
    m_selection.setNodeFilter(filter);
    m_renderer.save(QStringLiteral("nodes-none-fits"));
    m_selection.setNodeFilter({});
    const QStringList marked = twelveNodes();
    if (marked.isEmpty())
        return;
    m_selection.showNode(marked.first());
    m_renderer.save(QStringLiteral("nodes-inspector"));
    mark(marked);
    m_renderer.save(QStringLiteral("nodes-marked"));
    if (click("drainButton")) {
        waitFor([this] { return hasPreview(); });
        m_renderer.save(QStringLiteral("drain-preview"));
        click("dismissButton");
    }
}

void StateTour::jobs()
{
    const QString job = largestJob();
    if (job.isEmpty())
        return;
    m_selection.showJob(job);
    m_renderer.save(QStringLiteral("job-detail"));
    for (const char* button : {"restartButton", "cancelJobButton"}) {
        if (!click(button))
            continue;
        waitFor([this] { return hasPreview(); });
        m_renderer.save(button == QLatin1String("restartButton")
                            ? QStringLiteral("restart-preview")
                            : QStringLiteral("cancel-preview"));
        click("dismissButton");
    }
}

bool StateTour::fillAndConfirm(int typed)
{
    // The fields come with the preview.
    const auto fill = [this](const char* name, const QString& text) {
        if (auto* field = find<QLineEdit>(name))
            field->setText(text);
    };
    const bool ready = waitFor([&] {
        fill("reasonField", QStringLiteral("fan tray FT-22"));
        fill("countField", QString::number(typed));
        auto* button = find<QAbstractButton>("confirmButton");
        return button != nullptr && button->isEnabled();
    });
    m_renderer.save(QStringLiteral("confirm-%1").arg(typed));
    return ready && click("confirmButton");
}

void StateTour::drain()
{
    const QStringList marked = twelveNodes();
    if (marked.isEmpty())
        return;
    mark(marked);
    if (!click("drainButton") || !fillAndConfirm(int(marked.size())))
        return;
    waitFor([this] { return !m_state.operations().isEmpty(); });
    m_renderer.save(QStringLiteral("nodes-requested"));
    m_window.showPage(Page::Gpus);
    m_renderer.save(QStringLiteral("gpus-requested"));
    m_window.showPage(Page::Nodes);
    waitFor([this] {
        const auto& operations = m_state.operations();
        return !operations.isEmpty() && operations.first().state == model::OperationState::Observed;
    });
    m_renderer.save(QStringLiteral("nodes-drained-toast"));
}

void StateTour::restart()
{
    const QString job = largestJob();
    const auto before = m_state.operations().size();
    m_selection.clearMarked();
    m_selection.showJob(job);
    if (!click("restartButton") || !fillAndConfirm(1))
        return;
    waitFor([&] { return m_state.operations().size() > before; });
    waitFor([&] {
        const model::JobInfo* now = m_state.job(job);
        return now != nullptr && now->restarts > 0;
    });
    m_renderer.save(QStringLiteral("job-restarted"));
}

void StateTour::audit()
{
    m_window.showPage(Page::Audit);
    auto* table = find<widgets::TableView>("auditTable");
    if (table != nullptr && waitFor([table] { return table->model()->rowCount() > 0; }))
        table->selectRow(0);
    m_renderer.save(QStringLiteral("audit-record"));
}

void StateTour::disconnected()
{
    m_demo->stop();
    waitFor([this] { return m_state.connection() == model::Connection::Disconnected; });
    everyPage(QStringLiteral("disconnected"));
    waitFor([this] { return m_state.freshness(0) >= model::Freshness::Stale; });
    everyPage(QStringLiteral("stale"));
}

void StateTour::everyPage(const QString& state)
{
    m_selection.setCurrentNode({});
    m_selection.setCurrentJob({});
    for (const ui::PageEntry& entry : ui::pageEntries()) {
        m_window.showPage(entry.page);
        m_renderer.save(state + QLatin1Char('-') + entry.title.toLower());
    }
}

}  // namespace yard::desktop
