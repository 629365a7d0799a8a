#include "backend/scheduler/slurm/size_text.h"

#include <charconv>
#include <cmath>

#include "backend/base/text.h"

namespace yard::scheduler::slurm {
namespace {

constexpr std::string_view kUnits = "KMGTPE";

}  // namespace

std::optional<double> readSize(std::string_view text)
{
    double value = 0;
    const char* const end = text.data() + text.size();
    if (text.empty() || !text::isDigit(text.front()))
        return std::nullopt;
    const auto [rest, error] = std::from_chars(text.data(), end, value, std::chars_format::fixed);
    if (error != std::errc() || !std::isfinite(value) || end - rest > 1)
        return std::nullopt;
    if (rest == end)
        return value;
    const size_t step = kUnits.find(text::upperCase({rest, 1}).front());
    if (step == std::string_view::npos)
        return std::nullopt;
    return std::ldexp(value, 10 * (int(step) + 1));
}

std::optional<double> readMemoryMib(std::string_view text)
{
    const auto size = readSize(text);
    if (!size)
        return std::nullopt;
    const bool hasUnit = !text::isDigit(text.back()) && text.back() != '.';
    return hasUnit ? *size / (1024.0 * 1024.0) : *size;
}

MemoryRequest readMemoryRequest(std::string_view text)
{
    MemoryRequest request;
    text = text::trimmed(text);
    if (text.size() > 1 && text.back() == 'n')
        request.per = MemoryRequest::Per::Node;
    else if (text.size() > 1 && text.back() == 'c')
        request.per = MemoryRequest::Per::Cpu;
    if (request.per != MemoryRequest::Per::Job)
        text.remove_suffix(1);
    request.mib = readMemoryMib(text);
    return request;
}

}  // namespace yard::scheduler::slurm
