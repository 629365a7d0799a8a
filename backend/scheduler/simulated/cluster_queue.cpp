#include <algorithm>
#include <utility>

#include "backend/scheduler/simulated/cluster_engine.h"

namespace yard::scheduler {
namespace {

constexpr SimTime kClaimAfter = 10 * kMinute;
constexpr SimTime kClaimFor = 15 * kMinute;  // then others have their turn
constexpr SimTime kClaimAgain = kHour;
constexpr int kDepth = 2000;  // of the queue, as bf_max_job_test

}  // namespace

/// First in, first out by priority; who does not fit lets the next one try. A large job that has
/// waited for long collects nodes as they become free, so that it starts some day.
void ClusterEngine::tryAll()
{
    const auto freed = std::exchange(m_freed, {});
    for (auto& claim : m_claims)
        if (claim && m_now - claim->since > kClaimFor) {
            m_jobs.at(claim->job).claimFrom = m_now + kClaimAgain;
            dropClaim(uint64_t(claim->job));
        } else if (claim) {
            serveClaim(claim, freed);
        }
    int depth = 0;
    bool blocked[kPartitionCount] = {};
    for (auto next = m_waiting.begin(); next != m_waiting.end() && depth++ < kDepth;) {
        SimJob& job = *(next++)->job;
        if (tryStart(job))
            continue;
        auto& behind = blocked[job.request.partition];
        job.shown.reason = behind ? "Priority" : "Resources";
        behind = true;
        claimFor(job);
    }
}

bool ClusterEngine::tryStart(SimJob& job)
{
    auto placement = m_pool->allocate(job.request);
    if (placement.empty())
        return false;
    startJob(job, std::move(placement), m_now);
    return true;
}

void ClusterEngine::claimFor(SimJob& job)
{
    auto& claim = m_claims[job.request.partition];
    if (claim || m_pool->nodesNeeded(job.request) < 2 || m_now < job.claimFrom ||
        m_now - job.eligible < kClaimAfter)
        return;
    claim = Claim{job.shown.id, {}, m_now};
    serveClaim(claim, m_pool->partitionNodes(job.request.partition));
}

void ClusterEngine::serveClaim(std::optional<Claim>& claim, const std::vector<uint32_t>& freed)
{
    SimJob& job = m_jobs.at(claim->job);
    const auto& mine = m_pool->partitionNodes(job.request.partition);
    const auto needed = size_t(m_pool->nodesNeeded(job.request));
    const auto contains = [](const std::vector<uint32_t>& sorted, uint32_t node) {
        return std::binary_search(sorted.begin(), sorted.end(), node);
    };
    for (uint32_t node : freed) {
        if (claim->nodes.size() == needed)
            break;
        if (!m_pool->usable(node) || !m_pool->isWhollyFree(node) || !contains(mine, node) ||
            contains(job.request.excluded, node) ||
            (!job.request.only.empty() && !contains(job.request.only, node)))
            continue;
        m_nodes[node].flags |= kPlanned;
        claim->nodes.push_back(node);
        refresh(node);
    }
    if (claim->nodes.size() < needed)
        return;
    GpuRequest request = job.request;
    request.only = claim->nodes;
    request.nodes = int(needed);
    std::sort(request.only.begin(), request.only.end());
    dropClaim(job.shown.id);
    if (auto placement = m_pool->allocate(request); !placement.empty())
        startJob(job, std::move(placement), m_now);
}

void ClusterEngine::dropClaim(uint64_t job)
{
    for (auto& claim : m_claims) {
        if (!claim || claim->job != job)
            continue;
        const auto nodes = std::move(claim->nodes);
        claim.reset();
        for (uint32_t node : nodes) {
            m_nodes[node].flags &= ~uint32_t(kPlanned);
            refresh(node);
            m_freed.push_back(node);
        }
    }
}

}  // namespace yard::scheduler
