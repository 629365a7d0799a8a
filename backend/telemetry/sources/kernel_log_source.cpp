#include "backend/telemetry/sources/kernel_log_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <map>

namespace yard::telemetry {
namespace {

// A turn reads no more than these pieces; what is left comes with the next turns.
constexpr int kPiecesPerTurn = 4;

}  // namespace

std::optional<Time> localLogTime(const std::string& text, Time now)
{
    std::tm parts{};
    parts.tm_isdst = -1;
    int year = 0;
    const bool hasYear =
        std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d", &year, &parts.tm_mon, &parts.tm_mday,
                    &parts.tm_hour, &parts.tm_min, &parts.tm_sec) == 6;
    if (!hasYear && std::sscanf(text.c_str(), "--%2d-%2dT%2d:%2d:%2d", &parts.tm_mon,
                                &parts.tm_mday, &parts.tm_hour, &parts.tm_min, &parts.tm_sec) != 5)
        return std::nullopt;
    parts.tm_mon -= 1;
    const std::time_t nowSeconds = std::chrono::system_clock::to_time_t(now);
    if (!hasYear) {
        std::tm today{};
        localtime_r(&nowSeconds, &today);
        year = today.tm_year + 1900;
    }
    parts.tm_year = year - 1900;
    const std::tm asked = parts;
    std::time_t seconds = std::mktime(&parts);
    // A day of grace: the clocks of nodes are not ours.
    if (!hasYear && seconds > nowSeconds + 86400) {
        parts = asked;
        parts.tm_year -= 1;
        seconds = std::mktime(&parts);
    }
    return std::chrono::system_clock::from_time_t(seconds);
}

KernelLogSource::KernelLogSource(Settings settings, const Clock& clock)
    : m_settings(std::move(settings))
    , m_target("kernel:" + (m_settings.host.empty() ? m_settings.path : m_settings.host))
    , m_clock(clock)
    , m_follower(m_settings.path, m_settings.historyLimit)
{
}

StatusOr<Scrape> KernelLogSource::scrape(Deadline deadline)
{
    Scrape scrape;
    for (int i = 0; i < kPiecesPerTurn && !(i > 0 && deadline.passed()); ++i) {
        const StatusOr<LogFollower::Piece> piece = m_follower.next();
        if (!piece.ok()) {
            // What was read before this piece is behind us: it must not be lost with it.
            if (i > 0)
                break;
            return piece.status();
        }
        addFaults(*piece, scrape);
        if (!piece->hasMore)
            break;
    }
    return scrape;
}

void KernelLogSource::addFaults(const LogFollower::Piece& piece, Scrape& scrape) const
{
    const Time now = m_clock.now();
    KernelRead read = readKernelLines(piece.text);
    scrape.samples += uint64_t(std::count(piece.text.begin(), piece.text.end(), '\n'));
    if (read.badLines > 0 && scrape.firstBadLine.empty())
        scrape.firstBadLine = fmt::format("{}: {}", m_target, read.firstBad);
    scrape.badLines += read.badLines;

    std::map<std::string, std::vector<KernelEvent>> byHost;
    for (KernelEvent& event : read.events) {
        if (!event.at && !event.localTime.empty())
            event.at = localLogTime(event.localTime, now);
        if (!event.at && !piece.isHistory)
            event.at = now;
        const std::string host = m_settings.host.empty() ? event.host : m_settings.host;
        byHost[host].push_back(std::move(event));
    }
    for (const auto& [host, events] : byHost) {
        std::vector<domain::Fault> faults = foldFaults(events, host);
        std::move(faults.begin(), faults.end(), std::back_inserter(scrape.faults));
    }
}

}  // namespace yard::telemetry
