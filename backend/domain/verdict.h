#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yard::domain {

/// Why a job ended as it did. The first nine are Infrastructure, the next nine Framework.
enum class Reason : uint8_t {
    NvlinkError,
    CudaError,
    NodeFailure,
    EccError,
    NetworkError,
    ConnectionError,
    S3StorageError,
    NcclTimeoutError,
    NcclRemoteError,
    DataloaderKilled,
    AttributeError,
    OutOfMemoryError,
    RuntimeError,
    AssertionError,
    ValueError,
    ZeroDivisionError,
    ModelLoadingError,
    DatasetLoadingError,
    FileNotFoundError,
    OsError,
    TypeError,
    NameError,
    PermissionError,
    ImportError,
    KeyError,
    SyntaxError,
    ArgumentError,
    CalledProcessError,
    IndexError,
    Hang,
    LossSpike,
    NoFailure,
    Cancelled,
    Unknown,  ///< it failed, and the log does not say why
};

enum class Category : uint8_t { Infrastructure, Framework, Script, Anomaly, None, Unknown };

enum class Certainty : uint8_t { Established, Likely, Possible, Unknown };

/// The names people read and files contain: "NVLink Error", "Infrastructure", "likely".
std::string_view name(Reason reason);
std::string_view name(Category category);
std::string_view name(Certainty certainty);
std::optional<Reason> reasonNamed(std::string_view name);

Category categoryOf(Reason reason);
/// False for No Failure and Cancelled.
bool isFailure(Reason reason);

/// A line of a log that speaks for the verdict.
struct EvidenceLine {
    uint64_t line = 0;   ///< from 1
    std::string text;    ///< without colours, cut to some hundred bytes
    std::string source;  ///< empty for the job's own log, else the file it stands in
    std::string note;    ///< what it shows, a few words
    bool operator==(const EvidenceLine&) const = default;
};

/// What a log says about its job: what happened, why, what to do. Never what was done.
struct Verdict {
    Reason reason = Reason::NoFailure;
    Certainty certainty = Certainty::Unknown;
    std::string symptom;  ///< one sentence: what the job did
    std::string cause;    ///< one sentence: why
    std::string advice;   ///< what should happen
    std::string rule;     ///< id of the signature; empty if none applies
    std::string node;     ///< where it started; empty if nowhere in particular
    std::optional<int> rank;
    std::string gpu;                         ///< index or PCI address, as the log names it
    bool shouldRestart = false;              ///< from the last checkpoint, with nothing changed
    std::string cordonNode;                  ///< to take out before the restart
    std::vector<EvidenceLine> evidence;      ///< the root first
    std::vector<EvidenceLine> consequences;  ///< what followed from it, one of each kind
    bool operator==(const Verdict&) const = default;
};

}  // namespace yard::domain
