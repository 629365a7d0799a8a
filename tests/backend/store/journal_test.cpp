#include "backend/store/journal.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <future>

#include "backend/store/sqlite.h"

using namespace yard;
using store::Journal;

namespace {

const Time kNow = Time(std::chrono::seconds(1'790'000'000));

store::OperationRecord record(uint64_t id, const std::string& request)
{
    domain::Operation operation;
    operation.id = id;
    operation.requestId = request;
    operation.action.kind = domain::ActionKind::Resubmit;
    operation.action.jobs = {"7"};
    operation.action.submission = domain::Submission{
        .script = "#!/bin/sh\n", .options = {"-n", "2"}, .user = "ada", .workDirectory = "/w"};
    operation.by = {.user = "op", .uid = 7, .role = domain::Role::Admin, .from = "unix pid 1"};
    operation.requestedAt = kNow;
    operation.sentAt = kNow;
    operation.targets = {{.name = "7", .before = "RUNNING", .observed = {}}};
    operation.undoes = 3;
    return {.operation = operation,
            .evidence = {{.target = "7", .jobId = 7, .restarts = 2, .reason = {}}}};
}

store::AuditRecord audit(const std::string& detail)
{
    store::AuditRecord record;
    record.at = kNow;
    record.by.user = "op";
    record.event = "requested";
    record.detail = detail;
    return record;
}

Status write(Journal& journal, store::JournalEntry entry)
{
    std::promise<Status> promise;
    journal.write(std::move(entry), [&](const Status& status) { promise.set_value(status); });
    return promise.get_future().get();
}

store::AuditPage page(Journal& journal, uint64_t after = 0, uint32_t limit = 1000)
{
    std::promise<StatusOr<store::AuditPage>> promise;
    journal.audit(after, limit, [&](auto found) { promise.set_value(std::move(found)); });
    return promise.get_future().get().value();
}

}  // namespace

class JournalTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void operationComesBackAsItWas();
    void chainGoesOnOverRestarts();
    void changedRecordIsFound();
    void requestIdIsNeverUsedTwice();
    void damagedFileIsRefusedAndLeftAlone_data();
    void damagedFileIsRefusedAndLeftAlone();
    void newerVersionIsRefused();
    void stateChangesAreReadBack();
    void failingDiskIsReportedAndRecoveredFrom();
    void aProbeFindsAFailingDiskBeforeAnybodyWrites();
    void theWholeChainIsVerified();

private:
    std::string path() const
    {
        return m_folder->filePath(QStringLiteral("journal.db")).toStdString();
    }
    std::unique_ptr<Journal> open() { return std::move(Journal::open(path()).value()); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void JournalTest::operationComesBackAsItWas()
{
    const auto wanted = record(5, "r5");
    {
        const auto journal = open();
        QVERIFY(write(*journal, {.at = kNow, .operations = {wanted}, .isIntent = true}).ok());
    }
    const auto journal = open();
    const auto found = journal->loadOperations(Time{});
    QCOMPARE(found->size(), size_t(1));
    QVERIFY(found->front() == wanted);
    QCOMPARE(*journal->lastOperationId(), uint64_t(5));
    QCOMPARE((*journal->byRequestId("r5"))->id, uint64_t(5));
    QVERIFY(!journal->byRequestId("other")->has_value());
}

void JournalTest::chainGoesOnOverRestarts()
{
    for (int life = 0; life < 3; ++life) {
        const auto journal = open();
        QVERIFY(write(*journal, {.at = kNow, .audit = {audit("a"), audit("b \xff bytes")}}).ok());
    }
    const auto journal = open();
    QCOMPARE(page(*journal).records.size(), size_t(6));
    QVERIFY(page(*journal).chainOk);
    QCOMPARE(page(*journal, 2, 2).records.front().sequence, uint64_t(3));
    QCOMPARE(page(*journal, 2, 2).records.size(), size_t(2));
    QVERIFY(page(*journal, 2, 2).chainOk);

    const QString file = m_folder->filePath(QStringLiteral("audit.jsonl"));
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(QByteArray::fromStdString(store::exportAudit(page(*journal).records)));
    out.close();
    const auto read = store::readAuditFile(file.toStdString());
    QVERIFY(read.ok());
    QCOMPARE(read->size(), size_t(6));
    QVERIFY(store::verifyChain(*read).ok());
}

void JournalTest::changedRecordIsFound()
{
    {
        const auto journal = open();
        QVERIFY(write(*journal, {.at = kNow, .audit = {audit("a"), audit("b"), audit("c")}}).ok());
    }
    auto database = store::Database::open(path(), store::Database::Mode::ReadWrite);
    QVERIFY(database->execute("UPDATE audit SET detail='forged' WHERE sequence=2").ok());
    const auto found = page(*open());
    QVERIFY(!found.chainOk);
    QVERIFY(found.chainError.find("record 2") != std::string::npos);
    QVERIFY(database->execute("DELETE FROM audit WHERE sequence=2").ok());
    QVERIFY(!page(*open()).chainOk);
    QVERIFY(database->execute("DELETE FROM audit WHERE sequence=1").ok());
    QVERIFY(!page(*open()).chainOk);
}

void JournalTest::requestIdIsNeverUsedTwice()
{
    const auto journal = open();
    QVERIFY(write(*journal, {.at = kNow, .operations = {record(1, "r")}, .isIntent = true}).ok());
    QVERIFY(absl::IsAlreadyExists(
        write(*journal, {.at = kNow, .operations = {record(2, "r")}, .isIntent = true})));
    QVERIFY(write(*journal, {.at = kNow, .operations = {record(3, "s")}, .isIntent = true}).ok());
}

void JournalTest::damagedFileIsRefusedAndLeftAlone_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("text") << QByteArray(
        "this is not a database, but long enough to be taken for "
        "the header of one by anybody who tries to read it so.");
    QTest::newRow("header only") << QByteArray("SQLite format 3\0", 16) + QByteArray(5000, 'x');
}

void JournalTest::damagedFileIsRefusedAndLeftAlone()
{
    QFETCH(QByteArray, bytes);
    QFile file(QString::fromStdString(path()));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    const auto journal = Journal::open(path());
    QVERIFY(!journal.ok());
    QVERIFY(std::string(journal.status().message()).find("journal.db") != std::string::npos);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), bytes);
}

void JournalTest::newerVersionIsRefused()
{
    open();
    auto database = store::Database::open(path(), store::Database::Mode::ReadWrite);
    QVERIFY(database->execute("PRAGMA user_version=99").ok());
    const auto journal = Journal::open(path());
    QVERIFY(absl::IsFailedPrecondition(journal.status()));
    QVERIFY(std::string(journal.status().message()).find("99") != std::string::npos);
}

void JournalTest::stateChangesAreReadBack()
{
    const auto journal = open();
    QVERIFY(write(*journal, {.at = kNow,
                             .changes = {{kNow, "node", "n1", "IDLE", "DRAIN", "bad"},
                                         {kNow, "node", "n2", "IDLE", "DOWN", ""}}})
                .ok());
    std::promise<StatusOr<std::vector<store::StateChange>>> promise;
    journal->changes("node", "n1", 10, [&](auto found) { promise.set_value(std::move(found)); });
    const auto found = promise.get_future().get();
    QCOMPARE(found->size(), size_t(1));
    QCOMPARE(found->front().after, std::string("DRAIN"));
}

// Another writer holds the file: to the journal that is a disk that cannot be written.
void JournalTest::failingDiskIsReportedAndRecoveredFrom()
{
    const auto journal = open();
    std::atomic<bool> ok = true;
    journal->onHealth([&](const store::JournalHealth& health) { ok = health.ok; });
    auto other = store::Database::open(path(), store::Database::Mode::ReadWrite);
    QVERIFY(other->begin().ok());
    std::atomic<bool> written = false;
    journal->write({.at = kNow, .audit = {audit("kept")}},
                   [&](const Status& status) { written = status.ok(); });
    QTRY_VERIFY_WITH_TIMEOUT(!ok, 20'000);
    const Status refused =
        write(*journal, {.at = kNow, .operations = {record(9, "r9")}, .isIntent = true});
    QVERIFY(absl::IsUnavailable(refused));
    QVERIFY(std::string(refused.message()).find("nothing was done") != std::string::npos);
    QVERIFY(other->commit().ok());
    QTRY_VERIFY_WITH_TIMEOUT(ok && written, 20'000);
    QVERIFY(
        write(*journal, {.at = kNow, .operations = {record(10, "r10")}, .isIntent = true}).ok());
    QVERIFY(!journal->byRequestId("r9")->has_value());
    QVERIFY(page(*journal).chainOk);
    journal->onHealth(nullptr);
}

void JournalTest::aProbeFindsAFailingDiskBeforeAnybodyWrites()
{
    const auto journal = open();
    std::atomic<bool> ok = true;
    journal->onHealth([&](const store::JournalHealth& health) { ok = health.ok; });
    auto other = store::Database::open(path(), store::Database::Mode::ReadWrite);
    QVERIFY(other->begin().ok());
    journal->probe(kNow);
    QTRY_VERIFY_WITH_TIMEOUT(!ok, 20'000);
    QVERIFY(other->commit().ok());
    QTRY_VERIFY_WITH_TIMEOUT(ok, 20'000);
    QVERIFY(write(*journal, {.at = kNow, .operations = {record(1, "r1")}, .isIntent = true}).ok());
    QCOMPARE(*journal->lastOperationId(), uint64_t(1));
    journal->onHealth(nullptr);
}

void JournalTest::theWholeChainIsVerified()
{
    const auto verdict = [](Journal& journal) {
        std::promise<Status> promise;
        journal.verifyAudit([&](const Status& status) { promise.set_value(status); });
        return promise.get_future().get();
    };
    {
        const auto journal = open();
        QVERIFY(verdict(*journal).ok());
        // More than is read at once.
        store::JournalEntry entry{.at = kNow};
        for (int i = 0; i < 12'000; ++i)
            entry.audit.push_back(audit("a"));
        QVERIFY(write(*journal, std::move(entry)).ok());
        QVERIFY(verdict(*journal).ok());
    }
    auto database = store::Database::open(path(), store::Database::Mode::ReadWrite);
    QVERIFY(database->execute("UPDATE audit SET reason='forged' WHERE sequence=11000").ok());
    const Status broken = verdict(*open());
    QVERIFY(absl::IsDataLoss(broken));
    QVERIFY(std::string(broken.message()).find("record 11000") != std::string::npos);
}

QTEST_GUILESS_MAIN(JournalTest)
#include "journal_test.moc"
