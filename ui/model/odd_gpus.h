#pragma once

#include <QVector>

#include "ui/model/gpu_map.h"

namespace yard::model {

/// A GPU that does not do as the others of its job do.
struct OddGpu {
    int node = 0;
    int gpu = 0;
    int job = 0;  ///< index into jobs()
    float value = 0;
    float peers = 0;  ///< their median
};

/// Judged by the map's metric: GPUs further from their job's median than its spread explains, in
/// jobs with at least four readings. The furthest first; at most `most`.
QVector<OddGpu> oddGpus(const GpuMap& map, int most);

}  // namespace yard::model
