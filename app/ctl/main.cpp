#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <sstream>
#include <system_error>

#include "app/ctl/characterize_verb.h"
#include "app/ctl/diagnose_verb.h"
#include "app/ctl/exit_codes.h"
#include "app/ctl/import_verb.h"
#include "app/ctl/inspect_verb.h"
#include "app/ctl/online_verbs.h"
#include "backend/base/text.h"

namespace {

int sayOutputIsLost()
{
    std::fputs(
        "yardctl: The output cannot be written, so a part of it is lost. What was asked for "
        "may have been done: see yardctl operations.\n",
        stderr);
    return yard::ctl::BadUsage;
}

/// Words that were typed and that nothing takes are named; the library alone would only miss what
/// it expected in their place.
int sayWrongUsage(const CLI::App& app, const CLI::ParseError& error)
{
    const auto verbs = app.get_subcommands();
    const auto strange = app.remaining(true);
    if (verbs.empty() && !strange.empty()) {
        std::string known;
        for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
            known += (known.empty() ? "" : ", ") + verb->get_name();
        fmt::print(stderr, "yardctl: There is no verb \"{}\". There are: {}.\n",
                   yard::text::visible(strange.front()), known);
    } else if (!strange.empty()) {
        fmt::print(stderr, "yardctl: {} does not take \"{}\". Its options: yardctl {} --help.\n",
                   verbs.front()->get_name(), yard::text::visible(strange.front()),
                   verbs.front()->get_name());
    } else {
        std::ostringstream said;
        const int code = app.exit(error, said, said);
        fmt::print(stderr, "{}", yard::text::visibleLines(said.str()));
        return code == 0 ? yard::ctl::Done : yard::ctl::BadUsage;
    }
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
    yard::ctl::addImportVerb(app, exitCode);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == int(CLI::ExitCodes::Success))
            return app.exit(error), yard::ctl::Done;
        return sayWrongUsage(app, error);
    } catch (const std::system_error&) {
        return sayOutputIsLost();
    }
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? exitCode : sayOutputIsLost();
}
