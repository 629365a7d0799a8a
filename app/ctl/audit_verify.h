#pragma once

#include <string>

namespace yard::ctl {

struct VerifyRequest {
    std::string path;
    bool json = false;
    bool continued = false;  ///< it does not start at record 1, and is not meant to
};

/// Offline: checks the chain of an exported file. A file without records, or one that starts in the
/// middle without being said to, is not whole.
int verifyAudit(const VerifyRequest& request);

}  // namespace yard::ctl
