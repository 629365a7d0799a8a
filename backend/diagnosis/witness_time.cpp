#include "backend/diagnosis/witness_time.h"

#include <chrono>
#include <cmath>

namespace yard::diagnosis {
namespace {

constexpr double kDay = 86400;
constexpr double kBefore = 3900;  // a collective may wait an hour for a part that broke
constexpr double kAfter = 900;    // buffered logs, clocks that drift
constexpr double kZones = 14 * 3600;
constexpr double kZoneStep = 1800;
constexpr double kYear2001 = 978307200;  // times without a year count as of the year 2000

bool isWithin(double difference)
{
    return difference >= -kBefore && difference <= kAfter;
}

/// `difference`: of the kernel's time from the job's.
bool mayBeSameMoment(double difference)
{
    if (isWithin(difference))
        return true;
    if (std::abs(difference) > kZones + kBefore)
        return false;
    // Whole time zones apart, and then a few minutes at most.
    const double rest = difference - kZoneStep * std::round(difference / kZoneStep);
    return std::abs(rest) <= 300;
}

/// The same day and time in the year 2000.
double withoutYear(double seconds)
{
    using namespace std::chrono;
    const auto days = floor<std::chrono::days>(sys_seconds(std::chrono::seconds(int64_t(seconds))));
    const year_month_day date(days);
    const sys_days moved(year(2000) / date.month() / date.day());
    return double((moved.time_since_epoch()).count()) * kDay +
           (seconds - double(days.time_since_epoch().count()) * kDay);
}

bool mayBeSameTime(double kernel, double job)
{
    if ((kernel < kYear2001) == (job < kYear2001))
        return mayBeSameMoment(kernel - job);
    const double difference = withoutYear(kernel) - withoutYear(job);
    constexpr double kLeapYear = 366 * kDay;
    return mayBeSameMoment(difference) || mayBeSameMoment(difference - kLeapYear) ||
           mayBeSameMoment(difference + kLeapYear);
}

}  // namespace

std::optional<double> failureTime(const LogFacts& facts, const Finding* shown)
{
    if (shown != nullptr && shown->seconds && shown->hasDate)
        return shown->seconds;
    std::optional<double> last;
    for (const Finding& finding : facts.findings) {
        if (finding.seconds && finding.hasDate)
            last = finding.seconds;
    }
    for (const auto* const stamps : {&facts.tailStamps, &facts.progressStamps}) {
        if (!last && !stamps->empty() && stamps->back().hasDate)
            last = stamps->back().seconds;
    }
    return last;
}

LogFacts nearInTime(LogFacts kernel, double failure)
{
    std::erase_if(kernel.findings, [failure](const Finding& finding) {
        return finding.seconds && finding.hasDate && !mayBeSameTime(*finding.seconds, failure);
    });
    return kernel;
}

}  // namespace yard::diagnosis
