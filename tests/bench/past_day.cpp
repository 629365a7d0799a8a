// Makes a state directory with a day behind it: 588 nodes × 8 GPUs × 8 metrics every 15 seconds,
// and 100,000 jobs, so that the time cursor can be measured on a daemon that serves it. Arguments:
// folder, hours. The day ends now.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <future>
#include <random>

#include "backend/domain/metric.h"
#include "backend/store/journal.h"
#include "backend/store/series/series_store.h"

using namespace yard;
using domain::GpuMetric;

namespace {

constexpr int kNodes = 588;
constexpr size_t kGpus = size_t(kNodes) * 8;
constexpr int kJobsADay = 100'000;
constexpr size_t kRunning = 560;
constexpr size_t kEndedInView = 5000;

std::string nodeName(int node)
{
    return fmt::format("gpu{:03}", node + 1);
}

template <typename Call>
void wait(Call call)
{
    std::promise<Status> done;
    call([&](Status status) { done.set_value(std::move(status)); });
    if (const Status status = done.get_future().get(); !status.ok()) {
        std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
        std::exit(1);
    }
}

/// Jobs that come, run on some nodes, end and go out of view.
class Jobs {
public:
    explicit Jobs(store::Journal& journal)
        : m_journal(journal)
    {
    }

    void begin(Time at)
    {
        store::StatesSeen seen{.isAnew = true, .versions = {}};
        domain::Switch leaf{.name = "leaf", .level = 0, .nodes = {}, .children = {}};
        domain::Partition partition{
            .name = "main", .state = "UP", .isDefault = true, .maxTime = {}, .nodes = {}};
        for (int i = 0; i < kNodes; ++i) {
            domain::Node node;
            node.name = nodeName(i);
            node.state = domain::NodeState::Mixed;
            node.stateText = "MIXED";
            node.partitions = {"main"};
            node.switchName = fmt::format("leaf{:02}", i / 32);
            node.gpusTotal = 8;
            seen.versions.push_back({store::StateKind::Node, node.name, store::packBody(node)});
            partition.nodes.push_back(node.name);
        }
        store::KeptParts parts{
            .cluster = "day", .partitions = {partition}, .reservations = {}, .switches = {}};
        for (int first = 0; first < kNodes; first += 32) {
            leaf.name = fmt::format("leaf{:02}", first / 32);
            leaf.nodes.clear();
            for (int i = first; i < std::min(kNodes, first + 32); ++i)
                leaf.nodes.push_back(nodeName(i));
            parts.switches.push_back(leaf);
        }
        seen.versions.push_back({store::StateKind::Parts, "", store::packBody(parts)});
        write(at, std::move(seen));
    }

    void step(Time at, int arrivals)
    {
        store::StatesSeen seen;
        for (; arrivals > 0; --arrivals)
            arrive(at, seen);
        while (m_running.size() > kRunning)
            end(at, seen);
        write(at, std::move(seen));
    }
    uint64_t count() const { return m_lastId; }

private:
    void put(const store::KeptJob& kept, store::StatesSeen& seen)
    {
        seen.versions.push_back(
            {store::StateKind::Job, fmt::format("{} 0", kept.job.id), store::packBody(kept)});
    }
    void arrive(Time at, store::StatesSeen& seen)
    {
        store::KeptJob kept;
        domain::Job& job = kept.job;
        job.id = ++m_lastId;
        job.displayId = std::to_string(job.id);
        job.name = fmt::format("eval-{}", m_random() % 500);
        job.user = fmt::format("user{:02}", m_random() % 60);
        job.account = "llm";
        job.partition = "main";
        job.qos = "normal";
        job.state = domain::JobState::Running;
        job.stateText = "RUNNING";
        job.submitTime = at - std::chrono::seconds(m_random() % 600);
        job.startTime = at;
        job.timeLimit.seconds = 86400;
        const int first = int(m_random() % kNodes);
        const int nodes = m_random() % 20 == 0 ? 8 : 1;
        for (int i = 0; i < nodes; ++i) {
            job.nodes.push_back(nodeName((first + i) % kNodes));
            job.gpuIndices[job.nodes.back()] = {0, 1, 2, 3, 4, 5, 6, 7};
        }
        job.nodeCount = nodes;
        job.gpus = nodes * 8;
        job.cpus = nodes * 128;
        job.workDirectory = fmt::format("/home/{}/runs/{}", job.user, job.id);
        job.standardOutput = job.workDirectory + "/slurm-" + job.displayId + ".out";
        put(kept, seen);
        m_running.push_back(std::move(kept));
    }
    void end(Time at, store::StatesSeen& seen)
    {
        const size_t which = m_random() % m_running.size();
        std::swap(m_running[which], m_running.back());
        store::KeptJob kept = std::move(m_running.back());
        m_running.pop_back();
        kept.job.state =
            m_random() % 3 == 0 ? domain::JobState::Failed : domain::JobState::Completed;
        kept.job.stateText = std::string(name(kept.job.state));
        kept.job.endTime = at;
        put(kept, seen);
        m_ended.push_back(kept.job.id);
        if (m_ended.size() > kEndedInView) {
            seen.versions.push_back(
                {store::StateKind::Job, fmt::format("{} 0", m_ended.front()), std::nullopt});
            m_ended.pop_front();
        }
    }
    void write(Time at, store::StatesSeen seen)
    {
        store::JournalEntry entry{.at = at};
        entry.states = std::move(seen);
        wait([&](auto done) { m_journal.write(std::move(entry), done); });
    }

    store::Journal& m_journal;
    std::mt19937 m_random{7};
    uint64_t m_lastId = 0;
    std::vector<store::KeptJob> m_running;
    std::deque<uint64_t> m_ended;
};

void readings(std::mt19937& random, int64_t second, std::vector<std::vector<float>>& values)
{
    for (const auto metric :
         {GpuMetric::SmActivity, GpuMetric::GpuUtilization, GpuMetric::MemoryUsed, GpuMetric::Power,
          GpuMetric::CoreTemperature, GpuMetric::MemoryTemperature, GpuMetric::SmClock,
          GpuMetric::NvlinkBandwidth})
        values[size_t(metric)].resize(kGpus);
    for (size_t gpu = 0; gpu < kGpus; ++gpu) {
        const bool busy = (uint64_t(second) / 7200 + gpu / 8) % 3 != 0;
        const float noise = float(random() % 1000) / 1000.F;
        const float sm = busy ? 60 + noise * 5 : 0;
        values[size_t(GpuMetric::SmActivity)][gpu] = sm;
        values[size_t(GpuMetric::GpuUtilization)][gpu] = busy ? std::round(93 + noise * 6) : 0;
        values[size_t(GpuMetric::MemoryUsed)][gpu] = busy ? 70000 : 4;
        values[size_t(GpuMetric::Power)][gpu] = 61 + sm * 5 + noise;
        values[size_t(GpuMetric::CoreTemperature)][gpu] = std::round((busy ? 60 : 30) + noise);
        values[size_t(GpuMetric::MemoryTemperature)][gpu] = std::round((busy ? 70 : 33) + noise);
        values[size_t(GpuMetric::SmClock)][gpu] = busy ? 1410 : 210;
        values[size_t(GpuMetric::NvlinkBandwidth)][gpu] = sm * 2.1e9F;
    }
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    const std::string folder = argv[1];
    const int64_t seconds = int64_t(std::atof(argv[2]) * 3600);
    const SystemClock clock;
    const Time end = clock.now();
    auto journal = store::Journal::open(folder + "/journal.db");
    auto series = store::SeriesStore::open(folder + "/series.db", clock);
    if (!journal.ok() || !series.ok())
        return 1;
    auto subjects = std::make_shared<std::vector<domain::SeriesSubject>>();
    for (size_t gpu = 0; gpu < kGpus; ++gpu)
        subjects->push_back({nodeName(int(gpu / 8)), int(gpu % 8), fmt::format("GPU-{}", gpu)});
    std::mt19937 random(20240416);
    Jobs jobs(**journal);
    jobs.begin(end - std::chrono::seconds(seconds));
    int64_t arrived = 0;
    for (int64_t second = 0; second < seconds; second += 15) {
        const Time at = end - std::chrono::seconds(seconds - second);
        const int64_t due = kJobsADay * (second + 15) / seconds;
        jobs.step(at, int(due - arrived));
        arrived = due;
        store::SeriesTick tick;
        tick.at = at;
        tick.kinds[0].subjects = subjects;
        tick.kinds[0].values.resize(domain::kGpuMetricCount);
        readings(random, second, tick.kinds[0].values);
        (*series)->append(std::move(tick));
        if (second % 150 == 0)
            wait([&](auto done) { (*series)->flush(done); });
    }
    std::printf("%llu jobs, %lld seconds\n", static_cast<unsigned long long>(jobs.count()),
                static_cast<long long>(seconds));
    return 0;
}
