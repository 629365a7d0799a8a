#include <CLI/CLI.hpp>
#include <cstdio>
#include <system_error>

#include "app/ctl/characterize_verb.h"
#include "app/ctl/diagnose_verb.h"
#include "app/ctl/exit_codes.h"
#include "app/ctl/inspect_verb.h"
#include "app/ctl/online_verbs.h"

namespace {

int sayOutputIsLost()
{
    std::fputs(
        "yardctl: The output cannot be written, so a part of it is lost. What was asked for "
        "may have been done: see yardctl operations.\n",
        stderr);
    return yard::ctl::BadUsage;
}

}  // namespace

int main(int argc, char** argv)
{
    int exitCode = yard::ctl::Done;
    CLI::App app("yardctl, Yardmaster for the shell and for scripts.");
    app.set_version_flag("--version", YARD_VERSION);
    app.require_subcommand(1);
    app.footer(yard::ctl::kExitCodes);
    yard::ctl::addOnlineVerbs(app, exitCode);
    yard::ctl::addInspectVerb(app, exitCode);
    yard::ctl::addDiagnoseVerbs(app, exitCode);
    yard::ctl::addCharacterizeVerb(app, exitCode);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? yard::ctl::Done : yard::ctl::BadUsage;
    } catch (const std::system_error&) {
        return sayOutputIsLost();
    }
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? exitCode : sayOutputIsLost();
}
