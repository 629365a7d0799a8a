#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace yard::ctl {

/// `yardctl inspect KIND FILE…`: reads inputs offline with the readers of the daemon.
struct InspectRequest {
    std::string kind;  ///< "slurm.jobs.json", "expo.dcgm", "xid.kern" …
    std::vector<std::string> files;
    std::vector<std::string> fields;  ///< of sacct -o, where the file has no header
    double secondsBetween = 60;       ///< between successive scrapes of a sequence
};

/// Prints one JSON object. Returns 0 for a good read, 3 for a read reported as failed, also of a
/// file that cannot be opened, 1 for a kind that does not exist.
int inspect(const InspectRequest& request);

using Json = nlohmann::ordered_json;

/// One input, in memory.
struct Input {
    std::string name;
    std::string body;
};

/// Each fills `out`; a failed read sets out["error"].
void inspectSlurm(std::string_view kind, const Input& input, const InspectRequest& request,
                  Json& out);
void inspectExposition(std::string_view kind, const Input& input, Json& out);
void inspectSequence(const std::vector<Input>& inputs, double secondsBetween, Json& out);
void inspectPrometheus(std::string_view kind, const std::vector<Input>& inputs, Json& out);
void inspectKernel(const Input& input, Json& out);
void inspectKernelJoin(const std::vector<Input>& inputs, Json& out);

}  // namespace yard::ctl
