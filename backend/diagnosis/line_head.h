#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yard::diagnosis {

enum class Level : uint8_t { None, Debug, Info, Warning, Error };

/// A line without what launchers, collectors and loggers put before it.
struct LineHead {
    std::optional<int> rank;        ///< "[rank3]:", "[1,5]<stderr>:"
    std::optional<int> task;        ///< "12: ", as srun -l writes; a rank or the number of a node
    std::string_view host;          ///< "node07: ", syslog's, Ray's ip
    std::string_view pod;           ///< of Kubernetes: tells processes apart, but is no machine
    std::optional<int> pid;         ///< Ray's
    std::optional<int> gpu;         ///< NCCL's: "host:pid:tid [3] "
    std::optional<double> seconds;  ///< since 1970 in the log's own zone, or of the day
    bool hasDate = false;           ///< `seconds` counts from 1970
    bool isKernel = false;          ///< a time since boot, or "kernel:"
    Level level = Level::None;
    std::string_view text;  ///< the rest; its own indentation is kept
};

/// Takes the prefixes off. `line` is one line without its end and without colours. Pure.
LineHead readHead(std::string_view line);

/// Removes colours and other control sequences; the ends of lines stay.
void removeColours(std::string& text);

/// Whether a word may be the name of a machine: "gpu-r02-n06", "node7", "ip-10-0-3-4", "hgx-12".
bool looksLikeHost(std::string_view word);

/// "gpu-r01-n03" of "gpu-r01-n03.hpc.local"; an address stays whole.
std::string_view shortHost(std::string_view host);

}  // namespace yard::diagnosis
