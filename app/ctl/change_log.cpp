#include "app/ctl/change_log.h"

#include <fmt/format.h>

#include "app/ctl/json_output.h"
#include "backend/domain/node.h"
#include "backend/domain/operation.h"

namespace yard::ctl {

using nlohmann::json;

std::vector<json> ChangeLog::apply(const v1::Update& update)
{
    m_changes.clear();
    applyNodes(update);
    applyJobs(update);
    applyRest(update);
    m_quiet = false;
    for (json& change : m_changes)
        change["time"] = seconds(update.time_us());
    return std::move(m_changes);
}

void ChangeLog::note(std::string_view what, const std::string& name, std::string& known,
                     const std::string& now, json more)
{
    if (known == now)
        return;
    if (!m_quiet) {
        more["what"] = what;
        more["name"] = name;
        more["before"] = known;
        more["after"] = now;
        m_changes.push_back(std::move(more));
    }
    known = now;
}

void ChangeLog::applyNodes(const v1::Update& update)
{
    if (update.base_revision() == 0) {
        m_nodeNames.clear();
        for (const v1::Node& node : update.nodes())
            m_nodeNames.push_back(node.name());
        for (auto known = m_nodes.begin(); known != m_nodes.end();) {
            const auto next = std::next(known);
            if (std::find(m_nodeNames.begin(), m_nodeNames.end(), known->first) ==
                m_nodeNames.end()) {
                note("node", known->first, known->second, "gone");
                m_nodes.erase(known);
            }
            known = next;
        }
    }
    for (const v1::Node& node : update.nodes()) {
        const std::string state =
            fmt::format("{} {}", std::string(domain::name(domain::NodeCategory(node.category()))),
                        node.state_text());
        json more = json::object();
        if (!node.reason().empty())
            more = {{"reason", node.reason()}, {"reason_user", node.reason_user()}};
        note("node", node.name(), m_nodes[node.name()], state, more);
    }
}

void ChangeLog::applyJobs(const v1::Update& update)
{
    for (const v1::Job& job : update.jobs())
        note("job", job.display_id(), m_jobs[{job.id(), job.submit_time_us()}], job.state_text(),
             {{"user", job.user()},
              {"nodes", job.nodes()},
              {"gpus", job.gpus()},
              {"reason", job.reason()}});
    for (const v1::JobKey& key : update.removed_jobs())
        m_jobs.erase({key.id(), key.submit_time_us()});
}

void ChangeLog::applyRest(const v1::Update& update)
{
    for (const v1::Operation& operation : update.operations())
        note("operation", std::to_string(operation.id()), m_operations[operation.id()],
             std::string(domain::name(domain::OperationState(operation.state()))),
             {{"action", std::string(domain::name(domain::ActionKind(operation.action().kind())))},
              {"targets", operation.targets_folded()},
              {"by", operation.by().user()},
              {"message", operation.message()}});
    for (const v1::TargetHealth& target : update.targets())
        note("target", target.target(), m_targets[target.target()], target.up() ? "up" : "down",
             {{"error", target.error()}});
    for (const std::string& target : update.removed_targets())
        m_targets.erase(target);
    if (update.has_scheduler())
        note("scheduler", update.scheduler().kind(), m_scheduler,
             update.scheduler().up() ? "up" : "down", {{"error", update.scheduler().error()}});
}

std::string changeText(const json& change)
{
    std::string text =
        fmt::format("{} {}: {} → {}", change.value("what", ""), change.value("name", ""),
                    change.value("before", "").empty() ? "new" : change.value("before", ""),
                    change.value("after", ""));
    for (const char* key :
         {"action", "targets", "user", "by", "nodes", "reason", "message", "error"}) {
        const std::string value = change.contains(key) ? change[key].get<std::string>() : "";
        if (!value.empty())
            text += fmt::format("  {}={}", key, value);
    }
    return text;
}

}  // namespace yard::ctl
