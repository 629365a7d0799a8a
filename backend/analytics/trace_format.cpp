#include "backend/analytics/trace_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backend/base/text.h"

namespace yard::analytics {
namespace {

struct Heading {
    std::string_view name;  // lower case
    TraceColumn column;
};

constexpr std::array kAcme = {
    Heading{"job_id", TraceColumn::Id},         Heading{"user", TraceColumn::User},
    Heading{"node_num", TraceColumn::Nodes},    Heading{"gpu_num", TraceColumn::Gpus},
    Heading{"cpu_num", TraceColumn::Cpus},      Heading{"type", TraceColumn::Type},
    Heading{"state", TraceColumn::State},       Heading{"submit_time", TraceColumn::Submit},
    Heading{"start_time", TraceColumn::Start},  Heading{"end_time", TraceColumn::End},
    Heading{"duration", TraceColumn::Duration}, Heading{"queue", TraceColumn::Queue},
    Heading{"gpu_time", TraceColumn::GpuTime},
};
constexpr std::array kPhilly = {
    Heading{"job_id", TraceColumn::Id},         Heading{"vc", TraceColumn::Account},
    Heading{"user", TraceColumn::User},         Heading{"gpu_num", TraceColumn::Gpus},
    Heading{"state", TraceColumn::State},       Heading{"submit_time", TraceColumn::Submit},
    Heading{"duration", TraceColumn::Duration},
};
constexpr std::array kSacct = {
    Heading{"jobid", TraceColumn::Id},
    Heading{"jobidraw", TraceColumn::RawId},
    Heading{"cluster", TraceColumn::Cluster},
    Heading{"user", TraceColumn::User},
    Heading{"account", TraceColumn::Account},
    Heading{"partition", TraceColumn::Partition},
    Heading{"qos", TraceColumn::Qos},
    Heading{"jobname", TraceColumn::Name},
    Heading{"comment", TraceColumn::Comment},
    Heading{"state", TraceColumn::State},
    Heading{"nnodes", TraceColumn::Nodes},
    Heading{"allocnodes", TraceColumn::Nodes},
    Heading{"alloccpus", TraceColumn::Cpus},
    Heading{"ncpus", TraceColumn::Cpus},
    Heading{"alloctres", TraceColumn::AllocatedTres},
    Heading{"reqtres", TraceColumn::RequestedTres},
    Heading{"allocgres", TraceColumn::AllocatedTres},
    Heading{"reqgres", TraceColumn::RequestedTres},
    Heading{"submit", TraceColumn::Submit},
    Heading{"start", TraceColumn::Start},
    Heading{"end", TraceColumn::End},
    Heading{"elapsedraw", TraceColumn::Duration},
    Heading{"elapsed", TraceColumn::Duration},
};

TraceFormat guess(std::string_view line)
{
    if (line.find('|') != std::string_view::npos)
        return TraceFormat::Sacct;
    const auto headings = text::split(line, ",");
    const bool hasVc = std::find(headings.begin(), headings.end(), "vc") != headings.end();
    return hasVc ? TraceFormat::Philly : TraceFormat::Acme;
}

template <size_t size>
TraceColumn find(const std::array<Heading, size>& known, std::string_view name)
{
    for (const Heading& heading : known) {
        if (heading.name == name)
            return heading.column;
    }
    return TraceColumn::Ignored;
}

TraceColumn columnOf(TraceFormat format, std::string_view name)
{
    switch (format) {
        case TraceFormat::Acme:
            return find(kAcme, name);
        case TraceFormat::Philly:
            return find(kPhilly, name);
        case TraceFormat::Sacct:
            return find(kSacct, name);
    }
    return TraceColumn::Ignored;
}

/// Without these there is no job.
Status checkNeeded(const TraceLayout& layout)
{
    const char* missing = nullptr;
    const bool isSacct = layout.format == TraceFormat::Sacct;
    if (!layout.has(TraceColumn::Id) && !layout.has(TraceColumn::RawId))
        missing = isSacct ? "JobID" : "job_id";
    else if (!layout.has(TraceColumn::Submit))
        missing = isSacct ? "Submit" : "submit_time";
    else if (isSacct && !layout.has(TraceColumn::AllocatedTres) &&
             !layout.has(TraceColumn::RequestedTres))
        missing = "AllocTRES";
    else if (!isSacct && !layout.has(TraceColumn::Gpus))
        missing = "gpu_num";
    if (!missing)
        return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("The first line has no column {}, so it is no heading of the format {}. The "
                    "first line must "
                    "name the columns; another format is chosen with --format.",
                    missing, name(layout.format)));
}

}  // namespace

std::string_view name(TraceFormat format)
{
    constexpr std::array<std::string_view, 3> kNames = {"acme", "philly", "sacct"};
    return kNames[size_t(format)];
}

std::optional<TraceFormat> traceFormatFrom(std::string_view word)
{
    for (const TraceFormat format : {TraceFormat::Acme, TraceFormat::Philly, TraceFormat::Sacct}) {
        if (word == name(format))
            return format;
    }
    return std::nullopt;
}

bool TraceLayout::has(TraceColumn column) const
{
    return std::find(columns.begin(), columns.end(), column) != columns.end();
}

StatusOr<TraceLayout> readHeading(std::string_view line, std::optional<TraceFormat> format)
{
    text::takePrefix(line, "\xEF\xBB\xBF");
    TraceLayout layout;
    layout.format = format.value_or(guess(line));
    layout.separator = layout.format == TraceFormat::Sacct ? '|' : ',';
    bool isKalos = false;
    for (const std::string_view part : text::split(line, std::string_view(&layout.separator, 1))) {
        std::string heading = text::lowerCase(text::trimmed(part));
        isKalos = isKalos || heading == "fail_time" || heading == "stop_time";
        TraceColumn column = columnOf(layout.format, heading);
        // Of two columns with one meaning (Elapsed and ElapsedRaw) the first is enough.
        if (column != TraceColumn::Ignored && layout.has(column))
            column = TraceColumn::Ignored;
        layout.columns.push_back(column);
        layout.headings.push_back(std::string(text::trimmed(part)));
    }
    YARD_RETURN_IF_ERROR(checkNeeded(layout));
    if (layout.format == TraceFormat::Acme) {
        layout.durationHasWait = isKalos;
        layout.cluster = isKalos ? "Kalos" : "Seren";
    } else if (layout.format == TraceFormat::Philly) {
        layout.cluster = "Philly";
    }
    return layout;
}

size_t splitRow(std::string_view line, char separator, std::vector<std::string_view>& fields)
{
    const bool hasQuotes = separator == ',' && line.find('"') != std::string_view::npos;
    size_t count = 0;
    size_t begin = 0;
    bool isQuoted = false;
    for (size_t i = 0; i <= line.size(); ++i) {
        if (i < line.size() && line[i] != separator) {
            isQuoted = isQuoted != (hasQuotes && line[i] == '"');
            continue;
        }
        if (isQuoted && i < line.size())
            continue;
        if (count < fields.size()) {
            std::string_view field = line.substr(begin, i - begin);
            if (hasQuotes && field.size() >= 2 && field.front() == '"' && field.back() == '"')
                field = field.substr(1, field.size() - 2);
            fields[count] = field;
        }
        ++count;
        begin = i + 1;
    }
    return count;
}

}  // namespace yard::analytics
