#pragma once

#include "ui/model/actions.h"
#include "ui/widgets/facts/fact_sheet.h"
#include "ui/widgets/table/cells_model.h"

namespace yard::model {
class AuditModel;
class ClusterState;
}  // namespace yard::model

namespace yard::pages {

/// Words and tones of the audit table.
class AuditCells final : public widgets::CellsModel {
    Q_OBJECT

public:
    /// Both must outlive it.
    AuditCells(const model::ClusterState& state, model::AuditModel& audit,
               QObject* parent = nullptr);

    QVariant data(const QModelIndex& index, int role) const override;

private:
    const model::ClusterState& m_state;
    model::AuditModel& m_audit;
};

/// One record, whole.
QVector<widgets::Fact> auditFacts(const model::ClusterState& state, const model::AuditInfo& record,
                                  const QString& chainError);
/// The record as one line of JSON.
QByteArray auditJson(const model::AuditInfo& record);

}  // namespace yard::pages
