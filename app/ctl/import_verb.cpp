#include "app/ctl/import_verb.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/ctl/characterize_output.h"
#include "app/ctl/connection.h"
#include "app/ctl/json_text.h"
#include "app/ctl/trace_request.h"
#include "backend/analytics/run_span.h"
#include "backend/analytics/workload_rules.h"
#include "backend/base/text.h"
#include "backend/store/job_archive.h"

namespace yard::ctl {
namespace {

// One transaction: a second of work, some 20 MB.
constexpr size_t kBatch = 50'000;

struct ImportRequest {
    TraceRequest traces;
    std::string into;
    std::string types;
    bool json = false;
};

struct ImportedFile {
    std::string path;
    store::ImportRecord record;
    uint64_t steps = 0;
    uint64_t newlyStored = 0;
    uint64_t newlyRepeated = 0;
    bool wasFinished = false;
    bool wasResumed = false;
};

int64_t orUnknown(int64_t value, int64_t none)
{
    return value == none ? store::ArchivedJob::kUnknown : value;
}

/// Fills `job`, whose strings keep their memory from row to row.
void convert(const analytics::JobTable& table, size_t row, store::ArchivedJob& job)
{
    using analytics::kNoSeconds;
    using analytics::kNoTime;
    const analytics::Words& words = table.words;
    job.cluster = words.text(table.cluster[row]);
    job.id = table.id(row);
    job.submit = table.submit[row];
    job.start = orUnknown(table.start[row], kNoTime);
    job.end = orUnknown(table.end[row], kNoTime);
    job.duration = orUnknown(table.duration[row], kNoSeconds);
    job.queue = orUnknown(table.queue[row], kNoSeconds);
    const analytics::RunSpan span = analytics::runSpan(table, row);
    job.runFrom = orUnknown(span.from, kNoTime);
    job.runTo = orUnknown(span.to, kNoTime);
    job.nodes = table.nodes[row];
    job.gpus = table.gpus[row];
    job.cpus = table.cpus[row];
    job.state = table.state[row];
    job.durationHasWait = table.sources[table.source[row]].durationHasWait;
    job.type = words.text(table.type[row]);
    job.user = words.text(table.user[row]);
    job.account = words.text(table.account[row]);
    job.partition = words.text(table.partition[row]);
    job.qos = words.text(table.qos[row]);
    job.name = words.text(table.name[row]);
    job.comment = words.text(table.comment[row]);
}

StatusOr<store::ImportFile> describe(const std::string& path)
{
    struct stat about = {};
    std::error_code error;
    const auto absolute = std::filesystem::weakly_canonical(path, error);
    if (error || ::stat(path.c_str(), &about) != 0)
        return absl::NotFoundError(
            fmt::format("The file {} cannot be read. Check the name and its rights.", path));
    return store::ImportFile{
        absolute.string(), int64_t(about.st_size),
        int64_t(about.st_mtim.tv_sec) * 1'000'000'000 + int64_t(about.st_mtim.tv_nsec)};
}

Status copyJobs(analytics::TraceReader& reader, const analytics::WorkloadRules& rules,
                store::JobArchive& archive, store::ImportRecord& record)
{
    analytics::JobTable table;
    std::vector<store::ArchivedJob> jobs;
    for (;;) {
        table.clear();
        table.reserve(kBatch);
        const StatusOr<bool> more = reader.read(table, kBatch);
        // What came before a cut is kept: the next run goes on behind it.
        rules.apply(table);
        jobs.resize(table.size());
        for (size_t row = 0; row < table.size(); ++row) {
            convert(table, row, jobs[row]);
            if (jobs[row].cluster.empty())
                return absl::InvalidArgumentError(
                    "The data does not say of which cluster the jobs are. Name it with "
                    "--cluster.");
        }
        YARD_RETURN_IF_ERROR(archive.add(jobs, reader.line(), record));
        if (!more.ok())
            return more.status();
        if (!*more)
            return absl::OkStatus();
    }
}

Status importFile(const ImportRequest& request, const analytics::WorkloadRules& rules,
                  store::JobArchive& archive, ImportedFile& file, analytics::OddRows& odd)
{
    const StatusOr<store::ImportFile> about = describe(file.path);
    if (!about.ok())
        return about.status();
    ProgressLine line("Importing " + file.path);
    analytics::TraceOptions options = request.traces.options();
    options.cluster = request.traces.cluster;
    options.progress = [&line](uint64_t done, uint64_t all) { line.show(done, all); };
    StatusOr<analytics::TraceReader> reader =
        analytics::TraceReader::open(file.path, std::move(options));
    if (!reader.ok())
        return reader.status();
    StatusOr<store::ImportRecord> record = archive.begin(*about);
    if (!record.ok())
        return record.status();
    const store::ImportRecord before = *record;
    file.record = *record;
    file.wasFinished = record->isFinished;
    if (file.wasFinished)
        return absl::OkStatus();
    file.wasResumed = record->lines > 1;
    YARD_RETURN_IF_ERROR(reader->skipTo(record->lines));
    const Status status = copyJobs(*reader, rules, archive, *record);
    odd.add(reader->oddRows());
    file.record = *record;
    file.steps = reader->steps();
    file.newlyStored = record->stored - before.stored;
    file.newlyRepeated = record->repeated - before.repeated;
    YARD_RETURN_IF_ERROR(status);
    YARD_RETURN_IF_ERROR(archive.finish(
        *record, oddRowsJson(reader->oddRows())
                     .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)));
    file.record = *record;
    return absl::OkStatus();
}

void tell(const ImportedFile& file)
{
    if (file.wasFinished) {
        fmt::print("{}: has been imported before, nothing was done.\n", text::visible(file.path));
        return;
    }
    fmt::print("{}: {} jobs imported{}{}.\n", text::visible(file.path), file.newlyStored,
               file.newlyRepeated > 0 ? fmt::format(", {} were there", file.newlyRepeated) : "",
               file.wasResumed ? ", from where an earlier import had stopped" : "");
}

nlohmann::ordered_json json(const ImportedFile& file)
{
    return {{"file", file.path},
            {"imported", file.newlyStored},
            {"already_there", file.newlyRepeated},
            {"steps", file.steps},
            {"resumed", file.wasResumed},
            {"imported_before", file.wasFinished}};
}

/// A directory gets jobs.db inside, and is made if its name has no ending.
std::string databaseIn(const std::string& into)
{
    std::error_code error;
    const std::filesystem::path path(into);
    if (!std::filesystem::is_directory(path, error) && path.has_extension())
        return into;
    std::filesystem::create_directories(path, error);
    return (path / "jobs.db").string();
}

ExitCode import(const ImportRequest& request)
{
    analytics::WorkloadRules rules = analytics::WorkloadRules::builtIn();
    if (!request.types.empty()) {
        auto read = analytics::WorkloadRules::read(request.types);
        if (!read.ok())
            return complain(BadInput, std::string(read.status().message()));
        rules = *std::move(read);
    }
    const std::string database = databaseIn(request.into);
    auto archive = store::JobArchive::open(database, store::Database::Mode::ReadWrite);
    if (!archive.ok())
        return complain(BadInput, std::string(archive.status().message()));
    analytics::OddRows odd;
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const std::string& path : request.traces.files) {
        ImportedFile file;
        file.path = path;
        const Status status = importFile(request, rules, *archive, file, odd);
        if (!status.ok()) {
            if (file.newlyStored > 0)
                fmt::print(stderr, "{}: {} jobs were imported before this.\n", text::visible(path),
                           file.newlyStored);
            return complain(BadInput, std::string(status.message()));
        }
        files.push_back(json(file));
        if (!request.json)
            tell(file);
    }
    if (!request.json) {
        tellOddRows(odd);
        return Done;
    }
    const nlohmann::ordered_json out = {{"database", database},
                                        {"files", std::move(files)},
                                        {"rows_left_out", odd.lost()},
                                        {"odd_rows", oddRowsJson(odd)}};
    std::cout << jsonText(out, 1) << '\n';
    return Done;
}

}  // namespace

void addImportVerb(CLI::App& app, int& exitCode)
{
    auto request = std::make_shared<ImportRequest>();
    CLI::App* const command = app.add_subcommand(
        "import", "Put the jobs of a trace, or of sacct -P, into a database to look at");
    command->add_option("FORMAT", request->traces.format, "acme, philly or sacct")
        ->required()
        ->check(CLI::IsMember({"acme", "philly", "sacct"}));
    command->add_option("FILE", request->traces.files, "Files of jobs, plain or .gz")->required();
    command->add_option("--into", request->into, "A directory, or a database (jobs.db)")
        ->required();
    command->add_option("--cluster", request->traces.cluster,
                        "Name of the cluster, where the data has none or another");
    command->add_option("--zone", request->traces.zone,
                        "Time zone of times without an offset, such as Asia/Shanghai");
    command->add_option("--types", request->types,
                        "Rules that give a type to jobs that have none; otherwise the built-in "
                        "ones");
    command->add_flag("--json", request->json, "One JSON object");
    command->footer(
        "A job is known by cluster, id and submit time: importing it again changes nothing, unless "
        "it has ended since. An import that was stopped goes on where it was.");
    command->callback([request, &exitCode] { exitCode = import(*request); });
}

}  // namespace yard::ctl
