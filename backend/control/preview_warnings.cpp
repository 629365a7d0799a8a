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

enum class JobGroup { Waits, Ended, Unreported, Runs };
constexpr JobGroup kGroups[] = {JobGroup::Waits, JobGroup::Ended, JobGroup::Unreported,
                                JobGroup::Runs};

JobGroup groupOf(const domain::Job& job)
{
    if (job.state == domain::JobState::Pending)
        return JobGroup::Waits;
    if (job.state == domain::JobState::Unknown)
        return JobGroup::Unreported;
    return isFinished(job.state) ? JobGroup::Ended : JobGroup::Runs;
}

std::string leftWords(ActionKind kind, const domain::Job& job, const std::string& ids, size_t count)
{
    const char* is = count == 1 ? "is" : "are";
    switch (groupOf(job)) {
        case JobGroup::Waits:
            if (kind == ActionKind::Hold || kind == ActionKind::Release)
                return fmt::format("{} {} {}: nothing would change.", ids, is,
                                   kind == ActionKind::Hold ? "already held" : "not held");
            return fmt::format("{} {} waiting already: there is nothing to requeue.", ids, is);
        case JobGroup::Ended:
            return count == 1 ? fmt::format("{} has already ended: {}. There is nothing to {}.",
                                            ids, endWords(job), name(kind))
                              : fmt::format("{} have already ended. There is nothing to {}.", ids,
                                            name(kind));
        case JobGroup::Unreported:
            return fmt::format("{} {} no longer reported by the scheduler: there is nothing to {}.",
                               ids, is, name(kind));
        case JobGroup::Runs:
            break;
    }
    return fmt::format("{} {} left out, running already: a {} is for waiting jobs only.", ids, is,
                       name(kind));
}

}  // namespace

void addLeftJobs(const std::vector<const domain::Job*>& left, bool nothingElse, Preview& preview)
{
    for (const JobGroup group : kGroups) {
        const domain::Job* first = nullptr;
        std::vector<std::string> ids;
        for (const domain::Job* job : left)
            if (groupOf(*job) == group) {
                first = first ? first : job;
                ids.push_back(job->displayId);
            }
        if (!first)
            continue;
        const size_t count = ids.size();
        ids.resize(std::min(count, kMostNamed));
        std::string text = fmt::format("{} {}", count == 1 ? "Job" : "Jobs", fmt::join(ids, ", "));
        if (count > kMostNamed)
            text += fmt::format(" and {} more", count - kMostNamed);
        preview.warnings.push_back(leftWords(preview.action.kind, *first, text, count));
    }
    if (nothingElse && !preview.warnings.empty())
        preview.refusal = preview.warnings.front();
}

void addOwnWarnings(const OwnDrains& own, Preview& preview)
{
    if (!own.same.empty())
        preview.warnings.push_back(
            fmt::format("{}: already drained from this desk for this reason, nothing would change.",
                        domain::foldHostlist(own.same)));
    if (!own.renamed.empty())
        preview.warnings.push_back(fmt::format(
            "{}: already drained from this desk, so that nothing but the reason would change. An "
            "undo would not give {} back; a resume does.",
            domain::foldHostlist(own.renamed), own.renamed.size() == 1 ? "it" : "them"));
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
    else if (requeues && isFinished(job.state))
        preview.warnings.push_back(fmt::format(
            "Job {} has already ended: {}. A requeue runs it once more from its start, under the "
            "same id; the scheduler refuses once it has forgotten the job.",
            job.displayId, endWords(job)));
    if (kind == ActionKind::Hold && job.held)
        preview.warnings.push_back(fmt::format(
            "Job {} is already held, by its user. Now only an administrator may release it.",
            job.displayId));
}

void addUndoWarning(Preview& preview, bool hasUndo)
{
    if (!hasUndo)
        preview.warnings.push_back("This cannot be undone.");
}

}  // namespace yard::control
