#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

namespace yard {

/// The only spelling of success and failure between our own functions. The message is a sentence:
/// what happened, to what, what to do.
using Status = absl::Status;
template <typename T>
using StatusOr = absl::StatusOr<T>;

}  // namespace yard

/// Returns early with the status of `expression` unless it is OK.
#define YARD_RETURN_IF_ERROR(expression)                                \
    do {                                                                \
        if (::yard::Status yardStatus = (expression); !yardStatus.ok()) \
            return yardStatus;                                          \
    } while (false)
