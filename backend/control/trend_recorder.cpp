#include "backend/control/trend_recorder.h"

#include <algorithm>
#include <cmath>

namespace yard::control {
namespace {

using domain::GpuMetric;
using domain::NodeMetric;

constexpr std::chrono::minutes kEvery{1};

// With counts only, a node that is partly in use cannot say which GPUs are.
void collectBusy(const ClusterSnapshot& snapshot, uint32_t index, std::vector<float>& values)
{
    const domain::Node& node = snapshot.nodes()[index];
    const ReadingBoard& board = snapshot.readings();
    const auto add = [&](uint32_t slot) {
        if (slot >= board.cellCount(index))
            return;
        const float value =
            board.gpus().at(size_t(GpuMetric::SmActivity), board.firstCell(index) + slot);
        if (!std::isnan(value))
            values.push_back(value);
    };
    if (!node.gpuIndicesInUse.empty())
        for (const int slot : node.gpuIndicesInUse)
            add(uint32_t(slot));
    else if (node.gpusAllocated > 0 && node.gpusAllocated == node.gpusTotal)
        for (uint32_t slot = 0; slot < board.cellCount(index); ++slot)
            add(slot);
}

float median(std::vector<float>& values)
{
    if (values.empty())
        return -1;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Not in service: a node that still drains works on, one that is kept for a job is free.
bool isOutOfService(const domain::Node& node)
{
    switch (categoryOf(node)) {
        case domain::NodeCategory::Idle:
        case domain::NodeCategory::Mixed:
        case domain::NodeCategory::Allocated:
        case domain::NodeCategory::Completing:
        case domain::NodeCategory::Draining:
        case domain::NodeCategory::Reserved:
        case domain::NodeCategory::Planned:
        case domain::NodeCategory::Future:
            return false;
        default:
            return true;
    }
}

// The whole node's power where it is metered, else that of its GPUs.
void addPower(const ReadingBoard& board, uint32_t index, double& watts, bool& known)
{
    const float whole = board.nodes().at(size_t(NodeMetric::Power), index);
    if (!std::isnan(whole)) {
        watts += double(whole);
        known = true;
        return;
    }
    for (uint32_t slot = 0; slot < board.cellCount(index); ++slot) {
        const float one = board.gpus().at(size_t(GpuMetric::Power), board.firstCell(index) + slot);
        if (std::isnan(one))
            continue;
        watts += double(one);
        known = true;
    }
}

void countJobs(const ClusterSnapshot& snapshot, TrendPoint& point)
{
    point.jobsRunning = 0;
    point.jobsWaiting = 0;
    for (const auto& [key, entry] : snapshot.jobs().entries()) {
        const domain::Job& job = entry.value.job;
        if (job.state == domain::JobState::Running)
            ++point.jobsRunning;
        else if (job.state == domain::JobState::Pending)
            point.jobsWaiting += float(job.array ? std::max(1u, job.array->pendingCount) : 1u);
    }
}

}  // namespace

TrendPoint measure(const ClusterSnapshot& snapshot, Time now)
{
    TrendPoint point{.at = now};
    if (snapshot.nodes().empty())
        return point;
    point.gpusInUse = 0;
    point.nodesOut = 0;
    double watts = 0;
    bool powerKnown = false;
    std::vector<float> busy;
    for (uint32_t i = 0; i < snapshot.nodes().size(); ++i) {
        const domain::Node& node = snapshot.nodes()[i];
        point.gpusInUse += float(node.gpusAllocated);
        point.nodesOut += isOutOfService(node) ? 1.0F : 0.0F;
        collectBusy(snapshot, i, busy);
        addPower(snapshot.readings(), i, watts, powerKnown);
    }
    point.smActivityMedian = median(busy);
    if (powerKnown)
        point.powerKw = float(watts / 1000);
    point.faults = 0;
    for (const domain::Fault& fault : snapshot.faults())
        point.faults += now - *fault.at < kEvery ? 1.0F : 0.0F;
    countJobs(snapshot, point);
    return point;
}

bool TrendRecorder::tick(Time now)
{
    if (m_last && now - *m_last < kEvery)
        return false;
    if (m_snapshot.nodes().empty())
        return false;
    m_last = now;
    m_snapshot.addTrend(measure(m_snapshot, now));
    return true;
}

}  // namespace yard::control
