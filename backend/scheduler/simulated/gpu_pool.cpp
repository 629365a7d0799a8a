#include "backend/scheduler/simulated/gpu_pool.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace yard::scheduler {
namespace {

uint64_t lowest(uint64_t mask, int count)
{
    uint64_t taken = 0;
    for (; count > 0 && mask != 0; --count) {
        taken |= mask & (~mask + 1);
        mask &= mask - 1;
    }
    return taken;
}

}  // namespace

GpuPool::GpuPool(int nodes, int gpusPerNode, std::vector<std::vector<uint32_t>> partitions)
    : m_gpusPerNode(gpusPerNode)
    , m_all(gpusPerNode >= 64 ? ~0ull : (1ull << gpusPerNode) - 1)
    , m_nodes(size_t(nodes))
{
    for (auto& node : m_nodes) {
        node.free = m_all;
        node.freeCount = gpusPerNode;
    }
    for (auto& list : partitions) {
        PartitionEntry entry{std::move(list), std::vector<int>(size_t(gpusPerNode) + 1)};
        for (uint32_t node : entry.nodes)
            m_nodes[node].partitions.push_back(int(m_partitions.size()));
        entry.usableByFree.back() = int(entry.nodes.size());
        m_partitions.push_back(std::move(entry));
    }
}

void GpuPool::count(uint32_t node, int by)
{
    if (!m_nodes[node].usable)
        return;
    for (int partition : m_nodes[node].partitions)
        m_partitions[size_t(partition)].usableByFree[size_t(m_nodes[node].freeCount)] += by;
}

void GpuPool::setFree(uint32_t node, uint64_t gpus)
{
    count(node, -1);
    m_nodes[node].free = gpus;
    m_nodes[node].freeCount = std::popcount(gpus);
    count(node, 1);
}

void GpuPool::release(const Placement& placement)
{
    for (const auto& share : placement) {
        assert((m_nodes[share.node].free & share.gpus) == 0);
        setFree(share.node, m_nodes[share.node].free | share.gpus);
    }
}

void GpuPool::setUsable(uint32_t node, bool usable)
{
    if (m_nodes[node].usable == usable)
        return;
    count(node, -1);
    m_nodes[node].usable = usable;
    count(node, 1);
}

int GpuPool::nodesNeeded(const GpuRequest& request) const
{
    if (request.nodes > 0)
        return request.nodes;
    if (!request.only.empty())
        return int(request.only.size());
    return std::max(1, (request.gpus + m_gpusPerNode - 1) / m_gpusPerNode);
}

bool GpuPool::mayUse(const GpuRequest& request, uint32_t node) const
{
    return m_nodes[node].usable &&
           !std::binary_search(request.excluded.begin(), request.excluded.end(), node);
}

template <typename Visit>
void GpuPool::visit(const GpuRequest& request, Visit visit) const
{
    const auto& nodes = request.only.empty() ? partitionNodes(request.partition) : request.only;
    if (request.fromTheBack) {
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
            if (mayUse(request, *node) && !visit(*node))
                return;
    } else {
        for (auto node : nodes)
            if (mayUse(request, node) && !visit(node))
                return;
    }
}

Placement GpuPool::allocate(const GpuRequest& request)
{
    const int nodes = nodesNeeded(request);
    return nodes == 1 && request.gpus <= m_gpusPerNode ? onOneNode(request)
                                                       : onSeveral(request, nodes);
}

Placement GpuPool::onOneNode(const GpuRequest& request)
{
    const auto& free = m_partitions[size_t(request.partition)].usableByFree;
    int tightest = request.gpus;
    while (tightest <= m_gpusPerNode && free[size_t(tightest)] == 0)
        ++tightest;
    if (tightest > m_gpusPerNode)
        return {};
    int best = m_gpusPerNode + 1;
    uint32_t chosen = 0;
    visit(request, [&](uint32_t node) {
        const int available = m_nodes[node].freeCount;
        if (available >= request.gpus && available < best) {
            best = available;
            chosen = node;
        }
        return best != tightest;
    });
    if (best > m_gpusPerNode)
        return {};
    const uint64_t gpus = lowest(m_nodes[chosen].free, request.gpus);
    setFree(chosen, m_nodes[chosen].free & ~gpus);
    return {{chosen, gpus}};
}

// Each node gives the same number of GPUs; the last the rest.
Placement GpuPool::onSeveral(const GpuRequest& request, int nodes)
{
    const int each = (request.gpus + nodes - 1) / nodes;
    if (each > m_gpusPerNode)
        return {};
    const auto& free = m_partitions[size_t(request.partition)].usableByFree;
    int candidates = 0;
    for (int k = each; k <= m_gpusPerNode; ++k)
        candidates += free[size_t(k)];
    if (candidates < nodes)
        return {};
    Placement placement;
    visit(request, [&](uint32_t node) {
        if (m_nodes[node].freeCount >= each)
            placement.push_back({node, 0});
        return int(placement.size()) < nodes;
    });
    if (int(placement.size()) < nodes)
        return {};
    int left = request.gpus;
    for (auto& share : placement) {
        share.gpus = lowest(m_nodes[share.node].free, std::min(each, left));
        left -= std::popcount(share.gpus);
        setFree(share.node, m_nodes[share.node].free & ~share.gpus);
    }
    std::sort(placement.begin(), placement.end(),
              [](const NodeShare& a, const NodeShare& b) { return a.node < b.node; });
    return placement;
}

}  // namespace yard::scheduler
