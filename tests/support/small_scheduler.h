#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "backend/scheduler/scheduler.h"

namespace yard::testing {

/// A few nodes and jobs that behave as Slurm's do. With a file, state and call log live there and
/// change together, so that they survive the process: what a real scheduler is to a daemon that
/// dies.
///
/// Thread: any.
class SmallScheduler final : public scheduler::Scheduler {
public:
    /// EndsFirst: the jobs end by themselves just before, and the scheduler says yes all the same.
    /// StampsFirst: their submit time moves on just before, as Slurm's does a second time once the
    /// processes of a requeued job have ended.
    enum class Trouble {
        None,
        Denied,
        Unreachable,
        TimesOutDone,
        TimesOutUndone,
        EndsFirst,
        StampsFirst
    };

    /// Starts with `nodes` nodes of 8 GPUs, n1 …, and a running job on each, 101 …; from the file
    /// if it is there already.
    explicit SmallScheduler(int nodes, std::string file = {});

    std::string_view name() const override { return "simulated"; }
    StatusOr<domain::SchedulerView> poll(Deadline deadline) override;
    std::vector<std::vector<std::string>> commands(const domain::Action& action,
                                                   std::string_view operationId) const override;
    StatusOr<scheduler::Receipt> execute(const domain::Action& action, std::string_view operationId,
                                         Deadline deadline) override;
    StatusOr<std::vector<domain::Right>> rights(Deadline deadline) override;
    int requeueDelaySeconds() const override { return 120; }
    uint64_t callsMade() const override { return m_calls; }

    /// What happens to the next actions.
    void setTrouble(Trouble trouble);
    void setDown(bool down);
    /// Changes a node or job behind everybody's back.
    void changeNode(const std::string& name, const std::function<void(domain::Node&)>& change);
    void changeJob(const std::string& id, const std::function<void(domain::Job&)>& change);
    /// A job that waits with the reason "Dependency" waits until it is changed.
    void addJob(domain::Job job);
    void setRights(std::vector<domain::Right> rights);

    /// "drain 17 n1": one line for each target of each call that had its effect.
    std::vector<std::string> log() const;

private:
    struct State {
        std::vector<domain::Node> nodes;
        std::vector<domain::Job> jobs;
        std::vector<std::string> log;
        uint64_t nextJob = 101;
    };
    Status actOnNode(const domain::Action& action, const std::string& mark, domain::Node& node);
    Status actOnJob(const domain::Action& action, const std::string& mark, size_t job,
                    scheduler::Receipt& receipt);
    StatusOr<scheduler::Receipt> act(const domain::Action& action, const std::string& mark);
    void splitTasks(size_t job);
    domain::Job newJob(const std::string& node);
    void letTimePass();
    void save() const;
    bool load();

    const std::string m_file;
    mutable std::mutex m_mutex;
    State m_state;
    Trouble m_trouble = Trouble::None;
    bool m_down = false;
    uint64_t m_calls = 0;
    std::vector<domain::Right> m_rights;
};

}  // namespace yard::testing
