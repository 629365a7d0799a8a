#include "tests/support/exporter_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace yard::test {
namespace {

constexpr int kMemoryMib = 81920;
constexpr int kReservedMib = 637;
constexpr int kCores = 32;
constexpr int kInfinibandPorts = 4;

// The slots of a DGX A100.
constexpr const char* kBuses[] = {"07", "0F", "47", "4E", "87", "90", "B7", "BD"};

// What DCGM writes where a field has no value: 64 bit, double and 32 bit.
constexpr double kBlankInteger = 9223372036854775794.0;
constexpr double kBlankFloat = 140737488355330.0;
constexpr double kRubbishUtilization = 4294967295.0;

struct Family {
    const char* name;
    const char* type;
    const char* help;
    bool integer;
    double (*value)(const FakeGpu&);
    double blank;
};

// The families of the exporter's default-counters.csv, in its order, with those that training sites
// switch on.
const Family kFamilies[] = {
    {"DCGM_FI_DEV_SM_CLOCK", "gauge", "SM clock frequency (in MHz).", true,
     [](const FakeGpu& g) { return double(g.smMhz); }, kBlankInteger},
    {"DCGM_FI_DEV_MEM_CLOCK", "gauge", "Memory clock frequency (in MHz).", true,
     [](const FakeGpu&) { return 1593.0; }, kBlankInteger},
    {"DCGM_FI_DEV_MEMORY_TEMP", "gauge", "Memory temperature (in C).", true,
     [](const FakeGpu& g) { return double(g.memoryCelsius); }, kBlankInteger},
    {"DCGM_FI_DEV_GPU_TEMP", "gauge", "GPU temperature (in C).", true,
     [](const FakeGpu& g) { return double(g.coreCelsius); }, kBlankInteger},
    {"DCGM_FI_DEV_POWER_USAGE", "gauge", "Power draw (in W).", false,
     [](const FakeGpu& g) { return g.watts; }, kBlankFloat},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "counter",
     "Total energy consumption since boot (in mJ).", true,
     [](const FakeGpu& g) { return g.energyMillijoules; }, kBlankInteger},
    {"DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "counter", "Total number of PCIe retries.", true,
     [](const FakeGpu&) { return 0.0; }, kBlankInteger},
    {"DCGM_FI_DEV_GPU_UTIL", "gauge", "GPU utilization (in %).", true,
     [](const FakeGpu& g) { return std::round(g.utilization * 100); }, kRubbishUtilization},
    {"DCGM_FI_DEV_MEM_COPY_UTIL", "gauge", "Memory utilization (in %).", true,
     [](const FakeGpu& g) { return std::round(g.utilization * 47); }, kBlankInteger},
    {"DCGM_FI_DEV_ENC_UTIL", "gauge", "Encoder utilization (in %).", true,
     [](const FakeGpu&) { return 0.0; }, kBlankInteger},
    {"DCGM_FI_DEV_DEC_UTIL", "gauge", "Decoder utilization (in %).", true,
     [](const FakeGpu&) { return 0.0; }, kBlankInteger},
    {"DCGM_FI_DEV_XID_ERRORS", "gauge", "Value of the last XID error encountered.", true,
     [](const FakeGpu& g) { return double(g.xid); }, kBlankInteger},
    {"DCGM_FI_DEV_FB_FREE", "gauge", "Framebuffer memory free (in MiB).", true,
     [](const FakeGpu& g) { return double(g.freeMib); }, kBlankInteger},
    {"DCGM_FI_DEV_FB_USED", "gauge", "Framebuffer memory used (in MiB).", true,
     [](const FakeGpu& g) { return double(g.usedMib); }, kBlankInteger},
    {"DCGM_FI_DEV_FB_RESERVED", "gauge", "Framebuffer memory reserved (in MiB).", true,
     [](const FakeGpu&) { return double(kReservedMib); }, kBlankInteger},
    {"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "counter",
     "Number of remapped rows for uncorrectable errors", true, [](const FakeGpu&) { return 0.0; },
     kBlankInteger},
    {"DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS", "counter",
     "Number of remapped rows for correctable errors", true, [](const FakeGpu&) { return 0.0; },
     kBlankInteger},
    {"DCGM_FI_DEV_ROW_REMAP_FAILURE", "gauge", "Whether remapping of rows has failed", true,
     [](const FakeGpu&) { return 0.0; }, kBlankInteger},
    {"DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", "counter",
     "Total number of NVLink bandwidth counters for all lanes.", true,
     [](const FakeGpu& g) { return g.nvlinkMebibytes; }, kBlankInteger},
    {"DCGM_FI_DEV_VGPU_LICENSE_STATUS", "gauge", "vGPU License status", true,
     [](const FakeGpu&) { return 0.0; }, kBlankInteger},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "gauge", "Ratio of time the graphics engine is active.",
     false, [](const FakeGpu& g) { return g.utilization; }, kBlankFloat},
    {"DCGM_FI_PROF_SM_ACTIVE", "gauge", "The ratio of cycles an SM has at least 1 warp assigned.",
     false, [](const FakeGpu& g) { return g.utilization * 0.9; }, kBlankFloat},
    {"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "gauge",
     "Ratio of cycles the tensor (HMMA) pipe is active.", false,
     [](const FakeGpu& g) { return g.utilization * 0.42; }, kBlankFloat},
    {"DCGM_FI_PROF_DRAM_ACTIVE", "gauge",
     "Ratio of cycles the device memory interface is active sending or receiving data.", false,
     [](const FakeGpu& g) { return g.utilization * 0.38; }, kBlankFloat},
    {"DCGM_FI_PROF_PCIE_TX_BYTES", "gauge",
     "The rate of data transmitted over the PCIe bus in bytes per second.", true,
     [](const FakeGpu& g) { return std::round(g.utilization * 1.1e9); }, kBlankInteger},
    {"DCGM_FI_PROF_PCIE_RX_BYTES", "gauge",
     "The rate of data received over the PCIe bus in bytes per second.", true,
     [](const FakeGpu& g) { return std::round(g.utilization * 1.7e9); }, kBlankInteger},
    {"DCGM_FI_PROF_NVLINK_TX_BYTES", "gauge",
     "The number of bytes of active NvLink tx data including header and payload.", true,
     [](const FakeGpu& g) { return std::round(g.utilization * 6.0e10); }, kBlankInteger},
    {"DCGM_FI_PROF_NVLINK_RX_BYTES", "gauge",
     "The number of bytes of active NvLink rx data including header and payload.", true,
     [](const FakeGpu& g) { return std::round(g.utilization * 5.9e10); }, kBlankInteger},
};

void appendHeader(std::string& out, const char* name, const char* type, const char* help)
{
    fmt::format_to(std::back_inserter(out), "# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

}  // namespace

FakeHost::FakeHost(std::string name, size_t number, int gpus)
    : m_name(std::move(name))
    , m_number(number)
    , m_clock(double(number) * 7)
    , m_cpuSeconds(1e5 + double(number))
    , m_infinibandBytes(1e12)
{
    for (int i = 0; i < gpus; ++i) {
        FakeGpu gpu;
        gpu.index = i;
        gpu.uuid = fmt::format("GPU-{:08x}-0a1b-4c2d-8e3f-{:012x}", 0x51a70000u + number, i);
        gpu.pci = fmt::format("{:08X}:{}:00.0", i / 8, kBuses[i % 8]);
        gpu.energyMillijoules = 5e10 + 1e6 * double(i);
        gpu.nvlinkMebibytes = 1e6;
        m_gpus.push_back(gpu);
    }
    advance(0);
}

void FakeHost::advance(double seconds)
{
    if (m_held)
        return;
    m_clock += seconds;
    // One node in seven idles; the others train, with a dip now and then.
    const bool idle = m_number % 7 == 6;
    for (FakeGpu& gpu : m_gpus) {
        const double wave = std::sin(m_clock / 9 + gpu.index);
        gpu.utilization = idle ? 0 : std::clamp(0.9 + 0.09 * wave, 0.0, 1.0);
        gpu.watts = 61 + 322 * gpu.utilization + wave;
        gpu.coreCelsius = int(31 + 32 * gpu.utilization + 2 * wave);
        gpu.memoryCelsius = gpu.coreCelsius + 11;
        gpu.smMhz = idle ? 210 : 1410;
        gpu.usedMib = idle ? 4 : 71000 + int(200 * wave);
        gpu.freeMib = kMemoryMib - kReservedMib - gpu.usedMib;
        gpu.energyMillijoules = std::round(gpu.energyMillijoules + gpu.watts * seconds * 1000);
        gpu.nvlinkMebibytes = std::round(gpu.nvlinkMebibytes + gpu.utilization * seconds * 1e5);
    }
    m_cpuSeconds += seconds;
    m_infinibandBytes = std::round(m_infinibandBytes + (idle ? 1e4 : 1.2e10) * seconds);
}

void FakeHost::raiseXid(int gpu, int code)
{
    for (FakeGpu& candidate : m_gpus)
        if (candidate.index == gpu)
            candidate.xid = code;
}

void FakeHost::loseGpu(int gpu)
{
    std::erase_if(m_gpus, [gpu](const FakeGpu& candidate) { return candidate.index == gpu; });
}

void FakeHost::reboot()
{
    const size_t count = m_gpus.size();
    for (size_t i = 0; i < count / 2; ++i) {
        std::swap(m_gpus[i].index, m_gpus[count - 1 - i].index);
        std::swap(m_gpus[i].pci, m_gpus[count - 1 - i].pci);
    }
    std::sort(m_gpus.begin(), m_gpus.end(),
              [](const FakeGpu& a, const FakeGpu& b) { return a.index < b.index; });
    for (FakeGpu& gpu : m_gpus) {
        gpu.energyMillijoules = 0;
        gpu.nvlinkMebibytes = 0;
        gpu.xid = 0;
    }
    m_cpuSeconds = 0;
    m_infinibandBytes = 0;
}

void FakeHost::writeDcgm(std::string& out) const
{
    std::vector<std::string> labels;
    for (const FakeGpu& gpu : m_gpus)
        labels.push_back(
            fmt::format("{{gpu=\"{0}\",UUID=\"{1}\",pci_bus_id=\"{2}\",device=\"nvidia{0}\","
                        "modelName=\"NVIDIA A100-SXM4-80GB\",Hostname=\"{3}\","
                        "DCGM_FI_DRIVER_VERSION=\"550.127.08\"}} ",
                        gpu.index, gpu.uuid, gpu.pci, m_name));
    for (const Family& family : kFamilies) {
        appendHeader(out, family.name, family.type, family.help);
        for (size_t i = 0; i < m_gpus.size(); ++i) {
            const double value = m_blank && i == 0 ? family.blank : family.value(m_gpus[i]);
            out += family.name;
            out += labels[i];
            if (family.integer && value < 9e18)
                fmt::format_to(std::back_inserter(out), "{}\n", int64_t(value));
            else if (family.integer)
                out += "9223372036854775794\n";
            else
                fmt::format_to(std::back_inserter(out), "{:.6f}\n", value);
        }
    }
}

void FakeHost::writeNode(std::string& out) const
{
    const auto add = std::back_inserter(out);
    const bool idle = m_number % 7 == 6;
    appendHeader(out, "node_cpu_seconds_total", "counter", "Seconds the CPUs spent in each mode.");
    for (int cpu = 0; cpu < kCores; ++cpu) {
        const double busy = idle ? 0.01 : 0.25;
        fmt::format_to(add,
                       "node_cpu_seconds_total{{cpu=\"{0}\",mode=\"idle\"}} {1:.2f}\n"
                       "node_cpu_seconds_total{{cpu=\"{0}\",mode=\"iowait\"}} 1.5\n"
                       "node_cpu_seconds_total{{cpu=\"{0}\",mode=\"irq\"}} 0\n"
                       "node_cpu_seconds_total{{cpu=\"{0}\",mode=\"system\"}} {2:.2f}\n"
                       "node_cpu_seconds_total{{cpu=\"{0}\",mode=\"user\"}} {3:.2f}\n",
                       cpu, m_cpuSeconds * (1 - busy), m_cpuSeconds * busy * 0.2,
                       m_cpuSeconds * busy * 0.8);
    }
    for (const bool receive : {true, false}) {
        const char* name = receive ? "node_infiniband_port_data_received_bytes_total"
                                   : "node_infiniband_port_data_transmitted_bytes_total";
        appendHeader(out, name, "counter", "Number of data octets on all links");
        for (int port = 0; port < kInfinibandPorts; ++port)
            fmt::format_to(add, "{}{{device=\"mlx5_{}\",port=\"1\"}} {:.15e}\n", name, port,
                           m_infinibandBytes / kInfinibandPorts);
    }
    appendHeader(out, "node_load1", "gauge", "1m load average.");
    fmt::format_to(add, "node_load1 {:.2f}\n", idle ? 0.05 : 8.0 + std::sin(m_clock / 20));
    appendHeader(out, "node_memory_MemTotal_bytes", "gauge",
                 "Memory information field MemTotal_bytes.");
    out += "node_memory_MemTotal_bytes 1.08189806592e+12\n";
    appendHeader(out, "node_memory_MemAvailable_bytes", "gauge",
                 "Memory information field MemAvailable_bytes.");
    out += "node_memory_MemAvailable_bytes 8.1142354944e+11\n";
    appendHeader(out, "node_uname_info", "gauge",
                 "Labeled system information as provided by the uname system call.");
    fmt::format_to(add,
                   "node_uname_info{{domainname=\"(none)\",machine=\"x86_64\",nodename=\"{}\","
                   "release=\"5.15.0\",sysname=\"Linux\",version=\"#1 SMP\"}} 1\n",
                   m_name);
}

void FakeHost::writeIpmi(std::string& out) const
{
    double watts = 1300;
    for (const FakeGpu& gpu : m_gpus)
        watts += gpu.watts;
    appendHeader(out, "ipmi_up", "gauge",
                 "'1' if a scrape of the IPMI device was successful, '0' otherwise.");
    out += "ipmi_up{collector=\"dcmi\"} 1\nipmi_up{collector=\"ipmi\"} 1\n";
    appendHeader(out, "ipmi_dcmi_power_consumption_watts", "gauge",
                 "Current power consumption in Watts.");
    fmt::format_to(std::back_inserter(out), "ipmi_dcmi_power_consumption_watts {:.0f}\n", watts);
    appendHeader(out, "ipmi_temperature_celsius", "gauge",
                 "Temperature reading in degree Celsius.");
    fmt::format_to(std::back_inserter(out),
                   "ipmi_temperature_celsius{{id=\"1\",name=\"Inlet Temp\"}} {:.0f}\n"
                   "ipmi_temperature_celsius{{id=\"2\",name=\"Exhaust Temp\"}} NaN\n",
                   23 + std::sin(m_clock / 60));
}

}  // namespace yard::test
