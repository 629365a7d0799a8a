#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yard::diagnosis {

/// Watches the steps and the loss a job prints: does it go on, and does it still learn?
class ProgressWatch {
public:
    struct Spike {
        uint64_t line = 0;
        double before = 0;  ///< median before
        double after = 0;   ///< the value that jumped
        bool isNan = false;
    };

    /// A line with a step, a loss or a progress bar; `line` is counted from 1.
    void noteStep(uint64_t line, double step);
    void noteLoss(uint64_t line, double loss);
    /// Once for each line with any of them, behind what it carries.
    void noteLine(uint64_t line, std::optional<double> step, std::optional<double> loss);

    uint64_t count() const { return m_count; }
    uint64_t lastLine() const { return m_lastLine; }
    /// The last line whose step or loss was not seen just before: heartbeats repeat theirs.
    uint64_t lastAdvance() const { return m_lastAdvance; }
    uint64_t advances() const { return m_advances; }
    std::optional<double> maxStep() const { return m_maxStep; }
    /// A jump of the loss that has not come back.
    std::optional<Spike> spike() const;

private:
    double median() const;
    bool isJump(double loss) const;

    uint64_t m_count = 0;
    uint64_t m_lastLine = 0;
    uint64_t m_lastAdvance = 0;
    uint64_t m_advances = 0;
    std::array<double, 8> m_lastSteps{};  ///< a ring
    size_t m_nextStep = 0;
    size_t m_knownSteps = 0;
    std::optional<double> m_lastLoss;
    std::optional<double> m_maxStep;

    std::vector<double> m_recent;  ///< the last values in order of arrival, a ring
    size_t m_next = 0;
    std::optional<Spike> m_open;
    double m_level = 0;   ///< below this the loss has come back
    uint32_t m_high = 0;  ///< values above it since the jump
    uint32_t m_low = 0;   ///< values below it, one after another
    uint32_t m_nans = 0;  ///< one after another
    uint64_t m_nanLine = 0;
};

}  // namespace yard::diagnosis
