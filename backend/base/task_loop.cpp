#include "backend/base/task_loop.h"

#include <utility>

namespace yard {

TaskLoop::TaskLoop(size_t capacity)
    : m_capacity(capacity)
    , m_thread([this] { run(); })
{
}

TaskLoop::~TaskLoop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        m_timed.clear();
    }
    m_wake.notify_one();
    m_thread.join();
}

bool TaskLoop::post(Task task)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_ending || m_tasks.size() >= m_capacity)
            return false;
        m_tasks.push_back(std::move(task));
    }
    m_wake.notify_one();
    return true;
}

void TaskLoop::postAfter(std::chrono::milliseconds delay, Task task)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_ending)
            return;
        m_timed.emplace(std::chrono::steady_clock::now() + delay, std::move(task));
    }
    m_wake.notify_one();
}

bool TaskLoop::isCurrent() const
{
    return std::this_thread::get_id() == m_thread.get_id();
}

size_t TaskLoop::waiting() const
{
    const std::lock_guard lock(m_mutex);
    return m_tasks.size();
}

void TaskLoop::run()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        const auto now = std::chrono::steady_clock::now();
        if (!m_timed.empty() && m_timed.begin()->first <= now) {
            m_tasks.push_back(std::move(m_timed.begin()->second));
            m_timed.erase(m_timed.begin());
        }
        if (!m_tasks.empty()) {
            const Task task = std::move(m_tasks.front());
            m_tasks.pop_front();
            lock.unlock();
            task();
            lock.lock();
            continue;
        }
        if (m_ending)
            return;
        if (m_timed.empty()) {
            m_wake.wait(lock);
        } else {
            // A copy: while this waits, the entry may go.
            const auto due = m_timed.begin()->first;
            m_wake.wait_until(lock, due);
        }
    }
}

}  // namespace yard
