#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "backend/base/status.h"
#include "backend/domain/operation.h"

namespace yard::rpc {

/// Who has which role, as configured. Users and groups are names or numbers.
struct AccessOptions {
    domain::Role defaultRole = domain::Role::None;  ///< of everybody who is not named below
    std::vector<std::string> deniedUsers;           ///< no role, whatever their groups
    std::vector<std::string> viewerUsers, operatorUsers, adminUsers;
    std::vector<std::string> viewerGroups, operatorGroups, adminGroups;
};

/// What the kernel says of the process at the other end of a UNIX socket.
struct PeerCredentials {
    pid_t pid = 0;
    uid_t uid = 0;
    gid_t gid = 0;
};

/// SO_PEERCRED of a connected UNIX socket.
StatusOr<PeerCredentials> peerCredentials(int fd);

/// Turns credentials into an identity with a role. A user named by itself has the highest role that
/// names it, also root; then root and the daemon's own user are admins; then the highest role of
/// the user's groups (supplementary ones too) counts; then the default.
///
/// Thread: any; identify() asks the system's user database and may wait for it.
class IdentityRules {
public:
    /// NOT_FOUND names a user or group that this system does not know.
    static StatusOr<IdentityRules> make(const AccessOptions& options);

    domain::Identity identify(const PeerCredentials& peer) const;

private:
    domain::Role roleOf(uid_t uid, const std::vector<gid_t>& groups) const;

    std::map<uid_t, domain::Role> m_users;
    std::map<gid_t, domain::Role> m_groups;
    domain::Role m_default = domain::Role::None;
    uid_t m_self = 0;
};

}  // namespace yard::rpc
