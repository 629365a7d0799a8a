#include "ui/pages/gpus/silent_list.h"

#include <QTest>
#include <cmath>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/model/gpu_map.h"

using namespace yard;

/// GPUs without a reading are counted once: what the map hatches is what the list explains.
class SilentListTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itCountsWhatTheMapHatches_data();
    void itCountsWhatTheMapHatches();
    void aGpuThatLacksOnlyTheShownMetricIsListed();
};

void SilentListTest::itCountsWhatTheMapHatches_data()
{
    QTest::addColumn<int>("metric");
    for (int metric = 0; metric < model::kGpuMetricCount; ++metric)
        QTest::addRow("metric %d", metric) << metric;
}

void SilentListTest::itCountsWhatTheMapHatches()
{
    QFETCH(int, metric);
    model::ClusterState state;
    QVERIFY(state.apply(test::sampleUpdate()));
    model::GpuMap map(state);
    map.setMetric(model::GpuMetric(metric));
    pages::SilentList list(map);
    list.refresh();
    QCOMPARE(list.gpusWithout(false), map.counts().missing);
    QCOMPARE(list.gpusWithout(true), map.counts().stale);
}

void SilentListTest::aGpuThatLacksOnlyTheShownMetricIsListed()
{
    model::ClusterUpdate update = test::sampleUpdate();
    model::ClusterState state;
    model::GpuMap map(state);
    pages::SilentList list(map);
    QVERIFY(state.apply(update));
    list.refresh();
    const int before = list.gpusWithout(false);
    QVERIFY(!std::isnan(map.values()[0]));
    for (model::ClusterUpdate::Column& column : update.gpuColumns) {
        if (column.metric == int(model::GpuMetric::SmActivity))
            column.values[0] = model::kNoReading;
    }
    ++update.revision;
    QVERIFY(state.apply(update));
    list.refresh();
    QCOMPARE(list.gpusWithout(false), before + 1);
    map.setMetric(model::GpuMetric::Power);
    list.refresh();
    QCOMPARE(list.gpusWithout(false), map.counts().missing);
    QVERIFY(map.counts().missing <= before);
}

QTEST_MAIN(SilentListTest)
#include "silent_list_test.moc"
