#include "backend/telemetry/xid_table.h"

#include <algorithm>
#include <array>

namespace yard::telemetry {
namespace {

constexpr std::array kTable{
    XidMeaning{8, "GPU stopped processing", "restart_app"},
    XidMeaning{13, "graphics engine exception", "restart_app"},
    XidMeaning{31, "GPU memory page fault", "restart_app"},
    XidMeaning{32, "invalid or corrupted push buffer", "restart_app"},
    XidMeaning{38, "driver firmware error", "restart_app"},
    XidMeaning{43, "GPU stopped processing for one program", "none"},
    XidMeaning{44, "graphics engine fault during context switch", "reset_gpu"},
    XidMeaning{45, "channel removed because of another error", "follow"},
    XidMeaning{46, "GPU stopped processing", "reset_gpu"},
    XidMeaning{48, "double-bit ECC error", "reset_gpu"},
    XidMeaning{54, "auxiliary power is not connected", "check_hardware"},
    XidMeaning{56, "display engine error", "watch"},
    XidMeaning{57, "error programming the video memory interface", "reset_gpu"},
    XidMeaning{61, "internal micro-controller warning", "reset_gpu"},
    XidMeaning{62, "internal micro-controller halt", "reset_gpu"},
    XidMeaning{63, "row remapping recorded", "reset_gpu"},
    XidMeaning{64, "row remapping failed", "replace"},
    XidMeaning{65, "video processor exception", "restart_app"},
    XidMeaning{68, "video processor exception", "restart_app"},
    XidMeaning{69, "graphics engine class error", "restart_app"},
    XidMeaning{74, "NVLink error", "nvlink"},
    XidMeaning{78, "vGPU start error", "restart_app"},
    XidMeaning{79, "GPU has fallen off the bus", "reboot"},
    XidMeaning{80, "corrupted data sent to the GPU", "restart_app"},
    XidMeaning{92, "high rate of single-bit ECC errors", "watch"},
    XidMeaning{94, "contained memory error", "restart_app"},
    XidMeaning{95, "uncontained memory error", "reset_gpu"},
    XidMeaning{109, "context switch timeout", "reset_gpu"},
    XidMeaning{110, "security fault", "reset_gpu"},
    XidMeaning{119, "GSP call timeout", "reset_gpu"},
    XidMeaning{120, "GSP error", "reset_gpu"},
    XidMeaning{121, "chip-to-chip link corrected error", "watch"},
    XidMeaning{122, "SPI access failure", "watch"},
    XidMeaning{123, "power management unit failure", "reset_gpu"},
    XidMeaning{126, "fatal error of unknown cause", "reset_gpu"},
    XidMeaning{136, "link training failed", "reset_gpu"},
    XidMeaning{137, "NVLink remote access without right", "restart_app"},
    XidMeaning{140, "unrecovered ECC error", "reset_gpu"},
    XidMeaning{143, "GPU initialisation failed", "reset_gpu"},
    XidMeaning{144, "NVLink SAW error", "nvlink"},
    XidMeaning{145, "NVLink RLW error", "nvlink"},
    XidMeaning{146, "NVLink TLW error", "nvlink"},
    XidMeaning{147, "NVLink TREX error", "nvlink"},
    XidMeaning{148, "NVLink NVLPW error", "nvlink"},
    XidMeaning{149, "NVLink NETIR error", "nvlink"},
    XidMeaning{150, "NVLink MSE error", "nvlink"},
    XidMeaning{151, "key rotation error", "reset_gpu"},
    XidMeaning{154, "recovery action changed", "none"},
    XidMeaning{155, "NVLink software error", "reset_gpu"},
    XidMeaning{156, "resource retirement done", "reset_gpu"},
    XidMeaning{157, "resource retirement failed", "support"},
    XidMeaning{158, "fatal timeout", "reset_gpu"},
    XidMeaning{171, "uncorrectable error in DRAM", "reset_gpu"},
    XidMeaning{172, "uncorrectable error in SRAM", "reset_gpu"},
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
