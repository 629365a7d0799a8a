#include "ui/pages/nodes/node_cells.h"

#include "ui/model/action_rules.h"
#include "ui/model/cell_roles.h"
#include "ui/model/cluster_state.h"
#include "ui/model/node_table_model.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/requested_note.h"

namespace yard::pages {
namespace {

using model::NodeTableModel;
using Column = NodeTableModel::Column;

constexpr widgets::ColumnLook kLooks[] = {
    {.title = "Node"},
    {.title = "State"},
    {.title = "GPUs", .mono = false},
    {.title = "Job"},
    {.title = "Partition", .mono = false},
    {.title = "Switch", .mono = false},
    {.title = "Rack", .mono = false},
    {.title = "Load", .right = true},
    {.title = "Memory", .right = true},
    {.title = "Power", .right = true},
    {.title = "Hottest GPU", .right = true},
    {.title = "Reason", .mono = false},
    {.title = "Set by"},
    {.title = "Since", .right = true},
};
static_assert(std::size(kLooks) == Column::kColumnCount);

bool isReading(int column)
{
    return column == Column::Load || column == Column::Memory || column == Column::Power ||
           column == Column::HottestGpu;
}

}  // namespace

NodeCells::NodeCells(const model::ClusterState& state, NodeTableModel& nodes, QObject* parent)
    : CellsModel(kLooks, nodes, parent)
    , m_state(state)
{
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, [this] {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, Column::State), index(rowCount() - 1, Column::HottestGpu));
    });
    m_second.start();
}

QVariant NodeCells::data(const QModelIndex& index, int role) const
{
    const int node = index.isValid()
                         ? sourceModel()->data(mapToSource(index), NodeTableModel::NodeRole).toInt()
                         : -1;
    if (node < 0 || node >= m_state.nodes().size())
        return {};
    const int column = index.column();
    const model::NodeInfo& info = m_state.nodes()[node];
    switch (role) {
        case Qt::DisplayRole:
            return text(node, column);
        case Qt::TextAlignmentRole:
            return alignment(column);
        case model::MonoRole:
            return look(column).mono &&
                   !(isReading(column) && text(node, column) == theme::noReading());
        case model::UnitRole:
            return unit(node, column);
        case model::ToneRole:
            return tone(node, column);
        case model::CategoryRole:
            return column == Column::State ? QVariant(int(info.category)) : QVariant();
        case model::RequestedRole:
            return column == Column::State && m_state.openOperationOn(info.name) != nullptr;
        case model::NoteRole:
            return column == Column::State ? QVariant(widgets::requestedNote(m_state, info.name))
                                           : QVariant();
        case model::GpuCellsRole:
            return column == Column::Gpus ? QVariant::fromValue(gpuCells(node)) : QVariant();
        case model::FullTextRole:
            if (column == Column::Since && info.reasonTime.isValid())
                return theme::fullTime(info.reasonTime, m_state.timeZone());
            if (column == Column::Gpus)
                return QStringLiteral("%1 of %2 in use")
                    .arg(info.gpusAllocated)
                    .arg(info.gpusTotal);
            return {};
        default:
            return sourceModel()->data(mapToSource(index), role == Qt::CheckStateRole ? -1 : role);
    }
}

QVariant NodeCells::text(int node, int column) const
{
    if (isReading(column))
        return reading(node, column);
    if (column == Column::Gpus)
        return QString();
    if (column == Column::Since) {
        const QDateTime since = m_state.nodes()[node].reasonTime;
        return since.isValid() ? theme::shortTime(since, m_state.now(), m_state.timeZone())
                               : QString();
    }
    return NodeTableModel::text(m_state, node, column);
}

QVariant NodeCells::reading(int node, int column) const
{
    const auto value = NodeTableModel::number(m_state, node, column);
    // What the scheduler says of load and memory does not age with the exporters.
    const bool measured = column == Column::Power || column == Column::HottestGpu;
    if (!value || (measured && m_state.freshness(node) == model::Freshness::Missing))
        return theme::noReading();
    switch (column) {
        case Column::Load:
            return theme::number(*value, 1);
        case Column::Memory:
            return theme::memory(*value).value;
        case Column::Power:
            return theme::power(*value).value;
        default:
            return theme::number(*value, 0);
    }
}

QString NodeCells::unit(int node, int column) const
{
    if (!isReading(column) || column == Column::Load ||
        reading(node, column).toString() == theme::noReading())
        return {};
    const auto value = NodeTableModel::number(m_state, node, column);
    const bool stale = m_state.freshness(node) == model::Freshness::Stale;
    const QString age =
        stale && column == Column::Power
            ? QStringLiteral(", ") + theme::wholeDuration(qint64(m_state.readingAge(node)))
            : QString();
    switch (column) {
        case Column::Memory:
            return theme::memory(*value).unit;
        case Column::Power:
            return theme::power(*value).unit + age;
        default:
            return QStringLiteral("°C");
    }
}

int NodeCells::tone(int node, int column) const
{
    using model::Tone;
    if (isReading(column)) {
        if (reading(node, column).toString() == theme::noReading())
            return int(Tone::Muted);
        const auto freshness = m_state.freshness(node);
        const bool measured = column == Column::Power || column == Column::HottestGpu;
        if (measured && freshness == model::Freshness::Stale)
            return int(Tone::Muted);
        return int(Tone::Primary);
    }
    return int(column == Column::Name || column == Column::Job || column == Column::State
                   ? Tone::Primary
                   : Tone::Secondary);
}

QVector<int> NodeCells::gpuCells(int node) const
{
    const model::NodeInfo& info = m_state.nodes()[node];
    QVector<int> cells(info.gpusTotal, model::GpuFree);
    if (info.category == model::NodeCategory::Unknown || info.category == model::NodeCategory::Down)
        cells.fill(model::GpuUnknown);
    // With counts only, which GPUs are in use is not known: the first ones stand for them.
    if (!info.gpuIndicesInUse.isEmpty()) {
        for (const int gpu : info.gpuIndicesInUse) {
            if (gpu >= 0 && gpu < cells.size())
                cells[gpu] = model::GpuInUse;
        }
    } else {
        for (int gpu = 0; gpu < qMin(info.gpusAllocated, info.gpusTotal); ++gpu)
            cells[gpu] = model::GpuInUse;
    }
    for (int gpu = 0; gpu < cells.size(); ++gpu) {
        if (m_state.gpuHasFault(node, gpu))
            cells[gpu] = model::GpuFault;
    }
    return cells;
}

}  // namespace yard::pages
