#include "backend/scheduler/simulated/telemetry_model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "backend/scheduler/simulated/random.h"

namespace yard::scheduler {
namespace {

using domain::GpuMetric;
using domain::NodeMetric;
using Points = std::vector<std::array<float, 2>>;

constexpr float kIdleWatts = 60;
constexpr float kMostWatts = 600;
constexpr float kGpuMemoryMib = 81920;
constexpr float kHostMemoryMib = 1'031'000;
constexpr float kInfinibandBytes = 25e9f;  // 200 Gb/s
constexpr double kWarmUpSeconds = 90;
constexpr std::array<const char*, 8> kBuses{"07", "0f", "47", "4e", "87", "90", "b7", "bd"};

// The ranks are of allocated GPUs; the published quantiles are of all, of which 31 % do nothing.
bool isKalos(WorkloadProfile profile)
{
    return profile == WorkloadProfile::Kalos;
}
Points power(WorkloadProfile profile)
{
    if (isKalos(profile))
        return {{0, 62},      {.27f, 101},  {.64f, 372}, {.855f, 404},
                {.928f, 413}, {.986f, 442}, {1, 600}};
    return {{0, 62}, {.275f, 96}, {.638f, 291}, {.855f, 395}, {.928f, 408}, {.986f, 439}, {1, 558}};
}
Points smActivity(WorkloadProfile profile)
{
    if (isKalos(profile))
        return {{0, 3}, {.275f, 33.5f}, {.64f, 72}, {.9f, 88}, {1, 97}};
    return {{0, 3}, {.275f, 50}, {.64f, 66}, {.9f, 82}, {1, 96}};
}
Points tensor(WorkloadProfile profile)
{
    if (isKalos(profile))
        return {{0, .5f}, {.275f, 9.4f}, {.855f, 25.1f}, {1, 48}};
    return {{0, .5f}, {.275f, 14}, {.855f, 23.8f}, {1, 45}};
}
Points memory(WorkloadProfile profile)
{
    if (isKalos(profile))
        return {{0, 22}, {.02f, 25}, {.275f, 75.5f}, {.6f, 85}, {1, 97}};
    return {{0, 22}, {.02f, 25}, {.275f, 39.3f}, {.64f, 70}, {.855f, 88}, {1, 97}};
}

float unit(uint64_t bits)
{
    return float(bits & 0xffffff) * 0x1.0p-24f;
}

// Smooth noise in [-1, 1]: hashes of the two enclosing grid points, blended.
struct Noise {
    float first, second;
};
Noise noise(uint64_t key, double at, double period)
{
    const double position = at / period;
    const double cell = std::floor(position);
    const float x = float(position - cell);
    const float blend = x * x * (3 - 2 * x);
    const uint64_t a = mix(key ^ (uint64_t(int64_t(cell)) * 0x9e3779b97f4a7c15ull));
    const uint64_t b = mix(key ^ (uint64_t(int64_t(cell) + 1) * 0x9e3779b97f4a7c15ull));
    const auto between = [blend](float from, float to) {
        return 2 * (from + (to - from) * blend) - 1;
    };
    return {between(unit(a), unit(b)), between(unit(a >> 32), unit(b >> 32))};
}

float fold(float rank)
{
    rank = std::fmod(std::fabs(rank), 2.0f);
    return rank > 1 ? 2 - rank : rank;
}

std::string uuid(uint64_t seed, uint64_t gpu)
{
    const uint64_t a = mix(seed ^ mix(gpu));
    const uint64_t b = mix(a);
    char text[48];
    std::snprintf(text, sizeof text, "GPU-%08x-%04x-%04x-%04x-%012llx", unsigned(a >> 32),
                  unsigned(a >> 16 & 0xffff), unsigned(a & 0xffff), unsigned(b >> 48),
                  static_cast<unsigned long long>(b & 0xffffffffffff));
    return text;
}

std::string pciAddress(int gpu)
{
    char text[24];
    if (size_t(gpu) < kBuses.size())
        std::snprintf(text, sizeof text, "0000:%s:00.0", kBuses[size_t(gpu)]);
    else
        std::snprintf(text, sizeof text, "0001:%02x:00.0", unsigned(gpu));
    return text;
}

}  // namespace

TelemetryModel::Quantiles::Quantiles(const Points& points)
{
    for (size_t i = 0; i < values.size(); ++i) {
        const float rank = float(i) / float(values.size() - 1);
        size_t next = 1;
        while (next + 1 < points.size() && points[next][0] < rank)
            ++next;
        const auto& [x0, y0] = points[next - 1];
        const auto& [x1, y1] = points[next];
        values[i] = y0 + (y1 - y0) * std::clamp((rank - x0) / (x1 - x0), 0.0f, 1.0f);
    }
}

float TelemetryModel::Quantiles::operator()(float rank) const
{
    const float position = std::clamp(rank, 0.0f, 1.0f) * 255.999f;
    const size_t i = size_t(position);
    return values[i] + (values[i + 1] - values[i]) * (position - float(i));
}

TelemetryModel::TelemetryModel(WorkloadProfile profile, uint64_t seed,
                               std::vector<std::string> hosts, int gpusPerNode)
    : m_seed(mix(seed))
    , m_gpusPerNode(gpusPerNode)
    , m_power(power(profile))
    , m_sm(smActivity(profile))
    , m_utilization(Points{{0, 35}, {.1f, 75}, {.27f, 98.5f}, {.3f, 100}, {1, 100}})
    , m_tensor(tensor(profile))
    , m_memory(memory(profile))
    , m_coreTemperature(Points{{0, 24},
                               {.1f, 30},
                               {.16f, 39},
                               {.485f, 54},
                               {.658f, 61},
                               {.68f, 65},
                               {.732f, 69},
                               {1, 80}})
    , m_memoryTemperature(Points{{0, 34},
                                 {.1f, 41},
                                 {.16f, 51},
                                 {.485f, 60},
                                 {.658f, 64},
                                 {.68f, 66},
                                 {.732f, 69},
                                 {1, 82}})
    , m_cpu(isKalos(profile) ? Points{{0, 1}, {.5f, 20}, {.9f, 40}, {1, 80}}
                             : Points{{0, .5f}, {.5f, 8}, {.9f, 45}, {1, 90}})
    , m_hostMemory(isKalos(profile) ? Points{{0, 2}, {.5f, 7.2f}, {.99f, 43.5f}, {1, 48}}
                                    : Points{{0, 3}, {.5f, 15}, {.99f, 53}, {1, 60}})
    , m_gpus(hosts.size() * size_t(gpusPerNode))
    , m_voices(hosts.size(), HostVoice::Answers)
    , m_blank(hosts.size())
{
    const domain::SharedText model = "NVIDIA A100-SXM4-80GB";
    std::vector<domain::SharedText> addresses;
    for (int i = 0; i < gpusPerNode; ++i)
        addresses.emplace_back(pciAddress(i));
    for (size_t node = 0; node < hosts.size(); ++node) {
        m_blank[node].host = std::move(hosts[node]);
        m_blank[node].gpus.resize(size_t(gpusPerNode));
        for (int i = 0; i < gpusPerNode; ++i) {
            const size_t number = node * size_t(gpusPerNode) + size_t(i);
            auto& gpu = m_blank[node].gpus[size_t(i)];
            gpu.index = i;
            gpu.uuid = uuid(m_seed, number);
            gpu.pci = addresses[size_t(i)];
            gpu.model = model;
            m_gpus[number].since = -86400.0 * (1 + 30 * unit(mix(m_seed + node)));
        }
    }
}

int TelemetryModel::jobStarted(WorkloadType type, uint64_t seed, const Placement& placement,
                               double at, double runSeconds)
{
    int slot = int(m_jobs.size());
    if (m_freeSlots.empty()) {
        m_jobs.emplace_back();
    } else {
        slot = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    m_jobs[size_t(slot)] = {type, mix(seed ^ m_seed), placement.size() > 1, at, runSeconds};
    for (const auto& share : placement)
        for (int i = 0; i < m_gpusPerNode; ++i)
            if (share.gpus >> i & 1) {
                auto& gpu = m_gpus[share.node * size_t(m_gpusPerNode) + size_t(i)];
                settle(gpu, at);
                gpu.slot = slot;
            }
    return slot;
}

void TelemetryModel::jobStopped(int slot, const Placement& placement, double at)
{
    for (const auto& share : placement)
        for (int i = 0; i < m_gpusPerNode; ++i)
            if (share.gpus >> i & 1) {
                auto& gpu = m_gpus[share.node * size_t(m_gpusPerNode) + size_t(i)];
                settle(gpu, at);
                gpu.slot = -1;
            }
    m_freeSlots.push_back(slot);
}

void TelemetryModel::setGpuLost(uint32_t node, int gpu, bool lost)
{
    m_gpus[node * size_t(m_gpusPerNode) + size_t(gpu)].lost = lost;
}

void TelemetryModel::setLastXid(uint32_t node, int gpu, int code)
{
    m_gpus[node * size_t(m_gpusPerNode) + size_t(gpu)].lastXid = uint16_t(code);
}

void TelemetryModel::rebooted(uint32_t node, double at)
{
    for (int i = 0; i < m_gpusPerNode; ++i) {
        auto& gpu = m_gpus[node * size_t(m_gpusPerNode) + size_t(i)];
        settle(gpu, at);
        gpu.joules = 0;
        gpu.lastXid = 0;
        gpu.lost = false;
    }
}

const std::string& TelemetryModel::pci(uint32_t node, int gpu) const
{
    return m_blank[node].gpus[size_t(gpu)].pci;
}

float TelemetryModel::restingWatts(const Gpu& gpu) const
{
    return gpu.slot < 0 ? kIdleWatts : m_power(fold(2 * unit(m_jobs[size_t(gpu.slot)].seed)));
}

// Brings energy and temperatures up to `at`, before the GPU's job changes.
void TelemetryModel::settle(Gpu& gpu, double at)
{
    const float watts = restingWatts(gpu);
    const double passed = std::max(0.0, at - gpu.since);
    const float decay = float(std::exp(-passed / kWarmUpSeconds));
    const auto lag = [decay](float from, float to) { return to + (from - to) * decay; };
    gpu.temperature = lag(gpu.temperature, m_coreTemperature(watts / kMostWatts));
    gpu.memoryTemperature = lag(gpu.memoryTemperature, m_memoryTemperature(watts / kMostWatts));
    gpu.joules += watts * passed;
    gpu.since = at;
}

TelemetryModel::Moment TelemetryModel::moment(const Job& job, double at) const
{
    const double age = at - job.start;
    Moment moment;
    moment.memoryRank = fold(2 * unit(job.seed));
    moment.rank = 2 * unit(job.seed) + 0.12f * noise(job.seed, at, 240).first +
                  0.06f * noise(job.seed + 1, at, 35).first;
    if (job.type ==
        WorkloadType::Eval) {  // loads 29.5 %, infers, computes metrics 19 % of its time
        const double part = age / std::max(job.run, 1.0);
        moment.busy = part > 0.295 && part < 0.81 ? 1 : 0;
    } else if (job.type == WorkloadType::Pretrain) {  // saves a checkpoint every half hour
        const double phase = std::fmod(age + 600 * unit(job.seed >> 24), 1800);
        moment.busy = age < 60 ? 0.02f : phase < 40 ? 0.05f : 1;
    } else {
        moment.busy = age < 15 ? 0 : 1;
    }
    if (job.severalNodes)
        moment.network = std::max(0.0f, noise(job.seed + 2, at, 45).second + 0.12f);
    return moment;
}

void TelemetryModel::readGpu(size_t number, const Moment* moment, double at,
                             domain::GpuReading& into) const
{
    const Gpu& gpu = m_gpus[number];
    const auto [slow, fast] = noise(m_seed ^ (number << 20), at, 20);
    const float busy = moment ? moment->busy : 0;
    const float rank = moment ? fold(moment->rank + 0.05f * slow) : 0;
    // A single GPU's ripple of one per cent or two, on top of what its job does.
    const float ripple = 1 + 0.012f * fast;
    float watts = kIdleWatts + slow;
    if (moment) {
        const float active = std::min(100.0f, m_sm(rank) * ripple) * busy;
        watts += (m_power(rank) - kIdleWatts) * ripple * (0.05f + 0.95f * busy);
        into[GpuMetric::SmActivity] = active;
        into[GpuMetric::GpuUtilization] =
            busy > 0 ? std::round(busy < 0.5f ? 100 * busy : m_utilization(rank)) : 0;
        into[GpuMetric::TensorActivity] = m_tensor(rank) * ripple * busy;
        into[GpuMetric::MemoryUsed] =
            std::floor(kGpuMemoryMib / 100 * m_memory(moment->memoryRank));
        into[GpuMetric::SmClock] = watts > 405 ? 1410 - 15 * std::floor((watts - 405) / 8) : 1410;
        into[GpuMetric::NvlinkBandwidth] = active / 100 * 9e10f * (0.6f + 0.4f * fast) * busy;
    } else {
        into[GpuMetric::SmActivity] = 0;
        into[GpuMetric::GpuUtilization] = 0;
        into[GpuMetric::TensorActivity] = 0;
        into[GpuMetric::MemoryUsed] = 456;
        into[GpuMetric::SmClock] = 210;
        into[GpuMetric::NvlinkBandwidth] = 0;
    }
    const float decay = std::exp(-float(std::max(0.0, at - gpu.since) / kWarmUpSeconds));
    const float core = m_coreTemperature(watts / kMostWatts);
    const float hbm = m_memoryTemperature(watts / kMostWatts);
    into[GpuMetric::MemoryTotal] = kGpuMemoryMib;
    into[GpuMetric::Power] = watts;
    into[GpuMetric::CoreTemperature] = std::round(core + (gpu.temperature - core) * decay + slow);
    into[GpuMetric::MemoryTemperature] =
        std::round(hbm + (gpu.memoryTemperature - hbm) * decay + slow);
    into[GpuMetric::Energy] = float(gpu.joules + restingWatts(gpu) * std::max(0.0, at - gpu.since));
    into[GpuMetric::LastXid] = float(gpu.lastXid);
}

void TelemetryModel::readNode(uint32_t node, float gpuWatts, float busyShare, const Moment* moment,
                              double at, domain::HostReadings& into) const
{
    const uint64_t key = mix(m_seed + 77 + node);
    const auto [slow, fast] = noise(key, at, 60);
    const float rank = fold(2 * unit(key) + 0.2f * slow + 0.4f * busyShare);
    const float cpu = std::clamp(m_cpu(rank) + 0.5f * fast, 0.1f, 100.0f);
    const float traffic = moment ? moment->network : 0;
    into.node[size_t(NodeMetric::CpuUtilization)] = cpu;
    into.node[size_t(NodeMetric::MemoryUsed)] =
        kHostMemoryMib / 100 * m_hostMemory(fold(2 * unit(key >> 24) + 0.05f * slow));
    into.node[size_t(NodeMetric::MemoryTotal)] = kHostMemoryMib;
    into.node[size_t(NodeMetric::Load)] = cpu * 1.28f;
    into.node[size_t(NodeMetric::Power)] = 900 + 1.25f * gpuWatts + 4.5f * cpu;
    into.node[size_t(NodeMetric::InletTemperature)] = 22 + 2 * unit(key >> 8) + slow;
    into.node[size_t(NodeMetric::InfinibandReceive)] = kInfinibandBytes * 0.24f * traffic;
    into.node[size_t(NodeMetric::InfinibandTransmit)] =
        kInfinibandBytes * 0.24f * traffic * (1 + 0.02f * fast);
}

void TelemetryModel::readHost(uint32_t node, const std::vector<Moment>& moments, double at,
                              domain::HostReadings& into) const
{
    float watts = 0;
    float busy = 0;
    bool lost = false;
    const Moment* sender = nullptr;
    for (int i = 0; i < m_gpusPerNode; ++i) {
        const size_t number = node * size_t(m_gpusPerNode) + size_t(i);
        const int slot = m_gpus[number].slot;
        const Moment* moment = slot < 0 ? nullptr : &moments[size_t(slot)];
        auto& gpu = into.gpus[size_t(i)];
        readGpu(number, moment, at, gpu);
        watts += gpu[GpuMetric::Power];
        busy += moment ? moment->busy : 0;
        lost = lost || m_gpus[number].lost;
        if (moment && moment->network > 0)
            sender = moment;
        if (m_voices[node] == HostVoice::WithoutProfiling)
            gpu[GpuMetric::SmActivity] = gpu[GpuMetric::TensorActivity] = domain::kNoReading;
    }
    readNode(node, watts, busy / float(m_gpusPerNode), sender, at, into);
    if (lost)
        std::erase_if(into.gpus, [&](const domain::GpuReading& gpu) {
            return m_gpus[node * size_t(m_gpusPerNode) + size_t(gpu.index)].lost;
        });
}

std::vector<TelemetryModel::Moment> TelemetryModel::momentsAt(double at) const
{
    std::vector<Moment> moments(m_jobs.size());
    std::transform(m_jobs.begin(), m_jobs.end(), moments.begin(),
                   [&](const Job& job) { return moment(job, at); });
    return moments;
}

void TelemetryModel::freeze(uint32_t node, double at, Time stamp)
{
    auto& frozen = m_frozen[node] = m_blank[node];
    frozen.at = stamp;
    readHost(node, momentsAt(at), at, frozen);
    m_voices[node] = HostVoice::Stale;
}

std::vector<domain::HostReadings> TelemetryModel::read(double at, Time stamp) const
{
    const auto moments = momentsAt(at);
    std::vector<domain::HostReadings> hosts;
    hosts.reserve(m_blank.size());
    for (uint32_t node = 0; node < m_blank.size(); ++node) {
        if (m_voices[node] == HostVoice::Silent)
            continue;
        const bool stale = m_voices[node] == HostVoice::Stale;
        auto& host = hosts.emplace_back(stale ? m_frozen.at(node) : m_blank[node]);
        if (stale)
            continue;
        host.at = stamp;
        readHost(node, moments, at, host);
    }
    return hosts;
}

}  // namespace yard::scheduler
