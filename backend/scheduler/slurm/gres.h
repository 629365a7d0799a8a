#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/cluster.h"

namespace yard::scheduler::slurm {

/// One entry of a GRES string: `gpu:h100:8(S:0-1)`, `gres/gpu:2`, `gpu:tesla:3(IDX:0,2-3)`.
struct GresEntry {
    std::string name;  ///< "gpu"
    std::string type;  ///< "h100"; empty if it has none
    int64_t count = 0;
    std::optional<std::vector<int>> indices;  ///< empty list for IDX:N/A; absent if not printed
};

/// What a GRES string says. A malformed entry is left out and `isGood` is false.
struct Gres {
    std::vector<GresEntry> entries;
    bool isGood = true;
    std::string firstOdd;  ///< the first of those: "gpu:-8"

    int gpus() const;             ///< sum over entries named gpu
    std::string gpuType() const;  ///< of the first gpu entry with a type
    std::vector<int> gpuIndices() const;
};

/// `(null)`, `N/A` and the empty string are no resources.
Gres readGres(std::string_view text);

/// Notes what was odd, if anything was. `source` says where it stands: "sacct, line 5".
void noteOdd(const Gres& gres, std::string_view source, domain::ReadNotes& notes);

/// "0,2-5" as numbers; nothing if it is none, or names more than 4096.
std::optional<std::vector<int>> readIndexList(std::string_view text);

}  // namespace yard::scheduler::slurm
