#include "backend/telemetry/xid_table.h"

#include <algorithm>
#include <array>

namespace yard::telemetry {
namespace {

using domain::Reason;

constexpr std::array kTable{
    XidMeaning{8, "GPU stopped processing", "restart_app", Reason::CudaError},
    XidMeaning{13, "graphics engine exception", "restart_app", Reason::CudaError},
    XidMeaning{31, "GPU memory page fault", "restart_app", Reason::CudaError},
    XidMeaning{32, "invalid or corrupted push buffer", "restart_app", Reason::CudaError},
    XidMeaning{38, "driver firmware error", "restart_app", Reason::CudaError},
    XidMeaning{43, "GPU stopped processing for one program", "none", Reason::CudaError},
    XidMeaning{44, "graphics engine fault during context switch", "reset_gpu", Reason::CudaError},
    XidMeaning{45, "channel removed because of another error", "follow", Reason::Unknown},
    XidMeaning{46, "GPU stopped processing", "reset_gpu", Reason::CudaError},
    XidMeaning{48, "double-bit ECC error", "reset_gpu", Reason::EccError},
    XidMeaning{54, "auxiliary power is not connected", "check_hardware", Reason::Unknown},
    XidMeaning{56, "display engine error", "watch", Reason::Unknown},
    XidMeaning{57, "error programming the video memory interface", "reset_gpu", Reason::CudaError},
    XidMeaning{61, "internal micro-controller warning", "reset_gpu", Reason::CudaError},
    XidMeaning{62, "internal micro-controller halt", "reset_gpu", Reason::CudaError},
    XidMeaning{63, "row remapping recorded", "reset_gpu", Reason::EccError},
    XidMeaning{64, "row remapping failed", "replace", Reason::EccError},
    XidMeaning{65, "video processor exception", "restart_app", Reason::CudaError},
    XidMeaning{68, "video processor exception", "restart_app", Reason::CudaError},
    XidMeaning{69, "graphics engine class error", "restart_app", Reason::CudaError},
    XidMeaning{74, "NVLink error", "nvlink", Reason::NvlinkError},
    XidMeaning{78, "vGPU start error", "restart_app", Reason::CudaError},
    XidMeaning{79, "GPU has fallen off the bus", "reboot", Reason::CudaError},
    XidMeaning{80, "corrupted data sent to the GPU", "restart_app", Reason::CudaError},
    XidMeaning{92, "high rate of single-bit ECC errors", "watch", Reason::EccError},
    XidMeaning{94, "contained memory error", "restart_app", Reason::EccError},
    XidMeaning{95, "uncontained memory error", "reset_gpu", Reason::EccError},
    XidMeaning{109, "context switch timeout", "reset_gpu", Reason::CudaError},
    XidMeaning{110, "security fault", "reset_gpu", Reason::CudaError},
    XidMeaning{119, "GSP call timeout", "reset_gpu", Reason::CudaError},
    XidMeaning{120, "GSP error", "reset_gpu", Reason::CudaError},
    XidMeaning{121, "chip-to-chip link corrected error", "watch", Reason::Unknown},
    XidMeaning{122, "SPI access failure", "watch", Reason::Unknown},
    XidMeaning{123, "power management unit failure", "reset_gpu", Reason::CudaError},
    XidMeaning{126, "fatal error of unknown cause", "reset_gpu", Reason::CudaError},
    XidMeaning{136, "link training failed", "reset_gpu", Reason::NvlinkError},
    XidMeaning{137, "NVLink remote access without right", "restart_app", Reason::NvlinkError},
    XidMeaning{140, "unrecovered ECC error", "reset_gpu", Reason::EccError},
    XidMeaning{143, "GPU initialisation failed", "reset_gpu", Reason::CudaError},
    XidMeaning{144, "NVLink SAW error", "nvlink", Reason::NvlinkError},
    XidMeaning{145, "NVLink RLW error", "nvlink", Reason::NvlinkError},
    XidMeaning{146, "NVLink TLW error", "nvlink", Reason::NvlinkError},
    XidMeaning{147, "NVLink TREX error", "nvlink", Reason::NvlinkError},
    XidMeaning{148, "NVLink NVLPW error", "nvlink", Reason::NvlinkError},
    XidMeaning{149, "NVLink NETIR error", "nvlink", Reason::NvlinkError},
    XidMeaning{150, "NVLink MSE error", "nvlink", Reason::NvlinkError},
    XidMeaning{151, "key rotation error", "reset_gpu", Reason::CudaError},
    XidMeaning{154, "recovery action changed", "none", Reason::Unknown},
    XidMeaning{155, "NVLink software error", "reset_gpu", Reason::NvlinkError},
    XidMeaning{156, "resource retirement done", "reset_gpu", Reason::EccError},
    XidMeaning{157, "resource retirement failed", "support", Reason::EccError},
    XidMeaning{158, "fatal timeout", "reset_gpu", Reason::CudaError},
    XidMeaning{171, "uncorrectable error in DRAM", "reset_gpu", Reason::EccError},
    XidMeaning{172, "uncorrectable error in SRAM", "reset_gpu", Reason::EccError},
};

}  // namespace

const XidMeaning* xidMeaning(int code)
{
    const auto* const found = std::lower_bound(
        kTable.begin(), kTable.end(), code,
        [](const XidMeaning& meaning, int wanted) { return meaning.code < wanted; });
    return found != kTable.end() && found->code == code ? found : nullptr;
}

}  // namespace yard::telemetry
