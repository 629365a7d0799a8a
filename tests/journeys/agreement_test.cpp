#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include "tests/support/real_cluster.h"

using namespace yard;

namespace {

/// A node as `scontrol show node` words it.
struct ScontrolNode {
    QString base;
    QSet<QString> flags;
    QString reason;
};

QHash<QString, ScontrolNode> readScontrol(const QString& text)
{
    QHash<QString, ScontrolNode> nodes;
    for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        static const QRegularExpression name("NodeName=(\\S+)");
        static const QRegularExpression state(" State=(\\S+)");
        static const QRegularExpression reason(" Reason=(.*?) \\[[^\\]]*\\]");
        QStringList words = state.match(line).captured(1).split(QLatin1Char('+'));
        ScontrolNode node;
        node.base = words.takeFirst();
        // A suffix is a flag as well, in one character.
        static const QHash<QChar, QString> suffixes{{'*', "NOT_RESPONDING"}};
        while (!node.base.isEmpty() && suffixes.contains(node.base.back())) {
            node.flags.insert(suffixes[node.base.back()]);
            node.base.chop(1);
        }
        for (const QString& word : words)
            node.flags.insert(word);
        node.reason = reason.match(line).captured(1);
        nodes.insert(name.match(line).captured(1), node);
    }
    return nodes;
}

}  // namespace

/// `yardctl nodes --json` says of every node what `scontrol` says, in all the states a node can be
/// brought into by hand.
class AgreementJourney : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyNodeIsAsScontrolSays();

private:
    QString disagreement();

    test::RealCluster m_cluster;
};

void AgreementJourney::initTestCase()
{
    QVERIFY2(m_cluster.start(), qPrintable(m_cluster.error()));
    auto& lab = m_cluster.lab();
    const QStringList jobs{m_cluster.submit({"--nodelist=node002", "--gres=gpu:8"}),
                           m_cluster.submit({"--nodelist=node003", "--gres=gpu:2"}),
                           m_cluster.submit({"--nodelist=node004", "--gres=gpu:8"})};
    for (const QString& job : jobs)
        QVERIFY(test::RealCluster::waitUntil(
            [&] {
                return lab.slurm({"squeue", "-h", "-o", "%T", "-j", job}) == "RUNNING";
            },
            20'000));
    lab.slurm({"scontrol", "update", "NodeName=node[004-005]", "State=DRAIN",
               "Reason=State=bad? swap GPU 5, see INC=88123"});
    lab.slurm({"scontrol", "update", "NodeName=node006", "State=DOWN", "Reason=smoke test"});
    lab.slurm({"scontrol", "create", "reservation", "ReservationName=maint-1", "StartTime=now",
               "Duration=60", "Users=root", "Nodes=node007", "Flags=MAINT,IGNORE_JOBS"});
    lab.slurm({"scontrol", "create", "reservation", "ReservationName=course", "StartTime=now",
               "Duration=60", "Users=root", "Nodes=node008"});
    // A reboot that has to wait for the job on node02 stays requested.
    lab.slurm({"scontrol", "reboot", "ASAP", "nextstate=RESUME", "reason=kernel", "node002"});
    QVERIFY(lab.loseGpu("node009", 3));
    QVERIFY(lab.killNode("node010"));
}

QString AgreementJourney::disagreement()
{
    const auto expected = readScontrol(m_cluster.lab().slurm({"scontrol", "-o", "show", "nodes"}));
    const auto result = m_cluster.yardctl({"nodes", "--json"});
    const QJsonDocument document = QJsonDocument::fromJson(result.output);
    const QJsonArray nodes =
        document.isArray() ? document.array() : document.object()["nodes"].toArray();
    if (result.exitCode != 0 || nodes.size() != 16 || expected.size() != 16)
        return QStringLiteral("exit %1, %2 nodes: ").arg(result.exitCode).arg(nodes.size()) +
               QString::fromUtf8(result.error);
    for (const auto& value : nodes) {
        const QJsonObject node = value.toObject();
        const QString name = node["name"].toString();
        const ScontrolNode& right = expected[name];
        QSet<QString> flags;
        for (const auto& flag : node["flags"].toArray())
            flags.insert(flag.toString());
        if (node["state"].toString() != right.base || flags != right.flags ||
            node["reason"].toString() != right.reason)
            return QStringLiteral("%1 is %2 %3 '%4' by scontrol, %5 %6 '%7' by yardctl")
                .arg(name, right.base, QStringList(right.flags.values()).join('+'), right.reason,
                     node["state"].toString(), QStringList(flags.values()).join('+'),
                     node["reason"].toString());
    }
    return {};
}

void AgreementJourney::everyNodeIsAsScontrolSays()
{
    // All states must really be there before the comparison means anything.
    auto& lab = m_cluster.lab();
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster.nodeState("node010").contains("DOWN"), 120'000);
    const QString all = lab.slurm({"scontrol", "-o", "show", "nodes"});
    for (const char* word : {"State=ALLOCATED", "DRAIN", "DOWN", "MAINTENANCE", "RESERVED",
                             "REBOOT", "INVALID_REG", "NOT_RESPONDING"})
        QVERIFY2(all.contains(QLatin1String(word)), word);
    // Slurm may move on between the two calls, so agreement is waited for.
    QString why;
    QTRY_VERIFY2_WITH_TIMEOUT((why = disagreement()).isEmpty(), qPrintable(why), 30'000);
}

QTEST_GUILESS_MAIN(AgreementJourney)
#include "agreement_test.moc"
