#include "backend/control/preview_warnings.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/base/figure.h"
#include "backend/control/target_state.h"
#include "backend/domain/hostlist.h"

namespace yard::control {
namespace {

using domain::ActionKind;

constexpr size_t kMostNamed = 5;

std::string by(const domain::Node& node)
{
    return node.reasonUser.empty() ? "somebody else" : node.reasonUser;
}

std::string reasonOf(const domain::Node& node)
{
    return node.reason.empty() ? "no reason given" : "\"" + node.reason + "\"";
}

void addLeft(const ForeignDrains& foreign, Preview& preview)
{
    for (size_t i = 0; i < std::min(foreign.left.size(), kMostNamed); ++i) {
        const domain::Node& node = *foreign.left[i];
        preview.warnings.push_back(fmt::format(
            "{} was taken out by {}, not from this desk ({}). It is left as it is; to {} it, name "
            "it by itself.",
            node.name, by(node), reasonOf(node), name(preview.action.kind)));
    }
    if (foreign.left.size() > kMostNamed)
        preview.warnings.push_back(
            fmt::format("{} more nodes that were not taken out from this desk are left as they "
                        "are.",
                        foreign.left.size() - kMostNamed));
}

std::string leftWords(ActionKind kind, const domain::Job& job, const std::string& ids, size_t count)
{
    const char* is = count == 1 ? "is" : "are";
    if (job.state == domain::JobState::Pending)
        return fmt::format("{} {} waiting already: there is nothing to requeue.", ids, is);
    if (isFinished(job.state))
        return count == 1
                   ? fmt::format("{} has already ended: {}. There is nothing to {}.", ids,
                                 endWords(job), name(kind))
                   : fmt::format("{} have already ended. There is nothing to {}.", ids, name(kind));
    return fmt::format("{} {} left out, running already: a {} is for waiting jobs only.", ids, is,
                       name(kind));
}

}  // namespace

void addLeftJobs(const std::vector<const domain::Job*>& left, bool nothingElse, Preview& preview)
{
    const auto addGroup = [&](auto&& belongs) {
        const domain::Job* first = nullptr;
        std::vector<std::string> ids;
        for (const domain::Job* job : left)
            if (belongs(job->state)) {
                first = first ? first : job;
                ids.push_back(job->displayId);
            }
        if (!first)
            return;
        const size_t count = ids.size();
        ids.resize(std::min(count, kMostNamed));
        std::string text = fmt::format("{} {}", count == 1 ? "Job" : "Jobs", fmt::join(ids, ", "));
        if (count > kMostNamed)
            text += fmt::format(" and {} more", count - kMostNamed);
        preview.warnings.push_back(leftWords(preview.action.kind, *first, text, count));
    };
    const auto waits = [](domain::JobState state) { return state == domain::JobState::Pending; };
    addGroup(waits);
    addGroup([](domain::JobState state) { return isFinished(state); });
    addGroup([&](domain::JobState state) { return !waits(state) && !isFinished(state); });
    if (nothingElse && !preview.warnings.empty())
        preview.refusal = preview.warnings.front();
}

void addForeignWarnings(const ForeignDrains& foreign, Preview& preview)
{
    for (const domain::Node* node : foreign.taken)
        preview.warnings.push_back(
            preview.action.kind == ActionKind::Resume
                ? fmt::format("{} was taken out by {} ({}). It will be resumed because you named "
                              "it by itself.",
                              node->name, by(*node), reasonOf(*node))
                : fmt::format("{} is drained already, by {}: this replaces the reason {}.",
                              node->name, by(*node), reasonOf(*node)));
    addLeft(foreign, preview);
    if (!foreign.inService.empty())
        preview.warnings.push_back(fmt::format("{}: in service, nothing to resume.",
                                               domain::foldHostlist(foreign.inService)));
}

void addDamageWarnings(Preview& preview)
{
    if (preview.jobsKilled > 0)
        preview.warnings.push_back(
            fmt::format("{} running {}, of {} {}, will be ended: {} GPU-hours since they "
                        "started.",
                        preview.jobsKilled, preview.jobsKilled == 1 ? "job" : "jobs", preview.users,
                        preview.users == 1 ? "user" : "users", figure(preview.gpuHoursAtRisk)));
    const bool waits = preview.action.kind == ActionKind::Drain ||
                       (preview.action.kind == ActionKind::Reboot && preview.action.rebootWhenIdle);
    const auto unlimited = std::count_if(preview.jobs.begin(), preview.jobs.end(),
                                         [](const AffectedJob& job) { return !job.endsBy; });
    if (waits && unlimited > 0)
        preview.warnings.push_back(
            fmt::format("{} of the {} running jobs {} no time limit: when the nodes are empty is "
                        "not known.",
                        unlimited, preview.jobs.size(), unlimited == 1 ? "has" : "have"));
    if (isNodeAction(preview.action.kind) && preview.action.kind != ActionKind::Resume &&
        preview.freeReplacements == 0)
        preview.warnings.push_back("No idle node is left in the same partitions to take over.");
}

void addStateWarning(const domain::Job& job, Preview& preview)
{
    if (preview.warnings.size() > 4 * kMostNamed)
        return;
    const ActionKind kind = preview.action.kind;
    const bool requeues = kind == ActionKind::Requeue || kind == ActionKind::RequeueHold;
    if (requeues && !job.requeueable)
        preview.warnings.push_back(fmt::format(
            "Job {} was submitted as not to be requeued: the scheduler will refuse. Resubmit it.",
            job.displayId));
}

void addUndoWarning(Preview& preview, bool hasUndo)
{
    if (!hasUndo)
        preview.warnings.push_back("This cannot be undone.");
}

}  // namespace yard::control
