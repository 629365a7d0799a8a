#include "app/ctl/online_verbs.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/ctl/audit_verify.h"
#include "app/ctl/incident_verbs.h"
#include "app/ctl/verbs_act.h"
#include "app/ctl/verbs_read.h"
#include "app/ctl/verbs_watch.h"
#include "backend/base/text.h"

namespace yard::ctl {
namespace {

using domain::ActionKind;

CommonOptions& commonOptions()
{
    static CommonOptions options;
    return options;
}

/// Shared by callbacks, which CLI11 keeps until the app ends. The common options are the same of
/// all verbs: they may stand before the verb or after it.
struct VerbState {
    CommonOptions& common = commonOptions();
    Filter filter;
    ActRequest request;
    std::string mode = "requeue";
    uint32_t limit = 100;
    uint64_t after = 0;
    VerifyRequest verify;
    int seconds = 0;
    bool hold = false;
};
using State = std::shared_ptr<VerbState>;

CLI::App* addVerb(CLI::App& app, const char* name, const char* does, const State& state)
{
    CLI::App* verb = app.add_subcommand(name, does);
    addCommon(*verb, state->common);
    verb->footer(kExitCodes);
    return verb;
}

void addFilter(CLI::App* verb, const State& state, const char* names, bool jobs)
{
    verb->add_option(names, state->filter.names,
                     jobs
                         ? "Job ids, all tasks of an array by its number; one that is not known is "
                           "bad input (exit code 3)"
                         : "Hostlist with , ! &; a node that is not known is bad input (exit code "
                           "3)");
    verb->add_option(
        "--state", state->filter.state,
        "Only these states, parted by commas; an unknown one is bad input (exit code 3)");
    verb->add_option("--partition", state->filter.partition,
                     "Only these partitions; an unknown one is bad input (exit code 3)");
    if (jobs)
        verb->add_option("--user", state->filter.user, "Only these users");
}

void addConfirmation(CLI::App* verb, const State& state)
{
    ActRequest& request = state->request;
    verb->add_flag("--yes,-y", request.yes, "Do not ask");
    verb->add_option("--count", request.count,
                     "The number of targets, needed with --yes above eight");
    verb->add_flag("--dry-run", request.dryRun, "Show what it would do and stop");
    verb->add_flag("--no-wait", request.noWait, "Return once it is in the journal");
    verb->add_option("--wait", request.waitSeconds,
                     "Seconds to wait for the scheduler to report it as done")
        ->check(CLI::Range(1, 86'400))
        ->capture_default_str();
    verb->add_option("--request-id", request.requestId,
                     "A repeat with the same id is the same operation");
}

CLI::App* addAction(CLI::App& app, const char* name, const char* does, ActionKind kind,
                    int& exitCode, const State& state)
{
    state->request.kind = kind;
    CLI::App* verb = addVerb(app, name, does, state);
    verb->add_option(domain::isNodeAction(kind) ? "NODES" : "JOBS", state->request.targets,
                     domain::isNodeAction(kind) ? "Hostlist with , ! &" : "Job ids")
        ->required();
    addConfirmation(verb, state);
    verb->callback([state, &exitCode] { exitCode = act(state->common, state->request); });
    return verb;
}

void addReading(CLI::App& app, int& exitCode)
{
    const auto add = [&](const char* name, const char* does, bool jobs, auto show) {
        const auto state = std::make_shared<VerbState>();
        CLI::App* verb = addVerb(app, name, does, state);
        addFilter(verb, state, jobs ? "JOBS" : "NODES", jobs);
        verb->callback([state, show, &exitCode] { exitCode = show(state->common, state->filter); });
    };
    add("nodes", "Nodes with state, flags, reason", false, showNodes);
    add("jobs", "Jobs that run, wait or ended lately", true, showJobs);
    add("gpus", "GPUs with their current readings", false, showGpus);

    const auto operations = std::make_shared<VerbState>();
    CLI::App* list = addVerb(app, "operations", "What was asked for, newest first", operations);
    list->add_option("--limit", operations->limit, "How many")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    list->callback(
        [=, &exitCode] { exitCode = showOperations(operations->common, operations->limit); });

    const auto watch = std::make_shared<VerbState>();
    CLI::App* changes = addVerb(app, "watch", "Print what changes until interrupted", watch);
    changes->add_option("--seconds", watch->seconds, "Stop after this long; 0: never")
        ->check(CLI::Range(0, 864'000));
    changes->callback([=, &exitCode] { exitCode = watchChanges(watch->common, watch->seconds); });
}

void addAudit(CLI::App& app, int& exitCode)
{
    const auto state = std::make_shared<VerbState>();
    CLI::App* audit =
        addVerb(app, "audit", "The audit chain; --json is the form to keep and to verify", state);
    audit->add_option("--after", state->after, "Only records after this number");
    CLI::App* verify = audit->add_subcommand("verify", "Check an exported chain, without a daemon");
    VerifyRequest& request = state->verify;
    verify->add_option("FILE", request.path, "Written by: yardctl audit --json > FILE")->required();
    verify->add_flag("--json", state->common.json, "JSON instead of a sentence");
    verify->add_flag("--continued", request.continued,
                     "It continues an earlier file: it need not start at record 1");
    verify->footer(kExitCodes);
    audit->callback([=, &exitCode] {
        state->verify.json = state->common.json;
        exitCode =
            verify->parsed() ? verifyAudit(state->verify) : showAudit(state->common, state->after);
    });
}

void addNodeActions(CLI::App& app, int& exitCode)
{
    const auto add = [&](const char* name, const char* does, ActionKind kind, bool reasonRequired) {
        const auto state = std::make_shared<VerbState>();
        CLI::App* verb = addAction(app, name, does, kind, exitCode, state);
        auto* reason = verb->add_option("--reason", state->request.reason,
                                        "Why, in at most 500 bytes; shown to everybody");
        if (reasonRequired)
            reason->required();
        if (kind == ActionKind::Reboot)
            verb->add_flag("--now", state->request.rebootNow, "Do not wait for running jobs");
    };
    add("drain", "Take nodes out; running jobs go on", ActionKind::Drain, true);
    add("resume", "Give nodes back", ActionKind::Resume, false);
    add("down", "Mark nodes down; running jobs end", ActionKind::Down, true);
    add("reboot", "Reboot nodes once they are idle", ActionKind::Reboot, false);
}

void addJobActions(CLI::App& app, int& exitCode)
{
    const auto add = [&](const char* name, const char* does, ActionKind kind) {
        const auto state = std::make_shared<VerbState>();
        addAction(app, name, does, kind, exitCode, state);
        return state;
    };
    add("hold", "Keep waiting jobs from starting", ActionKind::Hold);
    add("release", "Let held jobs start", ActionKind::Release);
    add("cancel", "End jobs", ActionKind::Cancel);

    const auto requeue = std::make_shared<VerbState>();
    CLI::App* again = addAction(app, "requeue", "Restart jobs under the same id",
                                ActionKind::Requeue, exitCode, requeue);
    again->add_option("--exclude", requeue->request.exclude, "Not on these nodes again (hostlist)");
    again->add_flag("--hold", requeue->hold, "Wait for a release");
    again->callback([requeue, &exitCode] {
        requeue->request.kind = requeue->hold ? ActionKind::RequeueHold : ActionKind::Requeue;
        exitCode = act(requeue->common, requeue->request);
    });

    const auto restart = std::make_shared<VerbState>();
    CLI::App* verb = addAction(app, "restart", "Restart jobs, under the same id or as new jobs",
                               ActionKind::Requeue, exitCode, restart);
    verb->add_option("--mode", restart->mode,
                     "requeue: same id, Slurm holds it for a while; resubmit: a new job, at once")
        ->check(CLI::IsMember({"requeue", "resubmit"}))
        ->capture_default_str();
    verb->add_option("--exclude", restart->request.exclude, "Not on these nodes again (hostlist)");
    verb->add_flag("--keep-original", restart->request.keepOriginal,
                   "resubmit: let the running original go on");
    verb->callback([restart, &exitCode] {
        if (restart->request.keepOriginal && restart->mode != "resubmit")
            throw CLI::ValidationError("--keep-original",
                                       "goes with --mode resubmit: a requeue ends the running job");
        restart->request.kind =
            restart->mode == "resubmit" ? ActionKind::Resubmit : ActionKind::Requeue;
        exitCode = act(restart->common, restart->request);
    });
}

void addUndo(CLI::App& app, int& exitCode)
{
    const auto state = std::make_shared<VerbState>();
    CLI::App* verb =
        addVerb(app, "undo", "Take an operation back while the state is as it left it", state);
    state->request.undoOperation = 0;
    verb->add_option("OPERATION", *state->request.undoOperation, "Its number, as in operations")
        ->required()
        ->check([](const std::string& text) {
            const auto number = text::number<uint64_t>(text);
            return number && *number > 0
                       ? std::string()
                       : "\"" + text + "\" is no operation's number: they count from 1.";
        });
    verb->add_option("--reason", state->request.reason, "Why");
    addConfirmation(verb, state);
    verb->callback([state, &exitCode] { exitCode = act(state->common, state->request); });
}

}  // namespace

void addCommon(CLI::App& app, CommonOptions& common)
{
    app.add_option("--socket", common.socket,
                   "The daemon's UNIX socket; else $YARD_SOCKET, /run/yardmaster/yard.sock, "
                   "$XDG_RUNTIME_DIR/yardmaster/yard.sock");
    app.add_flag("--json", common.json, "JSON instead of a table");
    app.add_option("--timeout", common.timeoutSeconds, "Seconds to wait for one answer")
        ->check(CLI::Range(1, 3600))
        ->capture_default_str();
}

void addOnlineVerbs(CLI::App& app, int& exitCode)
{
    addCommon(app, commonOptions());
    addReading(app, exitCode);
    addNodeActions(app, exitCode);
    addJobActions(app, exitCode);
    addUndo(app, exitCode);
    addAudit(app, exitCode);
    addIncidentVerbs(app, commonOptions(), exitCode);
}

}  // namespace yard::ctl
