#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/control/core_door.h"
#include "backend/control/incident_book.h"
#include "backend/control/job_log_reader.h"
#include "backend/store/journal.h"

namespace yard::control {

struct IncidentOptions {
    bool readLogs = true;
    JobLogs::Options logs = {};
    /// A log that is not read within this time counts as one that cannot be.
    std::chrono::seconds waitForLog{20};
};

/// What of the incidents somebody asks for.
struct IncidentQuery {
    uint32_t limit = 0;     ///< 0: 1000
    uint64_t beforeId = 0;  ///< 0: from the newest
    bool withClosed = false;
    std::string node;  ///< empty: any
    std::string job;   ///< display id; empty: any
};

struct IncidentPage {
    std::vector<domain::Incident> incidents;  ///< newest first
    uint64_t suppressed = 0;  ///< events of the hardware that belong to none and raised none
};

/// An incident with a fresh look at what it is about.
struct IncidentLook {
    domain::Incident incident;
    std::string seen;
};

/// The state behind IncidentService: brings the witnesses together, waits for logs to be read, and
/// keeps what the book makes of it in the journal.
///
/// Thread: core loop.
class IncidentDesk {
public:
    template <typename T>
    using Answer = std::function<void(StatusOr<T>)>;

    struct Context {
        std::shared_ptr<CoreDoor> door;
        const ClusterSnapshot& snapshot;
        store::Journal& journal;
        const Clock& clock;
    };
    IncidentDesk(Context context, IncidentOptions options);

    /// Faults that carry their own time.
    void takeFaults(const std::vector<domain::Fault>& faults);
    /// The snapshot has taken a view in: nodes that were lost since the last, runs that ended.
    void takeView(const std::vector<domain::Node>& lost, const std::vector<domain::Job>& ended);
    /// Gives up on logs, writes what is new.
    void tick();
    /// Writes all that is new, whatever is still on its way: for the end.
    void flush();

    void list(const IncidentQuery& query, Answer<IncidentPage> answer);
    void get(uint64_t id, Answer<IncidentLook> answer);
    /// Answers once it is durable.
    void change(const domain::Identity& by, const domain::IncidentChange& change,
                Answer<IncidentLook> answer);

    const IncidentBook& book() const { return m_book; }

private:
    struct Pending {
        domain::Job job;
        Time until;
    };
    void readLog(const domain::Job& job);
    void takeVerdict(const std::string& run, StatusOr<domain::Verdict> verdict);
    void followLogs();
    void write();
    IncidentLook lookAt(const domain::Incident& incident) const;

    const Context m_context;
    const IncidentOptions m_options;
    IncidentBook m_book;
    std::map<std::string, Pending> m_pending;  ///< ended runs whose log is being read
    bool m_isWriting = false;
    bool m_canWrite = true;
    std::unique_ptr<JobLogReader> m_logs;  ///< null: no logs are read
};

}  // namespace yard::control
