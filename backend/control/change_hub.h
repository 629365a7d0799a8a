#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "backend/base/task_loop.h"
#include "backend/control/cluster_delta.h"

namespace yard::control {

class ClusterSnapshot;

/// Gives every reader of the stream what changed since its last update. The reader sets the pace:
/// one next() is one delivery, so a slow reader gets fewer, merged, never older updates, and
/// nothing queues.
///
/// Thread: subscribe(), next(), unsubscribe() and snapshot() from any; deliveries come on the core
/// loop and must only hand over.
class ChangeHub {
public:
    using Deliver = std::function<void(std::shared_ptr<const ClusterDelta>)>;
    using SubscriptionId = uint64_t;

    /// Both must outlive the hub. `snapshot` belongs to `core`.
    ChangeHub(TaskLoop& core, ClusterSnapshot& snapshot);

    /// The first delivery is full. Ask for each one with next().
    SubscriptionId subscribe(Interest interest, Deliver deliver);
    /// Delivers once, as soon as something is newer than the last delivery.
    void next(SubscriptionId id);
    /// After it returns, no delivery for `id` starts.
    void unsubscribe(SubscriptionId id);
    /// One full update, outside any subscription.
    void snapshot(Interest interest, Deliver deliver);

    /// Core loop: the snapshot has a new revision.
    void announce();
    size_t clients() const;

private:
    struct Reader;
    void serve(Reader& reader);

    TaskLoop& m_core;
    ClusterSnapshot& m_snapshot;
    mutable std::mutex m_mutex;
    SubscriptionId m_lastId = 0;
    std::map<SubscriptionId, std::shared_ptr<Reader>> m_readers;
};

}  // namespace yard::control
