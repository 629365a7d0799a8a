#include "backend/scheduler/simulated/simulated_options.h"

#include <charconv>
#include <string>

#include "backend/scheduler/simulated/gpu_pool.h"

namespace yard::scheduler {
namespace {

Status refuse(std::string_view key, std::string_view value, std::string_view allowed)
{
    return absl::InvalidArgumentError("The option " + std::string(key) + "=" + std::string(value) +
                                      " of the simulated cluster is not understood: it may be " +
                                      std::string(allowed) + ".");
}

template <typename Number>
bool read(std::string_view text, Number least, Number greatest, Number& into)
{
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() ||
        !(number >= least && number <= greatest))
        return false;
    into = number;
    return true;
}

bool read(std::string_view text, bool& into)
{
    into = text == "on";
    return into || text == "off";
}

bool read(std::string_view text, WorkloadProfile& into)
{
    into = text == "kalos" ? WorkloadProfile::Kalos : WorkloadProfile::Seren;
    return text == "kalos" || text == "seren";
}

Status apply(std::string_view key, std::string_view value, SimulatedOptions& options)
{
    if (key == "nodes")
        return read(value, 1, 50'000, options.nodes) ? Status() : refuse(key, value, "1 to 50000");
    if (key == "gpus")
        return read(value, 1, kMaxGpusPerNode, options.gpus) ? Status()
                                                             : refuse(key, value, "1 to 64");
    if (key == "switch")
        return read(value, 1, 4096, options.switchNodes) ? Status()
                                                         : refuse(key, value, "1 to 4096 nodes");
    if (key == "rack")
        return read(value, 1, 4096, options.rackNodes) ? Status()
                                                       : refuse(key, value, "1 to 4096 nodes");
    if (key == "seed")
        return read(value, uint64_t(0), ~uint64_t(0), options.seed)
                   ? Status()
                   : refuse(key, value, "a whole number");
    if (key == "speed")
        return read(value, 0.01, 100'000.0, options.speed) ? Status()
                                                           : refuse(key, value, "0.01 to 100000");
    if (key == "load")
        return read(value, 0.0, 2.0, options.load) ? Status() : refuse(key, value, "0 to 2");
    if (key == "failures")
        return read(value, options.failures) ? Status() : refuse(key, value, "on or off");
    if (key == "oddities")
        return read(value, options.oddities) ? Status() : refuse(key, value, "on or off");
    if (key == "profile")
        return read(value, options.profile) ? Status() : refuse(key, value, "seren or kalos");
    return absl::InvalidArgumentError(
        "The simulated cluster has no option \"" + std::string(key) +
        "\": use nodes, gpus, switch, rack, seed, speed, load, failures, oddities or profile.");
}

}  // namespace

StatusOr<SimulatedOptions> parseSimulatedOptions(std::string_view text)
{
    SimulatedOptions options;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto item = text.substr(0, comma);
        text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
        const auto equals = item.find('=');
        if (equals == item.npos)
            return absl::InvalidArgumentError("The option \"" + std::string(item) +
                                              "\" of the simulated cluster has no value: write it "
                                              "as key=value, such as nodes=12500.");
        YARD_RETURN_IF_ERROR(apply(item.substr(0, equals), item.substr(equals + 1), options));
    }
    return options;
}

}  // namespace yard::scheduler
