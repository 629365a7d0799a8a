#include "backend/control/state_recorder.h"

#include <fmt/format.h>

#include <unordered_set>

namespace yard::control {
namespace {

// Longer than slow polls take: after this nobody can say what has been in between.
constexpr std::chrono::minutes kLongestGap{2};
// A look without news is told as often.
constexpr std::chrono::seconds kTellEvery{15};

size_t printOf(const std::string& body)
{
    return std::hash<std::string>{}(body);
}

std::string nameOf(const JobKey& key)
{
    return fmt::format("{} {}", key.id, key.submitTimeUs);
}

}  // namespace

std::optional<store::StatesSeen> StateRecorder::look(Time now)
{
    store::StatesSeen seen;
    // A clock that was set back leaves a gap too: spans of the future cannot be ended now.
    seen.isAnew = !m_lastLook || now - *m_lastLook > kLongestGap || now < *m_lastLook;
    m_lastLook = now;
    if (seen.isAnew)
        forgetAll();
    lookAtNodes(seen.versions);
    lookAtJobs(seen.versions);
    lookAtParts(seen.versions);
    m_revision = m_snapshot.revision();
    if (!seen.isAnew && seen.versions.empty() && now - m_lastTold < kTellEvery)
        return std::nullopt;
    m_lastTold = now;
    return seen;
}

void StateRecorder::forgetAll()
{
    m_revision = 0;
    m_nodes.clear();
    m_jobs.clear();
    m_parts = 0;
}

void StateRecorder::lookAtNodes(Versions& versions)
{
    const auto& nodes = m_snapshot.nodes();
    for (uint32_t i = 0; i < nodes.size(); ++i) {
        if (m_snapshot.nodeRevision(i) < m_revision && m_nodes.contains(nodes[i].name))
            continue;
        std::string body = store::packBody(nodes[i]);
        const auto [known, isNew] = m_nodes.try_emplace(nodes[i].name, printOf(body));
        if (!isNew && known->second == printOf(body))
            continue;
        known->second = printOf(body);
        versions.push_back({store::StateKind::Node, nodes[i].name, std::move(body)});
    }
    if (m_nodes.size() == nodes.size())
        return;
    std::unordered_set<std::string_view> present;
    for (const domain::Node& node : nodes)
        present.insert(node.name);
    std::erase_if(m_nodes, [&](const auto& known) {
        if (present.contains(known.first))
            return false;
        versions.push_back({store::StateKind::Node, known.first, std::nullopt});
        return true;
    });
}

void StateRecorder::lookAtJobs(Versions& versions)
{
    const auto& jobs = m_snapshot.jobs().entries();
    auto known = m_jobs.begin();
    const auto dropUntil = [&](const JobKey* key) {
        while (known != m_jobs.end() && (!key || known->first < *key)) {
            versions.push_back({store::StateKind::Job, nameOf(known->first), std::nullopt});
            known = m_jobs.erase(known);
        }
    };
    for (const auto& [key, entry] : jobs) {
        dropUntil(&key);
        const bool isKnown = known != m_jobs.end() && known->first == key;
        if (isKnown && entry.revision < m_revision) {
            ++known;
            continue;
        }
        const TrackedJob& tracked = entry.value;
        std::string body =
            store::packBody(store::KeptJob{tracked.job, tracked.previousJob, tracked.nextJob});
        const Print print = printOf(body);
        const bool isSame = isKnown && known->second == print;
        if (!isKnown)
            known = m_jobs.emplace_hint(known, key, print);
        known->second = print;
        ++known;
        if (!isSame)
            versions.push_back({store::StateKind::Job, nameOf(key), std::move(body)});
    }
    dropUntil(nullptr);
}

void StateRecorder::lookAtParts(Versions& versions)
{
    if (m_parts != 0 && m_snapshot.partsRevision() < m_revision)
        return;
    std::string body =
        store::packBody(store::KeptParts{m_snapshot.cluster(), m_snapshot.partitions(),
                                         m_snapshot.reservations(), m_snapshot.switches()});
    const Print print = printOf(body);
    if (m_parts == print)
        return;
    m_parts = print;
    versions.push_back({store::StateKind::Parts, std::string(), std::move(body)});
}

}  // namespace yard::control
