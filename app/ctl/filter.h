#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/ctl/verbs_read.h"

namespace yard::ctl {

/// A Filter, read once and asked for many records.
class Selector {
public:
    /// False after complaining if a hostlist is wrong.
    bool readHosts(const Filter& filter);
    void readWords(const Filter& filter);
    void readJobs(const Filter& filter);

    bool takes(const v1::Node& node) const;
    bool takes(const v1::Job& job) const;
    /// Done, or a complaint that names the states and partitions that are not known at all. A known
    /// one that nothing is in is no mistake.
    ExitCode checkNodeWords(const v1::Update& update) const;
    ExitCode checkJobWords(const v1::Update& update) const;

    /// Whether the job goes by one of the names asked for; noted for missing().
    void noteFound(const v1::Job& job, std::set<std::string>& found) const;
    /// Names that were asked for and not among `found`.
    std::vector<std::string> missing(const std::set<std::string>& found) const;

private:
    bool isNamed(const v1::Job& job) const;
    ExitCode checkWords(std::set<std::string> states, const v1::Update& update) const;

    std::optional<std::set<std::string>> m_names;
    std::set<std::string> m_states;
    std::set<std::string> m_partitions;
    std::set<std::string> m_users;
};

/// At commas outside brackets: "18_[1,3],20" is two jobs.
std::vector<std::string> splitOutsideBrackets(const std::string& text);

}  // namespace yard::ctl
