#include "backend/telemetry/kernel_lines.h"

#include <algorithm>
#include <charconv>

#include "backend/base/text.h"
#include "backend/telemetry/gpu_page.h"
#include "backend/telemetry/log_prefix.h"

namespace yard::telemetry {
namespace {

using domain::FaultKind;

constexpr size_t kMaxBadKept = 1000;
constexpr size_t kMaxText = 4096;  // of one event
constexpr int kMaxCode = 10'000'000;

/// "0000:3b:00" of "PCI:0000:3b:00" or "0000:3b:00.0". Empty if it is no address.
std::string gpuAddress(std::string_view text)
{
    text::takePrefix(text, "PCI:");
    const std::string address = pciAddress(text);
    return address.substr(0, address.rfind('.'));
}

std::optional<int> readInt(std::string_view text)
{
    return text::number<int>(text::trimmed(text));
}

/// What stands up to the next ", ", taken off together with it.
std::string_view takePart(std::string_view& text)
{
    const size_t end = text.find(", ");
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
    return text::trimmed(part);
}

/// "Link 05", "on link 4(0x…": the number behind the last such word.
std::optional<int> linkIn(std::string_view text)
{
    for (const std::string_view word : {"Link ", "link "}) {
        const size_t at = text.find(word);
        if (at == std::string_view::npos)
            continue;
        std::string_view rest = text.substr(at + word.size());
        int link = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), link);
        if (error == std::errc())
            return link;
    }
    return std::nullopt;
}

std::string severityIn(std::string_view word)
{
    const std::string lower = text::lowerCase(word);
    if (lower == "fatal")
        return "fatal";
    return lower == "nonfatal" || lower == "non-fatal" ? "nonfatal" : "";
}

/// "from 0x0 (None) to 0x2 (Node Reboot Required)".
void readRecoveryAction(std::string_view text, KernelEvent& event)
{
    const size_t fromAt = text.find(" from 0x");
    const size_t toAt = text.find(" to 0x");
    if (fromAt == std::string_view::npos || toAt == std::string_view::npos || toAt < fromAt)
        return;
    const auto inParentheses = [](std::string_view part) {
        const size_t open = part.find('(');
        const size_t close = part.find(')', open == std::string_view::npos ? 0 : open);
        return open == std::string_view::npos || close == std::string_view::npos
                   ? std::string()
                   : std::string(part.substr(open + 1, close - open - 1));
    };
    event.actionFrom = inParentheses(text.substr(fromAt, toAt - fromAt));
    event.actionTo = inParentheses(text.substr(toAt));
    const std::string_view digits = text.substr(toAt + 6);
    int code = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), code, 16).ec == std::errc())
        event.actionCode = code;
}

/// "RLW_SRC_TRACK Nonfatal XC1 i0 Link 05 (…)".
void readNvlink(std::string_view text, KernelEvent& event)
{
    const auto words = text::words(text.substr(0, 256));
    if (words.size() > 1)
        event.severity = severityIn(words[1]);
    if (!event.severity.empty())
        event.unit = std::string(words[0]);
    event.link = linkIn(text);
}

void readDetails(KernelEvent& event)
{
    const std::string_view text = event.text;
    if (event.code == 154)
        readRecoveryAction(text, event);
    else if (event.code >= 144 && event.code <= 150)
        readNvlink(text, event);
    else if (event.code == 74)
        event.link = linkIn(text);
    if (event.code == 74 && text.find("fatal error") != std::string_view::npos)
        event.severity = text.find("non-fatal") == std::string_view::npos ? "fatal" : "nonfatal";
}

/// The address in parentheses and the number behind it; `rest` is what follows its comma.
bool readHead(std::string_view& rest, std::string_view& address, int& code, bool isWhole)
{
    const size_t close = rest.find("): ");
    if (close == std::string_view::npos)
        return false;
    address = rest.substr(0, close);
    rest.remove_prefix(close + 3);
    const size_t digits =
        size_t(std::find_if(rest.begin(), rest.end(), [](char c) { return !text::isDigit(c); }) -
               rest.begin());
    const auto number = text::number<int>(rest.substr(0, digits));
    rest.remove_prefix(digits);
    // Without a comma the number itself may have been cut.
    if (!number || *number <= 0 || *number > kMaxCode ||
        (rest.empty() ? !isWhole : rest.front() != ','))
        return false;
    code = *number;
    rest = rest.empty() ? rest : text::trimmed(rest.substr(1));
    return true;
}

std::string kept(std::string_view text)
{
    return std::string(text::trimmed(text.substr(0, kMaxText)));
}

class LinesReader {
public:
    explicit LinesReader(std::string_view text)
        : m_text(text)
    {
    }
    KernelRead run();

private:
    void readLine(std::string_view line);
    bool readXid(std::string_view rest, KernelEvent event);
    bool readSxid(std::string_view message, KernelEvent event);
    bool readLost(std::string_view rest, KernelEvent event);
    void noteBad();

    std::string_view m_text;
    uint32_t m_line = 0;
    bool m_isWhole = true;    ///< the line has an end
    std::string m_announced;  ///< address of "The NVIDIA GPU …", said to be lost two lines later
    KernelRead m_result;
};

KernelRead LinesReader::run()
{
    while (!m_text.empty()) {
        const size_t end = m_text.find('\n');
        m_isWhole = end != std::string_view::npos;
        ++m_line;
        readLine(m_text.substr(0, end));
        m_text.remove_prefix(m_isWhole ? end + 1 : m_text.size());
    }
    return std::move(m_result);
}

void LinesReader::readLine(std::string_view line)
{
    // Most lines of a log are about something else.
    if (line.find("NVRM") == std::string_view::npos &&
        line.find("SXid") == std::string_view::npos) {
        m_result.otherLines += text::trimmed(line).empty() ? 0 : 1;
        return;
    }
    const LogLine log = readLogLine(line);
    KernelEvent event;
    event.line = m_line;
    event.host = log.host;
    event.at = log.at;
    event.bootMicroseconds = log.bootMicroseconds;
    event.localTime = log.localTime;
    std::string_view message = log.message;
    if (!log.isKernel) {
        ++m_result.otherLines;
    } else if (text::takePrefix(message, "NVRM: Xid (")) {
        if (!readXid(message, std::move(event)))
            noteBad();
    } else if (message.starts_with("nvidia-nvswitch") &&
               message.find(": SXid (") != std::string_view::npos) {
        if (!readSxid(message, std::move(event)))
            noteBad();
    } else if (!text::takePrefix(message, "NVRM: ") || !readLost(message, std::move(event))) {
        ++m_result.otherLines;
    }
}

bool LinesReader::readXid(std::string_view rest, KernelEvent event)
{
    std::string_view address;
    if (!readHead(rest, address, event.code, m_isWhole))
        return false;
    event.pci = gpuAddress(address);
    if (event.pci.empty())
        return false;
    if (text::takePrefix(rest, "pid="))
        event.pid = readInt(takePart(rest));
    if (text::takePrefix(rest, "name=")) {
        const std::string_view name = takePart(rest);
        event.process =
            name == "<unknown>" || name == "'<unknown>'" ? "" : std::string(name.substr(0, 256));
    }
    event.text = kept(rest);
    readDetails(event);
    m_result.events.push_back(std::move(event));
    return true;
}

bool LinesReader::readSxid(std::string_view message, KernelEvent event)
{
    const size_t colon = message.find(": SXid (");
    event.kind = FaultKind::Sxid;
    event.device = std::string(message.substr(0, std::min<size_t>(colon, 64)));
    std::string_view rest = message.substr(colon + 8);
    std::string_view address;
    if (!readHead(rest, address, event.code, m_isWhole))
        return false;
    text::takePrefix(address, "PCI:");
    event.pci = pciAddress(address);
    if (event.pci.empty())
        return false;
    event.text = kept(rest);
    event.isContinuation = rest.starts_with("Severity ") || rest.starts_with("Data {");
    event.severity = severityIn(text::trimmed(rest.substr(0, rest.find(','))));
    event.link = linkIn(rest);
    m_result.events.push_back(std::move(event));
    return true;
}

/// The driver says that a card is gone in one line or in three, without a code.
bool LinesReader::readLost(std::string_view rest, KernelEvent event)
{
    event.kind = FaultKind::GpuLost;
    event.text = kept(rest);
    const bool isLost = rest.find("fallen off the bus") != std::string_view::npos;
    if (text::takePrefix(rest, "The NVIDIA GPU ")) {
        m_announced = gpuAddress(text::trimmed(rest.substr(0, rest.find(' '))));
        return false;
    }
    if (isLost && rest.starts_with("GPU ")) {
        rest.remove_prefix(4);
        text::takePrefix(rest, "at ");
        event.pci = gpuAddress(rest.substr(0, rest.find(": ")));
    } else if (isLost) {
        event.pci = m_announced;
    }
    if (!isLost || event.pci.empty())
        return false;
    m_announced.clear();
    m_result.events.push_back(std::move(event));
    return true;
}

void LinesReader::noteBad()
{
    if (m_result.badLines++ == 0)
        m_result.firstBad = "line " + std::to_string(m_line) +
                            ": an Xid without address or number. The line was skipped.";
    if (m_result.badLineNumbers.size() < kMaxBadKept)
        m_result.badLineNumbers.push_back(m_line);
}

}  // namespace

KernelRead readKernelLines(std::string_view text)
{
    return LinesReader(text).run();
}

}  // namespace yard::telemetry
