#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "tests/support/real_cluster.h"

using namespace yard;

/// From a job that ends on a real Slurm to the card that says why, read as a script would.
class IncidentJourney : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aMaskedFailureIsNamedByItsCause();
    void aJobCancelledByItsUserRaisesNothing();
    void aJobWhoseNodeDiesNamesTheNode();
    void aPersonAcknowledgesAndCloses();

private:
    /// A batch job that writes its output below the lab's folder.
    QString submit(const QString& name, const QString& script, const QStringList& options = {});
    QString stateOf(const QString& job);
    QJsonArray incidents(const QStringList& options = {});
    QJsonObject incident(int id);
    /// The card of a job, and the milliseconds from Slurm's verdict to it.
    QJsonObject cardOf(const QString& job, qint64& took);

    test::RealCluster m_cluster{
        {.lab = {.nodes = 4, .gpus = 8, .topology = false, .more = {"--slurmd-timeout", "5"}}}};
    int m_masked = 0;
};

void IncidentJourney::initTestCase()
{
    QVERIFY2(m_cluster.start(), qPrintable(m_cluster.error()));
    QVERIFY(incidents().isEmpty());
    // A daemon that has just started makes its rules ready first: what is timed comes after that.
    const QString first = submit("first", "exit 3\n");
    qint64 took = 0;
    QVERIFY(!cardOf(first, took).isEmpty());
}

QString IncidentJourney::submit(const QString& name, const QString& script,
                                const QStringList& options)
{
    const QString path = m_cluster.lab().folder() + "/" + name + ".sh";
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/bash\n" + script.toUtf8());
    file.close();
    return m_cluster.lab().slurm(
        QStringList{"sbatch", "--parsable", "--chdir=/tmp", "--job-name=" + name, "--gres=gpu:8",
                    "--output=" + m_cluster.lab().folder() + "/%x-%j.out"} +
        options + QStringList{path});
}

QString IncidentJourney::stateOf(const QString& job)
{
    const QString text = m_cluster.lab().slurm({"scontrol", "-o", "show", "job", job});
    for (const QString& word : text.split(' '))
        if (word.startsWith("JobState="))
            return word.mid(9);
    return {};
}

QJsonArray IncidentJourney::incidents(const QStringList& options)
{
    const auto result = m_cluster.yardctl(QStringList{"incidents", "--json"} + options);
    if (result.exitCode != 0)
        qWarning("%s", result.error.constData());
    return QJsonDocument::fromJson(result.output).object().value("incidents").toArray();
}

QJsonObject IncidentJourney::incident(int id)
{
    const auto result = m_cluster.yardctl({"incidents", QString::number(id), "--json"});
    return QJsonDocument::fromJson(result.output).object();
}

QJsonObject IncidentJourney::cardOf(const QString& job, qint64& took)
{
    QElapsedTimer sinceVerdict;
    sinceVerdict.start();
    QJsonArray found;
    const auto isThere = [&] {
        found = incidents({"--job", job});
        return !found.isEmpty() &&
               !found.at(0)[QLatin1String("jobs")][0][QLatin1String("end")].isNull();
    };
    if (!test::RealCluster::waitUntil(isThere, 60'000))
        return {};
    took = sinceVerdict.elapsed();
    return incident(found.at(0)[QLatin1String("id")].toInt());
}

void IncidentJourney::aMaskedFailureIsNamedByItsCause()
{
    // The rank with the cause first, then what the others and the launcher make of it.
    const QString script = R"(
echo '[rank0]: step 10 loss 2.31'
echo '[rank3]: Traceback (most recent call last):'
echo '[rank3]:   File "train.py", line 88, in <module>'
echo '[rank3]:     text = sample["text"]'
echo "[rank3]: KeyError: 'text'"
for rank in 0 1 2; do
    echo "[rank$rank]:[E ProcessGroupNCCL.cpp:616] [Rank $rank] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=11, OpType=ALLREDUCE) ran for 600000 milliseconds before timing out."
done
echo 'torch.distributed.elastic.multiprocessing.errors.ChildFailedError:'
sleep 3
exit 1
)";
    const QString job = submit("masked", script);
    QVERIFY(!job.isEmpty());
    QVERIFY(test::RealCluster::waitUntil([&] { return stateOf(job) == "FAILED"; }, 60'000));
    qint64 took = 0;
    const QJsonObject card = cardOf(job, took);
    QVERIFY(!card.isEmpty());
    QVERIFY2(took < 5'000, qPrintable(QString::number(took)));
    QCOMPARE(card["reason"].toString(), QString("Key Error"));
    QCOMPARE(card["category"].toString(), QString("Script"));
    QCOMPARE(card["rank"].toInt(-1), 3);
    QCOMPARE(card["state"].toString(), QString("open"));
    QVERIFY(card["cordon"].isNull());
    QVERIFY(!card["restart"].toBool());
    QVERIFY(card["happened"].toString().contains("ended FAILED, exit code 1"));
    QStringList witnesses;
    bool hasRoot = false;
    for (const QJsonValue& value : card["evidence"].toArray()) {
        witnesses << value["witness"].toString();
        hasRoot = hasRoot || (value["text"].toString().contains("KeyError: 'text'") &&
                              value["line"].toInt() == 5 && !value["consequence"].toBool());
    }
    QVERIFY(hasRoot);
    QVERIFY(witnesses.contains("scheduler") && witnesses.contains("log"));
    m_masked = card["id"].toInt();
    qInfo("masked failure: card after %lld ms", took);
}

void IncidentJourney::aJobCancelledByItsUserRaisesNothing()
{
    const qsizetype before = incidents({"--all"}).size();
    const QString job = submit("cancelled", "echo \"RuntimeError: CUDA error\"\nsleep 900\n");
    QVERIFY(test::RealCluster::waitUntil([&] { return stateOf(job) == "RUNNING"; }, 60'000));
    m_cluster.lab().slurm({"scancel", job});
    QVERIFY(test::RealCluster::waitUntil([&] { return stateOf(job) == "CANCELLED"; }, 60'000));
    // A failure that comes later has its card; the cancel, which was seen before it, has none.
    const QString later = submit("later", "exit 3\n");
    QVERIFY(test::RealCluster::waitUntil([&] { return stateOf(later) == "FAILED"; }, 60'000));
    qint64 took = 0;
    const QJsonObject card = cardOf(later, took);
    QCOMPARE(card["reason"].toString(), QString("Unknown"));
    QVERIFY2(took < 5'000, qPrintable(QString::number(took)));
    QCOMPARE(incidents({"--all"}).size(), before + 1);
    QVERIFY(incidents({"--job", job}).isEmpty());
}

void IncidentJourney::aJobWhoseNodeDiesNamesTheNode()
{
    const QString job = submit("lost", "echo 'step 1 loss 2.0'\nsrun sleep 900\n",
                               {"--nodes=2", "--nodelist=node[003-004]", "--no-requeue"});
    QVERIFY(test::RealCluster::waitUntil([&] { return stateOf(job) == "RUNNING"; }, 60'000));
    QVERIFY(m_cluster.lab().killNode("node004"));
    QVERIFY(test::RealCluster::waitUntil(
        [&] { return stateOf(job) == "NODE_FAIL" || stateOf(job) == "FAILED"; }, 120'000));
    qint64 took = 0;
    QJsonObject card = cardOf(job, took);
    QVERIFY(!card.isEmpty());
    QVERIFY2(took < 5'000, qPrintable(QString::number(took)));
    // Where the peers fail before Slurm gives the node up, its word comes with its time-out.
    QVERIFY(test::RealCluster::waitUntil(
        [&] {
            card = incident(card["id"].toInt());
            return card["reason"].toString() == "Node Failure";
        },
        60'000));
    QCOMPARE(card["node"].toString(), QString("node004"));
    QCOMPARE(card["jobs"][0]["gpus"].toInt(), 16);
    QCOMPARE(card["severity"].toString(), QString("critical"));
    QVERIFY(card["restart"].toBool());
    QVERIFY(card["seen"].toString().contains("node004 is DOWN"));
    QCOMPARE(incidents({"--node", "node004"}).size(), 1);
    qInfo("lost node: card after %lld ms", took);
}

void IncidentJourney::aPersonAcknowledgesAndCloses()
{
    const QString id = QString::number(m_masked);
    QVERIFY(m_masked > 0);
    QCOMPARE(m_cluster.yardctl({"incidents", "ack", id}).exitCode, 0);
    QCOMPARE(m_cluster.yardctl({"incidents", "assign", id, "bob"}).exitCode, 0);
    QCOMPARE(m_cluster.yardctl({"incidents", "note", id, "told the author"}).exitCode, 0);
    QCOMPARE(incident(m_masked)["state"].toString(), QString("acknowledged"));
    QCOMPARE(m_cluster.yardctl({"incidents", "close", id, "--note", "fixed"}).exitCode, 0);
    const QJsonObject card = incident(m_masked);
    QCOMPARE(card["state"].toString(), QString("closed"));
    QCOMPARE(card["assignee"].toString(), QString("bob"));
    QCOMPARE(card["notes"].toArray().size(), 4);
    const auto again = m_cluster.yardctl({"incidents", "close", id});
    QCOMPARE(again.exitCode, 4);
    QVERIFY(again.error.contains("is closed already"));
    QCOMPARE(m_cluster.yardctl({"incidents", "close", "4711"}).exitCode, 3);
    QCOMPARE(m_cluster.yardctl({"incidents", "ack", "99999999999999999999999"}).exitCode, 1);
    const auto steering = m_cluster.yardctl({"incidents", "note", id, QString("a\u202eb")});
    QCOMPARE(steering.exitCode, 3);
    QVERIFY2(steering.error.contains("The note has"), steering.error.constData());
    const auto table = m_cluster.yardctl({"incidents", "--all"});
    QVERIFY(table.output.contains("Key Error"));
    // Who did what stands in the chain.
    QVERIFY(m_cluster.yardctl({"audit"}).output.contains("closed: fixed"));
}

QTEST_GUILESS_MAIN(IncidentJourney)
#include "incident_test.moc"
