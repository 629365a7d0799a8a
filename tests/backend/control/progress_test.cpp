#include "backend/control/progress.h"

#include <QTemporaryDir>
#include <QTest>

#include "tests/support/desk_harness.h"

using namespace yard;
using domain::ActionKind;
using domain::OperationState;
using testing::DeskHarness;

/// What is still to come of a drain or a reboot that the scheduler has accepted.
class ProgressTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aDrainGoesOnUntilTheLastJobHasLeft();
    void aRebootGoesOnUntilTheNodeIsBack();
    void eachStepOfARebootHasItsWords_data();
    void eachStepOfARebootHasItsWords();
    void whatIsDoneAtOnceHasNoProgress();

private:
    uint64_t run(ActionKind kind, std::vector<std::string> targets);
    QString progress(uint64_t id)
    {
        return QString::fromStdString(m_harness->operation(id).progress);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<DeskHarness> m_harness;
};

void ProgressTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_harness = std::make_unique<DeskHarness>(m_folder->path().toStdString());
    m_harness->open();
    QTRY_VERIFY(!m_harness->snapshot()->nodes.empty());
}

void ProgressTest::cleanup()
{
    m_harness.reset();
    m_folder.reset();
}

uint64_t ProgressTest::run(ActionKind kind, std::vector<std::string> targets)
{
    domain::Action action;
    action.kind = kind;
    (isNodeAction(kind) ? action.nodes : action.jobs) = std::move(targets);
    action.reason = "why";
    const auto preview = m_harness->preview(std::move(action));
    const auto operation = m_harness->execute({.token = preview->token,
                                               .requestId = "r" + preview->token,
                                               .reason = {},
                                               .typedCount = preview->typedCountRequired});
    const uint64_t id = operation->id;
    [&] {
        QTRY_COMPARE_WITH_TIMEOUT(domain::name(m_harness->operation(id).state),
                                  domain::name(OperationState::Observed), 20'000);
    }();
    return id;
}

void ProgressTest::aDrainGoesOnUntilTheLastJobHasLeft()
{
    const uint64_t id = run(ActionKind::Drain, {"n1", "n2"});
    QTRY_COMPARE(progress(id), QStringLiteral("n[1-2] are draining, with 2 running jobs."));
    const auto empty = [this](const char* node, const char* job) {
        m_harness->scheduler.changeJob(
            job, [](domain::Job& job) { job.state = domain::JobState::Completed; });
        m_harness->scheduler.changeNode(node, [](domain::Node& node) {
            node.state = domain::NodeState::Idle;
            node.gpusAllocated = 0;
        });
    };
    empty("n1", "101");
    QTRY_COMPARE(progress(id),
                 QStringLiteral("1 of 2 are drained. n2 is draining, with 1 running job."));
    empty("n2", "102");
    QTRY_COMPARE(progress(id), QString());
    QCOMPARE(m_harness->operation(id).state, OperationState::Observed);
}

void ProgressTest::aRebootGoesOnUntilTheNodeIsBack()
{
    const auto bootTime = [this] {
        const auto delta = m_harness->snapshot();
        for (const domain::Node& node : delta->nodes)
            if (node.name == "n1" && node.bootTime)
                return *node.bootTime;
        return Time();
    };
    const Time before = bootTime();
    const uint64_t id = run(ActionKind::Reboot, {"n1"});
    // The scheduler of this test takes a step a poll; the words of each are below.
    QTRY_VERIFY(bootTime() > before);
    QTRY_COMPARE(progress(id), QString());
}

void ProgressTest::eachStepOfARebootHasItsWords_data()
{
    QTest::addColumn<QString>("flag");
    QTest::addColumn<int>("bootedAt");
    QTest::addColumn<QString>("words");
    QTest::newRow("waits") << "REBOOT_REQUESTED" << 100 << "n1 will reboot.";
    QTest::newRow("boots") << "REBOOT_ISSUED" << 100 << "n1 is rebooting.";
    QTest::newRow("called off") << "" << 100
                                << "n1 has not booted since, and no reboot is pending there.";
    QTest::newRow("back") << "" << 200 << "";
}

void ProgressTest::eachStepOfARebootHasItsWords()
{
    QFETCH(QString, flag);
    QFETCH(int, bootedAt);
    QFETCH(QString, words);
    domain::Node node;
    node.name = "n1";
    node.state = domain::NodeState::Idle;
    node.bootTime = Time(std::chrono::seconds(bootedAt));
    if (!flag.isEmpty())
        node.flags = {flag.toStdString()};
    control::ClusterSnapshot snapshot(m_harness->clock, {});
    snapshot.setNodes({node});
    store::OperationRecord record;
    record.operation.action.kind = ActionKind::Reboot;
    record.operation.targets = {{.name = "n1", .before = {}, .observed = {}}};
    record.evidence = {{.target = "n1", .bootTimeUs = 100'000'000, .reason = {}}};
    QCOMPARE(QString::fromStdString(control::progressOf(record, snapshot)), words);
}

void ProgressTest::whatIsDoneAtOnceHasNoProgress()
{
    QCOMPARE(progress(run(ActionKind::Down, {"n1"})), QString());
    QCOMPARE(progress(run(ActionKind::Requeue, {"105"})), QString());
}

QTEST_GUILESS_MAIN(ProgressTest)
#include "progress_test.moc"
