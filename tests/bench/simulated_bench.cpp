#include <benchmark/benchmark.h>

#include <memory>

#include "backend/scheduler/simulated/simulated_scheduler.h"

using namespace yard;
using namespace yard::scheduler;

namespace {

/// 16,384 nodes of 8 GPUs; built once, as it takes a while.
struct LargeCluster {
    ManualClock clock{std::chrono::sys_days{std::chrono::year{2023} / 5 / 1}};
    std::shared_ptr<SimulatedCluster> cluster =
        std::make_shared<SimulatedCluster>(*parseSimulatedOptions("nodes=16384,gpus=8"), clock);
    SimulatedScheduler scheduler{cluster};

    static LargeCluster& get()
    {
        static LargeCluster large;
        return large;
    }
};

void start(benchmark::State& state)
{
    ManualClock clock{std::chrono::sys_days{std::chrono::year{2023} / 5 / 1}};
    for (auto _ : state)
        SimulatedCluster cluster(*parseSimulatedOptions("nodes=16384,gpus=8"), clock);
}

void readings(benchmark::State& state)
{
    auto& large = LargeCluster::get();
    for (auto _ : state) {
        large.clock.advance(std::chrono::seconds(1));
        benchmark::DoNotOptimize(large.cluster->readings());
    }
}

void poll(benchmark::State& state)
{
    auto& large = LargeCluster::get();
    size_t jobs = 0;
    for (auto _ : state) {
        large.clock.advance(std::chrono::seconds(2));
        jobs = large.scheduler.poll(Deadline::in(std::chrono::seconds(1)))->jobs.size();
    }
    state.counters["jobs"] = double(jobs);
}

BENCHMARK(start)->Unit(benchmark::kMillisecond)->Iterations(2);
BENCHMARK(readings)->Unit(benchmark::kMillisecond);
BENCHMARK(poll)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
