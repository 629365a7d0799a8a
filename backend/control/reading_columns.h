#pragma once

#include <cstdint>
#include <vector>

#include "backend/control/cluster_delta.h"

namespace yard::control {

/// Numbers in columns, metric × cell, each with the revision of its last change.
///
/// Thread: that of its owner.
class ReadingColumns {
public:
    static constexpr uint32_t kNoCell = UINT32_MAX;

    explicit ReadingColumns(size_t metrics);

    /// New cell i takes what cell `from[i]` had; kNoCell: no reading.
    void rearrange(const std::vector<uint32_t>& from);
    /// Writes a value; false if it was there already. NaN is a value like any other here.
    bool set(size_t metric, size_t cell, float value, uint32_t revision);
    float at(size_t metric, size_t cell) const { return m_columns[metric].values[cell]; }
    const std::vector<float>& values(size_t metric) const { return m_columns[metric].values; }
    size_t metrics() const { return m_columns.size(); }

    bool changedAfter(size_t metric, uint32_t revision) const
    {
        return m_columns[metric].lastChange > revision;
    }
    /// Positions and values if under a third has changed, else all of it.
    Column changes(size_t metric, uint32_t revision) const;
    Column whole(size_t metric) const { return {uint32_t(metric), values(metric), {}}; }

private:
    struct Stored {
        std::vector<float> values;
        std::vector<uint32_t> revisions;
        uint32_t lastChange = 0;
    };
    std::vector<Stored> m_columns;
};

}  // namespace yard::control
