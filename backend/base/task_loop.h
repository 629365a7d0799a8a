#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace yard {

/// One thread that runs posted tasks in order, and timed ones when they are due. Whoever owns state
/// owns a loop; everybody else posts.
///
/// The destructor finishes the tasks already queued, drops the timed ones, and joins.
///
/// Thread: post(), postAfter() and isCurrent() from any.
class TaskLoop {
public:
    using Task = std::function<void()>;

    /// `capacity` bounds the queue of tasks that wait.
    explicit TaskLoop(size_t capacity = 65536);
    ~TaskLoop();
    TaskLoop(const TaskLoop&) = delete;
    TaskLoop& operator=(const TaskLoop&) = delete;

    /// False if the queue is full or the loop is ending: the task will not run.
    [[nodiscard]] bool post(Task task);
    /// Runs once, `delay` from now, unless the loop ends first.
    void postAfter(std::chrono::milliseconds delay, Task task);
    bool isCurrent() const;
    size_t waiting() const;

private:
    void run();

    const size_t m_capacity;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Task> m_tasks;
    std::multimap<std::chrono::steady_clock::time_point, Task> m_timed;
    bool m_ending = false;
    std::thread m_thread;
};

}  // namespace yard
