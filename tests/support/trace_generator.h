#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yard::test {

/// One generated job. Times are seconds since 1970, UTC.
struct GeneratedJob {
    std::string_view type;
    std::string_view state;
    int gpus = 0;
    int64_t submit = 0;
    int64_t start = 0;
    int64_t end = 0;
    int64_t duration = 0;  ///< as the cluster writes it: Kalos from submission
    int64_t queue = 0;
    bool isRunning = false;  ///< its end is not written
};

/// A synthetic trace of "Seren" or "Kalos" in submit order. It has, to the job, every count of
/// tests/fixtures/acme/job_cdf_counts.csv and gpu_num_cdf.csv and the numbers of jobs by type;
/// Kalos also its states. It never holds more GPUs than the cluster has. All else is invented.
std::vector<GeneratedJob> generateTrace(std::string_view cluster, uint64_t seed,
                                        const std::string& fixtures);

/// As AcmeTrace writes it: 13 columns for Seren, 17 for Kalos. False if it cannot be written.
bool writeTrace(const std::vector<GeneratedJob>& jobs, std::string_view cluster,
                const std::string& path);

}  // namespace yard::test
