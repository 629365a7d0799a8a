#include "backend/domain/hostlist.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace yard::domain {
namespace {

constexpr size_t kMaxNameLength = 255;
constexpr size_t kMaxDigits = 18;
/// Names made in all, over every operand: an expression may shrink again after it has grown.
constexpr size_t kMaxWork = 2 * kMaxHosts;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isOperator(char c)
{
    return c == ',' || c == '!' || c == '&';
}

std::string padded(uint64_t value, size_t width)
{
    std::string text = std::to_string(value);
    return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

Status bad(std::string_view expression, size_t position, std::string_view what)
{
    const size_t from = position > 20 ? position - 20 : 0;
    std::string near;
    for (const char c : expression.substr(std::min(from, expression.size()), 40))
        near += c < ' ' || c > '~' ? '?' : c;
    return absl::InvalidArgumentError("Hostlist, position " + std::to_string(position + 1) + ": " +
                                      std::string(what) + " (near \"" + near + "\").");
}

/// Reads one operand of an expression: text and brackets, up to an operator outside of brackets.
class OperandReader {
public:
    OperandReader(std::string_view expression, size_t& position, size_t& work)
        : m_expression(expression)
        , m_position(position)
        , m_work(work)
    {
    }

    StatusOr<std::vector<std::string>> read();

private:
    bool atEnd() const { return m_position >= m_expression.size(); }
    Status fail(std::string_view what) const { return bad(m_expression, m_position, what); }
    Status appendText();
    Status appendBrackets();
    Status readRange(std::vector<std::string>& numbers);
    StatusOr<std::string_view> readNumber();

    std::string_view m_expression;
    size_t& m_position;
    size_t& m_work;
    std::vector<std::string> m_names{std::string()};
};

StatusOr<std::vector<std::string>> OperandReader::read()
{
    bool isEmpty = true;
    while (!atEnd() && !isOperator(m_expression[m_position]) &&
           !isBlank(m_expression[m_position])) {
        isEmpty = false;
        if (m_expression[m_position] == '[')
            YARD_RETURN_IF_ERROR(appendBrackets());
        else
            YARD_RETURN_IF_ERROR(appendText());
    }
    if (isEmpty)
        return fail("a name is missing here");
    if (m_names.front().size() > kMaxNameLength)
        return fail("a name is longer than 255 characters");
    return std::move(m_names);
}

Status OperandReader::appendText()
{
    const size_t start = m_position;
    while (!atEnd() && !isOperator(m_expression[m_position]) &&
           !isBlank(m_expression[m_position]) && m_expression[m_position] != '[') {
        const char c = m_expression[m_position];
        if (c == ']' || c == '(' || c == ')' || c == '"' || static_cast<unsigned char>(c) < ' ' ||
            c == 0x7f)
            return fail("a character that no node name has");
        if (++m_position - start > kMaxNameLength)
            return fail("a name is longer than 255 characters");
    }
    const std::string_view text = m_expression.substr(start, m_position - start);
    for (std::string& name : m_names)
        name += text;
    return m_names.front().size() > kMaxNameLength ? fail("a name is longer than 255 characters")
                                                   : absl::OkStatus();
}

Status OperandReader::appendBrackets()
{
    ++m_position;
    std::vector<std::string> numbers;
    for (;;) {
        YARD_RETURN_IF_ERROR(readRange(numbers));
        if (atEnd())
            return fail("a bracket is not closed");
        const char c = m_expression[m_position++];
        if (c == ']')
            break;
        if (c != ',')
            return fail("expected \",\" or \"]\" after a number (steps are not taken)");
    }
    if (numbers.size() > kMaxHosts / m_names.size())
        return fail("more than 200000 names");
    m_work += numbers.size() * m_names.size();
    if (m_work > kMaxWork)
        return fail("the expression makes too many names");
    if (m_names.front().size() + numbers.front().size() > kMaxNameLength)
        return fail("a name is longer than 255 characters");
    std::vector<std::string> product;
    product.reserve(numbers.size() * m_names.size());
    for (const std::string& name : m_names) {
        for (const std::string& number : numbers)
            product.push_back(name + number);
    }
    m_names = std::move(product);
    return absl::OkStatus();
}

Status OperandReader::readRange(std::vector<std::string>& numbers)
{
    const auto low = readNumber();
    if (!low.ok())
        return low.status();
    std::string_view high = *low;
    if (!atEnd() && m_expression[m_position] == '-') {
        ++m_position;
        const auto end = readNumber();
        if (!end.ok())
            return end.status();
        high = *end;
    }
    uint64_t first = 0;
    uint64_t last = 0;
    std::from_chars(low->data(), low->data() + low->size(), first);
    std::from_chars(high.data(), high.data() + high.size(), last);
    if (last < first)
        return fail("a range that runs backwards");
    if (last - first >= kMaxHosts || numbers.size() + (last - first) >= kMaxHosts)
        return fail("more than 200000 names");
    for (uint64_t number = first; number <= last; ++number)
        numbers.push_back(padded(number, low->size()));
    return absl::OkStatus();
}

StatusOr<std::string_view> OperandReader::readNumber()
{
    const size_t start = m_position;
    while (!atEnd() && isDigit(m_expression[m_position]))
        ++m_position;
    const size_t length = m_position - start;
    if (length == 0)
        return fail("expected a number");
    if (length > kMaxDigits)
        return fail("a number of more than 18 digits");
    return m_expression.substr(start, length);
}

/// Names in the order of their arrival, each once. Every change costs the size of its operand
/// alone, so that a long chain of differences stays cheap.
class NameSet {
public:
    void add(std::vector<std::string> names)
    {
        for (std::string& name : names) {
            if (m_places.emplace(name, m_order.size()).second)
                m_order.push_back(std::move(name));
        }
    }
    void remove(const std::vector<std::string>& names)
    {
        for (const std::string& name : names) {
            const auto found = m_places.find(name);
            if (found == m_places.end())
                continue;
            m_order[found->second].clear();
            m_places.erase(found);
        }
    }
    void intersect(const std::vector<std::string>& names)
    {
        std::vector<size_t> places;
        for (const std::string& name : names) {
            if (const auto found = m_places.find(name); found != m_places.end())
                places.push_back(found->second);
        }
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end()), places.end());
        std::vector<std::string> kept;
        for (const size_t place : places)
            kept.push_back(std::move(m_order[place]));
        m_order.clear();
        m_places.clear();
        add(std::move(kept));
    }
    size_t size() const { return m_places.size(); }
    std::vector<std::string> take()
    {
        std::erase_if(m_order, [](const std::string& name) { return name.empty(); });
        return std::move(m_order);
    }

private:
    std::unordered_map<std::string, size_t> m_places;
    std::vector<std::string> m_order;  ///< a removed name leaves an empty one behind
};

/// A name cut into text and numbers: "r1c01n8" is r, c, n and 1, 01, 8. While folding, a number
/// becomes the content of a bracket.
struct Cut {
    std::vector<std::string> texts;  ///< one more than numbers
    std::vector<std::string> numbers;
};

constexpr size_t kMaxDimensions = 6;

Cut cut(std::string_view name)
{
    Cut result;
    std::string text;
    for (size_t i = 0; i < name.size();) {
        size_t end = i;
        while (end < name.size() && isDigit(name[end]))
            ++end;
        const size_t length = end - i;
        if (length == 0 || length > kMaxDigits || result.numbers.size() == kMaxDimensions) {
            text += name.substr(i, std::max<size_t>(length, 1));
            i += std::max<size_t>(length, 1);
            continue;
        }
        result.texts.push_back(std::move(text));
        text.clear();
        result.numbers.emplace_back(name.substr(i, length));
        i = end;
    }
    result.texts.push_back(std::move(text));
    return result;
}

uint64_t valueOf(std::string_view digits)
{
    uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

struct Run {
    std::string low;
    std::string high;
};

/// "001-003,007" of numbers that are sorted naturally. Padded and plain numbers make runs of their
/// own.
std::string foldNumbers(const std::vector<std::string>& numbers)
{
    std::vector<Run> runs;
    std::unordered_map<std::string, size_t> runByNext;
    for (const std::string& number : numbers) {
        const auto found = runByNext.find(number);
        size_t index = runs.size();
        if (found == runByNext.end()) {
            runs.push_back({number, number});
        } else {
            index = found->second;
            runs[index].high = number;
            runByNext.erase(found);
        }
        runByNext.emplace(padded(valueOf(number) + 1, runs[index].low.size()), index);
    }
    std::string text;
    for (const Run& run : runs) {
        text += text.empty() ? "" : ",";
        text += run.low == run.high ? run.low : run.low + "-" + run.high;
    }
    return text;
}

/// Everything of a cut but one number, as a key.
std::string keyWithout(const Cut& cut, size_t dimension)
{
    std::string key;
    for (size_t i = 0; i < cut.texts.size(); ++i) {
        key += cut.texts[i];
        key += '\0';
        if (i < cut.numbers.size() && i != dimension)
            key += cut.numbers[i];
        key += '\0';
    }
    return key;
}

/// Joins the cuts that differ in one number alone. Cuts keep the order of their first members.
std::vector<Cut> foldDimension(std::vector<Cut> cuts, size_t dimension)
{
    std::vector<Cut> folded;
    std::vector<std::vector<std::string>> numbers;
    std::unordered_map<std::string, size_t> byKey;
    for (Cut& cut : cuts) {
        if (cut.numbers.size() <= dimension) {
            folded.push_back(std::move(cut));
            numbers.emplace_back();
            continue;
        }
        const auto [place, isNew] = byKey.emplace(keyWithout(cut, dimension), folded.size());
        std::string number = cut.numbers[dimension];
        if (isNew) {
            folded.push_back(std::move(cut));
            numbers.emplace_back();
        }
        numbers[place->second].push_back(std::move(number));
    }
    for (size_t i = 0; i < folded.size(); ++i) {
        if (!numbers[i].empty())
            folded[i].numbers[dimension] = foldNumbers(numbers[i]);
    }
    return folded;
}

std::string write(const Cut& cut)
{
    std::string text = cut.texts.front();
    for (size_t i = 0; i < cut.numbers.size(); ++i) {
        const bool isSingle = std::all_of(cut.numbers[i].begin(), cut.numbers[i].end(), isDigit);
        text += isSingle ? cut.numbers[i] : "[" + cut.numbers[i] + "]";
        text += cut.texts[i + 1];
    }
    return text;
}

}  // namespace

StatusOr<std::vector<std::string>> expandHostlist(std::string_view expression)
{
    NameSet names;
    size_t position = 0;
    size_t work = 0;
    const auto skipBlanks = [&] {
        while (position < expression.size() && isBlank(expression[position]))
            ++position;
    };
    skipBlanks();
    char operation = ',';
    while (position < expression.size()) {
        auto operand = OperandReader(expression, position, work).read();
        if (!operand.ok())
            return operand.status();
        if (operation == ',')
            names.add(*std::move(operand));
        else if (operation == '!')
            names.remove(*operand);
        else
            names.intersect(*operand);
        if (names.size() > kMaxHosts)
            return bad(expression, position, "more than 200000 names");
        skipBlanks();
        if (position == expression.size())
            break;
        operation = expression[position];
        if (!isOperator(operation))
            return bad(expression, position, "expected \",\", \"!\" or \"&\" between two names");
        ++position;
        skipBlanks();
        if (position == expression.size())
            return bad(expression, position, "a name is missing at the end");
    }
    return names.take();
}

std::string foldHostlist(std::vector<std::string> hosts)
{
    std::sort(hosts.begin(), hosts.end(), naturalLess);
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    std::vector<Cut> cuts;
    cuts.reserve(hosts.size());
    for (const std::string& host : hosts)
        cuts.push_back(cut(host));
    for (size_t dimension = kMaxDimensions; dimension-- > 0;)
        cuts = foldDimension(std::move(cuts), dimension);
    std::string text;
    for (const Cut& cut : cuts)
        text += (text.empty() ? "" : ",") + write(cut);
    return text;
}

bool naturalLess(std::string_view a, std::string_view b)
{
    size_t i = 0;
    size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
            ++i;
            ++j;
            continue;
        }
        const auto digits = [](std::string_view text, size_t& at) {
            while (at < text.size() && text[at] == '0')
                ++at;
            const size_t start = at;
            while (at < text.size() && isDigit(text[at]))
                ++at;
            return text.substr(start, at - start);
        };
        const std::string_view x = digits(a, i);
        const std::string_view y = digits(b, j);
        if (x.size() != y.size())
            return x.size() < y.size();
        if (x != y)
            return x < y;
    }
    if (i < a.size() || j < b.size())
        return i >= a.size();
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace yard::domain
