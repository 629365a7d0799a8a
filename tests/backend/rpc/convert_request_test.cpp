#include "backend/rpc/convert_request.h"

#include <QTest>
#include <functional>

#include "backend/rpc/convert_cluster.h"
#include "backend/rpc/convert_operation.h"
#include "backend/rpc/wire_text.h"

using namespace yard;
using namespace yard::rpc;

namespace {

using Spoil = std::function<void(v1::PreviewRequest&)>;

v1::PreviewRequest goodRequest()
{
    v1::PreviewRequest request;
    request.mutable_action()->set_kind(uint32_t(domain::ActionKind::Drain));
    request.mutable_action()->set_reason("disk ☃ failed");
    request.set_nodes_expression("gpu[1-3]");
    return request;
}

QString words(const Status& status)
{
    return QString::fromStdString(std::string(status.message()));
}

}  // namespace
Q_DECLARE_METATYPE(Spoil)

class ConvertRequestTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGoodRequestArrivesWhole();
    void hostileRequestsAreRefusedInASentence_data();
    void hostileRequestsAreRefusedInASentence();
    void anActionSurvivesTheRoundTrip();
    void executeNeedsTokenAndRequestId();
    void interestIsBounded();
    void pagesAreBounded();
    void absentStaysAbsentOnTheWire();
    void badBytesDoNotCostTheMessage();
};

void ConvertRequestTest::aGoodRequestArrivesWhole()
{
    const auto request = previewRequestFrom(goodRequest());
    QVERIFY2(request.ok(), qPrintable(words(request.status())));
    QVERIFY(request->action.kind == domain::ActionKind::Drain);
    QCOMPARE(request->action.reason, std::string("disk ☃ failed"));
    QCOMPARE(request->nodesExpression, std::string("gpu[1-3]"));
}

void ConvertRequestTest::hostileRequestsAreRefusedInASentence_data()
{
    QTest::addColumn<Spoil>("spoil");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, Spoil spoil, const char* part) {
        QTest::newRow(name) << spoil << QString::fromUtf8(part);
    };
    row(
        "no action", [](auto& r) { r.clear_action(); }, "no action");
    row(
        "unknown kind", [](auto& r) { r.mutable_action()->set_kind(11); }, "no action of kind 11");
    row(
        "huge kind", [](auto& r) { r.mutable_action()->set_kind(0xFFFFFFFF); }, "4294967295");
    row(
        "reason with line break", [](auto& r) { r.mutable_action()->set_reason("a\nb"); },
        "action.reason");
    row(
        "reason with null", [](auto& r) { r.mutable_action()->set_reason(std::string("a\0b", 3)); },
        "action.reason");
    row(
        "reason with escape", [](auto& r) { r.mutable_action()->set_reason("\x1b[31m"); },
        "action.reason");
    row(
        "reason that turns its direction",
        [](auto& r) { r.mutable_action()->set_reason("fan \u202e knid"); }, "fan <U+202E> knid");
    row(
        "node with a direction mark",
        [](auto& r) { r.mutable_action()->add_nodes("gpu001\u200f"); }, "action.nodes");
    row(
        "long reason", [](auto& r) { r.mutable_action()->set_reason(std::string(1001, 'x')); },
        "1001 bytes");
    row(
        "long expression", [](auto& r) { r.set_nodes_expression(std::string(70'000, 'x')); },
        "nodes_expression");
    row(
        "expression with line break", [](auto& r) { r.set_excluded_expression("a\n"); },
        "excluded_expression");
    row(
        "node like an option", [](auto& r) { r.mutable_action()->add_nodes("--all"); },
        "action.nodes");
    row(
        "node with a blank", [](auto& r) { r.mutable_action()->add_nodes("a b"); }, "action.nodes");
    row(
        "empty node", [](auto& r) { r.mutable_action()->add_nodes(""); }, "action.nodes");
    row(
        "job like an option", [](auto& r) { r.mutable_action()->add_jobs("-u"); }, "not a job id");
    row(
        "job in words", [](auto& r) { r.mutable_action()->add_jobs("all"); }, "not a job id");
    row(
        "too many jobs",
        [](auto& r) {
            for (int i = 0; i < 10'001; ++i)
                r.mutable_action()->add_jobs("1");
        },
        "10001 entries");
    row(
        "excluded node", [](auto& r) { r.mutable_action()->add_excluded_nodes("x\ty"); },
        "excluded_nodes");
    row(
        "empty script", [](auto& r) { r.mutable_action()->mutable_submission(); },
        "submission.script");
    row(
        "huge script",
        [](auto& r) {
            r.mutable_action()->mutable_submission()->set_script(std::string(5 << 20, '#'));
        },
        "submission.script");
    row(
        "option with line break",
        [](auto& r) {
            r.mutable_action()->mutable_submission()->set_script("#!/bin/sh\n");
            r.mutable_action()->mutable_submission()->add_options("--wrap=a\nb");
        },
        "submission.options");
    row(
        "relative folder",
        [](auto& r) {
            r.mutable_action()->mutable_submission()->set_script("#!/bin/sh\n");
            r.mutable_action()->mutable_submission()->set_work_directory("here");
        },
        "work_directory");
}

void ConvertRequestTest::hostileRequestsAreRefusedInASentence()
{
    QFETCH(Spoil, spoil);
    QFETCH(QString, part);
    v1::PreviewRequest request = goodRequest();
    spoil(request);
    const auto result = previewRequestFrom(request);
    QVERIFY(absl::IsInvalidArgument(result.status()));
    QVERIFY2(words(result.status()).contains(part), qPrintable(words(result.status())));
}

void ConvertRequestTest::anActionSurvivesTheRoundTrip()
{
    domain::Action action;
    action.kind = domain::ActionKind::Submit;
    action.jobs = {"12", "18_3", "18_[4-7]", "9+1"};
    action.reason = "loss spike";
    action.excludedNodes = {"gpu1", "gpu2"};
    action.rebootWhenIdle = false;
    action.cancelOriginal = false;
    action.submission = {
        "#!/bin/sh\ntrue\n", {"--nodes=2", "--comment=a b"}, "alice", "/home/alice"};
    v1::Action wire;
    toProto(action, &wire);
    const auto back = actionFrom(wire);
    QVERIFY2(back.ok(), qPrintable(words(back.status())));
    QVERIFY(*back == action);
}

void ConvertRequestTest::executeNeedsTokenAndRequestId()
{
    v1::ExecuteRequest request;
    QVERIFY(words(executeRequestFrom(request).status()).contains(QStringLiteral("token")));
    request.set_token("t");
    QVERIFY(words(executeRequestFrom(request).status()).contains(QStringLiteral("request_id")));
    request.set_request_id("r");
    request.set_typed_count(9);
    const auto good = executeRequestFrom(request);
    QVERIFY(good.ok());
    QCOMPARE(good->typedCount, 9u);
    request.set_request_id(std::string(300, 'r'));
    QVERIFY(!executeRequestFrom(request).ok());
}

void ConvertRequestTest::interestIsBounded()
{
    v1::WatchRequest request;
    request.set_min_interval_ms(0xFFFFFFFF);
    request.set_without_readings(true);
    const auto interest = interestFrom(request);
    QVERIFY(interest.ok());
    QVERIFY(interest->minInterval <= std::chrono::minutes(1));
    QVERIFY(!interest->withReadings);
    request.add_gpu_metrics(99);
    QVERIFY(words(interestFrom(request).status()).contains(QStringLiteral("99")));
    for (int i = 0; i < 100; ++i)
        request.add_gpu_metrics(0);
    QVERIFY(!interestFrom(request).ok());
}

void ConvertRequestTest::pagesAreBounded()
{
    QCOMPARE(pageLimit(0), 1000u);
    QCOMPARE(pageLimit(5), 5u);
    QCOMPARE(pageLimit(0xFFFFFFFF), 10'000u);
}

void ConvertRequestTest::absentStaysAbsentOnTheWire()
{
    domain::Node node;
    node.name = "gpu1";
    v1::Node wire;
    toProto(node, 0, &wire);
    QVERIFY(!wire.has_cpu_load() && !wire.has_cpus_total() && !wire.has_memory_free_mib() &&
            !wire.has_boot_time_us() && !wire.has_reason_time_us());
    node.cpuLoad = 0.0;
    node.reasonTime = Time(std::chrono::microseconds(1'700'000'000'123'456));
    toProto(node, 7, &wire);
    QVERIFY(wire.has_cpu_load());
    QCOMPARE(wire.reason_time_us(), 1'700'000'000'123'456);
    QCOMPARE(wire.owned_by_operation(), 7u);

    v1::Job job;
    toProto(domain::Job{}, &job);
    QVERIFY(!job.has_start_time_us() && !job.has_exit_code() && !job.has_time_limit_s() &&
            !job.has_array_task() && !job.time_unlimited());
}

void ConvertRequestTest::badBytesDoNotCostTheMessage()
{
    control::ClusterDelta delta;
    delta.nodes.resize(1);
    delta.nodes[0].name = "gpu1";
    delta.nodes[0].reason = "caf\xe9 \xff\xc3";
    delta.nodes[0].partitions = {"a\x80"};
    v1::Update update;
    toProto(delta, &update);
    repairStrings(update);
    v1::Update read;
    QVERIFY(read.ParseFromString(update.SerializeAsString()));
    QVERIFY(QString::fromStdString(read.nodes(0).reason()).startsWith(QStringLiteral("caf\uFFFD")));
    QCOMPARE(read.nodes(0).name(), std::string("gpu1"));
}

QTEST_GUILESS_MAIN(ConvertRequestTest)
#include "convert_request_test.moc"
