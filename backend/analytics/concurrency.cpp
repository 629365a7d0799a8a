#include <algorithm>
#include <limits>

#include "backend/analytics/job_parts.h"
#include "backend/analytics/radix_sort.h"
#include "backend/analytics/run_span.h"

namespace yard::analytics {
namespace {

constexpr int kGpuBits = 20;  // the readers cap a job at a million GPUs

int64_t timeOf(uint64_t key)
{
    return int64_t(key >> kGpuBits);
}

int64_t gpusOf(uint64_t key)
{
    return int64_t(key & ((uint64_t(1) << kGpuBits) - 1));
}

struct Edges {
    std::vector<uint64_t> starts;  // seconds since `origin`, then GPUs
    std::vector<uint64_t> ends;
    int64_t origin = 0;
    int64_t assumedStarts = 0;
    int64_t openEnds = 0;
};

int64_t lastTimeOf(const JobTable& table, Rows rows)
{
    int64_t last = kNoTime;
    for (const uint32_t row : rows)
        last = std::max({last, table.submit[row], table.start[row], table.end[row]});
    return last;
}

Edges edgesOf(const JobTable& table, Rows rows)
{
    Edges edges;
    const int64_t lastTime = lastTimeOf(table, rows);
    edges.origin = std::numeric_limits<int64_t>::max();
    for (const uint32_t row : rows)
        edges.origin = std::min(edges.origin, table.submit[row]);
    for (const uint32_t row : rows) {
        if (table.gpus[row] == 0)
            continue;
        RunSpan span = runSpan(table, row);
        if (span.from == kNoTime)
            continue;
        edges.assumedStarts += span.isFromAssumed ? 1 : 0;
        if (span.to == kNoTime) {
            span.to = std::max(lastTime, span.from);
            ++edges.openEnds;
        }
        const auto gpus = uint64_t(table.gpus[row]);
        edges.starts.push_back(uint64_t(span.from - edges.origin) << kGpuBits | gpus);
        edges.ends.push_back(uint64_t(span.to - edges.origin) << kGpuBits | gpus);
    }
    radixSort(edges.starts);
    radixSort(edges.ends);
    return edges;
}

}  // namespace

void addConcurrency(const JobTable& table, Rows rows, Figures& figures)
{
    const Edges edges = edgesOf(table, rows);
    if (edges.starts.empty()) {
        figures.absent("peak_concurrent_gpus", "No job with GPUs has run.");
        return;
    }
    int64_t held = 0;
    int64_t peak = 0;
    int64_t peakAt = 0;
    int64_t gpuSeconds = 0;
    size_t end = 0;
    for (const uint64_t start : edges.starts) {
        // A GPU that is given back at a second is free for who starts at that second.
        for (; end < edges.ends.size() && timeOf(edges.ends[end]) <= timeOf(start); ++end)
            held -= gpusOf(edges.ends[end]);
        held += gpusOf(start);
        gpuSeconds -= gpusOf(start) * timeOf(start);
        if (held > peak) {
            peak = held;
            peakAt = timeOf(start);
        }
    }
    for (const uint64_t key : edges.ends)
        gpuSeconds += gpusOf(key) * timeOf(key);
    const int64_t firstStart = timeOf(edges.starts.front());
    const int64_t lastEnd = timeOf(edges.ends.back());
    figures.count("peak_concurrent_gpus", peak);
    figures.time("peak_concurrent_at", edges.origin + peakAt);
    if (lastEnd > firstStart)
        figures.number("mean_concurrent_gpus", double(gpuSeconds) / double(lastEnd - firstStart));
    figures.time("first_start", edges.origin + firstStart);
    figures.time("last_end", edges.origin + lastEnd);
    figures.count("assumed_starts", edges.assumedStarts);
    figures.count("open_ends", edges.openEnds);
}

}  // namespace yard::analytics
