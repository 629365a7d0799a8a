#include "ui/model/series_scope.h"

#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"

namespace yard::model {
namespace {

QVector<SeriesSubject> evenChoice(const QVector<SeriesSubject>& all)
{
    if (all.size() <= kMostSeriesSubjects)
        return all;
    QVector<SeriesSubject> chosen;
    for (int i = 0; i < kMostSeriesSubjects; ++i)
        chosen.append(all[i * all.size() / kMostSeriesSubjects]);
    return chosen;
}

SeriesSubject gpuOf(const NodeInfo& node, int gpu)
{
    return {node.name, gpu, node.gpuUuids.value(gpu)};
}

/// GPUs by what the scheduler said; else all of its nodes, if it has as many as they have.
QVector<SeriesSubject> gpusOf(const ClusterState& state, const JobInfo& job,
                              const QStringList& hosts)
{
    QVector<SeriesSubject> named;
    QVector<SeriesSubject> all;
    for (const QString& host : hosts) {
        const int node = state.nodeIndex(host);
        QVector<int> indices = job.gpuIndices.value(host);
        std::sort(indices.begin(), indices.end());
        for (const int gpu : std::as_const(indices))
            named.append(node < 0 ? SeriesSubject{host, gpu, {}} : gpuOf(state.nodes()[node], gpu));
        for (int gpu = 0; node >= 0 && gpu < state.nodes()[node].gpusTotal; ++gpu)
            all.append(gpuOf(state.nodes()[node], gpu));
    }
    if (!named.isEmpty())
        return named;
    return all.size() == job.gpus ? all : QVector<SeriesSubject>();
}

}  // namespace

SeriesScope scopeOfNode(const ClusterState& state, int node, int gpu)
{
    const NodeInfo& info = state.nodes()[node];
    SeriesScope scope;
    scope.name = QStringLiteral("node ") + info.name;
    for (int i = 0; i < info.gpusTotal; ++i)
        scope.gpus.append(gpuOf(info, i));
    scope.gpuCount = int(scope.gpus.size());
    scope.gpus = evenChoice(scope.gpus);
    scope.gpu = gpu < scope.gpus.size() ? gpu : -1;
    scope.nodes = {{info.name, -1, {}}};
    scope.nodeCount = 1;
    if (scope.gpus.isEmpty())
        scope.noGpus = QStringLiteral("%1 has no GPUs.").arg(info.name);
    return scope;
}

SeriesScope scopeOfJob(const ClusterState& state, const JobInfo& job)
{
    SeriesScope scope;
    scope.name = QStringLiteral("job ") + job.displayId;
    const QStringList hosts = expandHostlist(job.nodes).hosts;
    if (!job.startTime.isValid() || hosts.isEmpty()) {
        scope.nothing = job.isPending()
                            ? QStringLiteral("It waits: its series begin when it starts.")
                            : QStringLiteral("It never ran on a node, so nothing was measured.");
        return scope;
    }
    scope.from = job.startTime;
    scope.to = job.isActive() ? QDateTime() : job.endTime;
    for (const QString& host : hosts)
        scope.nodes.append({host, -1, {}});
    scope.nodeCount = int(scope.nodes.size());
    scope.nodes = evenChoice(scope.nodes);
    scope.gpus = gpusOf(state, job, hosts);
    scope.gpuCount = int(scope.gpus.size());
    scope.gpus = evenChoice(scope.gpus);
    if (job.gpus == 0)
        scope.noGpus = QStringLiteral("This job has no GPUs.");
    else if (scope.gpus.isEmpty())
        scope.noGpus = QStringLiteral("The scheduler does not say which GPUs of its nodes it has.");
    return scope;
}

}  // namespace yard::model
