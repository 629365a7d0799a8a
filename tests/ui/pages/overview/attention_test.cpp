#include "ui/pages/overview/attention.h"

#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"

using namespace yard;
using pages::AttentionItem;
using widgets::Severity;

namespace {

const AttentionItem* find(const QVector<AttentionItem>& items, const QString& words)
{
    for (const AttentionItem& item : items) {
        if (item.title.contains(words))
            return &item;
    }
    return nullptr;
}

}  // namespace

class AttentionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCalmClusterAsksForNothing()
    {
        model::ClusterState state;
        test::SampleOptions calm;
        calm.withTrouble = false;
        QVERIFY(state.apply(test::sampleUpdate(calm)));
        state.setConnection(model::Connection::Connected);
        QCOMPARE(pages::attention(state).size(), 0);
    }
    void theWorstComesFirst()
    {
        model::ClusterState state;
        QVERIFY(state.apply(test::sampleUpdate()));
        state.setConnection(model::Connection::Connected);
        const QVector<AttentionItem> items = pages::attention(state);
        QCOMPARE(items.first().severity, Severity::Critical);
        for (qsizetype i = 1; i < items.size(); ++i)
            QVERIFY(items[i - 1].severity <= items[i].severity);
    }
    void everyKindOfTroubleIsNamedWithItsFacts()
    {
        model::ClusterState state;
        QVERIFY(state.apply(test::sampleUpdate()));
        state.setConnection(model::Connection::Connected);
        const QVector<AttentionItem> items = pages::attention(state);
        const AttentionItem* fault = find(items, QStringLiteral("NVLink error on gpu171, GPU 3"));
        QVERIFY(fault);
        QVERIFY(fault->detail.contains(QStringLiteral("Xid 74")));
        QCOMPARE(fault->name, QStringLiteral("gpu171"));
        QCOMPARE(int(fault->ageSeconds), 854);
        const AttentionItem* down = find(items, QStringLiteral("gpu163 and gpu262 are down"));
        QVERIFY(down);
        QCOMPARE(down->name, QStringLiteral("gpu[163,262]"));
        // As old as the one that has waited longest.
        double oldest = 0;
        for (const model::NodeInfo& node : state.nodes()) {
            if (node.category == model::NodeCategory::Down)
                oldest = std::max(oldest, double(node.reasonTime.msecsTo(state.now())) / 1000);
        }
        QVERIFY(oldest > 0);
        QCOMPARE(int(down->ageSeconds), int(oldest));
        QVERIFY(find(items, QStringLiteral("in doubt")));
        QVERIFY(find(items, QStringLiteral("refused to drain gpu014")));
        const AttentionItem* silent = find(items, QStringLiteral("gpu214 gives no telemetry"));
        QVERIFY(silent);
        QVERIFY(silent->detail.contains(QStringLiteral("connection refused")));
        QVERIFY(find(items, QStringLiteral("gpu209 is stale")));
        // The exporters of nodes that are down need no line of their own.
        QVERIFY(!find(items, QStringLiteral("gpu163 gives")));
    }
    void aSilentSchedulerIsAFault()
    {
        model::ClusterState state;
        test::SampleOptions calm;
        calm.withTrouble = false;
        model::ClusterUpdate update = test::sampleUpdate(calm);
        update.scheduler->up = false;
        update.scheduler->error = QStringLiteral("slurmctld on ctl1 refuses connections");
        QVERIFY(state.apply(update));
        const QVector<AttentionItem> items = pages::attention(state);
        QCOMPARE(items.size(), 1);
        QCOMPARE(items.first().severity, Severity::Fault);
        QCOMPARE(items.first().detail, QStringLiteral("slurmctld on ctl1 refuses connections"));
    }
    void aSchedulerNeverReadIsSaidAsSuch()
    {
        model::ClusterState state;
        model::ClusterUpdate update;
        update.full = true;
        update.revision = 1;
        update.at = test::sampleNow();
        update.scheduler = model::SchedulerInfo();
        update.scheduler->kind = QStringLiteral("slurm");
        QVERIFY(state.apply(update));
        QCOMPARE(pages::attention(state).size(), 0);  // it is being asked for the first time
        update.scheduler->error = QStringLiteral("scontrol: no such file.");
        QVERIFY(state.apply(update));
        const QVector<AttentionItem> items = pages::attention(state);
        QCOMPARE(items.size(), 1);
        QVERIFY(items.first().title.contains(QStringLiteral("not been read yet")));
        QCOMPARE(items.first().detail, update.scheduler->error);
    }
    void aClusterWithoutTelemetryIsToldWhereItIsConfigured()
    {
        model::ClusterState state;
        test::SampleOptions calm;
        calm.withTrouble = false;
        model::ClusterUpdate update = test::sampleUpdate(calm);
        update.targets.clear();
        QVERIFY(state.apply(update));
        state.setConnection(model::Connection::Connected);
        const QVector<AttentionItem> items = pages::attention(state);
        const AttentionItem* item = find(items, QStringLiteral("GPUs are not measured"));
        QVERIFY(item);
        QVERIFY(item->detail.contains(QStringLiteral("yardmasterd.toml")));
    }
};

QTEST_GUILESS_MAIN(AttentionTest)
#include "attention_test.moc"
