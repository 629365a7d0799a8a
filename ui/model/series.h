#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <QVector>

namespace yard::model {

/// A GPU by its place on a node; without a GPU, the node itself.
struct SeriesSubject {
    QString node;
    int gpu = -1;
    QString uuid;  ///< of the GPU; may be empty
    bool isGpu() const { return gpu >= 0; }
    bool operator==(const SeriesSubject&) const = default;
};

/// What was measured in one step of time.
struct SeriesPoint {
    qint64 atMs = 0;  ///< begin of the step, ms since the epoch
    float min = 0;
    float mean = 0;
    float max = 0;
    bool operator==(const SeriesPoint&) const = default;
};

struct SeriesRequest {
    SeriesSubject subject;
    QVector<int> metrics;  ///< GpuMetric of a GPU, NodeMetric of a node
    QDateTime from;
    QDateTime to;
    int maxPoints = 0;  ///< of each metric; more are merged, their extremes kept. 0: as the daemon
                        ///< likes
};

struct SeriesInfo {
    QVector<QVector<SeriesPoint>> metrics;  ///< parallel to those asked for; gaps are left out
    qint64 stepMs = 0;                      ///< between points; a larger distance is a gap
    QStringList warnings;                   ///< what is missing or damaged, a sentence each
};

/// Several series as one: in each step the least and the greatest of all, and the mean of their
/// means. A step in which nobody has a reading stays out.
QVector<SeriesPoint> merged(const QVector<QVector<SeriesPoint>>& series, qint64 stepMs);

}  // namespace yard::model
