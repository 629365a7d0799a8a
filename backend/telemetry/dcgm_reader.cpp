#include "backend/telemetry/dcgm_reader.h"

#include <algorithm>
#include <unordered_map>

#include "backend/base/text.h"

namespace yard::telemetry {
namespace {

/// The labels of one sample that tell what it is of.
struct Identity {
    std::string_view uuid;
    std::string_view gpu;
    std::string_view pci;
    std::string_view model;
    std::string_view host;
    std::string_view driver;
    std::string_view pod;
    std::string_view instance;
    std::string_view profile;
    std::string_view link;
    std::string_view nvswitch;
    std::string_view cpu;
    std::string_view xid;
    std::string_view window;
};

struct KnownLabel {
    std::string_view name;
    std::string_view Identity::*part;
};
constexpr KnownLabel kKnownLabels[] = {
    {"gpu", &Identity::gpu},
    {"UUID", &Identity::uuid},
    {"uuid", &Identity::uuid},
    {"gpu_uuid", &Identity::uuid},
    {"pci_bus_id", &Identity::pci},
    {"modelName", &Identity::model},
    {"model_name", &Identity::model},
    {"Hostname", &Identity::host},
    {"hostname", &Identity::host},
    {"DCGM_FI_DRIVER_VERSION", &Identity::driver},
    {"pod", &Identity::pod},
    {"pod_name", &Identity::pod},
    {"exported_pod", &Identity::pod},
    {"GPU_I_ID", &Identity::instance},
    {"GPU_I_PROFILE", &Identity::profile},
    {"nvlink", &Identity::link},
    {"nvswitch", &Identity::nvswitch},
    {"cpu", &Identity::cpu},
    {"xid", &Identity::xid},
    {"window_size_in_ms", &Identity::window},
};

Identity identify(std::span<const Label> labels)
{
    Identity identity;
    for (const Label& label : labels) {
        for (const KnownLabel& known : kKnownLabels) {
            if (label.name == known.name && !label.value.empty()) {
                identity.*known.part = label.value;
                break;
            }
        }
    }
    return identity;
}

void setIfEmpty(std::string& text, std::string_view value)
{
    if (text.empty() && !value.empty())
        text = std::string(value);
}

class PageReader {
public:
    explicit PageReader(const Exposition& exposition)
        : m_exposition(exposition)
    {
    }
    GpuPage read();

private:
    void add(const ExpositionSample& sample);
    GpuRecord& gpuOf(const Identity& identity);
    static OtherPart& partOf(std::vector<OtherPart>& parts, std::string_view id);
    static MigInstance& instanceOf(GpuRecord& gpu, const Identity& identity);
    void addValue(GpuRecord& gpu, const GpuFieldRule& rule, const Identity& identity, double value);
    void addUnruled(const ExpositionSample& sample, const Identity& identity);
    bool isBlank(double value, bool isWide)
    {
        const bool blank = isDcgmBlank(value, isWide);
        m_page.unknown += blank ? 1 : 0;
        return blank;
    }
    const std::optional<GpuFieldRule>& ruleOf(std::string_view name)
    {
        if (name != m_lastName || m_lastName.empty()) {
            m_lastName = name;
            m_lastRule = dcgmFieldOf(name);
        }
        return m_lastRule;
    }

    const Exposition& m_exposition;
    GpuPage m_page;
    std::unordered_map<std::string_view, size_t> m_byUuid;
    std::unordered_map<std::string_view, size_t> m_byNumber;
    std::string_view m_lastName;
    std::optional<GpuFieldRule> m_lastRule;
};

GpuPage PageReader::read()
{
    for (const ExpositionSample& sample : m_exposition.samples)
        add(sample);
    std::stable_sort(m_page.gpus.begin(), m_page.gpus.end(),
                     [](const GpuRecord& a, const GpuRecord& b) {
                         return a.index != b.index ? a.index < b.index : a.uuid < b.uuid;
                     });
    return std::move(m_page);
}

void PageReader::add(const ExpositionSample& sample)
{
    if (!sample.name.starts_with("DCGM_") && !sample.name.starts_with("dcgm_"))
        return;
    const Identity identity = identify(m_exposition.labels(sample));
    if (const auto& rule = ruleOf(sample.name);
        rule && (!identity.uuid.empty() || !identity.gpu.empty()))
        addValue(gpuOf(identity), *rule, identity, sample.value);
    else
        addUnruled(sample, identity);
}

GpuRecord& PageReader::gpuOf(const Identity& identity)
{
    const bool hasUuid = !identity.uuid.empty();
    auto& places = hasUuid ? m_byUuid : m_byNumber;
    const std::string_view key = hasUuid ? identity.uuid : identity.gpu;
    auto found = places.find(key);
    if (found == places.end()) {
        // A family without UUIDs belongs to the card that has this number elsewhere, and the
        // reverse.
        const auto other = m_byNumber.find(identity.gpu);
        const bool isSame = !identity.gpu.empty() && other != m_byNumber.end() &&
                            (!hasUuid || m_page.gpus[other->second].uuid.empty());
        const size_t place = isSame ? other->second : m_page.gpus.size();
        if (!isSame)
            m_page.gpus.emplace_back();
        found = places.emplace(key, place).first;
    }
    const size_t place = found->second;
    if (!identity.gpu.empty())
        m_byNumber.emplace(identity.gpu, place);
    GpuRecord& gpu = m_page.gpus[place];
    setIfEmpty(gpu.uuid, identity.uuid);
    setIfEmpty(gpu.model, identity.model);
    setIfEmpty(gpu.host, identity.host);
    setIfEmpty(gpu.driver, identity.driver);
    if (gpu.pci.empty() && !identity.pci.empty())
        gpu.pci = pciAddress(identity.pci);
    if (gpu.index < 0)
        gpu.index = text::number<int>(identity.gpu).value_or(-1);
    if (!identity.pod.empty() &&
        std::find(gpu.pods.begin(), gpu.pods.end(), identity.pod) == gpu.pods.end())
        gpu.pods.emplace_back(identity.pod);
    if (!identity.instance.empty())
        instanceOf(gpu, identity);
    return gpu;
}

OtherPart& PageReader::partOf(std::vector<OtherPart>& parts, std::string_view id)
{
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const OtherPart& part) { return part.id == id; });
    return found != parts.end() ? *found : parts.emplace_back(OtherPart{std::string(id), {}});
}

MigInstance& PageReader::instanceOf(GpuRecord& gpu, const Identity& identity)
{
    const auto found =
        std::find_if(gpu.instances.begin(), gpu.instances.end(),
                     [&](const MigInstance& instance) { return instance.id == identity.instance; });
    if (found != gpu.instances.end())
        return *found;
    MigInstance& instance = gpu.instances.emplace_back();
    instance.id = std::string(identity.instance);
    instance.profile = std::string(identity.profile);
    return instance;
}

void PageReader::addValue(GpuRecord& gpu, const GpuFieldRule& rule, const Identity& identity,
                          double raw)
{
    if (isBlank(raw, rule.isWide))
        return;
    const double value = raw * rule.scale;
    if (value < 0 || value > rule.most) {
        ++m_page.implausible;
        m_page.implausibleUtilization += rule.field == GpuField::UtilizationPercent ? 1 : 0;
        return;
    }
    if (!identity.instance.empty()) {
        MigInstance& instance = instanceOf(gpu, identity);
        switch (rule.field) {
            case GpuField::EngineActive:
                instance.engineActive = value;
                return;
            case GpuField::SmActive:
                instance.smActive = value;
                return;
            case GpuField::TensorActive:
                instance.tensorActive = value;
                return;
            default:
                break;
        }
    }
    auto& stored = gpu.values[size_t(rule.field)];
    if (!stored) {
        stored = GpuValue{value, value, value};
    } else {
        stored->lowest = std::min(stored->lowest, value);
        stored->highest = std::max(stored->highest, value);
    }
}

void PageReader::addUnruled(const ExpositionSample& sample, const Identity& identity)
{
    const std::string_view name = sample.name;
    const bool hasGpu = !identity.uuid.empty() || !identity.gpu.empty();
    if (!hasGpu) {
        const bool isTemperature = name.find("TEMP") != std::string_view::npos;
        if (identity.nvswitch.empty() && identity.cpu.empty())
            return;
        OtherPart& part = !identity.nvswitch.empty() ? partOf(m_page.switches, identity.nvswitch)
                                                     : partOf(m_page.cpus, identity.cpu);
        if (isTemperature && name.find("CURRENT") != std::string_view::npos &&
            !isBlank(sample.value, true))
            part.temperatureCelsius = sample.value;
        return;
    }
    GpuRecord& gpu = gpuOf(identity);
    if (name.find("XID_ERRORS_COUNT") != std::string_view::npos) {
        const auto xid = text::number<int>(identity.xid);
        if (xid && !isBlank(sample.value, true))
            gpu.xidCounts[*xid] = sample.value;
        if (const auto window = text::number<int64_t>(identity.window))
            gpu.xidWindowSeconds = double(*window) / 1000;
    } else if (name.find("LINK_RECOVERY_FAILED") != std::string_view::npos &&
               !identity.link.empty() && !isBlank(sample.value, true)) {
        gpu.linkRecoveriesFailed[std::string(identity.link)] = sample.value;
    }
}

}  // namespace

GpuPage readDcgm(const Exposition& exposition)
{
    return PageReader(exposition).read();
}

bool isDcgm(const Exposition& exposition)
{
    return std::any_of(
        exposition.samples.begin(), exposition.samples.end(), [](const ExpositionSample& sample) {
            return sample.name.starts_with("DCGM_") || sample.name.starts_with("dcgm_");
        });
}

Scrape dcgmReadings(const Exposition& exposition, std::string_view host, Time at)
{
    Scrape scrape;
    scrape.hosts.push_back(gpuReadings(readDcgm(exposition), host, at));
    scrape.samples = exposition.samples.size();
    scrape.badLines = exposition.badLines;
    scrape.firstBadLine = firstBadSentence(exposition);
    return scrape;
}

}  // namespace yard::telemetry
