#include "backend/telemetry/sources/kernel_log_source.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <set>
#include <thread>

using namespace yard;
using namespace yard::telemetry;
using std::chrono::milliseconds;

namespace {

const Time kNoon = Time(std::chrono::hours(24 * 20000 + 12));

/// A line as rsyslog writes it with RFC 3339 times; each on a GPU of its own, so that none fold.
QByteArray xidLine(int number, const char* time = "2024-10-04T11:00:00+00:00")
{
    return QByteArray(time) + " gpu031 kernel: [ 1234.5] NVRM: Xid (PCI:" +
           QByteArray::number(number, 16).rightJustified(4, '0') +
           ":1b:00): 79, pid=1234, name=python, GPU has fallen off the bus.\n";
}

std::string pciOf(int number)
{
    return (QByteArray::number(number, 16).rightJustified(4, '0') + ":1b:00").toStdString();
}

}  // namespace

class KernelLogSourceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void newLinesAreReportedOnce();
    void aLineWithoutItsEndWaitsForIt();
    void theFirstStartReadsTheEndOnlyAndKeepsTheLinesTimes();
    void rotationLosesNothing();
    void truncationStartsAgain();
    void truncationThatGrewPastOurPlaceIsNoticed();
    void aMissingFileIsASentenceAndComesBack();
    void aFolderOrAPipeIsRefused();
    void aLineWithoutEndIsPassedOver();
    void manyHostsInOneFile();
    void aLineThatCannotBeReadIsNamed();
    void appendingAndRotatingWhileReadingLosesNothing();
    void localTimesWithoutAYear();

private:
    void append(const QByteArray& bytes) const;
    std::unique_ptr<KernelLogSource> source(size_t history = 1 << 20, const char* host = "gpu031");
    static std::vector<std::string> pcis(KernelLogSource& source);

    ManualClock m_clock{kNoon};
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

void KernelLogSourceTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(QStringLiteral("kern.log"));
}

void KernelLogSourceTest::append(const QByteArray& bytes) const
{
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::Append));
    QCOMPARE(file.write(bytes), bytes.size());
}

std::unique_ptr<KernelLogSource> KernelLogSourceTest::source(size_t history, const char* host)
{
    return std::make_unique<KernelLogSource>(
        KernelLogSource::Settings{
            .host = host, .path = m_path.toStdString(), .historyLimit = history},
        m_clock);
}

std::vector<std::string> KernelLogSourceTest::pcis(KernelLogSource& source)
{
    const auto read = source.scrape(Deadline::in(milliseconds(5000)));
    if (!read.ok())
        return {read.status().ToString()};
    std::vector<std::string> list;
    for (const domain::Fault& fault : read->faults)
        list.push_back(fault.pci);
    std::sort(list.begin(), list.end());
    return list;
}

using Pcis = std::vector<std::string>;

void KernelLogSourceTest::newLinesAreReportedOnce()
{
    append("2024-10-04T11:00:00+00:00 gpu031 kernel: eth0: link up\n");
    const auto log = source();
    QCOMPARE(pcis(*log), Pcis{});
    append(xidLine(1) + xidLine(2));
    const auto read = log->scrape(Deadline::in(milliseconds(5000)));
    QVERIFY(read.ok());
    QCOMPARE(read->faults.size(), 2u);
    QCOMPARE(read->faults[0].code, 79);
    QCOMPARE(read->faults[0].host, std::string("gpu031"));
    QCOMPARE(read->samples, 2u);
    QCOMPARE(pcis(*log), Pcis{});
    append(xidLine(3));
    QCOMPARE(pcis(*log), Pcis{pciOf(3)});
}

void KernelLogSourceTest::aLineWithoutItsEndWaitsForIt()
{
    append("");
    const auto log = source();
    const QByteArray line = xidLine(1);
    QCOMPARE(pcis(*log), Pcis{});
    append(line.left(50));
    QCOMPARE(pcis(*log), Pcis{});
    append(line.mid(50));
    QCOMPARE(pcis(*log), Pcis{pciOf(1)});
}

void KernelLogSourceTest::theFirstStartReadsTheEndOnlyAndKeepsTheLinesTimes()
{
    const QByteArray noTime = "[  100.000000] NVRM: Xid (PCI:0009:1b:00): 79, pid=1, GPU lost.\n";
    for (int i = 1; i <= 4; ++i)
        append(xidLine(i));
    append(noTime);
    const auto log = source(size_t(xidLine(1).size() * 2 + noTime.size() + 10));
    auto read = log->scrape(Deadline::in(milliseconds(5000)));
    QVERIFY(read.ok());
    std::set<std::string> seen;
    for (const domain::Fault& fault : read->faults) {
        seen.insert(fault.pci);
        if (fault.pci == pciOf(9))
            QVERIFY(!fault.at.has_value());  // old, and it does not say when
        else
            QVERIFY(fault.at == Time(std::chrono::seconds(1728039600)));
    }
    QCOMPARE(seen, (std::set<std::string>{pciOf(3), pciOf(4), pciOf(9)}));
    append("[  200.000000] NVRM: Xid (PCI:000a:1b:00): 79, pid=1, GPU lost.\n");
    read = log->scrape(Deadline::in(milliseconds(5000)));
    QVERIFY(read.ok() && read->faults.size() == 1);
    QVERIFY(read->faults[0].at == kNoon);  // new: it was seen now
}

void KernelLogSourceTest::rotationLosesNothing()
{
    append(xidLine(1));
    const auto log = source();
    QCOMPARE(pcis(*log), Pcis{pciOf(1)});
    append(xidLine(2));
    QVERIFY(QFile::rename(m_path, m_path + QStringLiteral(".1")));
    append(xidLine(3));
    QCOMPARE(pcis(*log), (Pcis{pciOf(2), pciOf(3)}));
    append(xidLine(4));
    QCOMPARE(pcis(*log), Pcis{pciOf(4)});
}

void KernelLogSourceTest::truncationStartsAgain()
{
    append(xidLine(1) + xidLine(2));
    const auto log = source();
    QCOMPARE(pcis(*log).size(), 2u);
    QVERIFY(QFile::resize(m_path, 0));
    append(xidLine(3));
    QCOMPARE(pcis(*log), Pcis{pciOf(3)});
}

void KernelLogSourceTest::truncationThatGrewPastOurPlaceIsNoticed()
{
    append(xidLine(1));
    const auto log = source();
    QCOMPARE(pcis(*log).size(), 1u);
    QVERIFY(QFile::resize(m_path, 0));
    append(xidLine(2) + xidLine(3));
    QCOMPARE(pcis(*log), (Pcis{pciOf(2), pciOf(3)}));
}

void KernelLogSourceTest::aMissingFileIsASentenceAndComesBack()
{
    const auto log = source();
    const auto read = log->scrape(Deadline::in(milliseconds(5000)));
    QVERIFY(absl::IsNotFound(read.status()));
    QVERIFY(std::string(read.status().message()).find(m_path.toStdString()) != std::string::npos);
    append(xidLine(1));
    QCOMPARE(pcis(*log), Pcis{pciOf(1)});
    QVERIFY(QFile::remove(m_path));
    QCOMPARE(pcis(*log), Pcis{});
    append(xidLine(2));
    QCOMPARE(pcis(*log), Pcis{pciOf(2)});
}

void KernelLogSourceTest::aFolderOrAPipeIsRefused()
{
    m_path = m_folder->path();
    QVERIFY(absl::IsFailedPrecondition(source()->scrape(Deadline::in(milliseconds(100))).status()));
}

void KernelLogSourceTest::aLineWithoutEndIsPassedOver()
{
    append("");
    const auto log = source();
    QCOMPARE(pcis(*log), Pcis{});
    append(QByteArray(9 << 20, 'x') + "\n" + xidLine(1));
    QCOMPARE(pcis(*log), Pcis{pciOf(1)});
}

void KernelLogSourceTest::manyHostsInOneFile()
{
    append(xidLine(1) + xidLine(1).replace("gpu031", "gpu044"));
    const auto read = source(1 << 20, "")->scrape(Deadline::in(milliseconds(5000)));
    QVERIFY(read.ok());
    QCOMPARE(read->faults.size(), 2u);
    QCOMPARE(read->faults[0].host, std::string("gpu031"));
    QCOMPARE(read->faults[1].host, std::string("gpu044"));
}

void KernelLogSourceTest::aLineThatCannotBeReadIsNamed()
{
    append("2024-10-04T11:00:00+00:00 gpu031 kernel: NVRM: Xid (PCI:00\n" + xidLine(1));
    const auto read = source()->scrape(Deadline::in(milliseconds(5000)));
    QVERIFY(read.ok());
    QCOMPARE(read->badLines, 1u);
    QVERIFY2(read->firstBadLine.starts_with("kernel:gpu031: "), read->firstBadLine.c_str());
    QCOMPARE(read->faults.size(), 1u);
}

void KernelLogSourceTest::appendingAndRotatingWhileReadingLosesNothing()
{
    constexpr int kLines = 600;
    append("");
    const auto log = source();
    QCOMPARE(pcis(*log), Pcis{});
    std::atomic<bool> written = false;
    std::thread writer([&] {
        for (int i = 1; i <= kLines; ++i) {
            const QByteArray line = xidLine(i);
            append(line.left(i % 90));  // a writer that is caught in the middle of a line
            append(line.mid(i % 90));
            if (i % 50 == 0)
                QFile::rename(m_path, m_path + QStringLiteral(".%1").arg(i));
            std::this_thread::sleep_for(milliseconds(1));
        }
        written = true;
    });
    std::multiset<std::string> seen;
    for (bool last = false; !last;) {
        last = written;
        for (const std::string& pci : pcis(*log))
            seen.insert(pci);
    }
    writer.join();
    QCOMPARE(seen.size(), size_t(kLines));
    for (int i = 1; i <= kLines; ++i)
        QCOMPARE(seen.count(pciOf(i)), 1u);
}

void KernelLogSourceTest::localTimesWithoutAYear()
{
    qputenv("TZ", "UTC");
    const Time now = Time(std::chrono::seconds(1735732800));  // 2025-01-01 12:00
    QVERIFY(localLogTime("--12-31T23:00:00", now) == Time(std::chrono::seconds(1735686000)));
    QVERIFY(localLogTime("--01-01T11:00:00", now) == Time(std::chrono::seconds(1735729200)));
    QVERIFY(localLogTime("2024-10-15T07:15:40", now) == Time(std::chrono::seconds(1728976540)));
    QVERIFY(!localLogTime("yesterday", now).has_value());
}

QTEST_GUILESS_MAIN(KernelLogSourceTest)
#include "kernel_log_source_test.moc"
