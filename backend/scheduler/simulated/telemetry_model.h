#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backend/domain/readings.h"
#include "backend/scheduler/simulated/gpu_pool.h"
#include "backend/scheduler/simulated/workload_tables.h"

namespace yard::scheduler {

/// How a host's exporters behave.
enum class HostVoice : uint8_t { Answers, Silent, Stale, WithoutProfiling };

/// What GPUs and hosts would measure. A GPU's values follow the rank of its job's intensity through
/// the quantiles published for the cluster; the rank wanders with time. Values are functions of
/// time, so how often they are read changes nothing.
///
/// Times are seconds of the clock since the start.
class TelemetryModel {
public:
    TelemetryModel(WorkloadProfile profile, uint64_t seed, std::vector<std::string> hosts,
                   int gpusPerNode);

    /// Returns the slot for jobStopped().
    int jobStarted(WorkloadType type, uint64_t seed, const Placement& placement, double at,
                   double runSeconds);
    void jobStopped(int slot, const Placement& placement, double at);

    void setVoice(uint32_t node, HostVoice voice) { m_voices[node] = voice; }
    /// From now on the host repeats what it says at `at`.
    void freeze(uint32_t node, double at, Time stamp);
    HostVoice voice(uint32_t node) const { return m_voices[node]; }
    void setGpuLost(uint32_t node, int gpu, bool lost);
    void setLastXid(uint32_t node, int gpu, int code);
    /// The driver was loaded anew: counters and sticky values start over.
    void rebooted(uint32_t node, double at);
    const std::string& pci(uint32_t node, int gpu) const;

    std::vector<domain::HostReadings> read(double at, Time stamp) const;

private:
    struct Gpu {
        int slot = -1;
        float temperature = 31;  ///< of the core, when the job last changed
        float memoryTemperature = 41;
        double since = 0;
        double joules = 0;
        uint16_t lastXid = 0;
        bool lost = false;
    };
    struct Job {
        WorkloadType type = WorkloadType::Other;
        uint64_t seed = 0;
        bool severalNodes = false;
        double start = 0;
        double run = 0;
    };
    /// What a job does right now, worked out once for all its GPUs.
    struct Moment {
        float rank = 0;  ///< [0, 2): folded to [0, 1] per GPU
        float memoryRank = 0;
        float busy = 1;  ///< 0 while it loads, saves or computes metrics
        float network = 0;
    };
    /// A quantile function, tabulated.
    struct Quantiles {
        explicit Quantiles(const std::vector<std::array<float, 2>>& points);
        float operator()(float rank) const;
        std::array<float, 257> values;
    };
    Moment moment(const Job& job, double at) const;
    float restingWatts(const Gpu& gpu) const;
    void settle(Gpu& gpu, double at);
    void readGpu(size_t number, const Moment* moment, double at, domain::GpuReading& into) const;
    void readNode(uint32_t node, float gpuWatts, float busyShare, const Moment* moment, double at,
                  domain::HostReadings& into) const;
    void readHost(uint32_t node, const std::vector<Moment>& moments, double at,
                  domain::HostReadings& into) const;
    std::vector<Moment> momentsAt(double at) const;

    const uint64_t m_seed;
    const int m_gpusPerNode;
    const Quantiles m_power, m_sm, m_utilization, m_tensor, m_memory;
    const Quantiles m_coreTemperature, m_memoryTemperature;  ///< over watts / kMostWatts
    const Quantiles m_cpu, m_hostMemory;
    std::vector<Gpu> m_gpus;
    std::vector<Job> m_jobs;
    std::vector<int> m_freeSlots;
    std::vector<HostVoice> m_voices;
    std::vector<domain::HostReadings> m_blank;  ///< names and identities, no values
    std::map<uint32_t, domain::HostReadings> m_frozen;
};

}  // namespace yard::scheduler
