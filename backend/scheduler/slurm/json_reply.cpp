#include "backend/scheduler/slurm/json_reply.h"

#include "backend/base/text.h"
#include "backend/scheduler/slurm/json_values.h"

namespace yard::scheduler::slurm {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr size_t kShownLength = 200;

std::string shown(std::string_view text)
{
    text = text::trimmed(text);
    std::string line;
    for (const char c : text::validUtf8(text.substr(0, std::min(text.find('\n'), kShownLength))))
        line += c >= 0 && c < ' ' ? ' ' : c;
    return line;
}

/// json-c writes infinite floats as bare words, which no JSON parser takes: puts them in quotes.
std::string quoteBareWords(std::string_view body)
{
    std::string result;
    result.reserve(body.size() + 64);
    bool isInString = false;
    for (size_t i = 0; i < body.size(); ++i) {
        const char c = body[i];
        if (isInString && c == '\\' && i + 1 < body.size()) {
            result += c;
            result += body[++i];
            continue;
        }
        if (c == '"')
            isInString = !isInString;
        const std::string_view rest = body.substr(i, 9);
        if (!isInString &&
            (rest.starts_with("Infinity") || rest == "-Infinity" || rest.starts_with("NaN"))) {
            const size_t length = rest.front() == '-' ? 9 : rest.front() == 'I' ? 8 : 3;
            result += rest.front() == 'N' ? "null" : "\"Infinity\"";
            i += length - 1;
            continue;
        }
        result += c;
    }
    return result;
}

bool hasBareWord(std::string_view body)
{
    return body.find("Infinity") != std::string_view::npos ||
           body.find("NaN") != std::string_view::npos;
}

simdjson::error_code parse(simdjson::dom::parser& parser, std::string_view body, object& root)
{
    return parser.parse(body.data(), body.size(), true).get(root);
}

ReplyError errorFrom(element item)
{
    ReplyError error;
    object from;
    std::string_view text;
    if (item.get(text) == SUCCESS)
        error.text = std::string(text);
    if (item.get(from) != SUCCESS)
        return error;
    error.number = countAt(from, "error_number");
    if (!error.number)
        error.number = countAt(from, "error_code");
    error.text = textAt(from, "error");
    error.description = textAt(from, "description");
    return error;
}

void readMeta(JsonReply& reply)
{
    const auto meta = objectAt(reply.root, "meta");
    if (!meta)
        return;
    auto slurm = objectAt(*meta, "slurm");
    if (!slurm)
        slurm = objectAt(*meta, "Slurm");
    if (slurm) {
        reply.version = textAt(*slurm, "release");
        reply.cluster = textAt(*slurm, "cluster");
    }
    if (const auto plugin = objectAt(*meta, "plugin")) {
        std::string name = textAt(*plugin, "data_parser");
        const size_t slash = name.rfind('/');
        reply.dataParser = slash == std::string::npos ? name : name.substr(slash + 1);
    }
}

}  // namespace

StatusOr<JsonReply> readJsonReply(std::string_view body)
{
    const std::string_view trimmed = text::trimmed(body);
    if (trimmed.empty())
        return absl::InvalidArgumentError("empty input: the command said nothing at all");
    if (trimmed.front() != '{')
        return absl::InvalidArgumentError("the command did not answer in JSON but said: " +
                                          shown(trimmed));
    JsonReply reply;
    reply.parser = std::make_unique<simdjson::dom::parser>();
    auto error = parse(*reply.parser, body, reply.root);
    // Both kinds of damage may come together, and which one is told first is not said.
    if (error == simdjson::UTF8_ERROR)
        error = parse(*reply.parser, text::validUtf8(body), reply.root);
    if (error != SUCCESS && hasBareWord(body))
        error = parse(*reply.parser, quoteBareWords(text::validUtf8(body)), reply.root);
    if (error != SUCCESS)
        return absl::DataLossError(std::string("the JSON is cut off or damaged: ") +
                                   simdjson::error_message(error));
    readMeta(reply);
    if (const auto errors = arrayAt(reply.root, "errors")) {
        for (const element item : *errors)
            reply.errors.push_back(errorFrom(item));
    }
    if (const auto warnings = arrayAt(reply.root, "warnings")) {
        for (const element item : *warnings)
            reply.warnings.push_back(errorFrom(item).description);
    }
    return reply;
}

Status checkReply(const JsonReply& reply)
{
    if (reply.errors.empty())
        return absl::OkStatus();
    const ReplyError& first = reply.errors.front();
    std::string sentence = first.text.empty() ? first.description : first.text;
    if (!first.text.empty() && !first.description.empty())
        sentence += " (" + first.description + ")";
    return absl::UnavailableError("Slurm answered with an error: " +
                                  (sentence.empty() ? std::string("no words given") : sentence));
}

}  // namespace yard::scheduler::slurm
