#include "backend/control/incident_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backend/base/text.h"

namespace yard::control {
namespace {

using domain::Category;
using domain::Certainty;
using domain::Incident;
using domain::JobState;
using domain::Reason;

// slurmctld's own words; anything else is a person's or a health check's, who know already.
constexpr std::array<std::string_view, 4> kOwnWords{"not responding", "node unexpectedly rebooted",
                                                    "boot", "resumetimeout"};

bool isServiceReason(Reason reason)
{
    return reason == Reason::S3StorageError || reason == Reason::ConnectionError;
}

/// The scheduler's own reason where the log has none that is better.
void adoptState(Incident& incident, const domain::Job& job)
{
    incident.certainty = Certainty::Established;
    if (job.state == JobState::OutOfMemory) {
        incident.reason = Reason::OutOfMemoryError;
        incident.why =
            "The kernel ended a process of the job because it took more memory than it "
            "had asked for, says Slurm.";
        incident.advice = "Ask for more memory or use less; as it is, it will fail again.";
        return;
    }
    incident.reason = Reason::NodeFailure;
    incident.why = "The scheduler lost a node of the job.";
    incident.advice = "Look at the node; restart the job without it from its last checkpoint.";
    incident.shouldRestart = true;
}

}  // namespace

bool mayBeConsequence(Reason reason, Certainty certainty)
{
    switch (reason) {
        case Reason::Unknown:
        case Reason::NoFailure:
        case Reason::Cancelled:
        case Reason::NcclTimeoutError:
        case Reason::NcclRemoteError:
        case Reason::ConnectionError:
        case Reason::Hang:
            return true;
        case Reason::NetworkError:
        case Reason::CudaError:
        case Reason::RuntimeError:
            return certainty != Certainty::Established;
        default:
            return false;
    }
}

bool isLossSaid(const domain::Job& job)
{
    return job.state == JobState::NodeFail || job.state == JobState::BootFail;
}

bool mayBeFailure(const domain::Job& job)
{
    switch (job.state) {
        case JobState::Failed:
        case JobState::NodeFail:
        case JobState::OutOfMemory:
        case JobState::BootFail:
        case JobState::Timeout:
            return true;
        default:
            return job.stateText == "REQUEUED";
    }
}

bool isFailedEnd(const JobEnd& end)
{
    if (!mayBeFailure(end.job) || end.job.stateText == "REQUEUED")
        return false;
    if (end.job.state != JobState::Timeout)
        return true;
    // Most jobs that reach their limit have worked up to it.
    if (!end.verdict || end.verdict->certainty > Certainty::Likely)
        return false;
    const Category category = domain::categoryOf(end.verdict->reason);
    return category == Category::Infrastructure || category == Category::Anomaly;
}

bool isLost(const domain::Node& node)
{
    if (node.state != domain::NodeState::Down && node.state != domain::NodeState::Error)
        return false;
    for (const char* planned : {"DRAIN", "POWERED_DOWN", "POWERING_DOWN", "POWERING_UP",
                                "REBOOT_ISSUED", "REBOOT_REQUESTED", "MAINTENANCE", "FAIL"})
        if (node.hasFlag(planned))
            return false;
    const std::string reason = text::lowerCase(node.reason);
    return reason.empty() ? node.hasFlag("NOT_RESPONDING")
                          : std::any_of(kOwnWords.begin(), kOwnWords.end(),
                                        [&](auto words) { return reason.starts_with(words); });
}

void adoptEnd(Incident& incident, const JobEnd& end)
{
    const bool isTold = end.verdict && domain::isFailure(end.verdict->reason) &&
                        end.verdict->reason != Reason::Unknown;
    const bool mayFollow = !isTold || mayBeConsequence(end.verdict->reason, end.verdict->certainty);
    const bool isLoss =
        isLossSaid(end.job) &&
        (mayFollow || domain::categoryOf(end.verdict->reason) != Category::Infrastructure);
    if (isLoss || (mayFollow && end.job.state == JobState::OutOfMemory))
        return adoptState(incident, end.job);
    if (!isTold) {
        incident.reason = Reason::Unknown;
        incident.certainty = Certainty::Unknown;
        incident.why = end.verdict ? "The log does not say why." : "No log could be read.";
        incident.advice =
            "Look at the last lines of the output, and at the nodes' kernel logs; ask the owner.";
        return;
    }
    const domain::Verdict& verdict = *end.verdict;
    incident.reason = verdict.reason;
    incident.certainty = verdict.certainty;
    incident.why = verdict.cause;
    incident.advice = verdict.advice;
    incident.shouldRestart = verdict.shouldRestart;
    incident.cordonNode = verdict.cordonNode;
    incident.node = verdict.node;
    incident.rank = verdict.rank;
    incident.gpu = verdict.gpu;
    incident.rule = verdict.rule;
}

std::string repeatKey(const JobEnd& end)
{
    if (!end.verdict)
        return {};
    const domain::Verdict& verdict = *end.verdict;
    const std::string what =
        verdict.rule.empty() ? std::string(domain::name(verdict.reason)) : verdict.rule;
    const Category category = domain::categoryOf(verdict.reason);
    const bool isOwn = category == Category::Script || category == Category::Framework;
    if (end.job.array && (isOwn || verdict.reason == Reason::Unknown))
        return fmt::format("array {} {}", end.job.array->job, what);
    if (isOwn)
        return fmt::format("script {} {} {}", end.job.user, end.job.name, what);
    return isServiceReason(verdict.reason) && verdict.node.empty() ? "service " + what
                                                                   : std::string();
}

}  // namespace yard::control
