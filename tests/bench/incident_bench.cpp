// A storm of hardware events, as it comes from many kernel logs at once: 10,000 a second for a
// minute of the cluster's time. What counts is that a second of it takes much less than a second,
// and that it folds into the right few incidents.
#include <benchmark/benchmark.h>

#include <chrono>

#include "backend/control/fault_book.h"
#include "backend/control/incident_book.h"

using namespace yard;

namespace {

constexpr int kNodes = 2048;
constexpr int kPerSecond = 10'000;
constexpr int kSeconds = 60;
constexpr int kCrashes = 3;
constexpr int kNodesOfJob = 256;

std::string nodeName(int node)
{
    return "gpu" + std::to_string(1000 + node);
}

domain::Fault faultOf(int code, int node, int gpu, Time at)
{
    domain::Fault fault;
    fault.host = nodeName(node);
    fault.pci = "0000:" + std::to_string(10 + gpu) + ":00";
    fault.gpuIndex = gpu;
    fault.code = code;
    fault.text = "pid=1234, name=python, Ch 00000008";
    fault.at = at;
    return fault;
}

void fill(control::ClusterSnapshot& snapshot, Time now)
{
    std::vector<domain::Node> nodes(kNodes);
    for (int i = 0; i < kNodes; ++i) {
        nodes[size_t(i)].name = nodeName(i);
        nodes[size_t(i)].gpusTotal = 8;
    }
    snapshot.setNodes(nodes);
    for (int i = 0; i < kCrashes; ++i) {
        control::TrackedJob tracked;
        domain::Job& job = tracked.job;
        job.id = uint64_t(i + 1);
        job.displayId = std::to_string(i + 1);
        job.state = domain::JobState::Running;
        job.startTime = now - std::chrono::hours(1);
        job.gpus = kNodesOfJob * 8;
        for (int node = 0; node < kNodesOfJob; ++node)
            job.nodes.push_back(nodeName(i * kNodesOfJob + node));
        snapshot.putJob({job.id, 0}, tracked);
    }
}

// A part breaks under each of three jobs; then all their GPUs say so, again and again.
void storm(benchmark::State& state)
{
    double longest = 0;
    size_t incidents = 0;
    for (auto _ : state) {
        ManualClock clock{Time(std::chrono::seconds(1'790'010'000))};
        control::ClusterSnapshot snapshot(clock, {});
        fill(snapshot, clock.now());
        control::IncidentBook book(snapshot, clock);
        control::FaultBook faults;
        for (int second = 0; second < kSeconds; ++second) {
            std::vector<domain::Fault> batch;
            if (second % 20 == 0)
                batch.push_back(faultOf(79, second / 20 * kNodesOfJob + 7, 3, clock.now()));
            for (int i = 0; i < kPerSecond; ++i) {
                const int crash = i % (second / 20 + 1);
                const int node = crash * kNodesOfJob + (i / 3) % kNodesOfJob;
                batch.push_back(faultOf(i % 2 ? 45 : 43, node, i / 768 % 8, clock.now()));
            }
            const auto begin = std::chrono::steady_clock::now();
            for (const domain::Fault& fault : batch)
                book.takeFault(fault);
            benchmark::DoNotOptimize(
                faults.add(std::move(batch), snapshot.readings(), clock.now()));
            benchmark::DoNotOptimize(book.takeChanged());
            longest = std::max(
                longest,
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
            clock.advance(std::chrono::seconds(1));
        }
        incidents = book.all().size();
    }
    state.counters["incidents"] = double(incidents);
    state.counters["longest_second_ms"] = longest * 1000;
    state.SetItemsProcessed(int64_t(state.iterations()) * kPerSecond * kSeconds);
    if (incidents != kCrashes)
        state.SkipWithError("not three incidents");
}
BENCHMARK(storm)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
