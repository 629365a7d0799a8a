#include "backend/rpc/server.h"

#include <google/protobuf/descriptor.h>
#include <grpcpp/create_channel.h>
#include <sys/resource.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <functional>
#include <future>
#include <thread>

#include "backend/control/desk.h"
#include "backend/rpc/access_rules.h"
#include "backend/scheduler/simulated/simulated_scheduler.h"
#include "yard/v1/yard.grpc.pb.h"

using namespace yard;
using namespace std::chrono_literals;
using domain::Role;

namespace {

using Stub = v1::Yard::Stub;
using Call = std::function<grpc::Status(Stub&, grpc::ClientContext&)>;

template <typename Request, typename Reply>
Call unary(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Reply*))
{
    return [method](Stub& stub, grpc::ClientContext& context) {
        Reply reply;
        return (stub.*method)(&context, Request(), &reply);
    };
}

grpc::Status watchOnce(Stub& stub, grpc::ClientContext& context)
{
    const auto reader = stub.Watch(&context, {});
    v1::Update update;
    const bool got = reader->Read(&update);
    // A refusal ends the stream by itself; cancelling could hide its status.
    if (got)
        context.TryCancel();
    const grpc::Status status = reader->Finish();
    return got ? grpc::Status::OK : status;
}

/// How to call each method of the service, by its name in the descriptor.
const std::map<std::string, Call>& calls()
{
    static const std::map<std::string, Call> all{
        {"Watch", watchOnce},
        {"GetSnapshot", unary(&Stub::GetSnapshot)},
        {"Preview", unary(&Stub::Preview)},
        {"Execute", unary(&Stub::Execute)},
        {"PreviewUndo", unary(&Stub::PreviewUndo)},
        {"ListOperations", unary(&Stub::ListOperations)},
        {"ListAudit", unary(&Stub::ListAudit)},
        {"GetJob", unary(&Stub::GetJob)},
        {"GetMoment", unary(&Stub::GetMoment)},
        {"GetSeries", unary(&Stub::GetSeries)},
        {"GetTimeline", unary(&Stub::GetTimeline)},
        {"Characterize", unary(&Stub::Characterize)},
        {"ListIncidents", unary(&Stub::ListIncidents)},
        {"GetIncident", unary(&Stub::GetIncident)},
        {"ChangeIncident", unary(&Stub::ChangeIncident)},
    };
    return all;
}

const google::protobuf::ServiceDescriptor& service()
{
    return *v1::WatchRequest::descriptor()->file()->FindServiceByName("Yard");
}

rpc::AccessOptions onlyRole(Role role)
{
    rpc::AccessOptions options;
    const std::vector<std::string> me{std::to_string(geteuid())};
    switch (role) {
        case Role::None:
            options.deniedUsers = me;
            break;
        case Role::Viewer:
            options.viewerUsers = me;
            break;
        case Role::Operator:
            options.operatorUsers = me;
            break;
        case Role::Admin:
            options.adminUsers = me;
            break;
    }
    return options;
}

bool isRefusal(const grpc::Status& status)
{
    return status.error_code() == grpc::StatusCode::PERMISSION_DENIED ||
           status.error_code() == grpc::StatusCode::UNAUTHENTICATED;
}

QString words(const grpc::Status& status)
{
    return QString::fromStdString(status.error_message());
}

}  // namespace

class ServerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyMethodHasARuleAndEveryRuleAMethod();
    void everyMethodIsHeldToItsRole_data();
    void everyMethodIsHeldToItsRole();
    void aRefusalSaysWhatIsMissingAndIsAudited();
    void submittingAsSomebodyElseNeedsAnAdmin();
    void theFirstUpdateIsFullAndSaysWhoIAm();
    void aMomentIsAFullUpdateWithReadings();
    void aMomentBeforeAllHistoryHasNoStates();
    void aSeriesNamesItsMistakes();
    void jobsAreCharacterizedWithThePaperBeside();
    void readersThatVanishAreForgotten();
    void fiftyReadersAreServedPastASlowOne();
    void hugeRequestsAreRefused();
    void connectionsAreBounded();
    void stoppingEndsStreamsInTime();

private:
    void serve(Role role, rpc::PeerRegistry::Limits limits = {});
    std::unique_ptr<Stub> connect();

    SystemClock m_clock;
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<store::Journal> m_journal;
    std::unique_ptr<scheduler::Scheduler> m_scheduler;
    std::shared_ptr<scheduler::SimulatedCluster> m_cluster;
    std::unique_ptr<store::SeriesKeeper> m_history;
    std::unique_ptr<control::Desk> m_desk;
    std::unique_ptr<control::Past> m_past;
    std::unique_ptr<rpc::Server> m_server;
    int m_sockets = 0;
    std::string m_path;
};

void ServerTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>(QStringLiteral("/tmp/yard-test-XXXXXX"));
    auto journal =
        store::Journal::open(m_directory->filePath(QStringLiteral("journal.db")).toStdString());
    QVERIFY(journal.ok());
    m_journal = *std::move(journal);
    scheduler::SimulatedOptions options;
    options.nodes = 64;
    m_cluster = std::make_shared<scheduler::SimulatedCluster>(options, m_clock);
    m_scheduler = std::make_unique<scheduler::SimulatedScheduler>(m_cluster);
    m_history = std::make_unique<store::SeriesKeeper>(
        m_directory->filePath(QStringLiteral("series.db")).toStdString(), m_clock,
        store::SeriesRetention());
    control::DeskOptions desk;
    desk.pollInterval = 200ms;
    m_desk = std::make_unique<control::Desk>(*m_scheduler, *m_journal, m_clock, desk);
    m_desk->record(*m_history);
    m_past = std::make_unique<control::Past>(
        *m_journal, m_history.get(),
        control::Past::About{"test",
                             "Asia/Shanghai",
                             false,
                             10,
                             m_directory->filePath(QStringLiteral("journal.db")).toStdString(),
                             {}});
    m_desk->start();
}

void ServerTest::cleanup()
{
    if (m_server)
        m_server->stop(200ms);
    m_desk->stop();
    m_server.reset();
    m_desk.reset();
    m_past.reset();
    m_history.reset();
    m_scheduler.reset();
    m_journal.reset();
}

void ServerTest::serve(Role role, rpc::PeerRegistry::Limits limits)
{
    m_server.reset();
    m_path = m_directory->filePath(QStringLiteral("%1.sock").arg(++m_sockets)).toStdString();
    rpc::ServerOptions options;
    options.socketPath = m_path;
    options.limits = limits;
    options.access = onlyRole(role);
    auto server = rpc::Server::start(options, m_desk->hub(), m_desk->operations(),
                                     m_desk->incidents(), *m_past, m_clock);
    QVERIFY(server.ok());
    m_server = *std::move(server);
}

std::unique_ptr<Stub> ServerTest::connect()
{
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetMaxReceiveMessageSize(-1);
    return v1::Yard::NewStub(
        grpc::CreateCustomChannel("unix:" + m_path, grpc::InsecureChannelCredentials(), arguments));
}

void ServerTest::everyMethodHasARuleAndEveryRuleAMethod()
{
    std::set<std::string> methods;
    for (int i = 0; i < service().method_count(); ++i)
        methods.insert(service().method(i)->name());
    for (const std::string& method : methods) {
        const auto needed = rpc::roleNeeded(method);
        QVERIFY2(needed && *needed != Role::None,
                 qPrintable(QString::fromStdString(method + " has no rule")));
        QVERIFY2(calls().count(method),
                 qPrintable(QString::fromStdString(method + " is not tried here")));
    }
    for (const rpc::AccessRule& rule : rpc::accessRules())
        QVERIFY(methods.count(std::string(rule.method)));
    QCOMPARE(rpc::accessRules().size(), methods.size());
}

void ServerTest::everyMethodIsHeldToItsRole_data()
{
    QTest::addColumn<int>("role");
    for (const Role role : {Role::None, Role::Viewer, Role::Operator, Role::Admin})
        QTest::newRow(std::string(domain::name(role)).c_str()) << int(role);
}

void ServerTest::everyMethodIsHeldToItsRole()
{
    QFETCH(int, role);
    serve(Role(role));
    const auto stub = connect();
    for (const auto& [method, call] : calls()) {
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + 20s);
        const grpc::Status status = call(*stub, context);
        const bool allowed = Role(role) >= *rpc::roleNeeded(method);
        QVERIFY2(isRefusal(status) == !allowed,
                 qPrintable(QString::fromStdString(method) + QStringLiteral(": ") + words(status)));
        QVERIFY(status.error_code() != grpc::StatusCode::UNIMPLEMENTED);
        QVERIFY2(status.error_code() != grpc::StatusCode::DEADLINE_EXCEEDED, method.c_str());
    }
}

void ServerTest::aRefusalSaysWhatIsMissingAndIsAudited()
{
    serve(Role::Viewer);
    const auto stub = connect();
    for (int i = 0; i < 20; ++i) {
        grpc::ClientContext context;
        v1::PreviewReply reply;
        const grpc::Status status = stub->Preview(&context, {}, &reply);
        QVERIFY(words(status).contains(QStringLiteral("needs the role operator")));
        QVERIFY(words(status).contains(QStringLiteral("operator_users")));
    }
    int denied = 0;
    const auto count = [&] {
        grpc::ClientContext context;
        v1::ListAuditReply reply;
        if (!stub->ListAudit(&context, {}, &reply).ok())
            return -1;
        denied = 0;
        for (const v1::AuditRecord& record : reply.records())
            denied += record.event() == "denied" ? 1 : 0;
        return denied;
    };
    QTRY_VERIFY_WITH_TIMEOUT(count() >= 1, 5000);
    // A client that keeps trying does not fill the chain.
    QVERIFY2(denied < 10, qPrintable(QString::number(denied)));
}

void ServerTest::submittingAsSomebodyElseNeedsAnAdmin()
{
    v1::PreviewRequest request;
    request.mutable_action()->set_kind(uint32_t(domain::ActionKind::Submit));
    request.mutable_action()->mutable_submission()->set_script("#!/bin/sh\ntrue\n");
    request.mutable_action()->mutable_submission()->set_user("somebody");
    for (const Role role : {Role::Operator, Role::Admin}) {
        serve(role);
        grpc::ClientContext context;
        v1::PreviewReply reply;
        const grpc::Status status = connect()->Preview(&context, request, &reply);
        QCOMPARE(isRefusal(status), role == Role::Operator);
    }
}

void ServerTest::theFirstUpdateIsFullAndSaysWhoIAm()
{
    serve(Role::Operator);
    const auto stub = connect();
    grpc::ClientContext context;
    const auto reader = stub->Watch(&context, {});
    v1::Update update;
    // Before the scheduler's first reply there is a full update as well, of no nodes yet.
    do
        QVERIFY(reader->Read(&update));
    while (update.nodes_size() == 0);
    QCOMPARE(update.base_revision(), 0u);
    QCOMPARE(update.you().role(), uint32_t(Role::Operator));
    QCOMPARE(QString::fromStdString(update.you().from()),
             QStringLiteral("unix pid %1").arg(getpid()));
    const uint64_t revision = update.revision();
    QVERIFY(reader->Read(&update));
    QCOMPARE(update.base_revision(), revision);  // who is who, right behind the first map
    QVERIFY(update.revision() >= revision);
    context.TryCancel();
}

void ServerTest::aMomentIsAFullUpdateWithReadings()
{
    serve(Role::Viewer);
    const auto stub = connect();
    const auto moment = [&](bool withReadings) {
        grpc::ClientContext context;
        v1::MomentRequest request;
        request.set_at_us(
            std::chrono::duration_cast<std::chrono::microseconds>(m_clock.now().time_since_epoch())
                .count());
        request.add_gpu_metrics(uint32_t(domain::GpuMetric::Power));
        request.set_without_readings(!withReadings);
        v1::MomentReply reply;
        return stub->GetMoment(&context, request, &reply).ok() ? reply : v1::MomentReply();
    };
    QTRY_VERIFY_WITH_TIMEOUT(moment(false).known(), 10'000);
    telemetry::Scrape scrape;
    const auto power = [&] {
        scrape.hosts = m_cluster->readings();
        m_desk->scraped({}, scrape);
        const v1::MomentReply reply = moment(true);
        int known = 0;
        for (const v1::GpuColumn& column : reply.update().gpu_columns())
            for (const float value : column.values())
                known += value > 0 ? 1 : 0;
        return known;
    };
    // The recorder takes a moment every 15 seconds.
    QTRY_VERIFY_WITH_TIMEOUT(power() > 400, 25'000);

    const v1::MomentReply reply = moment(true);
    QCOMPARE(reply.update().base_revision(), uint64_t(0));
    QCOMPARE(reply.update().nodes_size(), 64);
    QCOMPARE(reply.update().reading_age_s_size(), 64);
    QCOMPARE(reply.update().gpu_columns_size(), 1);
    QCOMPARE(reply.update().gpu_columns(0).values_size(), 512);
    QCOMPARE(reply.update().gpu_identities_size(), 64);
    QCOMPARE(reply.update().time_zone(), std::string("Asia/Shanghai"));
    QVERIFY(reply.update().has_you());
    QVERIFY(reply.update().jobs_size() > 0);
    QVERIFY(reply.readings_kept());
}

void ServerTest::aMomentBeforeAllHistoryHasNoStates()
{
    serve(Role::Viewer);
    const auto stub = connect();
    grpc::ClientContext context;
    v1::MomentRequest request;
    request.set_at_us(1'000'000'000'000'000);
    v1::MomentReply reply;
    QVERIFY(stub->GetMoment(&context, request, &reply).ok());
    QVERIFY(!reply.known());
    QVERIFY(!reply.has_last_known_us());
    QCOMPARE(reply.update().nodes_size(), 0);
    QCOMPARE(reply.update().time_us(), int64_t(1'000'000'000'000'000));
}

void ServerTest::jobsAreCharacterizedWithThePaperBeside()
{
    serve(Role::Viewer);
    const auto stub = connect();
    v1::CharacterizeReply reply;
    const auto value = [&](const std::string& name) {
        for (const v1::CharacterizedFigure& figure : reply.figures())
            if (figure.name() == name)
                return figure.value();
        return -1.0;
    };
    const auto jobs = [&](int64_t fromUs) {
        grpc::ClientContext context;
        v1::CharacterizeRequest request;
        request.set_from_us(fromUs);
        return stub->Characterize(&context, request, &reply).ok() ? value("jobs") : -1.0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(jobs(0) > 0, 10'000);
    QVERIFY(reply.known_from_us() > 0);
    QVERIFY(reply.rules() > 0);
    QVERIFY(value("unclassified_job_share_pct") >= 0);
    QVERIFY(reply.definitions_size() > 20);
    QCOMPARE(reply.papers_size(), 2);
    QVERIFY(reply.papers(0).figures_size() > 100);

    grpc::ClientContext context;
    v1::CharacterizeRequest backwards;
    backwards.set_from_us(2);
    backwards.set_to_us(1);
    const grpc::Status status = stub->Characterize(&context, backwards, &reply);
    QCOMPARE(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

void ServerTest::aSeriesNamesItsMistakes()
{
    serve(Role::Viewer);
    const auto stub = connect();
    const auto mistake = [&](const v1::SeriesRequest& request) {
        grpc::ClientContext context;
        v1::SeriesReply reply;
        return words(stub->GetSeries(&context, request, &reply));
    };
    v1::SeriesRequest request;
    request.set_node("gpu1");
    request.add_metrics(99);
    QVERIFY(mistake(request).contains(QStringLiteral("metrics has 99")));
    request.set_metrics(0, 5);
    QVERIFY(mistake(request).contains(QStringLiteral("from_us must lie before to_us")));
    request.set_to_us(1);
    request.add_metrics(5);
    QVERIFY(mistake(request).contains(QStringLiteral("names a metric twice")));
    request.set_node("-x");
    QVERIFY(mistake(request).contains(QStringLiteral("not a name")));
}

void ServerTest::readersThatVanishAreForgotten()
{
    serve(Role::Viewer);
    for (int i = 0; i < 10; ++i) {
        const auto stub = connect();
        grpc::ClientContext context;
        const auto reader = stub->Watch(&context, {});
        v1::Update update;
        QVERIFY(reader->Read(&update));
        context.TryCancel();
    }
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->hub().clients(), size_t(0), 5000);
}

void ServerTest::fiftyReadersAreServedPastASlowOne()
{
    serve(Role::Viewer);
    const auto slowStub = connect();
    grpc::ClientContext slow;
    const auto slowReader = slowStub->Watch(&slow, {});  // never reads

    std::atomic<int> served = 0;
    std::vector<std::thread> readers;
    for (int i = 0; i < 49; ++i)
        readers.emplace_back([&] {
            const auto stub = connect();
            grpc::ClientContext context;
            context.set_deadline(std::chrono::system_clock::now() + 60s);
            const auto reader = stub->Watch(&context, {});
            v1::Update update;
            uint64_t first = 0;
            uint64_t last = 0;
            // Who is who may come right behind the first map, with its revision.
            for (int n = 0; n < 4; ++n) {
                if (!reader->Read(&update) || update.revision() < last)
                    return;
                last = update.revision();
                first = n == 0 ? last : first;
            }
            served += last > first ? 1 : 0;
            context.TryCancel();
        });
    for (std::thread& reader : readers)
        reader.join();
    QCOMPARE(served.load(), 49);
    slow.TryCancel();
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->hub().clients(), size_t(0), 5000);
}

void ServerTest::hugeRequestsAreRefused()
{
    serve(Role::Admin);
    const auto stub = connect();
    v1::PreviewRequest request;
    request.set_nodes_expression(std::string(20 << 20, 'x'));
    v1::PreviewReply reply;
    grpc::ClientContext context;
    QCOMPARE(int(stub->Preview(&context, request, &reply).error_code()),
             int(grpc::StatusCode::RESOURCE_EXHAUSTED));
    grpc::ClientContext again;
    v1::Update update;
    QVERIFY(stub->GetSnapshot(&again, {}, &update).ok());
}

void ServerTest::connectionsAreBounded()
{
    serve(Role::Viewer, {.connections = 2, .connectionsPerUser = 2});
    std::vector<std::unique_ptr<Stub>> stubs;
    int ok = 0;
    for (int i = 0; i < 4; ++i) {
        stubs.push_back(connect());
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + 5s);
        v1::Update update;
        ok += stubs.back()->GetSnapshot(&context, {}, &update).ok() ? 1 : 0;
    }
    QCOMPARE(ok, 2);
}

void ServerTest::stoppingEndsStreamsInTime()
{
    serve(Role::Viewer);
    const auto stub = connect();
    grpc::ClientContext context;
    const auto reader = stub->Watch(&context, {});
    v1::Update update;
    QVERIFY(reader->Read(&update));
    const auto begun = std::chrono::steady_clock::now();
    m_server->stop(300ms);
    QVERIFY(std::chrono::steady_clock::now() - begun < 3s);
    while (reader->Read(&update)) {
    }
    QVERIFY(!reader->Finish().ok());
}

QTEST_GUILESS_MAIN(ServerTest)
#include "server_test.moc"
