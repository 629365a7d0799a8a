#include "backend/diagnosis/placement.h"

#include <re2/re2.h>

#include <algorithm>

#include "backend/base/text.h"

namespace yard::diagnosis {
namespace {

constexpr int kMaxRank = 1 << 20;
constexpr size_t kMaxKnown = 200'000;
constexpr size_t kMaxHosts = 20'000;

bool isAddress(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](char c) { return text::isDigit(c) || c == '.'; });
}

}  // namespace

std::vector<int> readRanks(std::string_view text)
{
    constexpr int kMaxRanks = 20'000;
    std::vector<int> ranks;
    for (const std::string_view part : text::split(text, ",")) {
        const std::string_view bare = text::trimmed(part);
        const size_t dash = bare.find('-');
        const auto first = text::number<int>(bare.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : text::number<int>(bare.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first)
            continue;
        for (int rank = *first; rank <= *last && int(ranks.size()) < kMaxRanks; ++rank)
            ranks.push_back(rank);
    }
    return ranks;
}

void Placement::noteHost(std::string_view host)
{
    const std::string_view name = shortHost(host);
    if (name.empty() || isAddress(name) || m_hosts.size() >= kMaxHosts)
        return;
    if (!m_hosts.contains(std::string(name)))
        m_hosts.insert(std::string(name));
}

void Placement::noteRank(int rank, std::string_view host)
{
    if (rank < 0 || rank > kMaxRank)
        return;
    m_maxRank = std::max(m_maxRank, rank);
    if (host.empty() || m_hostByRank.size() >= kMaxKnown)
        return;
    const auto [known, isNew] = m_hostByRank.try_emplace(rank, std::string(shortHost(host)));
    if (!isNew && isAddress(known->second) && !isAddress(host))
        known->second = std::string(shortHost(host));
}

void Placement::noteTask(int task, int rank)
{
    m_maxTask = std::max(m_maxTask, task);
    if (rank >= 0 && rank != task)
        m_tasksAreNodes = true;
}

void Placement::noteTaskHost(int task, std::string_view host)
{
    if (task < 0 || task > kMaxRank || host.empty() || m_hostByTask.size() >= kMaxKnown)
        return;
    m_maxTask = std::max(m_maxTask, task);
    m_hostByTask.try_emplace(task, std::string(shortHost(host)));
    noteHost(host);
}

void Placement::noteWorld(int world)
{
    if (world > 0 && world <= kMaxRank)
        m_world = std::max(m_world, world);
}

void Placement::note(const Fields& fields)
{
    if (fields.world)
        noteWorld(*fields.world);
    if (fields.node.empty())
        return;
    const bool hasNumbers = isAddress(fields.node);
    if (!hasNumbers && !looksLikeHost(fields.node) && !fields.rank && !fields.first)
        return;
    noteHost(fields.node);
    if (fields.rank)
        noteRank(*fields.rank, fields.node);
    if (fields.first && fields.last && *fields.last - *fields.first < 4096) {
        for (int rank = *fields.first; rank <= *fields.last; ++rank)
            noteRank(rank, fields.node);
    }
    noteAlias(fields.peer, fields.node);
}

void Placement::noteSlots(std::string_view text)
{
    constexpr int kMaxSlots = 64;
    static const RE2 slots(
        R"re(['"]?([a-zA-Z][\w.-]*\d[\w.-]*)['"]?: ?(?:(\d+)\b|\[([\d, ]*)\]))re");
    int next = 0;
    re2::StringPiece rest(text.data(), text.size());
    re2::StringPiece host;
    re2::StringPiece count;
    re2::StringPiece list;
    while (RE2::FindAndConsume(&rest, slots, &host, &count, &list)) {
        const int ranks = count.empty()
                              ? int(readRanks({list.data(), list.size()}).size())
                              : text::number<int>({count.data(), count.size()}).value_or(0);
        if (ranks < 1 || ranks > kMaxSlots)
            return;  // a port, not a number of slots
        const std::string_view name(host.data(), host.size());
        noteHost(name);
        for (int i = 0; i < ranks; ++i)
            noteRank(next++, name);
    }
}

void Placement::notePod(std::string_view pod)
{
    if (m_pods.size() < kMaxHosts && !m_pods.contains(pod))
        m_pods.insert(std::string(pod));
}

void Placement::noteAlias(std::string_view name, std::string_view host)
{
    if (name.empty() || host.empty() || name == host || m_hostByAddress.size() >= kMaxKnown)
        return;
    m_hostByAddress.try_emplace(std::string(shortHost(name)), std::string(shortHost(host)));
}

bool Placement::isPod(std::string_view name) const
{
    return m_pods.contains(name);
}

std::optional<int> Placement::rankOn(std::string_view host, int local) const
{
    const std::vector<int> ranks = ranksOn(host);
    if (ranks.empty() || local < 0)
        return std::nullopt;
    const int rank = ranks.front() + local;
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end() ? std::optional(rank)
                                                                      : std::nullopt;
}

std::string Placement::hostOfRank(int rank) const
{
    const auto found = m_hostByRank.find(rank);
    if (found != m_hostByRank.end()) {
        const std::string host = hostOfAddress(found->second);
        return host.empty() ? found->second : host;
    }
    return rankOfTask(rank) ? hostOfTask(rank) : std::string();
}

std::string Placement::hostOfTask(int task) const
{
    const auto found = m_hostByTask.find(task);
    return found == m_hostByTask.end() ? std::string() : found->second;
}

std::string Placement::hostOfAddress(std::string_view address) const
{
    const auto found = m_hostByAddress.find(shortHost(address));
    return found == m_hostByAddress.end() ? std::string() : found->second;
}

std::optional<int> Placement::rankOfTask(int task) const
{
    const bool areRanks = !m_tasksAreNodes && (m_maxRank < 0 || m_maxTask >= m_maxRank);
    return areRanks ? std::optional(task) : std::nullopt;
}

std::string Placement::onlyHost() const
{
    return m_hosts.size() == 1 ? *m_hosts.begin() : std::string();
}

bool Placement::knows(std::string_view host) const
{
    return m_hosts.contains(std::string(shortHost(host)));
}

int Placement::world() const
{
    return std::max(m_world, m_maxRank + 1);
}

std::vector<int> Placement::ranksOn(std::string_view host) const
{
    std::vector<int> ranks;
    for (const auto& [rank, name] : m_hostByRank) {
        if (name == host)
            ranks.push_back(rank);
    }
    return ranks;
}

}  // namespace yard::diagnosis
