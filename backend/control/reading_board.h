#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/base/clock.h"
#include "backend/control/reading_columns.h"
#include "backend/domain/node.h"
#include "backend/domain/readings.h"

namespace yard::control {

/// The current readings of every GPU and node, in topology order. A GPU keeps its cell by UUID: it
/// comes back to it after a reboot, with another index or other labels.
///
/// A value goes away only when the source that gave it says so. A failed scrape changes nothing.
///
/// Thread: that of its owner.
class ReadingBoard {
public:
    ReadingBoard();

    /// True if names, order or GPU counts differ from before; what was known moves along.
    bool setTopology(const std::vector<domain::Node>& nodes);

    /// False: no such host.
    bool apply(const std::string& source, const domain::HostReadings& readings, Time now,
               uint32_t revision);

    /// Columns that changed after `revision`, or all of them, and all ages.
    void fillReadings(ClusterDelta& delta, const Interest& interest, uint32_t revision,
                      bool all) const;
    /// GPU identities of the nodes where they changed after `revision`, or of all nodes.
    void fillIdentities(ClusterDelta& delta, uint32_t revision, bool all) const;

    std::optional<uint32_t> nodeIndex(const std::string& host) const;
    /// The GPU at a PCI address; `pci` may lack the function part.
    std::optional<int> gpuAt(const std::string& host, const std::string& pci) const;
    const ReadingColumns& gpus() const { return m_gpus; }
    const ReadingColumns& nodes() const { return m_nodes; }
    uint32_t firstCell(uint32_t node) const { return m_firstCell[node]; }
    uint32_t cellCount(uint32_t node) const { return m_firstCell[node + 1] - m_firstCell[node]; }
    const std::vector<std::string>& names() const { return m_names; }
    const domain::SharedText& uuid(uint32_t cell) const { return m_slots[cell].uuid; }
    /// Moves whenever names, order, counts or UUIDs do.
    uint64_t identityRevision() const { return m_identityMoves; }
    /// When a metric of a node was last given by the source that owns it; 1970: never.
    Time gpuReadAt(uint32_t node, size_t metric) const
    {
        return m_gpuOwner[node * domain::kGpuMetricCount + metric].at;
    }
    Time nodeReadAt(uint32_t node, size_t metric) const
    {
        return m_nodeOwner[node * domain::kNodeMetricCount + metric].at;
    }
    /// Readings of GPUs for which their node has no place.
    uint64_t misplaced() const { return m_misplaced; }

private:
    struct Slot {
        domain::SharedText uuid;
        domain::SharedText pci;
    };
    /// The source that last gave a value, and when it did.
    struct Owner {
        uint32_t source = 0;
        Time at{};
    };
    void placeGpus(uint32_t node, const std::vector<domain::GpuReading>& gpus);
    uint32_t knownSlot(uint32_t node, const domain::GpuReading& gpu) const;
    uint32_t newSlot(uint32_t node, const domain::GpuReading& gpu, size_t position) const;
    bool applyGpus(uint32_t node, const Owner& source, const domain::HostReadings& readings,
                   uint32_t revision);
    bool applyNode(uint32_t node, const Owner& source, const domain::HostReadings& readings,
                   uint32_t revision);
    void learn(uint32_t node, uint32_t slot, const domain::GpuReading& gpu, uint32_t revision);
    GpuIdentity identity(uint32_t node) const;

    std::vector<std::string> m_names;
    std::unordered_map<std::string, uint32_t> m_index;
    std::vector<uint32_t> m_firstCell = {0};  ///< one more than nodes

    ReadingColumns m_gpus;
    ReadingColumns m_nodes;
    std::unordered_map<std::string, uint32_t> m_sources;
    std::vector<Owner> m_gpuOwner;  ///< node × metric
    std::vector<Owner> m_nodeOwner;
    std::vector<Slot> m_slots;                 ///< by cell
    std::vector<domain::SharedText> m_models;  ///< by node
    std::vector<uint32_t> m_identityRevision;
    uint64_t m_identityMoves = 1;
    std::vector<std::optional<Time>> m_gpuReadAt;
    std::vector<std::optional<Time>> m_nodeReadAt;
    uint64_t m_misplaced = 0;
    std::vector<uint32_t> m_place;  ///< scratch: slot of each reading of one scrape
};

}  // namespace yard::control
