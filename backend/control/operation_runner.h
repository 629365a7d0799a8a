#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/control/cluster_snapshot.h"
#include "backend/control/core_door.h"
#include "backend/control/effect.h"
#include "backend/control/job_tracker.h"
#include "backend/control/scheduler_poller.h"
#include "backend/store/journal.h"

namespace yard::control {

/// Carries operations out, each exactly once: intent to the journal, "sent" to the journal, call,
/// then compare with every view until the scheduler shows it. After a restart it first looks, and
/// sends only what was never sent, or what a look after the settling time shows as not done.
///
/// Thread: core loop.
class OperationRunner {
public:
    struct Context {
        std::shared_ptr<CoreDoor> door;
        ClusterSnapshot& snapshot;
        JobTracker& jobs;
        SchedulerPoller& poller;
        const scheduler::Scheduler& scheduler;
        store::Journal& journal;
        const Clock& clock;
        std::function<void()> announce;
    };
    struct Options {
        std::chrono::seconds observeWithin{300};
        std::chrono::seconds settle{15};
    };
    using Answer = std::function<void(StatusOr<domain::Operation>)>;

    OperationRunner(Context context, Options options);

    /// Takes over what an earlier life has left.
    void load(std::vector<store::OperationRecord> records);
    /// Answers when the intent is durable, or refuses and forgets it.
    void start(domain::Operation operation, Answer answer);
    /// Compares every open operation with the newest view.
    void observe();

    bool hasOpen() const;
    const store::OperationRecord* find(uint64_t id) const;
    /// The operation of an earlier request; `answer` is kept if its intent is still being written.
    /// `asked`: what the preview of this request is of, if it is still known; another action than
    /// the earlier one is refused.
    bool repeats(const std::string& requestId, const std::string& user, const domain::Action* asked,
                 const Answer& answer);
    /// The restart of ours that made run `restarts` of a job.
    std::optional<uint64_t> requeueOf(const std::string& displayId, int restarts) const;

    /// A record of the chain about `operation`.
    store::AuditRecord auditOf(const domain::Operation& operation, std::string event,
                               std::string detail) const;

private:
    enum class Phase { Writing, Sending, Calling, Answered, Earlier };
    struct Live {
        store::OperationRecord record;
        Phase phase = Phase::Writing;
        size_t callsOpen = 0;
        bool doubt = false;
        std::optional<Time> doubtSince = {};
        int looks = 0;  ///< views since the last send or the start
        int sends = 0;
        bool atEnd = false;  ///< nothing is still to come of what was observed
        std::vector<Answer> answers;
    };

    void intentWritten(uint64_t id, const Status& status);
    void send(Live& live, const std::string& detail);
    void call(uint64_t id);
    void callFor(Live& live, std::vector<size_t> targets, domain::Action action);
    void answered(uint64_t id, const std::vector<size_t>& targets,
                  const StatusOr<scheduler::Receipt>& receipt);
    bool take(Live& live, size_t target, const Effect& effect);
    void observeOne(Live& live);
    void reconcile(Live& live);
    void reconcileDoubt(Live& live);
    bool hasSettled(const Live& live) const;
    void refuseGoneTargets(Live& live);
    void noteOverdue(Live& live);
    void conclude(Live& live);
    void finish(Live& live, domain::OperationState state, const std::string& event);
    void refuseOpenTargets(Live& live, const std::string& message);
    void supersedeOlder(const Live& newer);
    void refreshUndo();
    void refreshProgress();
    void forgetOld();
    void save(const Live& live, std::vector<store::AuditRecord> audit,
              std::function<void(Status)> done = {});

    Context m_context;
    const Options m_options;
    std::map<uint64_t, Live> m_live;  ///< open ones and the last day's
    std::map<std::string, uint64_t> m_byRequest;
};

}  // namespace yard::control
