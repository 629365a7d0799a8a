#include "backend/scheduler/slurm/gres.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/sentinels.h"
#include "backend/scheduler/slurm/size_text.h"

namespace yard::scheduler::slurm {
namespace {

constexpr size_t kMaxIndices = 4096;
constexpr int64_t kMaxGpus = 1'000'000;
constexpr size_t kShown = 60;

/// Splits at commas outside of parentheses.
std::vector<std::string_view> splitEntries(std::string_view text)
{
    std::vector<std::string_view> entries;
    int depth = 0;
    size_t start = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(')
            ++depth;
        else if (text[i] == ')')
            depth = std::max(0, depth - 1);
        else if (text[i] == ',' && depth == 0) {
            entries.push_back(text.substr(start, i - start));
            start = i + 1;
        }
    }
    entries.push_back(text.substr(start));
    return entries;
}

std::optional<int64_t> readCount(std::string_view text)
{
    const auto count = readSize(text);
    // A plain number counts pieces; the suffixes are the powers of 1024 that Slurm prints.
    return count && *count <= double(INT64_MAX / 2) ? countOf(int64_t(*count)) : std::nullopt;
}

/// Digits with or without a sign: no name of a model is that.
bool isNumber(std::string_view text)
{
    text::takePrefix(text, "-");
    return !text.empty() && std::all_of(text.begin(), text.end(), text::isDigit);
}

void readParentheses(std::string_view text, GresEntry& entry)
{
    const size_t index = text.find("IDX:");
    if (index == std::string_view::npos)
        return;
    std::string_view list = text.substr(index + 4);
    list = list.substr(0, list.find(')'));
    entry.indices = readIndexList(list).value_or(std::vector<int>{});
}

std::optional<GresEntry> readEntry(std::string_view text)
{
    GresEntry entry;
    const size_t parenthesis = text.find('(');
    if (parenthesis != std::string_view::npos) {
        if (!text.ends_with(')'))
            return std::nullopt;
        readParentheses(text.substr(parenthesis), entry);
        text = text.substr(0, parenthesis);
    }
    if (!text::takePrefix(text, "gres/"))
        text::takePrefix(text, "gres:");
    const std::string_view separator = text.find(':') == std::string_view::npos ? "=" : ":";
    std::vector<std::string_view> parts = text::split(text, separator);
    std::erase(parts, std::string_view("no_consume"));
    entry.name = std::string(parts.front());
    if (entry.name.empty() || parts.size() > 3)
        return std::nullopt;
    entry.count = 1;
    if (parts.size() > 1) {
        const auto count = readCount(parts.back());
        if (count)
            parts.pop_back();
        else if (parts.size() == 3 || parts.back().empty() || isNumber(parts.back()))
            return std::nullopt;  // negative, or more than there can be
        entry.count = count.value_or(1);
        if (parts.size() > 1)
            entry.type = std::string(parts[1]);
    }
    return entry;
}

bool isGpu(const GresEntry& entry)
{
    return entry.name == "gpu";
}

}  // namespace

int Gres::gpus() const
{
    int64_t total = 0;
    for (const GresEntry& entry : entries) {
        if (isGpu(entry))
            total = std::min(kMaxGpus, total + std::min(kMaxGpus, entry.count));
    }
    return int(total);
}

std::string Gres::gpuType() const
{
    const auto found = std::find_if(entries.begin(), entries.end(), [](const GresEntry& entry) {
        return isGpu(entry) && !entry.type.empty();
    });
    return found == entries.end() ? std::string() : found->type;
}

std::vector<int> Gres::gpuIndices() const
{
    std::vector<int> all;
    for (const GresEntry& entry : entries) {
        if (isGpu(entry) && entry.indices)
            all.insert(all.end(), entry.indices->begin(), entry.indices->end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

Gres readGres(std::string_view text)
{
    Gres gres;
    text = text::trimmed(text);
    if (text.empty() || text == "(null)" || text::equalsIgnoringCase(text, "N/A"))
        return gres;
    for (const std::string_view part : splitEntries(text)) {
        if (auto entry = readEntry(text::trimmed(part)))
            gres.entries.push_back(*std::move(entry));
        else if (std::exchange(gres.isGood, false))
            gres.firstOdd = text::validUtf8(text::trimmed(part).substr(0, kShown));
    }
    return gres;
}

void noteOdd(const Gres& gres, std::string_view source, domain::ReadNotes& notes)
{
    if (!gres.isGood)
        notes.add(fmt::format("{}: \"{}\" among its GRES is not to be read. It was left out.",
                              source, gres.firstOdd));
}

std::optional<std::vector<int>> readIndexList(std::string_view text)
{
    std::vector<int> indices;
    for (const std::string_view part : text::split(text, ",")) {
        const std::vector<std::string_view> ends = text::split(part, "-");
        const auto first = text::number<int>(ends.front());
        const auto last = text::number<int>(ends.back());
        if (!first || !last || ends.size() > 2 || *first < 0 || *last < *first ||
            size_t(*last - *first) >= kMaxIndices - indices.size())
            return std::nullopt;
        for (int index = *first; index <= *last; ++index)
            indices.push_back(index);
    }
    return indices;
}

}  // namespace yard::scheduler::slurm
