#pragma once

#include "backend/base/clock.h"
#include "backend/base/task_loop.h"
#include "backend/control/past.h"
#include "backend/rpc/access.h"
#include "yard/v1/yard.pb.h"

namespace yard::rpc {

/// The methods about the past. `reply` lives until `call` is finished.
///
/// Thread: gRPC's for the calls; answers are converted on `worker`.
class PastService {
public:
    /// All must outlive every call.
    PastService(control::Past& past, const Clock& clock, TaskLoop& worker);

    void getMoment(const domain::Identity& by, const v1::MomentRequest& request,
                   v1::MomentReply* reply, PendingCallPtr call);
    void getSeries(const v1::SeriesRequest& request, v1::SeriesReply* reply, PendingCallPtr call);
    void getTimeline(const v1::TimelineRequest& request, v1::TimelineReply* reply,
                     PendingCallPtr call);
    void characterize(const v1::CharacterizeRequest& request, v1::CharacterizeReply* reply,
                      PendingCallPtr call);

private:
    void ask(Time from, Time to, uint32_t buckets, v1::TimelineReply* reply, PendingCallPtr call);

    control::Past& m_past;
    const Clock& m_clock;
    TaskLoop& m_worker;
};

}  // namespace yard::rpc
