#include "backend/scheduler/slurm/slurm_errors.h"

#include <array>
#include <string>

#include "backend/base/text.h"

namespace yard::scheduler::slurm {
namespace {

struct Refusal {
    std::string_view words;
    absl::StatusCode code;
};

// The first match counts: a denied call to a job is denied, whatever else it says.
constexpr std::array<Refusal, 31> kRefusals{{
    {"Access/permission denied", absl::StatusCode::kPermissionDenied},
    {"Permission denied", absl::StatusCode::kPermissionDenied},
    {"Invalid user id", absl::StatusCode::kPermissionDenied},
    {"only permitted by", absl::StatusCode::kPermissionDenied},
    {"Unable to contact slurm controller", absl::StatusCode::kUnavailable},
    {"Connection refused", absl::StatusCode::kUnavailable},
    {"Unable to establish configuration source", absl::StatusCode::kUnavailable},
    {"Socket timed out", absl::StatusCode::kDeadlineExceeded},
    {"Zero Bytes were transmitted", absl::StatusCode::kDeadlineExceeded},
    {"Message receive failure", absl::StatusCode::kDeadlineExceeded},
    {"Transport endpoint is not connected", absl::StatusCode::kDeadlineExceeded},
    {"must specify a reason", absl::StatusCode::kInvalidArgument},
    {"Invalid node name specified", absl::StatusCode::kInvalidArgument},
    {"Invalid job id specified", absl::StatusCode::kInvalidArgument},
    {"Invalid partition name specified", absl::StatusCode::kInvalidArgument},
    {"invalid partition specified", absl::StatusCode::kInvalidArgument},
    {"Invalid account", absl::StatusCode::kInvalidArgument},
    {"Invalid qos", absl::StatusCode::kInvalidArgument},
    {"Invalid generic resource", absl::StatusCode::kInvalidArgument},
    {"Invalid feature specification", absl::StatusCode::kInvalidArgument},
    {"Invalid job array specification", absl::StatusCode::kInvalidArgument},
    {"Invalid Trackable RESource", absl::StatusCode::kInvalidArgument},
    {"Requested reservation is invalid", absl::StatusCode::kInvalidArgument},
    {"invalid number", absl::StatusCode::kInvalidArgument},
    {"unrecognized option", absl::StatusCode::kInvalidArgument},
    {"invalid option", absl::StatusCode::kInvalidArgument},
    {"Invalid ", absl::StatusCode::kFailedPrecondition},
    {"is pending execution", absl::StatusCode::kFailedPrecondition},
    {"is presently disabled", absl::StatusCode::kFailedPrecondition},
    {"already completing or completed", absl::StatusCode::kFailedPrecondition},
    {"already finished", absl::StatusCode::kFailedPrecondition},
}};

}  // namespace

Status refusalFrom(std::string_view words)
{
    for (const Refusal& refusal : kRefusals) {
        if (words.find(refusal.words) != std::string_view::npos)
            return Status(refusal.code, std::string(words));
    }
    // Slurm has answered, and with a no: that nothing was changed is not in doubt.
    return absl::FailedPreconditionError(std::string(words));
}

std::string wordsOf(const ProcessResult& result)
{
    const auto error = text::trimmed(result.error);
    return text::validUtf8(error.empty() ? text::trimmed(result.output) : error);
}

}  // namespace yard::scheduler::slurm
