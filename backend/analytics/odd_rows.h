#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yard::analytics {

/// What can be wrong with a row. Up to EndsBeforeItStarts that row is lost; the others
/// are counted and kept.
enum class OddRow : uint8_t {
    FieldCount,
    LongLine,
    NoId,
    NoSubmitTime,
    BadNumber,
    BadTime,
    EndsBeforeItStarts,
    UnknownState,
    DurationDisagrees,
    GpuTimeDisagrees,
};
constexpr size_t kOddRowCount = 10;

/// Stable name as in JSON: "bad_number".
std::string_view id(OddRow kind);
/// "a number that is none: the row is left out"
std::string_view words(OddRow kind);
bool isLost(OddRow kind);

/// Odd rows by kind, with the first examples of each.
class OddRows {
public:
    /// `where` is "FILE:LINE".
    void add(OddRow kind, std::string_view file, uint64_t line, std::string_view what);
    void add(const OddRows& other);

    uint64_t count(OddRow kind) const { return m_counts[size_t(kind)]; }
    uint64_t lost() const;
    /// "FILE:LINE: what", at most kExamples of a kind, in the order they were met.
    const std::vector<std::string>& examples(OddRow kind) const { return m_examples[size_t(kind)]; }

    static constexpr size_t kExamples = 3;

private:
    std::array<uint64_t, kOddRowCount> m_counts = {};
    std::array<std::vector<std::string>, kOddRowCount> m_examples;
};

}  // namespace yard::analytics
