#include "ui/pages/gpus/odd_gpus_model.h"

#include <cmath>

#include "ui/model/cell_roles.h"
#include "ui/model/cluster_state.h"
#include "ui/theme/heat_scale.h"
#include "ui/theme/wording.h"

namespace yard::pages {

using model::GpuMetric;

constexpr int kMostRows = 60;

OddGpusModel::OddGpusModel(const model::GpuMap& map, QObject* parent)
    : QAbstractTableModel(parent)
    , m_map(map)
{
}

void OddGpusModel::refresh()
{
    const QVector<model::OddGpu> rows = model::oddGpus(m_map, kMostRows);
    if (rows.size() == m_rows.size()) {
        m_rows = rows;
        if (!rows.isEmpty())
            Q_EMIT dataChanged(index(0, 0), index(int(rows.size()) - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_rows = rows;
    endResetModel();
}

QString OddGpusModel::nodeAt(int row) const
{
    return row < m_rows.size() ? m_map.state().nodes().value(m_rows[row].node).name : QString();
}

int OddGpusModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int OddGpusModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString OddGpusModel::value(float value) const
{
    return m_map.metric() == GpuMetric::MemoryUsed ? theme::number(double(value), 1)
                                                   : theme::quantity(m_map.metric(), value).value;
}

QString OddGpusModel::unit() const
{
    return m_map.metric() == GpuMetric::MemoryUsed ? QStringLiteral("%")
                                                   : theme::quantity(m_map.metric(), 0).unit;
}

QString OddGpusModel::elseKnown(const model::OddGpu& odd) const
{
    const model::ClusterState& state = m_map.state();
    QStringList facts;
    for (const model::FaultInfo& fault : state.faults()) {
        if (fault.host == state.nodes()[odd.node].name && fault.gpuIndex == odd.gpu)
            facts << theme::faultMeaning(fault);
    }
    for (GpuMetric metric : {GpuMetric::SmActivity, GpuMetric::CoreTemperature, GpuMetric::Power,
                             GpuMetric::SmClock}) {
        const float reading = state.gpuValue(metric, odd.node, odd.gpu);
        if (metric != m_map.metric() && !std::isnan(reading))
            facts << theme::quantity(metric, reading).text();
    }
    return facts.isEmpty() ? QStringLiteral("nothing else known")
                           : facts.join(QStringLiteral(", "));
}

QString OddGpusModel::text(const model::OddGpu& odd, int column) const
{
    const model::ClusterState& state = m_map.state();
    if (odd.node >= state.nodes().size() || odd.job >= state.jobs().size())
        return {};
    switch (column) {
        case Gpu:
            return theme::gpuShortName(state.nodes()[odd.node].name, odd.gpu);
        case Job:
            return state.jobs()[odd.job].name;
        case Now:
            return value(odd.value);
        case Peers:
            return value(odd.peers);
        case Else:
            return elseKnown(odd);
        default:
            return {};
    }
}

QVariant OddGpusModel::data(const QModelIndex& index, int role) const
{
    switch (role) {
        case Qt::DisplayRole:
            return text(m_rows[index.row()], index.column());
        case Qt::TextAlignmentRole:
            return headerData(index.column(), Qt::Horizontal, role);
        case model::MonoRole:
            return index.column() != Else;
        case model::UnitRole:
            return index.column() == Now || index.column() == Peers ? unit() : QVariant();
        case model::ToneRole:
            return int(index.column() == Peers                           ? model::Tone::Muted
                       : index.column() == Job || index.column() == Else ? model::Tone::Secondary
                                                                         : model::Tone::Primary);
        default:
            return {};
    }
}

QVariant OddGpusModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const char* titles[] = {"GPU", "Job", "Now", "Its peers", "What else is known"};
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return QString::fromLatin1(titles[section]);
    if (role == Qt::TextAlignmentRole)
        return int((section == Now || section == Peers ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    return {};
}

}  // namespace yard::pages
