#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/base/status.h"
#include "backend/domain/shared_text.h"

namespace yard::domain {

enum class SeriesKind : uint8_t { Gpu, Node };

/// Who a series is of. A GPU is its UUID on its node; without a UUID, its place on the node.
struct SeriesSubject {
    std::string node;
    int gpu = -1;     ///< place on the node; -1 for the node itself
    SharedText uuid;  ///< empty for nodes, and for GPUs whose source does not say
    bool operator==(const SeriesSubject&) const = default;
};

/// What was measured in one step of time. NaN in all three: no reading.
struct SeriesPoint {
    Time at;  ///< begin of the step
    float min = 0;
    float mean = 0;
    float max = 0;
};

struct SeriesRequest {
    SeriesKind kind = SeriesKind::Gpu;
    SeriesSubject subject;
    std::vector<uint32_t> metrics;  ///< GpuMetric or NodeMetric by number
    Time from;
    Time to;
    uint32_t maxPoints = 2000;  ///< a metric; more are merged, their extremes kept
};

struct SeriesAnswer {
    std::vector<std::vector<SeriesPoint>> series;  ///< parallel to the metrics asked for
    std::chrono::seconds step{0};                  ///< between points
    std::vector<std::string> warnings;  ///< what is missing or was skipped, a sentence each
};

struct InstantRequest {
    SeriesKind kind = SeriesKind::Gpu;
    uint32_t metric = 0;
    Time at;
};

struct InstantAnswer {
    std::shared_ptr<const std::vector<SeriesSubject>> subjects;  ///< all that were ever seen
    std::vector<float> values;                                   ///< parallel; NaN: no reading
    std::chrono::seconds step{0};                                ///< the reading may be this old
    std::vector<std::string> warnings;
};

/// Readings of the past. Two kinds exist: blocks in SQLite, and a Prometheus-compatible server.
///
/// Thread: any. Answers come on a thread of the history and must only hand over.
class SeriesHistory {
public:
    template <typename T>
    using Answer = std::function<void(StatusOr<T>)>;

    virtual ~SeriesHistory() = default;
    /// NOT_FOUND if nothing was ever recorded of the subject.
    virtual void range(SeriesRequest request, Answer<SeriesAnswer> answer) = 0;
    virtual void at(InstantRequest request, Answer<InstantAnswer> answer) = 0;
};

}  // namespace yard::domain
