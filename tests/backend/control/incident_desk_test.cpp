#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/desk_harness.h"

using namespace yard;

// The rules are made ready first, which takes seconds in a checked build.
constexpr int kPatienceMs = 60'000;
using namespace yard::control;
using domain::Incident;
using domain::IncidentChange;
using domain::IncidentState;
using domain::JobState;
using domain::Reason;

/// From the scheduler's word and a file on the disk to an incident that somebody sees to.
class IncidentDeskTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { m_desk.reset(); }
    void aFailedJobsLogSaysWhy();
    void aCancelledJobRaisesNothing();
    void aNodeThatIsLostIsAnIncidentWithItsJob();
    void aChangeIsInTheJournalAndInTheAuditChain();
    void incidentsSurviveTheDaemon();

private:
    std::vector<Incident> incidents(bool withClosed = false);
    StatusOr<IncidentLook> get(uint64_t id);
    StatusOr<IncidentLook> change(uint64_t id, IncidentChange::Kind kind, std::string note = {});
    void writeLog(const QByteArray& text);
    void endJob(const std::string& id, JobState state);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<testing::DeskHarness> m_desk;
};

void IncidentDeskTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_desk = std::make_unique<testing::DeskHarness>(m_folder->path().toStdString());
    m_desk->open();
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->snapshot()->jobs.size(), size_t(12), kPatienceMs);
}

std::vector<Incident> IncidentDeskTest::incidents(bool withClosed)
{
    std::promise<IncidentPage> page;
    IncidentQuery query;
    query.withClosed = withClosed;
    m_desk->desk->incidents().list(query, [&](auto found) { page.set_value(*std::move(found)); });
    return page.get_future().get().incidents;
}

StatusOr<IncidentLook> IncidentDeskTest::get(uint64_t id)
{
    std::promise<StatusOr<IncidentLook>> look;
    m_desk->desk->incidents().get(id, [&](auto found) { look.set_value(std::move(found)); });
    return look.get_future().get();
}

StatusOr<IncidentLook> IncidentDeskTest::change(uint64_t id, IncidentChange::Kind kind,
                                                std::string note)
{
    IncidentChange change;
    change.id = id;
    change.kind = kind;
    change.note = std::move(note);
    std::promise<StatusOr<IncidentLook>> look;
    m_desk->desk->incidents().change(testing::DeskHarness::who("ann"), std::move(change),
                                     [&](auto found) { look.set_value(std::move(found)); });
    return look.get_future().get();
}

void IncidentDeskTest::writeLog(const QByteArray& text)
{
    QFile file(m_folder->filePath("job.out"));
    QVERIFY(file.open(QIODevice::Append));
    file.write(text);
}

void IncidentDeskTest::endJob(const std::string& id, JobState state)
{
    m_desk->scheduler.changeJob(id, [&](domain::Job& job) {
        job.state = state;
        job.stateText = std::string(name(state));
        job.endTime = m_desk->clock.now();
        job.standardOutput = m_folder->filePath("job.out").toStdString();
        job.user = std::to_string(geteuid());
        job.exit = domain::ExitStatus{1, {}};
    });
}

void IncidentDeskTest::aFailedJobsLogSaysWhy()
{
    writeLog(
        "step 1 loss 3.2\nTraceback (most recent call last):\n"
        "  File \"t.py\", line 1, in <module>\nKeyError: 'text'\n");
    endJob("103", JobState::Failed);
    QTRY_COMPARE_WITH_TIMEOUT(incidents().size(), size_t(1), kPatienceMs);
    const auto look = get(incidents()[0].id);
    QVERIFY(look.ok());
    QCOMPARE(look->incident.reason, Reason::KeyError);
    QCOMPARE(look->incident.jobs[0].displayId, std::string("103"));
    QVERIFY(look->seen.find("Job 103 is FAILED.") != std::string::npos);
    QVERIFY(std::any_of(look->incident.evidence.begin(), look->incident.evidence.end(),
                        [](const auto& line) { return line.line == 4; }));
}

void IncidentDeskTest::aCancelledJobRaisesNothing()
{
    writeLog("KeyError: 'text'\n");
    endJob("104", JobState::Cancelled);
    endJob("105", JobState::Failed);
    QTRY_COMPARE_WITH_TIMEOUT(incidents().size(), size_t(1), kPatienceMs);
    QCOMPARE(incidents()[0].jobs[0].displayId, std::string("105"));
}

void IncidentDeskTest::aNodeThatIsLostIsAnIncidentWithItsJob()
{
    m_desk->scheduler.changeNode("n3", [&](domain::Node& node) {
        node.state = domain::NodeState::Down;
        node.flags = {"NOT_RESPONDING"};
        node.reason = "Not responding";
        node.reasonTime = m_desk->clock.now();
    });
    endJob("103", JobState::NodeFail);
    QTRY_VERIFY_WITH_TIMEOUT(
        !incidents().empty() && !incidents()[0].jobs.empty() && !incidents()[0].jobs[0].end.empty(),
        kPatienceMs);
    QCOMPARE(incidents().size(), size_t(1));
    QCOMPARE(incidents()[0].reason, Reason::NodeFailure);
    QCOMPARE(incidents()[0].node, std::string("n3"));
}

void IncidentDeskTest::aChangeIsInTheJournalAndInTheAuditChain()
{
    writeLog("KeyError: 'text'\n");
    endJob("103", JobState::Failed);
    QTRY_COMPARE_WITH_TIMEOUT(incidents().size(), size_t(1), kPatienceMs);
    const auto noted = change(1, IncidentChange::Kind::Acknowledge, "mine");
    QVERIFY2(noted.ok(), noted.status().ToString().c_str());
    QCOMPARE(noted->incident.state, IncidentState::Acknowledged);
    QVERIFY(change(1, IncidentChange::Kind::Close).ok());
    QVERIFY(absl::IsFailedPrecondition(change(1, IncidentChange::Kind::Close).status()));
    QVERIFY(absl::IsNotFound(change(9, IncidentChange::Kind::Close).status()));
    QVERIFY(incidents().empty());
    QCOMPARE(incidents(true).size(), size_t(1));
    const auto audit = m_desk->audit();
    QVERIFY(audit.ok() && audit->chainOk);
    QCOMPARE(audit->records.size(), size_t(2));
    QCOMPARE(audit->records[0].event, std::string("incident"));
    QCOMPARE(audit->records[0].by.user, std::string("ann"));
    QCOMPARE(audit->records[0].targets, std::string("incident 1"));
    QCOMPARE(audit->records[0].detail, std::string("acknowledged: mine"));
}

void IncidentDeskTest::incidentsSurviveTheDaemon()
{
    writeLog("KeyError: 'text'\n");
    endJob("103", JobState::Failed);
    QTRY_COMPARE_WITH_TIMEOUT(incidents().size(), size_t(1), kPatienceMs);
    QVERIFY(change(1, IncidentChange::Kind::Note, "seen").ok());
    m_desk->close();
    m_desk->open();
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->snapshot()->jobs.size(), size_t(12), kPatienceMs);
    // The ended job is in the first view, and known already.
    endJob("106", JobState::Failed);
    QTRY_COMPARE_WITH_TIMEOUT(incidents().size(), size_t(2), kPatienceMs);
    QCOMPARE(incidents()[1].id, uint64_t(1));
    QCOMPARE(incidents()[1].notes.size(), size_t(1));
    QCOMPARE(incidents()[0].id, uint64_t(2));
    QCOMPARE(incidents()[0].jobs[0].displayId, std::string("106"));
}

QTEST_GUILESS_MAIN(IncidentDeskTest)
#include "incident_desk_test.moc"
