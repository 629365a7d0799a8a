#include "backend/control/characterizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <unordered_set>

#include "backend/analytics/workload_rules.h"
#include "backend/store/job_archive.h"
#include "backend/store/job_states.h"

namespace yard::control {
namespace {

using analytics::JobRow;
using analytics::JobTable;

constexpr size_t kMostWaiting = 4;

int64_t secondsOf(Time time)
{
    return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

int64_t secondsOr(const std::optional<Time>& time)
{
    return time ? secondsOf(*time) : analytics::kNoTime;
}

int32_t between(int64_t from, int64_t to, int64_t unknown)
{
    if (from == unknown || to == unknown || to < from)
        return analytics::kNoSeconds;
    return int32_t(std::min<int64_t>(to - from, std::numeric_limits<int32_t>::max()));
}

/// A job is known again by its id and the second of its submission.
std::string keyOf(std::string_view id, int64_t submit)
{
    return fmt::format("{} {}", id, submit);
}

JobRow rowOf(const domain::Job& job)
{
    JobRow row;
    row.id = job.displayId;
    row.submit = secondsOf(*job.submitTime);
    row.start = secondsOr(job.startTime);
    row.end = secondsOr(job.endTime);
    row.duration = between(row.start, row.end, analytics::kNoTime);
    row.queue = between(row.submit, row.start, analytics::kNoTime);
    row.nodes = std::max(job.nodeCount, int(job.nodes.size()));
    row.gpus = job.gpus;
    row.cpus = job.cpus;
    row.state = job.state;
    row.user = job.user;
    row.account = job.account;
    row.partition = job.partition;
    row.qos = job.qos;
    row.name = job.name;
    row.comment = job.comment;
    return row;
}

JobRow rowOf(const store::ArchivedJob& job)
{
    const auto time = [](int64_t seconds) {
        return seconds == store::ArchivedJob::kUnknown ? analytics::kNoTime : seconds;
    };
    const auto length = [](int64_t seconds) {
        return seconds == store::ArchivedJob::kUnknown ? analytics::kNoSeconds : int32_t(seconds);
    };
    JobRow row;
    row.id = job.id;
    row.submit = job.submit;
    row.start = time(job.start);
    row.end = time(job.end);
    row.duration = length(job.duration);
    row.queue = length(job.queue);
    row.nodes = int32_t(job.nodes);
    row.gpus = int32_t(job.gpus);
    row.cpus = int32_t(job.cpus);
    row.state = job.state;
    row.source = job.durationHasWait ? 1 : 0;
    row.type = job.type;
    row.user = job.user;
    row.account = job.account;
    row.partition = job.partition;
    row.qos = job.qos;
    row.name = job.name;
    row.comment = job.comment;
    return row;
}

}  // namespace

Characterizer::Characterizer(Sources sources, size_t mostJobs)
    : m_sources(std::move(sources))
    , m_mostJobs(mostJobs)
    , m_worker(kMostWaiting)
{
}

void Characterizer::characterize(Span span, Answer answer)
{
    const auto shared = std::make_shared<Answer>(std::move(answer));
    if (!m_worker.post([this, span, shared] { (*shared)(study(span)); }))
        (*shared)(absl::ResourceExhaustedError(
            "Others are asking for a characterization just now. Ask again in a moment."));
}

StatusOr<Characterizer::Result> Characterizer::study(const Span& span) const
{
    if (m_sources.journal.empty())
        return absl::FailedPreconditionError("This daemon has no journal to read jobs from.");
    Result result;
    const auto known = store::knownJobs(m_sources.journal);
    if (!known.ok())
        return known.status();
    if (*known)
        result.knownFrom = (*known)->from;
    JobTable table;
    table.sources = {{.path = "journal", .cluster = {}}, {.path = "archive", .cluster = {}}};
    table.sources[1].durationHasWait = true;
    std::unordered_set<std::string> ids;
    bool cut = false;
    uint64_t unreadable = 0;
    const auto wanted = [&](int64_t submit) {
        return submit >= secondsOf(span.from) && submit < secondsOf(span.to);
    };
    YARD_RETURN_IF_ERROR(store::lastJobStates(
        m_sources.journal, span.from, span.to,
        [&](const store::KeptJob& kept) {
            if (!kept.job.submitTime || !wanted(secondsOf(*kept.job.submitTime)))
                return true;
            cut = table.size() >= m_mostJobs;
            if (cut)
                return false;
            const JobRow row = rowOf(kept.job);
            table.add(row);
            ids.insert(keyOf(row.id, row.submit));
            return true;
        },
        unreadable));
    std::error_code error;
    if (std::filesystem::exists(m_sources.archive, error)) {
        auto archive = store::JobArchive::open(m_sources.archive, store::Database::Mode::ReadOnly);
        if (!archive.ok())
            return archive.status();
        YARD_RETURN_IF_ERROR(archive->each(m_sources.cluster, secondsOf(span.from),
                                           secondsOf(span.to), [&](const store::ArchivedJob& job) {
                                               if (ids.contains(keyOf(job.id, job.submit)))
                                                   return true;
                                               cut = table.size() >= m_mostJobs;
                                               if (cut)
                                                   return false;
                                               table.add(rowOf(job));
                                               ++result.imported;
                                               return true;
                                           }));
    }
    const analytics::WorkloadRules rules = analytics::WorkloadRules::builtIn();
    result.rules = rules.rules().size();
    rules.apply(table);
    result.characterization = analytics::characterize(table, {});
    if (cut)
        result.notes.push_back(fmt::format(
            "The span has more than {} jobs: only the newest were looked at.", m_mostJobs));
    if (unreadable > 0)
        result.notes.push_back(
            fmt::format("{} jobs are damaged in the journal and left out.", unreadable));
    return result;
}

}  // namespace yard::control
