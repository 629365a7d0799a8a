#include "backend/telemetry/sources/prometheus_source.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "tests/support/fake_exporter.h"

using namespace yard;
using namespace yard::telemetry;
using domain::GpuMetric;
using domain::NodeMetric;
using std::chrono::milliseconds;
using yard::test::FakeExporter;
using yard::test::Page;

namespace {

PrometheusSource::Settings settings(const std::string& url)
{
    PrometheusSource::Settings settings;
    settings.request.target = "prometheus:9090";
    settings.request.url = url;
    settings.hostLabels = {"Hostname", "node", "instance"};
    return settings;
}

HttpReply reply(int status, std::string body)
{
    HttpReply reply;
    reply.status = status;
    reply.body = std::move(body);
    return reply;
}

std::string fixture(const char* name)
{
    QFile file(QStringLiteral(YARD_FIXTURES "/inputs/promapi/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

const domain::HostReadings* hostIn(const Scrape& scrape, std::string_view name)
{
    const auto found = std::find_if(scrape.hosts.begin(), scrape.hosts.end(),
                                    [&](const auto& host) { return host.host == name; });
    return found == scrape.hosts.end() ? nullptr : &*found;
}

}  // namespace

class PrometheusSourceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void warningsAreShown();
    void errorsKeepTheServersWords_data();
    void errorsKeepTheServersWords();
    void hostsComeFromTheConfiguredLabels();
    void aSeriesWithoutAHostIsCounted();
    void aRealServerIsRead();
};

void PrometheusSourceTest::warningsAreShown()
{
    PrometheusSource source(settings("http://127.0.0.1:1"));
    const auto read = source.read(reply(200, fixture("success-with-warnings.json")));
    QVERIFY2(read.ok(), read.status().ToString().c_str());
    QVERIFY(read->badLines >= 1);
    QVERIFY2(
        read->firstBadLine.starts_with("prometheus:9090 warns that its answer may be incomplete"),
        read->firstBadLine.c_str());
}

void PrometheusSourceTest::errorsKeepTheServersWords_data()
{
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("bad data") << 400 << QByteArray::fromStdString(fixture("error-bad-data.json"))
                              << QByteArray("parse");
    QTest::newRow("proxy") << 502 << QByteArray("<html>Bad Gateway</html>")
                           << QByteArray("status 502");
    QTest::newRow("no API") << 404 << QByteArray("404 page not found\n")
                            << QByteArray("no such page");
    QTest::newRow("rubbish") << 200 << QByteArray("<html>hello</html>") << QByteArray("");
    QTest::newRow("a scalar") << 200 << QByteArray::fromStdString(fixture("scalar.json"))
                              << QByteArray("something else");
}

void PrometheusSourceTest::errorsKeepTheServersWords()
{
    QFETCH(int, status);
    QFETCH(QByteArray, body);
    QFETCH(QByteArray, says);
    PrometheusSource source(settings("http://127.0.0.1:1"));
    const auto read = source.read(reply(status, body.toStdString()));
    QVERIFY(!read.ok());
    const auto message = QByteArray::fromStdString(std::string(read.status().message()));
    QVERIFY2(message.contains(says) && message.contains("prometheus:9090"), message.constData());
}

void PrometheusSourceTest::hostsComeFromTheConfiguredLabels()
{
    PrometheusSource source(settings("http://127.0.0.1:1"));
    const auto read =
        source.read(reply(200, R"({"status":"success","data":{"resultType":"vector","result":[
{"metric":{"__name__":"node_load1","instance":"gpu001.site.example:9100"},"value":[1700000000,"1"]},
{"metric":{"__name__":"node_load1","instance":"10.0.0.7:9100"},"value":[1700000000,"2"]},
{"metric":{"__name__":"node_load1","instance":"x:9100","node":"gpu003"},"value":[1700000000,"3"]},
{"metric":{"yard_sample_time":"1","instance":"gpu001.site.example:9100"},"value":[1700000000,"1699999940"]}
]}})"));
    QVERIFY2(read.ok(), read.status().ToString().c_str());
    QCOMPARE(read->hosts.size(), 3u);
    for (const char* name : {"gpu001", "10.0.0.7", "gpu003"})
        QVERIFY2(hostIn(*read, name), name);
    // As old as the server's own scrape, not as young as the query.
    QVERIFY(hostIn(*read, "gpu001")->at == Time(std::chrono::seconds(1699999940)));
    QVERIFY(hostIn(*read, "gpu003")->at == Time(std::chrono::seconds(1700000000)));
}

void PrometheusSourceTest::aSeriesWithoutAHostIsCounted()
{
    PrometheusSource source(settings("http://127.0.0.1:1"));
    const auto read =
        source.read(reply(200, R"({"status":"success","data":{"resultType":"vector","result":[
{"metric":{"__name__":"node_load1"},"value":[1700000000,"1"]}]}})"));
    QVERIFY(read.ok());
    QVERIFY(read->hosts.empty());
    QCOMPARE(read->badLines, 1u);
    QVERIFY(read->firstBadLine.find("node_load1") != std::string::npos);
}

void PrometheusSourceTest::aRealServerIsRead()
{
    const QString program = QStandardPaths::findExecutable(QStringLiteral("prometheus"));
    QVERIFY2(!program.isEmpty(), "The package prometheus is not installed.");
    const auto exporter = FakeExporter::start(
        {{.name = "gpu001", .nodePort = uint16_t(0)}, {.name = "gpu002", .nodePort = uint16_t(0)}});
    QVERIFY(exporter.ok());
    QTemporaryDir folder;
    QFile config(folder.filePath(QStringLiteral("prometheus.yml")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(
        "global: {scrape_interval: 1s, scrape_timeout: 900ms}\nscrape_configs:\n"
        "- job_name: all\n  static_configs:\n");
    for (const char* node : {"gpu001", "gpu002"})
        for (const Page page : {Page::Dcgm, Page::Node})
            config.write(QByteArray("  - {targets: ['127.0.0.1:") +
                         QByteArray::number((*exporter)->port(node, page)) +
                         "'], labels: {node: " + node + "}}\n");
    config.close();

    QProcess server;
    server.setProcessChannelMode(QProcess::MergedChannels);
    server.start(program, {QStringLiteral("--config.file=") + config.fileName(),
                           QStringLiteral("--storage.tsdb.path=") + folder.path(),
                           QStringLiteral("--web.listen-address=127.0.0.1:0")});
    QByteArray output;
    const QRegularExpression listening(QStringLiteral("Listening on\" address=127.0.0.1:(\\d+)"));
    const auto port = [&] {
        output += server.readAll();
        return listening.match(QString::fromUtf8(output)).captured(1).toStdString();
    };
    QTRY_VERIFY2_WITH_TIMEOUT(!port().empty(), output.constData(), 30000);

    PrometheusSource source(settings("http://127.0.0.1:" + port() + "/"));
    StatusOr<Scrape> read = absl::UnknownError("never read");
    const auto complete = [&] {
        read = source.scrape(Deadline::in(milliseconds(5000)));
        if (!read.ok())
            return false;
        const domain::HostReadings* host = hostIn(*read, "gpu002");
        return host && host->gpus.size() == 8 &&
               host->node[size_t(NodeMetric::InfinibandReceive)] > 1e6F &&
               !std::isnan(host->node[size_t(NodeMetric::CpuUtilization)]);
    };
    QTRY_VERIFY2_WITH_TIMEOUT(complete(), read.status().ToString().c_str(), 30000);
    QCOMPARE(read->hosts.size(), 2u);
    QCOMPARE(read->badLines, 0u);
    const domain::HostReadings& host = *hostIn(*read, "gpu002");
    const test::FakeHost served = (*exporter)->host("gpu002");
    for (size_t i = 0; i < 8; ++i) {
        QCOMPARE(host.gpus[i].uuid.str(), served.gpus()[i].uuid);
        QVERIFY(host.gpus[i][GpuMetric::Power] > 300 && host.gpus[i][GpuMetric::Power] < 400);
        QCOMPARE(host.gpus[i][GpuMetric::SmClock], 1410.0F);
    }
    QVERIFY(std::abs(host.node[size_t(NodeMetric::CpuUtilization)] - 25) < 2);
    QVERIFY(SystemClock().now() - host.at < std::chrono::seconds(10));
    server.terminate();
    QVERIFY(server.waitForFinished(10000));
    QVERIFY(absl::IsUnavailable(source.scrape(Deadline::in(milliseconds(2000))).status()));
}

QTEST_GUILESS_MAIN(PrometheusSourceTest)
#include "prometheus_source_test.moc"
