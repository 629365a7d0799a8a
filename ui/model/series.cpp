#include "ui/model/series.h"

#include <algorithm>
#include <map>

namespace yard::model {

QVector<SeriesPoint> merged(const QVector<QVector<SeriesPoint>>& series, qint64 stepMs)
{
    struct Step {
        SeriesPoint all;
        double sum = 0;
        int count = 0;
    };
    const qint64 length = std::max<qint64>(stepMs, 1);
    std::map<qint64, Step> steps;
    for (const QVector<SeriesPoint>& one : series) {
        for (const SeriesPoint& point : one) {
            const qint64 at = point.atMs - point.atMs % length;
            Step& step = steps[at];
            if (step.count == 0)
                step.all = {at, point.min, point.mean, point.max};
            step.all.min = std::min(step.all.min, point.min);
            step.all.max = std::max(step.all.max, point.max);
            step.sum += double(point.mean);
            ++step.count;
        }
    }
    QVector<SeriesPoint> points;
    points.reserve(qsizetype(steps.size()));
    for (auto& [at, step] : steps) {
        step.all.mean = float(step.sum / step.count);
        points.append(step.all);
    }
    return points;
}

}  // namespace yard::model
