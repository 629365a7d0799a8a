#include "app/ctl/inspect_slurm.h"
#include "app/ctl/inspect_values.h"

namespace yard::ctl {
namespace {

using scheduler::slurm::NodeRecord;
using scheduler::slurm::NodesRead;

/// A text summary (`drained`) hides the base state, which is then not known.
Json stateJson(const NodeRecord& record)
{
    const bool isHidden = record.category && record.node.state == domain::NodeState::Unknown;
    return isHidden ? Json(nullptr) : textJson(domain::name(record.node.state));
}

domain::NodeCategory categoryOf(const NodeRecord& record)
{
    const domain::NodeCategory category = domain::categoryOf(record.node);
    const bool isHidden = record.category && record.node.state == domain::NodeState::Unknown;
    return isHidden && category != domain::NodeCategory::Draining ? *record.category : category;
}

bool isUsable(const NodeRecord& record)
{
    if (!record.category)
        return domain::isUsable(record.node);
    const auto category = categoryOf(record);
    return category == domain::NodeCategory::Reserved ||
           category == domain::NodeCategory::Planned ||
           category == domain::NodeCategory::Completing;
}

Json ifKnown(bool isKnown, int value)
{
    return isKnown ? Json(value) : Json(nullptr);
}

Json nodeJson(const NodeRecord& record)
{
    const domain::Node& node = record.node;
    Json out;
    out["name"] = textJson(node.name);
    out["state"] = stateJson(record);
    out["flags"] = textsJson(node.flags);
    out["category"] = textJson(domain::name(categoryOf(record)));
    out["state_text"] = textJson(node.stateText);
    out["usable"] = isUsable(record);
    out["reason"] = textOrNull(node.reason);
    out["reason_user"] = textOrNull(node.reasonUser);
    out["reason_time"] = epochJson(node.reasonTime);
    out["reason_time_local"] = textOrNull(record.reasonTimeLocal);
    out["partitions"] = textsJson(node.partitions);
    out["reservation"] = textOrNull(node.reservation);
    out["comment"] = textOrNull(node.comment);
    out["version"] = textOrNull(node.version);
    out["boot_time"] = epochJson(node.bootTime);
    out["boot_time_local"] = textOrNull(record.bootTimeLocal);
    out["cpus_total"] = valueJson(node.cpusTotal);
    out["cpus_alloc"] = valueJson(node.cpusAllocated);
    out["cpus_idle"] = valueJson(record.cpusIdle);
    out["cpus_other"] = valueJson(record.cpusOther);
    const bool knowsFree = node.cpusTotal && node.cpusAllocated;
    out["cpus_free"] = knowsFree ? Json(*node.cpusTotal - *node.cpusAllocated) : Json(nullptr);
    out["cpu_load"] = valueJson(node.cpuLoad);
    out["mem_total_mib"] = valueJson(node.memoryTotalMib);
    out["mem_alloc_mib"] = valueJson(node.memoryAllocatedMib);
    out["mem_free_mib"] = valueJson(node.memoryFreeMib);
    out["gpus_total"] = ifKnown(record.knowsGpusTotal, node.gpusTotal);
    out["gpus_configured"] = ifKnown(record.knowsGpusTotal, node.gpusTotal);
    out["gpus_reported"] = valueJson(record.gpusReported);
    out["gpus_used"] = ifKnown(record.knowsGpusAllocated, node.gpusAllocated);
    out["gpu_type"] = textOrNull(node.gpuType);
    out["gpu_idx_used"] = node.gpuIndicesInUse;
    out["gres_drained"] = textOrNull(record.gresDrained);
    out["power_w"] = valueJson(record.powerWatts);
    return out;
}

struct Sums {
    std::optional<int64_t> cpusTotal, cpusAllocated, cpusIdle, cpusOther;
    int64_t gpusTotal = 0;
    int64_t gpusUsed = 0;
    int64_t gpusUsable = 0;
    bool knowsGpus = false;
    bool knowsGpusUsed = true;
};

Sums sumOf(const std::vector<NodeRecord>& nodes)
{
    Sums sums;
    const auto add = [](std::optional<int64_t>& sum, const std::optional<int>& value) {
        if (value)
            sum = sum.value_or(0) + *value;
    };
    for (const NodeRecord& record : nodes) {
        add(sums.cpusTotal, record.node.cpusTotal);
        add(sums.cpusAllocated, record.node.cpusAllocated);
        add(sums.cpusIdle, record.cpusIdle);
        add(sums.cpusOther, record.cpusOther);
        sums.gpusTotal += record.node.gpusTotal;
        sums.gpusUsed += record.node.gpusAllocated;
        sums.gpusUsable += isUsable(record) ? record.node.gpusTotal : 0;
        sums.knowsGpus = sums.knowsGpus || record.knowsGpusTotal;
        sums.knowsGpusUsed = sums.knowsGpusUsed && record.knowsGpusAllocated;
    }
    return sums;
}

}  // namespace

void writeRead(const NodesRead& read, Json& out)
{
    if (!read.cluster.empty())
        out["cluster"] = textJson(read.cluster);
    Json list = Json::array();
    Json usable = Json::array();
    Json notUsable = Json::array();
    for (const NodeRecord& record : read.nodes) {
        list.push_back(nodeJson(record));
        (isUsable(record) ? usable : notUsable).push_back(textJson(record.node.name));
    }
    const Sums sums = sumOf(read.nodes);
    out["nodes"] = list;
    out["nodes_total"] = read.nodes.size();
    out["counts"] = {{"usable_now", usable}, {"not_usable", notUsable}};
    out["cpus_total"] = valueJson(read.groupCpusTotal ? read.groupCpusTotal : sums.cpusTotal);
    out["cpus_alloc"] =
        valueJson(read.groupCpusAllocated ? read.groupCpusAllocated : sums.cpusAllocated);
    out["cpus_idle"] = valueJson(sums.cpusIdle);
    out["cpus_other"] = valueJson(sums.cpusOther);
    if (!read.badLines.empty())
        out["cpus_total_without_bad"] = valueJson(sums.cpusTotal);
    out["gpus_total"] = sums.knowsGpus ? Json(sums.gpusTotal) : Json(nullptr);
    out["gpus_usable"] = sums.knowsGpus ? Json(sums.gpusUsable) : Json(nullptr);
    out["gpus_free_total"] =
        sums.knowsGpus && sums.knowsGpusUsed ? Json(sums.gpusTotal - sums.gpusUsed) : Json(nullptr);
    out["bad_lines"] = read.badLines;
    out["bad_records"] = read.notes.badRecords;
    if (read.notes.badRecords > 0)
        out["first_bad"] = textJson(read.notes.firstBad);
}

}  // namespace yard::ctl
