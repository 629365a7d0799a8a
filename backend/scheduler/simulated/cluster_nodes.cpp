#include <bit>

#include "backend/scheduler/simulated/cluster_engine.h"

namespace yard::scheduler {
namespace {

constexpr SimTime kUnansweredUntilDown = 150 * kSecond;
constexpr SimTime kRebootTime = 6 * kMinute;
constexpr SimTime kRollingEvery = 45 * kMinute;
constexpr size_t kKeptFaults = 10'000;

std::string shortPci(const std::string& pci)
{
    return pci.substr(0, pci.find('.'));
}

}  // namespace

void ClusterEngine::refresh(uint32_t node)
{
    m_nodes[node].refresh(m_options.gpus);
    m_pool->setUsable(node, m_nodes[node].takesJobs());
}

void ClusterEngine::setReason(uint32_t node, std::string reason, std::string user)
{
    auto& shown = m_nodes[node].shown;
    shown.reason = std::move(reason);
    shown.reasonUser = shown.reason.empty() ? "" : std::move(user);
    shown.reasonTime.reset();
    if (!shown.reason.empty())
        shown.reasonTime = m_scale.wall(m_now);
}

/// Ends or requeues whatever runs there, at once.
void ClusterEngine::setDown(uint32_t node, std::string reason, std::string user)
{
    m_nodes[node].down = true;
    ++m_nodes[node].generation;
    setReason(node, std::move(reason), std::move(user));
    refresh(node);
    const auto jobs = m_nodes[node].jobs;
    for (uint64_t job : jobs)
        jobLostItsNode(m_jobs.at(job));
}

/// The machine is gone; slurmctld notices later.
void ClusterEngine::loseNode(uint32_t node)
{
    auto& lost = m_nodes[node];
    lost.dead = true;
    lost.flags |= kNotResponding;
    m_telemetry->setVoice(node, HostVoice::Silent);
    refresh(node);
    m_events.plan(m_now + kUnansweredUntilDown, EventKind::NodeLost, node);
    m_events.plan(
        m_now + kUnansweredUntilDown + SimTime(m_random.between(20, 120) * double(kMinute)),
        EventKind::NodeBack, node);
}

/// As with ReturnToService=1: only what was down for not answering comes back by itself.
void ClusterEngine::bringBack(uint32_t node)
{
    auto& back = m_nodes[node];
    if (!back.dead)
        return;
    back.dead = false;
    back.flags &= ~uint32_t(kNotResponding);
    if (back.down && back.shown.reason == "Not responding") {
        back.down = false;
        setReason(node, "", "");
    }
    back.shown.bootTime = m_scale.wall(m_now);
    m_telemetry->rebooted(node, m_scale.wallSeconds(m_now));
    m_telemetry->setVoice(node, HostVoice::Answers);
    m_freed.push_back(node);
    refresh(node);
}

void ClusterEngine::repaired(uint32_t node)
{
    m_nodes[node].flags &= ~uint32_t(kDrain | kInvalidReg);
    setReason(node, "", "");
    m_telemetry->rebooted(node, m_scale.wallSeconds(m_now));
    m_freed.push_back(node);
    refresh(node);
}

/// The Xid in the kernel's log, and the health check that takes the node out for it.
void ClusterEngine::leaveTrace(const SimJob& job)
{
    const auto& share = job.placement[m_random.below(job.placement.size())];
    if (share.gpus == 0)
        return;
    const int gpu = std::countr_zero(share.gpus);
    const FailureReason& failure = *job.plan.failure;
    addFault(share.node, gpu, failure.xid, job);
    m_telemetry->setLastXid(share.node, gpu, failure.xid);
    if (!failure.drainsNode || m_nodes[share.node].flags & kDrain)
        return;
    m_telemetry->setGpuLost(share.node, gpu, failure.xid == 79);
    m_nodes[share.node].flags |= kDrain;
    setReason(share.node, "NHC: GPU " + std::to_string(gpu) + " Xid " + std::to_string(failure.xid),
              "root");
    refresh(share.node);
    m_events.plan(m_now + SimTime(m_random.between(60, 360) * double(kMinute)),
                  EventKind::NodeRepaired, share.node, ++m_nodes[share.node].generation);
}

void ClusterEngine::addFault(uint32_t node, int gpu, int xid, const SimJob& job)
{
    domain::Fault fault;
    fault.host = m_nodes[node].shown.name;
    fault.pci = shortPci(m_telemetry->pci(node, gpu));
    fault.gpuIndex = gpu;
    fault.code = xid;
    fault.pid = int(4000 + mix(job.shown.id) % 60'000);
    fault.process = "python";
    fault.text = "NVRM: Xid (PCI:" + fault.pci + "): " + std::to_string(xid) +
                 ", pid=" + std::to_string(*fault.pid) + ", name=python, " +
                 std::string(xidText(xid));
    fault.at = m_scale.wall(m_now);
    m_faults.push_back(std::move(fault));
    if (m_faults.size() > kKeptFaults)
        m_faults.pop_front();
}

void ClusterEngine::issueReboot(uint32_t node)
{
    auto& booting = m_nodes[node];
    booting.flags |= kDrain | kRebootIssued;
    booting.flags &= ~uint32_t(kRebootRequested);
    const std::string reason = booting.shown.reason.empty() ? "Reboot ASAP" : booting.shown.reason;
    const std::string user =
        booting.shown.reasonUser.empty() ? std::string("root") : booting.shown.reasonUser;
    m_telemetry->setVoice(node, HostVoice::Silent);
    setDown(node, reason, user);
    m_events.plan(m_now + kRebootTime, EventKind::NodeRebooted, node, booting.generation);
}

void ClusterEngine::rebootIfIdle(uint32_t node)
{
    if (m_nodes[node].flags & kRebootRequested && m_nodes[node].jobs.empty())
        issueReboot(node);
}

/// nextstate=RESUME: whatever it was drained for is over.
void ClusterEngine::rebootDone(uint32_t node)
{
    auto& booted = m_nodes[node];
    booted.down = false;
    booted.dead = false;
    booted.flags &= ~uint32_t(kDrain | kRebootIssued | kRebootRequested | kNotResponding);
    setReason(node, "", "");
    booted.shown.bootTime = m_scale.wall(m_now);
    m_telemetry->rebooted(node, m_scale.wallSeconds(m_now));
    m_telemetry->setVoice(node, HostVoice::Answers);
    m_freed.push_back(node);
    refresh(node);
}

void ClusterEngine::rebootNextIdle()
{
    m_events.plan(m_now + kRollingEvery, EventKind::RollingReboot);
    const auto first = uint32_t(m_random.below(m_nodes.size()));
    for (uint32_t i = 0; i < m_nodes.size(); ++i) {
        const uint32_t node = uint32_t((first + i) % m_nodes.size());
        if (!m_nodes[node].takesJobs() || !m_nodes[node].jobs.empty())
            continue;
        setReason(node, "image update 2026.11", "root");
        return issueReboot(node);
    }
}

}  // namespace yard::scheduler
