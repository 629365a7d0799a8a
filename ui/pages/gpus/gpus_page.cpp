#include "ui/pages/gpus/gpus_page.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/pages/gpus/hover_card.h"
#include "ui/pages/gpus/odd_gpus_model.h"
#include "ui/pages/gpus/silent_list.h"
#include "ui/theme/heat_scale.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chart.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/heatmap/heatmap_view.h"
#include "ui/widgets/heatmap/state_bar.h"
#include "ui/widgets/label.h"
#include "ui/widgets/scale_legend.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/table/table_view.h"

namespace yard::pages {

using model::GpuMetric;
using theme::Color;
using theme::Type;

constexpr int kRefreshMs = 250;
constexpr int kBins = 50;
constexpr int kThreePanelsWidth = 1400;
constexpr int kWideWidth = 2600;
constexpr int kPitch = 24;
constexpr int kWidePitch = 40;  // a map must not stand lost on the largest screens
constexpr GpuMetric kMetrics[] = {
    GpuMetric::SmActivity,        GpuMetric::GpuUtilization, GpuMetric::TensorActivity,
    GpuMetric::MemoryUsed,        GpuMetric::Power,          GpuMetric::CoreTemperature,
    GpuMetric::MemoryTemperature, GpuMetric::NvlinkBandwidth};

GpusPage::GpusPage(model::ClusterState& state, model::Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_selection(selection)
    , m_map(state)
{
    const int margin = theme::px(theme::Size::PageMargin);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(margin, 12, margin, 12);
    column->setSpacing(theme::px(theme::Size::Gap));
    column->addLayout(makeFilterLine());
    m_mapCard = makeMap();
    column->addWidget(m_mapCard, 1000);
    makePanels();
    column->addWidget(m_panels, 1);
    m_card = new HoverCard(state, this);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kRefreshMs);
    connect(&m_pause, &QTimer::timeout, this, &GpusPage::refresh);
    const auto later = [this] {
        if (isVisible() && !m_pause.isActive())
            m_pause.start();
    };
    connect(&m_map, &model::GpuMap::layoutChanged, this, later);
    connect(&m_map, &model::GpuMap::valuesChanged, this, later);
    connect(&state, &model::ClusterState::healthChanged, this, later);
    connect(&state, &model::ClusterState::healthChanged, m_view->viewport(),
            qOverload<>(&QWidget::update));
    connect(&state, &model::ClusterState::operationsChanged, this, later);
    arrange();
    refresh();
}

QHBoxLayout* GpusPage::makeFilterLine()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_filter = new widgets::FilterField(QStringLiteral("Filter: hostlist, job, user, state"));
    m_filter->setMinimumWidth(150);
    m_filter->setMaximumWidth(420);
    row->addWidget(m_filter, 1);
    row->addStretch(0);
    m_metricWord = new widgets::Label(QStringLiteral("Metric"), Type::Label, Color::TextMuted);
    QStringList names;
    for (GpuMetric metric : kMetrics)
        names << theme::metricShortName(metric);
    m_metric = new widgets::SegmentedSwitch(names);
    m_metric->setAccessibleName(QStringLiteral("Metric"));
    m_groupWord = new widgets::Label(QStringLiteral("Group by"), Type::Label, Color::TextMuted);
    m_group = new widgets::SegmentedSwitch({QStringLiteral("Switch"), QStringLiteral("Rack"),
                                            QStringLiteral("Partition"), QStringLiteral("Job")});
    m_group->setAccessibleName(QStringLiteral("Group by"));
    row->addWidget(m_metricWord);
    row->addWidget(m_metric);
    row->addSpacing(4);
    row->addWidget(m_groupWord);
    row->addWidget(m_group);
    connect(m_filter, &widgets::FilterField::filterChanged, this, &GpusPage::applyFilter);
    connect(m_metric, &widgets::SegmentedSwitch::currentChanged, this, &GpusPage::setMetric);
    connect(m_group, &widgets::SegmentedSwitch::currentChanged, this,
            [this](int index) { m_map.setGrouping(model::GpuMap::Grouping(index)); });
    return row;
}

widgets::Card* GpusPage::makeMap()
{
    auto* card = new widgets::Card(QString::fromLatin1(""), QString());
    m_key = new widgets::MapKey(true);
    card->addToHead(m_key);
    m_view = new widgets::HeatmapView(m_map);
    setFocusProxy(m_view);
    m_view->setMinimumHeight(160);
    card->addToHead(new widgets::HairLine(Qt::Vertical));
    m_legend = new widgets::ScaleLegend(240, 9);
    card->addToHead(m_legend);
    m_keyBelow = new widgets::MapKey(true);
    m_keyBelow->hide();
    card->body()->addWidget(m_keyBelow);
    card->body()->addSpacing(4);
    card->body()->addWidget(m_view, 1);
    connect(m_view, &widgets::HeatmapView::cardRequested, this,
            [this](const widgets::HeatmapView::Cell& cell) {
                // A pointer that rests may have opened the menu meanwhile.
                if (!cell.isValid() || QApplication::activePopupWidget() != nullptr) {
                    m_card->hide();
                    return;
                }
                const QRect rect = m_view->cellRect(cell);
                m_card->showFor(
                    cell.node, cell.gpu,
                    QRect(m_view->viewport()->mapTo(this, rect.topLeft()), rect.size()));
            });
    connect(m_view, &widgets::HeatmapView::nodeActivated, this,
            [this](int node, int gpu) { m_selection.showGpu(m_state.nodes()[node].name, gpu); });
    connect(m_view, &widgets::HeatmapView::jobActivated, this, &GpusPage::openJob);
    connect(m_view, &widgets::HeatmapView::contextMenuRequested, this, &GpusPage::showMenu);
    setMetric(0);
    return card;
}

void GpusPage::makePanels()
{
    m_panels = new QWidget;
    auto* column = new QVBoxLayout(m_panels);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_tabs = new widgets::SegmentedSwitch({QStringLiteral("Distribution"),
                                           QStringLiteral("Odd ones out"),
                                           QStringLiteral("Without a reading")});
    m_tabs->setSmall(true);
    column->addWidget(m_tabs);
    m_panelRow = new QHBoxLayout;
    m_panelRow->setSpacing(theme::px(theme::Size::Gap));
    column->addLayout(m_panelRow, 1);

    m_distributionCard = new widgets::Card(QStringLiteral("Distribution now"), QString());
    m_histogram = new widgets::Histogram;
    m_distributionCard->body()->addWidget(m_histogram, 1);

    m_oddCard = new widgets::Card(QStringLiteral("Odd ones out"),
                                  QStringLiteral("against the other GPUs of the same job"));
    m_oddCard->setBodyMargins(0, 0, 0, 8);
    m_odd = new OddGpusModel(m_map, this);
    m_oddView = new widgets::TableView;
    m_oddView->setModel(m_odd);
    m_oddView->setRowHeight(24);
    m_oddView->setSelectionMode(QAbstractItemView::SingleSelection);
    m_oddView->setEmptyText(QStringLiteral("No GPU stands out"),
                            QStringLiteral("Each does as the others of its job do."));
    m_oddView->setColumnWidth(OddGpusModel::Gpu, 112);
    m_oddView->setColumnWidth(OddGpusModel::Job, 140);
    m_oddView->setColumnWidth(OddGpusModel::Now, 90);
    m_oddView->setColumnWidth(OddGpusModel::Peers, 90);
    m_oddView->setStretchColumn(OddGpusModel::Else);
    m_oddCard->body()->addWidget(m_oddView, 1);
    connect(m_oddView, &widgets::TableView::rowActivated, this,
            [this](const QModelIndex& index) { m_selection.showNode(m_odd->nodeAt(index.row())); });

    m_silentCard = new widgets::Card(QStringLiteral("Without a reading"), QString());
    m_silent = new SilentList(m_map);
    m_silentCard->body()->addWidget(m_silent, 1);
    connect(m_silent, &SilentList::nodesActivated, this,
            [this](const QString& hosts) { m_selection.showNodes(hosts); });

    m_panelRow->addWidget(m_distributionCard, 36);
    m_panelRow->addWidget(m_oddCard, 41);
    m_panelRow->addWidget(m_silentCard, 23);
    connect(m_tabs, &widgets::SegmentedSwitch::currentChanged, this, [this] {
        m_arranged = -1;
        arrange();
    });
}

void GpusPage::arrange()
{
    const int kind = (width() >= kWideWidth          ? 2
                      : width() >= kThreePanelsWidth ? 1
                                                     : 0) *
                         1000 +
                     height() / 100;
    if (kind == m_arranged)
        return;
    m_arranged = kind;
    const bool three = width() >= kThreePanelsWidth;
    m_view->setLargestPitch(width() >= kWideWidth ? kWidePitch : kPitch);
    m_tabs->setVisible(!three);
    m_metricWord->setVisible(three);
    m_groupWord->setVisible(three);
    m_distributionCard->setVisible(three || m_tabs->current() == 0);
    m_oddCard->setVisible(three || m_tabs->current() == 1);
    m_silentCard->setVisible(three || m_tabs->current() == 2);
    m_panels->setMinimumHeight(three ? qBound(280, height() * 31 / 100, 520) : 232);
    m_panels->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    placeKey();
    fitMap();
    m_legend->setVisible(true);
}

/// A map that is already at its largest leaves the rest of the height to the panels.
void GpusPage::fitMap()
{
    const int headAndMargins = m_keyBelow->isVisibleTo(this) ? 92 : 70;
    constexpr int kAir = 60;
    const QMargins around = layout()->contentsMargins();
    const int others = around.top() + around.bottom() + theme::px(theme::Size::Control) +
                       2 * theme::px(theme::Size::Gap) + m_panels->minimumHeight();
    const int most =
        m_view->idealHeight(height() - others - headAndMargins) + headAndMargins + kAir;
    m_mapCard->setMaximumHeight(m_map.groups().isEmpty() ? QWIDGETSIZE_MAX : qMax(240, most));
}

void GpusPage::setMetric(int index)
{
    const GpuMetric metric = kMetrics[index];
    m_map.setMetric(metric);
    m_legend->setMetric(metric);
    if (m_mapCard == nullptr)
        return;
    m_mapCard->setTitle(theme::metricName(metric));
    m_mapCard->setNote(theme::metricMeaning(metric));
}

void GpusPage::applyFilter(const QString& text)
{
    model::NodeFilter filter;
    filter.text = text;
    m_map.setFilter(filter);
    m_filter->setProblem(m_map.filterError());
    m_filter->setHint(
        !m_map.filterError().isEmpty()
            ? QStringLiteral("not understood")
            : theme::counted(m_map.shownNodes(), QStringLiteral("node"), QStringLiteral("nodes")));
}

void GpusPage::openJob(int node, int gpu)
{
    const int job = m_state.jobOnGpu(node, gpu);
    if (job >= 0)
        m_selection.showJob(m_state.jobs()[job].displayId);
}

void GpusPage::showMenu(int node, int gpu, const QPoint& at)
{
    m_card->hide();
    const QString name = m_state.nodes()[node].name;
    const int job = m_state.jobOnGpu(node, gpu);
    QMenu menu(this);
    menu.addAction(QStringLiteral("Open node %1").arg(name), this,
                   [this, name] { m_selection.showNode(name); });
    QAction* open =
        menu.addAction(job < 0 ? QStringLiteral("Open job")
                               : QStringLiteral("Open job %1").arg(m_state.jobs()[job].displayId),
                       this, [this, node, gpu] { openJob(node, gpu); });
    open->setEnabled(job >= 0);
    menu.addAction(QStringLiteral("Show series of %1").arg(theme::gpuShortName(name, gpu)), this,
                   [this, name, gpu] { m_selection.showGpu(name, gpu); });
    menu.addSeparator();
    const auto copy = [&menu, this](const QString& words, const QString& text) {
        QAction* action =
            menu.addAction(words, this, [text] { QGuiApplication::clipboard()->setText(text); });
        action->setEnabled(!text.isEmpty());
    };
    copy(QStringLiteral("Copy %1").arg(theme::gpuShortName(name, gpu)),
         theme::gpuShortName(name, gpu));
    copy(QStringLiteral("Copy UUID"), m_state.nodes()[node].gpuUuids.value(gpu));
    copy(QStringLiteral("Copy as command"), QStringLiteral("scontrol show node %1").arg(name));
    menu.exec(at);
}

void GpusPage::showCard(const QString& node, int gpu)
{
    const int at = m_state.nodeIndex(node);
    if (at < 0)
        return;
    // A paint makes the layout that the place of a cell is taken from.
    m_view->viewport()->repaint();
    const QRect rect = m_view->cellRect({at, gpu});
    m_card->showFor(at, gpu, QRect(m_view->viewport()->mapTo(this, rect.topLeft()), rect.size()));
}

void GpusPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_card->hide();
    arrange();
}

void GpusPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void GpusPage::refresh()
{
    if (m_mapCard != nullptr)
        setMetric(m_metric->current());
    QVector<bool> present;
    for (GpuMetric metric : kMetrics)
        present << (!m_state.hasSnapshot() || !m_state.gpuColumn(metric).isEmpty());
    m_metric->setEnabledOptions(present, QStringLiteral("No source reports this metric."));
    const model::GpuMap::Counts counts = m_map.counts();
    for (auto* key : {m_key, m_keyBelow})
        key->setCounts({counts.missing, counts.stale, counts.faults});
    refreshBars();
    fitMap();
    refreshHistogram();
    m_odd->refresh();
    m_oddCard->setCount(m_odd->rowCount() ? theme::number(qint64(m_odd->rowCount())) : QString());
    m_silent->refresh();
    QString silent = theme::number(qint64(counts.missing));
    if (counts.stale > 0)
        silent += QStringLiteral(" + %1 stale").arg(theme::number(qint64(counts.stale)));
    if (!theme::whyUnknown(m_state).isEmpty())
        silent = theme::unknownFigure();
    m_silentCard->setCount(silent);
}

void GpusPage::refreshBars()
{
    std::array<bool, model::kNodeCategoryCount> seen{};
    bool requested = false;
    for (const model::NodeInfo& node : m_state.nodes()) {
        seen[size_t(node.category)] = true;
        requested = requested || m_state.openOperationOn(node.name) != nullptr;
    }
    QVector<model::NodeCategory> bars;
    for (int category = 0; category < model::kNodeCategoryCount; ++category) {
        if (seen[size_t(category)] && widgets::hasStateBar(model::NodeCategory(category)))
            bars << model::NodeCategory(category);
    }
    for (auto* key : {m_key, m_keyBelow})
        key->setBars(bars, requested);
    placeKey();
}

/// Beside the title where all of it has room, else in a line of its own.
void GpusPage::placeKey()
{
    constexpr int kTitleAndLegend = 480;
    const bool fits = m_key->sizeHint().width() + kTitleAndLegend < width();
    m_key->setVisible(fits);
    m_keyBelow->setVisible(!fits);
}

void GpusPage::refreshHistogram()
{
    const theme::MetricScale& scale = theme::metricScale(m_map.metric());
    widgets::Histogram::Data data;
    data.counts.fill(0, kBins);
    data.low = double(scale.low);
    data.high = double(scale.high);
    int fresh = 0;
    for (int gpu = 0; gpu < m_map.values().size(); ++gpu) {
        const float value = m_map.values()[gpu];
        const quint8 flags = m_map.flags()[gpu];
        if (std::isnan(value) || (flags & (model::GpuMap::Stale | model::GpuMap::Hidden)))
            continue;
        ++fresh;
        if (!(flags & model::GpuMap::InUse)) {
            ++data.aside;
            continue;
        }
        ++data.counts[qBound(0, int(scale.fraction(value) * kBins), kBins - 1)];
    }
    data.asideWords =
        QStringLiteral("free or out of service %1").arg(theme::number(qint64(data.aside)));
    const float median = fresh > 0 ? m_map.medianInUse() : model::kNoReading;
    data.median = double(median);
    const bool share = m_map.metric() == GpuMetric::MemoryUsed;
    if (fresh > data.aside)
        m_oddView->setEmptyText(QStringLiteral("No GPU stands out"),
                                QStringLiteral("Each does as the others of its job do."));
    else
        m_oddView->setEmptyText(QStringLiteral("Nothing to compare"), whyNothingToCompare(fresh));
    data.medianWords = QStringLiteral("median in use %1")
                           .arg(share ? theme::percent(double(median) / 100)
                                      : theme::quantity(m_map.metric(), median).text());
    for (const auto& [value, text] : scale.ticks)
        data.ticks.push_back({double(scale.fraction(float(value))), text});
    data.color = [kind = scale.scale](double at) {
        return QColor::fromRgb(theme::HeatScale::of(kind).color(float(at)));
    };
    m_histogram->setData(data);
    m_histogram->setEmptyText(fresh > 0 ? QString() : QStringLiteral("Nothing to count"),
                              whyNothingToCompare(fresh));
    m_distributionCard->setNote(
        theme::whyUnknown(m_state).isEmpty()
            ? theme::counted(fresh, QStringLiteral("GPU"), QStringLiteral("GPUs")) +
                  QStringLiteral(" with a fresh reading")
            : QStringLiteral("not known"));
}

QString GpusPage::whyNothingToCompare(int fresh) const
{
    for (const QString& why : {theme::whyUnknown(m_state), theme::whyNoTelemetry(m_state)}) {
        if (!why.isEmpty())
            return why;
    }
    return fresh > 0 ? QStringLiteral("No job holds a GPU now.")
                     : QStringLiteral("No GPU has a fresh reading of this metric.");
}

}  // namespace yard::pages
