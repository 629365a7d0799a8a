#include "ui/theme/unknown.h"

#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"

using namespace yard;

class UnknownTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSchedulerNeverReadIsNotKnown();
    void noSourceOfTelemetryIsSaid();
};

void UnknownTest::aSchedulerNeverReadIsNotKnown()
{
    model::ClusterState state;
    QVERIFY(theme::whyUnknown(state).contains(QStringLiteral("first picture")));
    model::ClusterUpdate update = test::sampleUpdate();
    QVERIFY(state.apply(update));
    QVERIFY(theme::whyUnknown(state).isEmpty());
    update.scheduler->up = false;
    update.scheduler->error = QStringLiteral("scontrol: no such file.");
    QVERIFY(state.apply(update));
    QVERIFY(theme::whyUnknown(state).isEmpty());  // what it said last stands
    update.scheduler->lastSuccess = {};
    QVERIFY(state.apply(update));
    QCOMPARE(theme::whyUnknown(state),
             QStringLiteral("The scheduler has not been read yet: scontrol: no such file."));
    update.isPast = true;
    QVERIFY(state.apply(update));
    QVERIFY(theme::whyUnknown(state).isEmpty());
    update.pastKnown = false;
    QVERIFY(state.apply(update));
    QVERIFY(theme::whyUnknown(state).contains(QStringLiteral("did not look")));
}

void UnknownTest::noSourceOfTelemetryIsSaid()
{
    model::ClusterState state;
    model::ClusterUpdate update = test::sampleUpdate();
    QVERIFY(state.apply(update));
    QVERIFY(theme::whyNoTelemetry(state).isEmpty());
    update.targets.clear();
    QVERIFY(state.apply(update));
    QVERIFY(theme::whyNoTelemetry(state).contains(QStringLiteral("[[telemetry.source]]")));
    update.isPast = true;
    QVERIFY(state.apply(update));
    QVERIFY(theme::whyNoTelemetry(state).isEmpty());
}

QTEST_GUILESS_MAIN(UnknownTest)
#include "unknown_test.moc"
