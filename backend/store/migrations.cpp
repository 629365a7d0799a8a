#include "backend/store/migrations.h"

#include <fmt/format.h>

#include <array>

namespace yard::store {
namespace {

// Append only: a released step never changes.
constexpr std::array kSteps = {
    // 1
    R"(CREATE TABLE operations(
           id INTEGER PRIMARY KEY,
           request_id TEXT UNIQUE,
           state INTEGER NOT NULL,
           requested_us INTEGER NOT NULL,
           body TEXT NOT NULL);
       CREATE INDEX operations_by_state ON operations(state);
       CREATE TABLE operation_changes(
           operation_id INTEGER NOT NULL REFERENCES operations(id),
           at_us INTEGER NOT NULL,
           state INTEGER NOT NULL,
           observed INTEGER NOT NULL,
           message TEXT NOT NULL);
       CREATE INDEX operation_changes_by_operation ON operation_changes(operation_id);
       CREATE TABLE state_changes(
           at_us INTEGER NOT NULL,
           what TEXT NOT NULL,
           name TEXT NOT NULL,
           before TEXT NOT NULL,
           after TEXT NOT NULL,
           detail TEXT NOT NULL);
       CREATE INDEX state_changes_by_name ON state_changes(what, name);
       CREATE TABLE faults(
           at_us INTEGER,
           kind INTEGER NOT NULL,
           host TEXT NOT NULL,
           pci TEXT NOT NULL,
           gpu_index INTEGER,
           code INTEGER NOT NULL,
           text TEXT NOT NULL,
           count INTEGER NOT NULL);
       CREATE INDEX faults_by_time ON faults(at_us);
       CREATE TABLE audit(
           sequence INTEGER PRIMARY KEY,
           at_us INTEGER NOT NULL,
           user TEXT NOT NULL,
           uid INTEGER NOT NULL,
           role INTEGER NOT NULL,
           origin TEXT NOT NULL,
           event TEXT NOT NULL,
           operation_id INTEGER NOT NULL,
           action TEXT NOT NULL,
           targets TEXT NOT NULL,
           reason TEXT NOT NULL,
           command TEXT NOT NULL,
           detail TEXT NOT NULL,
           previous_hash TEXT NOT NULL,
           hash TEXT NOT NULL);
       CREATE TABLE probe(id INTEGER PRIMARY KEY, at_us INTEGER NOT NULL);)",
    // 2: jobs of traces and accounts. Words are numbers in archive_words, 0 is none. The classes
    // make "who covers this moment" a short range of an index: see job_archive.cpp.
    R"(CREATE TABLE archive_clusters(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
       CREATE TABLE archive_words(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
       CREATE TABLE archive_imports(
           id INTEGER PRIMARY KEY,
           path TEXT NOT NULL,
           bytes INTEGER NOT NULL,
           changed_ns INTEGER NOT NULL,
           lines INTEGER NOT NULL,
           stored INTEGER NOT NULL,
           repeated INTEGER NOT NULL,
           finished INTEGER NOT NULL,
           odd_rows TEXT NOT NULL);
       CREATE TABLE archive_jobs(
           cluster INTEGER NOT NULL,
           submit_s INTEGER NOT NULL,
           job_id TEXT NOT NULL,
           start_s INTEGER,
           end_s INTEGER,
           duration_s INTEGER,
           queue_s INTEGER,
           run_class INTEGER NOT NULL,
           run_from_s INTEGER,
           run_to_s INTEGER,
           wait_class INTEGER NOT NULL,
           wait_to_s INTEGER,
           nodes INTEGER NOT NULL,
           gpus INTEGER NOT NULL,
           cpus INTEGER NOT NULL,
           state INTEGER NOT NULL,
           duration_has_wait INTEGER NOT NULL,
           type INTEGER NOT NULL,
           user INTEGER NOT NULL,
           account INTEGER NOT NULL,
           partition INTEGER NOT NULL,
           qos INTEGER NOT NULL,
           name INTEGER NOT NULL,
           comment INTEGER NOT NULL,
           PRIMARY KEY(cluster, submit_s, job_id)) WITHOUT ROWID;
       CREATE INDEX archive_running ON archive_jobs(cluster, run_class, run_from_s, run_to_s, gpus)
           WHERE run_class > 0;
       CREATE INDEX archive_waiting ON archive_jobs(cluster, wait_class, submit_s, wait_to_s, gpus)
           WHERE wait_class > 0;)",
    // 3: versions of nodes and jobs as spans of time, open ones without an end. The class of a span
    // makes "who covers this moment" a short range of an index: see state_spans.cpp. known_spans
    // says when somebody looked.
    R"(CREATE TABLE state_spans(
           id INTEGER PRIMARY KEY,
           kind INTEGER NOT NULL,
           key TEXT NOT NULL,
           span_class INTEGER NOT NULL,
           from_us INTEGER NOT NULL,
           to_us INTEGER NOT NULL,
           body BLOB NOT NULL);
       CREATE INDEX state_spans_by_time ON state_spans(kind, span_class, from_us, to_us);
       CREATE UNIQUE INDEX state_spans_open ON state_spans(kind, key) WHERE span_class=63;
       CREATE TABLE known_spans(
           id INTEGER PRIMARY KEY,
           from_us INTEGER NOT NULL,
           to_us INTEGER NOT NULL);
       CREATE INDEX operations_by_time ON operations(requested_us);
       CREATE INDEX failed_jobs_by_time ON state_changes(at_us)
           WHERE what='job' AND after IN ('FAILED','NODE_FAIL','OUT_OF_MEMORY','BOOT_FAIL');)",
    // 4: incidents as they stand, and every step they took.
    R"(CREATE TABLE incidents(
           id INTEGER PRIMARY KEY,
           state INTEGER NOT NULL,
           joined_to INTEGER NOT NULL,
           first_us INTEGER NOT NULL,
           last_us INTEGER NOT NULL,
           assignee TEXT NOT NULL,
           body TEXT NOT NULL);
       CREATE INDEX incidents_by_state ON incidents(state);
       CREATE INDEX incidents_by_time ON incidents(last_us);
       CREATE TABLE incident_changes(
           incident_id INTEGER NOT NULL REFERENCES incidents(id),
           at_us INTEGER NOT NULL,
           state INTEGER NOT NULL,
           reason INTEGER NOT NULL,
           certainty INTEGER NOT NULL);
       CREATE INDEX incident_changes_by_incident ON incident_changes(incident_id);)",
};

Status refuseForeign(Database& database, int64_t version, std::string_view path)
{
    const StatusOr<int64_t> owner = database.integer("PRAGMA application_id");
    if (!owner.ok())
        return owner.status();
    const StatusOr<int64_t> tables = database.integer("SELECT count(*) FROM sqlite_master");
    if (!tables.ok())
        return tables.status();
    if (*owner != kApplicationId && (version != 0 || *tables != 0))
        return absl::FailedPreconditionError(
            fmt::format("The database {} belongs to another program. It was left as it is.", path));
    if (version > int64_t(kSteps.size()))
        return absl::FailedPreconditionError(fmt::format(
            "The database {} has version {}, this program knows up to {}. It was left as "
            "it is; start the newer program.",
            path, version, kSteps.size()));
    return absl::OkStatus();
}

Status apply(Database& database, size_t step)
{
    YARD_RETURN_IF_ERROR(database.begin());
    Status status = database.execute(kSteps[step]);
    if (status.ok())
        status = database.execute(fmt::format("PRAGMA user_version={}", step + 1).c_str());
    if (status.ok())
        status = database.execute(fmt::format("PRAGMA application_id={}", kApplicationId).c_str());
    if (status.ok())
        status = database.commit();
    if (!status.ok())
        database.rollback();
    return status;
}

}  // namespace

Status migrate(Database& database, std::string_view path)
{
    const StatusOr<int64_t> version = database.integer("PRAGMA user_version");
    if (!version.ok())
        return version.status();
    YARD_RETURN_IF_ERROR(refuseForeign(database, *version, path));
    YARD_RETURN_IF_ERROR(database.execute("PRAGMA journal_mode=WAL"));
    for (auto step = size_t(*version); step < kSteps.size(); ++step)
        YARD_RETURN_IF_ERROR(apply(database, step));
    return absl::OkStatus();
}

}  // namespace yard::store
