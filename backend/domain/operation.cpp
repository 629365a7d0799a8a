#include "backend/domain/operation.h"

#include <array>

namespace yard::domain {
namespace {

constexpr std::array<std::string_view, 4> kRoles{"none", "viewer", "operator", "admin"};
constexpr std::array<std::string_view, 6> kStates{"requested", "sent",     "observed",
                                                  "refused",   "in-doubt", "superseded"};

}  // namespace

std::string_view name(Role role)
{
    return kRoles.at(size_t(role));
}

std::string_view name(OperationState state)
{
    return kStates.at(size_t(state));
}

bool isOpen(OperationState state)
{
    return state == OperationState::Requested || state == OperationState::Sent ||
           state == OperationState::InDoubt;
}

}  // namespace yard::domain
