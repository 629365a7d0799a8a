#include "ui/model/outcomes.h"

#include "ui/model/cluster_state.h"

namespace yard::model {

Outcomes::Outcomes(const ClusterState& state, QObject* parent)
    : QObject(parent)
    , m_state(state)
{
    connect(&state, &ClusterState::operationsChanged, this, &Outcomes::look);
}

void Outcomes::expect(const QString& requestId)
{
    m_expected.insert(requestId);
    look();
}

void Outcomes::look()
{
    if (m_expected.isEmpty() && m_underway.isEmpty())
        return;
    QVector<OperationInfo> settledNow;
    for (const OperationInfo& operation : m_state.operations()) {
        if (operation.isOpen())
            continue;
        const bool isAtEnd = operation.progress.isEmpty();
        if (m_expected.remove(operation.requestId)) {
            settledNow.append(operation);
            if (!isAtEnd)
                m_underway.insert(operation.requestId);
        } else if (isAtEnd && m_underway.remove(operation.requestId)) {
            settledNow.append(operation);
        }
    }
    for (const OperationInfo& operation : qAsConst(settledNow))
        Q_EMIT settled(operation);
}

}  // namespace yard::model
