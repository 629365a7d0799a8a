#pragma once

#include <optional>
#include <string_view>

namespace yard::scheduler::slurm {

/// "1.50T", "512M", "97": the number times 1024 for each step of K M G T P E. No unit: as it
/// stands.
std::optional<double> readSize(std::string_view text);

/// Memory as Slurm prints it: with a unit, or MiB without one.
std::optional<double> readMemoryMib(std::string_view text);

/// ReqMem of sacct. Up to 20.11 it ends in n (per node) or c (per CPU); after that it is a total.
struct MemoryRequest {
    enum class Per { Job, Node, Cpu };
    std::optional<double> mib;
    Per per = Per::Job;
};
MemoryRequest readMemoryRequest(std::string_view text);

}  // namespace yard::scheduler::slurm
