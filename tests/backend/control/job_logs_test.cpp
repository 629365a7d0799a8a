#include "backend/control/job_logs.h"

#include <pwd.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace yard;
using control::JobLogFile;
using control::JobLogs;
using domain::Reason;

class JobLogsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aLogIsReadAsItGrows();
    void rotationAndTruncationLoseNothing();
    void aLogThatWasNotFollowedIsReadAtItsEnd();
    void onlySoManyAreFollowedTheLargestFirst();
    void whatIsNotTheUsersIsNotRead();
    void whatIsNoFileIsNotRead();
    void aLogWithoutACauseShowsItsLastLines();

private:
    void write(const QString& name, const QByteArray& text);
    JobLogFile file(const QString& name) const
    {
        return {.run = name.toStdString(),
                .path = m_folder->filePath(name).toStdString(),
                .user = std::to_string(geteuid()),
                .gpus = 8};
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

void JobLogsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

void JobLogsTest::write(const QString& name, const QByteArray& text)
{
    QFile file(m_folder->filePath(name));
    QVERIFY(file.open(QIODevice::Append));
    QCOMPARE(file.write(text), qint64(text.size()));
}

void JobLogsTest::aLogIsReadAsItGrows()
{
    JobLogs logs({});
    logs.follow({file("a")});
    QVERIFY(!logs.look());  // not there yet
    write("a", "step 1 loss 2.0\nstep 2 loss 1.9\nTraceback (most recent call last):\n");
    QVERIFY(!logs.look());
    write("a", "  File \"train.py\", line 3, in <module>\n    x = batch['te");
    QVERIFY(!logs.look());
    write("a", "xt']\nKeyError: 'text'");  // no end of the line
    const auto verdict = logs.finish(file("a"));
    QVERIFY2(verdict.ok(), verdict.status().ToString().c_str());
    QCOMPARE(verdict->reason, Reason::KeyError);
    QCOMPARE(verdict->evidence.front().line, uint64_t(6));
    QCOMPARE(logs.followed(), size_t(0));
}

void JobLogsTest::rotationAndTruncationLoseNothing()
{
    JobLogs logs({});
    write("a", "step 1 loss 2.0\nImportError: cannot import name 'x' from 'y' (/opt/y.py)\n");
    logs.follow({file("a")});
    logs.look();
    QVERIFY(QFile::rename(m_folder->filePath("a"), m_folder->filePath("a.1")));
    write("a", "later\n");
    logs.look();
    logs.look();
    QVERIFY(QFile(m_folder->filePath("a")).resize(0));
    write("a", "other\n");
    const auto verdict = logs.finish(file("a"));
    QVERIFY(verdict.ok());
    QCOMPARE(verdict->reason, Reason::ImportError);
}

void JobLogsTest::aLogThatWasNotFollowedIsReadAtItsEnd()
{
    JobLogs logs({});
    write("a", "python: can't open file '/x/train.py': [Errno 2] No such file or directory\n");
    const auto verdict = logs.finish(file("a"));
    QVERIFY(verdict.ok());
    QCOMPARE(verdict->reason, Reason::FileNotFoundError);
    const auto missing = logs.finish(file("b"));
    QVERIFY(absl::IsNotFound(missing.status()));
    QVERIFY(missing.status().message().find("job log") != std::string::npos);
}

void JobLogsTest::onlySoManyAreFollowedTheLargestFirst()
{
    JobLogs::Options options;
    options.mostFiles = 2;
    JobLogs logs(options);
    JobLogFile small = file("small");
    small.gpus = 1;
    JobLogFile none = file("none");
    none.path.clear();
    logs.follow({small, file("a"), none, file("b")});
    QCOMPARE(logs.followed(), size_t(2));
    write("small", "KeyError: 'x'\n");
    QVERIFY(logs.finish(small).ok());
    QCOMPARE(logs.followed(), size_t(2));
    logs.follow({small});
    QCOMPARE(logs.followed(), size_t(1));
}

void JobLogsTest::whatIsNotTheUsersIsNotRead()
{
    write("a", "secret\n");
    JobLogs logs({});
    JobLogFile others = file("a");
    others.user = std::to_string(geteuid() + 1);
    auto refused = logs.finish(others);
    QVERIFY(absl::IsPermissionDenied(refused.status()));
    others.user = "no-such-user-here";
    QVERIFY(absl::IsPermissionDenied(logs.finish(others).status()));

    // Wherever a link leads.
    QTemporaryDir outside;
    QFile target(outside.filePath("real"));
    QVERIFY(target.open(QIODevice::WriteOnly));
    target.write("secret\n");
    target.close();
    QVERIFY(QFile::link(outside.filePath("real"), m_folder->filePath("link")));
    JobLogs::Options options;
    options.roots = {m_folder->path().toStdString()};
    JobLogs below(options);
    QVERIFY(below.finish(file("a")).ok());
    refused = below.finish(file("link"));
    QVERIFY(absl::IsPermissionDenied(refused.status()));
    QVERIFY(refused.status().message().find("log_roots") != std::string::npos);
    options.roots = {m_folder->path().chopped(1).toStdString()};
    JobLogs sibling(options);
    QVERIFY(absl::IsPermissionDenied(sibling.finish(file("a")).status()));
}

void JobLogsTest::whatIsNoFileIsNotRead()
{
    JobLogs logs({});
    JobLogFile folder = file("a");
    folder.path = m_folder->path().toStdString();
    QVERIFY(absl::IsFailedPrecondition(logs.finish(folder).status()));
    write("empty", "");
    QVERIFY(absl::IsNotFound(logs.finish(file("empty")).status()));
    JobLogFile none = file("a");
    none.path.clear();
    QVERIFY(absl::IsNotFound(logs.finish(none).status()));
}

void JobLogsTest::aLogWithoutACauseShowsItsLastLines()
{
    JobLogs logs({});
    write("a", "one\ntwo\nthree\nfour\nfive\nsix\nthe disk is on holiday");
    const auto verdict = logs.finish(file("a"));
    QVERIFY(verdict.ok());
    QVERIFY(!verdict->evidence.empty());
    QCOMPARE(verdict->evidence.back().text, std::string("the disk is on holiday"));
    QCOMPARE(verdict->evidence.back().line, uint64_t(7));
}

QTEST_GUILESS_MAIN(JobLogsTest)
#include "job_logs_test.moc"
