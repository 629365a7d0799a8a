#include "backend/scheduler/slurm/slurm_account.h"

#include <unistd.h>

#include "backend/base/text.h"
#include "backend/domain/action.h"

namespace yard::scheduler::slurm {
namespace {

using domain::ActionKind;
using Level = SlurmAccount::Level;

constexpr ActionKind kAllKinds[] = {
    ActionKind::Drain,    ActionKind::Resume,  ActionKind::Down,    ActionKind::Reboot,
    ActionKind::Hold,     ActionKind::Release, ActionKind::Requeue, ActionKind::RequeueHold,
    ActionKind::Resubmit, ActionKind::Cancel,  ActionKind::Submit,
};

/// `id` is no command of Slurm's, so it is not in Slurm's folder; the prefix still decides who
/// runs.
StatusOr<std::string> ask(const SlurmCommands& commands, const std::string& flag, Deadline deadline)
{
    ProcessRequest request{.arguments = commands.options().commandPrefix};
    request.arguments.insert(request.arguments.end(), {"id", flag});
    const auto result = runProcess(request, deadline);
    if (!result.ok())
        return result.status();
    return std::string(text::trimmed(result->output));
}

Level levelFrom(std::string_view word)
{
    if (word == "Administrator")
        return Level::Administrator;
    return word == "Operator" ? Level::Operator : Level::User;
}

void askAccounting(SlurmCommands& commands, SlurmAccount& account, Deadline deadline)
{
    const auto output = commands.read(
        {"sacctmgr", "-n", "-P", "show", "user", account.user, "format=AdminLevel"}, deadline);
    if (!output.ok()) {
        account.how = "The AdminLevel of " + account.user +
                      " could not be read: " + std::string(output.status().message());
        return;
    }
    const std::string word(text::trimmed(*output));
    account.level = levelFrom(word);
    account.how = word.empty() ? account.user + " is not in Slurm's accounting."
                               : account.user + " has AdminLevel " + word + " in Slurm.";
}

bool isAllowed(ActionKind kind, Level level)
{
    if (kind == ActionKind::Submit)
        return true;
    if (domain::isNodeAction(kind) || kind == ActionKind::Resubmit)
        return level == Level::Administrator;
    return level == Level::Administrator || level == Level::Operator;
}

std::string detailOf(ActionKind kind, const SlurmAccount& account)
{
    if (isAllowed(kind, account.level)) {
        if (kind == ActionKind::Submit && account.uid != 0)
            return account.how + " It may submit jobs of its own only.";
        if (kind == ActionKind::Resubmit && account.uid != 0)
            return account.how + " Only root can submit in another user's name.";
        return account.how;
    }
    if (domain::isNodeAction(kind))
        return account.how + " Nodes need SlurmUser, root or AdminLevel Administrator.";
    if (kind == ActionKind::Resubmit)
        return account.how + " It may resubmit its own jobs only.";
    return account.how + " It may act on its own jobs only; others need AdminLevel Operator.";
}

}  // namespace

StatusOr<SlurmAccount> findAccount(SlurmCommands& commands, const SlurmSettings& settings,
                                   Deadline deadline)
{
    const auto user = ask(commands, "-un", deadline);
    const auto uid = ask(commands, "-u", deadline);
    if (!user.ok() || !uid.ok())
        return absl::UnavailableError("The account of the daemon's commands cannot be told: " +
                                      std::string((user.ok() ? uid : user).status().message()));
    SlurmAccount account;
    account.user = *user;
    account.uid = text::number<uint32_t>(*uid).value_or(UINT32_MAX);
    if (account.uid == 0 || account.uid == settings.slurmUid) {
        account.level = Level::Administrator;
        account.how = account.user + (account.uid == 0 ? " is root." : " is SlurmUser.");
    } else if (settings.hasAccounting) {
        askAccounting(commands, account, deadline);
    } else {
        account.level = Level::User;
        account.how = account.user + " is neither root nor SlurmUser (" + settings.slurmUser +
                      "), and this Slurm has no accounting that could give it a level.";
    }
    return account;
}

std::vector<domain::Right> rightsOf(const SlurmAccount& account)
{
    std::vector<domain::Right> rights;
    for (const ActionKind kind : kAllKinds) {
        bool allowed = isAllowed(kind, account.level);
        if (kind == ActionKind::Resubmit && account.uid != 0)
            allowed = false;
        rights.push_back({.action = std::string(domain::name(kind)),
                          .allowed = allowed,
                          .detail = detailOf(kind, account)});
    }
    return rights;
}

}  // namespace yard::scheduler::slurm
