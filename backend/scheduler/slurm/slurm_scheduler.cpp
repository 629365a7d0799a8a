#include "backend/scheduler/slurm/slurm_scheduler.h"

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "backend/scheduler/slurm/accounting_reader.h"
#include "backend/scheduler/slurm/action_commands.h"
#include "backend/scheduler/slurm/cluster_readers.h"
#include "backend/scheduler/slurm/job_details.h"
#include "backend/scheduler/slurm/node_reader.h"
#include "backend/scheduler/slurm/queue_reader.h"
#include "backend/scheduler/slurm/slurm_account.h"
#include "backend/scheduler/slurm/slurm_actions.h"
#include "backend/scheduler/slurm/slurm_commands.h"
#include "backend/scheduler/slurm/slurm_settings.h"

namespace yard::scheduler {

using domain::Job;
using domain::SchedulerView;
using slurm::TextMarks;

namespace {

// Cluster name, version, topology and the like change with an administrator's restart of slurmctld.
constexpr std::chrono::minutes kSettingsAge{10};

}  // namespace

class SlurmScheduler::Private {
public:
    Private(SlurmOptions options, const Clock& clock)
        : m_commands(std::move(options))
        , m_clock(clock)
    {
    }

    StatusOr<SchedulerView> poll(Deadline deadline);
    Status readSettings(Deadline deadline);

    slurm::SlurmCommands m_commands;
    slurm::SlurmSettings m_settings;
    std::atomic<int> m_requeueDelaySeconds{slurm::SlurmSettings{}.requeueDelaySeconds};
    mutable std::mutex m_mutex;
    slurm::Exclusions m_exclusions;  ///< of the last poll, for commands(); under m_mutex

private:
    Status readNodesInto(SchedulerView& view, Deadline deadline);
    Status readJobsInto(SchedulerView& view, Deadline deadline);
    Status readRestInto(SchedulerView& view, Deadline deadline);
    void addAccounting(SchedulerView& view, Deadline deadline);
    void keepExclusions(const std::vector<Job>& jobs);

    const Clock& m_clock;
    std::optional<Time> m_settingsRead;
    std::vector<domain::Switch> m_switches;
    domain::ReadNotes m_settingsNotes;
    std::optional<Time> m_accountingRead;
    std::vector<Job> m_accounting;  ///< of the last good read
    std::string m_accountingError;
};

Status SlurmScheduler::Private::readSettings(Deadline deadline)
{
    const Time now = m_clock.now();
    if (m_settingsRead && now - *m_settingsRead < kSettingsAge)
        return absl::OkStatus();
    const auto output = m_commands.read({"scontrol", "show", "config"}, deadline);
    if (!output.ok())
        return output.status();
    const auto settings = slurm::readSettings(*output);
    domain::ReadNotes notes;
    std::vector<domain::Switch> switches;
    if (settings.hasTopology) {
        const auto topology = m_commands.read({"scontrol", "-o", "show", "topology"}, deadline);
        if (!topology.ok())
            return topology.status();
        switches = slurm::readSwitches(*topology, notes);
    }
    m_settings = settings;
    m_switches = std::move(switches);
    m_settingsNotes = notes;
    m_settingsRead = now;
    m_requeueDelaySeconds = settings.requeueDelaySeconds;
    return absl::OkStatus();
}

Status SlurmScheduler::Private::readNodesInto(SchedulerView& view, Deadline deadline)
{
    const TextMarks marks = TextMarks::fresh();
    const auto reasons = m_commands.read(slurm::reasonsCommand(marks), deadline);
    if (!reasons.ok())
        return reasons.status();
    const auto nodes = m_commands.read(slurm::nodesCommand(), deadline);
    if (!nodes.ok())
        return nodes.status();
    view.nodes =
        slurm::readNodes(*nodes, slurm::readReasons(*reasons, marks, view.notes), view.notes);
    return absl::OkStatus();
}

Status SlurmScheduler::Private::readJobsInto(SchedulerView& view, Deadline deadline)
{
    const TextMarks marks = TextMarks::fresh();
    const auto queue = m_commands.read(slurm::queueCommand(marks), deadline);
    if (!queue.ok())
        return queue.status();
    auto records = slurm::readQueue(*queue, marks, view.notes);
    if (!records.empty()) {
        const auto details = m_commands.read(slurm::detailsCommand(), deadline);
        if (!details.ok())
            return details.status();
        slurm::addDetails(*details, records, view.notes);
    }
    view.jobs.reserve(records.size());
    for (auto& record : records)
        view.jobs.push_back(std::move(record.job));
    return absl::OkStatus();
}

Status SlurmScheduler::Private::readRestInto(SchedulerView& view, Deadline deadline)
{
    const auto partitions =
        m_commands.read({"scontrol", "-a", "-o", "show", "partition"}, deadline);
    if (!partitions.ok())
        return partitions.status();
    view.partitions = slurm::readPartitions(*partitions, view.notes);
    const auto reservations =
        m_commands.read({"scontrol", "-a", "-o", "show", "reservation"}, deadline);
    if (!reservations.ok())
        return reservations.status();
    view.reservations = slurm::readReservations(*reservations, view.notes);
    return absl::OkStatus();
}

void SlurmScheduler::Private::addAccounting(SchedulerView& view, Deadline deadline)
{
    const auto& options = m_commands.options();
    if (!options.readAccounting || !m_settings.hasAccounting)
        return;
    const Time now = m_clock.now();
    if (!m_accountingRead || now - *m_accountingRead >= options.accountingInterval) {
        m_accountingRead = now;
        const TextMarks marks = TextMarks::fresh();
        const auto output =
            m_commands.read(slurm::accountingCommand(marks, options.accountingWindow), deadline);
        m_accountingError.clear();
        if (output.ok())
            m_accounting = slurm::readAccounting(*output, marks, view.notes);
        else
            m_accountingError = "Accounting does not answer, so runs that ended may be missing: " +
                                std::string(output.status().message());
    }
    if (!m_accountingError.empty())
        view.notes.add(m_accountingError);

    std::set<std::pair<uint64_t, Time>> known;
    for (const auto& job : view.jobs)
        known.emplace(job.id, job.submitTime.value_or(Time{}));
    for (const auto& job : m_accounting) {
        if (known.emplace(job.id, job.submitTime.value_or(Time{})).second)
            view.jobs.push_back(job);
    }
}

void SlurmScheduler::Private::keepExclusions(const std::vector<Job>& jobs)
{
    slurm::Exclusions exclusions;
    for (const auto& job : jobs) {
        if (!job.excludedNodes.empty())
            exclusions.emplace(job.displayId, job.excludedNodes);
    }
    const std::lock_guard lock(m_mutex);
    m_exclusions = std::move(exclusions);
}

StatusOr<SchedulerView> SlurmScheduler::Private::poll(Deadline deadline)
{
    if (const Status status = m_commands.ping(deadline); !status.ok()) {
        m_settingsRead.reset();  // it may come back as another
        return status;
    }
    YARD_RETURN_IF_ERROR(readSettings(deadline));
    SchedulerView view;
    view.takenAt = m_clock.now();
    view.cluster = m_settings.cluster;
    view.version = m_settings.version;
    view.switches = m_switches;
    view.notes = m_settingsNotes;
    YARD_RETURN_IF_ERROR(readNodesInto(view, deadline));
    YARD_RETURN_IF_ERROR(readRestInto(view, deadline));
    YARD_RETURN_IF_ERROR(readJobsInto(view, deadline));
    slurm::placeNodes(view, view.takenAt);
    keepExclusions(view.jobs);
    addAccounting(view, deadline);
    return view;
}

SlurmScheduler::SlurmScheduler(SlurmOptions options, const Clock& clock)
    : m_private(std::make_unique<Private>(std::move(options), clock))
{
}

SlurmScheduler::~SlurmScheduler() = default;

StatusOr<SchedulerView> SlurmScheduler::poll(Deadline deadline)
{
    return m_private->poll(deadline);
}

std::vector<std::vector<std::string>> SlurmScheduler::commands(const domain::Action& action,
                                                               std::string_view operationId) const
{
    slurm::Exclusions exclusions;
    {
        const std::lock_guard lock(m_private->m_mutex);
        exclusions = m_private->m_exclusions;
    }
    auto commands = slurm::actionCommands(action, operationId, exclusions);
    for (auto& command : commands)
        command = m_private->m_commands.argumentsFor(std::move(command));
    return commands;
}

StatusOr<Receipt> SlurmScheduler::execute(const domain::Action& action,
                                          std::string_view operationId, Deadline deadline)
{
    YARD_RETURN_IF_ERROR(slurm::checkNames(action));
    // Whatever is wrong with the answer to a ping, nothing was changed.
    if (const Status status = m_private->m_commands.ping(deadline); !status.ok())
        return absl::UnavailableError(std::string(status.message()) + " Nothing was changed.");
    if (const Status status = m_private->readSettings(deadline); !status.ok())
        return absl::UnavailableError(std::string(status.message()) + " Nothing was changed.");
    return slurm::SlurmActions(m_private->m_commands, m_private->m_settings, deadline)
        .execute(action, operationId);
}

StatusOr<std::vector<domain::Right>> SlurmScheduler::rights(Deadline deadline)
{
    YARD_RETURN_IF_ERROR(m_private->m_commands.ping(deadline));
    YARD_RETURN_IF_ERROR(m_private->readSettings(deadline));
    const auto account = slurm::findAccount(m_private->m_commands, m_private->m_settings, deadline);
    if (!account.ok())
        return account.status();
    return slurm::rightsOf(*account);
}

int SlurmScheduler::requeueDelaySeconds() const
{
    return m_private->m_requeueDelaySeconds;
}

uint64_t SlurmScheduler::callsMade() const
{
    return m_private->m_commands.callsMade();
}

}  // namespace yard::scheduler
