#include "backend/scheduler/slurm/action_commands.h"

#include <algorithm>

#include "backend/base/text.h"
#include "backend/domain/hostlist.h"

namespace yard::scheduler::slurm {
namespace {

using domain::Action;
using domain::ActionKind;
using Command = std::vector<std::string>;
using Commands = std::vector<Command>;

bool isNodeName(std::string_view name)
{
    const auto isAllowed = [](char c) {
        return text::isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
               c == '_' || c == '-';
    };
    return !name.empty() && name.front() != '-' &&
           std::all_of(name.begin(), name.end(), isAllowed) &&
           !text::equalsIgnoringCase(name, "ALL");  // which Slurm takes for every node
}

bool isJobId(std::string_view id)
{
    const auto isNumber = [](std::string_view text) {
        return text::number<uint64_t>(text).has_value() && text.front() != '-';
    };
    const size_t split = id.find_first_of("_+");
    if (!isNumber(id.substr(0, split)))
        return false;
    if (split == std::string_view::npos)
        return true;
    std::string_view place = id.substr(split + 1);
    if (isNumber(place))
        return true;
    if (id[split] == '+' || !place.starts_with('[') || !place.ends_with(']') || place.size() < 3)
        return false;
    place = place.substr(1, place.size() - 2);
    return std::all_of(place.begin(), place.end(),
                       [](char c) { return text::isDigit(c) || c == '-' || c == ',' || c == ':'; });
}

std::string nodesOf(const Action& action)
{
    return domain::foldHostlist(action.nodes);
}

Command updateNodes(const Action& action, std::string_view state, const std::string& reason)
{
    Command command{"scontrol", "update", "NodeName=" + nodesOf(action),
                    "State=" + std::string(state)};
    // Without a reason Slurm refuses, in its own words.
    if (!reason.empty())
        command.push_back("Reason=" + reason);
    return command;
}

Commands rebootCommands(const Action& action, std::string_view operationId)
{
    const std::string reason = markedReason(action.reason, operationId);
    Commands commands;
    if (!action.rebootWhenIdle)
        commands.push_back(updateNodes(
            action, "DOWN",
            markedReason(action.reason.empty() ? "reboot" : action.reason, operationId)));
    Command reboot{"scontrol", "reboot", "ASAP", "nextstate=RESUME"};
    if (!reason.empty())
        reboot.push_back("reason=" + reason);
    reboot.push_back(nodesOf(action));
    commands.push_back(std::move(reboot));
    return commands;
}

/// One call for all jobs, but a list inside of brackets needs a call of its own.
Commands jobCommands(const Action& action, std::string_view verb)
{
    Commands commands;
    std::string list;
    for (const auto& id : action.jobs) {
        const std::string job = wholeJob(id);
        if (job.find('[') != std::string::npos)
            commands.push_back({"scontrol", std::string(verb), job});
        else
            list += (list.empty() ? "" : ",") + job;
    }
    if (!list.empty())
        commands.push_back({"scontrol", std::string(verb), list});
    return commands;
}

Commands requeueCommands(const Action& action, const Exclusions& exclusions)
{
    if (action.excludedNodes.empty())
        return jobCommands(action, action.kind == ActionKind::Requeue ? "requeue" : "requeuehold");
    Commands commands;
    for (const auto& id : action.jobs) {
        const std::string job = wholeJob(id);
        const auto existing = exclusions.find(id);
        commands.push_back({"scontrol", "requeuehold", job});
        commands.push_back(
            {"scontrol", "update", "JobId=" + job,
             "ExcNodeList=" + joinHosts(existing == exclusions.end() ? "" : existing->second,
                                        action.excludedNodes)});
        if (action.kind == ActionKind::Requeue)
            commands.push_back({"scontrol", "release", job});
    }
    return commands;
}

Command cancelCommand(const Action& action)
{
    Command command{"scancel"};
    for (const auto& id : action.jobs)
        command.push_back(wholeJob(id));
    return command;
}

Commands resubmitCommands(const Action& action, std::string_view operationId,
                          const Exclusions& exclusions)
{
    const std::string job = action.jobs.empty() ? std::string() : action.jobs.front();
    Command sbatch{"sbatch", "--parsable"};
    if (action.cancelOriginal)
        sbatch.emplace_back("--hold");
    const auto known = exclusions.find(job);
    const std::string excluded =
        joinHosts(known == exclusions.end() ? "" : known->second, action.excludedNodes);
    if (!excluded.empty())
        sbatch.push_back("--exclude=" + excluded);
    if (!operationId.empty())
        sbatch.push_back("--comment=" + mark(operationId));
    Commands commands{{"scontrol", "write", "batch_script", job, "-"}, std::move(sbatch)};
    if (action.cancelOriginal) {
        commands.push_back({"scancel", wholeJob(job)});
        commands.push_back({"scontrol", "release", std::string(kNewJob)});
    }
    return commands;
}

/// Ours come last: sbatch takes the last of two options that contradict.
Command submitCommand(const domain::Submission& submission, std::string_view operationId)
{
    // The daemon's environment is not the user's: sbatch is to take that of their login.
    Command command{"sbatch", "--parsable", "--export=NONE"};
    command.insert(command.end(), submission.options.begin(), submission.options.end());
    if (!submission.workDirectory.empty())
        command.push_back("--chdir=" + submission.workDirectory);
    if (!submission.user.empty())
        command.push_back("--uid=" + submission.user);
    if (!operationId.empty())
        command.push_back("--comment=" + mark(operationId));
    return command;
}

Status checkSubmission(const Action& action)
{
    if (!action.submission || action.submission->script.empty())
        return absl::InvalidArgumentError("A submission needs the text of a batch script.");
    for (const auto& option : action.submission->options) {
        if (!option.starts_with("--") || option.starts_with("--uid") ||
            option.starts_with("--gid") || option.starts_with("--export-file") ||
            option.starts_with("--wrap") || option.find('\0') != std::string::npos)
            return absl::InvalidArgumentError(
                "\"" + text::validUtf8(option) +
                "\" cannot be given to sbatch here: options are "
                "written --name=value, and the user is chosen apart.");
    }
    return absl::OkStatus();
}

}  // namespace

Status checkNames(const Action& action)
{
    for (const auto* names : {&action.nodes, &action.excludedNodes}) {
        for (const auto& name : *names) {
            if (!isNodeName(name))
                return absl::InvalidArgumentError("\"" + text::validUtf8(name) +
                                                  "\" is not the name of a node.");
        }
    }
    for (const auto& id : action.jobs) {
        if (!isJobId(id))
            return absl::InvalidArgumentError("\"" + text::validUtf8(id) + "\" is not a job id.");
    }
    if (domain::isNodeAction(action.kind) && action.nodes.empty())
        return absl::InvalidArgumentError("No node was named.");
    if (action.kind == ActionKind::Submit)
        return checkSubmission(action);
    if (!domain::isNodeAction(action.kind) && action.jobs.empty())
        return absl::InvalidArgumentError("No job was named.");
    if (action.kind == ActionKind::Resubmit && action.jobs.size() > 1)
        return absl::InvalidArgumentError("Jobs are resubmitted one at a time.");
    return absl::OkStatus();
}

Commands actionCommands(const Action& action, std::string_view operationId,
                        const Exclusions& exclusions)
{
    switch (action.kind) {
        case ActionKind::Drain:
            return {updateNodes(
                action, "DRAIN",
                action.reason.empty() ? std::string() : markedReason(action.reason, operationId))};
        case ActionKind::Resume:
            return {updateNodes(action, "RESUME", {})};
        case ActionKind::Down:
            return {updateNodes(
                action, "DOWN",
                action.reason.empty() ? std::string() : markedReason(action.reason, operationId))};
        case ActionKind::Reboot:
            return rebootCommands(action, operationId);
        case ActionKind::Hold:
            return jobCommands(action, "hold");
        case ActionKind::Release:
            return jobCommands(action, "release");
        case ActionKind::Requeue:
        case ActionKind::RequeueHold:
            return requeueCommands(action, exclusions);
        case ActionKind::Resubmit:
            return resubmitCommands(action, operationId, exclusions);
        case ActionKind::Cancel:
            return {cancelCommand(action)};
        case ActionKind::Submit:
            return {submitCommand(action.submission.value_or(domain::Submission{}), operationId)};
    }
    return {};
}

std::string markedReason(std::string_view reason, std::string_view operationId)
{
    std::string text = mark(operationId);
    if (!text.empty() && !reason.empty())
        text += ' ';
    text += reason;
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return text;
}

std::string mark(std::string_view operationId)
{
    return operationId.empty() ? std::string() : "yard:" + std::string(operationId);
}

std::string joinHosts(std::string_view existing, const std::vector<std::string>& more)
{
    std::vector<std::string> all = more;
    if (const auto hosts = domain::expandHostlist(existing); !existing.empty() && hosts.ok())
        all.insert(all.end(), hosts->begin(), hosts->end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return domain::foldHostlist(std::move(all));
}

std::string wholeJob(std::string_view displayId)
{
    return std::string(displayId.substr(0, displayId.find('+')));
}

}  // namespace yard::scheduler::slurm
