#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "backend/base/clock.h"

namespace yard::telemetry {

/// A log line with what stood before its message.
struct LogLine {
    std::string_view message;
    std::string host;
    std::optional<Time> at;  ///< where the prefix has a zone or an epoch
    std::optional<int64_t> bootMicroseconds;
    std::string localTime;  ///< "2024-10-15T07:15:40"; "--01-01T10:00:02" without a year
    bool isKernel = true;   ///< false if a program wrote it: anybody can log anything
    std::string owned;      ///< holds the message of a JSON line
};

/// Takes the prefix off: dmesg (plain, -T, -r, -x, iso), /dev/kmsg, syslog, journalctl in its
/// forms, journald JSON. A prefix that is none of these stays in the message.
LogLine readLogLine(std::string_view line);

/// "2025-01-01T10:00:00.000001+01:00" at the start of `text`, taken off. With a zone: a moment;
/// without: text. False if there is none.
bool takeIsoTime(std::string_view& text, std::optional<Time>& at, std::string& local);

}  // namespace yard::telemetry
