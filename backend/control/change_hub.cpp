#include "backend/control/change_hub.h"

#include <vector>

#include "backend/control/cluster_snapshot.h"

namespace yard::control {

struct ChangeHub::Reader {
    // Recursive: a delivery may unsubscribe its own reader.
    std::recursive_mutex mutex;
    bool active = true;
    bool waiting = false;
    bool owedIdentities = false;
    uint64_t revision = 0;
    std::chrono::steady_clock::time_point lastDelivery{};
    Interest interest;
    Deliver deliver;
};

ChangeHub::ChangeHub(TaskLoop& core, ClusterSnapshot& snapshot)
    : m_core(core)
    , m_snapshot(snapshot)
{
}

ChangeHub::SubscriptionId ChangeHub::subscribe(Interest interest, Deliver deliver)
{
    auto reader = std::make_shared<Reader>();
    reader->interest = std::move(interest);
    reader->deliver = std::move(deliver);
    const std::lock_guard lock(m_mutex);
    m_readers.emplace(++m_lastId, std::move(reader));
    return m_lastId;
}

void ChangeHub::next(SubscriptionId id)
{
    std::shared_ptr<Reader> reader;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_readers.find(id);
        if (found == m_readers.end())
            return;
        reader = found->second;
    }
    // A full core queue only delays this: announce() serves whoever waits.
    const std::lock_guard lock(reader->mutex);
    reader->waiting = true;
    (void)m_core.post([this, reader] { serve(*reader); });
}

void ChangeHub::unsubscribe(SubscriptionId id)
{
    std::shared_ptr<Reader> reader;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_readers.find(id);
        if (found == m_readers.end())
            return;
        reader = found->second;
        m_readers.erase(found);
    }
    const std::lock_guard lock(reader->mutex);
    reader->active = false;
}

void ChangeHub::snapshot(Interest interest, Deliver deliver)
{
    (void)m_core.post([this, interest = std::move(interest), deliver = std::move(deliver)] {
        deliver(m_snapshot.since(0, interest));
    });
}

void ChangeHub::announce()
{
    std::vector<std::shared_ptr<Reader>> readers;
    {
        const std::lock_guard lock(m_mutex);
        for (const auto& [id, reader] : m_readers)
            readers.push_back(reader);
    }
    for (const auto& reader : readers)
        serve(*reader);
}

size_t ChangeHub::clients() const
{
    const std::lock_guard lock(m_mutex);
    return m_readers.size();
}

void ChangeHub::serve(Reader& reader)
{
    const std::lock_guard lock(reader.mutex);
    if (!reader.active || !reader.waiting)
        return;
    if (reader.revision == m_snapshot.revision() && !reader.owedIdentities)
        return;
    const auto now = std::chrono::steady_clock::now();
    const auto due = reader.lastDelivery + reader.interest.minInterval;
    if (reader.revision != 0 && now < due)
        return;
    reader.waiting = false;
    reader.lastDelivery = now;
    // A map can be drawn without knowing which card is which, so those come behind.
    auto delta = m_snapshot.since(reader.revision, reader.interest,
                                  reader.owedIdentities ? Identities::All : Identities::NotInFull);
    reader.owedIdentities = delta->isFull() && reader.interest.withReadings;
    reader.revision = delta->revision;
    reader.deliver(std::move(delta));
}

}  // namespace yard::control
