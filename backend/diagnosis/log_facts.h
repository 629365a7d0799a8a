#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/diagnosis/placement.h"
#include "backend/diagnosis/progress_watch.h"
#include "backend/diagnosis/rule_set.h"
#include "backend/diagnosis/tail_watch.h"

namespace yard::diagnosis {

/// A line that a rule knows, with who said it.
struct Finding {
    size_t rule = 0;  ///< place in RuleSet::rules(), or kOtherException
    uint64_t line = 0;
    std::string text;  ///< without prefixes, cut
    Fields fields;
    std::optional<int> rank;  ///< of the one who says it
    std::optional<int> task;
    std::string host;
    std::string pod;
    std::string section;  ///< host that a heading above names
    std::optional<int> pid;
    std::optional<int> gpu;
    std::optional<double> seconds;
    bool hasDate = false;
    uint32_t chain = 0;   ///< of tracebacks; 0 for none
    bool isWeak = false;  ///< logged as a warning or less
    bool isException = false;
    bool isWrapped = false;  ///< only a wrapper names the class; the exception itself may follow
    uint64_t progressBefore = 0;  ///< lines of progress before it
    std::optional<double> stepBefore;
    uint32_t count = 1;  ///< the same from the same speaker
};

inline constexpr size_t kOtherException = SIZE_MAX;

/// All that a log tells, a few kilobytes however long it is.
struct LogFacts {
    std::vector<Finding> findings;  ///< in order of lines
    Placement placement;
    ProgressWatch progress;
    std::vector<ReportedFailure> reported;
    std::vector<Stamp> progressStamps;  ///< of the last lines of progress
    std::vector<Stamp> tailStamps;      ///< of the lines behind the last step
    std::optional<Heartbeat> heartbeat;
    std::string lastProgress;  ///< the last line that shows a new step, cut
    uint64_t lines = 0;
    uint64_t bytes = 0;
    uint64_t dropped = 0;    ///< findings beyond the bound
    bool showsWork = false;  ///< it works, though no step is told
    bool isBinary = false;
    bool isCut = false;  ///< the last line has no end
};

}  // namespace yard::diagnosis
