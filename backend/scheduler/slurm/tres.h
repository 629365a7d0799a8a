#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "backend/domain/cluster.h"

namespace yard::scheduler::slurm {

/// What a TRES string says: `cpu=64,mem=1000G,node=1,gres/gpu=8,gres/gpu:a100=8`.
struct Tres {
    std::optional<int64_t> cpus;
    std::optional<double> memoryMib;
    std::optional<int64_t> nodes;
    std::optional<double> energyJoules;
    std::optional<int64_t> gpuTotal;          ///< gres/gpu, if it is there
    std::map<std::string, int64_t> gpuTypes;  ///< gres/gpu:<type>: the parts of the total
    bool isGood = true;    ///< false if an entry was no key=value, or its value no amount
    std::string firstOdd;  ///< the first of those: "gres/gpu=-8"

    /// The total, else the sum of the parts: the two are never added.
    int gpus() const;
    /// One entry. A sentinel is no value; what can be no amount is noted as odd.
    void set(std::string_view type, std::string_view name, double value);
    void addOdd(std::string_view entry);
};

Tres readTres(std::string_view text);

/// Notes what was odd, if anything was. `source` says where it stands: "sacct, line 5".
void noteOdd(const Tres& tres, std::string_view source, domain::ReadNotes& notes);

}  // namespace yard::scheduler::slurm
