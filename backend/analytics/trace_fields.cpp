#include "backend/analytics/trace_fields.h"

#include <absl/time/civil_time.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>

#include "backend/base/text.h"

namespace yard::analytics {
namespace {

constexpr int kFirstYear = 1980;
constexpr int kLastYear = 2100;
constexpr int64_t kFirstSecond = 315'532'800;   // 1980
constexpr int64_t kLastSecond = 4'102'444'800;  // 2100
constexpr int32_t kMaxGpus = 1'000'000;         // of one job

/// Two digits, or -1.
int pair(const char* text)
{
    if (!text::isDigit(text[0]) || !text::isDigit(text[1]))
        return -1;
    return (text[0] - '0') * 10 + (text[1] - '0');
}

/// "+08:00", "-0700", "Z": seconds east.
std::optional<int32_t> offset(std::string_view text)
{
    if (text == "Z")
        return 0;
    if (text.size() < 5 || (text[0] != '+' && text[0] != '-'))
        return std::nullopt;
    const size_t minutesAt = text[3] == ':' ? 4 : 3;
    if (text.size() != minutesAt + 2)
        return std::nullopt;
    const int hours = pair(text.data() + 1);
    const int minutes = pair(text.data() + minutesAt);
    if (hours < 0 || hours > 15 || minutes < 0 || minutes > 59)
        return std::nullopt;
    return (text[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

int32_t capped(int64_t value)
{
    return int32_t(std::clamp<int64_t>(value, 0, kMaxGpus));
}

}  // namespace

TimeReader::TimeReader(absl::TimeZone zone)
    : m_zone(zone)
    , m_isUtc(zone == absl::UTCTimeZone())
{
}

std::optional<int64_t> TimeReader::day(std::string_view text)
{
    if (std::memcmp(m_dayText, text.data(), sizeof m_dayText) == 0)
        return m_daySeconds;
    const auto year = text::number<int>(text.substr(0, 4));
    const int month = pair(text.data() + 5);
    const int day = pair(text.data() + 8);
    if (!year || *year < kFirstYear || *year >= kLastYear || text[4] != '-' || text[7] != '-' ||
        month < 0 || day < 0)
        return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*year),
                                           std::chrono::month(unsigned(month)),
                                           std::chrono::day(unsigned(day))};
    if (!date.ok())
        return std::nullopt;
    std::memcpy(m_dayText, text.data(), sizeof m_dayText);
    m_daySeconds =
        int64_t(std::chrono::sys_days(date).time_since_epoch().count()) * int64_t(86'400);
    return m_daySeconds;
}

std::optional<int64_t> TimeReader::read(std::string_view text)
{
    if (text.size() < 19) {
        const auto seconds = text::number<int64_t>(text);
        if (!seconds || *seconds < kFirstSecond || *seconds >= kLastSecond)
            return std::nullopt;
        return seconds;
    }
    const std::optional<int64_t> dayStart = day(text);
    const int hour = pair(text.data() + 11);
    const int minute = pair(text.data() + 14);
    const int second = pair(text.data() + 17);
    if (!dayStart || (text[10] != ' ' && text[10] != 'T') || text[13] != ':' || text[16] != ':' ||
        hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return std::nullopt;
    const int64_t local = *dayStart + hour * 3600 + minute * 60 + second;
    std::string_view rest = text.substr(19);
    if (rest.starts_with('.'))
        rest.remove_prefix(std::min(rest.find_first_not_of("0123456789", 1), rest.size()));
    if (!rest.empty()) {
        const std::optional<int32_t> east = offset(rest);
        return east ? std::optional(local - *east) : std::nullopt;
    }
    if (m_isUtc)
        return local;
    return absl::ToUnixSeconds(absl::FromCivil(absl::CivilSecond(1970, 1, 1) + local, m_zone));
}

std::optional<int32_t> readCount(std::string_view text)
{
    if (const size_t point = text.find('.'); point != std::string_view::npos) {
        if (text.find_first_not_of('0', point + 1) != std::string_view::npos)
            return std::nullopt;
        text = text.substr(0, point);
    }
    const auto value = text::number<int32_t>(text);
    return value && *value >= 0 ? value : std::nullopt;
}

std::optional<int32_t> readElapsed(std::string_view text)
{
    int64_t days = 0;
    if (const size_t dash = text.find('-'); dash != std::string_view::npos) {
        const auto value = text::number<int32_t>(text.substr(0, dash));
        if (!value || *value < 0)
            return std::nullopt;
        days = *value;
        text = text.substr(dash + 1);
    }
    int64_t seconds = 0;
    for (;;) {
        const size_t colon = text.find(':');
        const auto part = readCount(text.substr(0, colon));
        if (!part)
            return std::nullopt;
        seconds = seconds * 60 + *part;
        if (colon == std::string_view::npos)
            break;
        text = text.substr(colon + 1);
    }
    seconds += days * 86'400;
    if (seconds > std::numeric_limits<int32_t>::max())
        return std::nullopt;
    return int32_t(seconds);
}

int32_t gpusOfTres(std::string_view text)
{
    int64_t parts = 0;
    while (!text.empty()) {
        const size_t comma = text.find(',');
        std::string_view entry = text.substr(0, comma);
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
        text::takePrefix(entry, "gres/");
        if (!text::takePrefix(entry, "gpu") || entry.empty())
            continue;
        const bool isTotal = entry.front() == '=';
        if (!isTotal && entry.front() != ':')
            continue;
        const size_t last = entry.find_last_of("=:");
        const auto count = text::number<int64_t>(entry.substr(last + 1));
        if (!count)
            continue;
        if (isTotal)
            return capped(*count);
        parts += capped(*count);
    }
    return capped(parts);
}

}  // namespace yard::analytics
