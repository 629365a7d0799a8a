#include "backend/scheduler/slurm/job_details.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "backend/base/text.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/key_values.h"
#include "backend/scheduler/slurm/tres.h"

namespace yard::scheduler::slurm {
namespace {

using domain::Job;
using std::string_view;

constexpr string_view kHead = "JobId=";
constexpr size_t kNone = string_view::npos;

/// Where the record at `start` continues after the job's name; nothing if the name is another.
std::optional<size_t> afterName(string_view output, size_t start, string_view name)
{
    constexpr string_view kName = " JobName=";
    const size_t at = output.find(kName, start);
    // Ids and array places come before the name, nothing else does.
    if (at == kNone || output.substr(start, at - start).find('\n') != kNone)
        return std::nullopt;
    const size_t from = at + kName.size();
    if (output.substr(from, name.size()) != name)
        return std::nullopt;
    const string_view rest = output.substr(from + name.size());
    if (!rest.starts_with(" UserId=") && !rest.starts_with(" HetJobIdSet="))
        return std::nullopt;
    return from + name.size();
}

/// Reads the record at `start` along the known texts; sets `start` to the next record's.
std::optional<DetailRecord> takeRecord(string_view output, size_t& start, const QueueRecord* known)
{
    const size_t begin = start;
    const auto body = known ? afterName(output, begin, known->name) : std::nullopt;
    size_t tail = body.value_or(begin);
    size_t bodyEnd = kNone;
    if (body) {
        std::string texts = " Command=" + known->command + " WorkDir=" + known->workDirectory;
        bodyEnd = output.find(texts, *body);
        if (bodyEnd != kNone) {
            tail = bodyEnd + texts.size();
            const std::string comment = " Comment=" + known->comment;
            if (!known->comment.empty() && output.substr(tail, comment.size()) == comment)
                tail += comment.size();
        }
    }
    const size_t next = output.find("\nJobId=", tail);
    start = next == kNone ? output.size() : next + 1;
    if (!body || bodyEnd == kNone || bodyEnd > start)
        return std::nullopt;
    return DetailRecord{output.substr(*body, bodyEnd - *body), output.substr(tail, start - tail)};
}

/// The parts `Nodes=node[001-002] CPU_IDs=… Mem=… GRES=gpu:h100:2(IDX:0-1)`.
void readAllocation(string_view body, Job& job)
{
    constexpr string_view kNodes = " Nodes=";
    int gpus = 0;
    for (size_t at = body.find(kNodes); at != kNone; at = body.find(kNodes, at + 1)) {
        const string_view part = body.substr(at, body.find(kNodes, at + 1) - at);
        const auto text = fieldOf(part, "GRES");
        const auto nodes = domain::expandHostlist(textOf(part, "Nodes"));
        if (!text || !nodes.ok())
            continue;
        const Gres gres = readGres(*text);
        gpus += gres.gpus() * int(nodes->size());
        const auto indices = gres.gpuIndices();
        if (!indices.empty() && domain::isActive(job.state)) {
            for (const auto& node : *nodes)
                job.gpuIndices[node] = indices;
        }
    }
    // At its end the parts lose their GRES, those of dead nodes first: that denies no GPU it had.
    job.gpus = std::max(job.gpus, gpus);
}

/// What a job asks for, when neither its TRES nor an allocation name GPUs.
int gpusAskedFor(string_view body, string_view tail, const Job& job)
{
    const auto per = [&](string_view key) { return readGres(textOf(tail, key)).gpus(); };
    if (const int all = per("TresPerJob"))
        return all;
    if (const int each = per("TresPerNode"))
        return each * std::max(1, job.nodeCount);
    return per("TresPerTask") * std::max(1, numberOf<int>(body, "NumTasks").value_or(1));
}

using Known = std::unordered_map<uint64_t, QueueRecord*>;
using Found = std::unordered_map<uint64_t, std::vector<DetailRecord>>;

/// All records of known jobs; more than one for a job if somebody forged one.
Found findAll(string_view output, const Known& known)
{
    Found found;
    size_t at = output.starts_with(kHead) ? 0 : output.size();
    while (at < output.size()) {
        const string_view rest = output.substr(at + kHead.size());
        const auto id = text::number<uint64_t>(rest.substr(0, rest.find(' ')));
        const auto record = id ? known.find(*id) : known.end();
        const auto details =
            takeRecord(output, at, record == known.end() ? nullptr : record->second);
        if (details)
            found[*id].push_back(*details);
    }
    return found;
}

void apply(const DetailRecord& details, Job& job, domain::ReadNotes& notes)
{
    const string_view body = details.body;
    job.restarts = numberOf<int>(body, "Restarts").value_or(0);
    job.requiredNodes = text::validUtf8(textOf(body, "ReqNodeList"));
    job.requeueable = fieldOf(body, "Requeue") != "0";
    if (domain::isFinished(job.state))
        job.exit = readExit(fieldOf(body, "ExitCode").value_or(""));
    for (const string_view key : {"AllocTRES", "TRES", "ReqTRES"}) {
        if (job.gpus > 0)
            break;
        const Tres tres = readTres(textOf(body, key));
        noteOdd(tres, "scontrol show job, job " + job.displayId, notes);
        job.gpus = tres.gpus();
    }
    if (job.gpus == 0)
        job.gpus = gpusAskedFor(body, details.tail, job);
    readAllocation(body, job);
    job.standardOutput = standardOutputOf(details);
}

}  // namespace

std::vector<std::string> detailsCommand()
{
    return {"scontrol", "-a", "-d", "-o", "show", "job"};
}

void addDetails(string_view output, std::vector<QueueRecord>& records, domain::ReadNotes& notes)
{
    Known known;
    for (auto& record : records)
        known.emplace(record.job.id, &record);
    const Found found = findAll(output, known);
    for (const auto& [id, record] : known) {
        const auto details = found.find(id);
        if (details != found.end() && details->second.size() == 1)
            apply(details->second.front(), record->job, notes);
        else
            notes.add("scontrol show job: job " + std::to_string(id) +
                      (details == found.end() ? " cannot be read" : " appears twice") +
                      ", so its GPUs and restarts are not known.");
    }
}

std::optional<DetailRecord> findDetails(string_view output, const QueueRecord& known)
{
    QueueRecord copy = known;
    const Found found = findAll(output, {{known.job.id, &copy}});
    const auto details = found.find(known.job.id);
    if (details == found.end() || details->second.size() != 1)
        return std::nullopt;
    return details->second.front();
}

std::string standardOutputOf(const DetailRecord& details)
{
    // The job chose these paths; the last ones are Slurm's own words.
    const size_t at = details.tail.rfind(" StdOut=");
    if (at == kNone)
        return {};
    string_view path = details.tail.substr(at + 8);
    const size_t end = std::min(path.find(" Power="), path.find(" TresPer"));
    path = text::trimmed(path.substr(0, end));
    return path == "/dev/null" ? std::string() : text::validUtf8(path);
}

domain::ExitStatus readExit(string_view text)
{
    domain::ExitStatus exit;
    const size_t colon = text.find(':');
    exit.code = text::number<int>(text.substr(0, colon));
    if (colon != kNone)
        exit.signal = text::number<int>(text.substr(colon + 1));
    if (exit.signal == 0)
        exit.signal.reset();
    return exit;
}

}  // namespace yard::scheduler::slurm
