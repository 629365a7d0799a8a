#include "backend/store/series/series_keeper.h"

#include <fmt/format.h>

#include "backend/base/log.h"

namespace yard::store {

SeriesKeeper::SeriesKeeper(std::string path, const Clock& clock, SeriesRetention retention,
                           std::chrono::milliseconds retryEvery)
    : m_path(std::move(path))
    , m_clock(clock)
    , m_retention(retention)
    , m_retryEvery(retryEvery)
{
    open();
}

SeriesKeeper::~SeriesKeeper()
{
    onHealth(nullptr);
}

void SeriesKeeper::open()
{
    StatusOr<std::unique_ptr<SeriesStore>> opened = SeriesStore::open(m_path, m_clock, m_retention);
    SeriesHealth health;
    if (opened.ok()) {
        (*opened)->onHealth([this](const SeriesHealth& found) { tell(found); });
        const std::lock_guard lock(m_mutex);
        m_store = *std::move(opened);
        health.lostTicks = m_lostWhileClosed;
    } else {
        health.ok = false;
        health.error = std::string(opened.status().message()) + " Readings are not being kept.";
        m_loop.postAfter(m_retryEvery, [this] { open(); });
    }
    const std::string before = [this] {
        const std::lock_guard lock(m_mutex);
        return m_health.error;
    }();
    if (!health.ok && health.error != before)
        log::error(health.error);
    if (health.ok && !before.empty())
        log::info(fmt::format("Readings are kept again; {} moments were lost.", health.lostTicks));
    tell(health);
}

void SeriesKeeper::tell(SeriesHealth health)
{
    const std::lock_guard lock(m_mutex);
    m_health = std::move(health);
    if (m_changed)
        m_changed(m_health);
}

std::shared_ptr<SeriesStore> SeriesKeeper::store() const
{
    const std::lock_guard lock(m_mutex);
    return m_store;
}

Status SeriesKeeper::whyNot() const
{
    const std::lock_guard lock(m_mutex);
    return absl::UnavailableError(m_health.error);
}

void SeriesKeeper::append(SeriesTick tick)
{
    if (const auto open = store())
        return open->append(std::move(tick));
    const std::lock_guard lock(m_mutex);
    ++m_lostWhileClosed;
}

void SeriesKeeper::onHealth(std::function<void(SeriesHealth)> changed)
{
    const std::lock_guard lock(m_mutex);
    m_changed = std::move(changed);
    if (m_changed)
        m_changed(m_health);
}

void SeriesKeeper::range(domain::SeriesRequest request, Answer<domain::SeriesAnswer> answer)
{
    if (const auto open = store())
        return open->range(std::move(request), std::move(answer));
    answer(whyNot());
}

void SeriesKeeper::at(domain::InstantRequest request, Answer<domain::InstantAnswer> answer)
{
    if (const auto open = store())
        return open->at(request, std::move(answer));
    answer(whyNot());
}

}  // namespace yard::store
