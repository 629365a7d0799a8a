#pragma once

#include <cstdint>
#include <string>

/// Writes a log of about `bytes` bytes as a large pretraining job prints it: steps of several
/// frameworks, NCCL's start, progress bars, warnings, retries, and at the end an ECC error on one
/// rank with time-outs on 63 others. The same seed gives the same log.
bool writeLog(const std::string& path, uint64_t bytes, uint64_t seed);
