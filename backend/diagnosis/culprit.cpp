#include "backend/diagnosis/culprit.h"

#include <algorithm>
#include <map>
#include <set>

#include "backend/diagnosis/line_head.h"

namespace yard::diagnosis {
namespace {

struct Origin {
    std::optional<int> rank;
    std::string node;
};

bool isName(std::string_view host)
{
    return looksLikeHost(host) &&
           std::any_of(host.begin(), host.end(), [](char c) { return c >= 'A'; });
}

bool isLoopback(std::string_view name)
{
    return name.starts_with("127.") || name == "0.0.0.0" || name == "localhost";
}

/// Looks for the one that differs from all others, by what each line and its surroundings tell.
class Finder {
public:
    Finder(const RuleSet& rules, const LogFacts& facts)
        : m_rules(rules)
        , m_facts(facts)
    {
    }

    Culprit bySpeakers(const Candidate& root) const;
    Culprit byPeers(const std::vector<Candidate>& all) const;
    Culprit bySilence(const std::vector<Candidate>& all) const;
    Culprit byBlame(const std::vector<size_t>& findings) const;

private:
    Origin originOf(const Finding& finding) const;
    std::optional<int> announcedRank(const Finding& finding) const;
    std::optional<int> reportedRank() const;
    std::string nodeOf(const Finding& finding, std::optional<int> rank) const;
    bool isRule(const Finding& finding, std::string_view id) const
    {
        return finding.rule != kOtherException && m_rules.rules()[finding.rule].id == id;
    }

    const RuleSet& m_rules;
    const LogFacts& m_facts;
};

/// "Raise exception from cn-0217 with rank id: 13" stands before a traceback without a prefix.
std::optional<int> Finder::announcedRank(const Finding& finding) const
{
    if (!finding.isException)
        return std::nullopt;
    std::optional<int> rank;
    for (const Finding& other : m_facts.findings) {
        if (other.line >= finding.line)
            break;
        if (isRule(other, "launcher.raise-from-host") || isRule(other, "launcher.spawned"))
            rank = other.fields.rank;
        else if (other.isException && other.chain != finding.chain)
            rank.reset();
    }
    return rank;
}

/// The one process that launchers report as the failed one, others having been stopped by signals.
std::optional<int> Finder::reportedRank() const
{
    std::set<int> failed;
    for (const ReportedFailure& failure : m_facts.reported) {
        if (failure.exitCode > 0)
            failed.insert(failure.rank);
    }
    if (failed.empty()) {
        for (const ReportedFailure& failure : m_facts.reported) {
            if (failure.isFirst && failure.exitCode != -15)
                failed.insert(failure.rank);
        }
    }
    // The nearer the witness, the earlier it is asked.
    using Ids = std::vector<std::string_view>;
    for (const Ids& witnesses :
         {Ids{"launcher.local-rank"}, Ids{"mpirun.aborted", "launcher.container"},
          Ids{"jax.task-lost"}}) {
        if (!failed.empty())
            break;
        for (const Finding& finding : m_facts.findings) {
            const bool isAsked =
                std::any_of(witnesses.begin(), witnesses.end(),
                            [&](std::string_view id) { return isRule(finding, id); });
            if (isAsked && finding.fields.rank)
                failed.insert(*finding.fields.rank);
        }
    }
    if (failed.empty() && m_facts.placement.tasks() > 1) {
        for (const Finding& finding : m_facts.findings) {
            if (!isRule(finding, "srun.tasks"))
                continue;
            for (const int task : readRanks(finding.fields.ranks)) {
                if (const auto rank = m_facts.placement.rankOfTask(task))
                    failed.insert(*rank);
            }
            break;  // srun names the first to go first
        }
    }
    return failed.size() == 1 ? std::optional(*failed.begin()) : std::nullopt;
}

std::string Finder::nodeOf(const Finding& finding, std::optional<int> rank) const
{
    const Placement& placement = m_facts.placement;
    if (!finding.fields.node.empty()) {
        const std::string host = placement.hostOfAddress(finding.fields.node);
        if (!host.empty())
            return host;
        // An address that nothing translates still says where.
        if ((finding.fields.isHost || looksLikeHost(finding.fields.node)) &&
            !isLoopback(finding.fields.node))
            return std::string(shortHost(finding.fields.node));
    }
    if (rank) {
        const std::string host = placement.hostOfRank(*rank);
        if (!host.empty())
            return host;
    }
    for (const std::string& name : {finding.host, finding.pod}) {
        if (name.empty())
            continue;
        const std::string host = placement.hostOfAddress(name);
        if (!host.empty())
            return host;
        if (isName(name) || placement.knows(name) || (looksLikeHost(name) && !isLoopback(name)))
            return std::string(shortHost(name));
    }
    if (!finding.section.empty())
        return finding.section;
    if (finding.task) {
        const std::string host = placement.hostOfTask(*finding.task);
        if (!host.empty())
            return host;
    }
    // A node that is lost says nothing: the only one that speaks is not it.
    const bool isLost = finding.rule != kOtherException &&
                        m_rules.rules()[finding.rule].reason == domain::Reason::NodeFailure;
    return isLost ? std::string() : placement.onlyHost();
}

Origin Finder::originOf(const Finding& finding) const
{
    Origin origin;
    origin.rank = finding.rank;
    if (!origin.rank && finding.task)
        origin.rank = m_facts.placement.rankOfTask(*finding.task);
    if (!origin.rank)
        origin.rank = announcedRank(finding);
    origin.node = nodeOf(finding, origin.rank);
    if (!origin.rank && finding.fields.local && !origin.node.empty())
        origin.rank = m_facts.placement.rankOn(origin.node, *finding.fields.local);
    return origin;
}

Culprit Finder::bySpeakers(const Candidate& root) const
{
    std::set<int> ranks;
    std::set<std::string> nodes;
    size_t unknown = 0;
    // Where some name the rank that went, the others only miss it.
    const bool namesOne = root.tier == Tier::Connection &&
                          std::any_of(root.findings.begin(), root.findings.end(), [this](size_t i) {
                              return m_facts.findings[i].fields.rank.has_value();
                          });
    for (const size_t place : root.findings) {
        const Finding& finding = m_facts.findings[place];
        if (namesOne && !finding.fields.rank)
            continue;
        const Origin origin = originOf(finding);
        if (origin.rank)
            ranks.insert(*origin.rank);
        else if (finding.isException)
            ++unknown;  // a process; lines of kernels and schedulers are nobody's
        if (!origin.node.empty())
            nodes.insert(origin.node);
    }
    const auto isPod = [this](const std::string& name) { return m_facts.placement.isPod(name); };
    if (!std::all_of(nodes.begin(), nodes.end(), isPod))
        std::erase_if(nodes, isPod);  // where a machine is named, its pods say less
    Culprit culprit;
    const Finding& first = m_facts.findings[root.findings.front()];
    culprit.gpu = first.fields.gpu;
    if (ranks.size() == 1 && (unknown == 0 || root.tier == Tier::Hardware))
        culprit.rank = *ranks.begin();
    else if (ranks.empty() && unknown <= 1 && root.tier != Tier::Hardware)
        culprit.rank = reportedRank();
    if (ranks.empty() && unknown > 1 && root.tier == Tier::Hardware)
        culprit.rank.reset();
    if (culprit.rank && ranks.empty()) {
        const std::string host = m_facts.placement.hostOfRank(*culprit.rank);
        if (!host.empty() &&
            (nodes.empty() || nodes == std::set<std::string>{m_facts.placement.onlyHost()}))
            nodes = {host};
    }
    // A program's own error is nobody's because the job ran on one node only.
    const bool isOnlyPlace = nodes == std::set<std::string>{m_facts.placement.onlyHost()} &&
                             m_facts.placement.hosts().size() == 1;
    const bool isOfParts = root.tier == Tier::Hardware || root.reason == domain::Reason::CudaError;
    if (isOnlyPlace && !culprit.rank && !isOfParts && first.fields.node.empty() &&
        first.host.empty() && root.reason != domain::Reason::OutOfMemoryError)
        nodes.clear();
    if (nodes.size() == 1)
        culprit.node = *nodes.begin();
    else if (root.tier == Tier::Hardware)
        culprit.node = originOf(first).node;
    // Everybody alike: nobody in particular.
    const bool isEverybody = ranks.size() > 1 || (ranks.empty() && unknown > 1);
    if (isEverybody && root.tier != Tier::Hardware && !culprit.rank) {
        const bool isOneOfMany = m_facts.placement.hosts().size() > 1 && nodes.size() == 1 &&
                                 !ranks.empty() && m_facts.placement.world() > int(ranks.size());
        if (!isOneOfMany)
            culprit.node.clear();
        culprit.gpu.clear();
    }
    return culprit;
}

Culprit Finder::byPeers(const std::vector<Candidate>& all) const
{
    std::map<std::string, std::set<std::string>> namedBy;
    std::set<std::string> speakers;
    for (const Candidate& candidate : all) {
        if (candidate.tier != Tier::Peer && candidate.tier != Tier::Connection)
            continue;
        for (const size_t place : candidate.findings) {
            const Finding& finding = m_facts.findings[place];
            const Origin origin = originOf(finding);
            const std::string speaker =
                origin.rank ? std::to_string(*origin.rank) : finding.host + origin.node;
            if (!origin.node.empty())
                speakers.insert(origin.node);
            if (finding.fields.peer.empty())
                continue;
            std::string peer(shortHost(finding.fields.peer));
            const std::string known = m_facts.placement.hostOfAddress(peer);
            namedBy[known.empty() ? peer : known].insert(speaker);
        }
    }
    Culprit culprit;
    if (namedBy.size() != 1 || namedBy.begin()->second.size() < 2)
        return culprit;
    const std::string& peer = namedBy.begin()->first;
    if (isLoopback(peer) || speakers.contains(peer))
        return culprit;
    culprit.node = peer;
    culprit.how = "all complaints name " + peer + ", which says nothing itself";
    return culprit;
}

/// The rank that all who wait name, unless it waits itself.
Culprit Finder::byBlame(const std::vector<size_t>& findings) const
{
    std::set<int> blamed;
    std::set<int> waiting;
    size_t complaints = 0;
    for (const size_t place : findings) {
        const Finding& finding = m_facts.findings[place];
        const Origin origin = originOf(finding);
        if (!finding.fields.blamed)
            continue;
        ++complaints;
        blamed.insert(*finding.fields.blamed);
        if (origin.rank)
            waiting.insert(*origin.rank);
    }
    Culprit culprit;
    if (blamed.size() != 1 || complaints < 2 || waiting.contains(*blamed.begin()))
        return culprit;
    culprit.rank = *blamed.begin();
    culprit.node = m_facts.placement.hostOfRank(*culprit.rank);
    culprit.how = "all who wait name this rank";
    return culprit;
}

Culprit Finder::bySilence(const std::vector<Candidate>& all) const
{
    std::set<int> reporters;
    std::map<int64_t, std::set<int>> bySequence;
    for (const Candidate& candidate : all) {
        if (candidate.tier != Tier::Timeout)
            continue;
        for (const size_t place : candidate.findings) {
            const Finding& finding = m_facts.findings[place];
            const Origin origin = originOf(finding);
            if (!origin.rank)
                continue;
            reporters.insert(*origin.rank);
            if (finding.fields.sequence)
                bySequence[*finding.fields.sequence].insert(*origin.rank);
        }
    }
    Culprit culprit;
    const int world = m_facts.placement.world();
    if (reporters.size() < 3)
        return culprit;
    std::vector<int> silent;
    for (int rank = 0; rank < world && silent.size() <= 64; ++rank) {
        if (!reporters.contains(rank))
            silent.push_back(rank);
    }
    if (silent.size() == 1) {
        culprit.rank = silent.front();
        culprit.node = m_facts.placement.hostOfRank(silent.front());
        culprit.how = "every other rank reports a time-out";
        return culprit;
    }
    if (silent.size() > 1 && silent.size() <= 64 && reporters.size() >= 2 * silent.size()) {
        std::set<std::string> nodes;
        for (const int rank : silent)
            nodes.insert(m_facts.placement.hostOfRank(rank));
        if (nodes.size() == 1 && !nodes.begin()->empty() &&
            m_facts.placement.ranksOn(*nodes.begin()).size() == silent.size()) {
            culprit.node = *nodes.begin();
            culprit.how = "only the ranks of this node report no time-out";
        }
        return culprit;
    }
    // All report, and one stands at another collective than the rest.
    if (silent.empty() && bySequence.size() == 2) {
        const auto& fewer = bySequence.begin()->second.size() <= bySequence.rbegin()->second.size()
                                ? bySequence.begin()->second
                                : bySequence.rbegin()->second;
        if (fewer.size() == 1 && reporters.size() >= 4) {
            culprit.rank = *fewer.begin();
            culprit.node = m_facts.placement.hostOfRank(*culprit.rank);
            culprit.how = "it waits in another collective than all others";
        }
    }
    return culprit;
}

}  // namespace

Culprit culpritOf(const RuleSet& rules, const LogFacts& facts, const Candidate& root,
                  const std::vector<Candidate>& others)
{
    const Finder finder(rules, facts);
    const bool namesNobody = root.rule != kOtherException && rules.rules()[root.rule].namesNobody;
    if (root.tier == Tier::Timeout) {
        Culprit culprit = finder.byBlame(root.findings);
        if (!culprit.rank)
            culprit = culpritOfStall(rules, facts);
        if (!culprit.rank)
            culprit = finder.bySilence(others);
        return culprit.rank || !culprit.node.empty() ? culprit : finder.byPeers(others);
    }
    if ((root.tier == Tier::Peer || root.tier == Tier::Connection) && namesNobody)
        return finder.byPeers(others);
    if (namesNobody)
        return {};
    Culprit culprit = finder.bySpeakers(root);
    if (root.tier != Tier::Hardware)
        return culprit;
    // A part that a process reports may be named by the kernel, a pod's trouble by its node.
    for (const Candidate& other : others) {
        if (&other == &root || other.reason != root.reason || other.tier != Tier::Hardware)
            continue;
        const Culprit second = finder.bySpeakers(other);
        const bool isVague = second.node.empty() || facts.placement.isPod(second.node);
        if (!culprit.rank && (isVague || second.node == culprit.node))
            culprit.rank = second.rank;
        if (!isVague && (culprit.node.empty() || facts.placement.isPod(culprit.node)))
            culprit.node = second.node;
    }
    if (culprit.rank)
        return culprit;
    for (const Candidate& other : others) {
        if (other.tier != Tier::Cause || !other.isGeneric)
            continue;
        const Culprit process = finder.bySpeakers(other);
        if ((process.rank || (culprit.node.empty() && !process.node.empty())) &&
            (culprit.node.empty() || process.node.empty() || process.node == culprit.node)) {
            culprit.rank = process.rank;
            if (culprit.node.empty())
                culprit.node = process.node;
            return culprit;
        }
    }
    return culprit;
}

Culprit culpritOfStall(const RuleSet& rules, const LogFacts& facts)
{
    std::set<int> blamed;
    for (const Finding& finding : facts.findings) {
        if (finding.rule == kOtherException || rules.rules()[finding.rule].role != Role::Stalled)
            continue;
        if (finding.fields.blamed)
            blamed.insert(*finding.fields.blamed);
    }
    Culprit culprit;
    if (blamed.size() == 1) {
        culprit.rank = *blamed.begin();
        culprit.node = facts.placement.hostOfRank(*culprit.rank);
        culprit.how = "the watcher names this rank";
    }
    return culprit;
}

Culprit culpritOfEnd(const RuleSet& rules, const LogFacts& facts, const Finding& fatal)
{
    Culprit culprit;
    // Several rules may know the line.
    const auto named =
        std::find_if(facts.findings.begin(), facts.findings.end(), [&](const Finding& finding) {
            return finding.line == fatal.line && finding.rule != kOtherException &&
                   rules.rules()[finding.rule].id == "srun.tasks";
        });
    if (named == facts.findings.end() || facts.placement.tasks() < 2)
        return culprit;
    const std::vector<int> tasks = readRanks(named->fields.ranks);
    culprit.node = named->fields.node;
    if (tasks.size() == 1)
        culprit.rank = facts.placement.rankOfTask(tasks.front());
    return culprit;
}

Culprit culpritInKernel(const LogFacts& kernel, const Candidate& root)
{
    const Finding& first = kernel.findings[root.findings.front()];
    Culprit culprit;
    culprit.gpu = first.fields.gpu;
    for (const std::string& host : {first.fields.node, first.host, first.section}) {
        if (culprit.node.empty() && !host.empty() && (isName(host) || kernel.placement.knows(host)))
            culprit.node = std::string(shortHost(host));
    }
    if (culprit.node.empty())
        culprit.node = kernel.placement.onlyHost();
    return culprit;
}

}  // namespace yard::diagnosis
