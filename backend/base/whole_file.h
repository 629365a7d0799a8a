#pragma once

#include <string>

#include "backend/base/status.h"

namespace yard {

/// Opens a regular file to read; the caller closes it. A folder, a device or a FIFO is refused:
/// reading one may never end. NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION or UNAVAILABLE with
/// the path and why, such as "/dev/zero cannot be read: it is a device, not a file".
StatusOr<int> openRegularFile(const std::string& path);

/// The whole of a regular file. RESOURCE_EXHAUSTED if it is larger than `limit` bytes.
StatusOr<std::string> readWholeFile(const std::string& path, size_t limit);

}  // namespace yard
