#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backend/diagnosis/rule_set.h"

namespace yard::diagnosis {

/// A process that a launcher reports as failed.
struct ReportedFailure {
    int rank = -1;
    std::string host;
    int exitCode = 0;
    bool isFirst = false;  ///< "first observed failure"
    uint64_t line = 0;
};

/// Which ranks and addresses belong to which host, as far as the log tells.
class Placement {
public:
    /// What a rule of role place, or any other rule with such fields, has seen.
    void note(const Fields& fields);
    void noteHost(std::string_view host);
    void noteRank(int rank, std::string_view host);
    /// A task of srun that is seen to be, or to hold, a rank.
    void noteTask(int task, int rank);
    void noteTaskHost(int task, std::string_view host);
    void noteWorld(int world);
    /// "-H n1:4,n2:4" and "{'n1': [0, 1], 'n2': [0, 1]}": ranks are given out in this order.
    void noteSlots(std::string_view text);
    /// A name that is no machine, and one that stands for a machine: a pod, an address.
    void notePod(std::string_view pod);
    void noteAlias(std::string_view name, std::string_view host);

    std::string hostOfRank(int rank) const;
    std::string hostOfTask(int task) const;
    /// Of an address or a pod.
    std::string hostOfAddress(std::string_view address) const;
    bool isPod(std::string_view name) const;
    /// The rank that a place on a node has, where the ranks of the node are known.
    std::optional<int> rankOn(std::string_view host, int local) const;
    /// A task of srun: a rank where it started one process for each, else the number of a node.
    std::optional<int> rankOfTask(int task) const;
    /// The host the job ran on, if it is only one.
    std::string onlyHost() const;
    bool knows(std::string_view host) const;
    int world() const;
    int tasks() const { return m_maxTask + 1; }
    std::vector<int> ranksOn(std::string_view host) const;
    const std::set<std::string>& hosts() const { return m_hosts; }

private:
    std::map<int, std::string> m_hostByRank;
    std::map<int, std::string> m_hostByTask;
    std::map<std::string, std::string, std::less<>> m_hostByAddress;
    std::set<std::string> m_hosts;
    std::set<std::string, std::less<>> m_pods;
    bool m_tasksAreNodes = false;
    int m_maxTask = -1;
    int m_maxRank = -1;
    int m_world = 0;
};

/// "0-7,12,14-15" as numbers; at most some thousands.
std::vector<int> readRanks(std::string_view text);

}  // namespace yard::diagnosis
