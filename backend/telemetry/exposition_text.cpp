#include "backend/telemetry/exposition_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "backend/base/text.h"

namespace yard::telemetry {
namespace {

constexpr size_t kMaxLabels = 256;  // of one sample
constexpr size_t kShownLength = 60;

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

bool isNameChar(char c)
{
    return isNameStart(c) || text::isDigit(c);
}

bool isSpace(char c)
{
    return c == ' ' || c == '\t';
}

/// Reads one line after the other. Text before `m_at` of the line has been consumed.
class Scanner {
public:
    explicit Scanner(std::string_view body)
        : m_body(body)
    {
        // A sample of dcgm-exporter is some 250 bytes; small ones are 60.
        m_result.samples.reserve(body.size() / 160 + 1);
        m_result.labelPool.reserve(body.size() / 60 + 1);
    }

    Exposition run();

private:
    void readLine(std::string_view line);
    void readCutLine(std::string_view line);
    void readComment(std::string_view line);
    /// Each returns false after noting what is wrong.
    bool readName(ExpositionSample& sample);
    bool readLabels(ExpositionSample& sample);
    bool readLabel();
    bool readQuoted(std::string_view& value);
    bool readValue(ExpositionSample& sample);
    bool readTimestamp(ExpositionSample& sample);

    bool fail(std::string_view what, std::string_view about = {});
    void skipSpace()
    {
        while (m_at != m_end && isSpace(*m_at))
            ++m_at;
    }
    std::string_view takeName()
    {
        const char* const start = m_at;
        if (m_at != m_end && isNameStart(*m_at)) {
            while (m_at != m_end && isNameChar(*m_at))
                ++m_at;
        }
        return {start, size_t(m_at - start)};
    }
    /// What stands up to the next blank.
    std::string_view takeWord()
    {
        const char* const start = m_at;
        while (m_at != m_end && !isSpace(*m_at))
            ++m_at;
        return {start, size_t(m_at - start)};
    }

    std::string_view m_body;
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    uint32_t m_line = 0;
    bool m_isMuted = false;  ///< while reading what is left of a cut line
    Exposition m_result;
};

Exposition Scanner::run()
{
    const char* at = m_body.data();
    const char* const end = at + m_body.size();
    while (at != end) {
        const auto* const newline =
            static_cast<const char*>(std::memchr(at, '\n', size_t(end - at)));
        ++m_line;
        if (newline == nullptr) {
            readCutLine({at, size_t(end - at)});
            break;
        }
        readLine({at, size_t(newline - at)});
        at = newline + 1;
    }
    return std::move(m_result);
}

void Scanner::readLine(std::string_view line)
{
    m_at = line.data();
    m_end = m_at + line.size();
    if (m_end != m_at && m_end[-1] == '\r')
        --m_end;
    skipSpace();
    if (m_at == m_end)
        return;
    if (*m_at == '#') {
        readComment({m_at, size_t(m_end - m_at)});
        return;
    }
    ExpositionSample sample;
    sample.line = m_line;
    sample.firstLabel = uint32_t(m_result.labelPool.size());
    if (readName(sample) && readLabels(sample) && readValue(sample) && readTimestamp(sample))
        m_result.samples.push_back(sample);
    else
        m_result.labelPool.resize(sample.firstLabel);
}

/// The number at the end may be the beginning of a longer one, so the line has no value.
void Scanner::readCutLine(std::string_view line)
{
    const std::string_view shown = text::trimmed(line);
    if (shown == "# EOF")  // OpenMetrics ends so, and some exporters forget the line end
        return;
    m_result.isComplete = false;
    m_isMuted = true;
    m_at = line.data();
    m_end = m_at + line.size();
    skipSpace();
    ExpositionSample sample;
    sample.line = m_line;
    sample.firstLabel = uint32_t(m_result.labelPool.size());
    sample.value = std::numeric_limits<double>::quiet_NaN();
    if (m_at == m_end || *m_at == '#' || !readName(sample))
        return;
    if (!readLabels(sample))
        sample.labelCount = uint32_t(m_result.labelPool.size() - sample.firstLabel);
    m_result.cutSample = sample;
}

/// `# HELP name text`; every other comment is for people.
void Scanner::readComment(std::string_view line)
{
    line = text::trimmed(line.substr(1));
    if (!text::takePrefix(line, "HELP") || line.empty() || !isSpace(line.front()))
        return;
    line = text::trimmed(line);
    const size_t length = std::min(line.find_first_of(" \t"), line.size());
    FamilyHelp help{line.substr(0, length), {}};
    line = text::trimmed(line.substr(length));
    for (size_t i = 0; i < line.size(); ++i) {
        const bool isEscape = line[i] == '\\' && i + 1 < line.size();
        if (isEscape && (line[i + 1] == 'n' || line[i + 1] == '\\'))
            help.text += line[++i] == 'n' ? '\n' : '\\';
        else
            help.text += line[i];
    }
    m_result.help.push_back(std::move(help));
}

bool Scanner::readName(ExpositionSample& sample)
{
    sample.name = takeName();
    if (sample.name.empty())
        return fail("no metric name at the start");
    if (m_at != m_end && *m_at != '{' && !isSpace(*m_at))
        return fail("a character that no metric name has, after", sample.name);
    return true;
}

bool Scanner::readLabels(ExpositionSample& sample)
{
    skipSpace();
    if (m_at == m_end || *m_at != '{')
        return true;
    ++m_at;
    for (;;) {
        skipSpace();
        if (m_at != m_end && *m_at == '}')
            break;
        if (!readLabel())
            return false;
        skipSpace();
        if (m_at != m_end && *m_at == ',')
            ++m_at;
        else if (m_at == m_end || *m_at != '}')
            return fail("the label list is not closed after", sample.name);
        if (m_result.labelPool.size() - sample.firstLabel > kMaxLabels)
            return fail("more than 256 labels after", sample.name);
    }
    ++m_at;
    sample.labelCount = uint32_t(m_result.labelPool.size() - sample.firstLabel);
    return true;
}

bool Scanner::readLabel()
{
    Label label;
    label.name = takeName();
    skipSpace();
    if (label.name.empty() || m_at == m_end || *m_at != '=')
        return fail("a label without name or value");
    ++m_at;
    skipSpace();
    if (m_at == m_end || *m_at != '"')
        return fail("a label value without quotes after", label.name);
    ++m_at;
    if (!readQuoted(label.value))
        return fail("a label value without an end after", label.name);
    m_result.labelPool.push_back(label);
    return true;
}

bool Scanner::readQuoted(std::string_view& value)
{
    const char* const start = m_at;
    const auto* quote = static_cast<const char*>(std::memchr(start, '"', size_t(m_end - start)));
    if (quote == nullptr)
        return false;
    if (std::memchr(start, '\\', size_t(quote - start)) == nullptr) {
        value = {start, size_t(quote - start)};
        m_at = quote + 1;
        return true;
    }
    std::string plain;
    for (; m_at != m_end && *m_at != '"'; ++m_at) {
        if (*m_at == '\\' && m_at + 1 != m_end) {
            ++m_at;
            if (*m_at != '\\' && *m_at != '"' && *m_at != 'n')
                plain += '\\';
            plain += *m_at == 'n' ? '\n' : *m_at;
        } else {
            plain += *m_at;
        }
    }
    if (m_at == m_end)
        return false;
    ++m_at;
    value = m_result.unescaped.emplace_back(std::move(plain));
    return true;
}

/// Independent of the locale: "41,5" is no number anywhere.
bool readNumber(std::string_view word, double& value)
{
    if (!word.empty() && word.size() <= 15 &&
        std::all_of(word.begin(), word.end(), text::isDigit)) {
        int64_t whole = 0;
        for (const char c : word)
            whole = whole * 10 + (c - '0');
        value = double(whole);
        return true;
    }
    const bool hasPlus = !word.empty() && word.front() == '+';
    if (hasPlus)
        word.remove_prefix(1);
    const char first =
        word.empty() ? '\0' : word[word.front() == '-' && !hasPlus && word.size() > 1];
    if (!text::isDigit(first) && first != '.') {
        const bool isNegative = word.starts_with('-') && !hasPlus;
        if (isNegative)
            word.remove_prefix(1);
        if (text::equalsIgnoringCase(word, "nan"))
            value = std::numeric_limits<double>::quiet_NaN();
        else if (text::equalsIgnoringCase(word, "inf") ||
                 text::equalsIgnoringCase(word, "infinity"))
            value = isNegative ? -std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::infinity();
        else
            return false;
        return true;
    }
    const char* const end = word.data() + word.size();
    const auto [rest, error] = std::from_chars(word.data(), end, value);
    return error == std::errc() && rest == end;
}

bool Scanner::readValue(ExpositionSample& sample)
{
    skipSpace();
    if (m_at == m_end)
        return fail("no value after", sample.name);
    const std::string_view word = takeWord();
    return readNumber(word, sample.value) || fail("the value is no number after", sample.name);
}

bool Scanner::readTimestamp(ExpositionSample& sample)
{
    skipSpace();
    if (m_at == m_end)
        return true;
    sample.timestampMs = text::number<int64_t>(takeWord());
    skipSpace();
    if (!sample.timestampMs)
        return fail("the time stamp is no whole number after", sample.name);
    return m_at == m_end || fail("text after the time stamp of", sample.name);
}

bool Scanner::fail(std::string_view what, std::string_view about)
{
    if (m_isMuted)
        return false;
    if (m_result.badLines++ < kMaxBadLinesKept) {
        std::string sentence(what);
        if (!about.empty())
            sentence += " " + text::validUtf8(about.substr(0, kShownLength));
        m_result.firstBad.push_back({m_line, std::move(sentence)});
    }
    return false;
}

/// An error page: prose where the first sample should be.
bool startsWithProse(std::string_view body)
{
    for (size_t start = 0; start < body.size();) {
        const size_t end = std::min(body.find('\n', start), body.size());
        const std::string_view line =
            text::trimmed(body.substr(start, std::min<size_t>(end - start, 4096)));
        start = end + 1;
        if (line.empty())
            continue;
        if (line.front() == '#')
            return false;
        if (line.front() == '<' || line.front() == '{')
            return true;
        const auto words = text::words(line);
        double value = 0;
        return line.find('{') == std::string_view::npos && words.size() > 2 &&
               !readNumber(words[1], value);
    }
    return false;
}

std::string quoted(std::string_view body)
{
    std::string_view line = text::trimmed(body.substr(0, 200));
    line = text::trimmed(line.substr(0, std::min<size_t>(line.find('\n'), 80)));
    std::string shown;
    for (const char c : text::validUtf8(line))
        shown += c >= 0 && c < ' ' ? '?' : c;
    return "\"" + shown + "\"";
}

}  // namespace

std::string_view Exposition::label(const ExpositionSample& sample, std::string_view name) const
{
    for (const Label& label : labels(sample)) {
        if (label.name == name)
            return label.value;
    }
    return {};
}

Exposition scanExposition(std::string_view body)
{
    return Scanner(body).run();
}

Status checkExposition(std::string_view body, const Exposition& exposition)
{
    if (text::trimmed(body).empty())
        return absl::InvalidArgumentError("Empty input: an exporter that works says something.");
    if (startsWithProse(body) || (exposition.samples.empty() && exposition.badLines > 0))
        return absl::InvalidArgumentError("The text is no exposition page. It starts with " +
                                          quoted(body) + ".");
    if (!exposition.isComplete)
        return absl::DataLossError(
            "Unexpected end of input: the last line has no end, so the page was cut off.");
    return absl::OkStatus();
}

StatusOr<Exposition> readExposition(std::string_view body)
{
    Exposition exposition = scanExposition(body);
    YARD_RETURN_IF_ERROR(checkExposition(body, exposition));
    return exposition;
}

std::string firstBadSentence(const Exposition& exposition)
{
    if (exposition.firstBad.empty())
        return {};
    const BadLine& bad = exposition.firstBad.front();
    return "line " + std::to_string(bad.line) + ": " + bad.what + ". The line was skipped.";
}

}  // namespace yard::telemetry
