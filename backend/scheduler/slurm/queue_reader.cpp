#include "backend/scheduler/slurm/queue_reader.h"

#include <algorithm>
#include <array>
#include <limits>

#include "backend/base/text.h"
#include "backend/domain/array_tasks.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/slurm/key_values.h"
#include "backend/scheduler/slurm/records.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/time_text.h"

namespace yard::scheduler::slurm {
namespace {

using domain::Job;
using domain::JobState;

// Letters of squeue's -o, in the order of Field.
constexpr std::string_view kLetters = "AiFKTruaPqVSelDCQxNEZokj";
enum Field : uint8_t {
    RawId,
    DisplayId,
    ArrayJob,
    ArrayTask,
    State,
    Reason,
    User,
    Account,
    Partition,
    Qos,
    SubmitTime,
    StartTime,
    EndTime,
    Limit,
    NodeCount,
    Cpus,
    Priority,
    Excluded,
    Nodes,
    Dependency,
    WorkDirectory,
    Command,
    Comment,
    Name,
    FieldCount
};
static_assert(kLetters.size() == FieldCount);

using Fields = std::vector<std::string_view>;

/// "2_[2-9%3]" as the commands take it: without the limit of running tasks.
std::string withoutTaskLimit(std::string_view id)
{
    const size_t limit = id.find('%');
    std::string text(id.substr(0, limit));
    if (limit != std::string_view::npos && id.ends_with(']'))
        text += ']';
    return text;
}

std::string plain(std::string_view text)
{
    return text::validUtf8(withoutNull(text));
}

int readInt(std::string_view text)
{
    const auto value = text::number<int64_t>(text).value_or(0);
    return int(std::clamp<int64_t>(value, 0, std::numeric_limits<int>::max()));
}

void readPlace(const Fields& fields, Job& job)
{
    job.displayId = withoutTaskLimit(fields[DisplayId]);
    const size_t plus = job.displayId.find('+');
    if (plus != std::string::npos) {
        const auto leader = text::number<uint64_t>(job.displayId.substr(0, plus));
        const auto offset = text::number<uint32_t>(job.displayId.substr(plus + 1));
        if (leader && offset)
            job.het = domain::HetPlace{*leader, *offset};
    }
    const auto array = text::number<uint64_t>(fields[ArrayJob]);
    if (!array || fields[ArrayTask].empty() || fields[ArrayTask] == "N/A")
        return;
    domain::ArrayPlace place{.job = *array, .task = std::nullopt, .pending = {}};
    place.task = text::number<uint32_t>(fields[ArrayTask]);
    if (!place.task) {
        place.pending = std::string(fields[ArrayTask]);
        place.pendingCount = domain::countTasks(place.pending);
    }
    job.array = std::move(place);
}

void readState(const Fields& fields, Job& job)
{
    const JobWords words = readJobState(fields[State]);
    job.state = words.state;
    job.stateFlags = words.flags;
    job.cancelledByUid = words.cancelledByUid;
    job.stateText = text::validUtf8(fields[State]);
    if (job.state == JobState::Unknown && !words.flags.empty())
        job.state = stateImpliedByFlag(words.flags.front());
    job.reason = fields[Reason] == "None" ? std::string() : plain(fields[Reason]);
    job.priority = readInt(fields[Priority]);
    job.held = job.state == JobState::Pending && fields[Priority] == "0";
}

/// After state and nodes: what a time means depends on them.
void readTimes(const Fields& fields, Job& job)
{
    job.submitTime = readTime(fields[SubmitTime]).at;
    job.timeLimit = readTimeLimit(fields[Limit]);
    const auto start = readTime(fields[StartTime]).at;
    if (job.state == JobState::Pending)
        job.estimatedStart = start;
    else if (!job.nodes.empty())  // cancelled while it waited: it never started
        job.startTime = start;
    if (domain::isFinished(job.state))
        job.endTime = readTime(fields[EndTime]).at;
}

bool readNodes(const Fields& fields, Job& job, domain::ReadNotes& notes)
{
    job.excludedNodes = plain(fields[Excluded]);
    const auto list = withoutNull(fields[Nodes]);
    if (list.empty())
        return true;
    auto nodes = domain::expandHostlist(list);
    if (!nodes.ok()) {
        notes.add("squeue, job " + job.displayId +
                  ": its node list cannot be read: " + std::string(nodes.status().message()));
        return false;
    }
    job.nodes = *std::move(nodes);
    return true;
}

std::string shortened(std::string_view text)
{
    constexpr size_t kShown = 60;
    std::string shown = text::validUtf8(text.substr(0, kShown));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; },
        ' ');
    return shown;
}

}  // namespace

std::vector<std::string> queueCommand(const TextMarks& marks, const std::vector<uint64_t>& jobs)
{
    std::vector<std::string> command{"squeue",       "-h", "-a",
                                     "--states=all", "-o", marks.format(kLetters)};
    std::string list;
    for (const uint64_t id : jobs)
        list += (list.empty() ? "" : ",") + std::to_string(id);
    if (!list.empty()) {
        command.emplace_back("-j");
        command.push_back(std::move(list));
    }
    return command;
}

std::vector<QueueRecord> readQueue(std::string_view output, const TextMarks& marks,
                                   domain::ReadNotes& notes)
{
    std::vector<QueueRecord> records;
    const auto all = marks.read(output);
    records.reserve(all.size());
    for (size_t i = 0; i < all.size(); ++i) {
        const Fields& fields = all[i];
        const auto id = text::number<uint64_t>(fields[RawId]);
        if (!id || fields.size() != FieldCount) {
            notes.add("squeue, record " + std::to_string(i + 1) + ": it has " +
                      std::to_string(fields.size()) + " fields, not " +
                      std::to_string(size_t(FieldCount)) + ": " + shortened(fields[RawId]));
            continue;
        }
        QueueRecord record;
        Job& job = record.job;
        job.id = *id;
        readPlace(fields, job);
        readState(fields, job);
        if (!readNodes(fields, job, notes))
            continue;
        readTimes(fields, job);
        job.user = plain(fields[User]);
        job.account = plain(fields[Account]);
        job.partition = plain(fields[Partition]);
        job.qos = plain(fields[Qos]);
        const std::string where = "squeue, job " + job.displayId;
        job.nodeCount = countIn(fields[NodeCount], "nodes", where, notes).value_or(0);
        job.cpus = countIn(fields[Cpus], "CPUs", where, notes).value_or(0);
        job.dependency = plain(fields[Dependency]);
        job.name = text::validUtf8(fields[Name]);
        job.comment = plain(fields[Comment]);
        job.workDirectory = plain(fields[WorkDirectory]);
        record.name = std::string(fields[Name]);
        record.comment = std::string(withoutNull(fields[Comment]));
        record.command = std::string(fields[Command]);
        record.workDirectory = std::string(fields[WorkDirectory]);
        records.push_back(std::move(record));
    }
    return records;
}

}  // namespace yard::scheduler::slurm
