#include <QTest>

#include "tests/support/real_cluster.h"

using namespace yard;

/// A daemon whose own account may not steer Slurm: the refusal is in Slurm's words, and nothing has
/// changed.
class PermissionJourney : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY2(m_cluster.start(), qPrintable(m_cluster.error())); }
    void aRefusedDrainChangesNothing();
    void aRefusedCancelChangesNothing();

private:
    test::RealCluster m_cluster{
        {.lab = {.nodes = 4, .gpus = 2},
         .slurmConfig =
             "command_prefix = [\"setpriv\", \"--reuid=nobody\", \"--clear-groups\", \"--\"]\n"}};
};

void PermissionJourney::aRefusedDrainChangesNothing()
{
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster.yardctl({"nodes"}).output.contains("node002"), 15'000);
    const auto result = m_cluster.yardctl({"drain", "node002", "--reason", "not mine", "--yes"});
    QVERIFY2(result.exitCode == 5, result.error.constData());
    QVERIFY2((result.output + result.error).contains("slurm_update error: Invalid user id"),
             (result.output + result.error).constData());
    QCOMPARE(m_cluster.nodeState("node002"), QStringLiteral("IDLE"));
    QVERIFY(!m_cluster.lab().slurm({"scontrol", "show", "node", "node002"}).contains("not mine"));
}

void PermissionJourney::aRefusedCancelChangesNothing()
{
    const QString job = m_cluster.submit({"--gres=gpu:1"});
    QTRY_COMPARE_WITH_TIMEOUT(m_cluster.lab().slurm({"squeue", "-h", "-o", "%T", "-j", job}),
                              QStringLiteral("RUNNING"), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster.yardctl({"jobs", job}).output.contains("RUNNING"), 15'000);
    const auto result = m_cluster.yardctl({"cancel", job, "--yes"});
    QVERIFY2(result.exitCode == 5, result.error.constData());
    QVERIFY2((result.output + result.error).contains("Access/permission denied"),
             (result.output + result.error).constData());
    QCOMPARE(m_cluster.lab().slurm({"squeue", "-h", "-o", "%T", "-j", job}),
             QStringLiteral("RUNNING"));
}

QTEST_GUILESS_MAIN(PermissionJourney)
#include "permission_test.moc"
