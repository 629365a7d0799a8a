#include "backend/scheduler/slurm/key_values.h"

#include <algorithm>

#include "backend/base/text.h"

namespace yard::scheduler::slurm {

std::optional<std::string_view> fieldOf(std::string_view record, std::string_view key)
{
    size_t from = 0;
    for (;;) {
        const size_t at = record.find(key, from);
        if (at == std::string_view::npos)
            return std::nullopt;
        const size_t value = at + key.size();
        const bool isWhole = (at == 0 || text::isBlank(record[at - 1])) && value < record.size() &&
                             record[value] == '=';
        if (isWhole) {
            std::string_view rest = record.substr(value + 1);
            size_t end = 0;
            while (end < rest.size() && !text::isBlank(rest[end]))
                ++end;
            return rest.substr(0, end);
        }
        from = at + 1;
    }
}

std::string_view textOf(std::string_view record, std::string_view key)
{
    return withoutNull(fieldOf(record, key).value_or(""));
}

template <typename Integer>
std::optional<Integer> numberOf(std::string_view record, std::string_view key)
{
    return text::number<Integer>(fieldOf(record, key).value_or(""));
}
template std::optional<int> numberOf<int>(std::string_view, std::string_view);
template std::optional<int64_t> numberOf<int64_t>(std::string_view, std::string_view);

std::vector<std::string_view> recordsOf(std::string_view output, std::string_view head)
{
    std::vector<size_t> starts;
    for (size_t at = output.find(head); at != std::string_view::npos;
         at = output.find(head, at + head.size())) {
        if (at == 0 || output[at - 1] == '\n')
            starts.push_back(at);
    }
    std::vector<std::string_view> records;
    for (size_t i = 0; i < starts.size(); ++i) {
        const size_t end = i + 1 < starts.size() ? starts[i + 1] : output.size();
        records.push_back(text::trimmed(output.substr(starts[i], end - starts[i])));
    }
    return records;
}

uint32_t RecordLines::of(std::string_view record)
{
    const auto before = size_t(record.data() - m_rest.data());
    m_line += uint32_t(std::count(m_rest.begin(), m_rest.begin() + int64_t(before), '\n'));
    m_rest.remove_prefix(before);
    return m_line;
}

std::string_view withoutNull(std::string_view text)
{
    return text == "(null)" || text == "N/A" ? std::string_view() : text;
}

}  // namespace yard::scheduler::slurm
