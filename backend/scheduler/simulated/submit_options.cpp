#include "backend/scheduler/simulated/submit_options.h"

#include <charconv>
#include <map>
#include <string_view>

namespace yard::scheduler {
namespace {

const std::map<std::string_view, std::string_view> kShort{
    {"-J", "job-name"}, {"-p", "partition"}, {"-A", "account"}, {"-q", "qos"},  {"-N", "nodes"},
    {"-G", "gpus"},     {"-w", "nodelist"},  {"-x", "exclude"}, {"-H", "hold"}, {"-D", "chdir"},
    {"-t", "time"},     {"-b", "begin"},     {"-a", "array"}};

template <typename Number>
Status readNumber(std::string_view option, std::string_view text, Number& into)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
    if (error == std::errc() && end == text.data() + text.size() && into >= 0)
        return {};
    return absl::InvalidArgumentError("sbatch: error: Invalid value for --" + std::string(option) +
                                      ": " + std::string(text));
}

std::string_view afterLast(std::string_view text, char separator)
{
    const auto at = text.rfind(separator);
    return at == text.npos ? text : text.substr(at + 1);
}

Status readMinutes(std::string_view text, std::optional<int64_t>& into)
{
    int64_t minutes = 0;
    YARD_RETURN_IF_ERROR(readNumber("time", text.substr(0, text.find(':')), minutes));
    into = text.find(':') == text.npos ? minutes * 60 : minutes * 3600;
    return {};
}

Status apply(std::string_view name, std::string_view value, SubmitOptions& options)
{
    const std::map<std::string_view, std::string*> texts{
        {"job-name", &options.name},     {"partition", &options.partition},
        {"account", &options.account},   {"qos", &options.qos},
        {"comment", &options.comment},   {"chdir", &options.workDirectory},
        {"nodelist", &options.nodeList}, {"exclude", &options.excluded},
        {"array", &options.array}};
    if (const auto text = texts.find(name); text != texts.end())
        *text->second = value;
    else if (name == "hold")
        options.hold = true;
    else if (name == "requeue" || name == "no-requeue")
        options.requeue = name == "requeue";
    else if (name == "nodes")
        return readNumber(name, value, options.nodes);
    else if (name == "gpus")
        return readNumber(name, afterLast(value, ':'), options.gpus);
    else if (name == "gres" || name == "gpus-per-node")
        return readNumber(name, afterLast(value, ':'), options.gpusPerNode);
    else if (name == "begin" && value.starts_with("now+"))
        return readNumber(name, value.substr(4), options.beginSeconds);
    else if (name == "time")
        return readMinutes(value, options.limitSeconds);
    return {};
}

bool takesValue(std::string_view name)
{
    return name != "hold" && name != "requeue" && name != "no-requeue" && name != "exclusive";
}

// "--name=value", "--name value", "-N value"; `next` is the following argument.
Status applyArgument(std::string_view argument, std::string_view next, SubmitOptions& options)
{
    if (const auto name = kShort.find(argument.substr(0, 2)); name != kShort.end()) {
        const auto value = argument.size() > 2 ? argument.substr(2) : next;
        return apply(name->second, takesValue(name->second) ? value : "", options);
    }
    if (!argument.starts_with("--"))
        return {};
    argument.remove_prefix(2);
    const auto equals = argument.find('=');
    if (equals != argument.npos)
        return apply(argument.substr(0, equals), argument.substr(equals + 1), options);
    return apply(argument, takesValue(argument) ? next : "", options);
}

std::vector<std::string_view> words(std::string_view line)
{
    std::vector<std::string_view> found;
    while (!line.empty()) {
        const auto blank = line.find(' ');
        if (blank != 0)
            found.push_back(line.substr(0, blank));
        line = blank == line.npos ? std::string_view() : line.substr(blank + 1);
    }
    return found;
}

Status readScript(std::string_view script, SubmitOptions& options)
{
    while (!script.empty()) {
        const auto end = script.find('\n');
        const auto line = words(script.substr(0, end));
        script = end == script.npos ? std::string_view() : script.substr(end + 1);
        if (line.size() > 1 && line[0] == "sleep" && line[1] != "infinity") {
            int64_t seconds = 0;
            YARD_RETURN_IF_ERROR(readNumber("sleep", line[1], seconds));
            options.sleepSeconds = options.sleepSeconds.value_or(0) + seconds;
        }
        if (line.empty() || line[0] != "#SBATCH")
            continue;
        for (size_t i = 1; i < line.size(); ++i)
            YARD_RETURN_IF_ERROR(
                applyArgument(line[i], i + 1 < line.size() ? line[i + 1] : "", options));
    }
    return {};
}

}  // namespace

StatusOr<SubmitOptions> readSubmission(const domain::Submission& submission)
{
    SubmitOptions options;
    options.workDirectory = submission.workDirectory;
    YARD_RETURN_IF_ERROR(readScript(submission.script, options));
    const auto& arguments = submission.options;
    for (size_t i = 0; i < arguments.size(); ++i)
        YARD_RETURN_IF_ERROR(applyArgument(
            arguments[i], i + 1 < arguments.size() ? std::string_view(arguments[i + 1]) : "",
            options));
    return options;
}

}  // namespace yard::scheduler
