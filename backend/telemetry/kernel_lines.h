#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/fault.h"

namespace yard::telemetry {

/// One line about a GPU or NVSwitch, behind whatever prefix the log puts before it.
struct KernelEvent {
    domain::FaultKind kind = domain::FaultKind::Xid;
    uint32_t line = 0;  ///< from 1
    std::string host;   ///< from the prefix; empty if it has none
    std::string pci;    ///< dddd:bb:dd, for SXid with function; lower case
    int code = 0;       ///< 0: fallen off the bus without a code
    std::optional<int> pid;
    std::string process;
    std::string text;                         ///< behind code, pid and name
    std::optional<Time> at;                   ///< where the prefix has a zone or an epoch
    std::optional<int64_t> bootMicroseconds;  ///< since boot
    std::string localTime;  ///< "2024-10-15T07:15:40" without a zone; no year: "--01-01T…"

    std::string severity;  ///< "fatal", "nonfatal": NVLink 5 and SXid
    std::string unit;      ///< NVLink 5: "RLW_SRC_TRACK"
    std::optional<int> link;
    std::string device;      ///< "nvidia-nvswitch0"
    std::string actionFrom;  ///< Xid 154
    std::string actionTo;
    std::optional<int> actionCode;
    bool isContinuation = false;  ///< Severity and Data lines of an SXid
};

struct KernelRead {
    std::vector<KernelEvent> events;
    uint64_t badLines = 0;                 ///< an Xid or SXid that cannot be read
    uint64_t otherLines = 0;               ///< of the kernel, about something else
    std::vector<uint32_t> badLineNumbers;  ///< at most 1000
    std::string firstBad;                  ///< a sentence
};

/// Reads whole lines: dmesg in all its forms, /dev/kmsg, syslog, journald JSON. The message must
/// start with the driver's words: what a program prints is no event.
///
/// Thread: any; a pure function.
KernelRead readKernelLines(std::string_view text);

/// Events that belong together: same GPU, same cause, close in time.
struct KernelIncident {
    domain::Fault fault;    ///< of the event that names the cause; count of all lines
    std::vector<int> xids;  ///< in order of arrival, each once
    std::string action;     ///< first thing to do, as in xid_table.h; 154 overrules it
    std::string severity;
    std::vector<size_t> events;  ///< places in KernelRead::events
};
std::vector<KernelIncident> foldIncidents(const std::vector<KernelEvent>& events);

/// For a scrape: one fault an incident.
std::vector<domain::Fault> foldFaults(const std::vector<KernelEvent>& events,
                                      std::string_view host);

}  // namespace yard::telemetry
