#pragma once

#include "ui/model/series.h"

namespace yard::model {

class ClusterState;
struct JobInfo;

/// Whose readings are shown beside a job or a node, and over which span.
struct SeriesScope {
    QString name;  ///< "job 482913"
    /// An even choice of all GPUs (nodes) that it has; of few, all.
    QVector<SeriesSubject> gpus;
    QVector<SeriesSubject> nodes;
    int gpuCount = 0;  ///< all there are
    int nodeCount = 0;
    int gpu = -1;     ///< place in `gpus` of the one that was asked for; -1: all
    QDateTime from;   ///< its own span; invalid: it has none
    QDateTime to;     ///< invalid: to now
    QString noGpus;   ///< why no GPU can be named, a sentence
    QString nothing;  ///< why there is nothing to show at all, a sentence
    bool operator==(const SeriesScope&) const = default;
};

/// So many are asked for at most; the daemon reads them one by one.
constexpr int kMostSeriesSubjects = 32;

SeriesScope scopeOfNode(const ClusterState& state, int node, int gpu = -1);
SeriesScope scopeOfJob(const ClusterState& state, const JobInfo& job);

}  // namespace yard::model
