#include "app/ctl/characterize_output.h"

#include <absl/time/time.h>
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "app/ctl/table.h"
#include "backend/analytics/definitions.h"
#include "backend/analytics/paper_figures.h"
#include "backend/base/figure.h"
#include "backend/base/text.h"

namespace yard::ctl {
namespace {

using Json = nlohmann::ordered_json;
using analytics::Figure;

std::string isoTime(int64_t seconds)
{
    return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixSeconds(seconds),
                            absl::UTCTimeZone());
}

Json valueOf(const Figure& figure)
{
    switch (figure.kind) {
        case Figure::Kind::Count:
            return figure.count;
        case Figure::Kind::Number:
            return figure.number;
        case Figure::Kind::Time:
            return isoTime(figure.count);
        case Figure::Kind::Text:
            return figure.text;
    }
    return nullptr;
}

std::string textOf(const Figure& figure)
{
    switch (figure.kind) {
        case Figure::Kind::Count:
            return exactFigure(double(figure.count));
        case Figure::Kind::Number:
            return exactFigure(figure.number);
        case Figure::Kind::Time:
            return isoTime(figure.count);
        case Figure::Kind::Text:
            return figure.text;
    }
    return {};
}

/// The first part names the group, the last the value; a type may not contain a point that would
/// look like one more part, so what is between them stays one key.
Json& placeOf(Json& root, std::string_view name)
{
    const size_t first = name.find('.');
    if (first == std::string_view::npos)
        return root[std::string(name)];
    Json& group = root[std::string(name.substr(0, first))];
    std::string_view rest = name.substr(first + 1);
    const size_t last = rest.rfind('.');
    if (last == std::string_view::npos)
        return group[std::string(rest)];
    return group[std::string(rest.substr(0, last))][std::string(rest.substr(last + 1))];
}

bool isCurve(std::string_view name)
{
    return name.find("_cdf_") != std::string_view::npos;
}

}  // namespace

Json figuresJson(const analytics::Figures& figures)
{
    Json root = Json::object();
    for (const Figure& figure : figures.all())
        placeOf(root, figure.name) = valueOf(figure);
    Json missing = Json::object();
    for (const analytics::Absence& absence : figures.absences()) {
        placeOf(root, absence.name) = nullptr;
        missing[absence.name] = absence.why;
    }
    root["missing"] = std::move(missing);
    return root;
}

Json paperJson(const std::vector<std::string>& clusters)
{
    Json papers = Json::object();
    for (const std::string& cluster : clusters) {
        Json& paper = papers[cluster] = Json::object();
        for (const analytics::PaperFigure& figure : analytics::paperFigures(cluster))
            placeOf(paper, figure.name) = figure.value;
    }
    return papers;
}

Json oddRowsJson(const analytics::OddRows& odd)
{
    Json kinds = Json::object();
    for (size_t i = 0; i < analytics::kOddRowCount; ++i) {
        const auto kind = analytics::OddRow(i);
        if (odd.count(kind) == 0)
            continue;
        kinds[std::string(analytics::id(kind))] = {{"rows", odd.count(kind)},
                                                   {"left_out", analytics::isLost(kind)},
                                                   {"what", analytics::words(kind)},
                                                   {"examples", odd.examples(kind)}};
    }
    return kinds;
}

Json definitionsJson()
{
    Json list = Json::array();
    for (const analytics::Definition& definition : analytics::definitions()) {
        Json unit = definition.unit.empty() ? Json() : Json(definition.unit);
        list.push_back({{"name", definition.name},
                        {"unit", std::move(unit)},
                        {"title", definition.title},
                        {"definition", definition.text}});
    }
    Json common = Json::array();
    for (const std::string_view text : analytics::commonDefinitions())
        common.push_back(text);
    return {{"common", std::move(common)}, {"figures", std::move(list)}};
}

void printFigures(const analytics::Figures& figures, const std::vector<std::string>& clusters,
                  bool withCurves)
{
    std::vector<std::string> headings = {"FIGURE", "VALUE>"};
    std::vector<std::map<std::string, double, std::less<>>> papers;
    for (const std::string& cluster : clusters) {
        headings.push_back(fmt::format("PAPER {}>", text::upperCase(cluster)));
        auto& paper = papers.emplace_back();
        for (const analytics::PaperFigure& figure : analytics::paperFigures(cluster))
            paper.emplace(figure.name, figure.value);
    }
    headings.emplace_back("UNIT");
    Table table(headings);
    for (const Figure& figure : figures.all()) {
        if (!withCurves && isCurve(figure.name))
            continue;
        std::vector<std::string> row = {figure.name, textOf(figure)};
        for (const auto& paper : papers) {
            const auto found = paper.find(figure.name);
            row.push_back(found == paper.end() ? "" : exactFigure(found->second));
        }
        const analytics::Definition* const definition = analytics::definitionOf(figure.name);
        const bool isNumberOfJobs = figure.name.ends_with(".n");
        row.emplace_back(definition && !isNumberOfJobs ? definition->unit : std::string_view());
        table.add(std::move(row));
    }
    table.print();
    for (const analytics::Absence& absence : figures.absences())
        fmt::print("{} cannot be had: {}\n", absence.name, absence.why);
}

void printDefinitions()
{
    for (const std::string_view text : analytics::commonDefinitions())
        fmt::print("{}\n", text);
    fmt::print("\n");
    for (const analytics::Definition& definition : analytics::definitions()) {
        const std::string unit =
            definition.unit.empty() ? std::string() : fmt::format(" ({})", definition.unit);
        fmt::print("{}{}: {}.\n    {}\n", definition.name, unit, definition.title, definition.text);
    }
}

void printRules(const analytics::WorkloadRules& rules, const analytics::RuleReport& report)
{
    const auto share = [&report](int64_t jobs) {
        return fmt::format("{:.1f} %",
                           report.jobs > 0 ? 100.0 * double(jobs) / double(report.jobs) : 0.0);
    };
    const auto timeShare = [&report](int64_t seconds) {
        return fmt::format("{:.1f} %", report.gpuSeconds > 0
                                           ? 100.0 * double(seconds) / double(report.gpuSeconds)
                                           : 0.0);
    };
    Table table({"RULE", "LINE>", "MATCHES>", "TAKES>", "JOBS>", "GPU TIME>", "FIRST TAKEN"});
    for (size_t i = 0; i < report.effects.size(); ++i) {
        const auto& effect = report.effects[i];
        table.add({rules.rules()[i].type, fmt::format("{}", rules.rules()[i].line),
                   fmt::format("{}", effect.matches), fmt::format("{}", effect.takes),
                   share(effect.takes), timeShare(effect.gpuSeconds),
                   fmt::format("{}", fmt::join(effect.examples, ", "))});
    }
    table.add({"type in the data", "", "", fmt::format("{}", report.typed), share(report.typed),
               timeShare(report.typedGpuSeconds), ""});
    table.add({"Unclassified", "", "", fmt::format("{}", report.unclassified),
               share(report.unclassified), timeShare(report.unclassifiedGpuSeconds), ""});
    table.print();
}

Json rulesJson(const analytics::WorkloadRules& rules, const analytics::RuleReport& report)
{
    Json list = Json::array();
    for (size_t i = 0; i < report.effects.size(); ++i) {
        const auto& effect = report.effects[i];
        list.push_back({{"type", rules.rules()[i].type},
                        {"line", rules.rules()[i].line},
                        {"matches", effect.matches},
                        {"takes", effect.takes},
                        {"gpu_seconds", effect.gpuSeconds},
                        {"examples", effect.examples}});
    }
    return {{"gpu_jobs", report.jobs},
            {"gpu_seconds", report.gpuSeconds},
            {"typed_in_the_data", report.typed},
            {"rules", std::move(list)},
            {"unclassified", report.unclassified},
            {"unclassified_gpu_seconds", report.unclassifiedGpuSeconds}};
}

}  // namespace yard::ctl
