// The process that dies in the crash test: the real journal and desk over a scheduler that lives in
// a file. Arguments: folder, seed, "work" or "finish". Prints "ready", one "ack ID KIND TARGET" for
// each acknowledged operation, and "quiet" when nothing is open (finish only).

#include <unistd.h>

#include <cstdio>
#include <random>
#include <string>
#include <thread>

#include "backend/domain/operation.h"
#include "tests/support/desk_harness.h"

using namespace yard;
using domain::ActionKind;

namespace {

void say(const std::string& line)
{
    const std::string text = line + "\n";
    if (write(STDOUT_FILENO, text.data(), text.size()) < 0)
        _exit(1);
}

domain::Action randomAction(const control::ClusterDelta& seen, std::mt19937& random)
{
    domain::Action action;
    const auto pick = [&](size_t count) { return random() % count; };
    const domain::Node& node = seen.nodes[pick(seen.nodes.size())];
    const domain::Job& job = seen.jobs[pick(seen.jobs.size())].job;
    action.nodes = {node.name};
    action.reason = "crash test";
    if (pick(2) == 0) {
        const bool isOut = node.hasFlag("DRAIN") || node.state == domain::NodeState::Down;
        action.kind =
            isOut ? ActionKind::Resume : (pick(4) == 0 ? ActionKind::Down : ActionKind::Drain);
        return action;
    }
    action.nodes.clear();
    action.jobs = {job.displayId};
    if (job.state == domain::JobState::Pending) {
        action.kind = job.held ? ActionKind::Release : ActionKind::Hold;
    } else if (job.state == domain::JobState::Running) {
        constexpr ActionKind kKinds[] = {ActionKind::Requeue, ActionKind::RequeueHold,
                                         ActionKind::Resubmit, ActionKind::Cancel};
        action.kind = kKinds[pick(4)];
    } else {
        action.kind = ActionKind::Submit;
        action.jobs.clear();
        action.submission = domain::Submission{
            .script = "#!/bin/sh\n", .options = {}, .user = {}, .workDirectory = {}};
    }
    return action;
}

bool anyOpen(const control::ClusterDelta& seen)
{
    for (const domain::Operation& operation : seen.operations)
        if (isOpen(operation.state))
            return true;
    return false;
}

// Two at once on one target may rightly end with one refused; that is not what is tested here.
bool isBusy(const control::ClusterDelta& seen, const domain::Action& action)
{
    for (const domain::Operation& operation : seen.operations)
        for (const domain::Target& target : operation.targets)
            if (isOpen(operation.state) &&
                ((!action.nodes.empty() && target.name == action.nodes[0]) ||
                 (!action.jobs.empty() && target.name == action.jobs[0])))
                return true;
    return false;
}

void work(testing::DeskHarness& harness, unsigned seed)
{
    std::mt19937 random(seed);
    for (int n = 0;; ++n) {
        const auto seen = harness.snapshot();
        const domain::Action action = randomAction(*seen, random);
        if (isBusy(*seen, action))
            continue;
        const auto preview = harness.preview(action);
        if (!preview.ok())
            continue;
        const auto operation =
            harness.execute({.token = preview->token,
                             .requestId = std::to_string(seed) + "-" + std::to_string(n),
                             .reason = {},
                             .typedCount = 0});
        if (operation.ok())
            say("ack " + std::to_string(operation->id) + " " +
                std::string(domain::name(operation->action.kind)) + " " +
                operation->targets[0].name);
    }
}

void finish(testing::DeskHarness& harness)
{
    while (anyOpen(*harness.snapshot()))
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    say("quiet");
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 4)
        return 2;
    const std::string folder = argv[1];
    testing::DeskHarness harness(folder, std::chrono::seconds(0), 6, folder + "/scheduler");
    harness.options.pollInterval = std::chrono::milliseconds(3);
    harness.options.pollAfterAction = std::chrono::milliseconds(3);
    harness.open();
    while (harness.snapshot()->nodes.empty())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    say("ready");
    if (std::string(argv[3]) == "work")
        work(harness, unsigned(std::stoul(argv[2])));
    finish(harness);
    return 0;
}
