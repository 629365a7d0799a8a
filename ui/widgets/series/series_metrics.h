#pragma once

#include <QString>
#include <QVector>

namespace yard::widgets {

/// One metric of GPUs or nodes, as a chart shows it.
struct SeriesMetric {
    int metric = 0;  ///< model::GpuMetric or model::NodeMetric
    QString name;
    QString unit;
    double factor = 1;  ///< from the reading to the unit
    int decimals = 0;
    double top = 0;        ///< fixed top of the axis; 0: what there is
    bool fromZero = true;  ///< temperatures do not

    /// With its unit: "312 W".
    QString words(double value) const;
};

const QVector<SeriesMetric>& gpuSeriesMetrics();
const QVector<SeriesMetric>& nodeSeriesMetrics();

}  // namespace yard::widgets
