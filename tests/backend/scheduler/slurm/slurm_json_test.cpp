#include <QFile>
#include <QTest>

#include "backend/scheduler/slurm/accounting_json.h"
#include "backend/scheduler/slurm/jobs_json.h"
#include "backend/scheduler/slurm/json_values.h"
#include "backend/scheduler/slurm/nodes_json.h"

using namespace yard::scheduler::slurm;

class SlurmJsonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneNumberHasManyShapes_data();
    void oneNumberHasManyShapes();
    void replyThatIsCutAnywhereFails();
    void replyWithErrorsIsNoEmptyList();
    void bareInfinityAndBrokenTextAreTaken();
    void deepNestingIsRefused();
    void wrongTypesCostTheField();
};

void SlurmJsonTest::oneNumberHasManyShapes_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<double>("value");  // -1: not set, -2: unlimited
    QTest::newRow("plain") << QByteArray("7") << 7.0;
    QTest::newRow("struct") << QByteArray(R"({"set":true,"infinite":false,"number":7})") << 7.0;
    QTest::newRow("unset") << QByteArray(R"({"set":false,"infinite":false,"number":0})") << -1.0;
    QTest::newRow("infinite") << QByteArray(R"({"set":false,"infinite":true,"number":0})") << -2.0;
    QTest::newRow("null") << QByteArray("null") << -1.0;
    QTest::newRow("word") << QByteArray("\"Infinity\"") << -2.0;
    QTest::newRow("NO_VAL") << QByteArray("4294967294") << -1.0;
    QTest::newRow("INFINITE") << QByteArray("4294967295") << -2.0;
    QTest::newRow("NO_VAL64") << QByteArray("18446744073709551614") << -1.0;
    QTest::newRow("NO_VAL64 as signed") << QByteArray("-2") << -1.0;
    QTest::newRow("a list") << QByteArray("[1]") << -1.0;
}

void SlurmJsonTest::oneNumberHasManyShapes()
{
    QFETCH(QByteArray, json);
    QFETCH(double, value);
    const auto reply = readJsonReply("{\"x\":" + json.toStdString() + "}");
    QVERIFY(reply.ok());
    const JsonNumber number = numberAt(reply->root, "x");
    QCOMPARE(number.unlimited ? -2.0 : number.value.value_or(-1.0), value);
}

void SlurmJsonTest::replyThatIsCutAnywhereFails()
{
    const std::string whole =
        R"({"jobs":[{"job_id":5,"job_state":["RUNNING"],"name":"a\u001bb"}],"errors":[]})";
    QVERIFY(readJobsJson(*readJsonReply(whole)).ok());
    for (size_t length = 0; length < whole.size(); ++length)
        QVERIFY2(!readJsonReply(whole.substr(0, length)).ok(), std::to_string(length).c_str());
}

void SlurmJsonTest::replyWithErrorsIsNoEmptyList()
{
    const auto reply =
        readJsonReply(R"({"jobs":[],"errors":[{"error":"Unable to contact slurm controller"}]})");
    QVERIFY(reply.ok());
    const auto jobs = readJobsJson(*reply);
    QVERIFY(!jobs.ok());
    QVERIFY(std::string(jobs.status().message()).find("Unable to contact") != std::string::npos);
    QVERIFY(!readNodesJson(*readJsonReply("{\"errors\":[]}")).ok());
}

void SlurmJsonTest::bareInfinityAndBrokenTextAreTaken()
{
    const auto nodes =
        readNodesJson(*readJsonReply("{\"nodes\":[{\"name\":\"n1\",\"comment\":\"\xf6 "
                                     "NaN\",\"tres_weighted\":Infinity,\"cpus\":8}]}"));
    QVERIFY(nodes.ok());
    QCOMPARE(nodes->nodes.front().node.cpusTotal, std::optional(8));
    QCOMPARE(nodes->nodes.front().node.comment, std::string("\xef\xbf\xbd NaN"));
}

void SlurmJsonTest::deepNestingIsRefused()
{
    QVERIFY(!readJsonReply("{\"a\":" + std::string(100'000, '[')).ok());
    QVERIFY(!readJsonReply("{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}")
                 .ok());
}

void SlurmJsonTest::wrongTypesCostTheField()
{
    const auto jobs = readJobsJson(*readJsonReply(
        R"({"jobs":[{"job_id":"x"},7,{"job_id":5,"job_state":7,"nodes":[],"time_limit":"soon","gres_detail":{},"job_resources":[]}]})"));
    QVERIFY(jobs.ok());
    QCOMPARE(jobs->jobs.size(), size_t(1));
    QCOMPARE(jobs->notes.badRecords, 2);
}

QTEST_GUILESS_MAIN(SlurmJsonTest)
#include "slurm_json_test.moc"
