#include "ui/pages/jobs/job_cells.h"

#include "ui/model/cell_roles.h"
#include "ui/model/cluster_state.h"
#include "ui/model/job_table_model.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/requested_note.h"

namespace yard::pages {
namespace {

using model::JobTableModel;
using Column = JobTableModel::Column;

constexpr widgets::ColumnLook kLooks[] = {
    {.title = "Job"},
    {.title = "Name"},
    {.title = "User"},
    {.title = "Partition", .mono = false},
    {.title = "State"},
    {.title = "GPUs", .right = true},
    {.title = "Nodes"},
    {.title = "Run time", .right = true},
    {.title = "Waited", .right = true},
};
static_assert(std::size(kLooks) == Column::kColumnCount);

/// As many of the counts as fit into `columns` characters, whole words only: "5 RUNNING, 6
/// COMPLETED, +7 more".
QString countsThatFit(const QString& counts, int columns)
{
    if (counts.size() <= columns)
        return counts;
    const QStringList parts = counts.split(QStringLiteral(", "));
    QString shown;
    for (qsizetype fitting = parts.size() - 1; fitting > 0; --fitting) {
        int left = 0;
        for (const QString& part : parts.mid(fitting))
            left += part.section(QLatin1Char(' '), 0, 0).toInt();
        shown = QStringLiteral("%1, +%2 more")
                    .arg(parts.mid(0, fitting).join(QStringLiteral(", ")))
                    .arg(left);
        if (shown.size() <= columns)
            break;
    }
    return shown;
}

}  // namespace

JobCells::JobCells(const model::ClusterState& state, JobTableModel& jobs, QObject* parent)
    : CellsModel(kLooks, jobs, parent)
    , m_state(state)
{
}

QVariant JobCells::data(const QModelIndex& index, int role) const
{
    const QModelIndex source = mapToSource(index);
    const QVariant number = source.data(JobTableModel::JobRole);
    if (!number.isValid() || number.toInt() >= m_state.jobs().size())
        return {};
    const model::JobInfo& job = m_state.jobs()[number.toInt()];
    const int column = index.column();
    const bool array = source.data(JobTableModel::TasksRole).toInt() > 0;
    switch (role) {
        case Qt::DisplayRole:
            return text(source, job);
        case Qt::TextAlignmentRole:
            return alignment(column);
        case model::MonoRole:
            return look(column).mono;
        case model::HostlistRole:
            return column == Column::Nodes;
        case model::ToneRole:
            return tone(column, m_state.jobs()[source.data(JobTableModel::LeadRole).toInt()]);
        case model::JobStateRole:
            return column == Column::State
                       ? QVariant(int(
                             m_state.jobs()[source.data(JobTableModel::LeadRole).toInt()].state))
                       : QVariant();
        case model::ExpandRole:
            return column == Column::Id && array
                       ? QVariant(source.data(JobTableModel::OpenRole).toBool() ? 1 : 0)
                       : QVariant();
        case model::IndentRole:
            return column == Column::Id && source.data(JobTableModel::TaskRole).toBool() ? 1 : 0;
        case model::NoteRole:
            return column == Column::State
                       ? QVariant(widgets::requestedNote(m_state, job.displayId))
                       : QVariant();
        case model::FullTextRole:
            return column == Column::Nodes            ? QVariant(job.nodes)
                   : column == Column::State && array ? source.data(JobTableModel::CountsRole)
                                                      : QVariant();
        default:
            return source.data(role);
    }
}

QVariant JobCells::text(const QModelIndex& source, const model::JobInfo& job) const
{
    const int tasks = source.data(JobTableModel::TasksRole).toInt();
    const QVariant value = source.data(Qt::DisplayRole);
    switch (source.column()) {
        case Column::Name:
            return tasks > 0 ? QStringLiteral("%1 [%2]").arg(job.name).arg(tasks) : job.name;
        case Column::State:
            return tasks > 0
                       ? QVariant(countsThatFit(source.data(JobTableModel::CountsRole).toString(),
                                                m_stateColumns))
                       : value;
        case Column::Nodes:
            return job.nodes.isEmpty() ? QStringLiteral("-")
                   : tasks > 0         ? job.nodes + QStringLiteral(" \u2026")
                                       : job.nodes;
        case Column::RunTime:
            return value.isValid() ? theme::columnDuration(qint64(value.toDouble()))
                                   : QStringLiteral("-");
        case Column::Waited:
            return value.isValid() ? theme::wholeDuration(qint64(value.toDouble()))
                                   : QStringLiteral("-");
        case Column::Gpus:
            return theme::number(qint64(value.toDouble()));
        default:
            return value;
    }
}

int JobCells::tone(int column, const model::JobInfo& job) const
{
    using model::Tone;
    if (column == Column::Id || column == Column::State)
        return int(Tone::Primary);
    const bool active = job.isActive() || job.isPending();
    return int(
        active && (column == Column::Name || column == Column::Gpus || column == Column::RunTime)
            ? Tone::Primary
            : Tone::Secondary);
}

}  // namespace yard::pages
