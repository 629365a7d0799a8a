#include "backend/rpc/identity.h"

#include <absl/strings/numbers.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

namespace yard::rpc {
namespace {

using domain::Role;

// Directories with very long entries exist; beyond this an entry counts as not found.
constexpr size_t kLargestEntry = 1u << 20;
constexpr size_t kMostGroups = 65536;

/// Calls one of the getXXX_r functions with a buffer that grows until the entry fits.
template <typename Entry, typename Lookup>
bool findEntry(Entry& entry, std::vector<char>& buffer, Lookup lookup)
{
    for (buffer.resize(4096); buffer.size() <= kLargestEntry; buffer.resize(buffer.size() * 4)) {
        Entry* found = nullptr;
        const int error = lookup(&entry, buffer.data(), buffer.size(), &found);
        if (error == ERANGE || error == EINTR)
            continue;
        return error == 0 && found != nullptr;
    }
    return false;
}

std::optional<uid_t> userId(const std::string& user)
{
    passwd entry{};
    std::vector<char> buffer;
    if (findEntry(entry, buffer, [&](passwd* e, char* b, size_t n, passwd** found) {
            return getpwnam_r(user.c_str(), e, b, n, found);
        }))
        return entry.pw_uid;
    uint32_t number = 0;
    return absl::SimpleAtoi(user, &number) ? std::optional<uid_t>(number) : std::nullopt;
}

std::optional<gid_t> groupId(const std::string& name)
{
    group entry{};
    std::vector<char> buffer;
    if (findEntry(entry, buffer, [&](group* e, char* b, size_t n, group** found) {
            return getgrnam_r(name.c_str(), e, b, n, found);
        }))
        return entry.gr_gid;
    uint32_t number = 0;
    return absl::SimpleAtoi(name, &number) ? std::optional<gid_t>(number) : std::nullopt;
}

std::vector<gid_t> groupsOf(const char* user, gid_t primary)
{
    for (size_t room = 64; room <= kMostGroups; room *= 4) {
        std::vector<gid_t> groups(room, primary);
        int count = int(room);
        if (getgrouplist(user, primary, groups.data(), &count) < 0)
            continue;
        groups.resize(size_t(count));
        return groups;
    }
    return {primary};
}

Status addUsers(const std::vector<std::string>& users, Role role, std::map<uid_t, Role>& into)
{
    for (const std::string& user : users) {
        const auto id = userId(user);
        if (!id)
            return absl::NotFoundError(
                fmt::format("The user \"{}\" of the access lists does not exist on this system. "
                            "Correct the name, or give the number.",
                            user));
        // Denied outranks everything, else the highest role counts.
        const auto known = into.find(*id);
        if (known == into.end() || role == Role::None ||
            (known->second != Role::None && known->second < role))
            into[*id] = role;
    }
    return absl::OkStatus();
}

Status addGroups(const std::vector<std::string>& groups, Role role, std::map<gid_t, Role>& into)
{
    for (const std::string& name : groups) {
        const auto id = groupId(name);
        if (!id)
            return absl::NotFoundError(
                fmt::format("The group \"{}\" of the access lists does not exist on this system. "
                            "Correct the name, or give the number.",
                            name));
        into[*id] = std::max(into[*id], role);
    }
    return absl::OkStatus();
}

}  // namespace

StatusOr<PeerCredentials> peerCredentials(int fd)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return absl::InternalError(
            fmt::format("The kernel does not say who is at the other end of a connection: {}",
                        strerror(errno)));
    return PeerCredentials{peer.pid, peer.uid, peer.gid};
}

StatusOr<IdentityRules> IdentityRules::make(const AccessOptions& options)
{
    IdentityRules rules;
    rules.m_default = options.defaultRole;
    rules.m_self = geteuid();
    YARD_RETURN_IF_ERROR(addUsers(options.viewerUsers, Role::Viewer, rules.m_users));
    YARD_RETURN_IF_ERROR(addUsers(options.operatorUsers, Role::Operator, rules.m_users));
    YARD_RETURN_IF_ERROR(addUsers(options.adminUsers, Role::Admin, rules.m_users));
    YARD_RETURN_IF_ERROR(addUsers(options.deniedUsers, Role::None, rules.m_users));
    YARD_RETURN_IF_ERROR(addGroups(options.viewerGroups, Role::Viewer, rules.m_groups));
    YARD_RETURN_IF_ERROR(addGroups(options.operatorGroups, Role::Operator, rules.m_groups));
    YARD_RETURN_IF_ERROR(addGroups(options.adminGroups, Role::Admin, rules.m_groups));
    return rules;
}

domain::Identity IdentityRules::identify(const PeerCredentials& peer) const
{
    domain::Identity identity;
    identity.uid = peer.uid;
    identity.from = fmt::format("unix pid {}", peer.pid);

    passwd entry{};
    std::vector<char> buffer;
    std::vector<gid_t> groups{peer.gid};
    if (findEntry(entry, buffer, [&](passwd* e, char* b, size_t n, passwd** found) {
            return getpwuid_r(peer.uid, e, b, n, found);
        })) {
        identity.user = entry.pw_name;
        for (const gid_t id : groupsOf(entry.pw_name, entry.pw_gid))
            groups.push_back(id);
    } else {
        identity.user = fmt::format("uid {}", peer.uid);
    }
    identity.role = roleOf(peer.uid, groups);
    return identity;
}

Role IdentityRules::roleOf(uid_t uid, const std::vector<gid_t>& groups) const
{
    if (const auto named = m_users.find(uid); named != m_users.end())
        return named->second;
    if (uid == 0 || uid == m_self)
        return Role::Admin;
    Role highest = Role::None;
    for (const gid_t id : groups) {
        if (const auto named = m_groups.find(id); named != m_groups.end())
            highest = std::max(highest, named->second);
    }
    return highest == Role::None ? m_default : highest;
}

}  // namespace yard::rpc
