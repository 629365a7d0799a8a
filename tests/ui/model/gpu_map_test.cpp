#include "ui/model/gpu_map.h"

#include <QSignalSpy>
#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"

using namespace yard;
using model::ClusterState;
using model::GpuMap;

class GpuMapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readingsGrowOldWhileNothingComes()
    {
        qint64 steady = 0;
        ClusterState state(nullptr, [&steady] { return steady; });
        QVERIFY(state.apply(test::sampleUpdate()));
        const GpuMap map(state);
        const GpuMap::Counts before = map.counts();
        QVERIFY(before.fresh > 0);
        steady += 100'000;
        state.setConnection(model::Connection::Disconnected);
        QTRY_COMPARE(map.counts().fresh, 0);
        QCOMPARE(map.counts().stale, before.fresh + before.stale);
        steady += 900'000;
        QTRY_COMPARE(map.counts().missing, state.gpuCount());
    }
    void whatIsRequestedIsDrawnAtOnce()
    {
        ClusterState state;
        QVERIFY(state.apply(test::sampleUpdate()));
        const GpuMap map(state);
        const QSignalSpy drawn(&map, &GpuMap::layoutChanged);
        model::ClusterUpdate update;
        update.baseRevision = state.revision();
        update.revision = update.baseRevision + 1;
        update.at = state.now();
        model::OperationInfo operation;
        operation.id = 77;
        operation.state = model::OperationState::Requested;
        model::OperationTarget target;
        target.name = QStringLiteral("gpu001");
        operation.targets.append(target);
        update.operations = {operation};
        QVERIFY(state.apply(update));
        QVERIFY(state.openOperationOn(QStringLiteral("gpu001")));
        QCOMPARE(drawn.count(), 1);
    }
};

QTEST_GUILESS_MAIN(GpuMapTest)
#include "gpu_map_test.moc"
