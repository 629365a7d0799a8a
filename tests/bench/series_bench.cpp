// A day of 588 nodes × 8 GPUs × 8 metrics every 15 s: bytes a sample, the heatmap at any instant,
// one GPU over the day, and the cost of writing. The data is made like DCGM's: utilisation and
// activity that jitter while a job runs, power that follows, memory that stays, temperature in
// whole degrees.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cmath>
#include <filesystem>
#include <future>
#include <random>

#include "backend/domain/metric.h"
#include "backend/store/series/series_store.h"

using namespace yard;
using domain::GpuMetric;
using domain::SeriesKind;

namespace {

constexpr int kNodes = 588;
constexpr size_t kGpus = size_t(kNodes) * 8;
constexpr int64_t kStart = 1'790'006'400;
constexpr int64_t kDay = 86400;
constexpr std::array kMetrics = {GpuMetric::SmActivity,      GpuMetric::GpuUtilization,
                                 GpuMetric::MemoryUsed,      GpuMetric::Power,
                                 GpuMetric::CoreTemperature, GpuMetric::MemoryTemperature,
                                 GpuMetric::SmClock,         GpuMetric::NvlinkBandwidth};

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/// One GPU: busy and idle phases of some hours, noise of every source.
struct Gpu {
    bool busy = false;
    int64_t until = 0;
    float level = 0;
    float temperature = 30;
    float memory = 0;
};

class Day {
public:
    static Day& get()
    {
        static Day day;
        return day;
    }
    store::SeriesStore& history() { return *m_store; }
    const domain::SeriesSubject& subject(size_t gpu) const { return (*m_subjects)[gpu]; }
    double bytesPerSample() const { return double(m_bytes) / double(m_samples); }
    double cpuPerMillion() const { return m_cpu / (double(m_samples) / 1e6); }

private:
    Day()
        : m_clock(Time(std::chrono::seconds(kStart)))
        , m_folder(std::filesystem::temp_directory_path() / "yard-series-bench")
    {
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
        auto store = store::SeriesStore::open((m_folder / "series.db").string(), m_clock);
        if (!store.ok())
            std::abort();
        m_store = *std::move(store);
        auto subjects = std::make_shared<std::vector<domain::SeriesSubject>>();
        for (size_t gpu = 0; gpu < kGpus; ++gpu)
            subjects->push_back(
                {"gpu" + std::to_string(gpu / 8), int(gpu % 8), "GPU-" + std::to_string(gpu)});
        m_subjects = subjects;
        for (int64_t second = kStart; second < kStart + kDay + 600; second += 15)
            tick(second);
        flush();
        // Closed and opened again: the log is merged into the file, as after a restart.
        m_store.reset();
        m_bytes = std::filesystem::file_size(m_folder / "series.db");
        m_store = *store::SeriesStore::open((m_folder / "series.db").string(), m_clock);
    }
    ~Day()
    {
        m_store.reset();
        std::filesystem::remove_all(m_folder);
    }
    void tick(int64_t second)
    {
        store::SeriesTick tick;
        tick.at = Time(std::chrono::seconds(second));
        tick.kinds[0].subjects = m_subjects;
        tick.kinds[0].values.resize(domain::kGpuMetricCount);
        for (const GpuMetric metric : kMetrics)
            tick.kinds[0].values[size_t(metric)].resize(kGpus);
        for (size_t gpu = 0; gpu < kGpus; ++gpu)
            measure(gpu, second, tick.kinds[0].values);
        m_samples += kGpus * kMetrics.size();
        m_clock.advance(std::chrono::seconds(15));
        const double before = cpuSeconds();
        m_store->append(std::move(tick));
        flush(second % 300 == 285);
        m_cpu += cpuSeconds() - before;
    }
    void measure(size_t gpu, int64_t second, std::vector<std::vector<float>>& values)
    {
        Gpu& state = m_gpus[gpu];
        if (second >= state.until) {
            state.busy = m_random() % 3 != 0;
            state.until = second + 1800 + int64_t(m_random() % 20000);
            state.level = state.busy ? 40.F + float(m_random() % 55) : 0;
            state.memory = state.busy ? 20000.F + float(m_random() % 60000) : 4;
        }
        const float noise = float(m_random() % 1000) / 1000.F - 0.5F;
        const float sm = state.busy ? std::clamp(state.level + noise * 3, 0.F, 100.F) : 0;
        state.temperature += ((state.busy ? 62.F : 31.F) - state.temperature) * 0.02F;
        values[size_t(GpuMetric::SmActivity)][gpu] = sm;
        values[size_t(GpuMetric::GpuUtilization)][gpu] =
            state.busy ? std::round(96 + noise * 6) : 0;
        values[size_t(GpuMetric::MemoryUsed)][gpu] = state.memory;
        values[size_t(GpuMetric::Power)][gpu] = 61 + sm * 3.4F + noise * (state.busy ? 8.F : 0.6F);
        values[size_t(GpuMetric::CoreTemperature)][gpu] = std::round(state.temperature + noise);
        values[size_t(GpuMetric::MemoryTemperature)][gpu] = std::round(state.temperature * 1.2F);
        values[size_t(GpuMetric::SmClock)][gpu] = state.busy ? 1410 : 210;
        values[size_t(GpuMetric::NvlinkBandwidth)][gpu] = sm * 2.1e9F;
    }
    void flush(bool needed = true)
    {
        if (!needed)
            return;
        std::promise<Status> done;
        m_store->flush([&](Status status) { done.set_value(std::move(status)); });
        if (!done.get_future().get().ok())
            std::abort();
    }

    ManualClock m_clock;
    std::filesystem::path m_folder;
    std::unique_ptr<store::SeriesStore> m_store;
    std::shared_ptr<const std::vector<domain::SeriesSubject>> m_subjects;
    std::vector<Gpu> m_gpus{kGpus};
    std::mt19937 m_random{20240416};
    uint64_t m_samples = 0;
    uint64_t m_bytes = 0;
    double m_cpu = 0;
};

void heatmapAtAnInstant(benchmark::State& state)
{
    Day& day = Day::get();
    std::mt19937 random(1);
    for (auto _ : state) {
        std::promise<StatusOr<domain::InstantAnswer>> done;
        day.history().at({SeriesKind::Gpu, uint32_t(kMetrics[random() % kMetrics.size()]),
                          Time(std::chrono::seconds(kStart + int64_t(random() % kDay)))},
                         [&](auto answer) { done.set_value(std::move(answer)); });
        const auto answer = done.get_future().get();
        if (!answer.ok() || answer->values.size() != kGpus || std::isnan(answer->values[7]))
            state.SkipWithError("no complete answer");
    }
    state.counters["bytes_per_sample"] = day.bytesPerSample();
    state.counters["cpu_s_per_million"] = day.cpuPerMillion();
}

void oneGpuOverADay(benchmark::State& state)
{
    Day& day = Day::get();
    std::mt19937 random(2);
    std::vector<uint32_t> metrics;
    for (const GpuMetric metric : kMetrics)
        metrics.push_back(uint32_t(metric));
    for (auto _ : state) {
        std::promise<StatusOr<domain::SeriesAnswer>> done;
        day.history().range(
            {SeriesKind::Gpu, day.subject(random() % kGpus), metrics,
             Time(std::chrono::seconds(kStart)), Time(std::chrono::seconds(kStart + kDay)), 2000},
            [&](auto answer) { done.set_value(std::move(answer)); });
        const auto answer = done.get_future().get();
        if (!answer.ok() || answer->series.at(0).size() < 1900)
            state.SkipWithError("no complete answer");
    }
}

BENCHMARK(heatmapAtAnInstant)
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(9)
    ->ReportAggregatesOnly();
BENCHMARK(oneGpuOverADay)->Unit(benchmark::kMillisecond)->Repetitions(9)->ReportAggregatesOnly();

}  // namespace

BENCHMARK_MAIN();
