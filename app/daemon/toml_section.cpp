#include "app/daemon/toml_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace yard::daemon {
namespace {

size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t k = 1; k <= b.size(); ++k) {
            const size_t replaced = diagonal + (a[i - 1] == b[k - 1] ? 0 : 1);
            diagonal = row[k];
            row[k] = std::min({replaced, row[k] + 1, row[k - 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string nearestWord(std::string_view word, const std::vector<std::string>& known)
{
    std::string nearest;
    size_t best = std::max<size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const size_t distance = editDistance(word, candidate);
        if (distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string controlCharacterIn(std::string_view text)
{
    for (size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte < 0x20 || byte == 0x7f)
            return fmt::format("the control character 0x{:02x} at place {}", byte, i + 1);
    }
    return {};
}

void ConfigErrors::add(int64_t line, std::string_view key, std::string_view sentence)
{
    m_sentences.push_back(line > 0 ? fmt::format("{}:{}: {}: {}", m_file, line, key, sentence)
                                   : fmt::format("{}: {}: {}", m_file, key, sentence));
}

TomlSection::TomlSection(const toml::table* table, std::string name, ConfigErrors& errors)
    : m_table(table)
    , m_name(std::move(name))
    , m_errors(errors)
{
}

void TomlSection::read(const char* key, std::string& value)
{
    const toml::node* node = find(key);
    if (!node)
        return;
    const auto* text = node->as_string();
    if (!text)
        reject(key, "It must be text in quotes.");
    else if (isPlain(key, text->get()))
        value = text->get();
}

void TomlSection::readPath(const char* key, std::string& value, Path path)
{
    read(key, value);
    const bool isGood = value.empty() ? path == Path::MayBeEmpty : value.front() == '/';
    if (!isGood)
        reject(key, "It must be a path that starts with /.");
}

bool TomlSection::isPlain(const char* key, std::string_view text)
{
    const std::string control = controlCharacterIn(text);
    if (!control.empty())
        reject(key, fmt::format("It holds {}; take it out.", control));
    return control.empty();
}

void TomlSection::read(const char* key, bool& value)
{
    const toml::node* node = find(key);
    if (!node)
        return;
    if (const auto* flag = node->as_boolean())
        value = flag->get();
    else
        reject(key, "It must be true or false.");
}

void TomlSection::read(const char* key, double& value, double least, double most)
{
    const toml::node* node = find(key);
    if (!node)
        return;
    const auto number = node->is_number() ? node->value<double>() : std::nullopt;
    if (number && *number >= least && *number <= most)
        value = *number;
    else
        reject(key, fmt::format("It must be a number from {} to {}.", least, most));
}

void TomlSection::read(const char* key, std::vector<std::string>& value)
{
    const toml::node* node = find(key);
    if (!node)
        return;
    const toml::array* array = node->as_array();
    if (!array || !array->is_homogeneous(toml::node_type::string)) {
        if (!array || !array->empty())
            return reject(key, "It must be a list of texts, as in [\"one\", \"two\"].");
    }
    value.clear();
    for (const toml::node& entry : *array) {
        std::string text = entry.value_or(std::string());
        if (isPlain(key, text))
            value.push_back(std::move(text));
    }
}

void TomlSection::read(const char* key, domain::Role& value)
{
    std::string word(domain::name(value));
    readWord(key, word, {"none", "viewer", "operator", "admin"});
    for (const auto role :
         {domain::Role::None, domain::Role::Viewer, domain::Role::Operator, domain::Role::Admin}) {
        if (domain::name(role) == word)
            value = role;
    }
}

void TomlSection::readCount(const char* key, uint64_t& value, uint64_t least, uint64_t most)
{
    const toml::node* node = find(key);
    if (!node)
        return;
    const auto* number = node->as_integer();
    if (number && number->get() >= 0 && uint64_t(number->get()) >= least &&
        uint64_t(number->get()) <= most)
        value = uint64_t(number->get());
    else
        reject(key, fmt::format("It must be a whole number from {} to {}.", least, most));
}

void TomlSection::readSeconds(const char* key, std::chrono::milliseconds& value, double least,
                              double most)
{
    double seconds = double(value.count()) / 1000;
    read(key, seconds, least, most);
    value = std::chrono::milliseconds(int64_t(seconds * 1000 + 0.5));
}

void TomlSection::readWord(const char* key, std::string& value,
                           const std::vector<std::string>& words)
{
    std::string word = value;
    read(key, word);
    if (std::find(words.begin(), words.end(), word) != words.end())
        value = word;
    else
        reject(key, fmt::format("\"{}\" is not known. It must be one of {}.", word,
                                fmt::join(words, ", ")));
}

void TomlSection::reject(std::string_view key, std::string_view sentence)
{
    const toml::node* node = m_table ? m_table->get(key) : nullptr;
    m_errors.add(node ? int64_t(node->source().begin.line) : line(), fullName(key), sentence);
}

int64_t TomlSection::line() const
{
    return m_table ? int64_t(m_table->source().begin.line) : 0;
}

void TomlSection::finish()
{
    if (!m_table)
        return;
    for (const auto& [key, node] : *m_table) {
        if (std::find(m_known.begin(), m_known.end(), key.str()) != m_known.end())
            continue;
        const std::string nearest = nearestWord(key.str(), m_known);
        m_errors.add(int64_t(key.source().begin.line), fullName(key.str()),
                     nearest.empty() ? "There is no such key."
                                     : fmt::format("There is no such key. Is {} meant?", nearest));
    }
}

const toml::node* TomlSection::find(const char* key)
{
    m_known.emplace_back(key);
    return m_table ? m_table->get(key) : nullptr;
}

std::string TomlSection::fullName(std::string_view key) const
{
    if (m_name.empty())
        return std::string(key);
    return key.empty() ? m_name : fmt::format("{}.{}", m_name, key);
}

}  // namespace yard::daemon
