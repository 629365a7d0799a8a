#pragma once

#include <queue>
#include <vector>

#include "backend/scheduler/simulated/sim_time.h"

namespace yard::scheduler {

enum class EventKind : uint8_t {
    Arrival,       ///< somebody submits
    JobEligible,   ///< it may start from now on
    JobEnd,        ///< it ends by itself
    NodeLost,      ///< slurmctld gives up on a node that does not answer
    NodeBack,      ///< a dead node answers again
    NodeRepaired,  ///< what a health check took out is given back
    NodeRebooted,
    RollingReboot,  ///< an image update takes the next idle node
};

struct Event {
    SimTime at = 0;
    EventKind kind = EventKind::Arrival;
    uint64_t subject = 0;     ///< job id or node number
    uint32_t generation = 0;  ///< of the subject when this was planned; stale events are dropped
    uint64_t order = 0;
};

/// Events by time, those of one moment in the order they were planned.
class EventQueue {
public:
    void plan(SimTime at, EventKind kind, uint64_t subject = 0, uint32_t generation = 0)
    {
        m_events.push({at, kind, subject, generation, m_next++});
    }
    bool hasUntil(SimTime time) const { return !m_events.empty() && m_events.top().at <= time; }
    Event pop()
    {
        const Event event = m_events.top();
        m_events.pop();
        return event;
    }

private:
    struct Later {
        bool operator()(const Event& a, const Event& b) const
        {
            return a.at != b.at ? a.at > b.at : a.order > b.order;
        }
    };
    std::priority_queue<Event, std::vector<Event>, Later> m_events;
    uint64_t m_next = 0;
};

}  // namespace yard::scheduler
