#include "app/ctl/verdict_output.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "app/ctl/json_text.h"
#include "backend/base/text.h"
#include "backend/diagnosis/line_head.h"

namespace yard::ctl {
namespace {

using domain::EvidenceLine;
using domain::Verdict;
using Json = nlohmann::ordered_json;

constexpr size_t kMaxShown = 320;  // of a line, in the text for people

std::string orDash(const std::string& text)
{
    return text.empty() ? "-" : text;
}

Json lineJson(const EvidenceLine& line)
{
    return {{"line", line.line},
            {"text", text::validUtf8(line.text)},
            {"source", line.source},
            {"note", line.note}};
}

Json verdictJson(const std::string& file, const Verdict& verdict)
{
    Json out;
    out["file"] = text::validUtf8(file);
    out["reason"] = domain::name(verdict.reason);
    out["category"] = domain::name(domain::categoryOf(verdict.reason));
    out["certainty"] = domain::name(verdict.certainty);
    out["node"] = verdict.node.empty() ? Json(nullptr) : Json(text::validUtf8(verdict.node));
    out["rank"] = verdict.rank ? Json(*verdict.rank) : Json(nullptr);
    out["gpu"] = verdict.gpu.empty() ? Json(nullptr) : Json(text::validUtf8(verdict.gpu));
    out["restart"] = verdict.shouldRestart;
    out["cordon"] =
        verdict.cordonNode.empty() ? Json(nullptr) : Json(text::validUtf8(verdict.cordonNode));
    out["happened"] = verdict.symptom;
    out["why"] = verdict.cause;
    out["advice"] = verdict.advice;
    out["rule"] = verdict.rule.empty() ? Json(nullptr) : Json(verdict.rule);
    out["evidence"] = Json::array();
    for (const EvidenceLine& line : verdict.evidence)
        out["evidence"].push_back(lineJson(line));
    out["consequences"] = Json::array();
    for (const EvidenceLine& line : verdict.consequences)
        out["consequences"].push_back(lineJson(line));
    return out;
}

void printLine(const EvidenceLine& line)
{
    std::string text = line.text.substr(0, kMaxShown);
    text = text::visible(text);
    if (line.text.size() > kMaxShown)
        text += " …";
    fmt::print("  {:>9}  {}\n", fmt::format("{}:", line.line), text);
    if (!line.note.empty())
        fmt::print("             ({}{})\n", text::visible(line.note),
                   line.source.empty() ? "" : ", " + text::visible(line.source));
}

}  // namespace

std::string culpritText(const Verdict& verdict)
{
    if (!verdict.rank)
        return orDash(verdict.node);
    const std::string rank = fmt::format("rank:{}", *verdict.rank);
    return verdict.node.empty() ? rank : verdict.node + "/" + rank;
}

VerdictOutput::VerdictOutput(std::string format)
    : m_format(std::move(format))
{
    if (m_format == "tsv")
        fmt::print("file\treason\tcategory\tculprit\tcordon\trestart\troot_line\tcertainty\n");
}

void VerdictOutput::write(const std::string& file, const diagnosis::LogFacts& facts,
                          const Verdict& verdict)
{
    if (m_format == "json") {
        m_all.push_back(verdictJson(file, verdict));
        m_all.back()["lines"] = facts.lines;
        return;
    }
    if (m_format == "text")
        return writeText(file, facts, verdict);
    const bool hasRoot = domain::isFailure(verdict.reason) && !verdict.evidence.empty();
    fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
               text::visible(std::filesystem::path(file).filename().string()),
               domain::name(verdict.reason), domain::name(domain::categoryOf(verdict.reason)),
               text::visible(culpritText(verdict)), text::visible(orDash(verdict.cordonNode)),
               verdict.shouldRestart ? "yes" : "no",
               hasRoot || verdict.reason == domain::Reason::Cancelled
                   ? std::to_string(verdict.evidence.front().line)
                   : "-",
               domain::name(verdict.certainty));
}

void VerdictOutput::writeText(const std::string& file, const diagnosis::LogFacts& facts,
                              const Verdict& verdict)
{
    fmt::print("{}\n", text::visible(file));
    fmt::print("  {} ({}), {}\n", domain::name(verdict.reason),
               domain::name(domain::categoryOf(verdict.reason)),
               verdict.certainty == domain::Certainty::Unknown
                   ? "cause unknown"
                   : std::string(domain::name(verdict.certainty)));
    if (const std::string culprit = culpritText(verdict); culprit != "-")
        fmt::print("  started at {}{}\n", text::visible(culprit),
                   verdict.gpu.empty() ? "" : ", GPU " + text::visible(verdict.gpu));
    fmt::print("\n  What happened: {}\n", text::visible(verdict.symptom));
    if (!verdict.cause.empty())
        fmt::print("  Why: {}\n", text::visible(verdict.cause));
    for (const EvidenceLine& line : verdict.evidence)
        printLine(line);
    if (!verdict.consequences.empty()) {
        fmt::print("  What else it shows:\n");
        for (const EvidenceLine& line : verdict.consequences)
            printLine(line);
    }
    fmt::print("\n  What to do: {}\n", text::visible(verdict.advice));
    if (domain::isFailure(verdict.reason))
        fmt::print("  Restart as it is: {}. Take out: {}.\n", verdict.shouldRestart ? "yes" : "no",
                   verdict.cordonNode.empty() ? "no node" : text::visible(verdict.cordonNode));
    fmt::print("  Read {} lines{}.\n\n", facts.lines,
               facts.dropped > 0 ? fmt::format("; {} repeats folded", facts.dropped) : "");
}

void VerdictOutput::finish()
{
    if (m_format == "json")
        fmt::print("{}\n", jsonText(m_all, 2));
}

}  // namespace yard::ctl
