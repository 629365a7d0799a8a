#include <QTemporaryDir>
#include <QTest>
#include <future>

#include "backend/store/journal.h"

using namespace yard;
using namespace yard::store;
using domain::Incident;
using domain::IncidentState;

namespace {

const Time kAt{std::chrono::seconds(1'790'010'000)};

Incident sample(uint64_t id)
{
    Incident incident;
    incident.id = id;
    incident.reason = domain::Reason::EccError;
    incident.certainty = domain::Certainty::Established;
    incident.severity = domain::Severity::Critical;
    incident.happened = "n1, GPU 3 reported Xid 48.";
    incident.why = "bad bytes: \xff";
    incident.node = "n1";
    incident.rank = 19;
    incident.gpu = "3";
    incident.nodes = {"n1", "n2"};
    incident.switchName = "switch leaf1";
    incident.jobs.push_back({"5", "5/1", "train", "alice", "n[1-2]", 16, "FAILED"});
    incident.first = kAt;
    incident.last = kAt + std::chrono::seconds(5);
    incident.events = 700;
    incident.followers = 690;
    incident.assignee = "bob";
    incident.evidence.push_back({.witness = domain::Witness::Hardware,
                                 .at = kAt,
                                 .lastAt = kAt,
                                 .source = "kernel of n1",
                                 .line = 3,
                                 .text = "text",
                                 .note = "note",
                                 .count = 7,
                                 .follows = true,
                                 .key = "n1 48"});
    incident.notes.push_back({kAt, "bob", "looked"});
    return incident;
}

}  // namespace

class JournalIncidentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whatIsWrittenIsReadAgain();
    void openOnesAreLoadedHoweverOld();
    void pagesGoFromTheNewest();

private:
    std::string path() const { return m_folder->filePath("journal.db").toStdString(); }
    void write(std::vector<Incident> incidents)
    {
        std::promise<Status> done;
        JournalEntry entry{.at = kAt};
        entry.incidents = std::move(incidents);
        m_journal->write(std::move(entry), [&](const Status& status) { done.set_value(status); });
        QVERIFY(done.get_future().get().ok());
    }
    std::vector<Incident> page(uint32_t limit, uint64_t before)
    {
        std::promise<std::vector<Incident>> found;
        m_journal->incidents(limit, before,
                             [&](auto answer) { found.set_value(*std::move(answer)); });
        return found.get_future().get();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Journal> m_journal;
};

void JournalIncidentsTest::init()
{
    m_journal.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_journal = *Journal::open(path());
}

void JournalIncidentsTest::whatIsWrittenIsReadAgain()
{
    Incident incident = sample(3);
    write({incident});
    incident.state = IncidentState::Closed;
    incident.joinedTo = 2;
    write({incident});
    m_journal = *Journal::open(path());
    std::promise<StatusOr<Incident>> found;
    m_journal->incident(3, [&](auto answer) { found.set_value(std::move(answer)); });
    const auto read = found.get_future().get();
    QVERIFY(read.ok());
    incident.why = "bad bytes: \xef\xbf\xbd";
    QVERIFY(*read == incident);
    QCOMPARE(*m_journal->lastIncidentId(), uint64_t(3));
    std::promise<Status> missing;
    m_journal->incident(4, [&](auto answer) { missing.set_value(answer.status()); });
    QVERIFY(absl::IsNotFound(missing.get_future().get()));
}

void JournalIncidentsTest::openOnesAreLoadedHoweverOld()
{
    Incident acknowledged = sample(1);
    acknowledged.state = IncidentState::Acknowledged;
    Incident closed = sample(2);
    closed.state = IncidentState::Closed;
    Incident fresh = sample(3);
    fresh.state = IncidentState::Closed;
    fresh.last = kAt + std::chrono::hours(100);
    write({acknowledged, closed, fresh});
    const auto loaded = m_journal->loadIncidents(kAt + std::chrono::hours(50));
    QVERIFY(loaded.ok());
    QCOMPARE(loaded->size(), size_t(2));
    QCOMPARE((*loaded)[0].id, uint64_t(1));
    QCOMPARE((*loaded)[1].id, uint64_t(3));
}

void JournalIncidentsTest::pagesGoFromTheNewest()
{
    std::vector<Incident> all;
    for (uint64_t id = 1; id <= 5; ++id)
        all.push_back(sample(id));
    write(all);
    QCOMPARE(page(2, 0).size(), size_t(2));
    QCOMPARE(page(2, 0)[0].id, uint64_t(5));
    QCOMPARE(page(10, 3).size(), size_t(2));
    QCOMPARE(page(10, 3)[0].id, uint64_t(2));
}

QTEST_GUILESS_MAIN(JournalIncidentsTest)
#include "journal_incidents_test.moc"
