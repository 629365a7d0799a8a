#pragma once

#include <functional>

#include "backend/base/status.h"
#include "backend/base/task_loop.h"
#include "backend/control/job_logs.h"

namespace yard::control {

/// Job logs on a thread of their own: a file system that hangs holds up nothing else.
///
/// Thread: any; answers come on the reader's thread and must only hand over.
class JobLogReader {
public:
    using Answer = std::function<void(StatusOr<domain::Verdict>)>;

    explicit JobLogReader(JobLogs::Options options);

    /// All jobs that run. Only the newest list waits.
    void follow(std::vector<JobLogFile> running);
    void finish(JobLogFile file, Answer answer);

private:
    void turn();

    JobLogs m_logs;
    std::mutex m_mutex;
    std::optional<std::vector<JobLogFile>> m_running;  ///< waits for the next turn
    TaskLoop m_worker{4096};                           ///< last: ends before what its tasks use
};

}  // namespace yard::control
