#include "ui/pages/overview/overview_page.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QMenu>

#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/pages/overview/attention_list.h"
#include "ui/pages/overview/node_counts.h"
#include "ui/pages/overview/running_jobs_model.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chart.h"
#include "ui/widgets/headline_tile.h"
#include "ui/widgets/heatmap/heatmap_view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/scale_legend.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/table/table_view.h"

namespace yard::pages {

using model::GpuMetric;
using theme::Color;
using theme::Type;

constexpr int kRefreshMs = 250;
/// Steps of the layout: three tiles in a row, six, and a wall of a desk.
constexpr int kSixTilesWidth = 1400;
constexpr int kFourCardsWidth = 2600;
constexpr int kRoomyWidth = 1650;
constexpr int kPitch = 24;
constexpr int kWidePitch = 40;  // a map must not stand lost on the largest screens
constexpr GpuMetric kMetrics[] = {GpuMetric::SmActivity, GpuMetric::MemoryUsed, GpuMetric::Power,
                                  GpuMetric::CoreTemperature};

OverviewPage::OverviewPage(model::ClusterState& state, model::Selection& selection, QWidget* parent)
    : QScrollArea(parent)
    , m_state(state)
    , m_selection(selection)
    , m_map(state)
    , m_content(new QWidget)
    , m_grid(new QGridLayout(m_content))
{
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    const int margin = theme::px(theme::Size::PageMargin);
    m_grid->setContentsMargins(margin, 12, margin, 12);
    m_grid->setSpacing(theme::px(theme::Size::Gap));
    makeTiles();
    m_mapCard = makeMap();
    m_attentionCard = makeAttention();
    m_jobsCard = makeJobs();
    m_useCard = makeUse();
    m_waitingCard = makeWaiting();
    m_endsCard = makeEnds();
    // Not every arrangement has a place for it.
    m_waitingCard->setParent(m_content);
    setWidget(m_content);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kRefreshMs);
    connect(&m_pause, &QTimer::timeout, this, &OverviewPage::refresh);
    using model::ClusterState;
    const auto later = [this] { scheduleRefresh(); };
    for (auto signal : {&ClusterState::topologyChanged, &ClusterState::jobsChanged,
                        &ClusterState::readingsChanged, &ClusterState::faultsChanged,
                        &ClusterState::operationsChanged, &ClusterState::healthChanged,
                        &ClusterState::trendChanged, &ClusterState::connectionChanged})
        connect(&state, signal, this, later);
    connect(&state, &ClusterState::nodesChanged, this, later);
    // Ages grow by themselves.
    auto* ages = new QTimer(this);
    connect(ages, &QTimer::timeout, this, later);
    ages->start(1000);
    arrange();
    refresh();
}

void OverviewPage::makeTiles()
{
    for (const char* title : {"GPUs in use", "SM activity", "Waiting jobs", "GPU faults",
                              "Nodes out of service", "GPU power"}) {
        m_tiles << new widgets::HeadlineTile(QString::fromLatin1(title));
    }
    const auto open = [this](int tile, model::Page page) {
        connect(m_tiles[tile], &widgets::HeadlineTile::clicked, this,
                [this, page] { m_selection.requestPage(page); });
    };
    open(0, model::Page::Gpus);
    open(1, model::Page::Gpus);
    open(2, model::Page::Jobs);
    open(3, model::Page::Gpus);
    open(4, model::Page::Nodes);
}

widgets::Card* OverviewPage::makeMap()
{
    auto* card = new widgets::Card(QStringLiteral("Cluster map"),
                                   QStringLiteral("by switch · one column a node, one cell a GPU"));
    auto* metric =
        new widgets::SegmentedSwitch({QStringLiteral("SM activity"), QStringLiteral("Memory"),
                                      QStringLiteral("Power"), QStringLiteral("Temperature")});
    metric->setSmall(true);
    metric->setAccessibleName(QStringLiteral("Metric of the map"));
    card->addToHead(metric);
    m_view = new widgets::HeatmapView(m_map);
    m_view->setMinimumHeight(200);
    m_view->setNodeNumbers(false);
    card->body()->addWidget(m_view, 1);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(18);
    m_legend = new widgets::ScaleLegend(200, 8);
    m_key = new widgets::MapKey(false);
    m_counts = new NodeCounts;
    foot->addWidget(m_legend, 0, Qt::AlignTop);
    foot->addWidget(m_key, 0, Qt::AlignTop);
    foot->addWidget(m_counts, 1, Qt::AlignTop);
    card->body()->addLayout(foot);
    connect(metric, &widgets::SegmentedSwitch::currentChanged, this, [this](int index) {
        m_map.setMetric(kMetrics[index]);
        m_legend->setMetric(kMetrics[index]);
    });
    connect(m_view, &widgets::HeatmapView::nodeActivated, this,
            [this](int node) { m_selection.showNode(m_state.nodes()[node].name); });
    connect(m_view, &widgets::HeatmapView::jobActivated, this, [this](int node, int gpu) {
        const int job = m_state.jobOnGpu(node, gpu);
        if (job >= 0)
            m_selection.showJob(m_state.jobs()[job].displayId);
    });
    connect(m_counts, &NodeCounts::categoryClicked, this, [this](model::NodeCategory category) {
        QStringList names;
        for (const model::NodeInfo& node : m_state.nodes()) {
            if (node.category == category)
                names << node.name;
        }
        m_selection.showNodes(theme::folded(names));
    });
    return card;
}

widgets::Card* OverviewPage::makeAttention()
{
    auto* card = new widgets::Card(QStringLiteral("Needs attention"), QString());
    card->setHeadLine(true);
    card->setBodyMargins(0, 0, 0, 5);
    card->addToHead(
        new widgets::Label(QStringLiteral("worst first"), Type::Caption, Color::TextMuted));
    m_attention = new AttentionList;
    card->body()->addWidget(m_attention, 1);
    connect(m_attention, &AttentionList::itemActivated, this, [this](const AttentionItem& item) {
        switch (item.target) {
            case AttentionItem::Target::Nodes:
                m_selection.showNodes(item.name);
                break;
            case AttentionItem::Target::Job:
                m_selection.showJob(item.name);
                break;
            case AttentionItem::Target::Audit:
                m_selection.requestPage(model::Page::Audit);
                break;
            case AttentionItem::Target::None:
                break;
        }
    });
    return card;
}

widgets::Card* OverviewPage::makeJobs()
{
    auto* card = new widgets::Card(QStringLiteral("Largest jobs"), QString());
    card->setBodyMargins(0, 0, 0, 8);
    card->body()->setSpacing(0);
    m_jobs = new RunningJobsModel(m_state, this);
    m_jobsView = new widgets::TableView;
    m_jobsView->setModel(m_jobs);
    m_jobsView->setRowHeight(24);
    m_jobsView->setSelectionMode(QAbstractItemView::SingleSelection);
    m_jobsView->setEmptyText(QStringLiteral("No job is running"),
                             QStringLiteral("The largest come first as they start."));
    m_jobsView->setMinimumHeight(140);
    const int widths[] = {104, 118, 64, 52, 0, 82, 108};
    for (int column = 0; column < RunningJobsModel::ColumnCount; ++column) {
        if (widths[column] > 0)
            m_jobsView->setColumnWidth(column, widths[column]);
    }
    m_jobsView->setStretchColumn(RunningJobsModel::Nodes);
    card->body()->addWidget(m_jobsView, 1);
    auto* all = new widgets::Button(QStringLiteral("All jobs"), widgets::Button::Kind::Link);
    card->addToHead(all);
    connect(all, &widgets::Button::clicked, this,
            [this] { m_selection.requestPage(model::Page::Jobs); });
    connect(m_jobsView, &widgets::TableView::rowActivated, this,
            [this](const QModelIndex& index) { m_selection.showJob(m_jobs->jobAt(index.row())); });
    return card;
}

widgets::Card* OverviewPage::makeUse()
{
    auto* card = new widgets::Card(QStringLiteral("GPUs in use"), QString());
    m_use = new widgets::StackedAreaChart;
    card->body()->addWidget(m_use, 1);
    return card;
}

widgets::Card* OverviewPage::makeWaiting()
{
    auto* card = new widgets::Card(QStringLiteral("Jobs waiting"), QString());
    m_waiting = new widgets::StackedAreaChart;
    card->body()->addWidget(m_waiting, 1);
    return card;
}

widgets::Card* OverviewPage::makeEnds()
{
    auto* card = new widgets::Card(QStringLiteral("Jobs by state"), QString());
    m_ends = new widgets::BarList;
    card->body()->addWidget(m_ends);
    card->body()->addSpacing(2);
    card->body()->addWidget(new widgets::HairLine);
    auto* head = new QHBoxLayout;
    head->addWidget(
        new widgets::Label(QStringLiteral("Longest waits"), Type::Label, Color::TextSecondary));
    head->addStretch();
    head->addWidget(
        new widgets::Label(QStringLiteral("GPUs wanted"), Type::Caption, Color::TextMuted));
    card->body()->addLayout(head);
    m_waits = new widgets::BarList;
    m_waits->setMono(true);
    m_waits->setNameWidth(140);
    card->body()->addWidget(m_waits);
    m_nobodyWaits = new widgets::Label({}, Type::Body, Color::TextMuted);
    m_nobodyWaits->setObjectName(QStringLiteral("nobodyWaits"));
    card->body()->addWidget(m_nobodyWaits);
    card->body()->addStretch(1);
    return card;
}

void OverviewPage::arrange()
{
    const int width = viewport()->width();
    const int kind = width >= kFourCardsWidth ? 2 : width >= kSixTilesWidth ? 1 : 0;
    // Rather the whole hostlist than the name of who runs it.
    m_jobsView->setColumnHidden(RunningJobsModel::User, kind == 1 && width < kRoomyWidth);
    if (kind == m_arranged)
        return;
    m_arranged = kind;
    m_view->setLargestPitch(kind == 2 ? kWidePitch : kPitch);
    while (QLayoutItem* item = m_grid->takeAt(0))
        delete item;
    for (int row = 0; row < 8; ++row) {
        m_grid->setRowStretch(row, 0);
        m_grid->setRowMinimumHeight(row, 0);
    }
    constexpr int kColumns = 60;
    for (int column = 0; column < kColumns; ++column)
        m_grid->setColumnStretch(column, 1);
    for (auto* tile : m_tiles)
        tile->setCompact(kind == 0);
    m_waitingCard->setVisible(kind == 2);
    m_jobsView->setColumnHidden(RunningJobsModel::Nodes, kind == 0);
    m_jobsView->setStretchColumn(kind == 0 ? RunningJobsModel::Name : RunningJobsModel::Nodes);
    if (kind == 0) {
        for (int i = 0; i < 6; ++i)
            m_grid->addWidget(m_tiles[i], i / 3, i % 3 * 20, 1, 20);
        m_grid->addWidget(m_mapCard, 2, 0, 1, kColumns);
        m_grid->addWidget(m_attentionCard, 3, 0, 1, 28);
        m_grid->addWidget(m_jobsCard, 3, 28, 1, 32);
        m_grid->addWidget(m_useCard, 4, 0, 1, 28);
        m_grid->addWidget(m_endsCard, 4, 28, 1, 32);
        m_grid->setRowMinimumHeight(2, 330);
        m_grid->setRowMinimumHeight(3, 300);
        m_grid->setRowMinimumHeight(4, 330);
        m_grid->setRowStretch(2, 1);
        return;
    }
    for (int i = 0; i < 6; ++i)
        m_grid->addWidget(m_tiles[i], 0, i * 10, 1, 10);
    m_grid->addWidget(m_mapCard, 1, 0, 1, 40);
    m_grid->addWidget(m_attentionCard, 1, 40, 1, 20);
    m_grid->setRowMinimumHeight(1, 400);
    m_grid->setRowMinimumHeight(2, 310);
    m_grid->setRowStretch(1, 53);
    m_grid->setRowStretch(2, 40);
    if (kind == 1) {
        m_grid->addWidget(m_jobsCard, 2, 0, 1, 28);
        m_grid->addWidget(m_useCard, 2, 28, 1, 15);
        m_grid->addWidget(m_endsCard, 2, 43, 1, 17);
        return;
    }
    m_grid->setRowStretch(1, 58);
    m_grid->addWidget(m_jobsCard, 2, 0, 1, 18);
    m_grid->addWidget(m_useCard, 2, 18, 1, 15);
    m_grid->addWidget(m_waitingCard, 2, 33, 1, 14);
    m_grid->addWidget(m_endsCard, 2, 47, 1, 13);
}

void OverviewPage::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

void OverviewPage::showEvent(QShowEvent* event)
{
    QScrollArea::showEvent(event);
    refresh();
}

void OverviewPage::scheduleRefresh()
{
    if (isVisible() && !m_pause.isActive())
        m_pause.start();
}

void OverviewPage::refresh()
{
    refreshTiles();
    refreshMap();
    refreshTrend();
    refreshJobs();
    const QVector<AttentionItem> items =
        m_state.hasSnapshot() ? attention(m_state) : QVector<AttentionItem>();
    m_attention->setUnknown(theme::whyUnknown(m_state));
    m_attention->setItems(items);
    m_attentionCard->setCount(items.isEmpty() ? QString() : theme::number(qint64(items.size())));
}

void OverviewPage::refreshMap()
{
    std::array<int, model::kNodeCategoryCount> counts{};
    for (const model::NodeInfo& node : m_state.nodes())
        ++counts[size_t(node.category)];
    m_counts->setCounts(counts);
    const model::GpuMap::Counts cells = m_map.counts();
    m_key->setCounts({cells.missing, cells.stale, cells.faults});
}

}  // namespace yard::pages
