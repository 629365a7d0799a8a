#include "backend/store/job_archive.h"

#include <tuple>

namespace yard::store {
namespace {

// The classes of spans that can cover a moment: see classOf.
constexpr const char* kClasses =
    "WITH RECURSIVE classes(k, reach) AS ("
    " SELECT 1, 2 UNION ALL SELECT k + 1, reach * 2 FROM classes WHERE k < 40"
    "), every(k, reach) AS (SELECT k, reach FROM classes UNION ALL SELECT 63, 1 << 62) ";

constexpr const char* kRunning =
    "every CROSS JOIN archive_jobs AS j INDEXED BY archive_running WHERE j.cluster=?1 AND "
    "j.run_class=every.k AND j.run_class > 0 AND j.run_from_s > ?2 - every.reach AND "
    "j.run_from_s <= ?2 AND (j.run_to_s > ?2 OR j.run_to_s IS NULL)";
constexpr const char* kWaiting =
    "every CROSS JOIN archive_jobs AS j INDEXED BY archive_waiting WHERE j.cluster=?1 AND "
    "j.wait_class=every.k AND j.wait_class > 0 AND j.submit_s > ?2 - every.reach AND "
    "j.submit_s <= ?2 AND (j.wait_to_s > ?2 OR j.wait_to_s IS NULL)";

constexpr const char* kColumns =
    "SELECT j.job_id, j.submit_s, j.start_s, j.end_s, j.duration_s, j.queue_s, j.run_from_s, "
    "j.run_to_s, j.nodes, j.gpus, j.cpus, j.state, j.duration_has_wait, j.type, j.user, "
    "j.account, j.partition, j.qos, j.name, j.comment FROM ";

constexpr size_t kMostTexts = 200'000;

int64_t timeAt(const Statement& row, int column)
{
    return row.isNull(column) ? ArchivedJob::kUnknown : row.integer(column);
}

}  // namespace

StatusOr<std::vector<ArchivedCluster>> JobArchive::clusters()
{
    StatusOr<Statement> rows = m_database.prepare(
        "SELECT name, (SELECT count(*) FROM archive_jobs WHERE cluster=c.id),"
        " (SELECT min(submit_s) FROM archive_jobs WHERE cluster=c.id),"
        " (SELECT max(submit_s) FROM archive_jobs WHERE cluster=c.id)"
        " FROM archive_clusters c ORDER BY name");
    if (!rows.ok())
        return rows.status();
    std::vector<ArchivedCluster> clusters;
    for (;;) {
        const StatusOr<bool> row = rows->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            return clusters;
        clusters.push_back({rows->text(0), rows->integer(1), rows->integer(2), rows->integer(3)});
    }
}

StatusOr<std::string> JobArchive::text(int64_t word)
{
    if (word == 0)
        return std::string();
    if (const auto found = m_texts.find(word); found != m_texts.end())
        return found->second;
    StatusOr<Statement> find = m_database.prepare("SELECT text FROM archive_words WHERE id=?1");
    if (!find.ok())
        return find.status();
    find->bind(1, word);
    const StatusOr<bool> row = find->step();
    if (!row.ok())
        return row.status();
    if (m_texts.size() >= kMostTexts)
        m_texts.clear();
    return m_texts.emplace(word, *row ? find->text(0) : std::string()).first->second;
}

Status JobArchive::fill(const Statement& row, ArchivedJob& job)
{
    job.id = row.text(0);
    job.submit = row.integer(1);
    job.start = timeAt(row, 2);
    job.end = timeAt(row, 3);
    job.duration = timeAt(row, 4);
    job.queue = timeAt(row, 5);
    job.runFrom = timeAt(row, 6);
    job.runTo = timeAt(row, 7);
    job.nodes = row.integer(8);
    job.gpus = row.integer(9);
    job.cpus = row.integer(10);
    job.state = domain::JobState(row.integer(11));
    job.durationHasWait = row.integer(12) != 0;
    int column = 13;
    for (std::string* const field :
         {&job.type, &job.user, &job.account, &job.partition, &job.qos, &job.name, &job.comment}) {
        StatusOr<std::string> words = text(row.integer(column++));
        if (!words.ok())
            return words.status();
        *field = *std::move(words);
    }
    return absl::OkStatus();
}

StatusOr<MomentCounts> JobArchive::countsAt(const std::string& cluster, int64_t at)
{
    const StatusOr<int64_t> id = known(cluster);
    if (!id.ok())
        return id.status();
    MomentCounts counts;
    for (const auto& [what, jobs, gpus] :
         {std::tuple(kRunning, &counts.runningJobs, &counts.runningGpus),
          std::tuple(kWaiting, &counts.waitingJobs, &counts.waitingGpus)}) {
        StatusOr<Statement> sums = m_database.prepare(
            std::string(kClasses) + "SELECT count(*), coalesce(sum(j.gpus), 0) FROM " + what);
        if (!sums.ok())
            return sums.status();
        sums->bind(1, *id).bind(2, at);
        const StatusOr<bool> row = sums->step();
        if (!row.ok())
            return row.status();
        *jobs = sums->integer(0);
        *gpus = sums->integer(1);
    }
    return counts;
}

StatusOr<std::vector<ArchivedJob>> JobArchive::jobsAt(const std::string& cluster, int64_t at,
                                                      uint32_t limit)
{
    const StatusOr<int64_t> id = known(cluster);
    if (!id.ok())
        return id.status();
    std::vector<ArchivedJob> jobs;
    for (const char* const what : {kRunning, kWaiting}) {
        StatusOr<Statement> rows =
            m_database.prepare(std::string(kClasses) + kColumns + what + " LIMIT ?3");
        if (!rows.ok())
            return rows.status();
        rows->bind(1, *id).bind(2, at).bind(3, int64_t(limit));
        for (;;) {
            const StatusOr<bool> row = rows->step();
            if (!row.ok())
                return row.status();
            if (!*row)
                break;
            jobs.emplace_back().cluster = cluster;
            YARD_RETURN_IF_ERROR(fill(*rows, jobs.back()));
        }
    }
    return jobs;
}

Status JobArchive::each(const std::string& cluster, int64_t from, int64_t to,
                        const std::function<bool(const ArchivedJob& job)>& take)
{
    const StatusOr<int64_t> id = known(cluster);
    if (!id.ok())
        return absl::IsNotFound(id.status()) ? absl::OkStatus() : id.status();
    StatusOr<Statement> rows = m_database.prepare(
        std::string(kColumns) +
        "archive_jobs AS j WHERE j.cluster=?1 AND j.submit_s>=?2 AND j.submit_s<?3");
    if (!rows.ok())
        return rows.status();
    rows->bind(1, *id).bind(2, from).bind(3, to);
    ArchivedJob job;
    job.cluster = cluster;
    for (;;) {
        const StatusOr<bool> row = rows->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            return absl::OkStatus();
        YARD_RETURN_IF_ERROR(fill(*rows, job));
        if (!take(job))
            return absl::OkStatus();
    }
}

}  // namespace yard::store
