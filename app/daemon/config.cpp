#include "app/daemon/config.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/daemon/source_mistakes.h"
#include "app/daemon/toml_section.h"
#include "backend/base/whole_file.h"
#include "backend/domain/hostlist.h"

namespace yard::daemon {
namespace {

using std::chrono::milliseconds;

// As sockaddr_un::sun_path has room for, with its end.
constexpr size_t kLongestSocketPath = 107;
constexpr size_t kLargestFile = size_t(4) << 20;
constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;

/// True where the system has no zones at all: it cannot be told then.
bool isTimeZone(const std::string& name)
{
    const std::filesystem::path zones = "/usr/share/zoneinfo";
    std::error_code ignored;
    if (name.empty() || name == "UTC" || !std::filesystem::is_directory(zones, ignored))
        return true;
    return name.front() != '/' && name.find("..") == std::string::npos &&
           std::filesystem::is_regular_file(zones / name, ignored) &&
           name.find(".tab") == std::string::npos;
}

/// Reads the sections in turn and remembers every key that it asks for.
class ConfigReader {
public:
    ConfigReader(const toml::table& document, ConfigErrors& errors)
        : m_document(document)
        , m_errors(errors)
    {
    }

    Config read();
    const std::vector<std::string>& known() const { return m_known; }

private:
    TomlSection section(const char* name);
    void finish(TomlSection& section, const char* name);

    void readDaemon();
    void readSocket();
    void readAccess();
    void readScheduler();
    void readSlurm();
    void readSimulated();
    void readOperations();
    void readHistory();
    void readIncidents();
    void readTelemetry();
    void readSource(const toml::table* table, size_t number);
    void checkTargetsAreOnce(const std::vector<const toml::table*>& tables);
    void readRacks();
    void rejectUnknownSections();
    void checkNames(TomlSection& section, const char* key, const std::vector<std::string>& names,
                    std::vector<std::string> rpc::AccessOptions::*list);

    const toml::table& m_document;
    ConfigErrors& m_errors;
    Config m_config;
    std::vector<std::string> m_sections;
    std::vector<std::string> m_known;
};

Config ConfigReader::read()
{
    readDaemon();
    readSocket();
    readAccess();
    readScheduler();
    readSlurm();
    readSimulated();
    readOperations();
    readHistory();
    readIncidents();
    readTelemetry();
    readRacks();
    rejectUnknownSections();
    return m_config;
}

TomlSection ConfigReader::section(const char* name)
{
    m_sections.emplace_back(name);
    const toml::node* node = m_document.get(name);
    const toml::table* table = node ? node->as_table() : nullptr;
    if (node && !table)
        m_errors.add(int64_t(node->source().begin.line), name,
                     fmt::format("It must be a section, written [{}].", name));
    return TomlSection(table, name, m_errors);
}

void ConfigReader::finish(TomlSection& section, const char* name)
{
    for (const std::string& key : section.known())
        m_known.push_back(fmt::format("{}.{}", name, key));
    section.finish();
}

void ConfigReader::readDaemon()
{
    TomlSection in = section("daemon");
    in.readPath("state_directory", m_config.stateDirectory, TomlSection::Path::Needed);
    in.read("time_zone", m_config.desk.timeZone);
    if (!isTimeZone(m_config.desk.timeZone))
        in.reject("time_zone", fmt::format("This system knows no time zone \"{}\". Give an IANA "
                                           "name, as in \"Asia/Shanghai\" or \"UTC\".",
                                           m_config.desk.timeZone));
    finish(in, "daemon");
}

void ConfigReader::readSocket()
{
    TomlSection in = section("socket");
    m_config.server.socketPath = kDefaultSocketPath;
    in.readPath("path", m_config.server.socketPath, TomlSection::Path::Needed);
    if (m_config.server.socketPath.size() > kLongestSocketPath)
        in.reject("path", fmt::format("It has {} bytes; a UNIX socket's path may have {}.",
                                      m_config.server.socketPath.size(), kLongestSocketPath));
    in.read("group", m_config.server.socketGroup);
    if (!m_config.server.socketGroup.empty())
        checkNames(in, "group", {m_config.server.socketGroup}, &rpc::AccessOptions::viewerGroups);
    uint64_t all = m_config.server.limits.connections;
    uint64_t perUser = m_config.server.limits.connectionsPerUser;
    in.readCount("max_connections", all, 1, 4096);
    in.readCount("max_connections_per_user", perUser, 1, 4096);
    m_config.server.limits = {size_t(all), size_t(perUser)};
    finish(in, "socket");
}

void ConfigReader::readAccess()
{
    using Options = rpc::AccessOptions;
    static constexpr std::pair<const char*, std::vector<std::string> Options::*> kLists[] = {
        {"denied_users", &Options::deniedUsers},       {"viewer_users", &Options::viewerUsers},
        {"viewer_groups", &Options::viewerGroups},     {"operator_users", &Options::operatorUsers},
        {"operator_groups", &Options::operatorGroups}, {"admin_users", &Options::adminUsers},
        {"admin_groups", &Options::adminGroups},
    };
    TomlSection in = section("access");
    in.read("default_role", m_config.server.access.defaultRole);
    for (const auto& [key, list] : kLists) {
        in.read(key, m_config.server.access.*list);
        checkNames(in, key, m_config.server.access.*list, list);
    }
    finish(in, "access");
}

void ConfigReader::checkNames(TomlSection& section, const char* key,
                              const std::vector<std::string>& names,
                              std::vector<std::string> rpc::AccessOptions::*list)
{
    for (const std::string& name : names) {
        rpc::AccessOptions alone;
        (alone.*list).push_back(name);
        if (const auto rules = rpc::IdentityRules::make(alone); !rules.ok())
            section.reject(key, std::string(rules.status().message()));
    }
}

void ConfigReader::readScheduler()
{
    TomlSection in = section("scheduler");
    std::string kind = "slurm";
    in.readWord("kind", kind, {"slurm", "simulated"});
    m_config.simulated = kind == "simulated";
    in.read("cluster", m_config.desk.cluster);
    in.readSeconds("poll_seconds", m_config.desk.pollInterval, 0.5, kHour);
    in.readSeconds("poll_after_action_seconds", m_config.desk.pollAfterAction, 0.2, kHour);
    in.readSeconds("call_timeout_seconds", m_config.desk.callTimeout, 1, 600);
    m_config.slurm.commandTimeout = m_config.desk.callTimeout;
    finish(in, "scheduler");
}

void ConfigReader::readSlurm()
{
    TomlSection in = section("slurm");
    in.readPath("bin_directory", m_config.slurm.binDirectory, TomlSection::Path::MayBeEmpty);
    in.readPath("config_file", m_config.slurm.configFile, TomlSection::Path::MayBeEmpty);
    in.read("command_prefix", m_config.slurm.commandPrefix);
    if (!m_config.slurm.commandPrefix.empty() && m_config.slurm.commandPrefix.front().empty())
        in.reject("command_prefix", "Its first text is empty; it must be a command.");
    in.read("read_accounting", m_config.slurm.readAccounting);
    uint64_t interval = uint64_t(m_config.slurm.accountingInterval.count());
    uint64_t window = uint64_t(m_config.slurm.accountingWindow.count());
    in.readCount("accounting_interval_seconds", interval, 5, uint64_t(kDay));
    in.readCount("accounting_window_seconds", window, 60, uint64_t(30 * kDay));
    m_config.slurm.accountingInterval = std::chrono::seconds(interval);
    m_config.slurm.accountingWindow = std::chrono::seconds(window);
    finish(in, "slurm");
}

void ConfigReader::readSimulated()
{
    TomlSection in = section("simulated");
    std::string shape;
    in.read("cluster", shape);
    if (auto options = scheduler::parseSimulatedOptions(shape); options.ok())
        m_config.simulation = *options;
    else
        in.reject("cluster", std::string(options.status().message()));
    finish(in, "simulated");
}

void ConfigReader::readOperations()
{
    TomlSection in = section("operations");
    milliseconds preview = m_config.desk.previewLifetime;
    milliseconds observe = m_config.desk.observeWithin;
    milliseconds settle = m_config.desk.settle;
    in.readSeconds("preview_lifetime_seconds", preview, 10, kHour);
    in.readSeconds("observe_within_seconds", observe, 5, kDay);
    in.readSeconds("settle_seconds", settle, 1, kHour);
    m_config.desk.previewLifetime = std::chrono::duration_cast<std::chrono::seconds>(preview);
    m_config.desk.observeWithin = std::chrono::duration_cast<std::chrono::seconds>(observe);
    m_config.desk.settle = std::chrono::duration_cast<std::chrono::seconds>(settle);
    uint64_t hours = uint64_t(m_config.desk.keepEndedJobs.count());
    uint64_t jobs = m_config.desk.maxEndedJobs;
    in.readCount("keep_ended_jobs_hours", hours, 1, 24 * 30);
    in.readCount("max_ended_jobs", jobs, 100, 1'000'000);
    m_config.desk.keepEndedJobs = std::chrono::hours(hours);
    m_config.desk.maxEndedJobs = size_t(jobs);
    finish(in, "operations");
}

void ConfigReader::readHistory()
{
    TomlSection in = section("history");
    store::SeriesRetention& keep = m_config.history.keep;
    in.read("enabled", m_config.history.enabled);
    const auto readDays = [&](const char* key, std::chrono::hours& hours) {
        uint64_t days = uint64_t(hours.count()) / 24;
        in.readCount(key, days, 1, 36500);
        hours = std::chrono::hours(days * 24);
    };
    readDays("raw_days", keep.raw);
    readDays("five_minute_days", keep.five);
    readDays("hour_days", keep.hour);
    if (keep.five < keep.raw)
        in.reject("five_minute_days", "It must not be less than raw_days.");
    if (keep.hour < keep.five)
        in.reject("hour_days", "It must not be less than five_minute_days.");
    finish(in, "history");
}

void ConfigReader::readIncidents()
{
    TomlSection in = section("incidents");
    control::IncidentOptions& options = m_config.desk.incidents;
    in.read("read_logs", options.readLogs);
    in.read("log_roots", options.logs.roots);
    options.logs.rulePaths = {"/etc/yardmaster/rules"};
    in.read("rules", options.logs.rulePaths);
    for (const std::string& root : options.logs.roots)
        if (root.empty() || root.front() != '/')
            in.reject("log_roots", fmt::format("\"{}\" must be a path that starts with /.", root));
    uint64_t files = options.logs.mostFiles;
    in.readCount("max_followed_logs", files, 1, 4096);
    options.logs.mostFiles = size_t(files);
    finish(in, "incidents");
}

void ConfigReader::readTelemetry()
{
    TomlSection in = section("telemetry");
    milliseconds interval(int64_t(m_config.desk.readingIntervalSeconds * 1000));
    in.readSeconds("interval_seconds", interval, 0.5, kHour);
    m_config.desk.readingIntervalSeconds = float(interval.count()) / 1000;
    std::vector<const toml::table*> tables;
    if (const toml::node* sources = m_document["telemetry"]["source"].node()) {
        const toml::array* array = sources->as_array();
        for (size_t i = 0; array && i < array->size(); ++i)
            tables.push_back(array->get(i)->as_table());
        if (!array || !array->is_array_of_tables())
            return in.reject("source",
                             "It must be a list of sections, each written [[telemetry.source]].");
    }
    for (size_t i = 0; i < tables.size(); ++i)
        readSource(tables[i], i + 1);
    if (tables.empty()) {  // so that the keys are known all the same
        readSource(nullptr, 0);
        m_config.sources.clear();
    } else {
        checkTargetsAreOnce(tables);
    }
    in.know("source");
    finish(in, "telemetry");
}

/// Two sources that ask one target: each alone is good.
void ConfigReader::checkTargetsAreOnce(const std::vector<const toml::table*>& tables)
{
    const SystemClock clock;
    if (telemetry::allSources(m_config.sources, clock).ok())
        return;
    std::vector<telemetry::SourceConfig> good;
    for (size_t i = 0; i < tables.size(); ++i) {
        const telemetry::SourceConfig& source = m_config.sources[i];
        if (!telemetry::allSources({source}, clock).ok())
            continue;
        good.push_back(source);
        if (const auto all = telemetry::allSources(good, clock); !all.ok()) {
            TomlSection(tables[i], "telemetry.source", m_errors)
                .reject("targets",
                        fmt::format("Source {}: {}", i + 1, std::string(all.status().message())));
            good.pop_back();
        }
    }
}

void ConfigReader::readSource(const toml::table* table, size_t number)
{
    TomlSection in(table, "telemetry.source", m_errors);
    telemetry::SourceConfig source;
    source.interval = milliseconds(int64_t(m_config.desk.readingIntervalSeconds * 1000));
    source.timeout = source.interval * 4 / 5;
    in.readWord("kind", source.kind,
                {"exporter", "dcgm", "nvidia_smi", "node", "ipmi", "prometheus", "kernel"});
    in.read("targets", source.targets);
    in.read("path", source.path);
    in.read("address", source.addressTemplate);
    in.readWord("scheme", source.scheme, {"http", "https"});
    in.readSeconds("interval_seconds", source.interval, 0.5, kHour);
    in.readSeconds("timeout_seconds", source.timeout, 0.1, kHour);
    double mebibytes = double(source.sizeLimit) / (1 << 20);
    in.read("size_limit_mib", mebibytes, 0.01, 1024);
    source.sizeLimit = size_t(mebibytes * (1 << 20));
    in.read("headers", source.headers);
    in.read("host_labels", source.hostLabels);
    if (table) {
        if (source.timeout > source.interval)
            in.reject("timeout_seconds", "It must not be longer than interval_seconds.");
        const auto mistakes = mistakesOf(source);
        for (const auto& [key, sentence] : mistakes)
            in.reject(key, sentence);
        const SystemClock clock;
        const auto sources = telemetry::allSources({source}, clock);
        if (mistakes.empty() && !sources.ok())
            in.reject("targets", fmt::format("Source {}: {}", number,
                                             std::string(sources.status().message())));
    }
    m_config.sources.push_back(source);
    if (number <= 1)
        finish(in, "telemetry.source");
    else
        in.finish();
}

// Here the keys are the racks' names.
void ConfigReader::readRacks()
{
    m_sections.emplace_back("racks");
    m_known.emplace_back("racks");
    const toml::table* racks = m_document["racks"].as_table();
    if (!racks)
        return;
    for (const auto& [rack, node] : *racks) {
        const auto line = int64_t(node.source().begin.line);
        const std::string key = fmt::format("racks.{}", rack.str());
        const auto* expression = node.as_string();
        const std::string control = controlCharacterIn(rack.str());
        if (!control.empty())
            m_errors.add(line, "racks", fmt::format("A rack's name holds {}.", control));
        if (!expression) {
            m_errors.add(line, key, "It must be a hostlist in quotes, as in \"gpu[001-004]\".");
            continue;
        }
        const auto hosts = domain::expandHostlist(expression->get());
        if (!hosts.ok())
            m_errors.add(line, key, std::string(hosts.status().message()));
        for (size_t i = 0; hosts.ok() && i < hosts->size(); ++i) {
            const auto [place, isNew] = m_config.desk.racks.try_emplace((*hosts)[i], rack.str());
            if (isNew || place->second == rack.str())
                continue;
            m_errors.add(
                line, key,
                fmt::format("The node {} is in the rack {} already.", (*hosts)[i], place->second));
            break;
        }
    }
}

void ConfigReader::rejectUnknownSections()
{
    for (const auto& [key, node] : m_document) {
        if (std::find(m_sections.begin(), m_sections.end(), key.str()) != m_sections.end())
            continue;
        const std::string nearest = nearestWord(key.str(), m_sections);
        m_errors.add(int64_t(key.source().begin.line), key.str(),
                     nearest.empty()
                         ? "There is no such section."
                         : fmt::format("There is no such section. Is [{}] meant?", nearest));
    }
}

}  // namespace

ParsedConfig parseConfig(std::string_view text, const std::string& file)
{
    ConfigErrors errors(file);
    ParsedConfig parsed;
    try {
        const toml::table document = toml::parse(text, file);
        parsed.config = ConfigReader(document, errors).read();
    } catch (const toml::parse_error& error) {
        errors.add(int64_t(error.source().begin.line), "not TOML", error.description());
    }
    parsed.errors = errors.take();
    return parsed;
}

StatusOr<ParsedConfig> loadConfig(const std::string& path)
{
    const StatusOr<std::string> text = readWholeFile(path, kLargestFile);
    if (text.ok())
        return parseConfig(*text, path);
    return absl::Status(
        text.status().code(),
        fmt::format("The configuration {}. Name another one with --config, or start with --demo.",
                    std::string(text.status().message())));
}

std::vector<std::string> knownKeys()
{
    ConfigErrors errors("");
    const toml::table empty;
    ConfigReader reader(empty, errors);
    reader.read();
    return reader.known();
}

StatusOr<Config> demoConfig(std::string_view simulation)
{
    auto options = scheduler::parseSimulatedOptions(simulation);
    if (!options.ok())
        return options.status();
    Config config;
    config.simulated = true;
    config.simulation = *options;
    config.stateDirectory.clear();
    config.desk.demo = true;
    config.desk.cluster = "demo";
    config.desk.readingIntervalSeconds = 1;
    config.desk.pollInterval = milliseconds(1000);
    config.desk.pollAfterAction = milliseconds(300);
    return config;
}

}  // namespace yard::daemon
