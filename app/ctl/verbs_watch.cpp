#include "app/ctl/verbs_watch.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/ctl/change_log.h"
#include "app/ctl/json_output.h"
#include "backend/base/text.h"

namespace yard::ctl {
namespace {

void print(const CommonOptions& options, const nlohmann::json& change, int64_t timeUs)
{
    if (options.json)
        return printJsonLine(change);
    fmt::print("{:%H:%M:%S} {}\n", fmt::localtime(time_t(timeUs / 1'000'000)),
               text::visible(changeText(change)));
}

}  // namespace

int watchChanges(const CommonOptions& options, int seconds)
{
    Connection connection(options);
    if (const ExitCode code = connection.check(); code != Done)
        return code;
    grpc::ClientContext context;
    if (seconds > 0)
        context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(seconds));
    v1::WatchRequest request;
    request.set_without_readings(true);
    const auto reader = connection.stub().Watch(&context, request);

    ChangeLog log;
    v1::Update update;
    bool greeted = false;
    while (reader->Read(&update)) {
        if (!greeted && !options.json)
            fmt::print("Watching {}: {} nodes, {} jobs, as {}.\n", update.cluster(),
                       update.nodes_size(), update.jobs_size(), update.you().user());
        greeted = true;
        for (const nlohmann::json& change : log.apply(update))
            print(options, change, update.time_us());
        std::fflush(stdout);
    }
    const grpc::Status status = reader->Finish();
    if (seconds > 0 && greeted && status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
        return Done;
    const ExitCode code = connection.report(status);
    return greeted && status.error_code() == grpc::StatusCode::UNAVAILABLE ? CannotConnect : code;
}

}  // namespace yard::ctl
