#include <QFontMetricsF>
#include <map>

#include "ui/model/hostlist.h"
#include "ui/theme/wording.h"

namespace yard::theme {

using model::ActionKind;
using model::GpuMetric;
using model::NodeCategory;
using model::NodeMetric;

QString metricName(GpuMetric metric)
{
    switch (metric) {
        case GpuMetric::SmActivity:
            return QStringLiteral("SM activity");
        case GpuMetric::GpuUtilization:
            return QStringLiteral("GPU utilisation");
        case GpuMetric::TensorActivity:
            return QStringLiteral("Tensor activity");
        case GpuMetric::MemoryUsed:
            return QStringLiteral("GPU memory");
        case GpuMetric::MemoryTotal:
            return QStringLiteral("GPU memory, total");
        case GpuMetric::Power:
            return QStringLiteral("GPU power");
        case GpuMetric::CoreTemperature:
            return QStringLiteral("Core temperature");
        case GpuMetric::MemoryTemperature:
            return QStringLiteral("Memory temperature");
        case GpuMetric::SmClock:
            return QStringLiteral("SM clock");
        case GpuMetric::NvlinkBandwidth:
            return QStringLiteral("NVLink traffic");
        case GpuMetric::Energy:
            return QStringLiteral("Energy");
        case GpuMetric::LastXid:
            return QStringLiteral("Last Xid");
    }
    Q_UNREACHABLE();
}

QString metricShortName(GpuMetric metric)
{
    switch (metric) {
        case GpuMetric::GpuUtilization:
            return QStringLiteral("GPU util");
        case GpuMetric::TensorActivity:
            return QStringLiteral("Tensor");
        case GpuMetric::MemoryUsed:
            return QStringLiteral("Memory");
        case GpuMetric::Power:
            return QStringLiteral("Power");
        case GpuMetric::CoreTemperature:
            return QStringLiteral("Core");
        case GpuMetric::MemoryTemperature:
            return QStringLiteral("HBM");
        case GpuMetric::NvlinkBandwidth:
            return QStringLiteral("NVLink");
        default:
            return metricName(metric);
    }
}

QString metricMeaning(GpuMetric metric)
{
    switch (metric) {
        case GpuMetric::SmActivity:
            return QStringLiteral("share of cycles with at least one warp on the SM");
        case GpuMetric::GpuUtilization:
            return QStringLiteral("share of time with a kernel on the GPU");
        case GpuMetric::TensorActivity:
            return QStringLiteral("share of cycles with the tensor pipe active");
        case GpuMetric::MemoryUsed:
            return QStringLiteral("share of the GPU memory in use");
        case GpuMetric::Power:
            return QStringLiteral("power drawn by the GPU board");
        case GpuMetric::CoreTemperature:
            return QStringLiteral("temperature of the GPU core; marked above watch");
        case GpuMetric::MemoryTemperature:
            return QStringLiteral("temperature of the GPU memory; marked above watch");
        case GpuMetric::SmClock:
            return QStringLiteral("clock of the SMs");
        case GpuMetric::NvlinkBandwidth:
            return QStringLiteral("traffic over all NVLinks of the GPU");
        default:
            return {};
    }
}

QString metricName(NodeMetric metric)
{
    switch (metric) {
        case NodeMetric::CpuUtilization:
            return QStringLiteral("CPU");
        case NodeMetric::MemoryUsed:
            return QStringLiteral("Memory");
        case NodeMetric::MemoryTotal:
            return QStringLiteral("Memory, total");
        case NodeMetric::Load:
            return QStringLiteral("Load");
        case NodeMetric::Power:
            return QStringLiteral("Power");
        case NodeMetric::InletTemperature:
            return QStringLiteral("Inlet temperature");
        case NodeMetric::InfinibandReceive:
            return QStringLiteral("InfiniBand in");
        case NodeMetric::InfinibandTransmit:
            return QStringLiteral("InfiniBand out");
    }
    Q_UNREACHABLE();
}

QString categoryName(NodeCategory category)
{
    switch (category) {
        case NodeCategory::Idle:
            return QStringLiteral("idle");
        case NodeCategory::Mixed:
            return QStringLiteral("mixed");
        case NodeCategory::Allocated:
            return QStringLiteral("allocated");
        case NodeCategory::Completing:
            return QStringLiteral("completing");
        case NodeCategory::Draining:
            return QStringLiteral("draining");
        case NodeCategory::Drained:
            return QStringLiteral("drained");
        case NodeCategory::Down:
            return QStringLiteral("down");
        case NodeCategory::Fail:
            return QStringLiteral("fail");
        case NodeCategory::Maintenance:
            return QStringLiteral("maintenance");
        case NodeCategory::Reserved:
            return QStringLiteral("reserved");
        case NodeCategory::Planned:
            return QStringLiteral("planned");
        case NodeCategory::Rebooting:
            return QStringLiteral("rebooting");
        case NodeCategory::PoweredOff:
            return QStringLiteral("powered off");
        case NodeCategory::Invalid:
            return QStringLiteral("invalid");
        case NodeCategory::Future:
            return QStringLiteral("future");
        case NodeCategory::Unknown:
            return QStringLiteral("unknown");
    }
    Q_UNREACHABLE();
}

QString actionVerb(ActionKind kind)
{
    switch (kind) {
        case ActionKind::Drain:
            return QStringLiteral("Drain");
        case ActionKind::Resume:
            return QStringLiteral("Resume");
        case ActionKind::Down:
            return QStringLiteral("Set down");
        case ActionKind::Reboot:
            return QStringLiteral("Reboot");
        case ActionKind::Hold:
            return QStringLiteral("Hold");
        case ActionKind::Release:
            return QStringLiteral("Release");
        case ActionKind::Requeue:
            return QStringLiteral("Requeue");
        case ActionKind::RequeueHold:
            return QStringLiteral("Requeue and hold");
        case ActionKind::Resubmit:
            return QStringLiteral("Resubmit");
        case ActionKind::Cancel:
            return QStringLiteral("Cancel");
        case ActionKind::Submit:
            return QStringLiteral("Submit");
    }
    Q_UNREACHABLE();
}

QString actionDone(ActionKind kind)
{
    switch (kind) {
        case ActionKind::Drain:
            return QStringLiteral("drained");
        case ActionKind::Resume:
            return QStringLiteral("resumed");
        case ActionKind::Down:
            return QStringLiteral("set down");
        case ActionKind::Reboot:
            return QStringLiteral("rebooted");
        case ActionKind::Hold:
            return QStringLiteral("held");
        case ActionKind::Release:
            return QStringLiteral("released");
        case ActionKind::Requeue:
            return QStringLiteral("requeued");
        case ActionKind::RequeueHold:
            return QStringLiteral("requeued and held");
        case ActionKind::Resubmit:
            return QStringLiteral("resubmitted");
        case ActionKind::Cancel:
            return QStringLiteral("cancelled");
        case ActionKind::Submit:
            return QStringLiteral("submitted");
    }
    Q_UNREACHABLE();
}

QString operationStateName(model::OperationState state)
{
    switch (state) {
        case model::OperationState::Requested:
            return QStringLiteral("requested");
        case model::OperationState::Sent:
            return QStringLiteral("sent");
        case model::OperationState::Observed:
            return QStringLiteral("observed");
        case model::OperationState::Refused:
            return QStringLiteral("refused");
        case model::OperationState::InDoubt:
            return QStringLiteral("in doubt");
        case model::OperationState::Superseded:
            return QStringLiteral("superseded");
    }
    Q_UNREACHABLE();
}

QString roleName(model::Role role)
{
    switch (role) {
        case model::Role::None:
            return QStringLiteral("no role");
        case model::Role::Viewer:
            return QStringLiteral("viewer");
        case model::Role::Operator:
            return QStringLiteral("operator");
        case model::Role::Admin:
            return QStringLiteral("admin");
    }
    Q_UNREACHABLE();
}

QString faultName(const model::FaultInfo& fault)
{
    switch (fault.kind) {
        case model::FaultKind::Xid:
            return QStringLiteral("Xid %1").arg(fault.code);
        case model::FaultKind::Sxid:
            return QStringLiteral("SXid %1").arg(fault.code);
        case model::FaultKind::GpuLost:
            return QStringLiteral("GPU lost");
    }
    Q_UNREACHABLE();
}

QString faultMeaning(const model::FaultInfo& fault)
{
    static const std::map<int, const char*> meanings = {
        {13, "Graphics engine exception"},
        {31, "GPU memory page fault"},
        {43, "Application stopped by the GPU"},
        {45, "Channel torn down"},
        {48, "Double bit ECC error"},
        {61, "Microcontroller breakpoint"},
        {62, "Microcontroller halt"},
        {63, "Row remapping event"},
        {64, "Row remapping failure"},
        {74, "NVLink error"},
        {79, "GPU has fallen off the bus"},
        {92, "High rate of single bit ECC errors"},
        {94, "Contained ECC error"},
        {95, "Uncontained ECC error"},
        {119, "GSP does not answer"},
        {120, "GSP error"},
        {121, "C2C link error"},
        {140, "ECC error, unrecovered"},
    };
    if (fault.kind == model::FaultKind::GpuLost)
        return QStringLiteral("GPU lost");
    if (fault.kind == model::FaultKind::Sxid)
        return QStringLiteral("NVSwitch error");
    const auto found = meanings.find(fault.code);
    return found == meanings.end() ? faultName(fault) : QString::fromLatin1(found->second);
}

QString gpuName(const QString& node, int gpu)
{
    return QStringLiteral("%1 GPU %2").arg(node).arg(gpu);
}

QString gpuShortName(const QString& node, int gpu)
{
    return QStringLiteral("%1:%2").arg(node).arg(gpu);
}

QString folded(const QStringList& names, int columns)
{
    const QString text = model::foldHostlist(names);
    return columns > 0 ? model::shortHostlist(text, columns) : text;
}

QString fittedHosts(const QString& folded, const QFont& font, double width)
{
    const double advance = QFontMetricsF(font).horizontalAdvance(QLatin1Char('0'));
    return model::shortHostlist(folded, int(width / advance));
}

}  // namespace yard::theme
