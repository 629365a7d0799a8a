#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"

namespace yard::analytics {

enum class TraceFormat : uint8_t { Acme, Philly, Sacct };

/// "acme", "philly", "sacct".
std::string_view name(TraceFormat format);
std::optional<TraceFormat> traceFormatFrom(std::string_view word);

/// What a column of a trace means to us.
enum class TraceColumn : uint8_t {
    Ignored,
    Id,
    RawId,  ///< goes before Id
    Cluster,
    User,
    Account,
    Partition,
    Qos,
    Name,
    Comment,
    Type,
    State,
    Nodes,
    Gpus,
    Cpus,
    AllocatedTres,
    RequestedTres,
    Submit,
    Start,
    End,
    Duration,
    Queue,
    GpuTime,
};

/// The heading of a trace, understood. Columns are found by name, in any order.
struct TraceLayout {
    TraceFormat format = TraceFormat::Acme;
    char separator = ',';
    std::vector<TraceColumn> columns;
    std::vector<std::string> headings;
    bool durationHasWait = false;  ///< the columns of Kalos
    std::string cluster;           ///< that the columns give away; empty: not known

    bool has(TraceColumn column) const;
};

/// `format` empty: by the heading itself. INVALID_ARGUMENT names what is missing.
StatusOr<TraceLayout> readHeading(std::string_view line, std::optional<TraceFormat> format);

/// Splits a row at the separator; commas inside quotes do not count. Keeps at most as many fields
/// as `fields` has, returns how many there are.
size_t splitRow(std::string_view line, char separator, std::vector<std::string_view>& fields);

}  // namespace yard::analytics
