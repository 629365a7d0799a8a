#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <future>
#include <map>
#include <random>
#include <set>

#include "backend/store/journal.h"
#include "tests/support/small_scheduler.h"

using namespace yard;

namespace {

constexpr int kKills = 200;
constexpr int kPatienceMs = 20'000;

}  // namespace

class CrashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyAcknowledgedOperationIsCarriedOutExactlyOnce();

private:
    void start(QProcess& subject, unsigned seed, const char* mode);
    void collect(QProcess& subject);
    void check();

    QTemporaryDir m_folder;
    std::map<uint64_t, QByteArray> m_acknowledged;
};

void CrashTest::start(QProcess& subject, unsigned seed, const char* mode)
{
    subject.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    subject.start(QStringLiteral(YARD_BIN "/crash_subject"),
                  {m_folder.path(), QString::number(seed), QString::fromLatin1(mode)});
    QVERIFY(subject.waitForStarted(kPatienceMs));
}

void CrashTest::collect(QProcess& subject)
{
    for (const QByteArray& line : subject.readAllStandardOutput().split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.size() < 4 || words[0] != "ack")
            continue;
        QVERIFY2(!m_acknowledged.contains(words[1].toULongLong()), "an id was given twice");
        m_acknowledged[words[1].toULongLong()] = line.mid(4 + words[1].size() + 1);
    }
}

void CrashTest::everyAcknowledgedOperationIsCarriedOutExactlyOnce()
{
    const unsigned seed = qEnvironmentVariableIsSet("YARD_SEED")
                              ? unsigned(qEnvironmentVariableIntValue("YARD_SEED"))
                              : std::random_device{}();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    for (int kill = 0; kill < kKills; ++kill) {
        QProcess subject;
        start(subject, seed + unsigned(kill), "work");
        // From "ready" on anything may be under way: also what the last life has left.
        QVERIFY(subject.waitForReadyRead(kPatienceMs));
        // Every other time not before something new was acknowledged, however busy the machine is.
        if (kill % 2 == 0)
            subject.waitForReadyRead(1000);
        const auto microseconds = std::chrono::microseconds(random() % 40'000);
        const auto until = std::chrono::steady_clock::now() + microseconds;
        while (std::chrono::steady_clock::now() < until)
            subject.waitForReadyRead(0);
        subject.kill();
        QVERIFY(subject.waitForFinished(kPatienceMs));
        collect(subject);
    }
    QProcess last;
    start(last, 0, "finish");
    QVERIFY(last.waitForFinished(kPatienceMs));
    QVERIFY(last.readAllStandardOutput().contains("quiet"));
    check();
}

void CrashTest::check()
{
    const std::string folder = m_folder.path().toStdString();
    const testing::SmallScheduler scheduler(1, folder + "/scheduler");
    std::map<uint64_t, int> carriedOut;
    std::map<uint64_t, QByteArray> done;
    for (const std::string& line : scheduler.log()) {
        const QList<QByteArray> words = QByteArray::fromStdString(line).split(' ');
        const uint64_t id = words[1].toULongLong();
        ++carriedOut[id];
        done[id] = words[0] + ' ' + words.mid(2).join(' ');
    }
    auto journal = store::Journal::open(folder + "/journal.db");
    QVERIFY(journal.ok());
    const auto records = (*journal)->loadOperations(Time{});
    QVERIFY(records.ok());
    std::set<uint64_t> known;
    for (const store::OperationRecord& record : *records) {
        known.insert(record.operation.id);
        QVERIFY2(
            record.operation.state == domain::OperationState::Observed,
            qPrintable(
                QStringLiteral("operation %1, %2: %3 %4")
                    .arg(record.operation.id)
                    .arg(QString::fromStdString(std::string(name(record.operation.action.kind))),
                         QString::fromStdString(std::string(name(record.operation.state))),
                         QString::fromStdString(record.operation.message))));
    }
    for (const auto& [id, what] : m_acknowledged) {
        QVERIFY2(known.contains(id), what.constData());
        QVERIFY2(carriedOut[id] == 1,
                 qPrintable(QStringLiteral("operation %1 (%2) was carried out %3 times")
                                .arg(id)
                                .arg(QString::fromUtf8(what))
                                .arg(carriedOut[id])));
        QCOMPARE(done[id], what);
    }
    for (const auto& [id, count] : carriedOut) {
        QVERIFY2(count <= 1, qPrintable(QStringLiteral("operation %1 twice").arg(id)));
        QVERIFY2(count == 0 || known.contains(id), "the scheduler heard of an unknown operation");
    }
    QVERIFY(m_acknowledged.size() >= size_t(kKills) / 4);
    qInfo("%zu operations acknowledged over %d kills, %zu in the journal", m_acknowledged.size(),
          kKills, known.size());

    std::promise<StatusOr<store::AuditPage>> promise;
    (*journal)->audit(0, 100'000, [&](auto page) { promise.set_value(std::move(page)); });
    const auto page = promise.get_future().get();
    QVERIFY(page.ok());
    QVERIFY2(page->chainOk, page->chainError.c_str());
    QVERIFY(page->records.size() >= m_acknowledged.size());
}

QTEST_GUILESS_MAIN(CrashTest)
#include "crash_test.moc"
