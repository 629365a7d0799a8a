#include "app/ctl/inspect_slurm.h"
#include "app/ctl/inspect_values.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/time_text.h"
#include "backend/scheduler/slurm/tres.h"

namespace yard::ctl {
namespace {

using namespace scheduler::slurm;

void writeGres(const std::vector<std::string_view>& lines, Json& out)
{
    out["gpus"] = Json::array();
    out["idx"] = Json::object();
    out["types"] = Json::object();
    out["bad_lines"] = Json::array();
    for (size_t i = 0; i < lines.size(); ++i) {
        const std::string line = std::to_string(i + 1);
        const Gres gres = readGres(lines[i]);
        out["gpus"].push_back(gres.isGood ? Json(gres.gpus()) : Json(nullptr));
        if (!gres.isGood) {
            out["bad_lines"].push_back(i + 1);
            out["odd"][line] = textJson(gres.firstOdd);
        }
        Json lists = Json::array();
        for (const GresEntry& entry : gres.entries) {
            if (entry.name != "gpu")
                continue;
            if (entry.indices)
                lists.push_back(*entry.indices);
            if (!entry.type.empty())
                out["types"][line][text::validUtf8(entry.type)] = entry.count;
        }
        if (!lists.empty())
            out["idx"][line] = lists.size() == 1 ? lists.front() : lists;
    }
}

void writeTres(const std::vector<std::string_view>& lines, Json& out)
{
    out["gpus"] = Json::array();
    out["mem_mib"] = Json::array();
    out["cpus"] = Json::array();
    out["gpu_types"] = Json::object();
    out["bad_lines"] = Json::array();
    for (size_t i = 0; i < lines.size(); ++i) {
        const Tres tres = readTres(lines[i]);
        out["gpus"].push_back(tres.isGood || tres.gpus() > 0 ? Json(tres.gpus()) : Json(nullptr));
        out["mem_mib"].push_back(valueJson(tres.memoryMib));
        out["cpus"].push_back(valueJson(tres.cpus));
        for (const auto& [type, count] : tres.gpuTypes)
            out["gpu_types"][std::to_string(i + 1)][text::validUtf8(type)] = count;
        if (!tres.isGood) {
            out["bad_lines"].push_back(i + 1);
            out["odd"][std::to_string(i + 1)] = textJson(tres.firstOdd);
        }
    }
}

void writeTimes(const std::vector<std::string_view>& lines, Json& out)
{
    out["seconds"] = Json::array();
    for (const std::string_view line : lines) {
        const DurationText duration = readDuration(line);
        out["seconds"].push_back(duration.unlimited ? Json("unlimited")
                                                    : valueJson(duration.seconds));
    }
}

void writeHostlists(const std::vector<std::string_view>& lines, Json& out)
{
    constexpr size_t kMaxListed = 5000;
    out["count"] = Json::array();
    out["set"] = Json::object();
    out["folded"] = Json::object();
    out["bad_lines"] = Json::array();
    for (size_t i = 0; i < lines.size(); ++i) {
        const std::string line = std::to_string(i + 1);
        const auto names = domain::expandHostlist(lines[i]);
        if (!names.ok()) {
            out["count"].push_back(nullptr);
            out["bad_lines"].push_back(i + 1);
            out["errors"][line] = textJson(std::string(names.status().message()));
            continue;
        }
        out["count"].push_back(names->size());
        if (names->empty())
            continue;
        out["folded"][line] = textJson(domain::foldHostlist(*names));
        out["set"][line + "_has"] = {textJson(names->front()), textJson(names->back())};
        if (names->size() <= kMaxListed)
            out["set"][line] = textsJson(*names);
    }
}

}  // namespace

bool inspectWords(std::string_view kind, std::string_view body, Json& out)
{
    const auto lines = text::lines(body);
    if (kind == "slurm.gres.text")
        writeGres(lines, out);
    else if (kind == "slurm.tres.text")
        writeTres(lines, out);
    else if (kind == "slurm.time.text")
        writeTimes(lines, out);
    else if (kind == "slurm.hostlist.text")
        writeHostlists(lines, out);
    else
        return false;
    return true;
}

}  // namespace yard::ctl
