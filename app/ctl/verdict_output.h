#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "backend/diagnosis/log_facts.h"
#include "backend/domain/verdict.h"

namespace yard::ctl {

/// Prints verdicts as text for people, as JSON or as a table of tabs.
class VerdictOutput {
public:
    explicit VerdictOutput(std::string format);
    void write(const std::string& file, const diagnosis::LogFacts& facts,
               const domain::Verdict& verdict);
    /// Ends what has been begun; call it once.
    void finish();

private:
    void writeText(const std::string& file, const diagnosis::LogFacts& facts,
                   const domain::Verdict& verdict);
    std::string m_format;
    nlohmann::ordered_json m_all = nlohmann::ordered_json::array();
};

/// "node", "rank:19", "node/rank:19" or "-".
std::string culpritText(const domain::Verdict& verdict);

}  // namespace yard::ctl
