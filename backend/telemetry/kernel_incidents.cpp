#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "backend/base/text.h"
#include "backend/telemetry/kernel_lines.h"
#include "backend/telemetry/log_prefix.h"
#include "backend/telemetry/xid_table.h"

namespace yard::telemetry {
namespace {

using domain::FaultKind;

constexpr double kCloseSeconds = 60;
constexpr size_t kMaxOpen = 16;  // incidents of one GPU that a new line may belong to

/// Xids that come together have one cause.
enum class Cause { Own, Lost, Memory, Nvlink, Gsp };

Cause causeOf(const KernelEvent& event)
{
    if (event.kind == FaultKind::GpuLost)
        return Cause::Lost;
    if (event.kind == FaultKind::Sxid)
        return Cause::Own;
    switch (event.code) {
        case 79:
            return Cause::Lost;
        case 48:
        case 63:
        case 64:
        case 94:
        case 95:
        case 140:
        case 171:
        case 172:
            return Cause::Memory;
        case 74:
            return Cause::Nvlink;
        case 119:
        case 120:
            return Cause::Gsp;
        default:
            return event.code >= 144 && event.code <= 150 ? Cause::Nvlink : Cause::Own;
    }
}

/// 45 and 154 say something about an event that came before.
bool isFollowUp(const KernelEvent& event)
{
    return event.kind == FaultKind::Xid && (event.code == 45 || event.code == 154);
}

struct Moment {
    enum class Kind { None, Epoch, Local, Boot } kind = Kind::None;
    double seconds = 0;
};

Moment momentOf(const KernelEvent& event)
{
    using Seconds = std::chrono::duration<double>;
    if (event.at)
        return {Moment::Kind::Epoch, Seconds(event.at->time_since_epoch()).count()};
    if (!event.localTime.empty()) {
        // Only differences count, so any year and zone will do.
        const std::string text =
            (event.localTime.starts_with("--") ? "2000" + event.localTime.substr(1)
                                               : event.localTime) +
            "Z";
        std::string_view rest = text;
        std::optional<Time> at;
        std::string local;
        if (takeIsoTime(rest, at, local) && at)
            return {Moment::Kind::Local, Seconds(at->time_since_epoch()).count()};
    }
    if (event.bootMicroseconds)
        return {Moment::Kind::Boot, double(*event.bootMicroseconds) / 1e6};
    return {};
}

bool isClose(const Moment& a, const Moment& b)
{
    return a.kind != b.kind || std::abs(a.seconds - b.seconds) <= kCloseSeconds;
}

bool isSameProcess(const KernelEvent& a, const KernelEvent& b)
{
    return !a.pid || !b.pid || *a.pid == *b.pid;
}

std::string_view recoveryAction(std::string_view text)
{
    if (text.find("Reboot") != std::string_view::npos)
        return "reboot";
    if (text == "Drain and Reset")
        return "drain_and_reset";
    if (text.find("Reset") != std::string_view::npos)
        return "reset_gpu";
    return text.find("Drain") != std::string_view::npos ? "drain" : "none";
}

int rankOf(std::string_view action)
{
    constexpr std::array<std::string_view, 12> kOrder{
        "",      "none",      "follow",          "watch",  "restart_app",    "nvlink",
        "drain", "reset_gpu", "drain_and_reset", "reboot", "check_hardware", "replace"};
    const auto* const found = std::find(kOrder.begin(), kOrder.end(), action);
    return int(found - kOrder.begin());
}

std::string_view actionOf(const KernelEvent& event)
{
    if (event.kind == FaultKind::GpuLost)
        return "reboot";
    if (event.kind == FaultKind::Sxid)
        return event.severity == "fatal" ? "reset_gpu" : "watch";
    if (event.code == 154)
        return recoveryAction(event.actionTo);
    const XidMeaning* const meaning = xidMeaning(event.code);
    return meaning == nullptr ? "support" : meaning->action;
}

struct Open {
    KernelIncident incident;
    Cause cause = Cause::Own;
    Moment last;
    std::string forcedAction;  ///< of the last 154
};

domain::Fault faultOf(const KernelEvent& event)
{
    domain::Fault fault;
    fault.kind = event.kind;
    fault.host = event.host;
    fault.pci = event.pci.substr(0, event.pci.rfind('.'));
    fault.code = event.code;
    fault.pid = event.pid;
    fault.process = event.process;
    fault.text = event.text;
    fault.at = event.at;
    return fault;
}

class Folder {
public:
    explicit Folder(const std::vector<KernelEvent>& events)
        : m_events(events)
    {
    }
    std::vector<KernelIncident> run();

private:
    void add(size_t place);
    bool belongs(const Open& open, const KernelEvent& event, const Moment& moment) const;
    void join(Open& open, size_t place, const Moment& moment);

    const std::vector<KernelEvent>& m_events;
    std::vector<Open> m_open;
    std::unordered_map<std::string, std::vector<size_t>> m_byGpu;
};

std::vector<KernelIncident> Folder::run()
{
    for (size_t place = 0; place < m_events.size(); ++place)
        add(place);
    std::vector<KernelIncident> incidents;
    incidents.reserve(m_open.size());
    for (Open& open : m_open) {
        if (!open.forcedAction.empty())
            open.incident.action = open.forcedAction;
        incidents.push_back(std::move(open.incident));
    }
    return incidents;
}

void Folder::add(size_t place)
{
    const KernelEvent& event = m_events[place];
    const Moment moment = momentOf(event);
    auto& candidates = m_byGpu[event.host + '\0' + event.pci];
    const size_t first = candidates.size() > kMaxOpen ? candidates.size() - kMaxOpen : 0;
    for (size_t i = candidates.size(); i-- > first;) {
        if (belongs(m_open[candidates[i]], event, moment)) {
            join(m_open[candidates[i]], place, moment);
            return;
        }
    }
    candidates.push_back(m_open.size());
    Open& open = m_open.emplace_back();
    open.cause = causeOf(event);
    open.incident.fault = faultOf(event);
    open.incident.fault.count = 0;
    join(open, place, moment);
}

bool Folder::belongs(const Open& open, const KernelEvent& event, const Moment& moment) const
{
    if (!isClose(open.last, moment))
        return false;
    const KernelEvent& first = m_events[open.incident.events.front()];
    if ((first.kind == FaultKind::Sxid) != (event.kind == FaultKind::Sxid))
        return false;
    if (event.kind == FaultKind::Sxid)
        return first.code == event.code;
    if (isFollowUp(event))
        return true;
    const Cause cause = causeOf(event);
    if (cause != Cause::Own)
        return cause == open.cause;
    return open.cause == Cause::Own && first.code == event.code && isSameProcess(first, event);
}

void Folder::join(Open& open, size_t place, const Moment& moment)
{
    const KernelEvent& event = m_events[place];
    KernelIncident& incident = open.incident;
    incident.events.push_back(place);
    ++incident.fault.count;
    open.last = moment;
    if (event.kind == FaultKind::Xid &&
        std::find(incident.xids.begin(), incident.xids.end(), event.code) == incident.xids.end())
        incident.xids.push_back(event.code);
    // An Xid says more than the words without a code that came before it.
    if (incident.fault.kind == FaultKind::GpuLost && event.kind == FaultKind::Xid &&
        !isFollowUp(event)) {
        const int count = incident.fault.count;
        incident.fault = faultOf(event);
        incident.fault.count = count;
    }
    if (event.code == 154)
        open.forcedAction = recoveryAction(event.actionTo);
    const std::string_view action = actionOf(event);
    if (rankOf(action) > rankOf(incident.action))
        incident.action = std::string(action);
    if (incident.severity.empty() || event.severity == "fatal")
        incident.severity = event.severity;
}

}  // namespace

std::vector<KernelIncident> foldIncidents(const std::vector<KernelEvent>& events)
{
    return Folder(events).run();
}

std::vector<domain::Fault> foldFaults(const std::vector<KernelEvent>& events, std::string_view host)
{
    std::vector<domain::Fault> faults;
    for (KernelIncident& incident : foldIncidents(events)) {
        if (!host.empty())
            incident.fault.host = std::string(host);
        faults.push_back(std::move(incident.fault));
    }
    return faults;
}

}  // namespace yard::telemetry
