#include "backend/scheduler/slurm/tres.h"

#include <algorithm>
#include <cmath>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/sentinels.h"
#include "backend/scheduler/slurm/size_text.h"

namespace yard::scheduler::slurm {
namespace {

constexpr double kMaxCount = 9e15;  // beyond it a double holds no exact count

bool isSentinel(double value)
{
    return value < 0 || value > kMaxCount || value == double(kNoVal) || value == double(kInfinite);
}

}  // namespace

int Tres::gpus() const
{
    int64_t total = 0;
    for (const auto& [type, count] : gpuTypes)
        total += count;
    return int(std::min<int64_t>(gpuTotal.value_or(total), 1'000'000));
}

void Tres::set(std::string_view type, std::string_view name, double value)
{
    if (isSentinel(value))
        return;
    const auto count = int64_t(value);
    if (type == "cpu") {
        cpus = count;
    } else if (type == "node") {
        nodes = count;
    } else if (type == "mem") {
        memoryMib = value;
    } else if (type == "energy") {
        energyJoules = value;
    } else if (type == "gres" && name == "gpu") {
        gpuTotal = count;
    } else if (type == "gres" && text::takePrefix(name, "gpu:")) {
        gpuTypes[std::string(name)] = std::min<int64_t>(count, 1'000'000);
    }
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
            tres.isGood = tres.isGood && part.empty();
            continue;
        }
        const std::string_view key = part.substr(0, equals);
        const std::string_view amount = part.substr(equals + 1);
        const auto value = key == "mem" ? readMemoryMib(amount) : readSize(amount);
        if (!value) {
            tres.isGood = tres.isGood && amount.starts_with('-');
            continue;
        }
        const size_t slash = key.find('/');
        tres.set(key.substr(0, slash),
                 slash == std::string_view::npos ? std::string_view() : key.substr(slash + 1),
                 *value);
    }
    return tres;
}

}  // namespace yard::scheduler::slurm
