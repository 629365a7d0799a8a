#include <map>

#include "app/ctl/inspect_values.h"
#include "backend/telemetry/dcgm_reader.h"

namespace yard::ctl {
namespace {

using namespace telemetry;

using ByUuid = std::map<std::string, const GpuRecord*>;

ByUuid byUuid(const GpuPage& page)
{
    ByUuid result;
    for (const GpuRecord& gpu : page.gpus)
        result[gpu.uuid.empty() ? std::to_string(gpu.index) : gpu.uuid] = &gpu;
    return result;
}

/// The Xid gauge is sticky: only a change is an event, at some time between two scrapes.
void writeEvents(const std::vector<GpuPage>& pages, Json& out)
{
    Json events = Json::array();
    for (size_t i = 1; i < pages.size(); ++i) {
        const ByUuid before = byUuid(pages[i - 1]);
        for (const auto& [uuid, gpu] : byUuid(pages[i])) {
            const auto found = before.find(uuid);
            const auto now = (*gpu)[GpuField::LastXid];
            const auto then =
                found == before.end() ? std::nullopt : (*found->second)[GpuField::LastXid];
            if (now && then && *now != *then && *now != 0)
                events.push_back({{"uuid", textJson(uuid)},
                                  {"xid", numberJson(*now)},
                                  {"between_scrapes", {i, i + 1}}});
        }
    }
    out["events_total"] = events.size();
    out["events"] = events;
    // What a series is known by here: see GpuRecord.
    out["series_identity"] = "UUID without err_code/err_msg";
}

/// Events within a window, by Xid, over all cards of a page.
std::map<int, double> xidCounts(const GpuPage& page, std::optional<double>& window)
{
    std::map<int, double> counts;
    for (const GpuRecord& gpu : page.gpus) {
        for (const auto& [xid, count] : gpu.xidCounts)
            counts[xid] += count;
        if (gpu.xidWindowSeconds)
            window = gpu.xidWindowSeconds;
    }
    return counts;
}

/// A window's count falls again by itself: only a rise proves new events.
void writeXidWindows(const std::vector<GpuPage>& pages, Json& out)
{
    std::optional<double> window;
    std::map<int, double> before;
    Json scrapes = Json::object();
    for (size_t i = 0; i < pages.size(); ++i) {
        std::map<int, double> counts = xidCounts(pages[i], window);
        double proven = 0;
        for (const auto& [xid, count] : before)
            counts.emplace(xid, 0);
        Json list = Json::object();
        for (const auto& [xid, count] : counts) {
            list[std::to_string(xid)] = numberJson(count);
            const auto found = before.find(xid);
            proven += std::max(0.0, count - (found == before.end() ? 0.0 : found->second));
        }
        const std::string number = std::to_string(i + 1);
        scrapes["scrape" + number] = list;
        if (i > 0)
            scrapes["new_events_proven_in_scrape" + number] = numberJson(proven);
        before = counts;
    }
    if (!window)
        return;
    out["window_s"] = numberJson(*window);
    out.update(scrapes);
}

/// A counter that fell was reset: the use since then is known, the rest is not.
void writeEnergy(const ByUuid& first, const ByUuid& last, double seconds, Json& out)
{
    Json deltas = Json::array();
    double sum = 0;
    bool isWhole = true;
    bool isStale = false;
    for (const auto& [uuid, gpu] : last) {
        const auto found = first.find(uuid);
        const auto now = (*gpu)[GpuField::EnergyJoules];
        const auto then =
            found == first.end() ? std::nullopt : (*found->second)[GpuField::EnergyJoules];
        if (!now || !then)
            continue;
        Json delta{{"uuid", textJson(uuid)}, {"reset", *now < *then}};
        if (*now < *then) {
            delta["energy_j_at_least"] = numberJson(*now);
            isWhole = false;
        } else {
            const double joules = *now - *then;
            delta["energy_j"] = numberJson(joules);
            delta["mean_power_w"] = seconds > 0 ? numberJson(joules / seconds) : Json(nullptr);
            sum += joules;
            // A card that draws power moves its counter; one that does not is not being read.
            isStale = isStale || (joules == 0 && (*gpu)[GpuField::PowerWatts].value_or(0) >= 1);
        }
        deltas.push_back(delta);
    }
    if (deltas.empty())
        return;
    out["deltas"] = deltas;
    out["energy_j_delta"] = isWhole ? numberJson(sum) : Json(nullptr);
    out["stale"] = isStale;
}

void writeLimit(const ByUuid& first, const ByUuid& last, GpuField field, const std::string& name,
                double seconds, Json& out)
{
    double sum = 0;
    int cards = 0;
    for (const auto& [uuid, gpu] : last) {
        const auto found = first.find(uuid);
        const auto now = (*gpu)[field];
        const auto then = found == first.end() ? std::nullopt : (*found->second)[field];
        if (!now || !then || *now < *then)
            continue;
        sum += *now - *then;
        ++cards;
    }
    if (cards == 0)
        return;
    out[name + "_limited_s"] = numberJson(sum);
    out[name + "_limited_share"] = seconds > 0 ? numberJson(sum / cards / seconds) : Json(nullptr);
}

}  // namespace

void inspectSequence(const std::vector<Input>& inputs, double secondsBetween, Json& out)
{
    std::vector<GpuPage> pages;
    for (const Input& input : inputs) {
        const auto exposition = readExposition(input.body);
        if (!exposition.ok()) {
            out["error"] = textJson(input.name + ": " + std::string(exposition.status().message()));
            return;
        }
        pages.push_back(readDcgm(*exposition));
    }
    const double seconds = secondsBetween * double(pages.size() - 1);
    writeEvents(pages, out);
    writeXidWindows(pages, out);
    const ByUuid first = byUuid(pages.front());
    const ByUuid last = byUuid(pages.back());
    writeEnergy(first, last, seconds, out);
    writeLimit(first, last, GpuField::PowerViolationSeconds, "power", seconds, out);
    writeLimit(first, last, GpuField::ThermalViolationSeconds, "thermal", seconds, out);
}

}  // namespace yard::ctl
