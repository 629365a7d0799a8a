#include "backend/scheduler/slurm/client_error.h"

#include <algorithm>
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

/// "sacct: fatal: …", "squeue: error: …", "slurm_load_jobs error: …".
bool isClientMessage(std::string_view line)
{
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos)
        return false;
    const std::string_view program = line.substr(0, colon);
    const std::string_view rest = line.substr(colon + 2);
    if (isProgramName(program) && (rest.starts_with("fatal: ") || rest.starts_with("error: ")))
        return true;
    return program.starts_with("slurm_") && program.ends_with(" error");
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
