#include "app/daemon/config.h"

#include <QFile>
#include <QTemporaryFile>
#include <QTest>

using namespace yard;
using namespace yard::daemon;

namespace {

QString joined(const ParsedConfig& parsed)
{
    QStringList lines;
    for (const std::string& error : parsed.errors)
        lines << QString::fromStdString(error);
    return lines.join(QLatin1Char('\n'));
}

std::string example()
{
    QFile file(QStringLiteral(YARD_SOURCE_DIR "/resources/yardmasterd.toml"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// The example with every commented-out key switched on.
std::string exampleWithAllKeys()
{
    QStringList lines = QString::fromStdString(example()).split(QLatin1Char('\n'));
    for (QString& line : lines) {
        if (line.startsWith(QLatin1Char('#')) && line.size() > 1 && !line[1].isSpace())
            line.remove(0, 1);
    }
    return lines.join(QLatin1Char('\n')).toStdString();
}

}  // namespace

class ConfigTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theExampleIsValidAsItStands();
    void theExampleNamesEveryKeyWithItsDefault();
    void anEmptyFileIsTheDefault();
    void aMistakeNamesFileLineAndKey_data();
    void aMistakeNamesFileLineAndKey();
    void allMistakesAreToldAtOnce();
    void valuesArrive();
    void aMissingFileIsASentence();
    void theDemoIsSimulatedAndFast();
};

void ConfigTest::theExampleIsValidAsItStands()
{
    const ParsedConfig parsed = parseConfig(example(), "example");
    QVERIFY2(parsed.errors.empty(), qPrintable(joined(parsed)));
    QVERIFY(!example().empty());
}

void ConfigTest::theExampleNamesEveryKeyWithItsDefault()
{
    const std::string text = exampleWithAllKeys();
    const ParsedConfig parsed = parseConfig(text, "example");
    QVERIFY2(parsed.errors.empty(), qPrintable(joined(parsed)));

    for (const std::string& full : knownKeys()) {
        const std::string key = full.substr(full.rfind('.') + 1);
        QVERIFY2(text.find("\n" + key + " = ") != std::string::npos ||
                     text.find("[" + key + "]") != std::string::npos ||
                     text.find("[[" + full + "]]") != std::string::npos,
                 qPrintable(QString::fromStdString(full + " is not in the example")));
    }
    const Config defaults = parseConfig("", "empty").config;
    QCOMPARE(parsed.config.stateDirectory, defaults.stateDirectory);
    QCOMPARE(parsed.config.server.socketPath, defaults.server.socketPath);
    QCOMPARE(parsed.config.server.limits.connections, defaults.server.limits.connections);
    QCOMPARE(parsed.config.server.limits.connectionsPerUser,
             defaults.server.limits.connectionsPerUser);
    QVERIFY(parsed.config.server.access.defaultRole == defaults.server.access.defaultRole);
    QCOMPARE(parsed.config.desk.pollInterval.count(), defaults.desk.pollInterval.count());
    QCOMPARE(parsed.config.desk.pollAfterAction.count(), defaults.desk.pollAfterAction.count());
    QCOMPARE(parsed.config.desk.callTimeout.count(), defaults.desk.callTimeout.count());
    QCOMPARE(parsed.config.desk.previewLifetime.count(), defaults.desk.previewLifetime.count());
    QCOMPARE(parsed.config.desk.observeWithin.count(), defaults.desk.observeWithin.count());
    QCOMPARE(parsed.config.desk.settle.count(), defaults.desk.settle.count());
    QCOMPARE(parsed.config.desk.keepEndedJobs.count(), defaults.desk.keepEndedJobs.count());
    QCOMPARE(parsed.config.desk.maxEndedJobs, defaults.desk.maxEndedJobs);
    QCOMPARE(parsed.config.desk.readingIntervalSeconds, defaults.desk.readingIntervalSeconds);
    QCOMPARE(parsed.config.slurm.accountingInterval.count(),
             defaults.slurm.accountingInterval.count());
    QCOMPARE(parsed.config.slurm.accountingWindow.count(), defaults.slurm.accountingWindow.count());
    const telemetry::SourceConfig source;
    QCOMPARE(parsed.config.sources.size(), size_t(1));
    QCOMPARE(parsed.config.sources[0].kind, source.kind);
    QCOMPARE(parsed.config.sources[0].sizeLimit, source.sizeLimit);
    QCOMPARE(parsed.config.sources[0].hostLabels, source.hostLabels);
}

void ConfigTest::anEmptyFileIsTheDefault()
{
    const ParsedConfig parsed = parseConfig("", "empty");
    QVERIFY(parsed.errors.empty());
    QVERIFY(!parsed.config.simulated);
    QVERIFY(parsed.config.server.access.defaultRole == domain::Role::None);
    QCOMPARE(parsed.config.server.socketPath, std::string(kDefaultSocketPath));
    QVERIFY(parsed.config.sources.empty());
}

void ConfigTest::aMistakeNamesFileLineAndKey_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("parts");
    const auto row = [](const char* name, const char* text, QStringList parts) {
        QTest::newRow(name) << QString::fromUtf8(text) << parts;
    };
    row("misspelt key", "[scheduler]\npol_seconds = 3\n",
        {"site.toml:2: scheduler.pol_seconds:", "Is poll_seconds meant?"});
    row("misspelt section", "\n[acess]\ndefault_role = \"viewer\"\n",
        {"site.toml:2: acess:", "Is [access] meant?"});
    row("unknown time zone", "[daemon]\ntime_zone = \"Mars/Olympus\"\n",
        {"site.toml:2: daemon.time_zone:", "no time zone \"Mars/Olympus\""});
    row("time zone out of its folder", "[daemon]\ntime_zone = \"../passwd\"\n",
        {"site.toml:2: daemon.time_zone:"});
    const QByteArray longPath =
        "[socket]\n\npath = \"/run/" + QByteArray(120, 'x') + "/yard.sock\"\n";
    row("socket path that is too long", longPath.constData(),
        {"site.toml:3: socket.path:", "It has 135 bytes; a UNIX socket's path may have 107."});
    row("a node in two racks", "[racks]\nR1 = \"gpu[001-004]\"\nR2 = \"gpu[004-008]\"\n",
        {"site.toml:3: racks.R2:", "gpu004 is in the rack R1 already"});
    row("key without a neighbour", "[socket]\nzzzzzzzzzz = 1\n",
        {"site.toml:2: socket.zzzzzzzzzz: There is no such key."});
    row("text for a number", "[scheduler]\npoll_seconds = \"5\"\n",
        {"site.toml:2: scheduler.poll_seconds:", "must be a number from 0.5"});
    row("number for text", "[socket]\npath = 3\n", {"site.toml:2: socket.path:", "text in quotes"});
    row("out of range", "[socket]\nmax_connections = 0\n",
        {"site.toml:2: socket.max_connections:", "from 1 to 4096"});
    row("negative", "[socket]\nmax_connections = -1\n", {"site.toml:2: socket.max_connections:"});
    row("not a number", "[scheduler]\npoll_seconds = nan\n",
        {"site.toml:2: scheduler.poll_seconds:"});
    row("relative path", "[daemon]\nstate_directory = \"state\"\n",
        {"site.toml:2: daemon.state_directory:", "starts with /"});
    row("unknown word", "[access]\ndefault_role = \"root\"\n",
        {"site.toml:2: access.default_role:", "none, viewer, operator, admin"});
    row("unknown user", "[access]\n\nadmin_users = [\"no-such-user-here\"]\n",
        {"site.toml:3: access.admin_users:", "no-such-user-here"});
    row("unknown group", "[access]\nviewer_groups = [\"no-such-group-here\"]\n",
        {"site.toml:2: access.viewer_groups:", "no-such-group-here"});
    row("list of numbers", "[access]\nadmin_users = [0]\n",
        {"site.toml:2: access.admin_users:", "list of texts"});
    row("not a section", "scheduler = 3\n", {"site.toml:1: scheduler:", "[scheduler]"});
    row("simulated key", "[simulated]\ncluster = \"nods=3\"\n",
        {"site.toml:2: simulated.cluster:", "nods"});
    row("bad hostlist", "[racks]\nr1 = \"gpu[1-\"\n", {"site.toml:2: racks.r1:"});
    row("source kind", "[[telemetry.source]]\nkind = \"dcmg\"\n",
        {"site.toml:2: telemetry.source.kind:", "dcgm"});
    row("source timeout",
        "[[telemetry.source]]\ntargets = \"gpu1:9400\"\ninterval_seconds = 2\ntimeout_seconds = "
        "3\n",
        {"site.toml:4: telemetry.source.timeout_seconds:"});
    row("source targets", "[[telemetry.source]]\ntargets = \"gpu[1-3\"\n",
        {"site.toml:2: telemetry.source.targets:"});
    row("source unknown key", "[[telemetry.source]]\ntargets = \"gpu1:9400\"\ntarget = \"x\"\n",
        {"site.toml:3: telemetry.source.target:", "Is targets meant?"});
    row("single source", "[telemetry.source]\nkind = \"dcgm\"\n",
        {"telemetry.source:", "[[telemetry.source]]"});
    row("coarse readings that go before the fine ones",
        "[history]\nraw_days = 30\nfive_minute_days = 20\n",
        {"site.toml:3: history.five_minute_days:", "less than raw_days"});
    const auto source = [&row](const char* name, const char* lines, const char* part) {
        const QByteArray text = QByteArray("[[telemetry.source]]\n") + lines;
        row(name, text.constData(), {QString::fromLatin1(part)});
    };
    source("header with a line end", "targets = \"gpu1:9400\"\nheaders = [\"A: b\\r\\nHost: c\"]\n",
           "site.toml:3: telemetry.source.headers: It holds the control character 0x0d at place 5");
    source("header without a name", "targets = \"gpu1:9400\"\nheaders = [\"Bearer x\"]\n",
           "site.toml:3: telemetry.source.headers: \"Bearer x\" is no header");
    source("kernel path with an unknown placeholder",
           "kind = \"kernel\"\npath = \"/var/log/{foo}/kern.log\"\n",
           "site.toml:3: telemetry.source.path: There is no placeholder {foo}");
    source("placeholder that is not closed",
           "kind = \"kernel\"\ntargets = \"gpu1\"\npath = \"/var/{host}/{host\"\n",
           "site.toml:4: telemetry.source.path: There is no placeholder {host");
    source("relative kernel path", "kind = \"kernel\"\npath = \"kern.log\"\n",
           "site.toml:3: telemetry.source.path: It must be the file's path");
    source("placeholder in a page", "targets = \"gpu1:9400\"\npath = \"/{host}\"\n",
           "site.toml:3: telemetry.source.path: It may hold no placeholder");
    source("unknown placeholder of an address",
           "targets = \"gpu1:9400\"\naddress = \"{name}-ipmi\"\n",
           "site.toml:3: telemetry.source.address: There is no placeholder {name}");
    source("port out of range", "targets = \"gpu1:94000\"\n",
           "site.toml:2: telemetry.source.targets: The port 94000 is none");
    source("server's port out of range", "kind = \"prometheus\"\ntargets = \"http://p:0/x\"\n",
           "site.toml:3: telemetry.source.targets: The port 0 is none");
    source("too many hosts", "targets = \"gpu[1-900000]:9400\"\n",
           "site.toml:2: telemetry.source.targets:");
    source("label that is none", "targets = \"gpu1:9400\"\nhost_labels = [\"a b\"]\n",
           "site.toml:3: telemetry.source.host_labels:");
    source("negative interval", "targets = \"gpu1:9400\"\ninterval_seconds = -5\n",
           "site.toml:3: telemetry.source.interval_seconds:");
    source("target of two sources",
           "targets = \"gpu[1-2]:9400\"\n[[telemetry.source]]\ntargets = \"gpu[2-3]:9400\"\n",
           "site.toml:4: telemetry.source.targets: Source 2:");
    row("unknown group of the socket", "[socket]\ngroup = \"no-such-group-here\"\n",
        {"site.toml:2: socket.group:", "no-such-group-here"});
    row("control character", "[scheduler]\ncluster = \"a\\u0007b\"\n",
        {"site.toml:2: scheduler.cluster: It holds the control character 0x07 at place 2"});
    row("control character of a rack", "[racks]\n\"r\\n1\" = \"gpu1\"\n",
        {"site.toml:2: racks: A rack's name holds the control character 0x0a"});
    row("relative folder of commands", "[slurm]\nbin_directory = \"bin\"\n",
        {"site.toml:2: slurm.bin_directory:", "starts with /"});
    row("relative slurm.conf", "[slurm]\nconfig_file = \"slurm.conf\"\n",
        {"site.toml:2: slurm.config_file:", "starts with /"});
    row("empty command prefix", "[slurm]\ncommand_prefix = [\"\"]\n",
        {"site.toml:2: slurm.command_prefix:"});
    row("not TOML", "[socket\npath = 1\n", {"site.toml:1: not TOML:"});
    row("twice", "[socket]\npath = \"/a\"\npath = \"/b\"\n", {"site.toml:3: not TOML:"});
}

void ConfigTest::aMistakeNamesFileLineAndKey()
{
    QFETCH(QString, text);
    QFETCH(QStringList, parts);
    const ParsedConfig parsed = parseConfig(text.toStdString(), "site.toml");
    QVERIFY(!parsed.errors.empty());
    for (const QString& part : parts)
        QVERIFY2(QString::fromStdString(parsed.errors.front()).contains(part),
                 qPrintable(joined(parsed)));
}

void ConfigTest::allMistakesAreToldAtOnce()
{
    const ParsedConfig parsed = parseConfig(
        "[socket]\npath = 1\nmax_connections = 0\n[scheduler]\nkind = \"lsf\"\n[extra]\n", "f");
    QCOMPARE(int(parsed.errors.size()), 4);
}

void ConfigTest::valuesArrive()
{
    const ParsedConfig parsed = parseConfig(R"(
[daemon]
state_directory = "/srv/yard"
time_zone = "Asia/Tokyo"
[socket]
path = "/tmp/y.sock"
max_connections = 10
[access]
default_role = "viewer"
admin_users = ["root", "4242"]
[scheduler]
kind = "simulated"
poll_seconds = 1.5
[simulated]
cluster = "nodes=32"
[telemetry]
interval_seconds = 2
[[telemetry.source]]
targets = "gpu[1-2]:9400"
[[telemetry.source]]
kind = "node"
targets = "gpu[1-2]:9100"
interval_seconds = 60
timeout_seconds = 5
[racks]
r1 = "gpu[1-2]"
)",
                                            "f");
    QVERIFY2(parsed.errors.empty(), qPrintable(joined(parsed)));
    const Config& config = parsed.config;
    QCOMPARE(config.stateDirectory, std::string("/srv/yard"));
    QCOMPARE(config.desk.timeZone, std::string("Asia/Tokyo"));
    QCOMPARE(config.server.limits.connections, size_t(10));
    QVERIFY(config.server.access.defaultRole == domain::Role::Viewer);
    QCOMPARE(config.server.access.adminUsers, (std::vector<std::string>{"root", "4242"}));
    QVERIFY(config.simulated);
    QCOMPARE(config.simulation.nodes, 32);
    QCOMPARE(int(config.desk.pollInterval.count()), 1500);
    QCOMPARE(config.sources.size(), size_t(2));
    QCOMPARE(int(config.sources[0].interval.count()), 2000);
    QCOMPARE(int(config.sources[0].timeout.count()), 1600);
    QCOMPARE(int(config.sources[1].interval.count()), 60'000);
    QCOMPARE(config.desk.racks.at("gpu2"), std::string("r1"));
}

void ConfigTest::aMissingFileIsASentence()
{
    const auto loaded = loadConfig("/nowhere/yardmasterd.toml");
    QVERIFY(!loaded.ok());
    QVERIFY(QString::fromStdString(std::string(loaded.status().message()))
                .contains(QStringLiteral(
                    "/nowhere/yardmasterd.toml cannot be read: there is no such file")));
    const auto folder = loadConfig("/tmp");
    QVERIFY(!folder.ok());
    QVERIFY(QString::fromStdString(std::string(folder.status().message()))
                .contains(QStringLiteral("/tmp cannot be read: it is a folder")));
    const auto device = loadConfig("/dev/zero");
    QVERIFY(!device.ok());
    QVERIFY(device.status().message().find("it is a device") != std::string_view::npos);
    QTemporaryFile empty;
    QVERIFY(empty.open());
    QVERIFY(loadConfig(empty.fileName().toStdString()).ok());
}

void ConfigTest::theDemoIsSimulatedAndFast()
{
    const auto demo = demoConfig("nodes=12");
    QVERIFY(demo.ok());
    QVERIFY(demo->simulated && demo->desk.demo);
    QCOMPARE(demo->simulation.nodes, 12);
    QCOMPARE(demo->desk.readingIntervalSeconds, 1.0F);
    QVERIFY(!demoConfig("nodes=many").ok());
}

QTEST_GUILESS_MAIN(ConfigTest)
#include "config_test.moc"
