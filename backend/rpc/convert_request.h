#pragma once

#include <string>

#include "backend/base/status.h"
#include "backend/control/operation_service.h"
#include "backend/control/past.h"
#include "yard/v1/yard.pb.h"

namespace yard::rpc {

constexpr size_t kMostJobs = 10'000;  ///< in one action
constexpr size_t kLongestExpression = 64 * 1024;
constexpr size_t kLongestScript = 4u << 20;

/// Wire to domain. What a client sends is checked here for shape and size: INVALID_ARGUMENT with a
/// sentence that names the field. Whether nodes and jobs exist is the service's to say.
///
/// Thread: any; pure functions.
StatusOr<domain::Action> actionFrom(const v1::Action& action);
StatusOr<control::PreviewRequest> previewRequestFrom(const v1::PreviewRequest& request);
StatusOr<control::ExecuteRequest> executeRequestFrom(const v1::ExecuteRequest& request);
StatusOr<std::string> displayIdFrom(const v1::GetJobRequest& request);
StatusOr<control::Interest> interestFrom(const v1::WatchRequest& request);
StatusOr<control::Past::Wanted> wantedFrom(const v1::MomentRequest& request);
StatusOr<domain::SeriesRequest> seriesFrom(const v1::SeriesRequest& request);

/// What to answer when the request names none, and never more than the most.
uint32_t pageLimit(uint32_t asked);

}  // namespace yard::rpc
