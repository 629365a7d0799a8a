#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace yard::scheduler {

constexpr int kMaxGpusPerNode = 64;

struct NodeShare {
    uint32_t node;
    uint64_t gpus;  ///< bit i is GPU i
    bool operator==(const NodeShare&) const = default;
};
using Placement = std::vector<NodeShare>;

struct GpuRequest {
    int partition = 0;
    int gpus = 1;
    int nodes = 0;  ///< exactly that many; 0: as few as possible
    bool fromTheBack = false;
    std::vector<uint32_t> only;      ///< if not empty, exactly these nodes
    std::vector<uint32_t> excluded;  ///< sorted
};

/// Which GPU of which node is free. Up to a node's worth of GPUs goes on one node, best fit; more
/// takes whole free nodes. It decides nothing about who is first.
class GpuPool {
public:
    /// `partitions` lists each partition's nodes in ascending order.
    GpuPool(int nodes, int gpusPerNode, std::vector<std::vector<uint32_t>> partitions);

    /// Empty if it cannot be had now; otherwise taken.
    Placement allocate(const GpuRequest& request);
    void release(const Placement& placement);
    /// An unusable node takes no new job; what runs there stays.
    void setUsable(uint32_t node, bool usable);

    bool usable(uint32_t node) const { return m_nodes[node].usable; }
    uint64_t freeMask(uint32_t node) const { return m_nodes[node].free; }
    bool isWhollyFree(uint32_t node) const { return m_nodes[node].free == m_all; }
    int nodesNeeded(const GpuRequest& request) const;
    const std::vector<uint32_t>& partitionNodes(int partition) const
    {
        return m_partitions[size_t(partition)].nodes;
    }
    size_t partitionCount() const { return m_partitions.size(); }

private:
    struct NodeEntry {
        uint64_t free = 0;
        int freeCount = 0;  ///< bits of `free`; allocate() asks for it of many nodes
        bool usable = true;
        std::vector<int> partitions;
    };
    struct PartitionEntry {
        std::vector<uint32_t> nodes;
        std::vector<int> usableByFree;  ///< number of usable nodes with that many free GPUs
    };
    void count(uint32_t node, int by);
    void setFree(uint32_t node, uint64_t gpus);
    Placement onOneNode(const GpuRequest& request);
    Placement onSeveral(const GpuRequest& request, int nodes);
    bool mayUse(const GpuRequest& request, uint32_t node) const;
    template <typename Visit>
    void visit(const GpuRequest& request, Visit visit) const;

    const int m_gpusPerNode;
    const uint64_t m_all;
    std::vector<NodeEntry> m_nodes;
    std::vector<PartitionEntry> m_partitions;
};

}  // namespace yard::scheduler
