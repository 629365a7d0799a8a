#include "backend/domain/verdict.h"

#include <array>

namespace yard::domain {
namespace {

struct ReasonName {
    Reason reason;
    Category category;
    std::string_view name;
};

constexpr std::array kReasons{
    ReasonName{Reason::NvlinkError, Category::Infrastructure, "NVLink Error"},
    ReasonName{Reason::CudaError, Category::Infrastructure, "CUDA Error"},
    ReasonName{Reason::NodeFailure, Category::Infrastructure, "Node Failure"},
    ReasonName{Reason::EccError, Category::Infrastructure, "ECC Error"},
    ReasonName{Reason::NetworkError, Category::Infrastructure, "Network Error"},
    ReasonName{Reason::ConnectionError, Category::Infrastructure, "Connection Error"},
    ReasonName{Reason::S3StorageError, Category::Infrastructure, "S3 Storage Error"},
    ReasonName{Reason::NcclTimeoutError, Category::Infrastructure, "NCCL Timeout Error"},
    ReasonName{Reason::NcclRemoteError, Category::Infrastructure, "NCCL Remote Error"},
    ReasonName{Reason::DataloaderKilled, Category::Framework, "Dataloader Killed"},
    ReasonName{Reason::AttributeError, Category::Framework, "Attribute Error"},
    ReasonName{Reason::OutOfMemoryError, Category::Framework, "Out of Memory Error"},
    ReasonName{Reason::RuntimeError, Category::Framework, "Runtime Error"},
    ReasonName{Reason::AssertionError, Category::Framework, "Assertion Error"},
    ReasonName{Reason::ValueError, Category::Framework, "Value Error"},
    ReasonName{Reason::ZeroDivisionError, Category::Framework, "Zero Division Error"},
    ReasonName{Reason::ModelLoadingError, Category::Framework, "Model Loading Error"},
    ReasonName{Reason::DatasetLoadingError, Category::Framework, "Dataset Loading Error"},
    ReasonName{Reason::FileNotFoundError, Category::Script, "File Not Found Error"},
    ReasonName{Reason::OsError, Category::Script, "OS Error"},
    ReasonName{Reason::TypeError, Category::Script, "Type Error"},
    ReasonName{Reason::NameError, Category::Script, "Name Error"},
    ReasonName{Reason::PermissionError, Category::Script, "Permission Error"},
    ReasonName{Reason::ImportError, Category::Script, "Import Error"},
    ReasonName{Reason::KeyError, Category::Script, "Key Error"},
    ReasonName{Reason::SyntaxError, Category::Script, "Syntax Error"},
    ReasonName{Reason::ArgumentError, Category::Script, "Argument Error"},
    ReasonName{Reason::CalledProcessError, Category::Script, "Called Process Error"},
    ReasonName{Reason::IndexError, Category::Script, "Index Error"},
    ReasonName{Reason::Hang, Category::Anomaly, "Hang"},
    ReasonName{Reason::LossSpike, Category::Anomaly, "Loss Spike"},
    ReasonName{Reason::NoFailure, Category::None, "No Failure"},
    ReasonName{Reason::Cancelled, Category::None, "Cancelled"},
    ReasonName{Reason::Unknown, Category::Unknown, "Unknown"},
};

}  // namespace

std::string_view name(Reason reason)
{
    return kReasons[size_t(reason)].name;
}

std::string_view name(Category category)
{
    constexpr std::array<std::string_view, 6> kNames{"Infrastructure", "Framework", "Script",
                                                     "Anomaly",        "None",      "Unknown"};
    return kNames[size_t(category)];
}

std::string_view name(Certainty certainty)
{
    constexpr std::array<std::string_view, 4> kNames{"established", "likely", "possible",
                                                     "unknown"};
    return kNames[size_t(certainty)];
}

std::optional<Reason> reasonNamed(std::string_view name)
{
    for (const ReasonName& known : kReasons) {
        if (known.name == name)
            return known.reason;
    }
    return std::nullopt;
}

Category categoryOf(Reason reason)
{
    return kReasons[size_t(reason)].category;
}

bool isFailure(Reason reason)
{
    return reason != Reason::NoFailure && reason != Reason::Cancelled;
}

}  // namespace yard::domain
