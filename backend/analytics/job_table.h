#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "backend/analytics/words.h"
#include "backend/domain/job.h"

namespace yard::analytics {

/// Not written in the data. Never summed.
constexpr int64_t kNoTime = std::numeric_limits<int64_t>::min();
constexpr int32_t kNoSeconds = std::numeric_limits<int32_t>::min();

/// What is the same for all jobs of one file.
struct JobSource {
    std::string path;
    std::string cluster;           ///< empty: each row says it, or nobody does
    bool durationHasWait = false;  ///< duration = end - submit, as Kalos writes it
    bool durationWritten = false;  ///< else it is end - start
};

/// One job, to be added.
struct JobRow {
    std::string_view id;
    int64_t submit = kNoTime;  ///< times are seconds since 1970, UTC
    int64_t start = kNoTime;
    int64_t end = kNoTime;
    int32_t duration = kNoSeconds;
    int32_t queue = kNoSeconds;
    int32_t nodes = 0;
    int32_t gpus = 0;
    int32_t cpus = 0;
    domain::JobState state = domain::JobState::Unknown;
    uint8_t source = 0;
    std::string_view type;  ///< "Eval"; empty: not classified
    std::string_view cluster;
    std::string_view user;
    std::string_view account;
    std::string_view partition;
    std::string_view qos;
    std::string_view name;
    std::string_view comment;
};

/// Jobs as columns of equal length, in the order of the files. Texts are numbers of `words`.
struct JobTable {
    std::vector<int64_t> submit, start, end;
    std::vector<int32_t> duration;  ///< as the file gives it: see JobSource
    std::vector<int32_t> queue;     ///< start - submit
    std::vector<int32_t> nodes, gpus, cpus;
    std::vector<domain::JobState> state;
    std::vector<uint8_t> source;
    std::vector<uint32_t> type, cluster, user, account, partition, qos, name, comment;
    std::vector<JobSource> sources;
    Words words;

    size_t size() const { return submit.size(); }
    void reserve(size_t rows);
    void add(const JobRow& row);
    /// Forgets the jobs and the words, keeps the sources.
    void clear();
    std::string_view id(size_t row) const;

    /// Seconds that it ran: end - start, else what duration and queue leave. kNoSeconds if neither.
    int32_t run(size_t row) const;

private:
    std::string m_ids;
    std::vector<uint64_t> m_idEnds;
};

}  // namespace yard::analytics
