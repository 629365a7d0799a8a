#include "backend/analytics/odd_rows.h"

#include <fmt/format.h>

#include "backend/base/text.h"

namespace yard::analytics {
namespace {

struct About {
    std::string_view id;
    std::string_view words;
};

constexpr std::array<About, kOddRowCount> kAbout = {{
    {"field_count", "More or fewer fields than the heading. The row is left out."},
    {"long_line", "A line longer than 512 KiB. The row is left out."},
    {"no_id", "No job id. The row is left out."},
    {"no_submit_time", "No submit time. The row is left out."},
    {"bad_number", "A field that should be a number is none. The row is left out."},
    {"bad_time", "A field that should be a time is none. The row is left out."},
    {"ends_before_it_starts", "Submit, start and end are not in order. The row is left out."},
    {"unknown_state", "A state that is not known. The job is kept with state UNKNOWN."},
    {"duration_disagrees",
     "Duration or queue is not the difference of the times. The job is kept as it is written."},
    {"gpu_time_disagrees",
     "GPU time is not GPUs x duration. The job is kept; GPU time is computed."},
}};

}  // namespace

std::string_view id(OddRow kind)
{
    return kAbout[size_t(kind)].id;
}

std::string_view words(OddRow kind)
{
    return kAbout[size_t(kind)].words;
}

bool isLost(OddRow kind)
{
    return kind <= OddRow::EndsBeforeItStarts;
}

void OddRows::add(OddRow kind, std::string_view file, uint64_t line, std::string_view what)
{
    ++m_counts[size_t(kind)];
    std::vector<std::string>& examples = m_examples[size_t(kind)];
    if (examples.size() < kExamples)
        examples.push_back(text::validUtf8(fmt::format("{}:{}: {}", file, line, what)));
}

void OddRows::add(const OddRows& other)
{
    for (size_t kind = 0; kind < kOddRowCount; ++kind) {
        m_counts[kind] += other.m_counts[kind];
        for (const std::string& example : other.m_examples[kind]) {
            if (m_examples[kind].size() < kExamples)
                m_examples[kind].push_back(example);
        }
    }
}

uint64_t OddRows::lost() const
{
    uint64_t lost = 0;
    for (size_t kind = 0; kind < kOddRowCount; ++kind)
        lost += isLost(OddRow(kind)) ? m_counts[kind] : 0;
    return lost;
}

}  // namespace yard::analytics
