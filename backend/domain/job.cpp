#include "backend/domain/job.h"

#include <array>

namespace yard::domain {
namespace {

struct Words {
    JobState state;
    std::string_view full;
    std::string_view compact;
};

constexpr std::array<Words, 13> kWords{{
    {JobState::Unknown, "UNKNOWN", ""},
    {JobState::Pending, "PENDING", "PD"},
    {JobState::Running, "RUNNING", "R"},
    {JobState::Suspended, "SUSPENDED", "S"},
    {JobState::Completed, "COMPLETED", "CD"},
    {JobState::Cancelled, "CANCELLED", "CA"},
    {JobState::Failed, "FAILED", "F"},
    {JobState::Timeout, "TIMEOUT", "TO"},
    {JobState::NodeFail, "NODE_FAIL", "NF"},
    {JobState::Preempted, "PREEMPTED", "PR"},
    {JobState::BootFail, "BOOT_FAIL", "BF"},
    {JobState::Deadline, "DEADLINE", "DL"},
    {JobState::OutOfMemory, "OUT_OF_MEMORY", "OOM"},
}};

}  // namespace

std::string_view name(JobState state)
{
    return kWords.at(size_t(state)).full;
}

JobState jobStateFrom(std::string_view word)
{
    if (word.empty())
        return JobState::Unknown;
    for (const Words& words : kWords) {
        if (word == words.full || word == words.compact)
            return words.state;
    }
    return JobState::Unknown;
}

bool isActive(JobState state)
{
    return state == JobState::Running || state == JobState::Suspended;
}

bool isFinished(JobState state)
{
    return state != JobState::Unknown && state != JobState::Pending && !isActive(state);
}

}  // namespace yard::domain
