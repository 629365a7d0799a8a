#include "backend/scheduler/simulated/simulated_scheduler.h"

#include "backend/scheduler/slurm/action_commands.h"

namespace yard::scheduler {

SimulatedScheduler::SimulatedScheduler(std::shared_ptr<SimulatedCluster> cluster)
    : m_cluster(std::move(cluster))
{
}

StatusOr<domain::SchedulerView> SimulatedScheduler::poll(Deadline)
{
    ++m_callsMade;
    return m_cluster->view();
}

std::vector<std::vector<std::string>> SimulatedScheduler::commands(
    const domain::Action& action, std::string_view operationId) const
{
    return slurm::actionCommands(action, operationId);
}

StatusOr<Receipt> SimulatedScheduler::execute(const domain::Action& action,
                                              std::string_view operationId, Deadline)
{
    YARD_RETURN_IF_ERROR(slurm::checkNames(action));
    m_callsMade += commands(action, operationId).size();
    return m_cluster->act(action, operationId);
}

StatusOr<std::vector<domain::Right>> SimulatedScheduler::rights(Deadline)
{
    using enum domain::ActionKind;
    std::vector<domain::Right> rights;
    for (auto kind : {Drain, Resume, Down, Reboot, Hold, Release, Requeue, RequeueHold, Resubmit,
                      Cancel, Submit})
        rights.push_back(
            {std::string(domain::name(kind)), true, "The simulated cluster refuses nobody."});
    return rights;
}

}  // namespace yard::scheduler
