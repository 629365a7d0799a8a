#pragma once

#include <functional>
#include <tuple>
#include <utility>

#include "backend/base/task_loop.h"
#include "backend/rpc/access.h"

namespace yard::rpc {

/// Hands an answer of control over: `fill(value)` on `worker`, then the call ends. A task that the
/// worker refuses drops its PendingCall, which then ends as UNAVAILABLE.
///
/// Thread: the answer may come on any.
template <typename T, typename Fill>
std::function<void(StatusOr<T>)> answerOn(TaskLoop& worker, PendingCallPtr call, Fill fill)
{
    return [&worker, call = std::move(call), fill = std::move(fill)](StatusOr<T> result) {
        std::ignore = worker.post([call, fill, result = std::move(result)] {
            if (result.ok())
                fill(*result);
            call->finish(result.status());
        });
    };
}

}  // namespace yard::rpc
