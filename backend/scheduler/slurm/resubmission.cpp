#include "backend/scheduler/slurm/resubmission.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/key_values.h"

namespace yard::scheduler::slurm {
namespace {

using std::string_view;
using Options = std::vector<std::string>;

/// Options whose value is a field as it stands.
struct PlainOption {
    string_view field;
    string_view option;
};
constexpr PlainOption kPlainOptions[] = {
    {"Account", "--account="},      {"QOS", "--qos="},
    {"Partition", "--partition="},  {"NumTasks", "--ntasks="},
    {"TimeLimit", "--time="},       {"TimeMin", "--time-min="},
    {"ReqNodeList", "--nodelist="}, {"ExcNodeList", "--exclude="},
    {"Features", "--constraint="},  {"Reservation", "--reservation="},
    {"Licenses", "--licenses="},
};

void add(Options& options, string_view option, string_view value)
{
    if (!value.empty())
        options.push_back(std::string(option) + std::string(value));
}

/// "gres:gpu:h100:2" as sbatch wants it: "gpu:h100:2" behind --gres, "h100:2" behind --gpus.
std::string tresWithout(string_view text, string_view kind)
{
    if (!text::takePrefix(text, "gres:"))
        text::takePrefix(text, "gres/");
    if (!kind.empty() && !text::takePrefix(text, std::string(kind) + ":"))
        text::takePrefix(text, std::string(kind) + "=");
    return std::string(text);
}

void addResources(Options& options, const DetailRecord& details)
{
    const string_view body = details.body;
    const string_view tail = details.tail;
    add(options, "--nodes=", textOf(body, "NumNodes"));
    // sbatch takes one way of asking for CPUs and for memory, and Slurm shows what follows from it
    // too.
    const string_view cpusPerGpu = textOf(tail, "CpusPerTres");
    const string_view memoryPerGpu = textOf(tail, "MemPerTres");
    if (cpusPerGpu.empty())
        add(options, "--cpus-per-task=", textOf(body, "CPUs/Task"));
    add(options, "--cpus-per-gpu=", tresWithout(cpusPerGpu, "gpu"));
    add(options, "--mem-per-gpu=", tresWithout(memoryPerGpu, "gpu"));
    const string_view perCpu = textOf(body, "MinMemoryCPU");
    const string_view perNode = textOf(body, "MinMemoryNode");
    if (memoryPerGpu.empty())
        add(options,
            perCpu.empty() ? "--mem=" : "--mem-per-cpu=", perCpu.empty() ? perNode : perCpu);
    // N:B:S:C, of which sbatch takes the first for a node.
    const string_view perN = textOf(body, "NtasksPerN:B:S:C");
    const string_view tasksPerNode = perN.substr(0, perN.find(':'));
    if (tasksPerNode != "0")
        add(options, "--ntasks-per-node=", tasksPerNode);
    add(options, "--gres=", tresWithout(textOf(tail, "TresPerNode"), ""));
    add(options, "--gpus=", tresWithout(textOf(tail, "TresPerJob"), "gpu"));
    add(options, "--gpus-per-task=", tresWithout(textOf(tail, "TresPerTask"), "gpu"));
    add(options, "--gpus-per-socket=", tresWithout(textOf(tail, "TresPerSocket"), "gpu"));
    if (fieldOf(body, "OverSubscribe") == "NO")
        options.emplace_back("--exclusive");
    if (fieldOf(body, "Contiguous") == "1")
        options.emplace_back("--contiguous");
}

bool namesOutput(string_view script)
{
    for (const string_view line : text::lines(script)) {
        const auto words = text::words(line);
        if (words.size() > 1 && words[0] == "#SBATCH" &&
            (words[1].starts_with("--output") || words[1].starts_with("-o")))
            return true;
    }
    return false;
}

/// `text` with each run of digits that is `number` replaced.
std::string replaceNumber(string_view text, const std::string& number, string_view by)
{
    std::string result;
    for (size_t i = 0; i < text.size();) {
        if (!text::isDigit(text[i])) {
            result += text[i++];
            continue;
        }
        size_t end = i;
        while (end < text.size() && text::isDigit(text[end]))
            ++end;
        const string_view digits = text.substr(i, end - i);
        result += digits == number ? by : digits;
        i = end;
    }
    return result;
}

/// The name that the original's output file has, made anew: its id was put in by Slurm. A name
/// without an id is shared, so the copy appends.
void addOutput(Options& options, const QueueRecord& record, const DetailRecord& details,
               string_view script)
{
    const std::string path = standardOutputOf(details);
    if (path.empty() || namesOutput(script))
        return;
    std::string again = replaceNumber(path, std::to_string(record.job.id), "%j");
    if (record.job.array && record.job.array->task) {
        again = replaceNumber(again, std::to_string(record.job.array->job), "%A");
        const std::string last = "_" + std::to_string(*record.job.array->task);
        const size_t at = again.rfind(last);
        if (at != std::string::npos)
            again.replace(at, last.size(), "_%a");
    }
    options.push_back("--output=" + again);
    if (again == path)
        options.emplace_back("--open-mode=append");
}

void addPlace(Options& options, const QueueRecord& record)
{
    const auto& array = record.job.array;
    if (array)
        options.push_back("--array=" +
                          (array->task ? std::to_string(*array->task) : array->pending));
}

std::optional<std::string> uidOf(string_view body)
{
    const string_view user = textOf(body, "UserId");  // "alice(1001)"
    const size_t bracket = user.rfind('(');
    if (bracket == string_view::npos || !user.ends_with(')'))
        return std::nullopt;
    const string_view uid = user.substr(bracket + 1, user.size() - bracket - 2);
    return text::number<uint32_t>(uid) ? std::optional(std::string(uid)) : std::nullopt;
}

}  // namespace

StatusOr<std::vector<std::string>> resubmitOptions(const QueueRecord& record,
                                                   const DetailRecord& details, string_view script,
                                                   bool mayChooseUser)
{
    const std::string& id = record.job.displayId;
    if (record.job.het)
        return absl::FailedPreconditionError("Job " + id +
                                             " is a part of a heterogeneous job, which can be "
                                             "requeued but not resubmitted.");
    if (fieldOf(details.body, "BatchFlag") == "0")
        return absl::FailedPreconditionError("Job " + id +
                                             " is interactive: it has no batch script to submit.");
    const auto uid = uidOf(details.body);
    if (!uid)
        return absl::FailedPreconditionError("The user of job " + id + " cannot be read.");

    Options options{"--job-name=" + record.name, "--chdir=" + record.workDirectory};
    for (const PlainOption& plain : kPlainOptions) {
        const string_view value = textOf(details.body, plain.field);
        if (value != "0" && value != "Partition_Limit")
            add(options, plain.option, value);
    }
    addResources(options, details);
    options.emplace_back(fieldOf(details.body, "Requeue") == "0" ? "--no-requeue" : "--requeue");
    const string_view nice = textOf(details.body, "Nice");
    if (nice != "0")
        add(options, "--nice=", nice);
    addPlace(options, record);
    addOutput(options, record, details, script);
    if (mayChooseUser)
        options.push_back("--uid=" + *uid);
    return options;
}

std::string environmentPath(const std::string& stateSaveLocation, uint64_t job)
{
    return stateSaveLocation + "/hash." + std::to_string(job % 10) + "/job." + std::to_string(job) +
           "/environment";
}

std::optional<std::string> readEnvironmentFile(string_view bytes)
{
    uint32_t count = 0;
    if (bytes.size() < sizeof count)
        return std::nullopt;
    std::memcpy(&count, bytes.data(), sizeof count);
    bytes.remove_prefix(sizeof count);
    std::string content;
    uint32_t found = 0;
    while (!bytes.empty()) {
        const size_t end = bytes.find('\0');
        if (end == string_view::npos)
            return std::nullopt;
        const string_view entry = bytes.substr(0, end);
        bytes.remove_prefix(end + 1);
        ++found;
        if (entry.find('=') != string_view::npos)
            (content += entry) += '\0';
    }
    if (found != count || content.empty())
        return std::nullopt;
    return content;
}

std::optional<std::string> readEnvironmentText(string_view output)
{
    const size_t rule = output.find("\n---");
    if (rule == string_view::npos)
        return std::nullopt;
    const size_t start = output.find('\n', rule + 1);
    if (start == string_view::npos)
        return std::nullopt;
    std::string content;
    for (const string_view line : text::lines(output.substr(start + 1))) {
        const size_t equals = line.find('=');
        const bool begins =
            equals != string_view::npos && equals > 0 &&
            line.substr(0, equals).find_first_of(" \t\"'{}();") == string_view::npos;
        if (!content.empty())
            content += begins ? '\0' : '\n';
        content += line;
    }
    while (content.ends_with('\n'))
        content.pop_back();
    if (content.find('=') == std::string::npos)
        return std::nullopt;
    return content + '\0';
}

PrivateFile::PrivateFile(std::string path)
    : m_path(std::move(path))
{
}

PrivateFile::PrivateFile(PrivateFile&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
{
}

PrivateFile::~PrivateFile()
{
    if (!m_path.empty())
        unlink(m_path.c_str());
}

StatusOr<PrivateFile> PrivateFile::holding(string_view content)
{
    const char* const folder = getenv("TMPDIR");
    std::string path = std::string(folder && *folder ? folder : "/tmp") + "/yard-XXXXXX";
    const int fd = mkstemp(path.data());  // for its owner alone
    if (fd < 0)
        return absl::InternalError("A temporary file could not be made at " + path + ": " +
                                   std::strerror(errno) + ".");
    PrivateFile file(path);
    while (!content.empty()) {
        const ssize_t written = write(fd, content.data(), content.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            const std::string why = std::strerror(errno);
            close(fd);
            return absl::InternalError("The temporary file " + path +
                                       " could not be written: " + why + ".");
        }
        content.remove_prefix(size_t(written));
    }
    close(fd);
    return file;
}

}  // namespace yard::scheduler::slurm
