#include "app/ctl/incident_verbs.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/ctl/online_verbs.h"
#include "app/ctl/verbs_incidents.h"

namespace yard::ctl {
namespace {

using Kind = domain::IncidentChange::Kind;

// A larger one would be read as the largest there is.
constexpr uint64_t kLargestId = uint64_t(1) << 53;

void addChange(CLI::App& incidents, CommonOptions& common, int& exitCode, const char* name,
               const char* does, Kind kind)
{
    const auto change = std::make_shared<domain::IncidentChange>();
    change->kind = kind;
    CLI::App* verb = incidents.add_subcommand(name, does);
    addCommon(*verb, common);
    verb->footer(kExitCodes);
    verb->add_option("ID", change->id, "The incident's number")
        ->required()
        ->check(CLI::Range(uint64_t(1), kLargestId));
    if (kind == Kind::Assign)
        verb->add_option("WHO", change->assignee, "A name; \"\" for nobody")->required();
    if (kind == Kind::Note)
        verb->add_option("TEXT", change->note, "What is to be noted")->required();
    else
        verb->add_option("--note", change->note, "Why");
    verb->callback([change, &common, &exitCode] { exitCode = changeIncident(common, *change); });
}

}  // namespace

void addIncidentVerbs(CLI::App& app, CommonOptions& common, int& exitCode)
{
    const auto listing = std::make_shared<IncidentListing>();
    CLI::App* incidents = app.add_subcommand(
        "incidents", "What went wrong, why, and what to do; one of them with all that tells of it");
    addCommon(*incidents, common);
    incidents->footer(kExitCodes);
    incidents->add_option("ID", listing->id, "Only this one, with its evidence")
        ->check(CLI::Range(uint64_t(1), kLargestId));
    incidents->add_flag("--all", listing->all, "Closed ones too");
    incidents->add_option("--limit", listing->limit, "How many")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    incidents->add_option("--node", listing->node, "Only those of this node");
    incidents->add_option("--job", listing->job, "Only those that hit this job");
    addChange(*incidents, common, exitCode, "ack", "Somebody looks at it", Kind::Acknowledge);
    addChange(*incidents, common, exitCode, "assign", "Somebody is to look at it", Kind::Assign);
    addChange(*incidents, common, exitCode, "note", "Write something down", Kind::Note);
    addChange(*incidents, common, exitCode, "close", "It is over", Kind::Close);
    addChange(*incidents, common, exitCode, "reopen", "It is not over", Kind::Reopen);
    incidents->callback([listing, incidents, &common, &exitCode] {
        if (incidents->get_subcommands().empty())
            exitCode = showIncidents(common, *listing);
    });
}

}  // namespace yard::ctl
