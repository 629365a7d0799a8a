#pragma once

#include <QObject>
#include <QSet>

#include "ui/model/actions.h"

namespace yard::model {

class ClusterState;

/// Tells once of each operation asked for in this window what became of it: observed, refused, or
/// superseded; and once more when what was observed has come to its end, such as the last job
/// leaving a draining node. A press of a button alone is never told.
///
/// Thread: GUI thread only.
class Outcomes final : public QObject {
    Q_OBJECT

public:
    /// `state` must outlive this.
    explicit Outcomes(const ClusterState& state, QObject* parent = nullptr);

    /// From now on the operation with this request id is ours to tell of.
    void expect(const QString& requestId);

Q_SIGNALS:
    void settled(const yard::model::OperationInfo& operation);

private:
    void look();

    const ClusterState& m_state;
    QSet<QString> m_expected;
    QSet<QString> m_underway;  ///< told of, with something still to come
};

}  // namespace yard::model
