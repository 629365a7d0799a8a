#include "backend/base/whole_file.h"

#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace yard;

class WholeFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileIsReadUpToItsLimit();
    void onlyRegularFilesAreRead_data();
    void onlyRegularFilesAreRead();
};

void WholeFileTest::aFileIsReadUpToItsLimit()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("a")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray bytes(3 << 20, 'x');
    file.write(bytes);
    file.close();
    const std::string path = file.fileName().toStdString();
    const auto whole = readWholeFile(path, size_t(bytes.size()));
    QVERIFY2(whole.ok(), whole.status().ToString().c_str());
    QCOMPARE(*whole, bytes.toStdString());
    const auto more = readWholeFile(path, size_t(2) << 20);
    QCOMPARE(more.status().code(), absl::StatusCode::kResourceExhausted);
    QVERIFY(more.status().message().find("more than 2 MiB") != std::string_view::npos);
    QVERIFY(!readWholeFile("/proc/self/status", 1 << 20)->empty());  // its size is said to be 0
}

void WholeFileTest::onlyRegularFilesAreRead_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("why");
    QTest::newRow("missing") << QStringLiteral("/nowhere/a") << QStringLiteral("no such file");
    QTest::newRow("folder") << QStringLiteral("/tmp") << QStringLiteral("it is a folder");
    QTest::newRow("device") << QStringLiteral("/dev/zero") << QStringLiteral("it is a device");
    QTest::newRow("pipe") << QString() << QStringLiteral("it is a pipe");
}

void WholeFileTest::onlyRegularFilesAreRead()
{
    QFETCH(QString, path);
    QFETCH(QString, why);
    const QTemporaryDir folder;
    if (path.isEmpty()) {
        path = folder.filePath(QStringLiteral("pipe"));
        QCOMPARE(mkfifo(path.toUtf8().constData(), 0600), 0);
    }
    const auto read = readWholeFile(path.toStdString(), 1 << 20);
    QVERIFY(!read.ok());
    const QString sentence = QString::fromStdString(std::string(read.status().message()));
    QVERIFY2(sentence.startsWith(path) && sentence.contains(why), qPrintable(sentence));
}

QTEST_GUILESS_MAIN(WholeFileTest)
#include "whole_file_test.moc"
