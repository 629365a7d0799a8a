#include "tests/support/small_scheduler.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "backend/domain/array_tasks.h"
#include "backend/domain/hostlist.h"

namespace yard::testing {
namespace {

using domain::Action;
using domain::ActionKind;
using domain::JobState;
using domain::NodeState;

const Time kStart = Time(std::chrono::seconds(1'790'000'000));
constexpr char kSeparator = '\x1f';

std::string joined(const std::vector<std::string>& fields)
{
    std::string line;
    for (const std::string& field : fields)
        line += field + kSeparator;
    return line + "\n";
}

std::vector<std::string> fieldsOf(const std::string& line)
{
    std::vector<std::string> fields;
    std::stringstream stream(line);
    for (std::string field; std::getline(stream, field, kSeparator);)
        fields.push_back(field);
    return fields;
}

std::string seconds(const std::optional<Time>& time)
{
    return time ? std::to_string(
                      std::chrono::duration_cast<std::chrono::seconds>(time->time_since_epoch())
                          .count())
                : "";
}

std::optional<Time> toTime(const std::string& text)
{
    return text.empty() ? std::nullopt
                        : std::optional(Time(std::chrono::seconds(std::stoll(text))));
}

void setFlag(domain::Node& node, const std::string& flag, bool on)
{
    std::erase(node.flags, flag);
    if (on)
        node.flags.push_back(flag);
}

void endRun(domain::Job& job, JobState state)
{
    job.state = state;
    job.stateText = std::string(domain::name(state));
    job.startTime.reset();
    job.nodes.clear();
}

}  // namespace

SmallScheduler::SmallScheduler(int nodes, std::string file)
    : m_file(std::move(file))
{
    if (load())
        return;
    for (int i = 1; i <= nodes; ++i) {
        domain::Node node;
        node.name = "n" + std::to_string(i);
        node.state = NodeState::Allocated;
        node.partitions = {"batch"};
        node.gpusTotal = 8;
        node.gpusAllocated = 8;
        node.bootTime = kStart;
        m_state.nodes.push_back(node);
        m_state.jobs.push_back(newJob(node.name));
    }
    save();
}

domain::Job SmallScheduler::newJob(const std::string& node)
{
    domain::Job job;
    job.id = m_state.nextJob++;
    job.displayId = std::to_string(job.id);
    job.name = "train";
    job.user = "ada";
    job.partition = "batch";
    job.state = JobState::Running;
    job.submitTime = kStart + std::chrono::seconds(job.id);
    job.startTime = kStart + std::chrono::seconds(job.id + 1);
    job.timeLimit.seconds = 7200;
    job.nodes = {node};
    job.nodeCount = 1;
    job.gpus = 8;
    return job;
}

void SmallScheduler::letTimePass()
{
    for (domain::Node& node : m_state.nodes) {
        if (node.hasFlag("REBOOT_ISSUED")) {
            setFlag(node, "REBOOT_ISSUED", false);
            node.bootTime = *node.bootTime + std::chrono::seconds(60);
        } else if (node.hasFlag("REBOOT_REQUESTED")) {
            setFlag(node, "REBOOT_REQUESTED", false);
            setFlag(node, "REBOOT_ISSUED", true);
        }
    }
    for (domain::Job& job : m_state.jobs) {
        if (job.state != JobState::Pending || job.held || job.reason == "Dependency")
            continue;
        job.state = JobState::Running;
        job.startTime = *job.submitTime + std::chrono::seconds(10 + job.restarts);
        job.nodes = {m_state.nodes[job.id % m_state.nodes.size()].name};
    }
}

StatusOr<domain::SchedulerView> SmallScheduler::poll(Deadline)
{
    const std::lock_guard lock(m_mutex);
    ++m_calls;
    if (m_down)
        return absl::UnavailableError("Unable to contact slurm controller (connect failure)");
    domain::SchedulerView view;
    view.takenAt = kStart;
    view.cluster = "small";
    view.version = "1";
    view.nodes = m_state.nodes;
    view.jobs = m_state.jobs;
    letTimePass();
    return view;
}

std::vector<std::vector<std::string>> SmallScheduler::commands(const Action& action,
                                                               std::string_view operationId) const
{
    std::vector<std::string> command = {"small", std::string(domain::name(action.kind)),
                                        domain::foldHostlist(action.nodes)};
    command.insert(command.end(), action.jobs.begin(), action.jobs.end());
    command.push_back("yard:" + std::string(operationId) + " " + action.reason);
    return {command};
}

StatusOr<scheduler::Receipt> SmallScheduler::execute(const Action& action,
                                                     std::string_view operationId, Deadline)
{
    const std::lock_guard lock(m_mutex);
    ++m_calls;
    const Trouble trouble = std::exchange(m_trouble, Trouble::None);
    if (trouble == Trouble::Denied)
        return absl::PermissionDeniedError("slurm_update error: Invalid user id");
    if (trouble == Trouble::Unreachable || m_down)
        return absl::UnavailableError("Unable to contact slurm controller (connect failure)");
    if (trouble == Trouble::TimesOutUndone)
        return absl::DeadlineExceededError("Socket timed out on send/recv operation");
    if (trouble == Trouble::EndsFirst) {
        for (domain::Job& job : m_state.jobs)
            if (std::count(action.jobs.begin(), action.jobs.end(), job.displayId) > 0)
                endRun(job, JobState::Completed);
        return scheduler::Receipt{};
    }
    if (trouble == Trouble::StampsFirst)
        for (domain::Job& job : m_state.jobs)
            if (std::count(action.jobs.begin(), action.jobs.end(), job.displayId) > 0)
                *job.submitTime += std::chrono::seconds(3);
    StatusOr<scheduler::Receipt> receipt = act(action, std::string(operationId));
    save();
    if (trouble == Trouble::TimesOutDone)
        return absl::DeadlineExceededError("Socket timed out on send/recv operation");
    return receipt;
}

StatusOr<scheduler::Receipt> SmallScheduler::act(const Action& action, const std::string& mark)
{
    scheduler::Receipt receipt;
    for (const std::string& name : action.nodes) {
        const auto node = std::find_if(m_state.nodes.begin(), m_state.nodes.end(),
                                       [&](const auto& item) { return item.name == name; });
        if (node == m_state.nodes.end())
            return absl::InvalidArgumentError("Invalid node name specified");
        YARD_RETURN_IF_ERROR(actOnNode(action, mark, *node));
        m_state.log.push_back(std::string(domain::name(action.kind)) + " " + mark + " " + name);
    }
    for (const std::string& id : action.jobs) {
        size_t job = 0;
        while (job < m_state.jobs.size() && m_state.jobs[job].displayId != id)
            ++job;
        if (job == m_state.jobs.size())
            return absl::InvalidArgumentError("Invalid job id specified");
        YARD_RETURN_IF_ERROR(actOnJob(action, mark, job, receipt));
        m_state.log.push_back(std::string(domain::name(action.kind)) + " " + mark + " " + id);
    }
    if (action.kind == ActionKind::Submit) {
        m_state.jobs.push_back(newJob(m_state.nodes.front().name));
        m_state.jobs.back().comment = "yard:" + mark;
        receipt.newJob = m_state.jobs.back().displayId;
        m_state.log.push_back("submit " + mark + " new job");
    }
    return receipt;
}

Status SmallScheduler::actOnNode(const Action& action, const std::string& mark, domain::Node& node)
{
    const std::string reason = "yard:" + mark + " " + action.reason;
    switch (action.kind) {
        case ActionKind::Drain:
            setFlag(node, "DRAIN", true);
            node.reason = reason;
            break;
        case ActionKind::Down:
            node.state = NodeState::Down;
            node.reason = reason;
            break;
        case ActionKind::Resume:
            if (!node.hasFlag("DRAIN") && node.state != NodeState::Down)
                return absl::FailedPreconditionError("Invalid node state specified");
            setFlag(node, "DRAIN", false);
            node.state = NodeState::Allocated;
            node.reason.clear();
            break;
        default:
            setFlag(node, "REBOOT_REQUESTED", true);
            break;
    }
    return absl::OkStatus();
}

Status SmallScheduler::actOnJob(const Action& action, const std::string& mark, size_t index,
                                scheduler::Receipt& receipt)
{
    domain::Job& job = m_state.jobs[index];
    switch (action.kind) {
        case ActionKind::Hold:
        case ActionKind::Release:
            job.held = action.kind == ActionKind::Hold;
            if (job.array && !job.array->task)
                splitTasks(index);
            break;
        case ActionKind::Requeue:
        case ActionKind::RequeueHold:
            if (job.state == JobState::Pending)
                return absl::FailedPreconditionError("Job is pending execution");
            endRun(job, JobState::Pending);
            ++job.restarts;
            job.held = action.kind == ActionKind::RequeueHold;
            break;
        case ActionKind::Cancel:
            endRun(job, JobState::Cancelled);
            break;
        default: {
            if (action.cancelOriginal)
                endRun(job, JobState::Cancelled);
            domain::Job again = newJob(m_state.nodes.back().name);
            again.comment = "yard:" + mark;
            receipt.newJob = again.displayId;
            m_state.jobs.push_back(std::move(again));
            break;
        }
    }
    return absl::OkStatus();
}

// As Slurm does when waiting tasks of an array no longer share their state.
void SmallScheduler::splitTasks(size_t index)
{
    const domain::Job rest = m_state.jobs[index];
    m_state.jobs.erase(m_state.jobs.begin() + ptrdiff_t(index));
    for (uint32_t task = 0; task < 100; ++task) {
        if (!domain::hasTask(rest.array->pending, task))
            continue;
        domain::Job one = rest;
        one.id = m_state.nextJob++;
        one.displayId = std::to_string(rest.array->job) + "_" + std::to_string(task);
        one.array = domain::ArrayPlace{
            .job = rest.array->job, .task = task, .pending = {}, .pendingCount = 0};
        m_state.jobs.push_back(std::move(one));
    }
}

StatusOr<std::vector<domain::Right>> SmallScheduler::rights(Deadline)
{
    const std::lock_guard lock(m_mutex);
    ++m_calls;
    return m_rights;
}

void SmallScheduler::setTrouble(Trouble trouble)
{
    const std::lock_guard lock(m_mutex);
    m_trouble = trouble;
}

void SmallScheduler::setDown(bool down)
{
    const std::lock_guard lock(m_mutex);
    m_down = down;
}

void SmallScheduler::addJob(domain::Job job)
{
    const std::lock_guard lock(m_mutex);
    m_state.jobs.push_back(std::move(job));
}

void SmallScheduler::setRights(std::vector<domain::Right> rights)
{
    const std::lock_guard lock(m_mutex);
    m_rights = std::move(rights);
}

void SmallScheduler::changeNode(const std::string& name,
                                const std::function<void(domain::Node&)>& change)
{
    const std::lock_guard lock(m_mutex);
    for (domain::Node& node : m_state.nodes)
        if (node.name == name)
            change(node);
}

void SmallScheduler::changeJob(const std::string& id,
                               const std::function<void(domain::Job&)>& change)
{
    const std::lock_guard lock(m_mutex);
    for (domain::Job& job : m_state.jobs)
        if (job.displayId == id)
            change(job);
}

std::vector<std::string> SmallScheduler::log() const
{
    const std::lock_guard lock(m_mutex);
    return m_state.log;
}

// Written beside and renamed: a kill leaves the old state or the new one.
void SmallScheduler::save() const
{
    if (m_file.empty())
        return;
    {
        std::ofstream out(m_file + ".new", std::ios::binary | std::ios::trunc);
        out << joined({"next", std::to_string(m_state.nextJob)});
        for (const domain::Node& node : m_state.nodes)
            out << joined({"node", node.name, std::to_string(int(node.state)),
                           node.hasFlag("DRAIN") ? "DRAIN" : "",
                           node.hasFlag("REBOOT_REQUESTED") ? "REBOOT" : "", seconds(node.bootTime),
                           node.reason});
        for (const domain::Job& job : m_state.jobs)
            out << joined({"job", std::to_string(job.id), std::to_string(int(job.state)),
                           std::to_string(job.restarts), job.held ? "held" : "",
                           seconds(job.startTime), job.nodes.empty() ? "" : job.nodes[0],
                           job.comment});
        for (const std::string& line : m_state.log)
            out << joined({"log", line});
    }
    std::rename((m_file + ".new").c_str(), m_file.c_str());
}

bool SmallScheduler::load()
{
    std::ifstream in(m_file, std::ios::binary);
    if (m_file.empty() || !in)
        return false;
    for (std::string line; std::getline(in, line);) {
        std::vector<std::string> field = fieldsOf(line);
        field.resize(8);
        if (field[0] == "next") {
            m_state.nextJob = std::stoull(field[1]);
        } else if (field[0] == "log") {
            m_state.log.push_back(field[1]);
        } else if (field[0] == "node") {
            domain::Node node;
            node.name = field[1];
            node.state = NodeState(std::stoi(field[2]));
            setFlag(node, "DRAIN", !field[3].empty());
            setFlag(node, "REBOOT_REQUESTED", !field[4].empty());
            node.bootTime = toTime(field[5]);
            node.reason = field[6];
            node.partitions = {"batch"};
            node.gpusTotal = 8;
            m_state.nodes.push_back(std::move(node));
        } else if (field[0] == "job") {
            const uint64_t next = m_state.nextJob;
            m_state.nextJob = std::stoull(field[1]);
            domain::Job job = newJob(field[6]);
            m_state.nextJob = next;
            job.state = JobState(std::stoi(field[2]));
            job.restarts = std::stoi(field[3]);
            job.held = !field[4].empty();
            job.startTime = toTime(field[5]);
            if (field[6].empty())
                job.nodes.clear();
            job.comment = field[7];
            m_state.jobs.push_back(std::move(job));
        }
    }
    return true;
}

}  // namespace yard::testing
