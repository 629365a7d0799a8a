#include "app/ctl/preview_text.h"

#include <fmt/format.h>

#include "app/ctl/table.h"
#include "backend/base/figure.h"
#include "backend/base/text.h"
#include "backend/domain/action.h"

namespace yard::ctl {
namespace {

std::string jobsText(const v1::PreviewReply& preview)
{
    if (preview.jobs_size() == 0)
        return "No running job is touched.\n";
    Table table({"  JOB", "USER", "NAME", "GPUS>", "GPU-HOURS>", "NODES", ""});
    for (const v1::AffectedJob& job : preview.jobs())
        table.add({"  " + job.display_id(), job.user(), job.name(), std::to_string(job.gpus_all()),
                   figure(job.gpu_hours_at_risk()), job.nodes(),
                   job.killed() ? "ends" : "runs on"});
    return fmt::format(
        "Running jobs touched: {}, of {} user{}, on {} GPU{}; {} end{}, {} GPU-hours at "
        "risk.\n{}",
        preview.jobs_size(), preview.users(), preview.users() == 1 ? "" : "s", preview.gpus(),
        preview.gpus() == 1 ? "" : "s", preview.jobs_killed(),
        preview.jobs_killed() == 1 ? "s" : "", figure(preview.gpu_hours_at_risk()), table.text());
}

}  // namespace

std::string previewText(const v1::PreviewReply& preview)
{
    std::string text = fmt::format(
        "{} {} ({})\n", std::string(domain::name(domain::ActionKind(preview.action().kind()))),
        text::visible(preview.targets()), preview.target_count());
    for (const std::string& command : preview.commands())
        text += fmt::format("  $ {}\n", text::visible(command));
    text += jobsText(preview);
    for (const std::string& warning : preview.warnings())
        text += fmt::format("! {}\n", text::visible(warning));
    return text;
}

}  // namespace yard::ctl
