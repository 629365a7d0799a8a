#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/status.h"
#include "backend/diagnosis/log_scanner.h"
#include "backend/domain/verdict.h"
#include "backend/telemetry/sources/log_follower.h"

namespace yard::control {

/// Where one run of a job writes its output.
struct JobLogFile {
    std::string run;
    std::string path;  ///< as the scheduler gives it
    std::string user;  ///< the file must be this user's own
    int gpus = 0;
};

/// Reads the logs of running jobs as they grow, so that the verdict is there once a job ends,
/// however long its log is and whatever has been rotated away.
///
/// A job chooses the path of its log: only a regular file below the roots that belongs to the
/// job's own user is read, wherever links lead.
///
/// Thread: one at a time.
class JobLogs {
public:
    struct Options {
        std::vector<std::string> roots{"/"};
        std::vector<std::string> rulePaths;  ///< the site's own rules
        size_t mostFiles = 256;              ///< followed at once
        size_t historyLimit = 64ul << 20;    ///< read of what was there before
        size_t mostFindings = 1000;          ///< kept of one log
    };
    explicit JobLogs(Options options);
    ~JobLogs();

    /// All jobs that run; what is followed and not among them is let go. Beyond the most files
    /// those with the most GPUs are followed, and the others read at their end.
    void follow(std::vector<JobLogFile> running);
    /// Reads what is new, a bounded piece of each. True: there is more.
    bool look();
    /// Reads the rest of a log and says why its job ended. An error says why it was not read.
    StatusOr<domain::Verdict> finish(const JobLogFile& file);

    size_t followed() const { return m_logs.size(); }

private:
    struct Log;
    StatusOr<bool> read(Log& log);
    const diagnosis::RuleSet* rules();

    const Options m_options;
    std::optional<diagnosis::RuleSet> m_rules;  ///< made for the first log that can be read
    std::map<std::string, std::unique_ptr<Log>> m_logs;  ///< by run
};

/// Whether the file belongs to `user` and lies below one of `roots`.
Status mayReadLog(int file, const std::string& path, const std::string& user,
                  const std::vector<std::string>& roots);

}  // namespace yard::control
