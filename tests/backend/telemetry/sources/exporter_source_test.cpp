#include "backend/telemetry/sources/exporter_source.h"

#include <QTest>

#include <cmath>

#include "tests/support/fake_exporter.h"

using namespace yard;
using namespace yard::telemetry;
using domain::GpuMetric;
using domain::NodeMetric;
using std::chrono::milliseconds;
using std::chrono::seconds;
using yard::test::FakeExporter;
using yard::test::HttpFault;
using yard::test::Page;

namespace {

const Time kNoon = Time(std::chrono::hours(24 * 20000 + 12));

Deadline soon()
{
    return Deadline::in(milliseconds(5000));
}

HttpReply page(std::string body)
{
    HttpReply reply;
    reply.status = 200;
    reply.body = std::move(body);
    return reply;
}

ExporterSource::Settings settings(std::string kind, uint16_t port = 9400)
{
    ExporterSource::Settings settings;
    settings.host = "gpu031";
    settings.kind = std::move(kind);
    settings.request.target = "gpu031:9400";
    settings.request.url = "http://127.0.0.1:" + std::to_string(port) + "/metrics";
    return settings;
}

}  // namespace

class ExporterSourceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void gpusAreReadAsServed();
    void compressedPagesReadTheSame();
    void nodeAndIpmiPagesAreRecognisedByContent();
    void aKindThatIsNotThereIsAnError();
    void aWebPageIsAnError();
    void halfAPageIsNoReading();
    void blankValuesAreNoReadings();
    void aBadLineCostsThatLineAndIsNamed();
    void ratesNeedTwoPagesAndSurviveAReset();
    void linkRateFollowsTheUuidOverAReboot();
    void gpusKeepTheirUuidOverAReboot();

private:
    StatusOr<Scrape> scrape(Page page, const char* kind = "exporter");

    ManualClock m_clock{kNoon};
    std::unique_ptr<FakeExporter> m_exporter;
};

void ExporterSourceTest::init()
{
    auto exporter =
        FakeExporter::start({{.name = "gpu031", .nodePort = uint16_t(0), .ipmiPort = uint16_t(0)}});
    QVERIFY2(exporter.ok(), exporter.status().ToString().c_str());
    m_exporter = *std::move(exporter);
    m_exporter->command("* hold on").IgnoreError();
}

StatusOr<Scrape> ExporterSourceTest::scrape(Page page, const char* kind)
{
    ExporterSource source(settings(kind, m_exporter->port("gpu031", page)), m_clock);
    return source.scrape(soon());
}

void ExporterSourceTest::gpusAreReadAsServed()
{
    const auto read = scrape(Page::Dcgm);
    QVERIFY2(read.ok(), read.status().ToString().c_str());
    QCOMPARE(read->hosts.size(), 1u);
    const domain::HostReadings& host = read->hosts.front();
    QCOMPARE(host.host, std::string("gpu031"));
    QVERIFY(host.at == kNoon);
    QCOMPARE(host.gpus.size(), 8u);
    QCOMPARE(read->badLines, 0u);
    QVERIFY(read->samples >= 8 * 25);
    const test::FakeHost served = m_exporter->host("gpu031");
    for (size_t i = 0; i < 8; ++i) {
        const domain::GpuReading& got = host.gpus[i];
        const test::FakeGpu& gpu = served.gpus()[i];
        QCOMPARE(got.index, int(i));
        QCOMPARE(got.uuid.str(), gpu.uuid);
        QCOMPARE(got.model.str(), std::string("NVIDIA A100-SXM4-80GB"));
        QVERIFY(std::abs(double(got[GpuMetric::Power]) - gpu.watts) < 0.01);
        QCOMPARE(int(got[GpuMetric::CoreTemperature]), gpu.coreCelsius);
        QCOMPARE(int(got[GpuMetric::MemoryUsed]), gpu.usedMib);
        QCOMPARE(int(got[GpuMetric::MemoryTotal]), 81920);
        QVERIFY(std::abs(double(got[GpuMetric::SmActivity]) - gpu.utilization * 90) < 0.01);
        QVERIFY(got[GpuMetric::NvlinkBandwidth] > 0);
        QCOMPARE(got[GpuMetric::LastXid], 0.0F);
    }
    QCOMPARE(host.gpus[0].pci.str(), std::string("0000:07:00.0"));
}

void ExporterSourceTest::compressedPagesReadTheSame()
{
    const auto plain = scrape(Page::Dcgm);
    m_exporter->setFault("gpu031", HttpFault::Gzip);
    const auto packed = scrape(Page::Dcgm);
    QVERIFY(plain.ok() && packed.ok());
    QCOMPARE(packed->samples, plain->samples);
    QCOMPARE(packed->hosts[0].gpus[3].values, plain->hosts[0].gpus[3].values);
}

void ExporterSourceTest::nodeAndIpmiPagesAreRecognisedByContent()
{
    ExporterSource node(settings("exporter", m_exporter->port("gpu031", Page::Node)), m_clock);
    QCOMPARE(node.kind(), std::string_view("exporter"));
    const auto read = node.scrape(soon());
    QVERIFY2(read.ok(), read.status().ToString().c_str());
    QCOMPARE(node.kind(), std::string_view("node"));
    QVERIFY(read->hosts[0].node[size_t(NodeMetric::Load)] > 0);
    QVERIFY(std::isnan(read->hosts[0].node[size_t(NodeMetric::CpuUtilization)]));
    QVERIFY(read->hosts[0].gpus.empty());

    const auto ipmi = scrape(Page::Ipmi, "ipmi");
    QVERIFY2(ipmi.ok(), ipmi.status().ToString().c_str());
    QVERIFY(ipmi->hosts[0].node[size_t(NodeMetric::Power)] > 1300);
    QVERIFY(std::abs(ipmi->hosts[0].node[size_t(NodeMetric::InletTemperature)] - 23) <= 1);
}

void ExporterSourceTest::aKindThatIsNotThereIsAnError()
{
    const auto read = scrape(Page::Node, "dcgm");
    QVERIFY(absl::IsInvalidArgument(read.status()));
    const std::string message(read.status().message());
    QVERIFY2(message.find("gpu031:9400 is configured as 'dcgm'") == 0, message.c_str());
}

void ExporterSourceTest::aWebPageIsAnError()
{
    m_exporter->setFault("gpu031", HttpFault::Html);
    const auto read = scrape(Page::Dcgm);
    QVERIFY(absl::IsInvalidArgument(read.status()));
    QVERIFY(std::string(read.status().message()).find("gpu031:9400") == 0);
}

void ExporterSourceTest::halfAPageIsNoReading()
{
    std::string body;
    m_exporter->host("gpu031").writeDcgm(body);
    ExporterSource source(settings("exporter"), m_clock);
    QVERIFY(source.read(page(body)).ok());
    // Without a length to hold it against, only the missing end of the line tells.
    const auto cut = source.read(page(body.substr(0, body.size() - 3)));
    QVERIFY2(absl::IsDataLoss(cut.status()), cut.status().ToString().c_str());
    for (const HttpFault fault : {HttpFault::Truncate, HttpFault::Reset}) {
        m_exporter->setFault("gpu031", fault);
        QVERIFY(absl::IsDataLoss(scrape(Page::Dcgm).status()));
    }
    m_exporter->setFault("gpu031", HttpFault::Status);
    QVERIFY(absl::IsUnavailable(scrape(Page::Dcgm).status()));
}

void ExporterSourceTest::blankValuesAreNoReadings()
{
    m_exporter->command("* blank on").IgnoreError();
    const auto read = scrape(Page::Dcgm);
    QVERIFY(read.ok());
    const domain::GpuReading& blank = read->hosts[0].gpus[0];
    for (const GpuMetric metric :
         {GpuMetric::Power, GpuMetric::CoreTemperature, GpuMetric::GpuUtilization,
          GpuMetric::SmActivity, GpuMetric::Energy, GpuMetric::MemoryUsed, GpuMetric::LastXid})
        QVERIFY2(std::isnan(blank[metric]), domain::id(metric).data());
    QVERIFY(!std::isnan(read->hosts[0].gpus[1][GpuMetric::Power]));
}

void ExporterSourceTest::aBadLineCostsThatLineAndIsNamed()
{
    std::string body;
    m_exporter->host("gpu031").writeDcgm(body);
    ExporterSource source(settings("exporter"), m_clock);
    const auto read = source.read(page("DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"}\n" + body));
    QVERIFY(read.ok());
    QCOMPARE(read->badLines, 1u);
    QVERIFY2(read->firstBadLine.starts_with("gpu031:9400, line 1: "), read->firstBadLine.c_str());
    QCOMPARE(read->hosts[0].gpus.size(), 8u);
}

void ExporterSourceTest::ratesNeedTwoPagesAndSurviveAReset()
{
    ExporterSource source(settings("node"), m_clock);
    const auto node = [](double cpu, double received) {
        return page(
            "node_load1 1\nnode_cpu_seconds_total{cpu=\"0\",mode=\"idle\"} " + std::to_string(cpu) +
            "\nnode_cpu_seconds_total{cpu=\"0\",mode=\"user\"} " + std::to_string(cpu / 3) +
            "\nnode_infiniband_port_data_received_bytes_total{device=\"mlx5_0\",port=\"1\"} " +
            std::to_string(received) + "\n");
    };
    const auto value = [&](const HttpReply& reply, NodeMetric metric) {
        const auto read = source.read(reply);
        return read.ok() ? read->hosts[0].node[size_t(metric)] : -1;
    };
    QVERIFY(std::isnan(value(node(300, 1e9), NodeMetric::InfinibandReceive)));
    m_clock.advance(seconds(5));
    QCOMPARE(value(node(303, 6e9), NodeMetric::InfinibandReceive), 1e9F);
    // The same moment again, as from a server between two of its scrapes: the rate stays.
    QCOMPARE(value(node(303, 6e9), NodeMetric::InfinibandReceive), 1e9F);
    m_clock.advance(seconds(5));
    QCOMPARE(value(node(306, 7e9), NodeMetric::CpuUtilization), 25.0F);
    m_clock.advance(seconds(5));
    QVERIFY(std::isnan(value(node(3, 1e3), NodeMetric::InfinibandReceive)));
    m_clock.advance(seconds(5));
    QCOMPARE(value(node(6, 1e3 + 5e9), NodeMetric::InfinibandReceive), 1e9F);
}

void ExporterSourceTest::linkRateFollowsTheUuidOverAReboot()
{
    ExporterSource source(settings("dcgm"), m_clock);
    const auto line = [](int gpu, const char* uuid, int total) {
        return "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL{gpu=\"" + std::to_string(gpu) + "\",UUID=\"" +
               uuid + "\"} " + std::to_string(total) + "\n";
    };
    const auto rate = [&](const std::string& body, size_t gpu) {
        const auto read = source.read(page(body));
        return read.ok() ? read->hosts[0].gpus[gpu][GpuMetric::NvlinkBandwidth] : -1;
    };
    QVERIFY(std::isnan(rate(line(0, "GPU-a", 1000) + line(1, "GPU-b", 5000), 0)));
    m_clock.advance(seconds(10));
    QCOMPARE(rate(line(0, "GPU-a", 1100) + line(1, "GPU-b", 5000), 0), 10.0F * 1024 * 1024);
    m_clock.advance(seconds(10));
    // The cards changed places: by index, GPU 0 would seem to have moved 4,000 MiB.
    QCOMPARE(rate(line(0, "GPU-b", 5000) + line(1, "GPU-a", 1200), 0), 0.0F);
    m_clock.advance(seconds(10));
    QVERIFY(std::isnan(rate(line(0, "GPU-b", 10) + line(1, "GPU-a", 10), 1)));
}

void ExporterSourceTest::gpusKeepTheirUuidOverAReboot()
{
    const auto before = scrape(Page::Dcgm);
    m_exporter->command("gpu031 reboot").IgnoreError();
    const auto after = scrape(Page::Dcgm);
    QVERIFY(before.ok() && after.ok());
    QCOMPARE(after->hosts[0].gpus[0].index, 0);
    QCOMPARE(after->hosts[0].gpus[0].uuid.str(), before->hosts[0].gpus[7].uuid.str());
    QCOMPARE(after->hosts[0].gpus[0].pci.str(), before->hosts[0].gpus[0].pci.str());
}

QTEST_GUILESS_MAIN(ExporterSourceTest)
#include "exporter_source_test.moc"
