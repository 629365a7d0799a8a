#include "app/ctl/characterize_verb.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <set>

#include "app/ctl/characterize_output.h"
#include "app/ctl/connection.h"
#include "app/ctl/json_text.h"
#include "app/ctl/trace_request.h"
#include "backend/analytics/characterize.h"
#include "backend/analytics/definitions.h"
#include "backend/analytics/sample_table.h"
#include "backend/base/text.h"

namespace yard::ctl {
namespace {

struct CharacterizeRequest {
    TraceRequest traces;
    std::string from;
    std::string to;
    std::string types;
    std::vector<std::string> withoutTypes;
    std::vector<std::string> samples;  // NAME=FILE
    std::vector<std::string> paper;
    bool dryRun = false;
    bool curves = false;
    bool definitions = false;
    bool json = false;
};

void print(const nlohmann::ordered_json& json)
{
    std::cout << jsonText(json, 1) << '\n';
}

/// Empty text: no limit. False if it is no time.
bool readTime(const std::string& text, std::optional<int64_t>& time)
{
    if (text.empty())
        return true;
    const std::string full = text.size() == 10 ? text + " 00:00:00" : text;
    time = analytics::TimeReader(absl::UTCTimeZone()).read(full);
    return time.has_value();
}

ExitCode select(const CharacterizeRequest& request, analytics::Selection& selection)
{
    for (const auto& [text, time] :
         {std::pair(&request.from, &selection.from), std::pair(&request.to, &selection.to)}) {
        if (!readTime(*text, *time))
            return complain(BadUsage, fmt::format("\"{}\" is no time. Write 2023-05-17 or "
                                                  "2023-05-17T11:00:58+08:00.",
                                                  *text));
    }
    selection.cluster = request.traces.cluster;
    selection.withoutTypes = {request.withoutTypes.begin(), request.withoutTypes.end()};
    return Done;
}

ExitCode readRules(const std::string& file, analytics::WorkloadRules& rules)
{
    if (file.empty()) {
        rules = analytics::WorkloadRules::builtIn();
        return Done;
    }
    auto read = analytics::WorkloadRules::read(file);
    if (!read.ok())
        return complain(BadInput, std::string(read.status().message()));
    rules = *std::move(read);
    return Done;
}

ExitCode addTelemetry(const std::vector<std::string>& samples, analytics::Figures& figures)
{
    if (samples.empty())
        figures.absent("samples",
                       "A table of jobs has no telemetry. Give tables of samples with --samples "
                       "NAME=FILE for utilisation, memory, network, power and temperature.");
    for (const std::string& sample : samples) {
        const size_t equals = sample.find('=');
        if (equals == 0 || equals == std::string::npos ||
            sample.substr(0, equals).find('.') != std::string::npos)
            return complain(BadUsage, fmt::format("\"{}\" is not NAME=FILE.", sample));
        const Status status =
            analytics::addSamples(sample.substr(equals + 1), sample.substr(0, equals), figures);
        if (!status.ok())
            return complain(BadInput, std::string(status.message()));
    }
    return Done;
}

ExitCode dryRun(const CharacterizeRequest& request, const analytics::WorkloadRules& rules,
                const analytics::JobTable& table)
{
    const analytics::RuleReport report = rules.dryRun(table);
    if (request.json)
        print(rulesJson(rules, report));
    else
        printRules(rules, report);
    return Done;
}

/// A misspelt type would leave nothing out without a word.
ExitCode checkTypes(const std::vector<std::string>& asked, const analytics::JobTable& table)
{
    if (asked.empty())
        return Done;
    std::set<std::string> known{"Unclassified"};
    known.insert(analytics::workloadTypes().begin(), analytics::workloadTypes().end());
    std::vector<bool> isType(table.words.size(), false);
    for (const uint32_t type : table.type)
        isType[type] = true;
    for (uint32_t word = 1; word < isType.size(); ++word)
        if (isType[word])
            known.insert(table.words.text(word));
    for (const std::string& type : asked)
        if (!known.contains(type))
            return complain(BadUsage, fmt::format("--without-types: there is no type \"{}\". There "
                                                  "are {}.",
                                                  type, fmt::join(known, ", ")));
    return Done;
}

nlohmann::ordered_json filesJson(const TraceJobs& jobs)
{
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const TraceSummary& file : jobs.files)
        files.push_back({{"file", file.path},
                         {"format", file.format},
                         {"jobs", file.jobs},
                         {"steps", file.steps}});
    return files;
}

ExitCode characterize(const CharacterizeRequest& request)
{
    if (request.definitions) {
        if (request.json)
            print(definitionsJson());
        else
            printDefinitions();
        return Done;
    }
    if (request.traces.files.empty())
        return complain(BadUsage,
                        "There is nothing to characterize. Name a trace with --trace FILE: the CSV "
                        "of AcmeTrace or Philly, or the output of sacct -P.");
    analytics::Selection selection;
    if (const ExitCode code = select(request, selection); code != Done)
        return code;
    analytics::WorkloadRules rules;
    if (const ExitCode code = readRules(request.types, rules); code != Done)
        return code;
    TraceJobs jobs;
    if (const ExitCode code = readTraces(request.traces, jobs); code != Done)
        return code;
    if (request.dryRun)
        return dryRun(request, rules, jobs.table);
    rules.apply(jobs.table);
    if (const ExitCode code = checkTypes(request.withoutTypes, jobs.table); code != Done)
        return code;
    analytics::Characterization result = analytics::characterize(jobs.table, selection);
    if (result.figures.value("jobs") == 0)
        return complain(BadInput, "No job of the trace fits --cluster, --from and --to.");
    if (const ExitCode code = addTelemetry(request.samples, result.figures); code != Done)
        return code;
    if (!request.json) {
        printFigures(result.figures, request.paper, request.curves);
        tellOddRows(jobs.odd);
        return Done;
    }
    nlohmann::ordered_json json = figuresJson(result.figures);
    if (!request.paper.empty())
        json["paper"] = paperJson(request.paper);
    json["traces"] = filesJson(jobs);
    json["rows_left_out"] = jobs.odd.lost();
    json["odd_rows"] = oddRowsJson(jobs.odd);
    print(json);
    return Done;
}

/// The names of all figures with what they are, for --help.
std::string help()
{
    std::string text = "Figures, as --json names them (--definitions prints this alone):\n";
    for (const analytics::Definition& definition : analytics::definitions())
        text +=
            fmt::format("  {}{}{}{}  {}\n", definition.name, definition.unit.empty() ? "" : " [",
                        definition.unit, definition.unit.empty() ? "" : "]", definition.text);
    text += "Common to all:\n";
    for (const std::string_view common : analytics::commonDefinitions())
        text += fmt::format("  {}\n", common);
    return text;
}

void addTypesCheck(CLI::App& app, int& exitCode)
{
    auto request = std::make_shared<CharacterizeRequest>();
    CLI::App* const types = app.add_subcommand("types", "Rules that name workload types");
    types->require_subcommand(1);
    CLI::App* const check =
        types->add_subcommand("check", "Check a file of rules and show what each would match");
    check->add_option("FILE", request->types, "Rules, as resources/workload_types.toml")
        ->required();
    check->add_option("--trace", request->traces.files, "Jobs to try the rules on");
    request->traces.addFormatOptions(*check);
    check->add_flag("--json", request->json, "One JSON object");
    check->callback([request, &exitCode] {
        request->dryRun = true;
        if (!request->traces.files.empty()) {
            exitCode = characterize(*request);
            return;
        }
        analytics::WorkloadRules rules;
        exitCode = readRules(request->types, rules);
        if (exitCode != Done)
            return;
        if (request->json)
            print({{"rules", rules.rules().size()}});
        else
            fmt::print("{}: {} rules, no mistake. Add --trace FILE to see what they match.\n",
                       text::visible(request->types), rules.rules().size());
    });
}

}  // namespace

void addCharacterizeVerb(CLI::App& app, int& exitCode)
{
    auto request = std::make_shared<CharacterizeRequest>();
    CLI::App* const command = app.add_subcommand(
        "characterize", "Where GPU time goes: types, states, times, sizes, arrivals of a trace");
    command->footer([] { return help(); });
    command->add_option("--trace", request->traces.files,
                        "Files of jobs, plain or .gz; several are looked at together");
    request->traces.addFormatOptions(*command);
    command->add_option("--cluster", request->traces.cluster, "Only jobs of this cluster");
    command->add_option("--from", request->from, "Only jobs submitted at or after this time (UTC)");
    command->add_option("--to", request->to, "Only jobs submitted before this time (UTC)");
    command->add_option("--types", request->types,
                        "Rules that give a type to jobs that have none; otherwise the built-in "
                        "ones");
    command->add_flag("--dry-run", request->dryRun,
                      "Show what each rule would match, nothing else");
    command->add_option("--without-types", request->withoutTypes, "Leave jobs of these types out")
        ->delimiter(',');
    command->add_option("--samples", request->samples,
                        "NAME=FILE: a table of telemetry (Time, then a column per GPU or node)");
    command->add_option("--paper", request->paper, "Lay the paper's figures beside: Seren, Kalos")
        ->delimiter(',')
        ->check(CLI::IsMember({"Seren", "Kalos"}));
    command->add_flag("--curves", request->curves, "Print the distribution curves (cdf) too");
    command->add_flag("--definitions", request->definitions, "Print what each figure is");
    command->add_flag("--json", request->json, "One JSON object; curves included");
    command->callback([request, &exitCode] { exitCode = characterize(*request); });
    addTypesCheck(app, exitCode);
}

}  // namespace yard::ctl
