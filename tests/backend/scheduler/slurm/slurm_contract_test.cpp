#include <QTest>

#include "backend/scheduler/slurm/slurm_scheduler.h"
#include "tests/backend/scheduler/scheduler_contract.h"
#include "tests/support/slurm_lab.h"

using namespace yard;
using namespace yard::scheduler;
using namespace std::chrono_literals;

namespace {

/// The contract against a real slurmctld with three real nodes.
class RealSlurm final : public contract::Environment {
public:
    bool start()
    {
        if (!m_lab.start())
            return false;
        m_scheduler = std::make_unique<SlurmScheduler>(
            SlurmOptions{.configFile = m_lab.configFile().toStdString()}, m_clock);
        return true;
    }
    const QString& error() const { return m_lab.error(); }

    Scheduler& scheduler() override { return *m_scheduler; }
    std::vector<std::string> nodeNames() override
    {
        std::vector<std::string> names;
        for (const QString& name : m_lab.nodeNames())
            names.push_back(name.toStdString());
        return names;
    }
    bool waitUntil(const std::function<bool()>& done) override
    {
        return QTest::qWaitFor([&] { return done(); }, 30'000);
    }

private:
    test::SlurmLab m_lab{{.nodes = 3, .gpus = 4}};
    SystemClock m_clock;
    std::unique_ptr<SlurmScheduler> m_scheduler;
};

}  // namespace

class SlurmContractTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY2(m_slurm.start(), qPrintable(m_slurm.error())); }
    void contract_data() { contract::addContractRows(); }
    void contract() { contract::runContractCase(m_slurm); }

private:
    RealSlurm m_slurm;
};

QTEST_GUILESS_MAIN(SlurmContractTest)
#include "slurm_contract_test.moc"
