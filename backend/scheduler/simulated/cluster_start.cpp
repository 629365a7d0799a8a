#include <fmt/format.h>

#include <algorithm>

#include "backend/scheduler/simulated/cluster_engine.h"

namespace yard::scheduler {
namespace {

constexpr SimTime kStaleFor = 7 * kMinute;
constexpr int kFewestNodesForOddities = 24;

std::string numbered(const char* prefix, int number, int greatest)
{
    const int width = std::max(prefix[1] == '\0' ? 2 : 3, int(std::to_string(greatest).size()));
    return fmt::format("{}{:0{}}", prefix, number, width);
}

std::string switchName(int number, int count)
{
    return fmt::format("sw{:0{}}", number, std::max(2, int(std::to_string(count).size())));
}

}  // namespace

void ClusterEngine::buildNodes()
{
    const int count = m_options.nodes;
    const int switches = (count + m_options.switchNodes - 1) / m_options.switchNodes;
    const int racks = (count + m_options.rackNodes - 1) / m_options.rackNodes;
    domain::Switch spine{"spine", 1, {}, {}};
    std::vector<std::string> names;
    m_nodes.resize(size_t(count));
    for (int i = 0; i < count; ++i) {
        auto& shown = m_nodes[size_t(i)].shown;
        shown.name = numbered("gpu", i + 1, count);
        shown.switchName = switchName(1 + i / m_options.switchNodes, switches);
        shown.rack = numbered("r", 1 + i / m_options.rackNodes, racks);
        shown.version = "22.05.8";
        shown.bootTime = m_scale.wall(-SimTime(m_random.between(1, 40) * double(kDay)));
        shown.cpusTotal = 16 * m_options.gpus;
        shown.memoryTotalMib = int64_t(1'031'000) * std::max(8, m_options.gpus) / 8;
        shown.gpusTotal = m_options.gpus;
        shown.gpuType = "a100-sxm4-80gb";
        if (m_switches.empty() || m_switches.back().name != shown.switchName) {
            m_switches.push_back({shown.switchName, 0, {}, {}});
            spine.children.push_back(shown.switchName);
        }
        m_switches.back().nodes.push_back(shown.name);
        m_nodeByName[shown.name] = uint32_t(i);
        names.push_back(shown.name);
    }
    m_switches.push_back(std::move(spine));
    m_telemetry.emplace(m_options.profile, m_options.seed, std::move(names), m_options.gpus);
}

void ClusterEngine::buildPartitions()
{
    std::vector<uint32_t> all(m_nodes.size());
    for (size_t i = 0; i < all.size(); ++i)
        all[i] = uint32_t(i);
    const std::vector<uint32_t> train(all.begin(), all.begin() + m_trainNodes);
    const std::vector<std::vector<uint32_t>> lists{train, all, all};
    const int64_t limits[kPartitionCount]{30 * 86400, 86400, 14 * 86400};
    for (int i = 0; i < kPartitionCount; ++i) {
        domain::Partition partition;
        partition.name = kPartitionNames[i];
        partition.state = "UP";
        partition.isDefault = i == kBatch;
        partition.maxTime.seconds = limits[i];
        for (uint32_t node : lists[size_t(i)]) {
            partition.nodes.push_back(m_nodes[node].shown.name);
            m_nodes[node].shown.partitions.push_back(partition.name);
        }
        m_partitions.push_back(std::move(partition));
    }
    m_pool.emplace(m_options.nodes, m_options.gpus, lists);
    for (uint32_t node = 0; node < m_nodes.size(); ++node)
        refresh(node);
}

/// Standing exceptions, so that every state can be seen and tried.
void ClusterEngine::placeOddities()
{
    if (!m_options.oddities || m_options.nodes < kFewestNodesForOddities)
        return;
    const auto at = [&](double share) { return uint32_t(share * (m_options.nodes - 1)); };
    const auto drain = [&](uint32_t node, const char* reason, const char* user,
                           uint32_t flags = 0) {
        m_nodes[node].flags |= kDrain | flags;
        setReason(node, reason, user);
        refresh(node);
    };
    const auto reserve = [&](double share, uint32_t flag, domain::Reservation reservation) {
        for (uint32_t node = at(share), end = node + 4; node < end; ++node) {
            m_nodes[node].flags |= flag;
            m_nodes[node].shown.reservation = reservation.name;
            reservation.nodes.push_back(m_nodes[node].shown.name);
            refresh(node);
        }
        m_reservations.push_back(std::move(reservation));
    };
    drain(at(.11), "ECC errors on GPU 3, RMA 48213", "root");
    drain(at(.47), "firmware update of the HCA", "ops1");
    drain(at(.73), "gres/gpu count reported lower than configured (7 < 8)", "slurm", kInvalidReg);
    m_telemetry->setGpuLost(at(.73), m_options.gpus - 1, true);
    reserve(.30, kMaintenance,
            {"maint-cooling",
             {},
             {"MAINT", "IGNORE_JOBS"},
             "root",
             m_scale.wall(-2 * kHour),
             m_scale.wall(0) + std::chrono::hours(6)});
    reserve(.62, kReserved,
            {"pt-123b-launch",
             {},
             {"SPEC_NODES"},
             "u3f2a",
             m_scale.wall(-kHour),
             m_scale.wall(0) + std::chrono::hours(24)});
    m_nodes[at(.56)].flags |= kPlanned;
    refresh(at(.56));
    const int lost = 1 + m_options.nodes / 200;
    for (int i = 0; i < lost; ++i) {
        const uint32_t node = at(.05 + .9 * (i + .37) / lost);
        if (!m_nodes[node].takesJobs())
            continue;
        m_nodes[node].dead = true;
        m_nodes[node].flags |= kNotResponding;
        m_telemetry->setVoice(node, HostVoice::Silent);
        setDown(node, "Not responding", "slurm");
    }
    m_telemetry->setVoice(at(.20), HostVoice::Silent);
    m_telemetry->setVoice(at(.83), HostVoice::WithoutProfiling);
}

/// What still runs from before the warm-up, oldest first, then the arrivals.
void ClusterEngine::runEarlierJobs()
{
    if (m_workload.jobsPerSecond() <= 0)
        return;
    struct Earlier {
        SimTime start;
        JobDraw draw;
    };
    std::vector<Earlier> earlier;
    for (size_t i = 0; i < kWorkloadTypes; ++i) {
        const auto type = WorkloadType(i);
        const double rate = m_workload.jobsPerSecond(type);
        constexpr double kStep = 1.1;
        for (double age = 1; rate > 0 && age < 1.3e6; age *= kStep) {
            const double running = 1 - m_workload.table(type).runSeconds.at(age * kStep);
            const auto count = m_random.poisson(rate * running * age * (kStep - 1));
            for (uint64_t n = 0; n < count; ++n) {
                const double exact = age * m_random.between(1, kStep);
                earlier.push_back({m_now - SimTime(exact * double(kSecond)),
                                   m_workload.drawRunning(m_random, type, exact)});
            }
        }
    }
    std::stable_sort(earlier.begin(), earlier.end(),
                     [](const Earlier& a, const Earlier& b) { return a.start < b.start; });
    for (const auto& [start, draw] : earlier) {
        SimJob& job = addJob(draw, start - SimTime(draw.queueSeconds * double(kSecond)));
        if (auto placement = m_pool->allocate(job.request); !placement.empty())
            startJob(job, std::move(placement), start);
        else
            letWait(job, m_now);
    }
    m_events.plan(m_now + 1, EventKind::Arrival);
}

/// What must be seen in the middle of happening when the cluster is first looked at.
void ClusterEngine::lateOddities()
{
    const bool wanted = m_options.oddities && m_options.nodes >= kFewestNodesForOddities;
    if (wanted) {
        advanceTo(-kStaleFor);
        const auto stale = uint32_t(.91 * (m_options.nodes - 1));
        m_telemetry->freeze(stale, m_scale.wallSeconds(m_now), m_scale.wall(m_now));
        advanceTo(-2 * kMinute);
        rebootNextIdle();
        const auto busy = std::find_if(m_nodes.begin(), m_nodes.end(), [&](const SimNode& node) {
            return node.takesJobs() && !node.jobs.empty() &&
                   m_jobs.at(node.jobs.front()).runTime > 6 * kHour;
        });
        if (busy != m_nodes.end()) {
            const auto node = uint32_t(busy - m_nodes.begin());
            busy->flags |= kDrain;
            setReason(node, "NVLink CRC errors on GPU 5", "ops1");
            refresh(node);
        }
    }
    advanceTo(0);
}

}  // namespace yard::scheduler
