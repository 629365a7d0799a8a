#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"

namespace yard::telemetry {

struct Label {
    std::string_view name;
    std::string_view value;  ///< unescaped
};

struct ExpositionSample {
    std::string_view name;
    double value = 0;  ///< NaN and infinities as the exporter wrote them
    std::optional<int64_t> timestampMs;
    uint32_t firstLabel = 0;
    uint32_t labelCount = 0;
    uint32_t line = 0;  ///< from 1
};

struct BadLine {
    uint32_t line = 0;
    std::string what;  ///< "no value after DCGM_FI_DEV_GPU_TEMP"
};

struct FamilyHelp {
    std::string_view name;
    std::string text;  ///< unescaped
};

/// One page in Prometheus' text format 0.0.4. The views point into the body, which must outlive it.
struct Exposition {
    std::vector<ExpositionSample> samples;
    std::vector<Label> labelPool;
    std::deque<std::string> unescaped;  ///< label values that had an escape
    std::vector<FamilyHelp> help;
    uint64_t badLines = 0;
    std::vector<BadLine> firstBad;  ///< at most kMaxBadLinesKept
    /// False if the last line has no end: the body was cut, and that line is no sample.
    bool isComplete = true;
    std::optional<ExpositionSample> cutSample;  ///< its name and labels, without a value

    std::span<const Label> labels(const ExpositionSample& sample) const
    {
        return {labelPool.data() + sample.firstLabel, sample.labelCount};
    }
    /// Empty if the sample has no such label.
    std::string_view label(const ExpositionSample& sample, std::string_view name) const;
};
constexpr size_t kMaxBadLinesKept = 1000;

/// Reads all that can be read: a bad line costs that line. One pass, no allocation per sample.
///
/// Thread: any; a pure function.
Exposition scanExposition(std::string_view body);

/// As above for a live scrape, where half a page must not look like a healthy one. Errors:
/// DATA_LOSS (cut off at the end), INVALID_ARGUMENT (empty, or a text for people).
StatusOr<Exposition> readExposition(std::string_view body);
/// The verdict of readExposition on what was scanned.
Status checkExposition(std::string_view body, const Exposition& exposition);

/// "line 212: no value after X. The line was skipped." of the first bad line; empty without one.
std::string firstBadSentence(const Exposition& exposition);

}  // namespace yard::telemetry
