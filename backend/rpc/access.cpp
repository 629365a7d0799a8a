#include "backend/rpc/access.h"

#include <fmt/format.h>

#include "backend/rpc/access_rules.h"

namespace yard::rpc {
namespace {

using domain::Role;

constexpr auto kRecordDenialsEvery = std::chrono::seconds(1);
constexpr size_t kMostDenialsKept = 10'000;

// The keys of the configuration that grant a role.
std::string grantedBy(Role role)
{
    const std::string_view word = domain::name(role);
    return fmt::format("{}_users or {}_groups in [access] of yardmasterd.toml", word, word);
}

std::string refusal(const domain::Identity& by, std::string_view method, Role needed,
                    std::string_view what)
{
    return fmt::format(
        "{} needs the role {}; {} has {}. An administrator grants it with {}.",
        what.empty() ? wordsOf(method) : what, domain::name(needed), by.user,
        by.role == Role::None ? "no role" : fmt::format("the role {}", domain::name(by.role)),
        grantedBy(needed));
}

}  // namespace

grpc::Status toGrpc(const Status& status)
{
    return {grpc::StatusCode(int(status.code())), std::string(status.message())};
}

PendingCall::~PendingCall()
{
    finish(absl::UnavailableError("Yardmaster is stopping or too busy to answer. Try again."));
}

void PendingCall::finish(const Status& status)
{
    grpc::ServerUnaryReactor* reactor = nullptr;
    {
        const std::lock_guard lock(m_mutex);
        std::swap(reactor, m_reactor);
    }
    if (reactor)
        reactor->Finish(toGrpc(status));
}

Access::Access(const PeerRegistry& peers, control::OperationService& operations, const Clock& clock)
    : m_peers(peers)
    , m_operations(operations)
    , m_clock(clock)
{
}

StatusOr<domain::Identity> Access::admit(const std::string& peer, std::string_view method)
{
    const auto by = m_peers.find(peer);
    if (!by)
        return absl::UnauthenticatedError(
            "Yardmaster does not know who is calling. Connect again.");
    const auto needed = roleNeeded(method);
    if (!needed || *needed == Role::None)
        return absl::PermissionDeniedError(
            fmt::format("The method {} has no access rule and is refused to everybody.", method));
    if (by->role < *needed)
        return deny(*by, method, *needed, "");
    return *by;
}

Status Access::requireAdmin(const domain::Identity& by, std::string_view method,
                            std::string_view what)
{
    return by.role == Role::Admin ? absl::OkStatus() : deny(by, method, Role::Admin, what);
}

Status Access::deny(const domain::Identity& by, std::string_view method, Role needed,
                    std::string_view what)
{
    std::string sentence = refusal(by, method, needed, what);
    std::string detail = sentence;
    {
        const std::lock_guard lock(m_mutex);
        if (m_denials.size() >= kMostDenialsKept)
            m_denials.clear();
        auto [entry, isNew] = m_denials.try_emplace({by.uid, std::string(method)});
        Denials& denials = entry->second;
        const Time now = m_clock.now();
        if (!isNew && now - denials.recorded < kRecordDenialsEvery && now >= denials.recorded) {
            ++denials.unrecorded;
            return absl::PermissionDeniedError(sentence);
        }
        if (denials.unrecorded > 0)
            detail += fmt::format(" (and {} times more before)", denials.unrecorded);
        denials = {now, 0};
    }
    m_operations.recordDenied(by, std::string(method), detail);
    return absl::PermissionDeniedError(sentence);
}

}  // namespace yard::rpc
