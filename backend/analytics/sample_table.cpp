#include "backend/analytics/sample_table.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "backend/analytics/distribution.h"
#include "backend/analytics/job_parts.h"
#include "backend/analytics/trace_lines.h"

namespace yard::analytics {
namespace {

constexpr size_t kMostDistinct = 1'000'000;
constexpr double kDigits = 5;

/// To five digits: at most 90,000 values a power of ten.
double rounded(double value)
{
    if (value == 0)
        return 0;
    const double scale = std::pow(10.0, kDigits - 1 - std::floor(std::log10(std::fabs(value))));
    return std::round(value * scale) / scale;
}

class SampleCounts {
public:
    void add(double value)
    {
        ++m_counts[m_isRounded ? rounded(value) : value];
        if (!m_isRounded && m_counts.size() > kMostDistinct)
            roundAll();
    }
    void addTo(Figures& figures, const std::string& name) const
    {
        CountedValues values;
        for (const auto& [value, times] : m_counts)
            values.add(value, times);
        values.addTo(figures, name);
        const auto zero = m_counts.find(0.0);
        figures.number(
            name + ".zero_pct",
            percent(zero == m_counts.end() ? 0 : double(zero->second), double(values.count())));
        if (m_isRounded)
            figures.count(name + ".rounded", 1);
    }
    bool isEmpty() const { return m_counts.empty(); }

private:
    void roundAll()
    {
        absl::flat_hash_map<double, int64_t> counts;
        for (const auto& [value, times] : m_counts)
            counts[rounded(value)] += times;
        m_counts = std::move(counts);
        m_isRounded = true;
    }

    absl::flat_hash_map<double, int64_t> m_counts;
    bool m_isRounded = false;
};

}  // namespace

Status addSamples(const std::string& path, const std::string& name, Figures& figures)
{
    StatusOr<TraceLines> lines = TraceLines::open(path);
    if (!lines.ok())
        return lines.status();
    std::string_view line;
    if (!lines->next(line) || !line.starts_with("Time,"))
        return absl::InvalidArgumentError(fmt::format(
            "{}:1: The first column is not Time, so this is no table of telemetry.", path));
    SampleCounts counts;
    int64_t oddCells = 0;
    while (lines->next(line)) {
        size_t begin = line.find(',');
        while (begin != std::string_view::npos) {
            const size_t end = line.find(',', ++begin);
            const std::string_view cell =
                line.substr(begin, end == std::string_view::npos ? end : end - begin);
            begin = end;
            if (cell.empty())
                continue;
            double value = 0;
            const char* const cellEnd = cell.data() + cell.size();
            if (std::from_chars(cell.data(), cellEnd, value).ptr == cellEnd && std::isfinite(value))
                counts.add(value);
            else
                ++oddCells;
        }
    }
    YARD_RETURN_IF_ERROR(lines->status());
    const std::string prefix = "samples." + name;
    if (counts.isEmpty())
        figures.absent(prefix, fmt::format("The file {} has no sample.", path));
    else
        counts.addTo(figures, prefix);
    if (oddCells > 0)
        figures.count(prefix + ".odd_cells", oddCells);
    return absl::OkStatus();
}

}  // namespace yard::analytics
