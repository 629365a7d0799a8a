#include "backend/scheduler/slurm/time_text.h"

#include <vector>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/sentinels.h"

namespace yard::scheduler::slurm {
namespace {

constexpr int64_t kMaxDays = 1'000'000;
constexpr int64_t kMaxEpoch = 9'223'372'036;  // Time counts nanoseconds in 64 bits: the year 2262

bool isUnlimitedWord(std::string_view text)
{
    return text::equalsIgnoringCase(text, "UNLIMITED") ||
           text::equalsIgnoringCase(text, "infinite");
}

/// Digits only: no sign, no blank.
std::optional<int64_t> readDigits(std::string_view text)
{
    return text.empty() || !text::isDigit(text.front()) ? std::nullopt
                                                        : text::number<int64_t>(text);
}

std::optional<double> readSeconds(std::string_view text)
{
    const size_t dot = text.find('.');
    const auto whole = readDigits(text.substr(0, dot));
    if (!whole || *whole > 60)
        return std::nullopt;
    if (dot == std::string_view::npos)
        return double(*whole);
    const std::string_view decimals = text.substr(dot + 1);
    const auto fraction = decimals.size() > 9 ? std::nullopt : readDigits(decimals);
    if (!fraction)
        return std::nullopt;
    double value = double(*fraction);
    for (size_t i = 0; i < decimals.size(); ++i)
        value /= 10;
    return double(*whole) + value;
}

/// [hours:]minutes:seconds, or hours[:minutes[:seconds]] behind days.
std::optional<double> readClock(std::string_view text, bool hasDays)
{
    const std::vector<std::string_view> parts = text::split(text, ":");
    if (parts.size() > 3 || (!hasDays && parts.size() < 2))
        return std::nullopt;
    const bool hasHours = hasDays || parts.size() == 3;
    const size_t minuteAt = hasHours ? 1 : 0;
    const auto hours = hasHours ? readDigits(parts[0]) : std::optional<int64_t>(0);
    const auto minutes =
        parts.size() > minuteAt ? readDigits(parts[minuteAt]) : std::optional<int64_t>(0);
    const auto seconds =
        parts.size() > minuteAt + 1 ? readSeconds(parts[minuteAt + 1]) : std::optional<double>(0);
    if (!hours || !minutes || !seconds || *hours > 24 * kMaxDays ||
        *minutes > (hasHours ? 59 : 24 * 60 * kMaxDays))
        return std::nullopt;
    return double(*hours * 3600 + *minutes * 60) + *seconds;
}

bool isLocalTime(std::string_view text)
{
    constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd";
    if (text.size() != kShape.size())
        return false;
    for (size_t i = 0; i < kShape.size(); ++i) {
        const bool isDigit = text::isDigit(text[i]);
        if (kShape[i] == 'd' ? !isDigit : text[i] != kShape[i])
            return false;
    }
    return true;
}

}  // namespace

DurationText readDuration(std::string_view text)
{
    text = text::trimmed(text);
    if (isUnlimitedWord(text))
        return {.unlimited = true, .seconds = std::nullopt};
    const size_t dash = text.find('-');
    if (dash == std::string_view::npos)
        return {.unlimited = false, .seconds = readClock(text, false)};
    const auto days = readDigits(text.substr(0, dash));
    const auto clock = readClock(text.substr(dash + 1), true);
    if (!days || !clock || *days > kMaxDays)
        return {};
    return {.unlimited = false, .seconds = double(*days * 86400) + *clock};
}

domain::TimeLimit readTimeLimit(std::string_view text)
{
    const DurationText duration = readDuration(text);
    domain::TimeLimit limit{.unlimited = duration.unlimited, .seconds = std::nullopt};
    if (duration.seconds)
        limit.seconds = int64_t(*duration.seconds);
    return limit;
}

domain::TimeLimit readMinutesLimit(std::string_view text)
{
    text = text::trimmed(text);
    const auto minutes = readDigits(text);
    if (!minutes)
        return readTimeLimit(text);
    if (isUnlimited(uint64_t(*minutes)))
        return {.unlimited = true, .seconds = std::nullopt};
    if (isNotSet(uint64_t(*minutes)) || *minutes > kMaxDays * 1440)
        return {};
    return {.unlimited = false, .seconds = *minutes * 60};
}

TimeText readTime(std::string_view text)
{
    text = text::trimmed(text);
    TimeText time;
    if (const auto epoch = readDigits(text))
        time.at = timeFromEpoch(*epoch);
    else if (isLocalTime(text))
        time.local = std::string(text);
    return time;
}

std::optional<Time> timeFromEpoch(int64_t seconds)
{
    if (seconds <= 0 || seconds > kMaxEpoch || isNotSet(uint64_t(seconds)) ||
        isUnlimited(uint64_t(seconds)))
        return std::nullopt;
    return Time(std::chrono::seconds(seconds));
}

int64_t epochOf(Time time)
{
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

}  // namespace yard::scheduler::slurm
