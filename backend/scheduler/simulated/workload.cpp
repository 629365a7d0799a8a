#include "backend/scheduler/simulated/workload.h"

#include <algorithm>
#include <cmath>

namespace yard::scheduler {
namespace {

using domain::JobState;

double normal(Random& random)
{
    const double radius = std::sqrt(-2 * std::log1p(-random.unit()));
    return radius * std::cos(6.283185307179586 * random.unit());
}

double normalCdf(double x)
{
    return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

// Abramowitz and Stegun 26.2.23, good to 0.0005.
double inverseNormalCdf(double share)
{
    const double tail = std::clamp(std::min(share, 1 - share), 1e-12, 0.5);
    const double t = std::sqrt(-2 * std::log(tail));
    const double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                             (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    return share < 0.5 ? -x : x;
}

}  // namespace

Workload::Workload(WorkloadProfile profile, int largest, int totalGpus, double load)
    : m_table(workloadTable(profile))
    , m_largest(largest)
{
    if (load <= 0)
        return;
    // The mean of gpus x run time has no closed form with the correlation in it: sample it.
    Random random(20230301);
    double gpuSeconds = 0;
    constexpr int kSamples = 60'000;
    for (int i = 0; i < kSamples; ++i) {
        const auto job = draw(random);
        gpuSeconds += job.gpus * job.runSeconds;
    }
    m_jobsPerSecond = load * totalGpus / (gpuSeconds / kSamples);
}

double Workload::jobsPerSecond(WorkloadType type) const
{
    double all = 0;
    for (const auto& table : m_table.types)
        all += table.jobShare;
    return m_jobsPerSecond * table(type).jobShare / all;
}

WorkloadType Workload::chooseType(Random& random) const
{
    double all = 0;
    for (const auto& table : m_table.types)
        all += table.jobShare;
    double left = random.unit() * all;
    for (size_t i = 0; i < kWorkloadTypes; ++i)
        if ((left -= m_table.types[i].jobShare) < 0)
            return WorkloadType(i);
    return WorkloadType::Eval;
}

int Workload::demand(const TypeTable& table, double share) const
{
    for (const auto& demand : table.demand)
        if ((share -= demand.share) < 0)
            return std::min(demand.gpus, m_largest);
    return std::min(table.demand.back().gpus, m_largest);
}

JobDraw Workload::draw(Random& random) const
{
    return drawOf(random, chooseType(random));
}

JobDraw Workload::drawOf(Random& random, WorkloadType type) const
{
    return drawRunning(random, type, 0);
}

JobDraw Workload::drawRunning(Random& random, WorkloadType type, double ageSeconds) const
{
    const TypeTable& table = this->table(type);
    const double over = ageSeconds > 0 ? table.runSeconds.at(ageSeconds) : 0;
    const double length = over + (1 - over) * random.unit();
    const double rho = table.longWithLarge;
    const double sizeRank =
        rho * inverseNormalCdf(length) + std::sqrt(1 - rho * rho) * normal(random);
    JobDraw draw;
    draw.type = type;
    draw.gpus = demand(table, normalCdf(sizeRank));
    draw.runSeconds = table.runSeconds.inverse(length);
    draw.queueSeconds = table.queueSeconds.inverse(random.unit());
    chooseEnd(random, draw);
    return draw;
}

void Workload::chooseEnd(Random& random, JobDraw& draw) const
{
    const double gpuHours = draw.gpus * draw.runSeconds / 3600;
    const auto shares =
        std::find_if(m_table.ends.begin(), m_table.ends.end() - 1,
                     [&](const EndShares& ends) { return gpuHours < ends.belowGpuHours; });
    const double end = random.unit();
    if (end < shares->completed) {
        draw.end = JobState::Completed;
    } else if (end < shares->completed + shares->cancelled) {
        draw.end = JobState::Cancelled;
    } else if (random.chance(0.004)) {
        draw.end = JobState::Timeout;
    } else {
        draw.end = JobState::Failed;
        const bool infrastructure = random.chance(shares->infrastructureOfFailed);
        draw.failure = &chooseFailure(random, infrastructure, draw.gpus);
        if (draw.failure->trace == FailureTrace::NodeLost)
            draw.end = JobState::NodeFail;
    }
}

}  // namespace yard::scheduler
