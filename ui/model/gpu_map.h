#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <QVector>

#include "ui/model/cluster.h"
#include "ui/model/node_filter.h"

namespace yard::model {

class ClusterState;

/// The cluster as a map: groups of nodes, a value and flags for every GPU. It decides what a cell
/// is worth, ui/widgets/heatmap how it looks.
///
/// Thread: GUI thread only.
class GpuMap final : public QObject {
    Q_OBJECT

public:
    enum class Grouping { Switch, Rack, Partition, Job };
    enum Flag : quint8 { InUse = 1, HasFault = 2, Stale = 4, Hidden = 8 };

    struct Group {
        QString title;
        QString hosts;       ///< folded
        QString job;         ///< display id, when grouped by job
        QVector<int> nodes;  ///< positions in ClusterState::nodes()
    };

    /// `state` must outlive the map.
    explicit GpuMap(const ClusterState& state, QObject* parent = nullptr);

    const ClusterState& state() const { return m_state; }
    GpuMetric metric() const { return m_metric; }
    void setMetric(GpuMetric metric);
    Grouping grouping() const { return m_grouping; }
    void setGrouping(Grouping grouping);
    /// Nodes that do not match are drawn faint; they keep their place.
    void setFilter(const NodeFilter& filter);
    QString filterError() const { return m_filterError; }
    int shownNodes() const { return m_shownNodes; }

    const QVector<Group>& groups() const { return m_groups; }
    /// By GPU position; memory as a percentage of the total. NaN: no reading.
    const QVector<float>& values() const { return m_values; }
    const QVector<quint8>& flags() const { return m_flags; }
    /// Median over the GPUs in use with a reading; NaN if there are none.
    float median(int group) const { return m_medians.value(group, kNoReading); }
    float medianInUse() const { return m_medianInUse; }
    bool groupIsFree(int group) const { return m_free.value(group, false); }

    struct Counts {
        int inUse = 0;
        int missing = 0;
        int stale = 0;
        int faults = 0;
        int fresh = 0;
    };
    Counts counts() const { return m_counts; }

Q_SIGNALS:
    void layoutChanged();  ///< groups, order, node facts, or what is requested
    void valuesChanged();

private:
    void rebuild();
    /// Readings grow old by themselves, also while nothing comes.
    void growOlder();
    void readFlags();
    void readValues();
    void readMedians();
    QString groupOf(int node, QString* job) const;

    const ClusterState& m_state;
    GpuMetric m_metric = GpuMetric::SmActivity;
    Grouping m_grouping = Grouping::Switch;
    NodeFilter m_filter;
    QString m_filterError;
    int m_shownNodes = 0;
    QVector<Group> m_groups;
    QVector<float> m_values;
    QVector<quint8> m_flags;
    QVector<float> m_medians;
    QVector<bool> m_free;
    float m_medianInUse = kNoReading;
    Counts m_counts;
    QVector<Freshness> m_freshness;  ///< of each node when the flags were read
    QTimer m_second;
};

}  // namespace yard::model
