#pragma once

#include <mutex>

#include "backend/base/task_loop.h"

namespace yard::control {

/// Leads to the core loop for callbacks that may outlive it; once closed it drops what comes.
///
/// Thread: any.
class CoreDoor {
public:
    explicit CoreDoor(TaskLoop& core)
        : m_core(&core)
    {
    }
    void post(TaskLoop::Task task)
    {
        const std::lock_guard lock(m_mutex);
        if (m_core)
            (void)m_core->post(std::move(task));
    }
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_core = nullptr;
    }

private:
    std::mutex m_mutex;
    TaskLoop* m_core;
};

}  // namespace yard::control
