#include "backend/scheduler/slurm/accounting_reader.h"

#include "backend/base/text.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/slurm/job_details.h"
#include "backend/scheduler/slurm/key_values.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/time_text.h"
#include "backend/scheduler/slurm/tres.h"

namespace yard::scheduler::slurm {
namespace {

using domain::Job;
using domain::JobState;
using std::string_view;

// The raw id once more at the end: the last field of a row and the first of the next share a chunk,
// and neither may be free text.
constexpr string_view kFields =
    "JobIDRaw,JobID,Submit,Start,End,State,ExitCode,User,Account,Partition,QOS,NodeList,AllocTRES,"
    "NNodes,NCPUS,Timelimit,WorkDir,JobName,JobIDRaw";
enum Field : uint8_t {
    RawId,
    DisplayId,
    SubmitTime,
    StartTime,
    EndTime,
    State,
    Exit,
    User,
    Account,
    Partition,
    Qos,
    Nodes,
    Tres,
    NodeCount,
    Cpus,
    Limit,
    WorkDirectory,
    Name,
    RawIdAgain
};

using Row = std::vector<string_view>;

/// Rows, although a name may hold newlines: only "<id>\n<id>" between two marks ends one.
std::vector<Row> rowsOf(string_view output, const TextMarks& marks, domain::ReadNotes& notes)
{
    std::vector<Row> rows;
    Row row;
    for (string_view chunk : text::split(output, marks.field)) {
        if (row.size() != RawIdAgain) {
            row.push_back(chunk);
            continue;
        }
        const size_t end = chunk.find('\n');
        row.push_back(chunk.substr(0, end));
        if (row[RawId] == row[RawIdAgain])
            rows.push_back(row);
        else
            notes.add("sacct: a row that begins with " + text::validUtf8(row[RawId].substr(0, 40)) +
                      " ends with something else.");
        row.clear();
        if (end != string_view::npos)
            row.push_back(chunk.substr(end + 1));
    }
    const bool isWhole = row.empty() || (row.size() == 1 && text::trimmed(row[0]).empty());
    if (!isWhole)
        notes.add("sacct: its last row is cut short.");
    return rows;
}

void readPlace(const Row& row, Job& job)
{
    job.displayId = std::string(row[DisplayId]);
    const size_t split = job.displayId.find_first_of("_+");
    if (split == std::string::npos)
        return;
    const auto first = text::number<uint64_t>(job.displayId.substr(0, split));
    const auto second = text::number<uint32_t>(job.displayId.substr(split + 1));
    if (!first || !second)
        return;
    if (job.displayId[split] == '_')
        job.array = domain::ArrayPlace{.job = *first, .task = *second, .pending = {}};
    else
        job.het = domain::HetPlace{.leader = *first, .offset = *second};
}

void readState(const Row& row, Job& job)
{
    const JobWords words = readJobState(row[State]);
    job.state = words.state;
    job.stateFlags = words.flags;
    job.cancelledByUid = words.cancelledByUid;
    job.stateText = std::string(row[State]);
    // The run is over, whatever becomes of the job: its nodes are free.
    if (job.state == JobState::Unknown && !words.flags.empty())
        job.state = JobState::Cancelled;
    job.exit = readExit(row[Exit]);
}

bool readRow(const Row& row, Job& job, domain::ReadNotes& notes)
{
    const auto id = text::number<uint64_t>(row[RawId]);
    auto nodes = row[Nodes] == "None assigned" || row[Nodes].empty()
                     ? StatusOr<std::vector<std::string>>(std::vector<std::string>{})
                     : domain::expandHostlist(row[Nodes]);
    if (!id || !nodes.ok())
        return false;
    job.id = *id;
    readPlace(row, job);
    readState(row, job);
    job.submitTime = readTime(row[SubmitTime]).at;
    job.endTime = readTime(row[EndTime]).at;
    job.nodes = *std::move(nodes);
    if (!job.nodes.empty())
        job.startTime = readTime(row[StartTime]).at;
    job.user = text::validUtf8(row[User]);
    job.account = text::validUtf8(row[Account]);
    job.partition = std::string(row[Partition]);
    job.qos = std::string(row[Qos]);
    const auto tres = readTres(row[Tres]);
    noteOdd(tres, "sacct, job " + job.displayId, notes);
    job.gpus = tres.gpus();
    job.nodeCount = text::number<int>(row[NodeCount]).value_or(0);
    job.cpus = text::number<int>(row[Cpus]).value_or(0);
    job.timeLimit = readTimeLimit(row[Limit]);
    job.workDirectory = text::validUtf8(row[WorkDirectory]);
    job.name = text::validUtf8(row[Name]);
    return true;
}

}  // namespace

std::vector<std::string> accountingCommand(const TextMarks& marks, std::chrono::seconds window)
{
    return {"sacct",
            "-a",
            "-D",
            "-X",
            "-P",
            "-n",
            "--delimiter=" + marks.field,
            "-S",
            "now-" + std::to_string(window.count()) + "seconds",
            "-o",
            std::string(kFields)};
}

std::vector<Job> readAccounting(string_view output, const TextMarks& marks,
                                domain::ReadNotes& notes)
{
    std::vector<Job> jobs;
    for (const Row& row : rowsOf(output, marks, notes)) {
        Job job;
        if (!readRow(row, job, notes))
            notes.add("sacct: a row cannot be read: " + text::validUtf8(row[RawId].substr(0, 40)));
        else if (domain::isFinished(job.state) && job.endTime)
            jobs.push_back(std::move(job));
    }
    return jobs;
}

}  // namespace yard::scheduler::slurm
