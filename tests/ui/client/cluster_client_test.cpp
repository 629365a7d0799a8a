#include "ui/client/cluster_client.h"

#include <grpcpp/grpcpp.h>

#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "ui/model/action_rules.h"
#include "ui/model/cluster_state.h"
#include "ui/model/past_guard.h"
#include "ui/model/time_cursor.h"
#include "yard/v1/yard.grpc.pb.h"

using namespace yard;
using namespace yard::client;
using namespace yard::model;

namespace {

/// A daemon in this process: streams what the test pushes, carries out each request id once.
class SmallDaemon final : public v1::Yard::Service {
public:
    explicit SmallDaemon(std::string address)
        : m_address(std::move(address))
    {
        start();
    }
    ~SmallDaemon() override { stop(); }

    void start()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = false;
            m_queue.clear();
        }
        grpc::ServerBuilder builder;
        builder.AddListeningPort(m_address, grpc::InsecureServerCredentials());
        builder.RegisterService(this);
        m_server = builder.BuildAndStart();
    }
    void stop()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = true;
        }
        m_more.notify_all();
        if (m_server)
            m_server->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(200));
        m_server.reset();
    }
    void push(v1::Update update)
    {
        const std::lock_guard lock(m_mutex);
        m_queue.push_back(std::move(update));
        m_more.notify_all();
    }
    int watches()
    {
        const std::lock_guard lock(m_mutex);
        return m_watches;
    }
    int written()
    {
        const std::lock_guard lock(m_mutex);
        return m_written;
    }
    void holdMoments(bool held)
    {
        const std::lock_guard lock(m_mutex);
        m_momentsHeld = held;
        m_more.notify_all();
    }
    std::vector<int64_t> moments()
    {
        const std::lock_guard lock(m_mutex);
        return m_moments;
    }
    void setExecuteDelay(int ms) { m_executeDelayMs = ms; }
    size_t operations()
    {
        const std::lock_guard lock(m_mutex);
        return m_operations.size();
    }

    static v1::Update full(uint64_t revision)
    {
        v1::Update update;
        update.set_revision(revision);
        update.set_time_us(1'773'000'000'000'000);
        update.set_cluster("seren");
        update.set_time_zone("Asia/Shanghai");
        update.mutable_you()->set_user("u1");
        update.mutable_you()->set_role(2);
        for (int i = 0; i < 4; ++i) {
            v1::Node& node = *update.add_nodes();
            node.set_name("gpu" + std::to_string(i));
            node.set_state(2);
            node.set_state_text("IDLE");
            node.set_gpus_total(8);
            update.add_reading_age_s(1);
        }
        v1::Job& job = *update.add_jobs();
        job.set_id(7);
        job.set_display_id("7");
        job.set_state(2);
        job.set_nodes("gpu[1-2]");
        job.set_submit_time_us(1'772'999'000'000'123);
        v1::GpuColumn& column = *update.add_gpu_columns();
        column.set_metric(5);
        for (int i = 0; i < 32; ++i)
            column.add_values(i == 3 ? std::numeric_limits<float>::quiet_NaN() : float(i));
        return update;
    }
    static v1::Update delta(uint64_t base)
    {
        v1::Update update;
        update.set_base_revision(base);
        update.set_revision(base + 1);
        update.set_time_us(1'773'000'001'000'000);
        v1::GpuColumn& column = *update.add_gpu_columns();
        column.set_metric(5);
        column.add_values(float(base) * 100);
        column.add_index(0);
        return update;
    }

private:
    grpc::Status Watch(grpc::ServerContext* context, const v1::WatchRequest*,
                       grpc::ServerWriter<v1::Update>* writer) override
    {
        {
            const std::lock_guard lock(m_mutex);
            ++m_watches;
        }
        for (;;) {
            v1::Update next;
            {
                std::unique_lock lock(m_mutex);
                m_more.wait_for(lock, std::chrono::milliseconds(20),
                                [&] { return m_stopping || !m_queue.empty(); });
                if (m_stopping || context->IsCancelled())
                    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "shutting down");
                if (m_queue.empty())
                    continue;
                next = std::move(m_queue.front());
                m_queue.pop_front();
            }
            if (!writer->Write(next))
                return grpc::Status::OK;
            const std::lock_guard lock(m_mutex);
            ++m_written;
        }
    }
    grpc::Status Preview(grpc::ServerContext*, const v1::PreviewRequest* request,
                         v1::PreviewReply* reply) override
    {
        if (request->action().nodes_size() == 0)
            return {grpc::StatusCode::INVALID_ARGUMENT, "No node was named."};
        reply->set_token("t1");
        *reply->mutable_action() = request->action();
        reply->set_targets("gpu1");
        reply->set_target_count(1);
        reply->add_commands("scontrol update NodeName=gpu1 State=DRAIN");
        reply->set_refusal(request->excluded_expression());
        return grpc::Status::OK;
    }
    grpc::Status Execute(grpc::ServerContext* context, const v1::ExecuteRequest* request,
                         v1::Operation* reply) override
    {
        if (request->token() == "old")
            return {grpc::StatusCode::FAILED_PRECONDITION, "The state has changed."};
        if (request->token() == "denied")
            return {grpc::StatusCode::PERMISSION_DENIED, "You are a viewer."};
        {
            const std::lock_guard lock(m_mutex);
            auto& operation = m_operations[request->request_id()];
            if (operation.id() == 0)
                operation.set_id(m_operations.size());
            operation.set_request_id(request->request_id());
            *reply = operation;
        }
        for (int waited = 0; waited < m_executeDelayMs && !context->IsCancelled(); waited += 10)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return grpc::Status::OK;
    }

    grpc::Status GetMoment(grpc::ServerContext*, const v1::MomentRequest* request,
                           v1::MomentReply* reply) override
    {
        std::unique_lock lock(m_mutex);
        m_moments.push_back(request->at_us());
        m_more.wait(lock, [&] { return m_stopping || !m_momentsHeld; });
        *reply->mutable_update() = full(1);
        reply->mutable_update()->set_time_us(request->at_us());
        reply->mutable_update()->mutable_nodes(0)->set_reason("then");
        reply->set_known(true);
        reply->set_readings_kept(true);
        reply->add_warnings("A block is damaged.");
        return grpc::Status::OK;
    }
    grpc::Status GetTimeline(grpc::ServerContext*, const v1::TimelineRequest*,
                             v1::TimelineReply* reply) override
    {
        reply->mutable_extent()->set_from_us(1'772'000'000'000'000);
        reply->set_from_us(1'772'000'000'000'000);
        reply->set_to_us(1'773'000'000'000'000);
        reply->set_now_us(1'773'000'000'000'000);
        reply->add_faults(0);
        reply->add_faults(2);
        return grpc::Status::OK;
    }

    grpc::Status GetSeries(grpc::ServerContext*, const v1::SeriesRequest* request,
                           v1::SeriesReply* reply) override
    {
        if (request->node() == "nosuch")
            return {grpc::StatusCode::NOT_FOUND, "No readings of nosuch were ever kept."};
        v1::Series& series = *reply->add_series();
        series.set_metric(request->metrics(0));
        series.add_at_us(request->from_us());
        series.add_min(float(request->gpu()));
        series.add_mean(float(request->kind()));
        series.add_max(float(request->max_points()));
        series.add_at_us(request->to_us());  // without values: cut
        reply->set_step_s(15);
        reply->add_warnings("A block is damaged.");
        return grpc::Status::OK;
    }

    std::string m_address;
    std::unique_ptr<grpc::Server> m_server;
    std::vector<int64_t> m_moments;
    bool m_momentsHeld = false;
    std::mutex m_mutex;
    std::condition_variable m_more;
    std::deque<v1::Update> m_queue;
    std::map<std::string, v1::Operation> m_operations;
    bool m_stopping = false;
    int m_watches = 0;
    int m_written = 0;
    std::atomic<int> m_executeDelayMs{0};
};

constexpr int kPatience = 15'000;

}  // namespace

class ClusterClientTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void theFirstUpdateIsTheWholeMap();
    void deltasFollowInOrder();
    void aGapAsksForEverythingAnew();
    void aLostDaemonIsSaidAndComesBackByItself();
    void noDaemonIsSaidWithTheNextAttempt();
    void aSilentStreamIsAskedAnew();
    void aSlowWindowSlowsTheStream();
    void destructionInTheMiddleIsClean();
    void theCursorInThePastShowsItsMoment();
    void aDragAsksForTheNewestOnly();
    void liveAfterThePastIsTheWholeMapAgain();
    void inThePastAWindowActsOnNothing();
    void actionsTravelAndComeBack();
    void seriesTravelAndComeBack();
    void errorsAreSentences_data();
    void errorsAreSentences();
    void aLostAnswerIsUnknownAndTheSameIdActsOnce();

private:
    ClientTiming quick() const { return {20, 100, 5000, 5000, 2000}; }
    QString address() const
    {
        return QStringLiteral("unix:") + m_dir->filePath(QStringLiteral("s"));
    }
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<SmallDaemon> m_daemon;
};

void ClusterClientTest::init()
{
    m_dir = std::make_unique<QTemporaryDir>();
    m_daemon = std::make_unique<SmallDaemon>(address().toStdString());
}

void ClusterClientTest::cleanup()
{
    m_daemon.reset();
    m_dir.reset();
}

void ClusterClientTest::theFirstUpdateIsTheWholeMap()
{
    ClusterState state;
    ClusterClient client(address(), state, nullptr, quick());
    QCOMPARE(state.connection(), Connection::Connecting);
    client.start();
    m_daemon->push(SmallDaemon::full(10));

    QTRY_COMPARE_WITH_TIMEOUT(state.connection(), Connection::Connected, kPatience);
    QCOMPARE(state.cluster(), QStringLiteral("seren"));
    QCOMPARE(state.timeZone().id(), QByteArray("Asia/Shanghai"));
    QCOMPARE(state.role(), Role::Operator);
    QCOMPARE(state.nodes().size(), 4);
    QCOMPARE(state.gpuCount(), 32);
    QCOMPARE(state.gpuValue(GpuMetric::Power, 0, 2), 2.0F);
    QVERIFY(std::isnan(state.gpuValue(GpuMetric::Power, 0, 3)));
    QCOMPARE(state.jobsOnNode(1).size(), 1);
    QVERIFY(!state.job(QStringLiteral("7"))->endTime.isValid());
}

void ClusterClientTest::deltasFollowInOrder()
{
    ClusterState state;
    ClusterClient client(address(), state, nullptr, quick());
    client.start();
    m_daemon->push(SmallDaemon::full(10));
    for (uint64_t base = 10; base < 40; ++base)
        m_daemon->push(SmallDaemon::delta(base));

    QTRY_COMPARE_WITH_TIMEOUT(state.revision(), 40U, kPatience);
    QCOMPARE(state.gpuValue(GpuMetric::Power, 0, 0), 3900.0F);
    QCOMPARE(m_daemon->watches(), 1);
}

void ClusterClientTest::aGapAsksForEverythingAnew()
{
    ClusterState state;
    ClusterClient client(address(), state, nullptr, quick());
    client.start();
    m_daemon->push(SmallDaemon::full(10));
    QTRY_COMPARE_WITH_TIMEOUT(state.revision(), 10U, kPatience);
    m_daemon->push(SmallDaemon::delta(12));

    QTRY_COMPARE_WITH_TIMEOUT(m_daemon->watches(), 2, kPatience);
    QCOMPARE(state.revision(), 10U);  // nothing of it was applied
    m_daemon->push(SmallDaemon::full(13));
    QTRY_COMPARE_WITH_TIMEOUT(state.revision(), 13U, kPatience);
    QCOMPARE(state.connection(), Connection::Connected);
}

void ClusterClientTest::aLostDaemonIsSaidAndComesBackByItself()
{
    ClusterState state;
    ClusterClient client(address(), state, nullptr, quick());
    client.start();
    m_daemon->push(SmallDaemon::full(10));
    QTRY_COMPARE_WITH_TIMEOUT(state.connection(), Connection::Connected, kPatience);
    m_daemon->stop();

    QTRY_COMPARE_WITH_TIMEOUT(state.connection(), Connection::Disconnected, kPatience);
    QVERIFY2(state.connectionError().contains(address()), qPrintable(state.connectionError()));
    QVERIFY(state.nextAttempt().isValid());
    QCOMPARE(state.nodes().size(), 4);  // the last state stays
    const double age = state.age();
    QTRY_VERIFY_WITH_TIMEOUT(state.age() > age + 0.05, kPatience);

    m_daemon->start();
    QTRY_VERIFY_WITH_TIMEOUT(m_daemon->watches() >= 2, kPatience);
    m_daemon->push(SmallDaemon::full(1));  // a new daemon counts from the start
    QTRY_COMPARE_WITH_TIMEOUT(state.connection(), Connection::Connected, kPatience);
    QCOMPARE(state.revision(), 1U);
    QCOMPARE(state.connectionError(), QString());
}

void ClusterClientTest::noDaemonIsSaidWithTheNextAttempt()
{
    m_daemon->stop();
    ClusterState state;
    ClusterClient client(address(), state, nullptr, quick());
    client.start();
    QTRY_COMPARE_WITH_TIMEOUT(state.connection(), Connection::Disconnected, kPatience);
    QCOMPARE(state.connectionError(), QStringLiteral("No daemon answers at %1.").arg(address()));
    QVERIFY(state.nextAttempt() > QDateTime::currentDateTimeUtc().addSecs(-5));
    QVERIFY(!state.hasSnapshot());
}

void ClusterClientTest::aSilentStreamIsAskedAnew()
{
    ClusterState state;
    ClientTiming timing = quick();
    timing.silenceMs = 150;
    ClusterClient client(address(), state, nullptr, timing);
    client.start();
    m_daemon->push(SmallDaemon::full(10));
    QTRY_VERIFY_WITH_TIMEOUT(m_daemon->watches() >= 2, kPatience);
    QVERIFY(state.connectionError().contains(QStringLiteral("silent")) ||
            state.connection() == Connection::Connected);
}

void ClusterClientTest::aSlowWindowSlowsTheStream()
{
    ClusterState state;
    ClusterClient client(address(), state, nullptr, quick());
    client.start();
    // Updates too large for the buffers on the way, and a window that takes none of them.
    for (int i = 0; i < 40; ++i) {
        v1::Update update = SmallDaemon::full(uint64_t(i) + 1);
        update.mutable_nodes(0)->set_comment(std::string(2'000'000, 'x'));
        m_daemon->push(std::move(update));
    }
    const QDeadlineTimer wait(1500);
    while (!wait.hasExpired())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    QVERIFY2(m_daemon->written() < 30, qPrintable(QString::number(m_daemon->written())));
    QTRY_COMPARE_WITH_TIMEOUT(state.revision(), 40U, kPatience);
}

void ClusterClientTest::destructionInTheMiddleIsClean()
{
    for (int round = 0; round < 20; ++round) {
        auto ended = std::make_shared<bool>(false);
        const auto mark = qScopeGuard([ended] { *ended = true; });  // runs after the client's end
        ClusterState state;
        ClusterClient client(address(), state, nullptr, quick());
        client.start();
        m_daemon->push(SmallDaemon::full(1));
        m_daemon->push(SmallDaemon::delta(1));
        client.actions().audit(0, 10, [ended](const auto&) { QVERIFY(!*ended); });
        if (round % 3 == 0)
            QTRY_VERIFY_WITH_TIMEOUT(m_daemon->watches() > round / 3, kPatience);
    }
}

void ClusterClientTest::theCursorInThePastShowsItsMoment()
{
    ClusterState state;
    TimeCursor cursor;
    ClusterClient client(address(), state, nullptr, quick());
    client.follow(cursor);
    client.start();
    m_daemon->push(SmallDaemon::full(10));
    QTRY_COMPARE_WITH_TIMEOUT(state.revision(), 10U, kPatience);
    QTRY_VERIFY_WITH_TIMEOUT(cursor.hasHistory(), kPatience);
    QCOMPARE(cursor.timeline().faults, (QVector<int>{0, 2}));

    const QDateTime then = cursor.timeline().first.addSecs(500);
    cursor.moveTo(then);
    QTRY_VERIFY_WITH_TIMEOUT(state.isPast(), kPatience);
    QCOMPARE(state.now(), then);
    QCOMPARE(state.nodes().at(0).reason, QStringLiteral("then"));
    QCOMPARE(state.connection(), Connection::Connected);
    QCOMPARE(state.pastWarnings(), QStringList{QStringLiteral("A block is damaged.")});
    // Time stands still there, and what comes from the present changes nothing.
    m_daemon->push(SmallDaemon::full(11));
    QTest::qWait(50);
    QCOMPARE(state.now(), then);
    QCOMPARE(state.freshness(0), Freshness::Live);
}

void ClusterClientTest::aDragAsksForTheNewestOnly()
{
    ClusterState state;
    TimeCursor cursor;
    ClusterClient client(address(), state, nullptr, quick());
    client.follow(cursor);
    client.start();
    QTRY_VERIFY_WITH_TIMEOUT(cursor.hasHistory(), kPatience);
    m_daemon->holdMoments(true);
    cursor.setDragging(true);
    for (int second = 1; second <= 100; ++second)
        cursor.moveTo(cursor.timeline().first.addSecs(second));
    QTRY_COMPARE_WITH_TIMEOUT(m_daemon->moments().size(), size_t(1), kPatience);
    m_daemon->holdMoments(false);
    QTRY_COMPARE_WITH_TIMEOUT(state.now(), cursor.timeline().first.addSecs(100), kPatience);
    QCOMPARE(m_daemon->moments().size(), size_t(2));
}

void ClusterClientTest::liveAfterThePastIsTheWholeMapAgain()
{
    ClusterState state;
    TimeCursor cursor;
    ClusterClient client(address(), state, nullptr, quick());
    client.follow(cursor);
    cursor.moveTo(QDateTime::fromSecsSinceEpoch(1'772'000'100, Qt::UTC));
    client.start();
    QTRY_VERIFY_WITH_TIMEOUT(state.isPast(), kPatience);
    QCOMPARE(m_daemon->watches(), 0);
    cursor.goLive();
    m_daemon->push(SmallDaemon::full(12));
    QTRY_COMPARE_WITH_TIMEOUT(state.revision(), 12U, kPatience);
    QVERIFY(!state.isPast());
    QVERIFY(state.pastWarnings().isEmpty());
}

void ClusterClientTest::inThePastAWindowActsOnNothing()
{
    ClusterState state;
    TimeCursor cursor;
    ClusterClient client(address(), state, nullptr, quick());
    PastGuard guard(state, client.actions());
    client.follow(cursor);
    cursor.moveTo(QDateTime::fromSecsSinceEpoch(1'772'000'100, Qt::UTC));
    client.start();
    QTRY_VERIFY_WITH_TIMEOUT(state.isPast(), kPatience);
    QString error;
    ActionRequest request;
    request.nodes = QStringList{QStringLiteral("gpu1")};
    guard.preview(request, [&](const Reply<PreviewInfo>& reply) { error = reply.error; });
    QCOMPARE(error, refusalInThePast());
    error.clear();
    guard.execute(QStringLiteral("t1"), QStringLiteral("r"), {}, 1,
                  [&](const Reply<OperationInfo>& reply) { error = reply.error; });
    QCOMPARE(error, refusalInThePast());
    QCOMPARE(m_daemon->operations(), size_t(0));
    QCOMPARE(refusalFor(state, ActionKind::Drain, request.nodes), refusalInThePast());
}

void ClusterClientTest::actionsTravelAndComeBack()
{
    ClusterState state;
    ClusterClient client(address(), state, nullptr, quick());
    ActionRequest request;
    request.nodes = QStringList{QStringLiteral("gpu1")};
    request.excludedNodes = QStringLiteral("gpu[2-3]");
    std::optional<Reply<PreviewInfo>> preview;
    client.actions().preview(request, [&](const auto& reply) { preview = reply; });
    QTRY_VERIFY_WITH_TIMEOUT(preview.has_value(), kPatience);
    QVERIFY2(preview->value.has_value(), qPrintable(preview->error));
    QCOMPARE(preview->value->token, QStringLiteral("t1"));
    QCOMPARE(preview->value->refusal, QStringLiteral("gpu[2-3]"));  // it came through
    QCOMPARE(preview->value->kind, ActionKind::Drain);
    QVERIFY(!preview->value->emptyBy.isValid());

    std::optional<Reply<OperationInfo>> operation;
    client.actions().execute(QStringLiteral("t1"), QStringLiteral("r1"), QStringLiteral("fan"), 0,
                             [&](const auto& reply) { operation = reply; });
    QTRY_VERIFY_WITH_TIMEOUT(operation.has_value(), kPatience);
    QCOMPARE(operation->value->requestId, QStringLiteral("r1"));
}

void ClusterClientTest::seriesTravelAndComeBack()
{
    ClusterState state;
    ClusterClient client(address(), state, nullptr, quick());
    const QDateTime from = QDateTime::fromMSecsSinceEpoch(1'773'000'000'000, Qt::UTC);
    SeriesRequest request{{QStringLiteral("gpu1"), 3, QStringLiteral("GPU-a")},
                          {int(GpuMetric::Power)},
                          from,
                          from.addSecs(60),
                          500};
    std::optional<Reply<SeriesInfo>> reply;
    const auto done = [&](const Reply<SeriesInfo>& got) { reply = got; };
    client.actions().series(request, done);
    QTRY_VERIFY_WITH_TIMEOUT(reply.has_value(), kPatience);
    QVERIFY2(reply->value, qPrintable(reply->error));
    QCOMPARE(reply->value->stepMs, 15'000);
    QCOMPARE(reply->value->warnings, QStringList{QStringLiteral("A block is damaged.")});
    const QVector<SeriesPoint> wanted{{from.toMSecsSinceEpoch(), 3, 0, 500}};
    QCOMPARE(reply->value->metrics, QVector<QVector<SeriesPoint>>{wanted});

    reply.reset();
    request.subject = {QStringLiteral("nosuch"), -1, {}};
    client.actions().series(request, done);
    QTRY_VERIFY_WITH_TIMEOUT(reply.has_value(), kPatience);
    QCOMPARE(reply->error, QStringLiteral("No readings of nosuch were ever kept."));
}

void ClusterClientTest::errorsAreSentences_data()
{
    QTest::addColumn<QString>("token");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("changed") << QStringLiteral("old") << int(ReplyCode::Changed)
                             << QStringLiteral("The state has changed.");
    QTest::newRow("denied") << QStringLiteral("denied") << int(ReplyCode::Denied)
                            << QStringLiteral("You are a viewer.");
}

void ClusterClientTest::errorsAreSentences()
{
    QFETCH(QString, token);
    QFETCH(int, code);
    QFETCH(QString, sentence);
    ClusterState state;
    ClusterClient client(address(), state, nullptr, quick());
    std::optional<Reply<OperationInfo>> answer;
    client.actions().execute(token, QStringLiteral("r"), {}, 0,
                             [&](const auto& reply) { answer = reply; });
    QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), kPatience);
    QVERIFY(!answer->value.has_value());
    QCOMPARE(int(answer->code), code);
    QCOMPARE(answer->error, sentence);
}

void ClusterClientTest::aLostAnswerIsUnknownAndTheSameIdActsOnce()
{
    ClusterState state;
    ClientTiming timing = quick();
    timing.callMs = 150;
    ClusterClient client(address(), state, nullptr, timing);
    m_daemon->setExecuteDelay(3000);
    std::optional<Reply<OperationInfo>> answer;
    const auto send = [&] {
        answer.reset();
        client.actions().execute(QStringLiteral("t1"), QStringLiteral("same"), {}, 0,
                                 [&](const auto& reply) { answer = reply; });
    };
    send();
    QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), kPatience);
    QCOMPARE(answer->code, ReplyCode::NoAnswer);
    QVERIFY(answer->error.contains(QStringLiteral("did not answer in time")));
    QCOMPARE(m_daemon->operations(), 1U);  // and yet it was done
    m_daemon->setExecuteDelay(0);
    send();
    QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), kPatience);
    QCOMPARE(answer->value->id, 1U);
    QCOMPARE(m_daemon->operations(), 1U);
}

QTEST_GUILESS_MAIN(ClusterClientTest)
#include "cluster_client_test.moc"
