#include "app/ctl/diagnose_verb.h"

#include <memory>

#include "app/ctl/diagnose.h"

namespace yard::ctl {

void addDiagnoseVerbs(CLI::App& app, int& exitCode)
{
    auto request = std::make_shared<DiagnoseRequest>();
    CLI::App* const command =
        app.add_subcommand("diagnose", "Say offline why jobs ended, from their logs");
    command->add_option("FILE", request->files, "Logs of jobs")->required();
    command->add_option("--kernel", request->kernel, "Kernel log of the job's nodes");
    command->add_option("--format", request->format, "text, json or tsv")
        ->check(CLI::IsMember({"text", "json", "tsv"}));
    command->add_option("--rules", request->rules,
                        "Files or folders of rules, on top of the shipped ones");
    command->callback([request, &exitCode] { exitCode = diagnose(*request); });

    auto files = std::make_shared<std::vector<std::string>>();
    CLI::App* const rules = app.add_subcommand("rules", "Signatures of failures");
    rules->require_subcommand(1);
    CLI::App* const check =
        rules->add_subcommand("check", "Read rules and try their examples; the shipped ones too");
    check->add_option("FILE", *files, "Files or folders of rules");
    check->callback([files, &exitCode] { exitCode = checkRules(*files); });
}

}  // namespace yard::ctl
