#include "backend/store/job_archive.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backend/store/migrations.h"

namespace yard::store {
namespace {

// A span of length [2^(k-1), 2^k) has class k, one without an end the last. Whoever covers a moment
// began within 2^k seconds before it, so that each class is a short range of its index.
constexpr int64_t kOpenClass = 63;

constexpr std::string_view kInsert = R"(
    INSERT INTO archive_jobs(cluster, submit_s, job_id, start_s, end_s, duration_s, queue_s,
        run_class, run_from_s, run_to_s, wait_class, wait_to_s, nodes, gpus, cpus, state,
        duration_has_wait, type, user, account, partition, qos, name, comment)
    VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24)
    ON CONFLICT DO UPDATE SET start_s=?4, end_s=?5, duration_s=?6, queue_s=?7, run_class=?8,
        run_from_s=?9, run_to_s=?10, wait_class=?11, wait_to_s=?12, nodes=?13, gpus=?14, cpus=?15,
        state=?16, duration_has_wait=?17
    WHERE end_s IS NULL AND (?5 IS NOT NULL OR state IS NOT ?16))";

int64_t classOf(int64_t from, int64_t to)
{
    if (to == ArchivedJob::kUnknown)
        return kOpenClass;
    return to > from ? int64_t(std::bit_width(uint64_t(to - from))) : 0;
}

/// When it stopped waiting: it ran, or was given up; unknown while it waits.
int64_t waitEnd(const ArchivedJob& job)
{
    return job.runFrom != ArchivedJob::kUnknown ? job.runFrom : job.end;
}

void bindTime(Statement& statement, int parameter, int64_t value)
{
    if (value == ArchivedJob::kUnknown)
        statement.bindNull(parameter);
    else
        statement.bind(parameter, value);
}

}  // namespace

JobArchive::JobArchive(Database database)
    : m_database(std::move(database))
{
}

StatusOr<JobArchive> JobArchive::open(const std::string& path, Database::Mode mode)
{
    StatusOr<Database> database = Database::open(path, mode);
    if (!database.ok())
        return database.status();
    if (mode == Database::Mode::ReadWrite)
        YARD_RETURN_IF_ERROR(migrate(*database, path));
    YARD_RETURN_IF_ERROR(database->execute("PRAGMA cache_size=-65536"));
    return JobArchive(*std::move(database));
}

StatusOr<ImportRecord> JobArchive::begin(const ImportFile& file)
{
    StatusOr<Statement> find = m_database.prepare(
        "SELECT id, lines, stored, repeated, finished FROM archive_imports "
        "WHERE path=?1 AND bytes=?2 AND changed_ns=?3");
    if (!find.ok())
        return find.status();
    find->bind(1, file.path).bind(2, file.bytes).bind(3, file.changedNs);
    const StatusOr<bool> row = find->step();
    if (!row.ok())
        return row.status();
    ImportRecord record;
    if (*row) {
        record.id = find->integer(0);
        record.lines = uint64_t(find->integer(1));
        record.stored = uint64_t(find->integer(2));
        record.repeated = uint64_t(find->integer(3));
        record.isFinished = find->integer(4) != 0;
        return record;
    }
    StatusOr<Statement> insert = m_database.prepare(
        "INSERT INTO archive_imports(path, bytes, changed_ns, lines, stored, repeated, finished, "
        "odd_rows) VALUES(?1, ?2, ?3, 0, 0, 0, 0, '{}')");
    if (!insert.ok())
        return insert.status();
    insert->bind(1, file.path).bind(2, file.bytes).bind(3, file.changedNs);
    YARD_RETURN_IF_ERROR(insert->run());
    const StatusOr<int64_t> id = m_database.integer("SELECT last_insert_rowid()");
    if (!id.ok())
        return id.status();
    record.id = *id;
    return record;
}

Status JobArchive::write(const ImportRecord& record, std::string_view oddRows)
{
    StatusOr<Statement> update = m_database.prepare(
        "UPDATE archive_imports SET lines=?2, stored=?3, repeated=?4, finished=?5, "
        "odd_rows=CASE ?6 WHEN '' THEN odd_rows ELSE ?6 END WHERE id=?1");
    if (!update.ok())
        return update.status();
    update->bind(1, record.id)
        .bind(2, int64_t(record.lines))
        .bind(3, int64_t(record.stored))
        .bind(4, int64_t(record.repeated))
        .bind(5, int64_t(record.isFinished))
        .bind(6, oddRows);
    return update->run();
}

Status JobArchive::storeAll(const std::vector<ArchivedJob>& jobs, ImportRecord& record)
{
    for (const ArchivedJob& job : jobs) {
        const StatusOr<bool> isNew = store(job);
        if (!isNew.ok())
            return isNew.status();
        ++(*isNew ? record.stored : record.repeated);
    }
    return write(record, {});
}

Status JobArchive::add(const std::vector<ArchivedJob>& jobs, uint64_t lines, ImportRecord& record)
{
    ImportRecord next = record;
    next.lines = lines;
    YARD_RETURN_IF_ERROR(m_database.begin());
    Status status = storeAll(jobs, next);
    if (status.ok())
        status = m_database.commit();
    if (!status.ok()) {
        m_database.rollback();
        m_words.clear();  // what was new among them is gone with the transaction
        m_clusters.clear();
        return status;
    }
    record = next;
    return absl::OkStatus();
}

Status JobArchive::finish(ImportRecord& record, const std::string& oddRows)
{
    record.isFinished = true;
    return write(record, oddRows);
}

StatusOr<int64_t> JobArchive::clusterId(const std::string& name)
{
    if (const auto found = m_clusters.find(name); found != m_clusters.end())
        return found->second;
    StatusOr<Statement> insert =
        m_database.prepare("INSERT OR IGNORE INTO archive_clusters(name) VALUES(?1)");
    if (!insert.ok())
        return insert.status();
    insert->bind(1, name);
    YARD_RETURN_IF_ERROR(insert->run());
    const StatusOr<int64_t> id = known(name);
    if (id.ok())
        m_clusters.emplace(name, *id);
    return id;
}

StatusOr<int64_t> JobArchive::known(const std::string& cluster)
{
    StatusOr<Statement> find = m_database.prepare("SELECT id FROM archive_clusters WHERE name=?1");
    if (!find.ok())
        return find.status();
    find->bind(1, cluster);
    const StatusOr<bool> row = find->step();
    if (!row.ok())
        return row.status();
    if (*row)
        return find->integer(0);
    StatusOr<Statement> names =
        m_database.prepare("SELECT group_concat(name, ', ') FROM archive_clusters");
    if (!names.ok())
        return names.status();
    const StatusOr<bool> any = names->step();
    if (!any.ok())
        return any.status();
    return absl::NotFoundError(
        fmt::format("There is no cluster {} in this file. It holds {}.", cluster,
                    names->isNull(0) ? "none yet: import a trace first" : names->text(0)));
}

StatusOr<int64_t> JobArchive::wordId(const std::string& text)
{
    if (text.empty())
        return 0;
    if (const auto found = m_words.find(text); found != m_words.end())
        return found->second;
    StatusOr<Statement> insert =
        m_database.prepare("INSERT OR IGNORE INTO archive_words(text) VALUES(?1)");
    if (!insert.ok())
        return insert.status();
    insert->bind(1, text);
    YARD_RETURN_IF_ERROR(insert->run());
    StatusOr<Statement> find = m_database.prepare("SELECT id FROM archive_words WHERE text=?1");
    if (!find.ok())
        return find.status();
    find->bind(1, text);
    const StatusOr<bool> row = find->step();
    if (!row.ok())
        return row.status();
    return m_words.emplace(text, find->integer(0)).first->second;
}

StatusOr<bool> JobArchive::store(const ArchivedJob& job)
{
    if (!m_insert) {
        StatusOr<Statement> insert = m_database.prepare(kInsert);
        if (!insert.ok())
            return insert.status();
        m_insert = std::make_unique<Statement>(*std::move(insert));
    }
    const StatusOr<int64_t> cluster = clusterId(job.cluster);
    if (!cluster.ok())
        return cluster.status();
    Statement& insert = *m_insert;
    insert.bind(1, *cluster).bind(2, job.submit).bind(3, job.id);
    bindTime(insert, 4, job.start);
    bindTime(insert, 5, job.end);
    bindTime(insert, 6, job.duration);
    bindTime(insert, 7, job.queue);
    const bool hasRun = job.runFrom != ArchivedJob::kUnknown;
    insert.bind(8, hasRun ? classOf(job.runFrom, job.runTo) : 0);
    bindTime(insert, 9, job.runFrom);
    bindTime(insert, 10, job.runTo);
    insert.bind(11, classOf(job.submit, waitEnd(job)));
    bindTime(insert, 12, waitEnd(job));
    insert.bind(13, job.nodes).bind(14, job.gpus).bind(15, job.cpus).bind(16, int64_t(job.state));
    insert.bind(17, int64_t(job.durationHasWait));
    int parameter = 18;
    for (const std::string* text :
         {&job.type, &job.user, &job.account, &job.partition, &job.qos, &job.name, &job.comment}) {
        const StatusOr<int64_t> word = wordId(*text);
        if (!word.ok())
            return word.status();
        insert.bind(parameter++, *word);
    }
    YARD_RETURN_IF_ERROR(insert.run());
    return m_database.changes() > 0;
}

}  // namespace yard::store
