#include "backend/control/incident_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/domain/hostlist.h"

namespace yard::control {
namespace {

using domain::Incident;
using domain::IncidentEvidence;
using domain::IncidentJob;

constexpr size_t kMostNamed = 8;

std::string jobWords(const IncidentJob& job)
{
    std::string words = fmt::format("Job {} ({}, {}", job.displayId,
                                    job.name.empty() ? "without a name" : job.name, job.user);
    if (job.gpus > 0)
        words += fmt::format(", {} GPU{}", job.gpus, job.gpus == 1 ? "" : "s");
    words += job.nodes.empty() ? ")" : fmt::format(" on {})", job.nodes);
    return words + (job.end.empty() ? " ran there." : fmt::format(" ended {}.", job.end));
}

std::string jobsWords(const std::vector<IncidentJob>& jobs)
{
    if (jobs.empty())
        return {};
    if (jobs.size() == 1)
        return jobWords(jobs.front());
    std::string ids;
    for (size_t i = 0; i < jobs.size() && i < kMostNamed; ++i)
        ids += (ids.empty() ? "" : ", ") + jobs[i].displayId;
    if (jobs.size() > kMostNamed)
        ids += fmt::format(" and {} more", jobs.size() - kMostNamed);
    const auto ended = std::count_if(jobs.begin(), jobs.end(),
                                     [](const IncidentJob& job) { return !job.end.empty(); });
    return fmt::format("It hit {} jobs, {} of them ended: {}.", jobs.size(), ended, ids);
}

/// The first thing that hardware or the scheduler said of a broken part.
const IncidentEvidence* firstFact(const Incident& incident)
{
    for (const IncidentEvidence& evidence : incident.evidence)
        if (!evidence.follows && evidence.witness == domain::Witness::Hardware)
            return &evidence;
    return nullptr;
}

std::string nodesWords(const Incident& incident)
{
    const size_t count = incident.nodes.size();
    const std::string folded = domain::foldHostlist(incident.nodes);
    if (!incident.switchName.empty())
        return fmt::format("{} nodes behind {} failed together: {}.", count, incident.switchName,
                           folded);
    if (incident.reason == domain::Reason::NodeFailure && count > 0)
        return count == 1 ? fmt::format("The node {} was lost.", folded)
                          : fmt::format("{} nodes were lost together: {}.", count, folded);
    return {};
}

}  // namespace

std::string endOf(const domain::Job& job)
{
    std::string words =
        job.stateText == "REQUEUED" ? std::string("REQUEUED") : std::string(name(job.state));
    if (job.cancelledByUid)
        words += fmt::format(" by uid {}", *job.cancelledByUid);
    if (job.exit && job.exit->signal.value_or(0) != 0)
        words += fmt::format(", signal {}", *job.exit->signal);
    else if (job.exit && job.exit->code.value_or(0) != 0)
        words += fmt::format(", exit code {}", *job.exit->code);
    return words;
}

std::string happenedWords(const Incident& incident)
{
    std::string words = nodesWords(incident);
    const auto add = [&words](const std::string& sentence) {
        if (!sentence.empty())
            words += (words.empty() ? "" : " ") + sentence;
    };
    if (const IncidentEvidence* fact = firstFact(incident); fact && incident.switchName.empty())
        add(fmt::format("{}{} reported {}.", incident.node.empty() ? "A node" : incident.node,
                        incident.gpu.empty() ? "" : ", GPU " + incident.gpu, fact->note));
    add(jobsWords(incident.jobs));
    return words;
}

std::string seenNow(const Incident& incident, const ClusterSnapshot& snapshot)
{
    std::vector<std::string> nodes = incident.nodes;
    if (nodes.empty() && !incident.node.empty())
        nodes.push_back(incident.node);
    std::map<std::string, std::vector<std::string>> byState;
    for (const std::string& name : nodes)
        if (const domain::Node* node = snapshot.node(name))
            byState[node->stateText.empty() ? std::string(domain::name(node->state))
                                            : node->stateText]
                .push_back(name);
    std::string words;
    for (auto& [state, names] : byState) {
        const bool one = names.size() == 1;
        words += fmt::format("{}{} {} {}.", words.empty() ? "" : " ",
                             domain::foldHostlist(std::move(names)), one ? "is" : "are", state);
    }
    std::map<std::string, std::string> jobs;  // display id to state
    for (const IncidentJob& job : incident.jobs)
        jobs.emplace(job.displayId, "not known to the scheduler any more");
    if (jobs.size() > kMostNamed)
        return words;
    for (const auto& [key, entry] : snapshot.jobs().entries())
        if (const auto found = jobs.find(entry.value.job.displayId); found != jobs.end())
            found->second = entry.value.nextJob.empty()
                                ? std::string(name(entry.value.job.state))
                                : fmt::format("{}, restarted as {}", name(entry.value.job.state),
                                              entry.value.nextJob);
    for (const auto& [id, state] : jobs)
        words += fmt::format("{}Job {} is {}.", words.empty() ? "" : " ", id, state);
    return words;
}

}  // namespace yard::control
