#include "backend/telemetry/simulated_source.h"

#include <algorithm>
#include <cmath>

namespace yard::telemetry {
namespace {

template <typename Values>
uint64_t known(const Values& values)
{
    return uint64_t(std::count_if(values.begin(), values.end(),
                                  [](float value) { return !std::isnan(value); }));
}

uint64_t countSamples(const std::vector<domain::HostReadings>& hosts)
{
    uint64_t samples = 0;
    for (const auto& host : hosts) {
        samples += known(host.node);
        for (const auto& gpu : host.gpus)
            samples += known(gpu.values);
    }
    return samples;
}

}  // namespace

SimulatedSource::SimulatedSource(ReadReadings readReadings, ReadFaults readFaults)
    : m_readReadings(std::move(readReadings))
    , m_readFaults(std::move(readFaults))
{
}

StatusOr<Scrape> SimulatedSource::scrape(Deadline deadline)
{
    if (deadline.passed())
        return absl::DeadlineExceededError("The simulated cluster was not read in time.");
    Scrape scrape;
    scrape.hosts = m_readReadings();
    scrape.samples = countSamples(scrape.hosts);
    scrape.faults = m_readFaults(m_faultsUntil);
    for (const auto& fault : scrape.faults)
        if (fault.at)
            m_faultsUntil = std::max(m_faultsUntil, *fault.at);
    return scrape;
}

}  // namespace yard::telemetry
