#pragma once

#include <QWidget>

#include "ui/model/cluster.h"

namespace yard::widgets {

/// The scale's bar with its ticks and unit.
class ScaleLegend final : public QWidget {
    Q_OBJECT

public:
    explicit ScaleLegend(int barWidth = 260, int barHeight = 10, QWidget* parent = nullptr);
    void setMetric(model::GpuMetric metric);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    model::GpuMetric m_metric = model::GpuMetric::SmActivity;
    int m_barWidth;
    int m_barHeight;
};

/// What the marks of a map mean: hatch, stale, fault, state bars, same job.
class MapKey final : public QWidget {
    Q_OBJECT

public:
    struct Counts {
        int missing = 0;
        int stale = 0;
        int faults = 0;
        bool operator==(const Counts&) const = default;
    };
    explicit MapKey(bool withBars, QWidget* parent = nullptr);
    void setCounts(const Counts& counts);
    /// The states whose bars the map shows now, and whether any bar means a request of ours.
    void setBars(const QVector<model::NodeCategory>& bars, bool requested);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry;
    QVector<Entry> entries() const;

    bool m_withBars;
    Counts m_counts;
    QVector<model::NodeCategory> m_bars;
    bool m_requested = false;
};

}  // namespace yard::widgets
