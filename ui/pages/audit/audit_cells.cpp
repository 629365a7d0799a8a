#include "ui/pages/audit/audit_cells.h"

#include <QJsonDocument>
#include <QJsonObject>

#include "ui/model/audit_model.h"
#include "ui/model/cell_roles.h"
#include "ui/model/cluster_state.h"
#include "ui/theme/wording.h"

namespace yard::pages {

using model::AuditInfo;
using theme::Color;
using widgets::Fact;
using Column = model::AuditModel::Column;

constexpr widgets::ColumnLook kLooks[] = {
    {.title = "No."},
    {.title = "Time"},
    {.title = "User"},
    {.title = "Event", .mono = false},
    {.title = "Action", .mono = false},
    {.title = "Targets"},
    {.title = "Reason", .mono = false},
    {.title = "Operation", .right = true},
};
static_assert(std::size(kLooks) == Column::kColumnCount);

AuditCells::AuditCells(const model::ClusterState& state, model::AuditModel& audit, QObject* parent)
    : CellsModel(kLooks, audit, parent)
    , m_state(state)
    , m_audit(audit)
{
}

QVariant AuditCells::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_audit.rowCount())
        return {};
    const AuditInfo& record = m_audit.record(index.row());
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
            if (column == Column::At)
                return theme::shortTime(record.at, m_state.now(), m_state.timeZone());
            return mapToSource(index).data(role).toString();
        case Qt::TextAlignmentRole:
            return alignment(column);
        case model::MonoRole:
            return look(column).mono;
        case model::HostlistRole:
            return column == Column::Targets;
        case model::ToneRole:
            if (column == Column::Event) {
                // A refusal is a "no", not a fault of the cluster.
                if (record.event == QLatin1String("refused") ||
                    record.event == QLatin1String("denied") ||
                    record.event == QLatin1String("in doubt"))
                    return int(model::Tone::Warn);
                if (record.event == QLatin1String("observed"))
                    return int(model::Tone::Good);
            }
            return int(column == Column::Action || column == Column::Targets
                           ? model::Tone::Primary
                           : model::Tone::Secondary);
        case model::FullTextRole:
            return column == Column::At ? QVariant(theme::fullTime(record.at, m_state.timeZone()))
                                        : QVariant();
        default:
            return {};
    }
}

QVector<Fact> auditFacts(const model::ClusterState& state, const AuditInfo& record,
                         const QString& chainError)
{
    QVector<Fact> facts;
    facts << Fact::pair(QStringLiteral("Event"), record.event)
          << Fact::pair(QStringLiteral("Time"), theme::fullTime(record.at, state.timeZone()), true)
          << Fact::pair(QStringLiteral("Who"),
                        QStringLiteral("%1, %2").arg(record.user, record.role), true)
          << Fact::pair(QStringLiteral("From"), record.from, true)
          << Fact::pair(QStringLiteral("Action"), record.action)
          << Fact::pair(QStringLiteral("Targets"), record.targets, true);
    if (!record.reason.isEmpty())
        facts << Fact::pair(QStringLiteral("Reason"), record.reason);
    if (record.operationId != 0)
        facts << Fact::pair(QStringLiteral("Operation"), QString::number(record.operationId), true);
    facts << Fact::heading(QStringLiteral("Command"));
    facts << (record.command.isEmpty()
                  ? Fact::sentence(QStringLiteral("None was run by this step."))
                  : Fact::code(record.command));
    // "before → after", as the daemon writes it.
    const QString arrow = QStringLiteral(" \u2192 ");
    if (record.detail.contains(arrow)) {
        facts << Fact::heading(QStringLiteral("Before and after"))
              << Fact::pair(QStringLiteral("Before"), record.detail.section(arrow, 0, 0), true)
              << Fact::pair(QStringLiteral("After"), record.detail.section(arrow, 1), true);
    } else if (!record.detail.isEmpty()) {
        facts << Fact::heading(QStringLiteral("The scheduler's words"))
              << Fact::code(record.detail);
    }
    facts << Fact::heading(QStringLiteral("Chain"));
    facts << (chainError.isEmpty()
                  ? Fact::sentence(QStringLiteral("Every link read so far holds."), Color::GoodText)
                  : Fact::sentence(chainError, Color::FaultText));
    facts << Fact::pair(QStringLiteral("Link before"), record.previousHash, true,
                        Color::TextSecondary)
          << Fact::pair(QStringLiteral("This link"), record.hash, true, Color::TextSecondary);
    return facts;
}

QByteArray auditJson(const AuditInfo& record)
{
    QJsonObject object;
    object.insert(QStringLiteral("sequence"), qint64(record.sequence));
    object.insert(QStringLiteral("time"), record.at.toUTC().toString(Qt::ISODateWithMs));
    object.insert(QStringLiteral("user"), record.user);
    object.insert(QStringLiteral("role"), record.role);
    object.insert(QStringLiteral("from"), record.from);
    object.insert(QStringLiteral("event"), record.event);
    object.insert(QStringLiteral("operation_id"), qint64(record.operationId));
    object.insert(QStringLiteral("action"), record.action);
    object.insert(QStringLiteral("targets"), record.targets);
    object.insert(QStringLiteral("reason"), record.reason);
    object.insert(QStringLiteral("command"), record.command);
    object.insert(QStringLiteral("detail"), record.detail);
    object.insert(QStringLiteral("previous_hash"), record.previousHash);
    object.insert(QStringLiteral("hash"), record.hash);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

}  // namespace yard::pages
