#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yard::domain {

struct Job;

/// Tasks of a job array as Slurm writes them, "2-9,12-30:5%2": how many, whether one is among
/// them, whether two lists have one in common. None and false if it is no list of tasks.
uint32_t countTasks(std::string_view list);
bool hasTask(std::string_view list, uint32_t task);
bool shareTasks(std::string_view one, std::string_view other);

/// A name of tasks as commands take it: "18_3" or "18_[2-9]".
struct TasksName {
    uint64_t array = 0;
    std::string_view tasks;  ///< of the text that was read
};
std::optional<TasksName> readTasksName(std::string_view name);

/// The tasks that a record stands for, "3" or "2-9%2"; empty if it is not of an array.
std::string tasksOf(const Job& job);

}  // namespace yard::domain
