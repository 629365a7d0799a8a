#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/base/status.h"
#include "backend/domain/job.h"
#include "backend/store/sqlite.h"

namespace yard::store {

/// A job of a trace or of the scheduler's accounts, of which no more is coming.
struct ArchivedJob {
    /// Not written in the data.
    static constexpr int64_t kUnknown = std::numeric_limits<int64_t>::min();

    std::string cluster;
    std::string id;
    int64_t submit = 0;  ///< seconds since 1970, UTC, as all times here
    int64_t start = kUnknown;
    int64_t end = kUnknown;
    int64_t duration = kUnknown;  ///< as the data gives it
    int64_t queue = kUnknown;
    /// When it held its nodes: kUnknown, kUnknown if it never ran; `runTo` unknown: it still does.
    int64_t runFrom = kUnknown;
    int64_t runTo = kUnknown;
    int64_t nodes = 0;
    int64_t gpus = 0;
    int64_t cpus = 0;
    domain::JobState state = domain::JobState::Unknown;
    bool durationHasWait = false;
    std::string type;  ///< empty: not classified
    std::string user, account, partition, qos, name, comment;
    bool operator==(const ArchivedJob&) const = default;
};

/// What one file brought.
struct ImportRecord {
    int64_t id = 0;
    uint64_t lines = 0;     ///< of the file that are done with
    uint64_t stored = 0;    ///< jobs that are new, or have ended since they were imported
    uint64_t repeated = 0;  ///< jobs that were there
    bool isFinished = false;
};

/// A file, as it is known again: what has changed is another file.
struct ImportFile {
    std::string path;
    int64_t bytes = 0;
    int64_t changedNs = 0;
};

struct MomentCounts {
    int64_t runningJobs = 0;
    int64_t runningGpus = 0;
    int64_t waitingJobs = 0;
    int64_t waitingGpus = 0;
    bool operator==(const MomentCounts&) const = default;
};

struct ArchivedCluster {
    std::string name;
    int64_t jobs = 0;
    int64_t firstSubmit = 0;
    int64_t lastSubmit = 0;
};

/// Jobs of clusters that are only looked at, in one SQLite file. A job is known by cluster, id and
/// submit time, and is there once. Any moment is a query, not a replay.
///
/// Thread: one at a time.
class JobArchive {
public:
    /// ReadWrite makes the file where it is not; ReadOnly never changes it.
    static StatusOr<JobArchive> open(const std::string& path, Database::Mode mode);

    /// The record of an import of the same file, or a new one.
    StatusOr<ImportRecord> begin(const ImportFile& file);
    /// One transaction: the jobs and how far the file has been read. `record` is brought up to
    /// date.
    Status add(const std::vector<ArchivedJob>& jobs, uint64_t lines, ImportRecord& record);
    /// `oddRows` is JSON, kept for who asks later.
    Status finish(ImportRecord& record, const std::string& oddRows);

    StatusOr<std::vector<ArchivedCluster>> clusters();
    /// `at` in seconds since 1970. Running: runFrom <= at < runTo. Waiting: submit <= at, not yet
    /// running, not yet given up.
    StatusOr<MomentCounts> countsAt(const std::string& cluster, int64_t at);
    /// Those jobs, running ones first, at most `limit` of each.
    StatusOr<std::vector<ArchivedJob>> jobsAt(const std::string& cluster, int64_t at,
                                              uint32_t limit);
    /// Every job submitted from `from` until before `to`, until `take` returns false. No jobs of a
    /// cluster that is not there.
    Status each(const std::string& cluster, int64_t from, int64_t to,
                const std::function<bool(const ArchivedJob& job)>& take);

private:
    explicit JobArchive(Database database);
    StatusOr<int64_t> clusterId(const std::string& name);
    StatusOr<int64_t> wordId(const std::string& text);
    StatusOr<bool> store(const ArchivedJob& job);
    Status storeAll(const std::vector<ArchivedJob>& jobs, ImportRecord& record);
    Status write(const ImportRecord& record, std::string_view oddRows);
    StatusOr<int64_t> known(const std::string& cluster);
    StatusOr<std::string> text(int64_t word);
    Status fill(const Statement& row, ArchivedJob& job);

    Database m_database;
    std::unordered_map<std::string, int64_t> m_clusters;
    std::unordered_map<std::string, int64_t> m_words;
    std::unordered_map<int64_t, std::string> m_texts;  ///< words that were read
    std::unique_ptr<Statement> m_insert;
};

}  // namespace yard::store
