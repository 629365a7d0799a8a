#include "backend/diagnosis/tail_watch.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "backend/base/text.h"
#include "backend/diagnosis/line_head.h"

namespace yard::diagnosis {
namespace {

constexpr size_t kHeadSize = 200;
constexpr size_t kMaxShapes = 400;
constexpr size_t kMaxOtherShapes = 8;  // more of them are work of another kind
constexpr uint32_t kMinBeats = 3;
constexpr double kDay = 86400;

/// The same for lines that differ in numbers only.
uint64_t shapeOf(std::string_view text)
{
    uint64_t shape = 14695981039346656037ULL;
    bool wasDigit = false;
    for (const char c : text) {
        const bool isDigit = text::isDigit(c);
        if (!isDigit || !wasDigit) {
            const auto byte = static_cast<unsigned char>(isDigit ? '0' : c);
            shape = (shape ^ byte) * 1099511628211ULL;
        }
        wasDigit = isDigit;
    }
    return shape;
}

/// "12:05" without seconds, standing alone.
std::optional<double> shortClockAt(std::string_view text, size_t at)
{
    const auto digit = [&text](size_t i) { return i < text.size() && text::isDigit(text[i]); };
    if (!digit(at) || !digit(at + 1) || at + 2 >= text.size() || text[at + 2] != ':' ||
        !digit(at + 3) || !digit(at + 4))
        return std::nullopt;
    if (at + 5 < text.size() &&
        std::string_view(" ])|,\tZ").find(text[at + 5]) == std::string_view::npos)
        return std::nullopt;
    const int hours = (text[at] - '0') * 10 + (text[at + 1] - '0');
    const int minutes = (text[at + 3] - '0') * 10 + (text[at + 4] - '0');
    if (hours > 23 || minutes > 59)
        return std::nullopt;
    return hours * 3600.0 + minutes * 60.0;
}

std::vector<double> numbersIn(std::string_view text)
{
    constexpr size_t kMaxNumbers = 48;
    std::vector<double> numbers;
    for (size_t i = 0; i < text.size() && numbers.size() < kMaxNumbers;) {
        if (!text::isDigit(text[i])) {
            ++i;
            continue;
        }
        double value = 0;
        for (; i < text.size() && text::isDigit(text[i]); ++i)
            value = value * 10 + (text[i] - '0');
        numbers.push_back(value);
    }
    return numbers;
}

/// Words of those who only look whether a job lives.
bool isOfWatcher(std::string_view text)
{
    constexpr std::array<std::string_view, 14> kWords{
        "heartbeat", "Heartbeat", "HEARTBEAT", "alive",    "keepalive", "probe",    "monitor",
        "watchdog",  "health",    "Health",    "gpu_util", "SM util",   "gpu util", "util "};
    return std::any_of(kWords.begin(), kWords.end(), [text](std::string_view word) {
        return text.find(word) != std::string_view::npos;
    });
}

/// Lines of one shape.
struct Series {
    Stamp first;
    Stamp last;
    uint32_t count = 0;
    bool isOfWatcher = false;
    std::vector<double> numbers;  ///< of the last
    std::vector<bool> isRising;   ///< in every line so far, number by number
};

double between(const Stamp& from, const Stamp& to)
{
    const double seconds = to.seconds - from.seconds;
    return !to.hasDate && seconds < 0 ? seconds + kDay : seconds;
}

/// How many numbers at the front belong to the time of the line.
size_t numbersOfTime(std::string_view text)
{
    const size_t found = text.find(':');
    if (found == std::string_view::npos)
        return 0;
    size_t end = found;
    while (end < text.size() &&
           (text::isDigit(text[end]) || text[end] == ':' || text[end] == '.' || text[end] == ','))
        ++end;
    return numbersIn(text.substr(0, end)).size();
}

bool countsUp(const Series& series)
{
    return std::find(series.isRising.begin(), series.isRising.end(), true) != series.isRising.end();
}

}  // namespace

std::optional<Stamp> stampOf(std::string_view text, uint64_t line)
{
    text = text.substr(0, kHeadSize);
    Stamp stamp{line, 0, false, false};
    LineHead head = readHead(text);
    for (size_t at = 1; at + 5 <= text.size() && !head.seconds; ++at) {
        const char before = text[at - 1];
        if (!text::isDigit(text[at]) || text::isDigit(before) || before == '.' || before == ':')
            continue;
        head = readHead(text.substr(at));
        if (!head.seconds && std::string_view(" [(=|\t").find(before) != std::string_view::npos)
            head.seconds = shortClockAt(text, at);
        stamp.isQuoted = true;
    }
    if (!head.seconds)
        return std::nullopt;
    stamp.seconds = *head.seconds;
    stamp.hasDate = head.hasDate;
    return stamp;
}

std::optional<Heartbeat> heartbeatIn(std::string_view tail, uint64_t firstLine, uint64_t lastStep)
{
    std::unordered_map<uint64_t, Series> all;
    std::vector<std::pair<uint64_t, uint64_t>> firstSeen;  // shape, line
    uint64_t line = firstLine;
    for (const std::string_view text : text::lines(tail)) {
        const uint64_t number = line++;
        if (number <= lastStep || text::trimmed(text).empty())
            continue;
        const uint64_t shape = shapeOf(text.substr(0, kHeadSize));
        auto [found, isNew] = all.try_emplace(shape);
        if (isNew)
            firstSeen.emplace_back(shape, number);
        if (all.size() > kMaxShapes)
            return std::nullopt;
        Series& series = found->second;
        const auto stamp = stampOf(text, number);
        if (!stamp)
            continue;
        std::vector<double> numbers = numbersIn(text.substr(0, kHeadSize));
        const size_t ofTime = std::min(numbersOfTime(text.substr(0, kHeadSize)), numbers.size());
        numbers.erase(numbers.begin(), numbers.begin() + std::ptrdiff_t(ofTime));
        if (series.count == 0) {
            series.first = *stamp;
            series.isOfWatcher = isOfWatcher(text.substr(0, kHeadSize));
            series.isRising.assign(numbers.size(), true);
        } else {
            for (size_t i = 0; i < series.isRising.size(); ++i)
                series.isRising[i] = series.isRising[i] && i < numbers.size() &&
                                     i < series.numbers.size() && numbers[i] > series.numbers[i];
        }
        series.numbers = std::move(numbers);
        series.last = *stamp;
        ++series.count;
    }
    const Series* best = nullptr;
    for (const auto& [shape, series] : all) {
        if (series.count < kMinBeats || (!series.isOfWatcher && countsUp(series)))
            continue;
        if (best == nullptr ||
            between(series.first, series.last) > between(best->first, best->last))
            best = &series;
    }
    if (best == nullptr)
        return std::nullopt;
    // Other lines between the beats are work of another kind: an evaluation, an upload.
    const auto others = std::count_if(firstSeen.begin(), firstSeen.end(), [best](const auto& seen) {
        return seen.second > best->first.line && seen.second < best->last.line;
    });
    if (size_t(others) > kMaxOtherShapes)
        return std::nullopt;
    return Heartbeat{best->first.line, between(best->first, best->last), best->count};
}

}  // namespace yard::diagnosis
