#pragma once

#include <string_view>

#include "backend/domain/verdict.h"

namespace yard::telemetry {

/// What NVIDIA's catalog says of an Xid, and the first thing to do.
struct XidMeaning {
    int code;
    std::string_view meaning;
    /// "none", "restart_app", "reset_gpu", "reboot", "replace", "check_hardware", "watch",
    /// "nvlink", "support", "follow" (it is the consequence of another one).
    std::string_view action;
    /// What a job fails of that meets it; Unknown if it is no cause by itself.
    domain::Reason reason;
};

/// nullptr for a number that no table knows.
const XidMeaning* xidMeaning(int code);

}  // namespace yard::telemetry
