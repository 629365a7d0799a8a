#include "ui/pages/nodes/nodes_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <QSet>
#include <QtMath>
#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/model/node_table_model.h"
#include "ui/model/selection.h"
#include "ui/pages/nodes/node_cells.h"
#include "ui/pages/nodes/node_inspector.h"
#include "ui/pages/nodes/selection_bar.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/table/table_view.h"

namespace yard::pages {

using model::ActionKind;
using theme::Color;
using widgets::Button;
using Column = model::NodeTableModel::Column;

namespace {

struct Width {
    int column;
    int px;
};
constexpr int kStateLeast = 176;
constexpr Width kWidths[] = {
    {Column::Name, 128},  {Column::State, kStateLeast}, {Column::Gpus, 92},
    {Column::Job, 96},    {Column::Partition, 124},     {Column::Switch, 72},
    {Column::Rack, 60},   {Column::Load, 88},           {Column::Memory, 96},
    {Column::Power, 116}, {Column::HottestGpu, 100},    {Column::SetBy, 84},
    {Column::Since, 112}};
/// Given up in this order when the window is narrow; each group goes together.
const QVector<QVector<int>> kGivenUp = {{Column::Rack, Column::Memory, Column::Load, Column::SetBy},
                                        {Column::Switch},
                                        {Column::Since},
                                        {Column::Partition},
                                        {Column::HottestGpu},
                                        {Column::Power}};
constexpr int kReasonMinimum = 170;

}  // namespace

NodesPage::NodesPage(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent)
    : TablePage(QStringLiteral("nodes"), QStringLiteral("Hostlist with , ! & or words"),
                QStringLiteral("Nodes"), parent)
    , m_desk(desk)
    , m_selection(selection)
    , m_model(new model::NodeTableModel(desk.state(), selection, this))
    , m_cells(new NodeCells(desk.state(), *m_model, this))
{
    m_filter->setMono(true);
    m_line->addStretch(1);
    m_markShown = new Button(QStringLiteral("Mark shown"), Button::Kind::Plain);
    m_markShown->setObjectName(QStringLiteral("markShownButton"));
    m_copyHosts = new Button(QStringLiteral("Copy hostlist"), Button::Kind::Plain);
    m_copyHosts->setObjectName(QStringLiteral("copyHostlistButton"));
    m_copyHosts->setIconName(QStringLiteral("copy"));
    m_line->addWidget(m_markShown);
    m_line->addWidget(m_copyHosts);
    m_bar = new SelectionBar(desk, selection);
    m_card->body()->insertWidget(0, m_bar);
    buildTable();
    m_inspector = new NodeInspector(desk, selection);
    m_inspector->setFixedWidth(theme::px(theme::Size::Inspector));
    m_inspector->hide();
    m_body->addWidget(m_inspector);
    connectAll();
    refreshChips();
    refreshCounts();
}

void NodesPage::buildTable()
{
    m_table->setModel(m_cells);
    m_table->setCheckBoxes(true);
    m_table->setStretchColumn(Column::Reason);
    for (const Width& width : kWidths)
        m_table->setColumnWidth(width.column, width.px);
    m_table->setSortable([](int) { return Qt::AscendingOrder; });
    // What is broken stands on top, where nobody has to look for it.
    m_table->sortBy(Column::State, Qt::AscendingOrder);
}

void NodesPage::connectAll()
{
    connect(m_filter, &widgets::FilterField::filterChanged, this, [this](const QString& text) {
        auto filter = m_selection.nodeFilter();
        filter.text = text;
        m_selection.setNodeFilter(filter);
    });
    connect(&m_selection, &model::Selection::nodeFilterChanged, this, [this] {
        if (m_filter->text() != m_selection.nodeFilter().text)
            m_filter->setText(m_selection.nodeFilter().text);
        refreshChips();
    });
    connect(m_markShown, &Button::clicked, this, [this] {
        m_selection.setMarkedNodes(m_model->names());
        m_table->setFocus();
    });
    connect(m_copyHosts, &Button::clicked, this, [this] {
        const QStringList marked = m_selection.markedNodes();
        QGuiApplication::clipboard()->setText(
            model::foldHostlist(marked.isEmpty() ? m_model->names() : marked));
    });
    connect(m_bar, &SelectionBar::actionRequested, this,
            [this](ActionKind kind) { act(kind, m_selection.markedNodes()); });
    connect(m_bar, &SelectionBar::copyRequested, this, [this](ActionKind kind) {
        model::ActionRequest request;
        request.kind = kind;
        request.nodes = m_selection.markedNodes();
        m_desk.copyCommand(this, request);
    });
    connect(m_inspector, &NodeInspector::drainRequested, this,
            [this] { act(ActionKind::Drain, {m_selection.currentNode()}); });
    connect(m_inspector, &NodeInspector::resumeRequested, this,
            [this] { act(ActionKind::Resume, {m_selection.currentNode()}); });

    connect(m_table, &widgets::TableView::rowActivated, this, [this](const QModelIndex& index) {
        const int node = m_model->nodeAt(index.row());
        if (node >= 0)
            m_selection.setCurrentNode(m_desk.state().nodes()[node].name);
    });
    connect(m_table, &widgets::TableView::contextMenuRequested, this, &NodesPage::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &NodesPage::marksFromView);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                // An open inspector follows the cursor; a closed one stays closed.
                const int node = m_model->nodeAt(index.row());
                if (m_inspector->isVisible() && index.isValid() && node >= 0 && !m_syncing)
                    m_selection.setCurrentNode(m_desk.state().nodes()[node].name);
            });
    connect(&m_selection, &model::Selection::markedNodesChanged, this, &NodesPage::marksToView);
    connect(&m_selection, &model::Selection::currentNodeChanged, this, &NodesPage::currentToView);
    connect(m_cells, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_syncing = true; });
    connect(m_cells, &QAbstractItemModel::modelReset, this, [this] {
        m_syncing = false;
        marksToView();
        currentToView();
        refreshCounts();
    });
    connect(m_model, &model::NodeTableModel::filtered, this, &NodesPage::refreshCounts);
    connect(&m_desk.state(), &model::ClusterState::connectionChanged, this,
            &NodesPage::refreshCounts);
    connect(&m_desk.state(), &model::ClusterState::healthChanged, this, &NodesPage::refreshCounts);
    connect(&m_desk.state(), &model::ClusterState::topologyChanged, this, &NodesPage::fitColumns);
}

// -- what is marked and what is current --

void NodesPage::marksToView()
{
    if (m_syncing)
        return;
    m_syncing = true;
    QItemSelection rows;
    const int last = int(Column::kColumnCount) - 1;
    for (int row = 0; row < m_cells->rowCount(); ++row) {
        const int node = m_model->nodeAt(row);
        if (node >= 0 && m_selection.isMarked(m_desk.state().nodes()[node].name))
            rows.append(QItemSelectionRange(m_cells->index(row, 0), m_cells->index(row, last)));
    }
    m_table->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    m_syncing = false;
    m_table->horizontalHeader()->viewport()->update();
}

void NodesPage::marksFromView()
{
    m_table->horizontalHeader()->viewport()->update();
    if (m_syncing)
        return;
    // Marks of rows that the filter hides stay.
    const QStringList shown = m_model->names();
    const QSet<QString> visible(shown.begin(), shown.end());
    QStringList marked;
    for (const QString& name : m_selection.markedNodes()) {
        if (!visible.contains(name))
            marked.append(name);
    }
    for (const QItemSelectionRange& range : m_table->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            marked.append(shown.value(row));
    }
    m_syncing = true;
    m_selection.setMarkedNodes(marked);
    m_syncing = false;
}

void NodesPage::currentToView()
{
    const QString name = m_selection.currentNode();
    m_inspector->setVisible(!name.isEmpty());
    m_inspector->refresh();
    fitColumns();
    const int row = m_model->rowOf(m_desk.state().nodeIndex(name));
    if (row < 0 || m_table->currentIndex().row() == row)
        return;
    m_syncing = true;
    m_table->selectionModel()->setCurrentIndex(m_cells->index(row, 0),
                                               QItemSelectionModel::NoUpdate);
    m_table->scrollTo(m_cells->index(row, 0));
    m_syncing = false;
}

// -- filter --

QStringList NodesPage::valuesOf(int column) const
{
    QSet<QString> values;
    const auto& state = m_desk.state();
    for (int node = 0; node < state.nodes().size(); ++node) {
        for (const QString& value :
             model::NodeTableModel::text(state, node, column).split(QLatin1Char(','))) {
            if (!value.isEmpty())
                values.insert(value);
        }
    }
    return widgets::ChipRow::inOrder(values);
}

void NodesPage::refreshChips()
{
    m_chips->clear();
    for (const model::FilterTerm& term : m_selection.nodeFilter().chips) {
        m_chips->addTerm(term, [this, term] {
            auto filter = m_selection.nodeFilter();
            filter.chips.removeOne(term);
            m_selection.setNodeFilter(filter);
        });
    }
    const QPair<QString, int> menus[] = {{QStringLiteral("state"), Column::State},
                                         {QStringLiteral("partition"), Column::Partition}};
    for (const auto& [key, column] : menus) {
        m_chips->addMenu(
            key, [this, column = column] { return valuesOf(column); },
            [this, key = key](const QString& value) {
                auto filter = m_selection.nodeFilter();
                filter.chips.append({key, value, false});
                m_selection.setNodeFilter(filter);
            });
    }
}

void NodesPage::refreshCounts()
{
    const auto& state = m_desk.state();
    const QString shown =
        theme::counted(m_model->rowCount(), QStringLiteral("node"), QStringLiteral("nodes"));
    m_filter->setHint(shown);
    m_filter->setProblem(m_model->filterError());
    m_markShown->setText(QStringLiteral("Mark %1").arg(theme::number(qint64(m_model->rowCount()))));
    m_markShown->setRefusal(m_model->rowCount() == 0 ? QStringLiteral("No node is shown.")
                                                     : QString());
    QString foot = m_selection.nodeFilter().isEmpty()
                       ? shown
                       : QStringLiteral("%1 of %2 shown")
                             .arg(shown)
                             .arg(theme::number(qint64(state.nodes().size())));
    const QStringList unknown = m_model->unknownNodes();
    if (!m_model->filterError().isEmpty())
        foot += QStringLiteral(" \u00b7 ") + m_model->filterError();
    else if (!unknown.isEmpty())
        foot += QStringLiteral(" \u00b7 not in this cluster: ") + theme::folded(unknown, 60);
    m_foot->setText(foot);
    m_foot->setTone(m_model->filterError().isEmpty() ? Color::TextMuted : Color::FaultText);
    const QString why = theme::whyUnknown(state);
    if (!why.isEmpty()) {
        m_table->setEmptyText(QStringLiteral("Nodes are not known"), why);
        m_filter->setHint({});
        m_foot->setText(QStringLiteral("%1 nodes").arg(theme::unknownFigure()));
    } else if (state.nodes().isEmpty()) {
        m_table->setEmptyText(QStringLiteral("The scheduler lists no nodes"),
                              state.scheduler().error.isEmpty()
                                  ? QStringLiteral("Nodes come from NodeName lines of slurm.conf.")
                                  : state.scheduler().error);
    } else {
        m_table->setEmptyText(QStringLiteral("No node fits the filter"),
                              QStringLiteral("Esc in the filter clears it."));
    }
    m_bar->update();
}

// -- acting --

void NodesPage::act(ActionKind kind, const QStringList& nodes)
{
    if (!m_desk.refusal(kind, nodes).isEmpty())
        return;
    model::ActionRequest request;
    request.kind = kind;
    request.nodes = nodes;
    m_desk.open(this, request);
}

void NodesPage::showMenu(const QModelIndex& index, const QPoint& at)
{
    const int node = m_model->nodeAt(index.row());
    if (node < 0)
        return;
    const QString name = m_desk.state().nodes()[node].name;
    const QStringList nodes =
        m_selection.isMarked(name) ? m_selection.markedNodes() : QStringList{name};
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    menu.setObjectName(QStringLiteral("nodesMenu"));
    for (const ActionKind kind :
         {ActionKind::Drain, ActionKind::Resume, ActionKind::Reboot, ActionKind::Down}) {
        QAction* action = menu.addAction(
            QStringLiteral("%1 %2\u2026")
                .arg(theme::actionVerb(kind),
                     nodes.size() == 1 ? name
                                       : theme::counted(nodes.size(), QStringLiteral("node"),
                                                        QStringLiteral("nodes"))));
        const QString refusal = m_desk.refusal(kind, nodes);
        action->setEnabled(refusal.isEmpty());
        action->setToolTip(refusal);
        connect(action, &QAction::triggered, this, [this, kind, nodes] { act(kind, nodes); });
    }
    menu.addSeparator();
    connect(menu.addAction(QStringLiteral("Details")), &QAction::triggered, this,
            [this, name] { m_selection.setCurrentNode(name); });
    for (const int job : m_desk.state().jobsOnNode(node).mid(0, 4)) {
        const QString id = m_desk.state().jobs()[job].displayId;
        connect(menu.addAction(QStringLiteral("Show job ") + id), &QAction::triggered, this,
                [this, id] { m_selection.showJob(id); });
    }
    menu.addSeparator();
    connect(menu.addAction(QStringLiteral("Copy hostlist")), &QAction::triggered, this,
            [nodes] { QGuiApplication::clipboard()->setText(model::foldHostlist(nodes)); });
    model::ActionRequest request;
    request.nodes = nodes;
    QAction* copy = menu.addAction(QStringLiteral("Copy drain as command"));
    copy->setEnabled(m_desk.refusal(ActionKind::Drain, nodes).isEmpty());
    connect(copy, &QAction::triggered, this,
            [this, request] { m_desk.copyCommand(this, request); });
    menu.exec(at);
}

// -- size and keys --

void NodesPage::fitColumns()
{
    const int margin = theme::px(theme::Size::PageMargin);
    int room = width() - 2 * margin - 14;
    if (m_inspector->isVisibleTo(this))
        room -= m_inspector->width() + theme::px(theme::Size::Gap);
    // Rather the whole state than one more column.
    const int state = qBound(kStateLeast, longestState(), width() < 1400 ? 240 : 330);
    int needed = kReasonMinimum + state - kStateLeast;
    for (const Width& width : kWidths)
        needed += width.px;
    for (const auto& group : kGivenUp) {
        const bool hide = needed > room;
        for (const int column : group) {
            m_table->setColumnHidden(column, hide);
            const auto* width = std::find_if(std::begin(kWidths), std::end(kWidths),
                                             [&](const Width& w) { return w.column == column; });
            needed -= hide ? width->px : 0;
        }
    }
    // What is asked for stands beside the observed words when there is room for both.
    m_table->setColumnWidth(Column::State, room - needed > 120 ? qMax(state, 270) : state);
}

int NodesPage::longestState() const
{
    constexpr int kGlyphAndPadding = 38;
    qsizetype columns = 0;
    for (const model::NodeInfo& node : m_desk.state().nodes())
        columns = std::max(columns, node.stateText.size());
    const QFontMetricsF metrics(theme::font(theme::Type::Mono));
    return kGlyphAndPadding + qCeil(double(columns) * metrics.horizontalAdvance(QLatin1Char('0')));
}

void NodesPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    fitColumns();
    // Rows keep their places while somebody looks; who comes anew sees what is broken now on top.
    const QStringList before = m_model->names();
    m_table->sortAgain();
    if (m_model->names() == before)
        return;
    const QStringList marked = m_selection.markedNodes();
    const QString wanted =
        !m_selection.currentNode().isEmpty() ? m_selection.currentNode() : marked.value(0);
    const int row = m_model->rowOf(m_desk.state().nodeIndex(wanted));
    m_table->scrollTo(m_cells->index(qMax(0, row), 0), QAbstractItemView::PositionAtTop);
}

void NodesPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_inspector->setFixedWidth(width() > 3000 ? 640 : theme::px(theme::Size::Inspector));
    fitColumns();
}

void NodesPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !m_selection.currentNode().isEmpty()) {
        m_selection.setCurrentNode({});
    } else {
        TablePage::keyPressEvent(event);
    }
}

}  // namespace yard::pages
