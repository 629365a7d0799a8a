#include "ui/pages/overview/running_jobs_model.h"

#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cell_roles.h"
#include "ui/model/cluster_state.h"
#include "ui/theme/wording.h"

using namespace yard;
using pages::RunningJobsModel;

class RunningJobsModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStaleActivityStandsWithItsAge();
};

void RunningJobsModelTest::aStaleActivityStandsWithItsAge()
{
    qint64 now = 0;
    model::ClusterState state(nullptr, [&now] { return now; });
    QVERIFY(state.apply(test::sampleUpdate()));
    state.setConnection(model::Connection::Connected);
    RunningJobsModel jobs(state);
    const auto cell = [&jobs](int role) {
        return jobs.data(jobs.index(0, RunningJobsModel::Activity), role);
    };
    jobs.refresh();
    QVERIFY(jobs.rowCount() > 0);
    const QString value = cell(Qt::DisplayRole).toString();
    QVERIFY(value != theme::noReading());
    QCOMPARE(cell(model::UnitRole).toString(), QStringLiteral("%"));
    QCOMPARE(cell(model::ToneRole).toInt(), int(model::Tone::Primary));

    now += 94'000;
    jobs.refresh();
    QVERIFY(cell(Qt::DisplayRole).toString() != theme::noReading());
    QVERIFY2(cell(model::UnitRole).toString().startsWith(QStringLiteral("%, ")),
             qPrintable(cell(model::UnitRole).toString()));
    QCOMPARE(cell(model::ToneRole).toInt(), int(model::Tone::Muted));

    now += 700'000;
    jobs.refresh();
    QCOMPARE(cell(Qt::DisplayRole).toString(), theme::noReading());
}

QTEST_MAIN(RunningJobsModelTest)
#include "running_jobs_model_test.moc"
