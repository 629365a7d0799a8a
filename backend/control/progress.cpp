#include "backend/control/progress.h"

#include <fmt/format.h>

#include <set>

#include "backend/control/target_state.h"
#include "backend/domain/hostlist.h"

namespace yard::control {
namespace {

using domain::ActionKind;
using domain::NodeCategory;

struct Waiting {
    std::vector<std::string> busy;    ///< drain or reboot once their jobs have ended
    std::vector<std::string> boots;   ///< reboot now
    std::vector<std::string> silent;  ///< have not booted, and no reboot is pending
    size_t total = 0;
};

int64_t bootTimeUs(const domain::Node& node)
{
    return node.bootTime ? std::chrono::duration_cast<std::chrono::microseconds>(
                               node.bootTime->time_since_epoch())
                               .count()
                         : 0;
}

void sortDrain(const domain::Node& node, uint64_t operation, Waiting& waiting)
{
    if (markedOperation(node.reason) == operation && categoryOf(node) == NodeCategory::Draining)
        waiting.busy.push_back(node.name);
}

void sortReboot(const domain::Node& node, const store::Evidence& evidence, Waiting& waiting)
{
    if (node.hasFlag("REBOOT_ISSUED"))
        waiting.boots.push_back(node.name);
    else if (node.hasFlag("REBOOT_REQUESTED"))
        waiting.busy.push_back(node.name);
    else if (bootTimeUs(node) <= evidence.bootTimeUs)
        (categoryOf(node) == NodeCategory::Rebooting ? waiting.boots : waiting.silent)
            .push_back(node.name);
}

std::string busyWords(ActionKind kind, const Waiting& waiting, const ClusterSnapshot& snapshot)
{
    std::set<std::string> jobs;
    for (const auto& [node, running] : jobsOn(snapshot, waiting.busy))
        for (const TrackedJob* job : running)
            jobs.insert(job->job.displayId);
    const std::string nodes = domain::foldHostlist(waiting.busy);
    const bool one = waiting.busy.size() == 1;
    const std::string still =
        fmt::format("{} running job{}", jobs.size(), jobs.size() == 1 ? "" : "s");
    if (kind == ActionKind::Drain)
        return jobs.empty()
                   ? fmt::format("{} {} draining, still busy.", nodes, one ? "is" : "are")
                   : fmt::format("{} {} draining, with {}.", nodes, one ? "is" : "are", still);
    return jobs.empty() ? fmt::format("{} will reboot.", nodes)
                        : fmt::format("{} will reboot after {}.", nodes, still);
}

}  // namespace

std::string progressOf(const store::OperationRecord& record, const ClusterSnapshot& snapshot)
{
    const domain::Operation& operation = record.operation;
    const ActionKind kind = operation.action.kind;
    if (kind != ActionKind::Drain && kind != ActionKind::Reboot)
        return {};
    Waiting waiting;
    for (size_t i = 0; i < operation.targets.size(); ++i) {
        const domain::Node* node = snapshot.node(operation.targets[i].name);
        if (!node)
            continue;
        ++waiting.total;
        if (kind == ActionKind::Drain)
            sortDrain(*node, operation.id, waiting);
        else
            sortReboot(*node, record.evidence[i], waiting);
    }
    const size_t open = waiting.busy.size() + waiting.boots.size() + waiting.silent.size();
    std::string text;
    const auto add = [&text](const std::string& sentence) {
        text.append(text.empty() ? "" : " ").append(sentence);
    };
    if (open > 0 && open < waiting.total)
        add(fmt::format("{} of {} are {}.", waiting.total - open, waiting.total,
                        kind == ActionKind::Drain ? "drained" : "back"));
    if (!waiting.busy.empty())
        add(busyWords(kind, waiting, snapshot));
    if (!waiting.boots.empty())
        add(fmt::format("{} {} rebooting.", domain::foldHostlist(waiting.boots),
                        waiting.boots.size() == 1 ? "is" : "are"));
    if (!waiting.silent.empty())
        add(fmt::format("{} {} not booted since, and no reboot is pending there.",
                        domain::foldHostlist(waiting.silent),
                        waiting.silent.size() == 1 ? "has" : "have"));
    return text;
}

}  // namespace yard::control
