#pragma once

#include <atomic>
#include <memory>

#include "backend/scheduler/scheduler.h"
#include "backend/scheduler/simulated/simulated_cluster.h"

namespace yard::scheduler {

/// The simulated cluster behind the same seam as Slurm. It answers at once and refuses nobody.
class SimulatedScheduler final : public Scheduler {
public:
    explicit SimulatedScheduler(std::shared_ptr<SimulatedCluster> cluster);

    std::string_view name() const override { return "simulated"; }
    StatusOr<domain::SchedulerView> poll(Deadline deadline) override;
    std::vector<std::vector<std::string>> commands(const domain::Action& action,
                                                   std::string_view operationId) const override;
    StatusOr<Receipt> execute(const domain::Action& action, std::string_view operationId,
                              Deadline deadline) override;
    StatusOr<std::vector<domain::Right>> rights(Deadline deadline) override;
    int requeueDelaySeconds() const override { return 120; }
    uint64_t callsMade() const override { return m_callsMade; }

private:
    std::shared_ptr<SimulatedCluster> m_cluster;
    std::atomic<uint64_t> m_callsMade = 0;
};

}  // namespace yard::scheduler
