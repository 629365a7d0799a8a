#include "backend/domain/array_tasks.h"

#include <QTest>

#include "backend/domain/job.h"

using namespace yard;

class ArrayTasksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tasksAreCounted_data();
    void tasksAreCounted();
    void listsShareATask_data();
    void listsShareATask();
    void namesOfTasksAreRead();
    void aRecordKnowsItsTasks();
};

void ArrayTasksTest::tasksAreCounted_data()
{
    QTest::addColumn<QString>("list");
    QTest::addColumn<uint>("count");
    QTest::newRow("range") << "1-10" << 10u;
    QTest::newRow("with a limit of running ones") << "2-9,12%2" << 9u;
    QTest::newRow("step") << "0-30:5" << 7u;
    QTest::newRow("cut short") << "1,3,5,..." << 0u;
    QTest::newRow("empty") << "" << 0u;
}

void ArrayTasksTest::tasksAreCounted()
{
    QFETCH(QString, list);
    QFETCH(uint, count);
    QCOMPARE(domain::countTasks(list.toStdString()), count);
    QVERIFY(domain::hasTask("0-30:5", 25) && !domain::hasTask("0-30:5", 26));
}

void ArrayTasksTest::listsShareATask_data()
{
    QTest::addColumn<QString>("one");
    QTest::addColumn<QString>("other");
    QTest::addColumn<bool>("share");
    QTest::newRow("one in a range") << "3"
                                    << "1-5%2" << true;
    QTest::newRow("beside it") << "6"
                               << "1-5" << false;
    QTest::newRow("ranges that overlap") << "0,4-9"
                                         << "1-3,9-12" << true;
    QTest::newRow("ranges that do not") << "0,4-8"
                                        << "1-3,9-12" << false;
    QTest::newRow("steps that meet") << "0-30:10"
                                     << "5-25:5" << true;
    QTest::newRow("steps that never meet") << "0-30:10"
                                           << "5-25:10" << false;
    QTest::newRow("no list") << "..."
                             << "1-5" << false;
}

void ArrayTasksTest::listsShareATask()
{
    QFETCH(QString, one);
    QFETCH(QString, other);
    QFETCH(bool, share);
    QCOMPARE(domain::shareTasks(one.toStdString(), other.toStdString()), share);
    QCOMPARE(domain::shareTasks(other.toStdString(), one.toStdString()), share);
}

void ArrayTasksTest::namesOfTasksAreRead()
{
    const auto several = domain::readTasksName("18_[2-9,12]");
    QVERIFY(several && several->array == 18);
    QCOMPARE(std::string(several->tasks), std::string("2-9,12"));
    const auto one = domain::readTasksName("18_3");
    QVERIFY(one && one->array == 18);
    QCOMPARE(std::string(one->tasks), std::string("3"));
    for (const char* other : {"18", "18+1", "18_", "18_x", "x_3", "18_[]", "18_[3"})
        QVERIFY2(!domain::readTasksName(other), other);
}

void ArrayTasksTest::aRecordKnowsItsTasks()
{
    domain::Job job;
    QVERIFY(domain::tasksOf(job).empty());
    job.array = domain::ArrayPlace{.job = 18, .task = 3, .pending = {}, .pendingCount = 0};
    QCOMPARE(domain::tasksOf(job), std::string("3"));
    job.array =
        domain::ArrayPlace{.job = 18, .task = std::nullopt, .pending = "4-9%2", .pendingCount = 6};
    QCOMPARE(domain::tasksOf(job), std::string("4-9%2"));
}

QTEST_GUILESS_MAIN(ArrayTasksTest)
#include "array_tasks_test.moc"
