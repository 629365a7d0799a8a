#include "backend/analytics/characterize.h"

#include <algorithm>

#include "backend/analytics/job_parts.h"

namespace yard::analytics {

std::vector<uint32_t> select(const JobTable& table, const Selection& selection)
{
    std::vector<bool> isWithout(table.words.size(), false);
    std::vector<bool> isCluster(table.words.size(), selection.cluster.empty());
    for (uint32_t word = 0; word < table.words.size(); ++word) {
        isWithout[word] = selection.withoutTypes.contains(typeName(table, word));
        isCluster[word] = isCluster[word] || table.words.text(word) == selection.cluster;
    }
    std::vector<uint32_t> rows;
    rows.reserve(table.size());
    for (uint32_t row = 0; row < table.size(); ++row) {
        if (isCluster[table.cluster[row]] && !isWithout[table.type[row]] &&
            (!selection.from || table.submit[row] >= *selection.from) &&
            (!selection.to || table.submit[row] < *selection.to))
            rows.push_back(row);
    }
    return rows;
}

Characterization characterize(const JobTable& table, const Selection& selection)
{
    Characterization result;
    const std::vector<uint32_t> rows = select(table, selection);
    addCounts(table, rows, result.figures);
    addTimes(table, rows, result.figures);
    addGpuDemand(table, rows, result.figures);
    addArrivals(table, rows, result);
    addConcurrency(table, rows, result.figures);
    return result;
}

std::string typeName(const JobTable& table, uint32_t type)
{
    return type == 0 ? std::string("Unclassified") : table.words.text(type);
}

std::vector<uint32_t> typesOfGpuJobs(const JobTable& table, Rows rows)
{
    std::vector<bool> seen(table.words.size(), false);
    for (const uint32_t row : rows) {
        if (table.gpus[row] > 0)
            seen[table.type[row]] = true;
    }
    std::vector<uint32_t> types;
    for (uint32_t word = 0; word < seen.size(); ++word) {
        if (seen[word])
            types.push_back(word);
    }
    std::sort(types.begin(), types.end(),
              [&table](uint32_t a, uint32_t b) { return typeName(table, a) < typeName(table, b); });
    return types;
}

double percent(double part, double whole)
{
    return whole > 0 ? 100.0 * part / whole : 0;
}

}  // namespace yard::analytics
