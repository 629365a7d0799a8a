#include "backend/telemetry/log_prefix.h"

#include <simdjson.h>

#include <array>

#include "backend/base/text.h"

namespace yard::telemetry {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr int kKernelFacility = 0;
/// Time counts nanoseconds in 64 bits and so ends in 2262; what is later is no time.
constexpr int64_t kMaxMicroseconds = 9'223'372'036'000'000;

std::optional<int> twoDigits(std::string_view text, size_t at)
{
    if (at + 2 > text.size() || !text::isDigit(text[at]) || !text::isDigit(text[at + 1]))
        return std::nullopt;
    return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

int64_t daysFromCivil(int64_t year, int month, int day)
{
    year -= month <= 2 ? 1 : 0;
    const int64_t era = year / 400;
    const int64_t yearOfEra = year - era * 400;
    const int64_t dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    const int64_t dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146097 + dayOfEra - 719468;
}

/// "10:00:02" with nothing missing.
bool isClock(std::string_view text)
{
    const auto hour = twoDigits(text, 0);
    const auto minute = twoDigits(text, 3);
    const auto second = twoDigits(text, 6);
    return hour && minute && second && text[2] == ':' && text[5] == ':' && *hour < 24 &&
           *minute < 60 && *second < 61;
}

/// Digits behind '.' or ',', as microseconds; taken off.
int64_t takeFraction(std::string_view& text)
{
    if (text.size() < 2 || (text[0] != '.' && text[0] != ',') || !text::isDigit(text[1]))
        return 0;
    text.remove_prefix(1);
    int64_t value = 0;
    int digits = 0;
    for (; !text.empty() && text::isDigit(text.front()); text.remove_prefix(1)) {
        if (digits++ < 6)
            value = value * 10 + (text.front() - '0');
    }
    for (; digits < 6; ++digits)
        value *= 10;
    return value;
}

/// "Z", "+01:00", "-0800": seconds east of Greenwich; taken off.
std::optional<int> takeZone(std::string_view& text)
{
    if (text::takePrefix(text, "Z"))
        return 0;
    if (text.empty() || (text.front() != '+' && text.front() != '-'))
        return std::nullopt;
    const size_t minuteAt = text.size() > 3 && text[3] == ':' ? 4 : 3;
    const auto hours = twoDigits(text, 1);
    const auto minutes = twoDigits(text, minuteAt);
    if (!hours || !minutes)
        return std::nullopt;
    const int seconds = *hours * 3600 + *minutes * 60;
    const int zone = text.front() == '-' ? -seconds : seconds;
    text.remove_prefix(minuteAt + 2);
    return zone;
}

std::string twoDigitText(int value)
{
    return {char('0' + value / 10), char('0' + value % 10)};
}

std::optional<int> monthOf(std::string_view word)
{
    for (size_t i = 0; i < kMonths.size(); ++i) {
        if (word == kMonths[i])
            return int(i) + 1;
    }
    return std::nullopt;
}

std::string localText(std::string_view year, int month, int day, std::string_view clock)
{
    return std::string(year) + "-" + twoDigitText(month) + "-" + twoDigitText(day) + "T" +
           std::string(clock.substr(0, 8));
}

/// "Tue Oct 15 07:15:40 2024" inside of dmesg -T's brackets.
bool readCtime(std::string_view text, LogLine& line)
{
    const auto words = text::words(text);
    if (words.size() != 5)
        return false;
    const auto month = monthOf(words[1]);
    const auto day = text::number<int>(words[2]);
    if (!month || !day || *day < 1 || *day > 31 || words[3].size() < 8 || !isClock(words[3]) ||
        words[4].size() != 4 || !text::number<int>(words[4]))
        return false;
    line.localTime = localText(words[4], *month, *day, words[3]);
    return true;
}

/// "1234.567890" as microseconds.
std::optional<int64_t> readSeconds(std::string_view text)
{
    text = text::trimmed(text);
    const size_t dot = std::min(text.find('.'), text.size());
    const auto whole = text::number<int64_t>(text.substr(0, dot));
    if (!whole || *whole < 0 || *whole > 1'000'000'000'000)
        return std::nullopt;
    text.remove_prefix(dot);
    const int64_t fraction = takeFraction(text);
    return text.empty() ? std::optional(*whole * 1'000'000 + fraction) : std::nullopt;
}

/// "[ 1234.567890]", "[Tue Oct 15 07:15:40 2024]", "[  +0.000012]", or dmesg's caller "[ T77]".
bool takeBrackets(std::string_view& rest, LogLine& line)
{
    if (!rest.starts_with('['))
        return false;
    const size_t end = rest.find(']');
    if (end == std::string_view::npos || end > 64)
        return false;
    std::string_view inner = text::trimmed(rest.substr(1, end - 1));
    std::string_view iso = inner;
    if (const auto microseconds = readSeconds(inner))
        line.bootMicroseconds = microseconds;
    else if (!readCtime(inner, line) && !takeIsoTime(iso, line.at, line.localTime) &&
             !inner.starts_with('+') && !inner.starts_with('T') && !inner.starts_with('C'))
        return false;
    rest = text::trimmed(rest.substr(end + 1));
    return true;
}

/// "<4>": facility times 8 plus level.
void takePriority(std::string_view& rest, LogLine& line)
{
    const size_t end = rest.starts_with('<') ? rest.find('>') : std::string_view::npos;
    if (end == std::string_view::npos || end > 4)
        return;
    const auto priority = text::number<int>(rest.substr(1, end - 1));
    if (!priority)
        return;
    line.isKernel = line.isKernel && *priority / 8 == kKernelFacility;
    rest = text::trimmed(rest.substr(end + 1));
}

/// "4,2201,1234567892,-;message" of /dev/kmsg.
bool takeKmsg(std::string_view& rest, LogLine& line)
{
    const size_t end = rest.find(';');
    if (end == std::string_view::npos || end > 128 || rest.empty() || !text::isDigit(rest.front()))
        return false;
    const auto fields = text::split(rest.substr(0, end), ",");
    if (fields.size() < 4)
        return false;
    const auto priority = text::number<int>(fields[0]);
    const auto sequence = text::number<uint64_t>(fields[1]);
    const auto microseconds = text::number<int64_t>(fields[2]);
    if (!priority || !sequence || !microseconds)
        return false;
    line.isKernel = *priority / 8 == kKernelFacility;
    line.bootMicroseconds = microseconds;
    rest = rest.substr(end + 1);
    return true;
}

/// "kern  :warn  : " of dmesg -x.
void takeDecoded(std::string_view& rest, LogLine& line)
{
    constexpr std::array<std::string_view, 8> kFacilities{"kern", "user", "mail",   "daemon",
                                                          "auth", "news", "syslog", "lpr"};
    for (const std::string_view facility : kFacilities) {
        std::string_view after = rest;
        if (!text::takePrefix(after, facility))
            continue;
        after = text::trimmed(after);
        const size_t colon = after.find(':', 1);
        if (!after.starts_with(':') || colon == std::string_view::npos || colon > 12)
            return;
        line.isKernel = facility == "kern";
        rest = text::trimmed(after.substr(colon + 1));
        return;
    }
}

std::string_view takeWord(std::string_view& rest)
{
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest = text::trimmed(rest.substr(end));
    return word;
}

/// "host kernel: " of syslog. False, and nothing taken, if it is not there.
bool takeHostAndTag(std::string_view& rest, LogLine& line)
{
    std::string_view after = rest;
    const std::string_view host = takeWord(after);
    const std::string_view tag = takeWord(after);
    if (host.empty() || host.ends_with(':') || !tag.ends_with(':'))
        return false;
    const std::string_view program = tag.substr(0, tag.find_first_of("[:"));
    line.host = std::string(host);
    line.isKernel = line.isKernel && (program == "kernel" || program == "kern");
    rest = after;
    return true;
}

/// "Jan  1 10:00:02 " of syslog, also with a year or a fraction.
bool takeSyslogTime(std::string_view& rest, LogLine& line)
{
    std::string_view after = rest;
    const auto month = monthOf(takeWord(after));
    const auto day = month ? text::number<int>(takeWord(after)) : std::nullopt;
    if (!day || *day < 1 || *day > 31)
        return false;
    std::string_view clock = takeWord(after);
    std::string_view year = "-";
    if (clock.size() == 4 && text::number<int>(clock)) {
        year = clock;
        clock = takeWord(after);
    }
    if (clock.size() < 8 || !isClock(clock))
        return false;
    line.localTime = localText(year, *month, *day, clock);
    rest = after;
    return true;
}

bool takeUnixTime(std::string_view& rest, LogLine& line)
{
    std::string_view after = rest;
    const std::string_view word = takeWord(after);
    if (word.size() < 12 || word.find('.') == std::string_view::npos)
        return false;
    const auto microseconds = readSeconds(word);
    if (!microseconds || *microseconds > kMaxMicroseconds)
        return false;
    line.at = Time(std::chrono::microseconds(*microseconds));
    rest = after;
    return true;
}

void appendBytes(simdjson::dom::element element, std::string& bytes)
{
    std::string_view text;
    if (element.get(text) == simdjson::SUCCESS) {
        bytes = std::string(text);
        return;
    }
    // journald writes a message that is no UTF-8 as a list of bytes.
    simdjson::dom::array list;
    if (element.get(list) != simdjson::SUCCESS)
        return;
    for (const simdjson::dom::element item : list) {
        uint64_t byte = 0;
        if (item.get(byte) == simdjson::SUCCESS && byte < 256)
            bytes += char(byte);
    }
}

std::string_view textOf(simdjson::dom::object object, std::string_view key)
{
    std::string_view text;
    return object[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

bool readJournalJson(std::string_view json, LogLine& line)
{
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (parser.parse(simdjson::padded_string(json)).get(object) != simdjson::SUCCESS)
        return false;
    simdjson::dom::element message;
    if (object["MESSAGE"].get(message) == simdjson::SUCCESS)
        appendBytes(message, line.owned);
    line.host = std::string(textOf(object, "_HOSTNAME"));
    if (const auto time = text::number<int64_t>(textOf(object, "__REALTIME_TIMESTAMP"));
        time && *time > 0 && *time < kMaxMicroseconds)
        line.at = Time(std::chrono::microseconds(*time));
    line.bootMicroseconds = text::number<int64_t>(textOf(object, "_SOURCE_MONOTONIC_TIMESTAMP"));
    const std::string_view transport = textOf(object, "_TRANSPORT");
    const std::string_view program = textOf(object, "SYSLOG_IDENTIFIER");
    line.isKernel = transport.empty() ? program == "kernel" : transport == "kernel";
    line.message = line.owned;
    return true;
}

}  // namespace

bool takeIsoTime(std::string_view& text, std::optional<Time>& at, std::string& local)
{
    if (text.size() < 19 || text[4] != '-' || text[7] != '-' ||
        (text[10] != 'T' && text[10] != ' '))
        return false;
    const auto year = text::number<int>(text.substr(0, 4));
    const auto month = twoDigits(text, 5);
    const auto day = twoDigits(text, 8);
    const std::string_view clock = text.substr(11, 8);
    if (!year || *year < 1970 || *year > 2261 || !month || *month < 1 || *month > 12 || !day ||
        *day < 1 || *day > 31 || !isClock(clock))
        return false;
    const std::string written = localText(text.substr(0, 4), *month, *day, clock);
    const int64_t seconds = daysFromCivil(*year, *month, *day) * 86400 +
                            *twoDigits(clock, 0) * 3600 + *twoDigits(clock, 3) * 60 +
                            *twoDigits(clock, 6);
    text.remove_prefix(19);
    const int64_t microseconds = takeFraction(text);
    if (const auto zone = takeZone(text))
        at = Time(std::chrono::microseconds((seconds - *zone) * 1'000'000 + microseconds));
    else
        local = written;
    return true;
}

LogLine readLogLine(std::string_view line)
{
    LogLine result;
    std::string_view rest = text::trimmed(line);
    if (rest.starts_with('{') && readJournalJson(rest, result))
        return result;
    if (takeKmsg(rest, result)) {
        result.message = rest;
        return result;
    }
    takePriority(rest, result);
    takeDecoded(rest, result);
    std::string_view iso = rest;
    if (takeIsoTime(iso, result.at, result.localTime)) {
        rest = text::trimmed(iso);
        takeHostAndTag(rest, result);
    } else if (takeSyslogTime(rest, result) || takeUnixTime(rest, result)) {
        takeHostAndTag(rest, result);
    }
    while (takeBrackets(rest, result)) {
    }
    if (!rest.starts_with("NVRM:") && result.host.empty() && result.bootMicroseconds)
        takeHostAndTag(rest, result);  // journalctl -o short-monotonic
    result.message = rest;
    return result;
}

}  // namespace yard::telemetry
