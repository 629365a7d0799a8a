#include "backend/control/reading_board.h"

#include <algorithm>
#include <cmath>

namespace yard::control {
namespace {

using domain::kGpuMetricCount;
using domain::kNodeMetricCount;

constexpr uint32_t kNone = UINT32_MAX;

bool matches(const std::string& full, const std::string& address)
{
    return !address.empty() && full.starts_with(address) &&
           (full.size() == address.size() || full[address.size()] == '.');
}

}  // namespace

ReadingBoard::ReadingBoard()
    : m_gpus(kGpuMetricCount)
    , m_nodes(kNodeMetricCount)
{
}

bool ReadingBoard::setTopology(const std::vector<domain::Node>& nodes)
{
    bool same = nodes.size() == m_names.size();
    for (uint32_t i = 0; same && i < nodes.size(); ++i)
        same = nodes[i].name == m_names[i] && uint32_t(nodes[i].gpusTotal) == cellCount(i);
    if (same)
        return false;

    ReadingBoard old = std::move(*this);
    *this = ReadingBoard();
    m_sources = std::move(old.m_sources);
    m_misplaced = old.m_misplaced;
    m_identityMoves = old.m_identityMoves + 1;
    std::vector<uint32_t> cellFrom;
    std::vector<uint32_t> nodeFrom;
    for (const domain::Node& node : nodes) {
        const uint32_t before = old.nodeIndex(node.name).value_or(kNone);
        const uint32_t had = before == kNone ? 0 : old.cellCount(before);
        const auto gpus = uint32_t(std::max(node.gpusTotal, 0));
        for (uint32_t slot = 0; slot < gpus; ++slot) {
            const uint32_t from = slot < had ? old.firstCell(before) + slot : kNone;
            cellFrom.push_back(from);
            m_slots.push_back(from == kNone ? Slot{} : std::move(old.m_slots[from]));
        }
        m_index.emplace(node.name, uint32_t(nodeFrom.size()));
        nodeFrom.push_back(before);
        m_names.push_back(node.name);
        m_firstCell.push_back(uint32_t(cellFrom.size()));
        m_models.push_back(before == kNone ? domain::SharedText()
                                           : std::move(old.m_models[before]));
        m_gpuReadAt.push_back(before == kNone ? std::nullopt : old.m_gpuReadAt[before]);
        m_nodeReadAt.push_back(before == kNone ? std::nullopt : old.m_nodeReadAt[before]);
        for (size_t metric = 0; metric < kGpuMetricCount; ++metric)
            m_gpuOwner.push_back(
                before == kNone ? Owner{} : old.m_gpuOwner[before * kGpuMetricCount + metric]);
        for (size_t metric = 0; metric < kNodeMetricCount; ++metric)
            m_nodeOwner.push_back(
                before == kNone ? Owner{} : old.m_nodeOwner[before * kNodeMetricCount + metric]);
    }
    m_identityRevision.assign(nodes.size(), 0);
    m_gpus = std::move(old.m_gpus);
    m_gpus.rearrange(cellFrom);
    m_nodes = std::move(old.m_nodes);
    m_nodes.rearrange(nodeFrom);
    return true;
}

bool ReadingBoard::apply(const std::string& sourceName, const domain::HostReadings& readings,
                         Time now, uint32_t revision)
{
    const auto node = nodeIndex(readings.host);
    if (!node)
        return false;
    const uint32_t id =
        m_sources.try_emplace(sourceName, uint32_t(m_sources.size() + 1)).first->second;
    // A clock that runs ahead must not make a reading younger than it is.
    const Time at = readings.at == Time{} ? now : std::min(readings.at, now);
    const Owner source{.source = id, .at = at};
    if (applyGpus(*node, source, readings, revision))
        m_gpuReadAt[*node] = at;
    if (applyNode(*node, source, readings, revision))
        m_nodeReadAt[*node] = at;
    return true;
}

uint32_t ReadingBoard::knownSlot(uint32_t node, const domain::GpuReading& gpu) const
{
    const uint32_t first = m_firstCell[node];
    const uint32_t count = cellCount(node);
    if (gpu.index >= 0 && uint32_t(gpu.index) < count &&
        m_slots[first + uint32_t(gpu.index)].uuid == gpu.uuid)
        return uint32_t(gpu.index);
    for (uint32_t slot = 0; slot < count && !gpu.uuid.empty(); ++slot)
        if (m_slots[first + slot].uuid == gpu.uuid)
            return slot;
    return kNone;
}

// A slot whose GPU is not in this scrape is free: that GPU was taken out or exchanged.
uint32_t ReadingBoard::newSlot(uint32_t node, const domain::GpuReading& gpu, size_t position) const
{
    const uint32_t count = cellCount(node);
    const auto isFree = [&](uint32_t slot) {
        return slot < count && std::find(m_place.begin(), m_place.end(), slot) == m_place.end();
    };
    if (gpu.index >= 0 && isFree(uint32_t(gpu.index)))
        return uint32_t(gpu.index);
    if (gpu.uuid.empty() && gpu.index >= 0)
        return kNone;
    if (gpu.uuid.empty())
        for (uint32_t slot = 0; slot < count; ++slot)
            if (!gpu.pci.empty() && m_slots[m_firstCell[node] + slot].pci == gpu.pci)
                return slot;
    if (isFree(uint32_t(position)))
        return uint32_t(position);
    for (uint32_t slot = 0; slot < count; ++slot)
        if (isFree(slot))
            return slot;
    return kNone;
}

void ReadingBoard::placeGpus(uint32_t node, const std::vector<domain::GpuReading>& gpus)
{
    m_place.assign(gpus.size(), kNone);
    for (size_t i = 0; i < gpus.size(); ++i)
        if (!gpus[i].uuid.empty())
            m_place[i] = knownSlot(node, gpus[i]);
    for (size_t i = 0; i < gpus.size(); ++i) {
        if (m_place[i] == kNone)
            m_place[i] = newSlot(node, gpus[i], i);
        m_misplaced += m_place[i] == kNone ? 1 : 0;
    }
}

bool ReadingBoard::applyGpus(uint32_t node, const Owner& source,
                             const domain::HostReadings& readings, uint32_t revision)
{
    placeGpus(node, readings.gpus);
    const uint32_t first = m_firstCell[node];
    Owner* owners = &m_gpuOwner[node * kGpuMetricCount];
    uint64_t seen = 0;
    bool any = false;
    for (size_t i = 0; i < readings.gpus.size(); ++i) {
        const uint32_t slot = m_place[i];
        if (slot == kNone)
            continue;
        seen |= slot < 64 ? uint64_t(1) << slot : 0;
        learn(node, slot, readings.gpus[i], revision);
        for (size_t metric = 0; metric < kGpuMetricCount; ++metric) {
            const float value = readings.gpus[i].values[metric];
            if (!std::isnan(value)) {
                owners[metric] = source;
                any = true;
            } else if (owners[metric].source != source.source) {
                continue;
            }
            m_gpus.set(metric, first + slot, value, revision);
        }
    }
    // A GPU that its own source no longer lists has no reading.
    for (uint32_t slot = 0; slot < std::min(cellCount(node), 64u); ++slot)
        for (size_t metric = 0; metric < kGpuMetricCount; ++metric)
            if (!(seen >> slot & 1) && owners[metric].source == source.source)
                m_gpus.set(metric, first + slot, domain::kNoReading, revision);
    return any;
}

bool ReadingBoard::applyNode(uint32_t node, const Owner& source,
                             const domain::HostReadings& readings, uint32_t revision)
{
    bool any = false;
    for (size_t metric = 0; metric < kNodeMetricCount; ++metric) {
        const float value = readings.node[metric];
        Owner& owner = m_nodeOwner[node * kNodeMetricCount + metric];
        if (!std::isnan(value)) {
            owner = source;
            any = true;
        } else if (owner.source != source.source) {
            continue;
        }
        m_nodes.set(metric, node, value, revision);
    }
    return any;
}

void ReadingBoard::learn(uint32_t node, uint32_t slot, const domain::GpuReading& gpu,
                         uint32_t revision)
{
    const auto keep = [&](domain::SharedText& known, const domain::SharedText& said) {
        if (said.empty() || known == said)
            return;
        known = said;
        m_identityRevision[node] = revision;
        ++m_identityMoves;
    };
    Slot& stored = m_slots[m_firstCell[node] + slot];
    keep(stored.uuid, gpu.uuid);
    keep(stored.pci, gpu.pci);
    keep(m_models[node], gpu.model);
}

GpuIdentity ReadingBoard::identity(uint32_t node) const
{
    GpuIdentity result{.nodeIndex = node, .uuid = {}, .pci = {}, .model = m_models[node]};
    for (uint32_t cell = m_firstCell[node]; cell < m_firstCell[node + 1]; ++cell) {
        result.uuid.push_back(m_slots[cell].uuid);
        result.pci.push_back(m_slots[cell].pci);
    }
    return result;
}

void ReadingBoard::fillIdentities(ClusterDelta& delta, uint32_t revision, bool all) const
{
    for (uint32_t node = 0; node < m_names.size(); ++node)
        if (all ? cellCount(node) > 0 : m_identityRevision[node] > revision)
            delta.gpuIdentities.push_back(identity(node));
}

void ReadingBoard::fillReadings(ClusterDelta& delta, const Interest& interest, uint32_t revision,
                                bool all) const
{
    const auto wants = [&](size_t metric) {
        return interest.gpuMetrics.empty() ||
               std::find(interest.gpuMetrics.begin(), interest.gpuMetrics.end(),
                         domain::GpuMetric(metric)) != interest.gpuMetrics.end();
    };
    for (size_t metric = 0; metric < kGpuMetricCount; ++metric) {
        if (!wants(metric))
            continue;
        if (all)
            delta.gpuColumns.push_back(m_gpus.whole(metric));
        else if (m_gpus.changedAfter(metric, revision))
            delta.gpuColumns.push_back(m_gpus.changes(metric, revision));
    }
    for (size_t metric = 0; metric < kNodeMetricCount; ++metric) {
        if (all)
            delta.nodeColumns.push_back(m_nodes.whole(metric));
        else if (m_nodes.changedAfter(metric, revision))
            delta.nodeColumns.push_back(m_nodes.changes(metric, revision));
    }
    delta.readingAgeSeconds.reserve(m_names.size());
    for (size_t node = 0; node < m_names.size(); ++node) {
        const auto& at = m_gpuReadAt[node] ? m_gpuReadAt[node] : m_nodeReadAt[node];
        delta.readingAgeSeconds.push_back(
            at ? float(std::chrono::duration<double>(delta.at - *at).count()) : -1.0F);
    }
}

std::optional<uint32_t> ReadingBoard::nodeIndex(const std::string& host) const
{
    const auto found = m_index.find(host);
    return found == m_index.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int> ReadingBoard::gpuAt(const std::string& host, const std::string& pci) const
{
    const auto node = nodeIndex(host);
    for (uint32_t slot = 0; node && slot < cellCount(*node); ++slot)
        if (matches(m_slots[m_firstCell[*node] + slot].pci, pci))
            return int(slot);
    return std::nullopt;
}

}  // namespace yard::control
