#include "backend/domain/action.h"

#include <array>

namespace yard::domain {
namespace {

constexpr std::array<std::string_view, 11> kNames{"drain",    "resume",  "down",    "reboot",
                                                  "hold",     "release", "requeue", "requeue-hold",
                                                  "resubmit", "cancel",  "submit"};

constexpr std::array<std::string_view, 11> kDoneWords{
    "drained",  "back in service",      "set down",    "rebooted",  "held",     "released",
    "requeued", "requeued and on hold", "resubmitted", "cancelled", "submitted"};

}  // namespace

std::string_view doneWord(ActionKind kind)
{
    return kDoneWords.at(size_t(kind));
}

std::string_view name(ActionKind kind)
{
    return kNames.at(size_t(kind));
}

std::optional<ActionKind> actionKindFrom(std::string_view name)
{
    for (size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name)
            return ActionKind(i);
    }
    return std::nullopt;
}

bool isNodeAction(ActionKind kind)
{
    return kind <= ActionKind::Reboot;
}

}  // namespace yard::domain
