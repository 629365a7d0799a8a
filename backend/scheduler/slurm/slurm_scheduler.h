#pragma once

#include <memory>

#include "backend/base/clock.h"
#include "backend/scheduler/scheduler.h"
#include "backend/scheduler/slurm/slurm_options.h"

namespace yard::scheduler {

/// A real Slurm, read and steered through its own commands in text form.
///
/// A poll asks `scontrol ping` first, because everything else takes nine seconds to say that
/// slurmctld is away. Any command that fails fails the poll; only accounting may be away, which is
/// noted and leaves the accounting rows of the last good read.
///
/// Thread: as Scheduler.
class SlurmScheduler final : public Scheduler {
public:
    /// `clock` must outlive the scheduler.
    SlurmScheduler(SlurmOptions options, const Clock& clock);
    ~SlurmScheduler() override;

    std::string_view name() const override { return "slurm"; }
    StatusOr<domain::SchedulerView> poll(Deadline deadline) override;
    std::vector<std::vector<std::string>> commands(const domain::Action& action,
                                                   std::string_view operationId) const override;
    StatusOr<Receipt> execute(const domain::Action& action, std::string_view operationId,
                              Deadline deadline) override;
    StatusOr<std::vector<domain::Right>> rights(Deadline deadline) override;
    int requeueDelaySeconds() const override;
    uint64_t callsMade() const override;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

}  // namespace yard::scheduler
