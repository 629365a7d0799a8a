#include "app/ctl/diagnose.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/ctl/exit_codes.h"
#include "app/ctl/log_quote.h"
#include "app/ctl/verdict_output.h"
#include "backend/base/text.h"
#include "backend/base/whole_file.h"
#include "backend/diagnosis/log_scanner.h"
#include "backend/diagnosis/rare_lines.h"
#include "backend/diagnosis/root_cause.h"
#include "backend/diagnosis/rule_set.h"
#include "backend/diagnosis/shipped_rules.h"

namespace yard::ctl {
namespace {

constexpr const char* kSiteRules = "/etc/yardmaster/rules";

/// The site's own rules, then those named.
std::vector<std::string> rulePaths(const std::vector<std::string>& named)
{
    std::vector<std::string> paths;
    std::error_code error;
    if (std::filesystem::is_directory(kSiteRules, error))
        paths.emplace_back(kSiteRules);
    paths.insert(paths.end(), named.begin(), named.end());
    return paths;
}

StatusOr<diagnosis::RuleSet> ruleSet(const std::vector<std::string>& named)
{
    auto rules = diagnosis::rulesWith(rulePaths(named));
    return rules.ok() ? diagnosis::RuleSet::build(*std::move(rules)) : rules.status();
}

void complain(const Status& status)
{
    fmt::print(stderr, "yardctl: {}\n", text::visibleLines(std::string(status.message())));
}

/// A sentence for each rule whose patterns cannot be searched for.
std::vector<std::string> unsearchable(const std::vector<diagnosis::Rule>& rules)
{
    std::vector<std::string> sentences;
    for (const diagnosis::Rule& rule : rules) {
        const auto alone = diagnosis::RuleSet::build({rule});
        if (!alone.ok())
            sentences.push_back(fmt::format("{}:{}: {}: pattern: {}", rule.file, rule.line, rule.id,
                                            std::string(alone.status().message())));
    }
    return sentences;
}

/// What a file that holds no text begins with; empty for all else.
std::string_view packedAs(const std::string& file)
{
    using namespace std::string_view_literals;
    constexpr std::array kKinds = {std::pair("\x1f\x8b"sv, "gzip"sv),
                                   std::pair("\x28\xb5\x2f\xfd"sv, "zstd"sv),
                                   std::pair("\xfd"
                                             "7zXZ"sv,
                                             "xz"sv),
                                   std::pair("BZh"sv, "bzip2"sv),
                                   std::pair("PK\x03\x04"sv, "zip"sv),
                                   std::pair("\x7f"
                                             "ELF"sv,
                                             "a program"sv)};
    std::array<char, 8> head{};
    const StatusOr<int> opened = openRegularFile(file);
    if (!opened.ok())
        return {};  // whoever reads it says why it cannot be read
    [[maybe_unused]] const ssize_t got = read(*opened, head.data(), head.size());
    close(*opened);
    for (const auto& [bytes, kind] : kKinds)
        if (std::string_view(head.data(), head.size()).starts_with(bytes))
            return kind;
    return {};
}

StatusOr<diagnosis::LogFacts> readLog(const diagnosis::RuleSet& rules, const std::string& file)
{
    if (const std::string_view kind = packedAs(file); !kind.empty())
        return absl::FailedPreconditionError(
            fmt::format("{} is no text, but {}; unpack it first, or name a log.", file, kind));
    auto facts = diagnosis::scanFile(rules, file);
    if (!facts.ok())
        return facts;
    if (facts->bytes == 0)
        return absl::FailedPreconditionError(
            fmt::format("The log {} is empty; nothing can be said of its job.", file));
    if (facts->isBinary && facts->findings.empty())
        return absl::FailedPreconditionError(
            fmt::format("{} is no text, but a binary file; name a log.", file));
    return facts;
}

}  // namespace

int diagnose(const DiagnoseRequest& request)
{
    const auto rules = ruleSet(request.rules);
    if (!rules.ok()) {
        complain(rules.status());
        return BadInput;
    }
    int exitCode = Done;
    std::optional<diagnosis::KernelWitness> kernel;
    if (!request.kernel.empty()) {
        auto facts = diagnosis::scanFile(*rules, request.kernel);
        if (facts.ok()) {
            kernel = diagnosis::KernelWitness{request.kernel, *std::move(facts)};
        } else {
            complain(facts.status());
            exitCode = BadInput;
        }
    }
    VerdictOutput output(request.format);
    for (const std::string& file : request.files) {
        const auto facts = readLog(*rules, file);
        if (!facts.ok()) {
            complain(facts.status());
            exitCode = BadInput;
            continue;
        }
        domain::Verdict verdict = diagnosis::judge(*rules, *facts, kernel ? &*kernel : nullptr);
        quoteLines(file, verdict);
        if (verdict.reason == domain::Reason::Unknown) {
            for (domain::EvidenceLine& line : diagnosis::rareLinesIn(file))
                verdict.evidence.push_back(std::move(line));
        }
        output.write(file, *facts, verdict);
    }
    output.finish();
    return exitCode;
}

int checkRules(const std::vector<std::string>& files)
{
    auto shipped = diagnosis::shippedRules();
    if (!shipped.ok()) {
        complain(shipped.status());
        return BadInput;
    }
    diagnosis::RuleFiles all = diagnosis::readRuleFiles(rulePaths(files), *std::move(shipped));
    std::vector<std::string> mistakes = std::move(all.mistakes);
    const size_t count = all.rules.size();
    const auto set = diagnosis::RuleSet::build(all.rules);
    const auto wrong = set.ok() ? set->wrongExamples() : unsearchable(all.rules);
    mistakes.insert(mistakes.end(), wrong.begin(), wrong.end());
    for (const std::string& mistake : mistakes)
        fmt::print(stderr, "{}\n", text::visible(mistake));
    fmt::print("{} rules, {} mistakes.\n", count, mistakes.size());
    return mistakes.empty() ? Done : BadInput;
}

}  // namespace yard::ctl
