#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <memory>
#include <thread>

#include "backend/domain/action.h"
#include "backend/domain/operation.h"
#include "yard/v1/yard.grpc.pb.h"

using namespace yard;

namespace {

v1::Operation operationOf(const std::string& requestId, domain::OperationState state)
{
    v1::Operation operation;
    operation.set_id(7);
    operation.set_request_id(requestId);
    operation.mutable_action()->set_kind(uint32_t(domain::ActionKind::Drain));
    operation.set_state(uint32_t(state));
    operation.set_targets_folded("gpu001");
    v1::Target* target = operation.add_targets();
    target->set_name("gpu001");
    target->set_state(uint32_t(domain::TargetState::Observed));
    return operation;
}

/// A daemon that dies where it is told to: what it has written down outlives it.
class MortalDaemon final : public v1::Yard::Service {
public:
    explicit MortalDaemon(std::string path)
        : m_path(std::move(path))
    {
        start();
    }
    ~MortalDaemon() override { end(); }

    void start()
    {
        grpc::ServerBuilder builder;
        builder.AddListeningPort("unix:" + m_path, grpc::InsecureServerCredentials());
        builder.RegisterService(this);
        m_server = builder.BuildAndStart();
    }
    void end()
    {
        if (m_server)
            m_server->Shutdown(std::chrono::system_clock::now());
        m_server.reset();
    }

    grpc::Status Preview(grpc::ServerContext*, const v1::PreviewRequest* request,
                         v1::PreviewReply* reply) override
    {
        if (refusesPreviews)
            return {grpc::StatusCode::UNAVAILABLE, "The journal cannot be read just now."};
        reply->set_token("token");
        reply->set_targets("gpu001");
        *reply->mutable_action() = request->action();
        return grpc::Status::OK;
    }
    grpc::Status Execute(grpc::ServerContext* context, const v1::ExecuteRequest* request,
                         v1::Operation* reply) override
    {
        ++executes;
        if (diesInExecute) {
            if (writesDown)
                known = request->request_id();
            executing = true;
            while (!context->IsCancelled())
                std::this_thread::yield();
            return grpc::Status::CANCELLED;
        }
        if (!acceptsAll && known != request->request_id())
            return {grpc::StatusCode::FAILED_PRECONDITION, "This preview is not known."};
        if (acceptsAll)
            known = request->request_id();
        *reply = operationOf(known, domain::OperationState::Sent);
        return grpc::Status::OK;
    }
    grpc::Status ListOperations(grpc::ServerContext*, const v1::ListOperationsRequest*,
                                v1::ListOperationsReply* reply) override
    {
        ++looks;
        if (!known.empty())
            *reply->add_operations() =
                operationOf(known, acceptsAll && !isDone ? domain::OperationState::Sent
                                                         : domain::OperationState::Observed);
        return grpc::Status::OK;
    }

    std::atomic<bool> refusesPreviews = false;
    std::atomic<bool> diesInExecute = false;
    std::atomic<bool> writesDown = false;
    std::atomic<bool> executing = false;
    std::atomic<bool> acceptsAll = false;
    std::atomic<bool> isDone = false;
    std::atomic<int> executes = 0;
    std::atomic<int> looks = 0;
    std::string known;

private:
    const std::string m_path;
    std::unique_ptr<grpc::Server> m_server;
};

}  // namespace

/// What yardctl says and does when the daemon goes away between a request and its answer.
class LostDaemonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aDaemonThatComesBackTellsWhatBecameOfIt();
    void aRequestThatWasNotWrittenDownIsSaidToBeNotDone();
    void oneThatStaysAwayLeavesTheRequestId();
    void oneThatDiesWhileItIsWaitedForIsToldAtOnce();
    void oneThatDiesWhileItIsWaitedForMayComeBack();
    void theDaemonsOwnSentenceIsShown();
    void aRepeatFindsItsOperation();

private:
    void startDrain(const QStringList& more = {});
    bool finished() { return m_process->waitForFinished(60'000); }
    /// Drains, and ends the daemon while yardctl waits to see it done; all that it says by then.
    QByteArray dieWhileWaiting(const QStringList& more);
    QByteArray said() { return m_process->readAllStandardError(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MortalDaemon> m_daemon;
    std::unique_ptr<QProcess> m_process;
};

void LostDaemonTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>(QStringLiteral("/tmp/yard-lost-XXXXXX"));
    m_daemon = std::make_unique<MortalDaemon>(m_folder->filePath("yard.sock").toStdString());
    m_process = std::make_unique<QProcess>();
}

void LostDaemonTest::cleanup()
{
    m_process.reset();
    m_daemon.reset();
}

void LostDaemonTest::startDrain(const QStringList& more)
{
    m_process->start(
        QStringLiteral(YARD_BIN "/yardctl"),
        QStringList{QStringLiteral("--socket"), m_folder->filePath("yard.sock"),
                    QStringLiteral("drain"), QStringLiteral("gpu001"), QStringLiteral("--reason"),
                    QStringLiteral("why"), QStringLiteral("--yes")} +
            more);
    QVERIFY(m_process->waitForStarted());
}

void LostDaemonTest::aDaemonThatComesBackTellsWhatBecameOfIt()
{
    m_daemon->diesInExecute = true;
    m_daemon->writesDown = true;
    startDrain();
    QTRY_VERIFY_WITH_TIMEOUT(m_daemon->executing, 20'000);
    m_daemon->end();
    m_daemon->diesInExecute = false;
    QVERIFY(m_process->waitForReadyRead(20'000) || m_process->bytesAvailable() > 0 ||
            m_process->state() == QProcess::Running);
    m_daemon->start();
    QVERIFY(finished());
    const QByteArray error = said();
    QVERIFY2(m_process->exitCode() == 0, error.constData());
    QVERIFY2(error.contains("was lost before it answered"), error.constData());
    QVERIFY2(m_process->readAllStandardOutput().contains("Operation 7: gpu001 drained"),
             error.constData());
}

void LostDaemonTest::aRequestThatWasNotWrittenDownIsSaidToBeNotDone()
{
    m_daemon->diesInExecute = true;
    startDrain({QStringLiteral("--request-id"), QStringLiteral("mine-1")});
    QTRY_VERIFY_WITH_TIMEOUT(m_daemon->executing, 20'000);
    m_daemon->end();
    m_daemon->diesInExecute = false;
    m_daemon->start();
    QVERIFY(finished());
    const QByteArray error = said();
    QCOMPARE(m_process->exitCode(), 4);
    QVERIFY2(error.contains("has no record of request mine-1: nothing was done"),
             error.constData());
}

void LostDaemonTest::oneThatStaysAwayLeavesTheRequestId()
{
    m_daemon->diesInExecute = true;
    startDrain({QStringLiteral("--request-id"), QStringLiteral("mine-2"),
                QStringLiteral("--timeout"), QStringLiteral("2")});
    QTRY_VERIFY_WITH_TIMEOUT(m_daemon->executing, 20'000);
    m_daemon->end();
    QVERIFY(finished());
    const QByteArray error = said();
    QCOMPARE(m_process->exitCode(), 2);
    QVERIFY2(error.contains("may have been carried out"), error.constData());
    QVERIFY2(error.contains("--request-id mine-2"), error.constData());
}

QByteArray LostDaemonTest::dieWhileWaiting(const QStringList& more)
{
    m_daemon->acceptsAll = true;
    startDrain(more);
    QByteArray error;
    [&] {
        QTRY_VERIFY_WITH_TIMEOUT(m_daemon->looks > 1, 20'000);
        m_daemon->end();
        QTRY_VERIFY_WITH_TIMEOUT((error += said()).contains("--request-id"), 10'000);
    }();
    return error;
}

void LostDaemonTest::oneThatDiesWhileItIsWaitedForIsToldAtOnce()
{
    const QByteArray atOnce =
        dieWhileWaiting({QStringLiteral("--request-id"), QStringLiteral("mine-4"),
                         QStringLiteral("--wait"), QStringLiteral("20")});
    QCOMPARE(m_process->state(), QProcess::Running);
    QVERIFY2(atOnce.contains("Operation 7 is in its journal and may have been carried out"),
             atOnce.constData());
    QVERIFY2(atOnce.contains("--request-id mine-4"), atOnce.constData());
    QVERIFY(finished());
    QCOMPARE(m_process->exitCode(), 2);
    const QByteArray end = said();
    QVERIFY2(end.contains("yardmasterd has not come back"), end.constData());
}

void LostDaemonTest::oneThatDiesWhileItIsWaitedForMayComeBack()
{
    (void)dieWhileWaiting({QStringLiteral("--wait"), QStringLiteral("60")});
    m_daemon->isDone = true;
    m_daemon->start();
    QVERIFY(finished());
    const QByteArray error = said();
    QVERIFY2(m_process->exitCode() == 0, error.constData());
    QVERIFY2(error.contains("yardmasterd is back"), error.constData());
}

void LostDaemonTest::theDaemonsOwnSentenceIsShown()
{
    m_daemon->refusesPreviews = true;
    startDrain();
    QVERIFY(finished());
    const QByteArray error = said();
    QCOMPARE(m_process->exitCode(), 4);
    QCOMPARE(error, QByteArray("yardctl: The journal cannot be read just now.\n"));
}

void LostDaemonTest::aRepeatFindsItsOperation()
{
    m_daemon->known = "mine-3";
    m_daemon->refusesPreviews = true;
    startDrain({QStringLiteral("--request-id"), QStringLiteral("mine-3")});
    QVERIFY(finished());
    const QByteArray error = said();
    QVERIFY2(m_process->exitCode() == 0, error.constData());
    QVERIFY2(error.contains("is operation 7 (drain gpu001): it is not done again"),
             error.constData());
    QCOMPARE(int(m_daemon->executes), 0);
}

QTEST_GUILESS_MAIN(LostDaemonTest)
#include "lost_daemon_test.moc"
