#include "backend/diagnosis/template_miner.h"

#include <algorithm>
#include <array>

#include "backend/base/text.h"

namespace yard::diagnosis {
namespace {

constexpr size_t kMaxTemplates = 8192;
constexpr size_t kSlots = 1 << 16;
constexpr size_t kMaxTokens = 48;
constexpr size_t kMaxLine = 2048;  // what stands behind says little about the form
constexpr double kAlike = 0.6;     // of the words
constexpr uint64_t kRoutineCount = 32;
constexpr std::string_view kAny = "<*>";

/// What a byte adds to the shape of a line.
enum class ByteKind : uint8_t { Plain, Digit, Wide, Blank };

constexpr std::array<ByteKind, 256> byteKinds()
{
    std::array<ByteKind, 256> kinds{};
    for (size_t i = 0; i < kinds.size(); ++i) {
        kinds[i] = i >= '0' && i <= '9'                             ? ByteKind::Digit
                   : i >= 0x80                                      ? ByteKind::Wide
                   : i == ' ' || i == '\t' || i == '\r' || i == '=' ? ByteKind::Blank
                                                                    : ByteKind::Plain;
    }
    return kinds;
}
constexpr std::array<ByteKind, 256> kKinds = byteKinds();

bool isHexDigit(char c)
{
    return text::isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// A number for the line without its numbers, progress bars and widths of blanks.
uint64_t shapeOf(std::string_view line)
{
    uint64_t shape = 0x9ae16a3b2f90404fULL;
    ByteKind last = ByteKind::Plain;
    for (const char c : line) {
        const ByteKind kind = kKinds[static_cast<unsigned char>(c)];
        if (kind == ByteKind::Plain) {
            shape = (shape ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        } else if (kind != last) {
            shape = (shape ^ (0x101 + uint64_t(kind))) * 0x100000001b3ULL;
        }
        last = kind;
    }
    return shape ^ (shape >> 29);
}

bool isVariable(std::string_view token)
{
    bool hasDigit = false;
    bool isHex = token.size() >= 8;
    for (const char c : token) {
        if (static_cast<unsigned char>(c) >= 0x80)
            return true;  // bars, words of other languages: no word to group by
        hasDigit = hasDigit || text::isDigit(c);
        isHex = isHex && isHexDigit(c);
    }
    return hasDigit || isHex;
}

std::vector<std::string> tokensOf(std::string_view line)
{
    std::vector<std::string> tokens;
    size_t at = 0;
    while (at < line.size() && tokens.size() < kMaxTokens) {
        at = line.find_first_not_of(" \t\r=", at);
        if (at == std::string_view::npos)
            break;
        const size_t end = std::min(line.find_first_of(" \t\r=", at), line.size());
        const std::string_view token = line.substr(at, end - at);
        tokens.emplace_back(isVariable(token) ? kAny : token);
        at = end;
    }
    return tokens;
}

/// The share of words at their places that are the same.
double likeness(const std::vector<std::string>& a, const std::vector<std::string>& b)
{
    if (a.empty())
        return 1;
    size_t same = 0;
    for (size_t i = 0; i < a.size(); ++i)
        same += a[i] == b[i] ? 1 : 0;
    return double(same) / double(a.size());
}

uint64_t groupOf(const std::vector<std::string>& tokens)
{
    const size_t first = tokens.empty() ? 0 : std::hash<std::string>()(tokens.front());
    return first * 31 + tokens.size();
}

char lowered(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c + 32) : c;
}

bool containsIgnoringCase(std::string_view text, std::string_view word)
{
    const auto found = std::search(text.begin(), text.end(), word.begin(), word.end(),
                                   [](char a, char b) { return lowered(a) == b; });
    return found != text.end();
}

}  // namespace

bool hasTroubleWord(std::string_view line)
{
    for (const std::string_view word :
         {"error", "fail", "exception", "traceback", "fatal", "abort", "kill", "panic", "timeout",
          "timed out", "refused", "denied", "corrupt", "segmentation", "xid", "uncorrectable"}) {
        if (containsIgnoringCase(line, word))
            return true;
    }
    return false;
}

std::string LineTemplate::text() const
{
    std::string all;
    for (const std::string& token : tokens) {
        if (!all.empty())
            all += ' ';
        all += token;
    }
    return all;
}

TemplateMiner::TemplateMiner()
    : m_known(kSlots)
{
}

const LineTemplate& TemplateMiner::add(std::string_view line)
{
    ++m_lines;
    line = line.substr(0, kMaxLine);
    const uint64_t shape = shapeOf(line);
    Slot& slot = m_known[shape % kSlots];
    if (slot.shape != shape) {
        const uint32_t place = placeOf(line);
        slot = {shape, place};
    }
    LineTemplate& found = m_templates[slot.place];
    ++found.count;
    found.lastLine = m_lines;
    found.isRoutine = found.isRoutine || (found.count >= kRoutineCount && !found.isTrouble);
    return found;
}

uint32_t TemplateMiner::placeOf(std::string_view line)
{
    std::vector<std::string> tokens = tokensOf(line);
    const uint64_t group = groupOf(tokens);
    for (const uint32_t place : m_groups[group]) {
        LineTemplate& known = m_templates[place];
        if (known.tokens.size() != tokens.size() || likeness(known.tokens, tokens) < kAlike)
            continue;
        for (size_t i = 0; i < tokens.size(); ++i) {
            if (known.tokens[i] != tokens[i])
                known.tokens[i] = kAny;
        }
        return place;
    }
    return create(std::move(tokens), line, group);
}

uint32_t TemplateMiner::create(std::vector<std::string> tokens, std::string_view line,
                               uint64_t group)
{
    if (m_templates.size() >= kMaxTemplates)
        giveUpTheRarest();
    LineTemplate& made = m_templates.emplace_back();
    made.tokens = std::move(tokens);
    made.firstLine = m_lines;
    made.isTrouble = hasTroubleWord(line);
    m_groups[group].push_back(uint32_t(m_templates.size() - 1));
    return uint32_t(m_templates.size() - 1);
}

/// Half of the room is made free; what shows trouble stays longest.
void TemplateMiner::giveUpTheRarest()
{
    std::stable_sort(m_templates.begin(), m_templates.end(),
                     [](const LineTemplate& a, const LineTemplate& b) {
                         return a.isTrouble != b.isTrouble ? a.isTrouble : a.count > b.count;
                     });
    for (size_t i = kMaxTemplates / 2; i < m_templates.size(); ++i)
        m_givenUp += m_templates[i].count;
    m_templates.resize(kMaxTemplates / 2);
    m_groups.clear();
    for (uint32_t place = 0; place < m_templates.size(); ++place)
        m_groups[groupOf(m_templates[place].tokens)].push_back(place);
    std::fill(m_known.begin(), m_known.end(), Slot());
}

}  // namespace yard::diagnosis
