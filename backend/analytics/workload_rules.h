#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/analytics/job_table.h"
#include "backend/base/status.h"

namespace yard::analytics {

/// One rule: every condition that it has must hold, of each list one pattern. Patterns are those
/// of the shell (* ? [a-z]), case does not count.
struct WorkloadRule {
    std::string type;
    int line = 0;
    std::vector<std::string> name, partition, qos, account, comment, user;
    std::optional<int32_t> minGpus, maxGpus;
};

/// What rules made of a table.
struct RuleReport {
    struct Effect {
        int64_t matches = 0;                ///< jobs without a type of their own for which it holds
        int64_t takes = 0;                  ///< … and no earlier rule: these get its type
        int64_t gpuSeconds = 0;             ///< of those taken
        std::vector<std::string> examples;  ///< first names (or ids) of those taken
    };
    std::vector<Effect> effects;  ///< as the rules
    int64_t jobs = 0;             ///< GPU jobs
    int64_t gpuSeconds = 0;
    int64_t typed = 0;  ///< GPU jobs whose type the data gives; rules leave them alone
    int64_t typedGpuSeconds = 0;
    int64_t unclassified = 0;
    int64_t unclassifiedGpuSeconds = 0;
};

/// The workload types of a site: the first rule that holds names the type of a GPU job. A type
/// that the data gives stands.
class WorkloadRules {
public:
    /// INVALID_ARGUMENT: a sentence with file and line for each mistake.
    static StatusOr<WorkloadRules> parse(std::string_view toml, const std::string& path);
    static StatusOr<WorkloadRules> read(const std::string& path);
    /// resources/workload_types.toml, as it was when this was built.
    static WorkloadRules builtIn();

    std::span<const WorkloadRule> rules() const { return m_rules; }

    /// What the rules would do, changing nothing.
    RuleReport dryRun(const JobTable& table) const;
    /// Writes the types into the table.
    RuleReport apply(JobTable& table) const;

private:
    RuleReport run(const JobTable& table, std::vector<uint32_t>* ruleOfRow) const;
    std::vector<WorkloadRule> m_rules;
};

/// The types that rules may name.
std::span<const std::string_view> workloadTypes();

}  // namespace yard::analytics
