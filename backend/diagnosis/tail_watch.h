#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace yard::diagnosis {

/// The time a line carries.
struct Stamp {
    uint64_t line = 0;
    double seconds = 0;
    bool hasDate = false;
    bool isQuoted = false;  ///< stands inside the text: perhaps another clock or zone
};

/// Lines that go on while the work does not: a watcher's, a probe's, a heartbeat.
struct Heartbeat {
    uint64_t line = 0;   ///< of the first
    double seconds = 0;  ///< from the first to the last
    uint32_t count = 0;
};

/// The time of a line, in its head or further behind: "[cron 2024-01-01 13:00:00] …",
/// "probe 12:05 ready", "CANCELLED AT 2024-01-01T13:00:00".
std::optional<Stamp> stampOf(std::string_view text, uint64_t line);

/// The longest series of lines alike but for numbers among the lines behind the last step; none if
/// they count something up or other lines show that the job does other work. `tail` starts at
/// line `firstLine`; only lines behind `lastStep` are read.
std::optional<Heartbeat> heartbeatIn(std::string_view tail, uint64_t firstLine, uint64_t lastStep);

}  // namespace yard::diagnosis
