#pragma once

#include <memory>

#include "app/daemon/config.h"
#include "backend/base/clock.h"

namespace yard::daemon {

/// The running daemon: everything made in order, and taken down in reverse.
///
/// Thread: one.
class Daemon {
public:
    /// `clock` must outlive it. Errors are one sentence for the operator.
    static StatusOr<std::unique_ptr<Daemon>> start(const Config& config, const Clock& clock);
    ~Daemon();

    /// True if the core loop still takes its turns; waits at most a second.
    bool isAlive();

private:
    struct Parts;
    explicit Daemon(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

}  // namespace yard::daemon
