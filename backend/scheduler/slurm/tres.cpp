#include "backend/scheduler/slurm/tres.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/sentinels.h"
#include "backend/scheduler/slurm/size_text.h"

namespace yard::scheduler::slurm {
namespace {

constexpr double kMaxCount = 9e15;  // beyond it a double holds no exact count
constexpr double kMaxGpus = 1e6;

bool isMeasure(std::string_view type)
{
    return type == "mem" || type == "energy";
}

/// Measures print the 64-bit ones as signed numbers too.
bool isSentinel(std::string_view type, double value)
{
    return value == double(kNoVal) || value == double(kInfinite) || value == double(kNoVal64) ||
           (isMeasure(type) && (value == -1 || value == -2));
}

double mostOf(std::string_view type)
{
    return type == "gres" ? kMaxGpus : isMeasure(type) ? kMaxCount : double(INT32_MAX);
}

/// A number with or without a unit; a negative one too, so that it can be told.
std::optional<double> readAmount(std::string_view key, std::string_view text)
{
    const bool isNegative = text::takePrefix(text, "-");
    const auto value = key == "mem" ? readMemoryMib(text) : readSize(text);
    return value && isNegative ? std::optional(-*value) : value;
}

}  // namespace

int Tres::gpus() const
{
    int64_t total = 0;
    for (const auto& [type, count] : gpuTypes)
        total += count;
    return int(std::min<int64_t>(gpuTotal.value_or(total), int64_t(kMaxGpus)));
}

void Tres::addOdd(std::string_view entry)
{
    constexpr size_t kShown = 60;
    if (isGood)
        firstOdd = text::validUtf8(entry.substr(0, kShown));
    isGood = false;
}

void Tres::set(std::string_view type, std::string_view name, double value)
{
    std::string_view model = name;
    const bool isGpu = type == "gres" && (name == "gpu" || text::takePrefix(model, "gpu:"));
    const bool isKnown = isGpu || isMeasure(type) || type == "cpu" || type == "node";
    if (!isKnown || isSentinel(type, value))
        return;
    if (value < 0 || value > mostOf(type))
        return addOdd(fmt::format("{}{}{}={:.15g}", type, name.empty() ? "" : "/", name, value));
    const auto count = int64_t(value);
    if (type == "cpu")
        cpus = count;
    else if (type == "node")
        nodes = count;
    else if (type == "mem")
        memoryMib = value;
    else if (type == "energy")
        energyJoules = value;
    else if (name == "gpu")
        gpuTotal = count;
    else
        gpuTypes[std::string(model)] = count;
}

Tres readTres(std::string_view text)
{
    Tres tres;
    text = text::trimmed(text);
    if (text.empty() || text == "(null)" || text == "N/A")
        return tres;
    for (const std::string_view part : text::split(text, ",")) {
        const size_t equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0) {
            if (!part.empty())
                tres.addOdd(part);
            continue;
        }
        const std::string_view key = part.substr(0, equals);
        const auto value = readAmount(key, part.substr(equals + 1));
        if (!value) {
            tres.addOdd(part);
            continue;
        }
        const size_t slash = key.find('/');
        tres.set(key.substr(0, slash),
                 slash == std::string_view::npos ? std::string_view() : key.substr(slash + 1),
                 *value);
    }
    return tres;
}

void noteOdd(const Tres& tres, std::string_view source, domain::ReadNotes& notes)
{
    if (!tres.isGood)
        notes.add(fmt::format("{}: \"{}\" among its TRES is no amount. It was left out.", source,
                              tres.firstOdd));
}

}  // namespace yard::scheduler::slurm
