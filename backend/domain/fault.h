#pragma once

#include <optional>
#include <string>

#include "backend/base/clock.h"

namespace yard::domain {

enum class FaultKind { Xid, Sxid, GpuLost };

/// A hardware fault as a node's kernel or exporter reported it; repeats of one event are folded.
struct Fault {
    FaultKind kind = FaultKind::Xid;
    std::string host;
    std::string pci;              ///< dddd:bb:dd, lower case; empty if unknown
    std::optional<int> gpuIndex;  ///< joined through PCI address or UUID
    int code = 0;                 ///< Xid or SXid number; 0 for a lost GPU without a code
    std::optional<int> pid;
    std::string process;
    std::string text;  ///< the line's own words
    std::optional<Time> at;
    int count = 1;  ///< lines folded into this fault
};

}  // namespace yard::domain
