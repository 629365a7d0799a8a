#include "app/ctl/inspect.h"

#include <cstdio>
#include <ctime>
#include <iostream>

#include "app/ctl/inspect_values.h"
#include "app/ctl/json_text.h"
#include "backend/base/whole_file.h"
#include "backend/telemetry/gzip.h"

namespace yard::ctl {
namespace {

constexpr int kGood = 0;
constexpr int kCannotStart = 1;
constexpr int kFailedRead = 3;
constexpr size_t kSizeLimit = size_t(1) << 30;  // also of what comes out of a gzip file

bool isSequence(std::string_view kind)
{
    return kind.ends_with(".sequence") || kind == "sequence";
}

bool isKnown(std::string_view kind)
{
    for (const std::string_view prefix : {"slurm.", "expo.", "prom.", "xid.", "sxid."}) {
        if (kind.starts_with(prefix))
            return true;
    }
    return isSequence(kind);
}

/// A gzip body is unpacked; one that cannot be is a failed read.
bool unpack(Input& input, Json& out)
{
    if (!telemetry::isGzip(input.body))
        return true;
    auto unpacked = telemetry::unpackGzip(input.body, kSizeLimit);
    if (!unpacked.ok()) {
        out["error"] = std::string(unpacked.status().message());
        return false;
    }
    input.body = *std::move(unpacked);
    return true;
}

/// False after naming the first that cannot be read, which is a failed read like any other.
bool readInputs(const std::vector<std::string>& files, std::vector<Input>& inputs, Json& out)
{
    for (const std::string& file : files) {
        StatusOr<std::string> body = readWholeFile(file, kSizeLimit);
        if (!body.ok()) {
            out["error"] = std::string(body.status().message()) + ".";
            std::cerr << "yardctl inspect: " << text::visible(out["error"].get<std::string>())
                      << '\n';
            return false;
        }
        inputs.push_back({file, *std::move(body)});
    }
    return true;
}

void dispatch(const InspectRequest& request, std::vector<Input>& inputs, Json& out)
{
    const std::string_view kind = request.kind;
    for (Input& input : inputs) {
        if (!unpack(input, out))
            return;
        // An editor puts it in front, no command does.
        if (input.body.starts_with("\xef\xbb\xbf"))
            input.body.erase(0, 3);
    }
    if (isSequence(kind))
        inspectSequence(inputs, request.secondsBetween, out);
    else if (kind.starts_with("slurm."))
        inspectSlurm(kind, inputs.front(), request, out);
    else if (kind.starts_with("expo."))
        inspectExposition(kind, inputs.front(), out);
    else if (kind.starts_with("prom."))
        inspectPrometheus(kind, inputs, out);
    else if (kind == "xid.join")
        inspectKernelJoin(inputs, out);
    else
        inspectKernel(inputs.front(), out);
}

}  // namespace

std::string utcText(Time time)
{
    const auto microseconds =
        std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
    const std::time_t seconds = microseconds / 1'000'000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char buffer[64];
    std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%S", &parts);
    std::string text = buffer;
    if (const auto fraction = microseconds % 1'000'000; fraction != 0) {
        std::snprintf(buffer, sizeof buffer, ".%06d", int(fraction));
        text += buffer;
    }
    return text + "Z";
}

int inspect(const InspectRequest& request)
{
    if (!isKnown(request.kind)) {
        std::cerr << "yardctl inspect: there is no kind of input \"" << text::visible(request.kind)
                  << "\". Kinds start with slurm., expo., prom., xid. or sxid.\n";
        return kCannotStart;
    }
    Json out = Json::object();
    std::vector<Input> inputs;
    if (readInputs(request.files, inputs, out))
        dispatch(request, inputs, out);
    std::cout << jsonText(out, 1) << '\n';
    const auto error = out.find("error");
    return error == out.end() || error->is_null() ? kGood : kFailedRead;
}

}  // namespace yard::ctl
