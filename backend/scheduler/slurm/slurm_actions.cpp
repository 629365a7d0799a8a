#include "backend/scheduler/slurm/slurm_actions.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

#include "backend/base/text.h"
#include "backend/domain/array_tasks.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/slurm/action_commands.h"
#include "backend/scheduler/slurm/job_details.h"
#include "backend/scheduler/slurm/key_values.h"
#include "backend/scheduler/slurm/resubmission.h"
#include "backend/scheduler/slurm/slurm_errors.h"

namespace yard::scheduler::slurm {
namespace {

using domain::Action;
using domain::ActionKind;

constexpr std::chrono::milliseconds kBetweenTries{250};

uint64_t baseOf(std::string_view displayId)
{
    return text::number<uint64_t>(displayId.substr(0, displayId.find_first_of("_+"))).value_or(0);
}

/// Whether the record is the job that `id` names, or a part of it.
bool isNamedBy(std::string_view id, const QueueRecord& record)
{
    const domain::Job& job = record.job;
    if (id == job.displayId || id == std::to_string(job.id))
        return true;
    if (job.het && id == std::to_string(job.het->leader))
        return true;
    if (!job.array || baseOf(id) != job.array->job)
        return false;
    const auto name = domain::readTasksName(id);
    return !name || domain::shareTasks(name->tasks, domain::tasksOf(job));
}

std::string listOf(const std::vector<std::string>& names)
{
    std::string list;
    for (const auto& name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

void addWords(std::string& words, std::string_view more)
{
    if (!more.empty())
        (words += words.empty() ? "" : "\n") += more;
}

/// Slurm's words, and behind them what we know that Slurm does not.
Status withNote(const Status& status, const std::string& note)
{
    return Status(status.code(), std::string(status.message()) + "\n" + note);
}

/// "123;cluster"
std::string newJobFrom(std::string_view output)
{
    const auto lines = text::lines(text::trimmed(output));
    return lines.empty() ? std::string()
                         : std::string(lines.back().substr(0, lines.back().find(';')));
}

std::optional<std::string> readFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

SlurmActions::SlurmActions(SlurmCommands& commands, const SlurmSettings& settings,
                           Deadline deadline)
    : m_commands(commands)
    , m_settings(settings)
    , m_deadline(deadline)
{
}

StatusOr<Receipt> SlurmActions::execute(const Action& action, std::string_view operationId)
{
    if (action.kind == ActionKind::Submit)
        return submit(action, operationId);
    if (domain::isNodeAction(action.kind)) {
        YARD_RETURN_IF_ERROR(lookUpNodes(action.nodes));
        return runAll(actionCommands(action, operationId));
    }
    const auto jobs = lookUp(action);
    if (!jobs.ok())
        return jobs.status();
    const bool isRequeue =
        action.kind == ActionKind::Requeue || action.kind == ActionKind::RequeueHold;
    if (action.kind == ActionKind::Resubmit)
        return resubmit(action, jobs->front(), operationId);
    if (action.kind == ActionKind::Cancel)
        return cancel(action, *jobs);
    if (isRequeue && !action.excludedNodes.empty())
        return requeueElsewhere(action, *jobs, operationId);
    return runAll(actionCommands(action, operationId));
}

Status SlurmActions::lookUpNodes(const std::vector<std::string>& names)
{
    if (names.size() < 2)  // Slurm itself refuses one that it does not know
        return absl::OkStatus();
    // The exit code says only that one of them is unknown.
    const auto result = m_commands.run(
        {"scontrol", "-a", "-o", "show", "node", domain::foldHostlist(names)}, m_deadline);
    if (!result.ok())
        return result.status();
    std::set<std::string_view> known;
    for (const std::string_view record : recordsOf(result->output, "NodeName="))
        known.insert(textOf(record, "NodeName"));
    std::vector<std::string> missing;
    std::copy_if(names.begin(), names.end(), std::back_inserter(missing),
                 [&](const std::string& name) { return known.count(name) == 0; });
    if (missing.empty())
        return absl::OkStatus();
    const Status refusal = refusalFrom(wordsOf(*result));
    if (known.empty() && refusal.code() != absl::StatusCode::kFailedPrecondition)
        return refusal;
    return absl::InvalidArgumentError("Invalid node name specified: Slurm does not know " +
                                      listOf(missing) + ", and nothing was changed.");
}

StatusOr<std::vector<QueueRecord>> SlurmActions::lookUp(const Action& action)
{
    std::vector<uint64_t> ids;
    for (const auto& id : action.jobs)
        ids.push_back(baseOf(id));
    const TextMarks marks = TextMarks::fresh();
    const auto output = m_commands.read(queueCommand(marks, ids), m_deadline);
    if (!output.ok())
        return output.status();
    domain::ReadNotes notes;
    auto all = readQueue(*output, marks, notes);
    std::vector<QueueRecord> found;
    std::vector<std::string> missing;
    for (const auto& id : action.jobs) {
        // Of several tasks, one that has not ended speaks for all.
        const QueueRecord* named = nullptr;
        for (const QueueRecord& record : all)
            if (isNamedBy(id, record) && (!named || domain::isFinished(named->job.state)))
                named = &record;
        if (named)
            found.push_back(*named);
        else
            missing.push_back(id);
    }
    if (!missing.empty())
        return absl::InvalidArgumentError("Invalid job id specified: Slurm does not know job " +
                                          listOf(missing) + ", and nothing was changed.");
    return found;
}

StatusOr<Receipt> SlurmActions::runAll(const Commands& commands)
{
    Receipt receipt;
    for (size_t i = 0; i < commands.size(); ++i) {
        const auto words = m_commands.act(commands[i], m_deadline);
        if (!words.ok() && i > 0)
            return withNote(words.status(), "What came before was done: " + commands[i - 1][0] +
                                                " " + commands[i - 1][1] + ".");
        if (!words.ok())
            return words.status();
        addWords(receipt.message, *words);
    }
    return receipt;
}

Status SlurmActions::untilAccepted(const std::vector<std::string>& command)
{
    for (;;) {
        const auto words = m_commands.act(command, m_deadline);
        // A job that is still completing can be changed a moment later.
        const bool mayPass = words.status().code() == absl::StatusCode::kFailedPrecondition &&
                             m_deadline.left() > 2 * kBetweenTries;
        if (!mayPass)
            return words.status();
        std::this_thread::sleep_for(kBetweenTries);
    }
}

StatusOr<Receipt> SlurmActions::requeueElsewhere(const Action& action,
                                                 const std::vector<QueueRecord>& jobs,
                                                 std::string_view operationId)
{
    Receipt receipt;
    for (size_t i = 0; i < action.jobs.size(); ++i) {
        Action one = action;
        one.jobs = {action.jobs[i]};
        const auto commands =
            actionCommands(one, operationId, {{one.jobs[0], jobs[i].job.excludedNodes}});
        const auto words = m_commands.act(commands.front(), m_deadline);
        if (!words.ok())
            return i == 0 ? words.status()
                          : withNote(words.status(), "The jobs before " + one.jobs[0] +
                                                         " in the list were requeued.");
        addWords(receipt.message, *words);
        for (size_t step = 1; step < commands.size(); ++step) {
            const Status status = untilAccepted(commands[step]);
            if (!status.ok())
                return withNote(status, "Job " + one.jobs[0] +
                                            " was requeued and stays on hold, so that it cannot "
                                            "start on an excluded node; release it by hand.");
        }
    }
    return receipt;
}

StatusOr<Receipt> SlurmActions::cancel(const Action& action, const std::vector<QueueRecord>& jobs)
{
    const bool allEnded = std::all_of(jobs.begin(), jobs.end(), [](const QueueRecord& record) {
        return domain::isFinished(record.job.state);
    });
    if (allEnded)
        return absl::FailedPreconditionError("Job " + listOf(action.jobs) + " has already ended (" +
                                             jobs.front().job.stateText +
                                             "): there is nothing to cancel.");
    return runAll(actionCommands(action, {}));
}

StatusOr<Receipt> SlurmActions::submit(const Action& action, std::string_view operationId)
{
    const auto command = actionCommands(action, operationId).front();
    const auto output = m_commands.act(command, m_deadline, action.submission->script);
    if (!output.ok())
        return output.status();
    return Receipt{.message = *output, .newJob = newJobFrom(*output)};
}

StatusOr<std::string> SlurmActions::environmentOf(const QueueRecord& job, std::string& note)
{
    const uint64_t id = job.job.array ? job.job.array->job : job.job.id;
    if (const auto bytes = readFile(environmentPath(m_settings.stateSaveLocation, id))) {
        if (auto environment = readEnvironmentFile(*bytes)) {
            note = "Its environment is the original's, from Slurm's state.";
            return *std::move(environment);
        }
    }
    if (m_settings.hasAccounting) {
        const auto output =
            m_commands.read({"sacct", "-n", "-j", std::to_string(id), "--env-vars"}, m_deadline);
        if (auto environment = output.ok() ? readEnvironmentText(*output) : std::nullopt) {
            note = "Its environment is the original's, from accounting.";
            return *std::move(environment);
        }
    }
    note =
        "The original's environment could not be read (it is in Slurm's StateSaveLocation, for "
        "SlurmUser and root): the copy has that of its user's login.";
    return std::string();
}

Status SlurmActions::replace(const std::string& original, const std::string& copy)
{
    const auto cancelled = m_commands.act({"scancel", original}, m_deadline);
    if (cancelled.status().code() == absl::StatusCode::kDeadlineExceeded)
        return withNote(cancelled.status(), "The copy, job " + copy + ", waits on hold.");
    if (!cancelled.ok()) {
        const auto undone = m_commands.act({"scancel", copy}, m_deadline);
        return withNote(cancelled.status(), undone.ok()
                                                ? "The copy, job " + copy + ", was cancelled again."
                                                : "The copy, job " + copy + ", waits on hold.");
    }
    const auto released = m_commands.act({"scontrol", "release", copy}, m_deadline);
    if (!released.ok())
        return withNote(released.status(), "The original was cancelled; the copy, job " + copy +
                                               ", waits on hold: release it by hand.");
    return absl::OkStatus();
}

StatusOr<Receipt> SlurmActions::resubmit(const Action& action, const QueueRecord& original,
                                         std::string_view operationId)
{
    const std::string& id = original.job.displayId;
    const auto script =
        m_commands.read({"scontrol", "write", "batch_script", wholeJob(id), "-"}, m_deadline);
    if (!script.ok() && !original.job.het)
        return script.status();
    const auto output =
        m_commands.read({"scontrol", "-d", "-o", "show", "job", wholeJob(id)}, m_deadline);
    if (!output.ok())
        return output.status();
    const auto details = findDetails(*output, original);
    if (!details)
        return absl::FailedPreconditionError("Job " + id +
                                             " cannot be resubmitted: scontrol show job does not "
                                             "say what it asked for.");
    const bool isRoot = geteuid() == 0 && m_commands.options().commandPrefix.empty();
    const auto options = resubmitOptions(original, *details, script.ok() ? *script : "", isRoot);
    if (!options.ok())
        return options.status();

    std::string note;
    const auto environment = environmentOf(original, note);
    const auto commands =
        actionCommands(action, operationId, {{action.jobs[0], original.job.excludedNodes}});
    std::vector<std::string> sbatch = {"sbatch", "--parsable"};
    sbatch.insert(sbatch.end(), options->begin(), options->end());
    // Ours last: of two that contradict sbatch takes the last.
    sbatch.insert(sbatch.end(), commands[1].begin() + 2, commands[1].end());
    std::optional<PrivateFile> file;
    if (environment->empty()) {
        sbatch.emplace_back("--export=NONE");
    } else {
        auto made = PrivateFile::holding(*environment);
        if (!made.ok())
            return made.status();
        file.emplace(*std::move(made));
        sbatch.push_back("--export-file=" + file->path());
    }
    const auto said = m_commands.act(sbatch, m_deadline, *script);
    if (!said.ok())
        return said.status();
    Receipt receipt{.message = *said, .newJob = newJobFrom(*said)};
    addWords(receipt.message, note);
    const bool stillThere = !domain::isFinished(original.job.state);
    if (action.cancelOriginal && stillThere)
        YARD_RETURN_IF_ERROR(replace(wholeJob(id), receipt.newJob));
    else if (action.cancelOriginal) {
        const auto released = m_commands.act({"scontrol", "release", receipt.newJob}, m_deadline);
        if (!released.ok())
            return withNote(released.status(),
                            "The copy, job " + receipt.newJob + ", waits on hold.");
    }
    return receipt;
}

}  // namespace yard::scheduler::slurm
