#include "backend/scheduler/slurm/client_error.h"

#include <algorithm>
#include <array>
#include <string>

#include "backend/base/text.h"

namespace yard::scheduler::slurm {
namespace {

bool isProgramName(std::string_view word)
{
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || text::isDigit(c) || c == '_' || c == '-' || c == '/';
    });
}

// What the clients say without any prefix.
constexpr std::array<std::string_view, 5> kBareMessages{
    "Slurm accounting storage is disabled", "Unable to contact slurm controller",
    "Socket timed out on send/recv operation", "Access/permission denied",
    "Protocol authentication error"};

/// "sacct: fatal: …", "squeue: error: …", "slurm_load_jobs error: …", "slurm_load_node: Unable …".
bool isClientMessage(std::string_view line)
{
    if (std::any_of(kBareMessages.begin(), kBareMessages.end(),
                    [&](std::string_view words) { return line.starts_with(words); }))
        return true;
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos)
        return false;
    const std::string_view program = line.substr(0, colon);
    const std::string_view rest = line.substr(colon + 2);
    if (isProgramName(program) && (rest.starts_with("fatal: ") || rest.starts_with("error: ")))
        return true;
    return program.starts_with("slurm_") && (isProgramName(program) || program.ends_with(" error"));
}

}  // namespace

Status checkOutput(std::string_view output)
{
    output = text::trimmed(output);
    if (output.empty())
        return absl::InvalidArgumentError("empty input: the command said nothing at all");
    const std::string_view line = output.substr(0, std::min(output.find('\n'), size_t(300)));
    if (isClientMessage(line))
        return absl::UnavailableError("the command failed: " + text::validUtf8(line));
    return absl::OkStatus();
}

}  // namespace yard::scheduler::slurm
