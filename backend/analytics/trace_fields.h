#pragma once

#include <absl/time/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yard::analytics {

/// Reads the times of traces: "2023-03-01 00:18:22+08:00", "2023-03-01T00:18:22", seconds since
/// 1970. What has no offset is in the reader's zone. Remembers the last day, as rows follow each
/// other in time.
class TimeReader {
public:
    explicit TimeReader(absl::TimeZone zone);

    /// Seconds since 1970, UTC; empty if it is no time between 1980 and 2100.
    std::optional<int64_t> read(std::string_view text);

private:
    std::optional<int64_t> day(std::string_view text);

    absl::TimeZone m_zone;
    bool m_isUtc;
    char m_dayText[10] = {};
    int64_t m_daySeconds = 0;
};

/// Whole seconds or counts, also written "10.0". Empty if it is no number, negative or too large.
std::optional<int32_t> readCount(std::string_view text);
/// "1-02:03:04", "02:03:04", "03:04", "184": seconds.
std::optional<int32_t> readElapsed(std::string_view text);
/// "billing=8,gres/gpu=8,gres/gpu:a100=8" or "gpu:a100:8": the total goes before its parts.
int32_t gpusOfTres(std::string_view text);

}  // namespace yard::analytics
