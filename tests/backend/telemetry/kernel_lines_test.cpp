#include "backend/telemetry/kernel_lines.h"

#include <QTest>

using namespace yard::telemetry;

class KernelLinesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lineIsFoundBehindItsPrefix_data();
    void lineIsFoundBehindItsPrefix();
    void whatAProgramPrintsIsNoEvent_data();
    void whatAProgramPrintsIsNoEvent();
    void lostCardIsOneIncident();
    void lossInThreeLinesHasNoCode();
    void cutLineIsCounted();
    void farYearIsNoMoment();
    void differentCausesStayApart();
};

namespace {

const std::string kXid = "NVRM: Xid (PCI:0000:1b:00): 31, pid=100, name=a, Ch 00000010";

}  // namespace

void KernelLinesTest::lineIsFoundBehindItsPrefix_data()
{
    QTest::addColumn<QString>("prefix");
    QTest::addColumn<QString>("host");
    for (const char* prefix : {"", "[ 1234.567890] ", "<4>[ 1.5] ", "4,2201,1234567892,-;",
                               "[Tue Oct 15 07:15:40 2024] ", "kern  :warn  : [ 12.0] ",
                               "2025-01-01T10:00:04,123456+01:00 ", "[  +0.000012] "})
        QTest::newRow(prefix) << QString::fromLatin1(prefix) << QString();
    for (const char* prefix :
         {"Jan  1 10:00:02 gpu1 kernel: ", "Jan  1 10:00:03 gpu1 kernel: [ 1236.1] ",
          "2025-01-01T10:00:04+0100 gpu1 kernel: ", "Jan 01 10:00:05 gpu1 kernel[0]: ",
          "Jan 01 10:00:05.123456 gpu1 kernel: ", "<4>Jan 01 10:00:05 gpu1 kernel: ",
          "1735722005.000001 gpu1 kernel: ", "[ 12.000001] gpu1 kernel: "})
        QTest::newRow(prefix) << QString::fromLatin1(prefix) << QStringLiteral("gpu1");
}

void KernelLinesTest::lineIsFoundBehindItsPrefix()
{
    QFETCH(QString, prefix);
    QFETCH(QString, host);
    const KernelRead read = readKernelLines(prefix.toStdString() + kXid + "\r\n");
    QCOMPARE(read.events.size(), size_t(1));
    const KernelEvent& event = read.events.front();
    QCOMPARE(event.code, 31);
    QCOMPARE(event.pci, std::string("0000:1b:00"));
    QCOMPARE(event.pid, std::optional(100));
    QCOMPARE(QString::fromStdString(event.host), host);
}

void KernelLinesTest::whatAProgramPrintsIsNoEvent_data()
{
    QTest::addColumn<QString>("prefix");
    for (const char* prefix :
         {"[10.1] myapp[77]: printed ", "Jan  1 10:00:02 gpu1 myapp[77]: ", "<12>[ 1.5] ",
          "12,2201,1234567892,-;", "user  :warn  : [ 12.0] ", "kernel says \""})
        QTest::newRow(prefix) << QString::fromLatin1(prefix);
}

void KernelLinesTest::whatAProgramPrintsIsNoEvent()
{
    QFETCH(QString, prefix);
    const KernelRead read = readKernelLines(prefix.toStdString() + kXid + "\n");
    QVERIFY(read.events.empty());
    QCOMPARE(read.otherLines, uint64_t(1));
}

void KernelLinesTest::lostCardIsOneIncident()
{
    const KernelRead read = readKernelLines(
        "[1.0] NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.\n"
        "[1.1] NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off "
        "the bus.\n"
        "[1.5] NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 "
        "(Node Reboot Required)\n");
    const auto incidents = foldIncidents(read.events);
    QCOMPARE(incidents.size(), size_t(1));
    QCOMPARE(incidents[0].fault.code, 79);
    QCOMPARE(incidents[0].fault.count, 3);
    QCOMPARE(incidents[0].action, std::string("reboot"));
}

void KernelLinesTest::lossInThreeLinesHasNoCode()
{
    const KernelRead read = readKernelLines(
        "NVRM: The NVIDIA GPU 0000:29:00.0\nNVRM: (PCI ID: 10de:20b2) installed in this system "
        "has\n"
        "NVRM: fallen off the bus and is not responding to commands.\n");
    const auto faults = foldFaults(read.events, "gpu07");
    QCOMPARE(faults.size(), size_t(1));
    QCOMPARE(faults[0].pci, std::string("0000:29:00"));
    QCOMPARE(faults[0].code, 0);
    QCOMPARE(faults[0].host, std::string("gpu07"));
}

void KernelLinesTest::cutLineIsCounted()
{
    for (size_t length = kXid.find("(") + 1; length < kXid.find("31,") + 3; ++length) {
        const KernelRead read = readKernelLines(std::string_view(kXid).substr(0, length));
        QCOMPARE(read.events.size() + read.badLines, size_t(1));
        QVERIFY(read.events.empty() || read.events.front().code == 31);
    }
}

void KernelLinesTest::farYearIsNoMoment()
{
    const KernelRead read = readKernelLines("4050-01-01T10:00:04Z gpu1 kernel: " + kXid +
                                            "\n9999999999999.5 gpu1 kernel: " + kXid + "\n");
    for (const KernelEvent& event : read.events)
        QVERIFY(!event.at);
}

void KernelLinesTest::differentCausesStayApart()
{
    const KernelRead read = readKernelLines(
        "[1.0] NVRM: Xid (PCI:0000:1b:00): 13, pid=1, name=a, x\n[1.1] NVRM: Xid (PCI:0000:1b:00): "
        "109, pid=1, name=a, x\n"
        "[1.2] NVRM: Xid (PCI:0000:2b:00): 13, pid=1, name=a, x\n[900.0] NVRM: Xid "
        "(PCI:0000:1b:00): 13, pid=1, name=a, x\n");
    QCOMPARE(foldIncidents(read.events).size(), size_t(4));
}

QTEST_GUILESS_MAIN(KernelLinesTest)
#include "kernel_lines_test.moc"
