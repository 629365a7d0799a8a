#pragma once

#include "backend/base/clock.h"
#include "backend/telemetry/kernel_lines.h"
#include "backend/telemetry/sources/log_follower.h"
#include "backend/telemetry/telemetry_source.h"

namespace yard::telemetry {

/// Faults from a kernel log that is followed: syslog, dmesg output, journald's JSON. Each line is
/// reported once. Lines older than the first read bear their own time; where they have none, none.
class KernelLogSource final : public TelemetrySource {
public:
    struct Settings {
        std::string host;  ///< empty: the lines name theirs
        std::string path;
        size_t historyLimit = 4ul << 20;
    };
    KernelLogSource(Settings settings, const Clock& clock);

    std::string_view target() const override { return m_target; }
    std::string_view kind() const override { return "kernel"; }
    std::string_view host() const override { return m_settings.host; }
    StatusOr<Scrape> scrape(Deadline deadline) override;

private:
    void addFaults(const LogFollower::Piece& piece, Scrape& scrape) const;

    const Settings m_settings;
    const std::string m_target;
    const Clock& m_clock;
    LogFollower m_follower;
};

/// "2024-10-15T07:15:40" or, without a year, "--10-15T07:15:40", in this machine's time zone. The
/// year that is missing is the one that puts it closest before `now`.
std::optional<Time> localLogTime(const std::string& text, Time now);

}  // namespace yard::telemetry
