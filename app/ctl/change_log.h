#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "yard/v1/yard.pb.h"

namespace yard::ctl {

/// Follows the stream and names what became different: states of nodes and jobs, operations,
/// targets, the scheduler. Readings are not changes.
///
/// A full update in the middle (the set of nodes changed) is compared with what was known.
class ChangeLog {
public:
    /// One object for each change: what, name, before, after, and more where there is more.
    std::vector<nlohmann::json> apply(const v1::Update& update);

private:
    void applyNodes(const v1::Update& update);
    void applyJobs(const v1::Update& update);
    void applyRest(const v1::Update& update);
    void note(std::string_view what, const std::string& name, std::string& known,
              const std::string& now, nlohmann::json more = nlohmann::json::object());

    std::vector<nlohmann::json> m_changes;
    bool m_quiet = true;  ///< the first full update is the start, not a change
    std::vector<std::string> m_nodeNames;
    std::map<std::string, std::string> m_nodes, m_targets;
    std::map<std::pair<uint64_t, int64_t>, std::string> m_jobs;
    std::map<uint64_t, std::string> m_operations;
    std::string m_scheduler;
};

/// "gpu031  node  idle → draining  disk failed"
std::string changeText(const nlohmann::json& change);

}  // namespace yard::ctl
