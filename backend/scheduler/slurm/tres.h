#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace yard::scheduler::slurm {

/// What a TRES string says: `cpu=64,mem=1000G,node=1,gres/gpu=8,gres/gpu:a100=8`.
struct Tres {
    std::optional<int64_t> cpus;
    std::optional<double> memoryMib;
    std::optional<int64_t> nodes;
    std::optional<double> energyJoules;
    std::optional<int64_t> gpuTotal;          ///< gres/gpu, if it is there
    std::map<std::string, int64_t> gpuTypes;  ///< gres/gpu:<type>: the parts of the total
    bool isGood = true;                       ///< false if an entry was no key=value

    /// The total, else the sum of the parts: the two are never added.
    int gpus() const;
    /// One entry. A sentinel is no value.
    void set(std::string_view type, std::string_view name, double value);
};

Tres readTres(std::string_view text);

}  // namespace yard::scheduler::slurm
