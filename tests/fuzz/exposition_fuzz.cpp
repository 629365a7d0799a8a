#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "backend/telemetry/dcgm_reader.h"
#include "backend/telemetry/gzip.h"
#include "backend/telemetry/ipmi_reader.h"
#include "backend/telemetry/node_exporter_reader.h"
#include "backend/telemetry/nvidia_smi_reader.h"
#include "backend/telemetry/prometheus_api_reader.h"

using namespace yard::telemetry;

namespace {

void readAll(const Exposition& exposition)
{
    const GpuPage page = readDcgm(exposition);
    for (const auto& gpu : gpuReadings(page, "host", {}).gpus) {
        const float busy = gpu[yard::domain::GpuMetric::GpuUtilization];
        if (!std::isnan(busy) && (busy < 0 || busy > 101))
            abort();
    }
    readNvidiaSmi(exposition);
    const NodePage node = readNodeExporter(exposition);
    nodeReadings(node, &node, 1);
    ipmiReadings(readIpmi(exposition));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    const Exposition exposition = scanExposition(body);
    for (const ExpositionSample& sample : exposition.samples) {
        if (sample.name.empty() || exposition.labels(sample).size() != sample.labelCount)
            abort();
    }
    readAll(exposition);
    firstBadSentence(exposition);
    if (isGzip(body))
        unpackGzip(body, 1 << 20).status().IgnoreError();
    const auto reply = readPrometheusReply(body);
    if (reply.ok())
        readAll(asExposition(*reply));
    return 0;
}
