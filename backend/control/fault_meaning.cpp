#include "backend/control/fault_meaning.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "backend/base/text.h"
#include "backend/telemetry/xid_table.h"

namespace yard::control {
namespace {

using domain::FaultKind;
using domain::Reason;
using Weight = FaultMeaning::Weight;

struct Step {
    std::string_view action;
    Weight weight;
    bool needsDrain;
    std::string_view advice;
};

// The first steps of the catalog, as an operator takes them.
constexpr std::array kSteps{
    Step{"follow", Weight::Follower, false, "Follow the other error; this one is a consequence."},
    Step{"none", Weight::Follower, false, "Nothing to do for the GPU; follow the job's own error."},
    Step{"watch", Weight::Watch, false,
         "Nothing now. If it comes again, plan the GPU's replacement."},
    Step{"restart_app", Weight::Program, false,
         "Look at the program first. If the same GPU does it to another job, run diagnostics."},
    Step{"reset_gpu", Weight::Broken, true,
         "Drain the node and reset the GPU; if it comes again, replace it."},
    Step{"reboot", Weight::Broken, true,
         "Drain the node and power-cycle it; if it comes again, reseat or replace the GPU."},
    Step{"replace", Weight::Broken, true, "Drain the node and replace the GPU."},
    Step{"check_hardware", Weight::Broken, true, "Drain the node and check its power and cabling."},
    Step{"nvlink", Weight::Broken, true,
         "Drain the node, reset the GPU or its baseboard, and check link, fabric manager and "
         "cooling."},
    Step{"support", Weight::Broken, true,
         "Drain the node, collect nvidia-bug-report and ask the vendor."},
};

const Step& stepOf(std::string_view action)
{
    for (const Step& step : kSteps)
        if (step.action == action)
            return step;
    return kSteps.back();
}

FaultMeaning meaningOfStep(std::string_view action, Reason reason, std::string words)
{
    const Step& step = stepOf(action);
    return {.weight = step.weight,
            .reason = reason,
            .words = std::move(words),
            .advice = std::string(step.advice),
            .needsDrain = step.needsDrain};
}

FaultMeaning meaningOfXid(const domain::Fault& fault)
{
    const telemetry::XidMeaning* const known = telemetry::xidMeaning(fault.code);
    if (!known)
        return meaningOfStep("support", Reason::CudaError, fmt::format("Xid {}", fault.code));
    FaultMeaning meaning = meaningOfStep(known->action, known->reason,
                                         fmt::format("Xid {}, {}", fault.code, known->meaning));
    // A contained memory error ends one program, and the memory is broken all the same.
    if (known->reason == Reason::EccError && meaning.weight == Weight::Program)
        meaning.weight = Weight::Broken;
    // Recorded remaps take effect with the next reset: no hurry.
    if (fault.code == 63)
        meaning = {.weight = Weight::Watch,
                   .reason = known->reason,
                   .words = std::move(meaning.words),
                   .advice = "Reset the GPU when it is next idle, so that the remap takes effect.",
                   .needsDrain = false};
    const bool isLinkEvent = fault.code >= 144 && fault.code <= 150;
    if (isLinkEvent && text::lowerCase(fault.text).find("nonfatal") != std::string::npos)
        meaning.weight = Weight::Watch;
    if (known->reason == Reason::Unknown && meaning.weight != Weight::Broken)
        meaning.weight = Weight::Follower;
    return meaning;
}

}  // namespace

FaultMeaning meaningOf(const domain::Fault& fault)
{
    if (fault.kind == FaultKind::GpuLost)
        return meaningOfStep("reboot", Reason::CudaError, "GPU lost");
    if (fault.kind == FaultKind::Xid)
        return meaningOfXid(fault);
    const bool isFatal = text::lowerCase(fault.text).starts_with("fatal");
    FaultMeaning meaning = meaningOfStep(isFatal ? "nvlink" : "watch", Reason::NvlinkError,
                                         fmt::format("NVSwitch SXid {}", fault.code));
    if (!isFatal)
        meaning.weight = Weight::Follower;
    return meaning;
}

std::string sourceOf(const domain::Fault& fault)
{
    return "kernel of " + fault.host;
}

std::string keyOf(const domain::Fault& fault)
{
    std::string key = fault.host;
    key += ' ';
    key += fault.pci.empty() ? gpuOf(fault) : fault.pci;
    key += ' ';
    key += char('0' + int(fault.kind));
    key += std::to_string(fault.code);
    return key;
}

std::string gpuOf(const domain::Fault& fault)
{
    if (fault.gpuIndex)
        return std::to_string(*fault.gpuIndex);
    return fault.kind == FaultKind::Sxid ? std::string() : fault.pci;
}

}  // namespace yard::control
