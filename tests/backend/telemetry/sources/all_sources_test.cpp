#include "backend/telemetry/sources/all_sources.h"

#include <QTest>

using namespace yard;
using namespace yard::telemetry;

class AllSourcesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hostlistsBecomeTargets();
    void addressesFollowTheTemplate_data();
    void addressesFollowTheTemplate();
    void kernelLogsAndServersAreListedToo();
    void mistakesAreNamed_data();
    void mistakesAreNamed();

private:
    const SystemClock m_clock;
};

void AllSourcesTest::hostlistsBecomeTargets()
{
    const auto sources =
        allSources({{.kind = "dcgm", .targets = "gpu[001-286]:9400"},
                    {.kind = "node", .targets = "gpu[001-003]:9100", .path = "/m"}},
                   m_clock);
    QVERIFY2(sources.ok(), sources.status().ToString().c_str());
    QCOMPARE(sources->size(), 289u);
    const TelemetrySource& last = *(*sources)[285].source;
    QCOMPARE(last.target(), std::string_view("gpu286:9400"));
    QCOMPARE(last.host(), std::string_view("gpu286"));
    QCOMPARE(last.kind(), std::string_view("dcgm"));
    QCOMPARE(last.request()->url, std::string("http://gpu286:9400/metrics"));
    QCOMPARE((*sources)[286].source->request()->url, std::string("http://gpu001:9100/m"));
}

void AllSourcesTest::addressesFollowTheTemplate_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("url");
    QTest::newRow("lab") << QByteArray("127.42.{hi}.{lo}")
                         << QByteArray("http://127.42.2.1:9400/metrics");
    QTest::newRow("name") << QByteArray("{host}-ipmi")
                          << QByteArray("http://node251-ipmi:9400/metrics");
    QTest::newRow("number") << QByteArray("10.0.0.{n}")
                            << QByteArray("http://10.0.0.251:9400/metrics");
    QTest::newRow("IPv6") << QByteArray("fd00::{n}")
                          << QByteArray("http://[fd00::251]:9400/metrics");
}

void AllSourcesTest::addressesFollowTheTemplate()
{
    QFETCH(QByteArray, pattern);
    QFETCH(QByteArray, url);
    const auto sources = allSources(
        {{.targets = "node251:9400", .addressTemplate = pattern.toStdString()}}, m_clock);
    QVERIFY2(sources.ok(), sources.status().ToString().c_str());
    QCOMPARE(sources->front().source->request()->url, url.toStdString());
    QCOMPARE(sources->front().source->target(), std::string_view("node251:9400"));
}

void AllSourcesTest::kernelLogsAndServersAreListedToo()
{
    const auto sources =
        allSources({{.kind = "kernel", .targets = "gpu[1-2]", .path = "/var/log/{host}/kern.log"},
                    {.kind = "kernel", .path = "/var/log/all.log"},
                    {.kind = "prometheus", .targets = "http://prometheus:9090"}},
                   m_clock);
    QVERIFY2(sources.ok(), sources.status().ToString().c_str());
    QCOMPARE(sources->size(), 4u);
    QCOMPARE((*sources)[1].source->target(), std::string_view("kernel:gpu2"));
    QVERIFY(!(*sources)[1].source->request());
    QCOMPARE((*sources)[2].source->target(), std::string_view("kernel:/var/log/all.log"));
    QCOMPARE((*sources)[3].source->target(), std::string_view("prometheus:9090"));
    QVERIFY((*sources)[3].source->request()->url.starts_with(
        "http://prometheus:9090/api/v1/query?query=%7B__name__"));
}

void AllSourcesTest::mistakesAreNamed_data()
{
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QByteArray>("targets");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("address");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const char* kind, const char* targets, const char* path,
                        const char* address, const char* says) {
        QTest::newRow(name) << QByteArray(kind) << QByteArray(targets) << QByteArray(path)
                            << QByteArray(address) << QByteArray(says);
    };
    row("kind", "snmp", "a:1", "", "", "there is no such kind");
    row("no port", "dcgm", "gpu[1-2]", "", "", "needs a port");
    row("port 0", "dcgm", "gpu1:0", "", "", "needs a port");
    row("port too large", "dcgm", "gpu1:70000", "", "", "needs a port");
    row("hostlist", "dcgm", "gpu[1-:9400", "", "", "gpu[1-");
    row("relative path", "dcgm", "gpu1:9400", "metrics", "", "must start with a slash");
    row("no number", "dcgm", "login:9400", "", "127.1.{hi}.{lo}", "'login' has none");
    row("placeholder", "dcgm", "gpu1:9400", "", "{name}", "{host}, {n}, {hi} and {lo} only");
    row("server", "prometheus", "prometheus:9090", "", "", "http://prometheus:9090");
    row("kernel file", "kernel", "gpu1", "kern.log", "", "absolute path");
    row("kernel files", "kernel", "gpu[1-2]", "/var/log/kern.log", "", "needs {host}");
}

void AllSourcesTest::mistakesAreNamed()
{
    QFETCH(QByteArray, kind);
    QFETCH(QByteArray, targets);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, address);
    QFETCH(QByteArray, says);
    const auto sources = allSources({{.kind = kind.toStdString(),
                                      .targets = targets.toStdString(),
                                      .path = path.toStdString(),
                                      .addressTemplate = address.toStdString()}},
                                    m_clock);
    QVERIFY(absl::IsInvalidArgument(sources.status()));
    const auto message = QByteArray::fromStdString(std::string(sources.status().message()));
    QVERIFY2(message.contains(says) && message.contains(targets), message.constData());

    const auto twice =
        allSources({{.targets = "gpu1:9400"}, {.targets = "gpu[1-2]:9400"}}, m_clock);
    QVERIFY(absl::IsInvalidArgument(twice.status()));
}

QTEST_GUILESS_MAIN(AllSourcesTest)
#include "all_sources_test.moc"
