#include "backend/control/reading_columns.h"

#include <algorithm>
#include <bit>

namespace yard::control {

ReadingColumns::ReadingColumns(size_t metrics)
    : m_columns(metrics)
{
}

void ReadingColumns::rearrange(const std::vector<uint32_t>& from)
{
    for (Stored& column : m_columns) {
        std::vector<float> values(from.size(), domain::kNoReading);
        for (size_t i = 0; i < from.size(); ++i)
            if (from[i] != kNoCell)
                values[i] = column.values[from[i]];
        column.values = std::move(values);
        column.revisions.assign(from.size(), 0);
        column.lastChange = 0;
    }
}

bool ReadingColumns::set(size_t metric, size_t cell, float value, uint32_t revision)
{
    Stored& column = m_columns[metric];
    float& stored = column.values[cell];
    if (std::bit_cast<uint32_t>(stored) == std::bit_cast<uint32_t>(value))
        return false;
    stored = value;
    column.revisions[cell] = revision;
    column.lastChange = revision;
    return true;
}

Column ReadingColumns::changes(size_t metric, uint32_t revision) const
{
    const Stored& column = m_columns[metric];
    const auto changed = size_t(std::count_if(column.revisions.begin(), column.revisions.end(),
                                              [=](uint32_t at) { return at > revision; }));
    if (changed * 3 >= column.values.size())
        return whole(metric);
    Column result{.metric = uint32_t(metric), .values = {}, .index = {}};
    result.values.reserve(changed);
    result.index.reserve(changed);
    for (size_t i = 0; i < column.values.size(); ++i) {
        if (column.revisions[i] <= revision)
            continue;
        result.index.push_back(uint32_t(i));
        result.values.push_back(column.values[i]);
    }
    return result;
}

}  // namespace yard::control
