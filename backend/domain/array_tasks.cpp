#include "backend/domain/array_tasks.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "backend/base/text.h"
#include "backend/domain/job.h"

namespace yard::domain {
namespace {

struct TaskRange {
    uint32_t first = 0;
    uint32_t last = 0;
    uint32_t step = 1;

    bool has(uint32_t task) const
    {
        return task >= first && task <= last && (task - first) % step == 0;
    }
};

/// Empty if any part of it cannot be read.
std::vector<TaskRange> readTasks(std::string_view list)
{
    std::vector<TaskRange> ranges;
    for (const std::string_view part : text::split(list.substr(0, list.find('%')), ",")) {
        const auto stepped = text::split(part, ":");
        const auto ends = text::split(stepped.front(), "-");
        const auto first = text::number<uint32_t>(ends.front());
        const auto last = text::number<uint32_t>(ends.back());
        const auto step = stepped.size() > 1 ? text::number<uint32_t>(stepped[1]) : 1u;
        if (!first || !last || !step || *step == 0 || *last < *first)
            return {};
        ranges.push_back({*first, *last, *step});
    }
    return ranges;
}

bool meet(const TaskRange& one, const TaskRange& other)
{
    const TaskRange& coarse = one.step >= other.step ? one : other;
    const TaskRange& fine = one.step >= other.step ? other : one;
    if (coarse.last < fine.first || fine.last < coarse.first)
        return false;
    if (fine.step == 1 && coarse.step == 1)
        return true;
    for (uint64_t task = coarse.first; task <= coarse.last; task += coarse.step)
        if (fine.has(uint32_t(task)))
            return true;
    return false;
}

}  // namespace

uint32_t countTasks(std::string_view list)
{
    uint64_t count = 0;
    for (const TaskRange& range : readTasks(list))
        count += (range.last - range.first) / range.step + 1;
    return uint32_t(std::min<uint64_t>(count, std::numeric_limits<uint32_t>::max()));
}

bool hasTask(std::string_view list, uint32_t task)
{
    const auto ranges = readTasks(list);
    return std::any_of(ranges.begin(), ranges.end(),
                       [task](const TaskRange& range) { return range.has(task); });
}

bool shareTasks(std::string_view one, std::string_view other)
{
    const auto ranges = readTasks(one);
    const auto others = readTasks(other);
    return std::any_of(ranges.begin(), ranges.end(), [&](const TaskRange& range) {
        return std::any_of(others.begin(), others.end(),
                           [&](const TaskRange& two) { return meet(range, two); });
    });
}

std::optional<TasksName> readTasksName(std::string_view name)
{
    const size_t split = name.find('_');
    if (split == std::string_view::npos)
        return std::nullopt;
    const auto array = text::number<uint64_t>(name.substr(0, split));
    std::string_view tasks = name.substr(split + 1);
    if (tasks.starts_with('[') && tasks.ends_with(']'))
        tasks = tasks.substr(1, tasks.size() - 2);
    if (!array || readTasks(tasks).empty())
        return std::nullopt;
    return TasksName{*array, tasks};
}

std::string tasksOf(const Job& job)
{
    if (!job.array)
        return {};
    return job.array->task ? std::to_string(*job.array->task) : job.array->pending;
}

}  // namespace yard::domain
