#include "backend/telemetry/sources/http_fetch.h"

#include <QElapsedTimer>
#include <QTest>

#include <atomic>

#include "backend/telemetry/sources/http_words.h"
#include "tests/support/fake_exporter.h"

using namespace yard;
using namespace yard::telemetry;
using std::chrono::milliseconds;
using yard::test::FakeExporter;
using yard::test::HttpFault;

Q_DECLARE_METATYPE(yard::test::HttpFault)

class HttpFetchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void aWholePageArrives();
    void aCompressedPageArrivesUnpacked();
    void eachFaultIsASentenceThatNamesTheTarget_data();
    void eachFaultIsASentenceThatNamesTheTarget();
    void eachStatusSaysWhatItMeans_data();
    void eachStatusSaysWhatItMeans();
    void aBombStopsAtTheBoundNotAtItsEnd();
    void anUnknownPathIsNotFound();
    void anUnknownNameIsUnavailable();
    void onlyHttpIsSpoken();
    void ipv6IsRead();
    void aConnectionIsUsedAgain();
    void aFailureThatMayPassIsTriedAgain();
    void aFailureThatStaysIsNotTriedAgain();
    void destructionCancelsWhatIsOpen();
    void aHundredHungTargetsDoNotHoldUpTheOthers();

private:
    HttpRequest request() const;

    std::unique_ptr<FakeExporter> m_exporter;
};

void HttpFetchTest::initTestCase()
{
    auto exporter = FakeExporter::start({{.name = "gpu031"}}, 2);
    QVERIFY2(exporter.ok(), exporter.status().ToString().c_str());
    m_exporter = *std::move(exporter);
}

void HttpFetchTest::init()
{
    m_exporter->setFault("gpu031", HttpFault::None);
}

HttpRequest HttpFetchTest::request() const
{
    HttpRequest request;
    request.target = "gpu031:9400";
    request.url = "http://127.0.0.1:" + std::to_string(m_exporter->port("gpu031")) + "/metrics";
    return request;
}

void HttpFetchTest::aWholePageArrives()
{
    const auto reply = httpGet(request(), Deadline::in(milliseconds(5000)));
    QVERIFY2(reply.ok(), reply.status().ToString().c_str());
    QVERIFY(checkReply(*reply, "gpu031:9400").ok());
    QVERIFY(reply->body.starts_with("# HELP DCGM_FI_DEV_SM_CLOCK"));
    QVERIFY(reply->body.ends_with("\n"));
    QVERIFY(reply->contentType.starts_with("text/plain"));
}

void HttpFetchTest::aCompressedPageArrivesUnpacked()
{
    m_exporter->command("* hold on").IgnoreError();
    const auto plain = httpGet(request(), Deadline::in(milliseconds(5000)));
    m_exporter->setFault("gpu031", HttpFault::Gzip);
    const auto packed = httpGet(request(), Deadline::in(milliseconds(5000)));
    m_exporter->command("* hold off").IgnoreError();
    QVERIFY(plain.ok() && packed.ok());
    QCOMPARE(packed->body, plain->body);
}

void HttpFetchTest::eachFaultIsASentenceThatNamesTheTarget_data()
{
    QTest::addColumn<HttpFault>("fault");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("says");
    using Code = absl::StatusCode;
    const auto row = [](const char* name, HttpFault fault, Code code, const char* says) {
        QTest::newRow(name) << fault << int(code) << QByteArray(says);
    };
    row("hang", HttpFault::Hang, Code::kDeadlineExceeded, "did not finish its answer within 0.4 s");
    row("mute", HttpFault::Mute, Code::kDeadlineExceeded, "(0 bytes came)");
    row("slow", HttpFault::Slow, Code::kDeadlineExceeded, "did not finish");
    row("refuse", HttpFault::Refuse, Code::kUnavailable, "refused the connection");
    row("truncate", HttpFault::Truncate, Code::kDataLoss, "broke off its answer after");
    row("reset", HttpFault::Reset, Code::kDataLoss, "broke off its answer after");
    row("gzip bomb", HttpFault::Bomb, Code::kResourceExhausted, "more than 1000000 bytes");
    row("huge", HttpFault::Huge, Code::kResourceExhausted, "more than 1000000 bytes");
    row("banner", HttpFault::Banner, Code::kInvalidArgument, "cannot be read over HTTP");
}

void HttpFetchTest::eachFaultIsASentenceThatNamesTheTarget()
{
    QFETCH(HttpFault, fault);
    QFETCH(int, code);
    QFETCH(QByteArray, says);
    m_exporter->setFault("gpu031", fault);
    HttpRequest wanted = request();
    wanted.bodyLimit = 1'000'000;

    QElapsedTimer timer;
    timer.start();
    const auto reply = httpGet(wanted, Deadline::in(milliseconds(400)));

    QVERIFY(!reply.ok());
    const auto message = QByteArray::fromStdString(std::string(reply.status().message()));
    QVERIFY2(int(reply.status().code()) == code, reply.status().ToString().c_str());
    QVERIFY2(message.contains(says), message.constData());
    QVERIFY2(message.contains("gpu031:9400"), message.constData());
    QVERIFY(message.endsWith('.'));
    QVERIFY(timer.elapsed() < 3000);
}

void HttpFetchTest::eachStatusSaysWhatItMeans_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("says");
    using Code = absl::StatusCode;
    QTest::newRow("500") << 500 << int(Code::kUnavailable) << QByteArray("status 500");
    QTest::newRow("503") << 503 << int(Code::kUnavailable) << QByteArray("status 503");
    QTest::newRow("403") << 403 << int(Code::kPermissionDenied) << QByteArray("credentials");
    QTest::newRow("204") << 204 << int(Code::kFailedPrecondition) << QByteArray("only 200");
    QTest::newRow("302") << 302 << int(Code::kFailedPrecondition)
                         << QByteArray("a redirect to 'http://127.0.0.1:1/metrics'");
}

void HttpFetchTest::eachStatusSaysWhatItMeans()
{
    QFETCH(int, status);
    QFETCH(int, code);
    QFETCH(QByteArray, says);
    m_exporter->setFault("gpu031", HttpFault::Status, status);
    const auto reply = httpGet(request(), Deadline::in(milliseconds(5000)));
    QVERIFY2(reply.ok(), reply.status().ToString().c_str());
    const Status checked = checkReply(*reply, "gpu031:9400");
    QCOMPARE(int(checked.code()), code);
    const auto message = QByteArray::fromStdString(std::string(checked.message()));
    QVERIFY2(message.contains(says) && message.contains("gpu031:9400"), message.constData());
}

void HttpFetchTest::aBombStopsAtTheBoundNotAtItsEnd()
{
    m_exporter->setFault("gpu031", HttpFault::Bomb);
    HttpRequest wanted = request();
    wanted.bodyLimit = 300ul << 20;  // the bomb holds 256 MiB: it is harmless under this bound
    const auto whole = httpGet(wanted, Deadline::in(milliseconds(60000)));
    QVERIFY2(whole.ok(), whole.status().ToString().c_str());
    QCOMPARE(whole->body.size(), 256ul << 20);

    const auto stopped = httpGet(request(), Deadline::in(milliseconds(60000)));
    QVERIFY(absl::IsResourceExhausted(stopped.status()));
}

void HttpFetchTest::anUnknownPathIsNotFound()
{
    HttpRequest wanted = request();
    wanted.url += "x";
    wanted.url.replace(wanted.url.find("/metrics"), std::string::npos, "/other");
    const auto reply = httpGet(wanted, Deadline::in(milliseconds(5000)));
    QVERIFY(reply.ok());
    QVERIFY(absl::IsNotFound(checkReply(*reply, wanted.target)));
}

void HttpFetchTest::anUnknownNameIsUnavailable()
{
    HttpRequest wanted = request();
    wanted.url = "http://no-such-node.invalid:9400/metrics";
    const auto reply = httpGet(wanted, Deadline::in(milliseconds(5000)));
    QVERIFY(!reply.ok());
    const std::string message(reply.status().message());
    // Without any DNS in reach the resolver may use up all of the time instead.
    QVERIFY2(absl::IsUnavailable(reply.status()) || absl::IsDeadlineExceeded(reply.status()),
             message.c_str());
    QVERIFY(message.find("gpu031:9400") != std::string::npos);
}

void HttpFetchTest::onlyHttpIsSpoken()
{
    for (const char* url : {"file:///etc/hostname", "gopher://127.0.0.1:1/", "http://[::1", ""}) {
        HttpRequest wanted = request();
        wanted.url = url;
        const auto reply = httpGet(wanted, Deadline::in(milliseconds(5000)));
        QVERIFY2(absl::IsInvalidArgument(reply.status()), reply.status().ToString().c_str());
    }
}

void HttpFetchTest::ipv6IsRead()
{
    const auto exporter = FakeExporter::start({{.name = "gpu001", .address = "::1"}}, 1);
    if (!exporter.ok())
        QSKIP("This machine has no IPv6 loopback.");
    HttpRequest wanted = request();
    wanted.url = "http://[::1]:" + std::to_string((*exporter)->port("gpu001")) + "/metrics";
    const auto reply = httpGet(wanted, Deadline::in(milliseconds(5000)));
    QVERIFY2(reply.ok(), reply.status().ToString().c_str());
    QVERIFY(reply->body.find("Hostname=\"gpu001\"") != std::string::npos);
}

namespace {

StatusOr<HttpReply> getWith(HttpFetcher& fetcher, const HttpRequest& request)
{
    std::atomic<bool> done = false;
    StatusOr<HttpReply> result = absl::UnknownError("no answer");
    fetcher.get(request, Deadline::in(milliseconds(5000)), [&](StatusOr<HttpReply> reply) {
        result = std::move(reply);
        done = true;
    });
    [&] { QTRY_VERIFY_WITH_TIMEOUT(done.load(), 10000); }();
    return result;
}

}  // namespace

void HttpFetchTest::aConnectionIsUsedAgain()
{
    HttpFetcher fetcher;
    const uint64_t before = m_exporter->accepted();
    for (int i = 0; i < 5; ++i)
        QVERIFY(getWith(fetcher, request()).ok());
    QCOMPARE(m_exporter->accepted() - before, 1u);
}

void HttpFetchTest::aFailureThatMayPassIsTriedAgain()
{
    m_exporter->setFault("gpu031", HttpFault::Status, 503);
    const uint64_t before = m_exporter->served();
    HttpRequest wanted = request();
    wanted.retries = 2;
    const auto reply = httpGet(wanted, Deadline::in(milliseconds(5000)));
    QVERIFY(reply.ok());
    QCOMPARE(reply->status, 503);
    QCOMPARE(m_exporter->served() - before, 3u);
}

void HttpFetchTest::aFailureThatStaysIsNotTriedAgain()
{
    m_exporter->setFault("gpu031", HttpFault::Status, 500);
    const uint64_t before = m_exporter->served();
    HttpRequest wanted = request();
    wanted.retries = 2;
    const auto reply = httpGet(wanted, Deadline::in(milliseconds(5000)));
    QVERIFY(reply.ok());
    QCOMPARE(m_exporter->served() - before, 1u);
}

void HttpFetchTest::destructionCancelsWhatIsOpen()
{
    m_exporter->setFault("gpu031", HttpFault::Mute);
    std::atomic<int> cancelled = 0;
    QElapsedTimer timer;
    {
        HttpFetcher fetcher;
        for (int i = 0; i < 20; ++i)
            fetcher.get(request(), Deadline::in(milliseconds(60000)),
                        [&](StatusOr<HttpReply> reply) {
                            cancelled += absl::IsCancelled(reply.status()) ? 1 : 0;
                        });
        timer.start();
    }
    QCOMPARE(cancelled.load(), 20);
    QVERIFY(timer.elapsed() < 1000);
}

void HttpFetchTest::aHundredHungTargetsDoNotHoldUpTheOthers()
{
    const auto exporter = FakeExporter::start({{.name = "bad"}, {.name = "good"}}, 1);
    QVERIFY(exporter.ok());
    (*exporter)->setFault("bad", HttpFault::Mute);
    HttpFetcher fetcher;
    HttpRequest bad = request();
    bad.url = "http://127.0.0.1:" + std::to_string((*exporter)->port("bad")) + "/metrics";
    HttpRequest good = request();
    good.url = "http://127.0.0.1:" + std::to_string((*exporter)->port("good")) + "/metrics";
    for (int i = 0; i < 100; ++i)
        fetcher.get(bad, Deadline::in(milliseconds(60000)), [](const StatusOr<HttpReply>&) {});
    QElapsedTimer timer;
    timer.start();
    for (int i = 0; i < 20; ++i)
        QVERIFY(getWith(fetcher, good).ok());
    QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
}

QTEST_GUILESS_MAIN(HttpFetchTest)
#include "http_fetch_test.moc"
