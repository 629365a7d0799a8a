#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yard::scheduler::slurm {

/// The value of the first ` Key=` in a line of `scontrol -o`, up to the next blank; nothing if the
/// key is not there. Slurm puts free text behind the fields that matter, so the first one counts.
std::optional<std::string_view> fieldOf(std::string_view record, std::string_view key);

/// As fieldOf(), with `(null)`, `N/A` and a missing key as the empty text.
std::string_view textOf(std::string_view record, std::string_view key);

template <typename Integer>
std::optional<Integer> numberOf(std::string_view record, std::string_view key);

/// The records of `scontrol -o show …`: each begins with `head` at the start of a line. Lines
/// before the first ("No reservations in the system") are no record.
std::vector<std::string_view> recordsOf(std::string_view output, std::string_view head);

/// The lines that records begin in, asked for in the order of the text.
class RecordLines {
public:
    explicit RecordLines(std::string_view output)
        : m_rest(output)
    {
    }
    /// From 1.
    uint32_t of(std::string_view record);

private:
    std::string_view m_rest;
    uint32_t m_line = 1;
};

/// "(null)" is how Slurm says nothing.
std::string_view withoutNull(std::string_view text);

}  // namespace yard::scheduler::slurm
