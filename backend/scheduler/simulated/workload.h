#pragma once

#include <array>

#include "backend/domain/job.h"
#include "backend/scheduler/simulated/failure_model.h"
#include "backend/scheduler/simulated/workload_tables.h"

namespace yard::scheduler {

/// What will become of a job if nobody interferes.
struct JobDraw {
    WorkloadType type = WorkloadType::Other;
    int gpus = 1;
    double runSeconds = 0;
    double queueSeconds = 0;  ///< waits at least that long
    domain::JobState end = domain::JobState::Completed;
    const FailureReason* failure = nullptr;
};

/// Draws jobs as the tables say, and how often they arrive.
class Workload {
public:
    /// `largest` bounds the demand of one job, `totalGpus` and `load` set the rate.
    Workload(WorkloadProfile profile, int largest, int totalGpus, double load);

    JobDraw draw(Random& random) const;
    JobDraw drawOf(Random& random, WorkloadType type) const;
    /// A job of `type` that already runs for `ageSeconds`.
    JobDraw drawRunning(Random& random, WorkloadType type, double ageSeconds) const;

    double jobsPerSecond() const { return m_jobsPerSecond; }
    double jobsPerSecond(WorkloadType type) const;
    const TypeTable& table(WorkloadType type) const { return m_table.types[size_t(type)]; }
    WorkloadType chooseType(Random& random) const;

private:
    int demand(const TypeTable& table, double share) const;
    void chooseEnd(Random& random, JobDraw& draw) const;

    const WorkloadTable& m_table;
    const int m_largest;
    double m_jobsPerSecond = 0;
};

}  // namespace yard::scheduler
