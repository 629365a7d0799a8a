#pragma once

#include "backend/base/clock.h"

namespace yard::rpc {

/// Times cross the wire as microseconds since 1970, UTC.
inline int64_t microseconds(Time time)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

}  // namespace yard::rpc
