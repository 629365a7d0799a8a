#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <future>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "backend/store/journal.h"
#include "tests/support/small_scheduler.h"

using namespace yard;

namespace {

constexpr int kKills = 200;
constexpr int kLanes = 4;  // daemons that live and die side by side, each with its own files
constexpr int kPatienceMs = 20'000;
constexpr int kMostAcknowledged = 4;  // in one life

/// One daemon after another over the same journal and scheduler. Problems come back as sentences:
/// lanes run on threads of their own.
class Lane {
public:
    explicit Lane(unsigned seed)
        : m_seed(seed)
        , m_random(seed)
    {
    }
    std::string run(int kills);
    std::string folder() const { return m_folder.path().toStdString(); }
    const std::map<uint64_t, QByteArray>& acknowledged() const { return m_acknowledged; }

private:
    std::string liveAndDie(int life);
    std::string finish();
    bool start(QProcess& subject, unsigned seed, const char* mode);
    void pause(QProcess& subject, unsigned mostMicroseconds);
    std::string collect(const QByteArray& said);

    const unsigned m_seed;
    std::mt19937 m_random;
    QTemporaryDir m_folder;
    std::map<uint64_t, QByteArray> m_acknowledged;
};

bool Lane::start(QProcess& subject, unsigned seed, const char* mode)
{
    subject.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    subject.start(QStringLiteral(YARD_BIN "/crash_subject"),
                  {m_folder.path(), QString::number(seed), QString::fromLatin1(mode)});
    return subject.waitForStarted(kPatienceMs);
}

void Lane::pause(QProcess& subject, unsigned mostMicroseconds)
{
    const auto until =
        std::chrono::steady_clock::now() + std::chrono::microseconds(m_random() % mostMicroseconds);
    while (std::chrono::steady_clock::now() < until)
        subject.waitForReadyRead(1);
}

std::string Lane::liveAndDie(int life)
{
    QProcess subject;
    if (!start(subject, m_seed + unsigned(life), "work"))
        return "the subject did not start";
    QByteArray said;
    if (life % 8 == 7) {
        // While it starts: it reads and may mend what the last life has left.
        pause(subject, 100'000);
    } else {
        // However busy the machine is, most lives get something done before they end.
        const auto wanted = QByteArrayView::size_type(m_random() % kMostAcknowledged);
        while (!said.contains("ready") || said.count("ack ") < wanted) {
            if (!subject.waitForReadyRead(kPatienceMs))
                return "the subject got stuck after " + said.toStdString();
            said += subject.readAllStandardOutput();
        }
        pause(subject, 30'000);
    }
    subject.kill();
    if (!subject.waitForFinished(kPatienceMs))
        return "the subject cannot be killed";
    return collect(said + subject.readAllStandardOutput());
}

std::string Lane::collect(const QByteArray& said)
{
    for (const QByteArray& line : said.split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (words.size() < 4 || words[0] != "ack")
            continue;
        const uint64_t id = words[1].toULongLong();
        if (!m_acknowledged.emplace(id, line.mid(4 + words[1].size() + 1)).second)
            return "id " + std::to_string(id) + " was given twice";
    }
    return {};
}

std::string Lane::finish()
{
    QProcess last;
    if (!start(last, 0, "finish") || !last.waitForFinished(kPatienceMs))
        return "operations stay open";
    return last.readAllStandardOutput().contains("quiet") ? "" : "the last life died";
}

std::string Lane::run(int kills)
{
    for (int life = 0; life < kills; ++life)
        if (std::string problem = liveAndDie(life); !problem.empty())
            return problem;
    return finish();
}

}  // namespace

class CrashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyAcknowledgedOperationIsCarriedOutExactlyOnce();

private:
    void check(const Lane& lane);
};

void CrashTest::everyAcknowledgedOperationIsCarriedOutExactlyOnce()
{
    const unsigned seed = qEnvironmentVariableIsSet("YARD_SEED")
                              ? unsigned(qEnvironmentVariableIntValue("YARD_SEED"))
                              : std::random_device{}();
    qInfo("seed %u", seed);
    std::vector<std::unique_ptr<Lane>> lanes;
    std::vector<std::future<std::string>> ends;
    for (unsigned i = 0; i < kLanes; ++i) {
        lanes.push_back(std::make_unique<Lane>(seed + i * kKills));
        ends.push_back(std::async(std::launch::async, [lane = lanes.back().get()] {
            return lane->run(kKills / kLanes);
        }));
    }
    for (auto& end : ends) {
        const std::string problem = end.get();
        QVERIFY2(problem.empty(), problem.c_str());
    }
    size_t acknowledged = 0;
    for (const auto& lane : lanes) {
        check(*lane);
        acknowledged += lane->acknowledged().size();
    }
    qInfo("%zu operations acknowledged over %d kills", acknowledged, kKills);
    QVERIFY(acknowledged >= size_t(kKills));
}

void CrashTest::check(const Lane& lane)
{
    const std::string folder = lane.folder();
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
    for (const auto& [id, what] : lane.acknowledged()) {
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

    std::promise<StatusOr<store::AuditPage>> promise;
    (*journal)->audit(0, 100'000, [&](auto page) { promise.set_value(std::move(page)); });
    const auto page = promise.get_future().get();
    QVERIFY(page.ok());
    QVERIFY2(page->chainOk, page->chainError.c_str());
    QVERIFY(page->records.size() >= lane.acknowledged().size());
}

QTEST_GUILESS_MAIN(CrashTest)
#include "crash_test.moc"
