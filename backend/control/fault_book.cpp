#include "backend/control/fault_book.h"

#include <algorithm>

namespace yard::control {
namespace {

constexpr std::chrono::hours kKeep{24};
constexpr std::chrono::minutes kFold{5};  // repeats within this time are one event
constexpr size_t kMost = 2000;

bool isRepeat(const domain::Fault& known, const domain::Fault& fault)
{
    return known.kind == fault.kind && known.host == fault.host && known.pci == fault.pci &&
           known.code == fault.code && *fault.at - *known.at < kFold;
}

}  // namespace

std::vector<domain::Fault> FaultBook::add(std::vector<domain::Fault> faults,
                                          const ReadingBoard& board, Time now)
{
    std::vector<domain::Fault> fresh;
    for (domain::Fault& fault : faults) {
        fault.at = fault.at.value_or(now);
        if (!fault.gpuIndex)
            fault.gpuIndex = board.gpuAt(fault.host, fault.pci);
        const auto known =
            std::find_if(m_faults.rbegin(), m_faults.rend(),
                         [&](const domain::Fault& other) { return isRepeat(other, fault); });
        if (known != m_faults.rend()) {
            known->count += fault.count;
            continue;
        }
        fresh.push_back(fault);
        m_faults.push_back(std::move(fault));
    }
    if (m_faults.size() > kMost)
        m_faults.erase(m_faults.begin(), m_faults.end() - kMost);
    return fresh;
}

bool FaultBook::dropOld(Time now)
{
    return std::erase_if(m_faults,
                         [&](const domain::Fault& fault) { return now - *fault.at > kKeep; }) > 0;
}

}  // namespace yard::control
