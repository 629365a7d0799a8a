#include "app/ctl/inspect_verb.h"

#include <memory>

#include "app/ctl/inspect.h"

namespace yard::ctl {

void addInspectVerb(CLI::App& app, int& exitCode)
{
    auto request = std::make_shared<InspectRequest>();
    CLI::App* const command =
        app.add_subcommand("inspect", "Read inputs offline with the daemon's readers, print JSON");
    command->add_option("KIND", request->kind, "slurm.jobs.json, expo.dcgm, xid.kern …")
        ->required();
    command->add_option("FILE", request->files, "Inputs; several are successive scrapes")
        ->required();
    command->add_option("--fields", request->fields, "Columns of a sacct table without a header")
        ->delimiter(',');
    command->add_option("--seconds-between", request->secondsBetween,
                        "Time between the scrapes of a sequence");
    command->add_flag_callback(
        "--json", [] {}, "Always: it prints nothing but JSON");
    command->footer(
        "Exit codes: 0 read, 1 wrong usage, 3 a read that failed, also of a file that "
        "cannot be opened.");
    command->callback([request, &exitCode] { exitCode = inspect(*request); });
}

}  // namespace yard::ctl
