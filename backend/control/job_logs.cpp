#include "backend/control/job_logs.h"

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>

#include "backend/base/log.h"
#include "backend/base/text.h"
#include "backend/diagnosis/root_cause.h"
#include "backend/diagnosis/shipped_rules.h"

namespace yard::control {
namespace {

constexpr int kMostPiecesAtEnd = 64;
constexpr size_t kKeptOfEnd = 2048;  // shown where no rule answers
constexpr size_t kLastLines = 5;

std::optional<uid_t> uidOf(const std::string& user)
{
    if (const auto number = text::number<uid_t>(user))
        return number;
    std::array<char, 4096> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    if (getpwnam_r(user.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || !found)
        return std::nullopt;
    return entry.pw_uid;
}

std::string realPath(int file)
{
    std::string path(4096, '\0');
    const std::string link = fmt::format("/proc/self/fd/{}", file);
    const ssize_t length = readlink(link.c_str(), path.data(), path.size());
    path.resize(size_t(std::max<ssize_t>(0, length)));
    return path;
}

bool isBelow(std::string_view path, std::string_view root)
{
    while (root.ends_with('/'))
        root.remove_suffix(1);
    return path.starts_with(root) && path.size() > root.size() && path[root.size()] == '/';
}

}  // namespace

Status mayReadLog(int file, const std::string& path, const std::string& user,
                  const std::vector<std::string>& roots)
{
    struct stat found {};
    const std::optional<uid_t> uid = uidOf(user);
    if (fstat(file, &found) != 0 || !uid)
        return absl::PermissionDeniedError(fmt::format(
            "The job log {} is not read: this machine does not know the user {}.", path, user));
    if (found.st_uid != *uid)
        return absl::PermissionDeniedError(
            fmt::format("The job log {} is not read: it belongs to user {} and not to {}, whose "
                        "job it is.",
                        path, found.st_uid, user));
    const std::string real = realPath(file);
    if (std::none_of(roots.begin(), roots.end(),
                     [&](const std::string& root) { return isBelow(real, root); }))
        return absl::PermissionDeniedError(fmt::format(
            "The job log {} is not read: it lies outside of [incidents] log_roots.", path));
    return absl::OkStatus();
}

struct JobLogs::Log {
    Log(const JobLogFile& from, const Options& options)
        : file(from)
        , follower(from.path, options.historyLimit, "job log",
                   [from, roots = options.roots](int opened) {
                       return mayReadLog(opened, from.path, from.user, roots);
                   })
    {
    }

    const JobLogFile file;
    telemetry::LogFollower follower;
    std::unique_ptr<diagnosis::LogScanner> scanner;
    std::string end;
    uint64_t lines = 0;
};

namespace {

/// The last lines of a log that says nothing of a cause.
void addLastLines(std::string_view end, uint64_t lines, domain::Verdict& verdict)
{
    std::vector<domain::EvidenceLine> last;
    const auto all = text::lines(end);
    for (size_t i = all.size(); i > 0 && last.size() < kLastLines; --i) {
        const std::string_view line = text::trimmed(all[i - 1]);
        if (!line.empty())
            last.push_back(
                {lines - (all.size() - i), text::validUtf8(line), "", "one of the last lines"});
    }
    std::reverse(last.begin(), last.end());
    for (domain::EvidenceLine& line : last)
        if (std::none_of(verdict.evidence.begin(), verdict.evidence.end(),
                         [&](const auto& known) { return known.line == line.line; }))
            verdict.evidence.push_back(std::move(line));
}

}  // namespace

JobLogs::JobLogs(Options options)
    : m_options(std::move(options))
{
}

JobLogs::~JobLogs() = default;

void JobLogs::follow(std::vector<JobLogFile> running)
{
    std::erase_if(running, [](const JobLogFile& file) { return file.path.empty(); });
    if (running.size() > m_options.mostFiles) {
        std::stable_sort(running.begin(), running.end(),
                         [](const auto& a, const auto& b) { return a.gpus > b.gpus; });
        running.resize(m_options.mostFiles);
    }
    std::set<std::string_view> wanted;
    for (const JobLogFile& file : running)
        wanted.insert(file.run);
    std::erase_if(m_logs, [&](const auto& log) { return !wanted.contains(log.first); });
    for (const JobLogFile& file : running)
        if (auto& log = m_logs[file.run]; !log)
            log = std::make_unique<Log>(file, m_options);
}

bool JobLogs::look()
{
    bool hasMore = false;
    for (const auto& [run, log] : m_logs) {
        const StatusOr<bool> more = read(*log);
        hasMore = hasMore || (more.ok() && *more);
        if (log->scanner)
            log->scanner->settle();
    }
    return hasMore;
}

StatusOr<bool> JobLogs::read(Log& log)
{
    StatusOr<telemetry::LogFollower::Piece> piece = log.follower.next();
    if (!piece.ok())
        return piece.status();
    if (!log.scanner) {
        const diagnosis::RuleSet* const known = rules();
        if (!known)
            return absl::InternalError("The rules of diagnosis cannot be read.");
        log.scanner = std::make_unique<diagnosis::LogScanner>(*known, m_options.mostFindings);
    }
    log.scanner->feed(piece->text);
    log.lines += uint64_t(std::count(piece->text.begin(), piece->text.end(), '\n'));
    log.end += piece->text.substr(piece->text.size() - std::min(piece->text.size(), kKeptOfEnd));
    log.end.erase(0, log.end.size() - std::min(log.end.size(), kKeptOfEnd));
    return piece->hasMore;
}

StatusOr<domain::Verdict> JobLogs::finish(const JobLogFile& file)
{
    if (file.path.empty())
        return absl::NotFoundError("The job's output is not kept in a file.");
    std::unique_ptr<Log> log;
    if (const auto known = m_logs.find(file.run); known != m_logs.end()) {
        log = std::move(known->second);
        m_logs.erase(known);
    } else {
        log = std::make_unique<Log>(file, m_options);
    }
    for (int i = 0; i < kMostPiecesAtEnd; ++i) {
        const StatusOr<bool> more = read(*log);
        if (!more.ok())
            return more.status();
        if (!*more)
            break;
    }
    const std::string last = log->follower.unended();
    log->scanner->feed(last);
    if (!last.empty()) {
        log->end += last;
        ++log->lines;
    }
    const diagnosis::LogFacts facts = log->scanner->finish();
    if (facts.bytes == 0)
        return absl::NotFoundError(
            fmt::format("The job log {} is empty: the job printed nothing.", file.path));
    domain::Verdict verdict = diagnosis::judge(*m_rules, facts);
    if (verdict.reason == domain::Reason::Unknown || verdict.reason == domain::Reason::NoFailure)
        addLastLines(log->end, log->lines, verdict);
    return verdict;
}

const diagnosis::RuleSet* JobLogs::rules()
{
    if (m_rules)
        return &*m_rules;
    auto rules = diagnosis::rulesWith(m_options.rulePaths);
    if (!rules.ok()) {
        log::error(fmt::format("The site's rules of diagnosis are left out: {}",
                               std::string(rules.status().message())));
        rules = diagnosis::shippedRules();
    }
    auto set = rules.ok() ? diagnosis::RuleSet::build(*std::move(rules)) : rules.status();
    if (!set.ok()) {
        log::error(std::string(set.status().message()));
        return nullptr;
    }
    m_rules.emplace(*std::move(set));
    return &*m_rules;
}

}  // namespace yard::control
