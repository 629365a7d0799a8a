#include "ui/model/odd_gpus.h"

#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"

using namespace yard;

class OddGpusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSlowGpuStandsOutAgainstItsOwnJob()
    {
        model::ClusterState state;
        QVERIFY(state.apply(test::sampleUpdate()));
        const model::GpuMap map(state);
        const QVector<model::OddGpu> odd = model::oddGpus(map, 10);
        QVERIFY(odd.size() >= 2);
        QSet<QString> names;
        for (const model::OddGpu& each : odd) {
            names << QStringLiteral("%1:%2").arg(state.nodes()[each.node].name).arg(each.gpu);
            QVERIFY(state.jobOnGpu(each.node, each.gpu) == each.job);
        }
        QVERIFY(names.contains(QStringLiteral("gpu047:7")));
        QVERIFY(names.contains(QStringLiteral("gpu096:7")));
    }
    void missingReadingsAreNotOdd()
    {
        model::ClusterState state;
        model::ClusterUpdate update = test::sampleUpdate();
        for (auto& column : update.gpuColumns)
            column.values.fill(model::kNoReading);
        QVERIFY(state.apply(update));
        QCOMPARE(model::oddGpus(model::GpuMap(state), 10).size(), 0);
    }
    void theListIsBounded()
    {
        model::ClusterState state;
        QVERIFY(state.apply(test::sampleUpdate()));
        QCOMPARE(model::oddGpus(model::GpuMap(state), 1).size(), 1);
    }
};

QTEST_GUILESS_MAIN(OddGpusTest)
#include "odd_gpus_test.moc"
