#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/local_actions.h"
#include "tests/support/sample_cluster.h"
#include "ui/model/audit_model.h"
#include "ui/model/job_table_model.h"
#include "ui/model/node_table_model.h"
#include "ui/model/selection.h"

using namespace yard::model;
using namespace yard;

namespace {

JobInfo job(quint64 id, JobState state, const char* words)
{
    JobInfo info;
    info.id = id;
    info.displayId = QString::number(id);
    info.name = QStringLiteral("train");
    info.user = QStringLiteral("u1");
    info.partition = QStringLiteral("train");
    info.state = state;
    info.stateText = QString::fromLatin1(words);
    info.submitTime = test::sampleNow().addSecs(-3600);
    info.gpus = 8;
    return info;
}

JobInfo task(quint64 id, quint64 array, int number, JobState state, const char* words)
{
    JobInfo info = job(id, state, words);
    info.arrayJob = array;
    info.arrayTask = quint32(number);
    info.displayId = QStringLiteral("%1_%2").arg(array).arg(number);
    return info;
}

}  // namespace

class TablesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    // filters
    void nodeFiltersLetThroughWhatTheySay_data();
    void nodeFiltersLetThroughWhatTheySay();
    void jobFiltersLetThroughWhatTheySay_data();
    void jobFiltersLetThroughWhatTheySay();
    void aBadHostlistIsSaidAndFiltersNothing();
    void termsAreReadFromTextAndWrittenBack();
    // nodes
    void readingsKeepRowsInPlace();
    void missingValuesSortLastBothWays();
    void aNodeThatLeavesTheFilterIsOneRowLess();
    void marksOutliveAFilter();
    void sortedByStateTheBrokenComeFirst();
    // jobs
    void anArrayIsOneRowThatOpens();
    void everyTaskShowsEachRecord();
    void newJobsComeInWithoutMovingTheOthers();
    void aPendingRecordStandsForItsTasks();
    void anOpenArrayStaysOpenOverAnUpdate();
    // audit
    void auditShowsTheNewestFirstAndFollows();
    void aGapBetweenPagesBreaksTheChain();

private:
    ClusterUpdate delta() const;
    std::unique_ptr<ClusterState> m_state;
    std::unique_ptr<Selection> m_selection;
};

void TablesTest::init()
{
    m_state = std::make_unique<ClusterState>();
    m_selection = std::make_unique<Selection>();
    QVERIFY(m_state->apply(test::sampleUpdate()));
}

ClusterUpdate TablesTest::delta() const
{
    ClusterUpdate update;
    update.baseRevision = m_state->revision();
    update.revision = update.baseRevision + 1;
    update.at = m_state->now();
    return update;
}

void TablesTest::nodeFiltersLetThroughWhatTheySay_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("rows");
    QTest::newRow("all") << QString() << 286;
    QTest::newRow("hostlist") << QStringLiteral("gpu[163-171,186-190]!gpu165") << 13;
    QTest::newRow("blanks around operators") << QStringLiteral("gpu[1-9] ! gpu3") << 0;
    QTest::newRow("padded, blanks") << QStringLiteral("gpu[001-009] ! gpu003 , gpu020") << 9;
    QTest::newRow("one name") << QStringLiteral("gpu031") << 1;
    QTest::newRow("hostlist and state") << QStringLiteral("gpu[160-171] state:down") << 1;
    QTest::newRow("two of one key") << QStringLiteral("state:down state:maint") << 4;
    QTest::newRow("not") << QStringLiteral("gpu[160-171] !state:down !state:maint") << 10;
    QTest::newRow("reason") << QStringLiteral("NVLink") << 1;
    QTest::newRow("nothing fits") << QStringLiteral("xyzzy") << 0;
}

void TablesTest::nodeFiltersLetThroughWhatTheySay()
{
    QFETCH(QString, text);
    QFETCH(int, rows);
    m_selection->setNodeFilter({text, {}});
    const NodeTableModel model(*m_state, *m_selection);
    QCOMPARE(model.rowCount(), rows);
}

void TablesTest::jobFiltersLetThroughWhatTheySay_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::newRow("all") << QString() << QStringLiteral("3 2 1");
    QTest::newRow("word in the name") << QStringLiteral("rlhf") << QStringLiteral("2");
    QTest::newRow("user") << QStringLiteral("user:u2") << QStringLiteral("2");
    QTest::newRow("state") << QStringLiteral("state:pending") << QStringLiteral("3");
    QTest::newRow("node inside a folded list") << QStringLiteral("gpu012") << QStringLiteral("1");
    QTest::newRow("node term") << QStringLiteral("node:gpu[019-020]") << QStringLiteral("1");
    QTest::newRow("not on that list") << QStringLiteral("gpu099") << QString();
    QTest::newRow("not") << QStringLiteral("!user:u2 !state:running") << QStringLiteral("3");
    QTest::newRow("both must hold") << QStringLiteral("user:u2 state:running") << QString();
}

void TablesTest::jobFiltersLetThroughWhatTheySay()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    ClusterUpdate update = test::sampleUpdate();
    JobInfo running = job(1, JobState::Running, "RUNNING");
    running.nodes = QStringLiteral("gpu[010-020]");
    JobInfo ended = job(2, JobState::Failed, "FAILED");
    ended.user = QStringLiteral("u2");
    ended.name = QStringLiteral("sft-rlhf");
    update.jobs = {running, ended, job(3, JobState::Pending, "PENDING")};
    QVERIFY(m_state->apply(update));
    m_selection->setJobFilter({text, {}, 0});
    const JobTableModel model(*m_state, *m_selection);

    QStringList ids;
    for (int row = 0; row < model.rowCount(); ++row)
        ids << model.displayIdAt(row);
    QCOMPARE(ids.join(QLatin1Char(' ')), shown);
}

void TablesTest::aBadHostlistIsSaidAndFiltersNothing()
{
    m_selection->setNodeFilter({QStringLiteral("gpu[01-"), {}});
    const NodeTableModel model(*m_state, *m_selection);
    QCOMPARE(model.filterError(), QStringLiteral("The bracket at character 4 is not closed."));
    QCOMPARE(model.rowCount(), 286);
}

void TablesTest::termsAreReadFromTextAndWrittenBack()
{
    const FilterText filter = parseFilter(
        QStringLiteral("foo user:u1 !state:down http://x name:\"a b\""), jobFilterKeys());
    QCOMPARE(filter.words, (QStringList{QStringLiteral("foo"), QStringLiteral("http://x")}));
    QCOMPARE(filter.terms.size(), 3);
    QCOMPARE(filter.terms[1].toText(), QStringLiteral("!state:down"));
    QCOMPARE(filter.terms[2].toText(), QStringLiteral("name:\"a b\""));
    QCOMPARE(parseFilter(filter.terms[2].toText(), jobFilterKeys()).terms.first(), filter.terms[2]);
}

void TablesTest::readingsKeepRowsInPlace()
{
    NodeTableModel model(*m_state, *m_selection);
    const QAbstractItemModelTester contract(&model,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.sort(NodeTableModel::HottestGpu, Qt::DescendingOrder);
    const QStringList before = model.names();
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);

    QVERIFY(m_state->apply(test::sampleReadings({}, m_state->revision(), 99)));

    QCOMPARE(model.names(), before);
    QCOMPARE(resets.count(), 0);
    QCOMPARE(changes.count(), 1);
}

void TablesTest::missingValuesSortLastBothWays()
{
    NodeTableModel model(*m_state, *m_selection);
    const QAbstractItemModelTester contract(&model,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
    for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        model.sort(NodeTableModel::HottestGpu, order);
        QVERIFY(model.index(0, NodeTableModel::HottestGpu).data().isValid());
        QVERIFY(!model.index(model.rowCount() - 1, NodeTableModel::HottestGpu).data().isValid());
        model.sort(NodeTableModel::Reason, order);
        QVERIFY(!model.index(0, NodeTableModel::Reason).data().toString().isEmpty());
    }
}

void TablesTest::aNodeThatLeavesTheFilterIsOneRowLess()
{
    m_selection->setNodeFilter({QStringLiteral("state:down"), {}});
    NodeTableModel model(*m_state, *m_selection);
    const QAbstractItemModelTester contract(&model,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 2);
    const QPersistentModelIndex second = model.index(1, 0);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    ClusterUpdate update = delta();
    NodeInfo node = m_state->nodes()[model.nodeAt(0)];
    node.stateText = QStringLiteral("IDLE");
    update.nodes = {node};
    update.nodeIndex = {model.nodeAt(0)};
    QVERIFY(m_state->apply(update));

    QCOMPARE(removed.count(), 1);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(second.row(), 0);  // the view's selection and scroll follow
}

void TablesTest::sortedByStateTheBrokenComeFirst()
{
    NodeTableModel model(*m_state, *m_selection);
    model.sort(NodeTableModel::State, Qt::AscendingOrder);
    const auto category = [&](int row) { return m_state->nodes()[model.nodeAt(row)].category; };
    QCOMPARE(category(0), NodeCategory::Down);
    QCOMPARE(category(model.rowCount() - 1), NodeCategory::Idle);
    // A node with a faulty GPU stands before those that somebody has already taken out.
    int faulty = model.rowCount();
    int drained = model.rowCount();
    for (int row = model.rowCount() - 1; row >= 0; --row) {
        const int node = model.nodeAt(row);
        for (int gpu = 0; gpu < 8; ++gpu)
            faulty = m_state->gpuHasFault(node, gpu) ? row : faulty;
        if (category(row) == NodeCategory::Drained && faulty != row)
            drained = row;
    }
    QVERIFY(faulty < drained);
    QVERIFY(drained < model.rowCount());
    model.sort(NodeTableModel::State, Qt::DescendingOrder);
    QCOMPARE(category(0), NodeCategory::Idle);
}

void TablesTest::marksOutliveAFilter()
{
    m_selection->setMarkedNodes({QStringLiteral("gpu010"), QStringLiteral("gpu002")});
    QSignalSpy marks(m_selection.get(), &Selection::markedNodesChanged);
    m_selection->setNodeFilter({QStringLiteral("gpu002"), {}});
    QCOMPARE(m_selection->markedNodes(),
             (QStringList{QStringLiteral("gpu002"), QStringLiteral("gpu010")}));
    QCOMPARE(marks.count(), 0);
}

void TablesTest::anArrayIsOneRowThatOpens()
{
    ClusterUpdate update = test::sampleUpdate();
    update.jobs = {task(101, 100, 1, JobState::Running, "RUNNING"),
                   task(102, 100, 2, JobState::Running, "RUNNING"),
                   task(103, 100, 3, JobState::Failed, "FAILED"),
                   job(90, JobState::Running, "RUNNING")};
    QVERIFY(m_state->apply(update));
    JobTableModel model(*m_state, *m_selection);
    const QAbstractItemModelTester contract(&model,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);

    QCOMPARE(model.rowCount(), 2);
    QVERIFY(model.isArray(0));
    QCOMPARE(model.index(0, 0).data(JobTableModel::CountsRole).toString(),
             QStringLiteral("2 RUNNING, 1 FAILED"));
    QCOMPARE(model.index(0, 0).data(JobTableModel::TasksRole).toInt(), 3);
    QCOMPARE(model.index(0, JobTableModel::Gpus).data().toInt(), 16);  // of the running ones
    QCOMPARE(model.rowOf(QStringLiteral("100_3")), 0);
    model.setOpen(0, true);
    QCOMPARE(model.rowCount(), 5);
    QCOMPARE(model.displayIdAt(1), QStringLiteral("100_1"));
    QCOMPARE(model.displayIdAt(4), QStringLiteral("90"));
    QCOMPARE(model.rowOf(QStringLiteral("100_3")), 3);
    model.setOpen(0, false);
    QCOMPARE(model.rowCount(), 2);
}

void TablesTest::everyTaskShowsEachRecord()
{
    ClusterUpdate update = test::sampleUpdate();
    update.jobs = {task(101, 100, 1, JobState::Running, "RUNNING"),
                   task(102, 100, 2, JobState::Running, "RUNNING")};
    QVERIFY(m_state->apply(update));
    JobTableModel model(*m_state, *m_selection);
    QCOMPARE(model.rowCount(), 1);
    model.setEveryTask(true);
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(!model.isArray(0));
}

void TablesTest::newJobsComeInWithoutMovingTheOthers()
{
    JobTableModel model(*m_state, *m_selection);
    const QAbstractItemModelTester contract(&model,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    const int rows = model.rowCount();
    const QPersistentModelIndex third = model.index(2, 0);
    const QString id = model.displayIdAt(2);
    ClusterUpdate update = delta();
    update.jobs = {job(999999, JobState::Pending, "PENDING")};
    QVERIFY(m_state->apply(update));

    QCOMPARE(resets.count(), 0);
    QCOMPARE(inserted.count(), 1);
    QCOMPARE(model.rowCount(), rows + 1);
    QCOMPARE(model.displayIdAt(0), QStringLiteral("999999"));
    QCOMPARE(model.displayIdAt(third.row()), id);
}

void TablesTest::aPendingRecordStandsForItsTasks()
{
    ClusterUpdate update = test::sampleUpdate();
    JobInfo rest = task(100, 100, 0, JobState::Pending, "PENDING");
    rest.arrayTask.reset();
    rest.displayId = QStringLiteral("100_[4-22]");
    rest.arrayPendingCount = 19;
    update.jobs = {rest, task(101, 100, 1, JobState::Running, "RUNNING")};
    QVERIFY(m_state->apply(update));
    const JobTableModel model(*m_state, *m_selection);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, 0).data(JobTableModel::CountsRole).toString(),
             QStringLiteral("1 RUNNING, 19 PENDING"));
    QCOMPARE(model.counts().waiting, 19);
    QCOMPARE(model.counts().running, 1);
}

void TablesTest::anOpenArrayStaysOpenOverAnUpdate()
{
    ClusterUpdate full = test::sampleUpdate();
    full.jobs = {task(101, 100, 1, JobState::Running, "RUNNING"),
                 task(102, 100, 2, JobState::Running, "RUNNING"),
                 job(90, JobState::Running, "RUNNING")};
    QVERIFY(m_state->apply(full));
    JobTableModel model(*m_state, *m_selection);
    const QAbstractItemModelTester contract(&model,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setOpen(0, true);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    ClusterUpdate update = delta();
    update.jobs = {task(103, 100, 3, JobState::Running, "RUNNING")};
    update.removedJobs = {{101, test::sampleNow().addSecs(-3600).toMSecsSinceEpoch()}};
    QVERIFY(m_state->apply(update));

    QCOMPARE(resets.count(), 0);
    QStringList ids;
    for (int row = 0; row < model.rowCount(); ++row)
        ids << model.displayIdAt(row);
    QCOMPARE(ids.join(QLatin1Char(' ')), QStringLiteral("100 100_2 100_3 90"));
}

void TablesTest::auditShowsTheNewestFirstAndFollows()
{
    test::LocalActions actions(*m_state);
    m_state->setConnection(Connection::Connected);
    AuditModel model(actions, *m_state);
    const QAbstractItemModelTester contract(&model,
                                            QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy loaded(&model, &AuditModel::loaded);
    model.refresh();
    QTRY_COMPARE(loaded.count(), 1);
    QCOMPARE(model.rowCount(), 0);

    ActionRequest request;
    request.nodes = QStringList{QStringLiteral("gpu001")};
    QString token;
    actions.preview(request, [&](const auto& reply) { token = reply.value->token; });
    QTRY_VERIFY(!token.isEmpty());
    actions.execute(token, QStringLiteral("r"), QStringLiteral("fan"), 0, [](const auto&) {});
    QTRY_COMPARE(model.rowCount(), 1);
    actions.observe(actions.made().first().id);
    QTRY_COMPARE(model.rowCount(), 2);
    QCOMPARE(model.record(0).event, QStringLiteral("observed"));
    QCOMPARE(model.chainError(), QString());
    model.setFilter(QStringLiteral("requested"));
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.total(), 2);
}

void TablesTest::aGapBetweenPagesBreaksTheChain()
{
    class Forged final : public Actions {
    public:
        void preview(const ActionRequest&, Callback<PreviewInfo>) override {}
        void previewUndo(quint64, Callback<PreviewInfo>) override {}
        void execute(const QString&, const QString&, const QString&, int,
                     Callback<OperationInfo>) override
        {
        }
        void attempts(const QString&, Callback<QVector<JobAttemptInfo>>) override {}
        void series(const SeriesRequest&, Callback<SeriesInfo>) override {}
        void characterize(const CharacterizeRequest&, Callback<Characterization>) override {}
        void audit(quint64 after, int, Callback<AuditPage> done) override
        {
            AuditInfo record;
            record.sequence = after == 0 ? 1 : after + 2;  // one record is left out
            record.previousHash = QStringLiteral("h%1").arg(after);
            record.hash = QStringLiteral("h%1").arg(record.sequence);
            done({AuditPage{{record}, true, {}}, {}, ReplyCode::Ok});
        }
    } forged;
    AuditModel model(forged, *m_state);
    model.refresh();
    QCOMPARE(model.chainError(), QString());
    model.refresh();
    QVERIFY(model.chainError().contains(QStringLiteral("Record 3 does not follow record 1")));
}

QTEST_GUILESS_MAIN(TablesTest)
#include "tables_test.moc"
