#include "ui/model/odd_gpus.h"

#include <QHash>
#include <algorithm>
#include <cmath>

#include "ui/model/cluster_state.h"

namespace yard::model {
namespace {

constexpr int kFewestPeers = 4;
constexpr float kSpreads = 5;
/// A job whose GPUs agree to the digit would make everything odd.
constexpr float kLeastShare = 0.1F;

float median(std::vector<float> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

QVector<OddGpu> oddGpus(const GpuMap& map, int most)
{
    const ClusterState& state = map.state();
    QHash<int, QVector<OddGpu>> byJob;
    for (int node = 0; node < state.nodes().size(); ++node) {
        if (state.jobsOnNode(node).isEmpty() || state.freshness(node) >= Freshness::Stale)
            continue;
        const int first = state.gpuOffset(node);
        for (int gpu = 0; first + gpu < state.gpuOffset(node + 1); ++gpu) {
            const float value = map.values()[first + gpu];
            const int job = std::isnan(value) ? -1 : state.jobOnGpu(node, gpu);
            if (job >= 0)
                byJob[job].push_back({node, gpu, job, value, 0});
        }
    }
    QVector<OddGpu> odd;
    for (const QVector<OddGpu>& members : std::as_const(byJob)) {
        if (members.size() < kFewestPeers)
            continue;
        std::vector<float> values;
        for (const OddGpu& member : members)
            values.push_back(member.value);
        const float middle = median(values);
        for (float& value : values)
            value = std::abs(value - middle);
        const float spread = 1.4826F * median(values);
        const float limit = std::max(kSpreads * spread, kLeastShare * std::abs(middle));
        for (OddGpu member : members) {
            member.peers = middle;
            if (std::abs(member.value - middle) > limit)
                odd.push_back(member);
        }
    }
    std::sort(odd.begin(), odd.end(), [](const OddGpu& a, const OddGpu& b) {
        return std::abs(a.value - a.peers) > std::abs(b.value - b.peers);
    });
    if (odd.size() > most)
        odd.resize(most);
    return odd;
}

}  // namespace yard::model
