#include "backend/scheduler/slurm/text_marks.h"

#include <cstdint>
#include <random>

#include "backend/base/text.h"

namespace yard::scheduler::slurm {

TextMarks TextMarks::fresh()
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::random_device random;
    std::string number;
    for (uint32_t bits = random(); number.size() < 8; bits >>= 4)
        number += kDigits[bits & 15];
    return {"\x1e" + number, "\x1f" + number};
}

std::string TextMarks::format(std::string_view letters) const
{
    std::string format;
    for (const char letter : letters) {
        format += format.empty() ? record : field;
        format += '%';
        format += letter;
    }
    return format;
}

std::vector<std::vector<std::string_view>> TextMarks::read(std::string_view output) const
{
    std::vector<std::vector<std::string_view>> records;
    const auto parts = text::split(output, record);
    for (size_t i = 1; i < parts.size(); ++i) {
        std::string_view part = parts[i];
        if (part.ends_with('\n'))  // one for each record, and not more: a name may end in some
            part.remove_suffix(1);
        records.push_back(text::split(part, field));
    }
    return records;
}

}  // namespace yard::scheduler::slurm
