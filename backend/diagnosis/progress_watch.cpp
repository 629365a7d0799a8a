#include "backend/diagnosis/progress_watch.h"

#include <algorithm>
#include <cmath>

namespace yard::diagnosis {
namespace {

constexpr size_t kWindow = 48;
constexpr size_t kMinBaseline = 4;   // fewer values say nothing about what is usual
constexpr size_t kGoodBaseline = 8;  // with fewer only a large jump counts
constexpr double kMinRatioEarly = 2;
constexpr double kMinRatio = 1.5;     // of the median
constexpr double kMinRise = 0.35;     // in units of the loss
constexpr double kMinDeviations = 8;  // median absolute ones
constexpr uint32_t kPersists = 6;     // values that stay high
constexpr uint32_t kPersistsFar = 4;  // where they are twice what is usual
constexpr uint32_t kHealed = 4;       // values that are low again, one after another
constexpr uint32_t kMinNans = 3;

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

void ProgressWatch::noteLine(uint64_t line, std::optional<double> step, std::optional<double> loss)
{
    ++m_count;
    m_lastLine = line;
    const double* const end = m_lastSteps.data() + m_knownSteps;
    const bool isKnownStep =
        step && std::find(static_cast<const double*>(m_lastSteps.data()), end, *step) != end;
    const bool isKnownLoss = !loss || (m_lastLoss && *loss == *m_lastLoss);
    if (step && !isKnownStep) {
        m_lastSteps[m_nextStep] = *step;
        m_nextStep = (m_nextStep + 1) % m_lastSteps.size();
        m_knownSteps = std::min(m_knownSteps + 1, m_lastSteps.size());
    }
    if (loss)
        m_lastLoss = loss;
    const bool saysNothing = !step && !loss;  // a bar
    if (saysNothing || (step && !isKnownStep) || !isKnownLoss) {
        m_lastAdvance = line;
        ++m_advances;
    }
}

void ProgressWatch::noteStep(uint64_t, double step)
{
    if (!m_maxStep || step > *m_maxStep)
        m_maxStep = step;
}

double ProgressWatch::median() const
{
    return medianOf(m_recent);
}

bool ProgressWatch::isJump(double loss) const
{
    if (m_recent.size() < kMinBaseline)
        return false;
    const double highest = *std::max_element(m_recent.begin(), m_recent.end());
    if (loss <= highest)
        return false;  // the usual case, and cheap
    const double usual = median();
    const double ratio = m_recent.size() < kGoodBaseline ? kMinRatioEarly : kMinRatio;
    if (loss < usual + kMinRise || loss < usual * ratio || usual < 0)
        return false;
    std::vector<double> deviations;
    deviations.reserve(m_recent.size());
    for (const double value : m_recent)
        deviations.push_back(std::abs(value - usual));
    return loss > usual + kMinDeviations * medianOf(std::move(deviations));
}

void ProgressWatch::noteLoss(uint64_t line, double loss)
{
    if (!std::isfinite(loss)) {
        if (m_nans++ == 0)
            m_nanLine = line;
        return;
    }
    m_nans = 0;
    if (m_open) {
        const bool isHigh = loss > m_level;
        m_high += isHigh ? 1 : 0;
        m_low = isHigh ? 0 : m_low + 1;
        if (m_low >= kHealed)
            m_open.reset();
        return;
    }
    if (isJump(loss)) {
        const double usual = median();
        m_open = Spike{line, usual, loss, false};
        m_level = usual + (loss - usual) / 2;
        m_high = 1;
        m_low = 0;
        return;
    }
    if (m_recent.size() < kWindow) {
        m_recent.push_back(loss);
    } else {
        m_recent[m_next] = loss;
        m_next = (m_next + 1) % kWindow;
    }
}

std::optional<ProgressWatch::Spike> ProgressWatch::spike() const
{
    if (m_nans >= kMinNans)
        return Spike{m_nanLine, m_recent.empty() ? 0 : median(), 0, true};
    if (!m_open || m_low != 0)
        return std::nullopt;
    const bool isFar = m_level >= 1.5 * m_open->before;
    if (m_high >= (isFar ? kPersistsFar : kPersists))
        return m_open;
    return std::nullopt;
}

}  // namespace yard::diagnosis
