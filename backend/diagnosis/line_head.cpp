#include "backend/diagnosis/line_head.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "backend/base/text.h"

namespace yard::diagnosis {
namespace {

constexpr size_t kMaxHost = 64;
constexpr int kMaxPrefixes = 8;

bool isAlpha(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isHostChar(char c)
{
    return isAlpha(c) || text::isDigit(c) || c == '-' || c == '.' || c == '_';
}

/// Digits at the front, taken off; at most nine.
std::optional<int> takeInt(std::string_view& text)
{
    int value = 0;
    const size_t limit = std::min<size_t>(text.size(), 9);
    const auto [end, error] = std::from_chars(text.data(), text.data() + limit, value);
    if (error != std::errc() || end == text.data() || text.front() == '-')
        return std::nullopt;
    text.remove_prefix(size_t(end - text.data()));
    return value;
}

void skipOneBlank(std::string_view& text)
{
    if (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
}

/// Days since 1970 of a civil date.
int64_t daysFromCivil(int year, int month, int day)
{
    year -= month <= 2 ? 1 : 0;
    const int era = (year >= 0 ? year : year - 399) / 400;
    const int yearOfEra = year - era * 400;
    const int dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    const int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return int64_t(era) * 146097 + dayOfEra - 719468;
}

/// "10:15:32", "10:15:32,123", "10:15:32.123456".
std::optional<double> takeClock(std::string_view& text)
{
    std::string_view rest = text;
    const auto hours = takeInt(rest);
    if (!hours || *hours > 24 || !text::takePrefix(rest, ":"))
        return std::nullopt;
    const auto minutes = takeInt(rest);
    if (!minutes || *minutes > 59)
        return std::nullopt;
    double seconds = *hours * 3600.0 + *minutes * 60.0;
    if (text::takePrefix(rest, ":")) {
        const auto whole = takeInt(rest);
        if (!whole || *whole > 60)
            return std::nullopt;
        seconds += *whole;
        if (!rest.empty() && (rest.front() == '.' || rest.front() == ',')) {
            std::string_view digits = rest.substr(1);
            double scale = 0.1;
            size_t n = 0;
            for (; n < digits.size() && text::isDigit(digits[n]); ++n, scale /= 10)
                seconds += (digits[n] - '0') * scale;
            if (n > 0)
                rest = digits.substr(n);
        }
    } else {
        return std::nullopt;
    }
    text = rest;
    return seconds;
}

std::optional<int> takeMonthName(std::string_view& text)
{
    constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    for (size_t i = 0; i < kMonths.size(); ++i) {
        if (text::takePrefix(text, kMonths[i]))
            return int(i) + 1;
    }
    return std::nullopt;
}

struct Moment {
    double seconds = 0;
    bool hasDate = false;
};

void skipZone(std::string_view& text)
{
    if (text::takePrefix(text, "Z"))
        return;
    std::string_view rest = text;
    if (rest.size() >= 5 && (rest[0] == '+' || rest[0] == '-') && text::isDigit(rest[1]) &&
        text::isDigit(rest[2])) {
        rest.remove_prefix(3);
        text::takePrefix(rest, ":");
        if (rest.size() >= 2 && text::isDigit(rest[0]) && text::isDigit(rest[1]))
            text = rest.substr(2);
    }
}

/// Year, month and day in any of the usual orders, and the clock behind it.
std::optional<Moment> takeNumericTime(std::string_view& text)
{
    std::string_view rest = text;
    const size_t length = rest.size();
    const auto first = takeInt(rest);
    if (!first || rest.empty())
        return std::nullopt;
    const size_t digits = length - rest.size();
    const char separator = rest.front();
    if (separator == ':') {
        rest = text;
        const auto clock = takeClock(rest);
        if (!clock)
            return std::nullopt;
        text = rest;
        return Moment{*clock, false};
    }
    if (separator != '-' && separator != '/' && separator != '.')
        return std::nullopt;
    rest.remove_prefix(1);
    const auto second = takeInt(rest);
    if (!second)
        return std::nullopt;
    int year = 2000;
    int month = *first;
    int day = *second;
    if (!rest.empty() && rest.front() == separator) {
        rest.remove_prefix(1);
        const auto third = takeInt(rest);
        if (!third)
            return std::nullopt;
        if (digits == 4) {
            year = *first;
            month = *second;
            day = *third;
        } else {
            year = *third < 100 ? 2000 + *third : *third;
        }
    }
    if (month > 12)
        std::swap(month, day);
    if (month < 1 || month > 12 || day < 1 || day > 31 || rest.empty() ||
        (rest.front() != ' ' && rest.front() != 'T' && rest.front() != '_' && rest.front() != '-'))
        return std::nullopt;
    rest.remove_prefix(1);
    const auto clock = takeClock(rest);
    if (!clock)
        return std::nullopt;
    skipZone(rest);
    text = rest;
    return Moment{double(daysFromCivil(year, month, day)) * 86400 + *clock, true};
}

/// "Dec  6 18:01:10", "Fri Dec  6 17:58:02 2024".
std::optional<Moment> takeNamedTime(std::string_view& text)
{
    std::string_view rest = text;
    constexpr std::array<std::string_view, 7> kDays{"Mon ", "Tue ", "Wed ", "Thu ",
                                                    "Fri ", "Sat ", "Sun "};
    for (const std::string_view day : kDays) {
        if (text::takePrefix(rest, day))
            break;
    }
    const auto month = takeMonthName(rest);
    if (!month || rest.empty() || rest.front() != ' ')
        return std::nullopt;
    while (!rest.empty() && rest.front() == ' ')
        rest.remove_prefix(1);
    const auto day = takeInt(rest);
    if (!day || *day < 1 || *day > 31 || rest.empty() || rest.front() != ' ')
        return std::nullopt;
    rest.remove_prefix(1);
    const auto clock = takeClock(rest);
    if (!clock)
        return std::nullopt;
    int year = 2000;
    std::string_view behind = rest;
    skipOneBlank(behind);
    if (const auto number = takeInt(behind); number && *number > 1990 && *number < 2200) {
        year = *number;
        rest = behind;
    }
    text = rest;
    return Moment{double(daysFromCivil(year, *month, *day)) * 86400 + *clock, true};
}

/// glog and torch: "E0412 06:10:52.557000 159594 file.py:869] ", "E220 12:11:52.800 file.cpp:18] ".
std::optional<Moment> takeGlogTime(std::string_view& text, Level& level)
{
    if (text.size() < 8)
        return std::nullopt;
    const size_t letter = std::string_view("IWEF").find(text.front());
    if (letter == std::string_view::npos || !text::isDigit(text[1]))
        return std::nullopt;
    std::string_view rest = text.substr(1);
    const size_t before = rest.size();
    const auto date = takeInt(rest);
    const size_t digits = before - rest.size();
    if (!date || (digits != 4 && digits != 3) || rest.empty() || rest.front() != ' ')
        return std::nullopt;
    rest.remove_prefix(1);
    const auto clock = takeClock(rest);
    const int month = *date / 100;
    const int day = *date % 100;
    if (!clock || month < 1 || month > 12 || day < 1 || day > 31)
        return std::nullopt;
    constexpr std::array kLevels{Level::Info, Level::Warning, Level::Error, Level::Error};
    level = kLevels[letter];
    text = rest;
    return Moment{double(daysFromCivil(2000, month, day)) * 86400 + *clock, true};
}

std::optional<Moment> takeTime(std::string_view& text)
{
    if (text.empty())
        return std::nullopt;
    if (text::isDigit(text.front()))
        return takeNumericTime(text);
    return isAlpha(text.front()) ? takeNamedTime(text) : std::nullopt;
}

/// "worker.py:379", "socket.cpp:663".
bool isSourcePlace(std::string_view word)
{
    const size_t colon = word.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == word.size() ||
        !std::all_of(word.begin() + std::ptrdiff_t(colon) + 1, word.end(),
                     [](char c) { return text::isDigit(c); }))
        return false;
    const std::string_view file = word.substr(0, colon);
    return file.find(' ') == std::string_view::npos &&
           (file.ends_with(".py") || file.ends_with(".cpp") || file.ends_with(".cc"));
}

Level levelOf(std::string_view word)
{
    constexpr std::array<std::pair<std::string_view, Level>, 14> kWords{
        {{"DEBUG", Level::Debug},
         {"debug", Level::Debug},
         {"INFO", Level::Info},
         {"info", Level::Info},
         {"I", Level::Info},
         {"NOTICE", Level::Info},
         {"WARNING", Level::Warning},
         {"WARN", Level::Warning},
         {"warning", Level::Warning},
         {"warn", Level::Warning},
         {"ERROR", Level::Error},
         {"error", Level::Error},
         {"CRITICAL", Level::Error},
         {"FATAL", Level::Error}}};
    for (const auto& [name, level] : kWords) {
        if (word == name)
            return level;
    }
    return Level::None;
}

/// One line as it loses its prefixes.
class HeadReader {
public:
    explicit HeadReader(std::string_view line) { m_head.text = line; }
    LineHead run();

private:
    bool takeOne();
    bool takeBracket();
    bool takeMpi(std::string_view inside, std::string_view rest);
    bool takeRay();
    bool takeRankInParentheses();
    bool takeTask();
    bool takeRankWord();
    bool takeNccl();
    bool takeHost();
    bool takeReplica();
    bool takeStamp();
    bool takeLevel();
    bool takeStream();
    void noteTime(const Moment& moment);

    LineHead m_head;
};

void HeadReader::noteTime(const Moment& moment)
{
    if (m_head.seconds && m_head.hasDate)
        return;
    m_head.seconds = moment.seconds;
    m_head.hasDate = moment.hasDate;
}

/// "[1,13]<stderr>:" and "[1,13]<stderr> ".
bool HeadReader::takeMpi(std::string_view inside, std::string_view rest)
{
    const auto job = takeInt(inside);
    if (!job || !text::takePrefix(inside, ","))
        return false;
    const auto rank = takeInt(inside);
    if (!rank || !inside.empty())
        return false;
    if (!text::takePrefix(rest, "<stderr>") && !text::takePrefix(rest, "<stdout>") &&
        !text::takePrefix(rest, "<stddiag>"))
        return false;
    text::takePrefix(rest, ":");
    m_head.rank = rank;
    m_head.text = rest;
    return true;
}

bool HeadReader::takeBracket()
{
    if (m_head.text.empty() || m_head.text.front() != '[')
        return false;
    const size_t close = m_head.text.find(']');
    if (close == std::string_view::npos || close > 120)
        return false;
    std::string_view inside = m_head.text.substr(1, close - 1);
    std::string_view rest = m_head.text.substr(close + 1);
    if (takeMpi(inside, rest))
        return true;

    std::string_view word = inside;
    const bool isRank = text::takePrefix(word, "rank") || text::takePrefix(word, "Rank") ||
                        text::takePrefix(word, "process=");
    if (isRank) {
        if (!word.empty() && (word.front() == ' ' || word.front() == ':' || word.front() == '='))
            word.remove_prefix(1);
        skipOneBlank(word);
        const auto rank = takeInt(word);
        // "[rank 3/16] " tells the size of the world too.
        const bool isOfWorld = rank && text::takePrefix(word, "/") && takeInt(word);
        if (!rank || (!word.empty() && !isOfWorld))
            return false;
        m_head.rank = rank;
        text::takePrefix(rest, ":");
        skipOneBlank(rest);
        m_head.text = rest;
        return true;
    }
    // torchrun --tee: "[default3]:"; a local rank, of use only to tell streams apart.
    if (text::takePrefix(word, "default") || text::takePrefix(word, "trainer")) {
        const auto local = takeInt(word);
        if (!local || !word.empty() || !text::takePrefix(rest, ":"))
            return false;
        m_head.pid = local;
        m_head.text = rest;
        return true;
    }
    // "[pod/trainer-worker-3/pytorch] " and "[trainer-worker-3] ".
    if (text::takePrefix(word, "pod/")) {
        m_head.pod = word.substr(0, word.find('/'));
        skipOneBlank(rest);
        m_head.text = rest;
        return true;
    }
    if (const auto time = takeTime(word); time && text::trimmed(word).empty()) {
        noteTime(*time);
        skipOneBlank(rest);
        m_head.text = rest;
        return true;
    }
    // Since boot: "[8412203.118447] ".
    const std::string_view blankless = text::trimmed(inside);
    const size_t dot = blankless.find('.');
    if (dot != std::string_view::npos && blankless.size() - dot - 1 >= 3 &&
        std::all_of(blankless.begin(), blankless.end(),
                    [](char c) { return text::isDigit(c) || c == '.'; })) {
        m_head.isKernel = true;
        skipOneBlank(rest);
        m_head.text = rest;
        return true;
    }
    if (const Level level = levelOf(inside); level != Level::None) {
        m_head.level = level;
        text::takePrefix(rest, ":");
        skipOneBlank(rest);
        m_head.text = rest;
        return true;
    }
    // "[E1206 18:36:42.404 ProcessGroupNCCL.cpp:616] text": torch's own logger.
    Level level = Level::None;
    word = inside;
    if (const auto time = takeGlogTime(word, level)) {
        noteTime(*time);
        m_head.level = level;
        return false;  // the file name inside is part of the message
    }
    // "[W socket.cpp:663] text": the same before it told the time.
    if (inside.size() > 2 && inside[1] == ' ' && isSourcePlace(inside.substr(2))) {
        m_head.level = inside.front() == 'W'   ? Level::Warning
                       : inside.front() == 'I' ? Level::Info
                                               : Level::Error;
        return false;
    }
    // "ERROR 03-21 12:00:40 [worker.py:379] text": where the logger was called.
    if ((m_head.seconds || m_head.level != Level::None) && isSourcePlace(inside)) {
        skipOneBlank(rest);
        m_head.text = rest;
        return true;
    }
    // "[INFO|trainer.py:3305] 2024-04-12 06:11:21,118 >> text"
    const size_t bar = inside.find('|');
    if (bar != std::string_view::npos && levelOf(inside.substr(0, bar)) != Level::None) {
        m_head.level = levelOf(inside.substr(0, bar));
        word = inside.substr(bar + 1);
        if (const auto time = takeTime(word))
            noteTime(*time);
        skipOneBlank(rest);
        m_head.text = rest;
        return true;
    }
    // "[node07][rank 3] "
    if (m_head.host.empty() && looksLikeHost(inside) &&
        (rest.starts_with("[rank") || rest.starts_with("[Rank"))) {
        m_head.host = inside;
        m_head.text = rest;
        return true;
    }
    // "[node07:41231] ": Open MPI and UCX, host and process.
    if (const size_t colon = inside.find(':'); colon != std::string_view::npos &&
                                               m_head.host.empty() && rest.starts_with(" ") &&
                                               looksLikeHost(inside.substr(0, colon))) {
        std::string_view digits = inside.substr(colon + 1);
        const auto pid = takeInt(digits);
        if (pid && (digits.empty() || digits.starts_with(":"))) {
            m_head.host = inside.substr(0, colon);
            m_head.pid = pid;
            skipOneBlank(rest);
            m_head.text = rest;
            return true;
        }
    }
    // "[trainer-worker-3] ": a process by its own name.
    if (inside.find('-') != std::string_view::npos && rest.starts_with(" ") &&
        text::isDigit(inside.back()) && looksLikeHost(inside) && m_head.pod.empty()) {
        m_head.pod = inside;
        skipOneBlank(rest);
        m_head.text = rest;
        return true;
    }
    // "[kernel node07] ", "[dmesg@node07] ", "[host node07] ": who speaks, and on which machine.
    const size_t gap = inside.find_first_of(" @:=/");
    if (gap != std::string_view::npos && m_head.host.empty()) {
        const std::string_view what = inside.substr(0, gap);
        const std::string_view where = inside.substr(gap + 1);
        const bool isOfKernel = what == "kernel" || what == "dmesg" || what == "syslog";
        if ((isOfKernel || what == "host" || what == "node" || what == "Node" || what == "Host") &&
            looksLikeHost(where)) {
            m_head.host = where;
            m_head.isKernel = m_head.isKernel || isOfKernel;
            skipOneBlank(rest);
            m_head.text = rest;
            return true;
        }
    }
    // "[healthd] ", "[monitor] ": somebody's name before a time.
    std::string_view behind = rest;
    skipOneBlank(behind);
    if (!inside.empty() && std::all_of(inside.begin(), inside.end(), isHostChar)) {
        std::string_view probe = behind;
        if (takeTime(probe)) {
            m_head.text = behind;
            return true;
        }
    }
    return false;
}

/// "(RayTrainWorker pid=1234, ip=10.0.0.3) text".
bool HeadReader::takeRay()
{
    if (m_head.text.empty() || m_head.text.front() != '(')
        return false;
    const size_t close = m_head.text.find(')');
    if (close == std::string_view::npos || close > 200)
        return false;
    std::string_view inside = m_head.text.substr(1, close - 1);
    const size_t pid = inside.find("pid=");
    const size_t ip = inside.find("ip=");
    if (pid == std::string_view::npos && ip == std::string_view::npos)
        return false;
    if (pid != std::string_view::npos) {
        std::string_view digits = inside.substr(pid + 4);
        m_head.pid = takeInt(digits);
    }
    if (ip != std::string_view::npos) {
        const std::string_view address = inside.substr(ip + 3);
        m_head.host = address.substr(0, address.find(','));
    }
    // vLLM's workers name their rank too.
    const size_t rank = inside.find("rank=");
    if (rank != std::string_view::npos && !m_head.rank) {
        std::string_view digits = inside.substr(rank + 5);
        m_head.rank = takeInt(digits);
    }
    std::string_view rest = m_head.text.substr(close + 1);
    skipOneBlank(rest);
    m_head.text = rest;
    return true;
}

/// "(rank=5) text"
bool HeadReader::takeRankInParentheses()
{
    std::string_view rest = m_head.text;
    if (m_head.rank || !text::takePrefix(rest, "(rank"))
        return false;
    if (!text::takePrefix(rest, "="))
        skipOneBlank(rest);
    const auto rank = takeInt(rest);
    if (!rank || !text::takePrefix(rest, ") "))
        return false;
    m_head.rank = rank;
    m_head.text = rest;
    return true;
}

/// srun -l: "12: text"; with many tasks padded, "  7: text".
bool HeadReader::takeTask()
{
    std::string_view rest = m_head.text;
    size_t blanks = 0;
    while (blanks < 4 && blanks < rest.size() && rest[blanks] == ' ')
        ++blanks;
    rest.remove_prefix(blanks);
    if (m_head.task || m_head.rank)
        return false;
    const size_t before = rest.size();
    const auto task = takeInt(rest);
    if (!task || before - rest.size() > 5 || !text::takePrefix(rest, ":") ||
        (!rest.empty() && rest.front() != ' ' && rest.front() != '['))
        return false;
    m_head.task = task;
    skipOneBlank(rest);
    m_head.text = rest;
    return true;
}

/// "rank3: text", "Rank 3: text", "rank=3 text".
bool HeadReader::takeRankWord()
{
    std::string_view rest = m_head.text;
    if (m_head.rank || (!text::takePrefix(rest, "rank") && !text::takePrefix(rest, "Rank")))
        return false;
    if (!rest.empty() && (rest.front() == ' ' || rest.front() == '=' || rest.front() == ':'))
        rest.remove_prefix(1);
    const auto rank = takeInt(rest);
    // Composer: "rank0[411][MainThread]: text".
    if (rank && rest.starts_with("[")) {
        const size_t end = rest.find("]: ");
        if (end != std::string_view::npos && end < 40)
            rest.remove_prefix(end + 1);
    }
    if (!rank || !text::takePrefix(rest, ": "))
        return false;
    m_head.rank = rank;
    m_head.text = rest;
    return true;
}

/// "host:pid:thread [gpu] text".
bool HeadReader::takeNccl()
{
    std::string_view rest = m_head.text;
    const size_t colon = rest.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon > kMaxHost ||
        !std::all_of(rest.begin(), rest.begin() + std::ptrdiff_t(colon), isHostChar))
        return false;
    const std::string_view host = rest.substr(0, colon);
    rest.remove_prefix(colon + 1);
    const auto pid = takeInt(rest);
    if (!pid || !text::takePrefix(rest, ":") || !takeInt(rest) || !text::takePrefix(rest, " ["))
        return false;
    const auto gpu = takeInt(rest);
    if (!gpu || !text::takePrefix(rest, "]"))
        return false;
    skipOneBlank(rest);
    m_head.host = host;
    m_head.pid = pid;
    m_head.gpu = gpu;
    m_head.text = rest;
    return true;
}

/// pdsh, Slurm's epilogs and many scripts: "node07: text"; docker compose: "worker-1  | text".
bool HeadReader::takeHost()
{
    std::string_view rest = m_head.text;
    const size_t length =
        size_t(std::find_if_not(rest.begin(),
                                rest.begin() + std::ptrdiff_t(std::min(rest.size(), kMaxHost)),
                                isHostChar) -
               rest.begin());
    const std::string_view word = rest.substr(0, length);
    rest.remove_prefix(length);
    if (!m_head.host.empty() || word.empty())
        return false;
    // The driver's own lines tell even names without digits from words.
    const bool isOfDriver = rest.starts_with(" kernel: NVRM") || rest.starts_with(" kernel: mlx") ||
                            rest.starts_with(" kernel: nvidia");
    if (!looksLikeHost(word) && !isOfDriver)
        return false;
    if (rest.starts_with(": ") || rest == ":") {
        rest.remove_prefix(1);
    } else if (rest.starts_with(" kernel: ")) {
        m_head.isKernel = true;
        rest.remove_prefix(std::string_view(" kernel:").size());
    } else if (rest.starts_with(" [rank") && word.find('-') != std::string_view::npos) {
        rest.remove_prefix(1);
    } else {
        const size_t bar = rest.find_first_not_of(' ');
        if (bar == std::string_view::npos || bar > 40 || !rest.substr(bar).starts_with("| "))
            return false;
        rest.remove_prefix(bar + 1);
        // "R6 | text" is a rank.
        std::string_view digits = word;
        if (!m_head.rank && text::takePrefix(digits, "R")) {
            const auto rank = takeInt(digits);
            if (rank && digits.empty()) {
                m_head.rank = rank;
                skipOneBlank(rest);
                m_head.text = rest;
                return true;
            }
        }
    }
    m_head.host = word;
    skipOneBlank(rest);
    m_head.text = rest;
    return true;
}

/// stern: "run7-worker-3 pytorch text", the pod of a replica and its container.
bool HeadReader::takeReplica()
{
    std::string_view rest = m_head.text;
    const size_t blank = rest.find(' ');
    if (blank == std::string_view::npos || blank > kMaxHost || !m_head.pod.empty())
        return false;
    const std::string_view pod = rest.substr(0, blank);
    constexpr std::array<std::string_view, 6> kReplicas{"-worker-", "-master-", "-launcher-",
                                                        "-chief-",  "-ps-",     "-replica-"};
    const bool isReplica = std::any_of(
        kReplicas.begin(), kReplicas.end(),
        [pod](std::string_view kind) { return pod.find(kind) != std::string_view::npos; });
    if (!isReplica || !looksLikeHost(pod))
        return false;
    rest.remove_prefix(blank + 1);
    const size_t end = rest.find(' ');
    if (end == std::string_view::npos || end < 2)
        return false;
    const std::string_view container = rest.substr(0, end);
    // A sentence about the pod is no prefix of it.
    constexpr std::array<std::string_view, 16> kVerbs{
        "is",     "was",  "has",  "had",    "did",    "failed",     "lost",    "died",
        "exited", "went", "does", "cannot", "killed", "terminated", "evicted", "stopped"};
    if (!std::all_of(container.begin(), container.end(),
                     [](char c) { return isHostChar(c) && (c < 'A' || c > 'Z'); }) ||
        std::find(kVerbs.begin(), kVerbs.end(), container) != kVerbs.end())
        return false;
    m_head.pod = pod;
    m_head.text = rest.substr(end + 1);
    return true;
}

bool HeadReader::takeStamp()
{
    std::string_view rest = m_head.text;
    // "W socket.cpp:697] text": torch's logger without a time.
    const size_t end = rest.find("] ");
    if (end != std::string_view::npos && end < 80 && rest[1] == ' ' && end > 2 &&
        std::string_view("IWEF").find(rest.front()) != std::string_view::npos &&
        isSourcePlace(rest.substr(2, end - 2))) {
        m_head.level = rest.front() == 'W'   ? Level::Warning
                       : rest.front() == 'I' ? Level::Info
                                             : Level::Error;
        m_head.text = rest.substr(end + 2);
        return true;
    }
    Level level = Level::None;
    if (const auto time = takeGlogTime(rest, level)) {
        noteTime(*time);
        m_head.level = level;
        // "159594 torch/distributed/run.py:792] " ends it.
        const size_t close = rest.find("] ");
        if (close != std::string_view::npos && close < 160)
            m_head.text = rest.substr(close + 2);
        else
            m_head.text = rest;
        return true;
    }
    const auto time = takeTime(rest);
    if (!time)
        return false;
    noteTime(*time);
    // Separators of loggers: " - ", " | ", " >> ", ": ".
    for (const std::string_view mark : {" - ", " | ", " >> ", ": ", " ", "\t"}) {
        if (text::takePrefix(rest, mark))
            break;
    }
    // syslog and journald name the host and who speaks.
    const size_t blank = rest.find(' ');
    if (blank != std::string_view::npos && blank <= kMaxHost) {
        const std::string_view word = rest.substr(0, blank);
        const std::string_view behind = rest.substr(blank + 1);
        const size_t colon = behind.find(": ");
        const bool isKernel = behind.starts_with("kernel:");
        if (std::all_of(word.begin(), word.end(), isHostChar) && colon != std::string_view::npos &&
            (isKernel || (colon < 40 && looksLikeHost(word) &&
                          behind.substr(0, colon).find(' ') == std::string_view::npos))) {
            m_head.host = word;
            m_head.isKernel = isKernel;
            rest = behind.substr(colon + 2);
        }
    }
    if (text::takePrefix(rest, "kernel: "))
        m_head.isKernel = true;
    m_head.text = rest;
    return true;
}

bool HeadReader::takeLevel()
{
    std::string_view rest = m_head.text;
    const size_t end = rest.find_first_of(" :\t|");
    if (end == std::string_view::npos || end == 0 || end > 8)
        return false;
    const std::string_view word = rest.substr(0, end);
    const Level level = levelOf(word);
    // "Error: ..." may be the message itself, so only the words of loggers count.
    if (level == Level::None || word == "error" || word == "warning" || word == "info" ||
        word == "I")
        return false;
    m_head.level = level;
    rest.remove_prefix(end);
    for (const std::string_view mark : {" - ", " | ", ": ", ":", " ", "\t"}) {
        if (text::takePrefix(rest, mark))
            break;
    }
    m_head.text = rest;
    return true;
}

/// Container runtimes: "stderr F text" behind the time.
bool HeadReader::takeStream()
{
    std::string_view rest = m_head.text;
    if ((!text::takePrefix(rest, "stderr ") && !text::takePrefix(rest, "stdout ")) ||
        (!text::takePrefix(rest, "F ") && !text::takePrefix(rest, "P ")))
        return false;
    m_head.text = rest;
    return true;
}

bool HeadReader::takeOne()
{
    return takeBracket() || takeRay() || takeRankInParentheses() || takeTask() || takeRankWord() ||
           takeStamp() || takeNccl() || takeStream() || takeLevel() || takeHost() || takeReplica();
}

LineHead HeadReader::run()
{
    for (int i = 0; i < kMaxPrefixes && !m_head.text.empty(); ++i) {
        if (!takeOne())
            break;
    }
    if (text::takePrefix(m_head.text, "kernel: "))
        m_head.isKernel = true;
    return m_head;
}

}  // namespace

bool looksLikeHost(std::string_view word)
{
    if (word.size() < 2 || word.size() > kMaxHost || !(isAlpha(word[0]) || text::isDigit(word[0])))
        return false;
    const bool isDate = word.size() >= 10 && word[4] == '-' && word[7] == '-' &&
                        text::isDigit(word[0]) && text::isDigit(word[3]) &&
                        text::isDigit(word[5]) && text::isDigit(word[8]);
    if (isDate)
        return false;
    const std::string_view name = shortHost(word);
    if (std::none_of(name.begin(), name.end(), isAlpha) && name.size() != word.size())
        return false;
    const bool hasDigit = std::any_of(word.begin(), word.end(), text::isDigit);
    const bool hasLetter = std::any_of(word.begin(), word.end(), isAlpha);
    const bool isAddress = !hasLetter && std::count(word.begin(), word.end(), '.') == 3;
    if (isAddress)
        return true;
    if (!hasDigit || !hasLetter)
        return false;
    // Names of files, classes and versions are no machines.
    for (const std::string_view end : {".py", ".cpp", ".cc", ".sh", ".cu", ".json", ".yaml", ".so",
                                       ".pt", ".bin", ".h", ".log", ".txt"}) {
        if (word.ends_with(end))
            return false;
    }
    return word.find("rror") == std::string_view::npos &&
           word.find("xception") == std::string_view::npos && !word.starts_with("rank") &&
           !word.starts_with("lib") && !word.starts_with("cuda") && !word.starts_with("step") &&
           !word.starts_with("epoch") && !word.starts_with("mlx5") &&
           !word.starts_with("nvidia-") && !word.starts_with("module") && !word.starts_with("fp") &&
           !word.starts_with("bf16") && !word.starts_with("iter") && !word.starts_with("GPU") &&
           word.find('_') == std::string_view::npos;
}

std::string_view shortHost(std::string_view host)
{
    const bool isAddress = std::all_of(
        host.begin(), host.end(), [](char c) { return text::isDigit(c) || c == '.' || c == ':'; });
    return isAddress ? host : host.substr(0, host.find('.'));
}

LineHead readHead(std::string_view line)
{
    return HeadReader(line).run();
}

void removeColours(std::string& text)
{
    size_t out = text.find('\x1b');
    if (out == std::string::npos)
        return;
    for (size_t in = out; in < text.size();) {
        if (text[in] != '\x1b') {
            text[out++] = text[in++];
            continue;
        }
        ++in;
        if (in < text.size() && text[in] == '[') {
            ++in;
            while (in < text.size() && (text[in] < '@' || text[in] > '~') && text[in] != '\n')
                ++in;
            in += in < text.size() && text[in] != '\n' ? 1 : 0;
        } else if (in < text.size() && text[in] == ']') {
            // Titles and links end in BEL or ESC backslash.
            while (in < text.size() && text[in] != '\a' && text[in] != '\x1b' && text[in] != '\n')
                ++in;
            in += in < text.size() && text[in] == '\a' ? 1 : 0;
            if (in + 1 < text.size() && text[in] == '\x1b' && text[in + 1] == '\\')
                in += 2;
        } else if (in < text.size() && text[in] != '\n') {
            ++in;
        }
    }
    text.resize(out);
}

}  // namespace yard::diagnosis
