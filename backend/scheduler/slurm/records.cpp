#include "backend/scheduler/slurm/records.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/base/text.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/slurm/size_text.h"

namespace yard::scheduler::slurm {
namespace {

constexpr uint32_t kMaxTasks = 4'000'001;  // the highest MaxArraySize

/// Number of tasks of one part: "7", "2-9", "0-30:5".
uint32_t tasksIn(std::string_view part)
{
    const auto halves = text::split(part, ":");
    const auto ends = text::split(halves.front(), "-");
    const auto first = text::number<uint32_t>(ends.front());
    const auto last = text::number<uint32_t>(ends.back());
    const auto step = halves.size() == 2 ? text::number<uint32_t>(halves[1]) : std::optional(1U);
    if (!first || !last || !step || *step == 0 || *last < *first || *last >= kMaxTasks)
        return 0;
    return (*last - *first) / *step + 1;
}

}  // namespace

std::vector<std::string> nodesOf(std::string_view hostlist, domain::ReadNotes& notes)
{
    hostlist = text::trimmed(hostlist);
    if (hostlist.empty() || hostlist == "(null)" || hostlist == "None assigned" ||
        hostlist == "N/A" || hostlist == "None")
        return {};
    auto nodes = domain::expandHostlist(hostlist);
    if (nodes.ok())
        return *std::move(nodes);
    notes.add(std::string(nodes.status().message()));
    return {};
}

std::optional<int> countIn(std::string_view text, std::string_view what, const std::string& where,
                           domain::ReadNotes& notes)
{
    const size_t dash = text.find('-');
    const auto value = readSize(dash == 0 ? text : text.substr(0, dash));
    if (value && *value <= INT32_MAX)
        return int(*value);
    if (!text.empty() && (text::isDigit(text.front()) || dash == 0))
        notes.add(fmt::format("{}: \"{}\" is no number of {}. It was left out.", where,
                              text::validUtf8(text.substr(0, 40)), what));
    return std::nullopt;
}

std::string displayIdOf(const domain::Job& job)
{
    if (job.array && job.array->task)
        return std::to_string(job.array->job) + "_" + std::to_string(*job.array->task);
    if (job.array && !job.array->pending.empty())
        return std::to_string(job.array->job) + "_[" + job.array->pending + "]";
    if (job.het)
        return std::to_string(job.het->leader) + "+" + std::to_string(job.het->offset);
    return std::to_string(job.id);
}

void setPendingTasks(domain::ArrayPlace& place, std::string_view tasks)
{
    place.pending = std::string(tasks);
    uint64_t count = 0;
    for (const std::string_view part : text::split(tasks.substr(0, tasks.find('%')), ","))
        count += tasksIn(text::trimmed(part));
    place.pendingCount = uint32_t(std::min<uint64_t>(count, kMaxTasks));
}

bool isHeld(const domain::Job& job)
{
    if (job.state != domain::JobState::Pending)
        return false;
    const auto hasFlag = [&](std::string_view flag) {
        return std::find(job.stateFlags.begin(), job.stateFlags.end(), flag) !=
               job.stateFlags.end();
    };
    return job.reason == "JobHeldUser" || job.reason == "JobHeldAdmin" ||
           job.reason == "job_requeued_in_held_state" || hasFlag("REQUEUE_HOLD") ||
           hasFlag("RESV_DEL_HOLD");
}

std::optional<domain::ExitStatus> believable(const domain::Job& job, domain::ExitStatus exit)
{
    using domain::JobState;
    const bool hasResult = exit.code.value_or(0) != 0 || exit.signal.value_or(0) != 0;
    switch (job.state) {
        case JobState::Unknown:
        case JobState::Pending:
        case JobState::Running:
        case JobState::Suspended:
            return std::nullopt;
        case JobState::Completed:
        case JobState::Cancelled:
        case JobState::Preempted:
            break;
        default:
            if (!hasResult)
                return std::nullopt;
    }
    if (!exit.code && !exit.signal)
        return std::nullopt;
    return exit;
}

std::optional<int> gpusReportedIn(std::string_view reason)
{
    const size_t at = reason.find("gres/gpu count reported lower than configured (");
    if (at == std::string_view::npos)
        return std::nullopt;
    const std::string_view inner = reason.substr(reason.find('(', at) + 1);
    return text::number<int>(text::trimmed(inner.substr(0, inner.find('<'))));
}

}  // namespace yard::scheduler::slurm
