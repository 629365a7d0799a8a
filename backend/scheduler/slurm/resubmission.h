#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"
#include "backend/scheduler/slurm/job_details.h"
#include "backend/scheduler/slurm/queue_reader.h"

namespace yard::scheduler::slurm {

/// The sbatch options that ask for what a job asked for. What the script says itself is said again
/// with the same value. FAILED_PRECONDITION if the job cannot be submitted a second time: it has no
/// batch script, or is a part of a heterogeneous job.
///
/// `mayChooseUser`: we are root, so that the copy can belong to the original's user.
StatusOr<std::vector<std::string>> resubmitOptions(const QueueRecord& record,
                                                   const DetailRecord& details,
                                                   std::string_view script, bool mayChooseUser);

/// Below StateSaveLocation: where slurmctld keeps the environment that the job was submitted with.
std::string environmentPath(const std::string& stateSaveLocation, uint64_t job);

/// That file's content for `sbatch --export-file`: a count, then NAME=value, each ended by NUL.
/// Nothing if it is not such a file.
std::optional<std::string> readEnvironmentFile(std::string_view bytes);

/// The same from `sacct --env-vars`, where a value's further lines follow it.
std::optional<std::string> readEnvironmentText(std::string_view output);

/// A private file that is gone when this is.
class PrivateFile {
public:
    static StatusOr<PrivateFile> holding(std::string_view content);
    PrivateFile(PrivateFile&& other) noexcept;
    PrivateFile& operator=(PrivateFile&&) = delete;
    ~PrivateFile();

    const std::string& path() const { return m_path; }

private:
    explicit PrivateFile(std::string path);
    std::string m_path;
};

}  // namespace yard::scheduler::slurm
