#include <fmt/format.h>
#include <sys/resource.h>

#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "backend/base/text.h"
#include "backend/diagnosis/log_scanner.h"
#include "backend/diagnosis/root_cause.h"
#include "backend/diagnosis/shipped_rules.h"
#include "backend/diagnosis/template_miner.h"
#include "tests/bench/diagnosis/generated_log.h"

/// diagnosis_meter generate FILE MIB SEED | patterns FILE | scan FILE | mine FILE
/// Seconds are of the processor. Measures one thing a run, so that peak memory belongs to it;
/// compare.sh puts ripgrep beside it.

namespace {

using namespace yard;

/// Processor time of this process: other programs on the machine do not count.
double cpuSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
}

double peakMib()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_maxrss) / 1024;
}

/// The shipped patterns without names of groups: ripgrep joins them all into one.
int writePatterns(const std::string& path)
{
    const auto rules = diagnosis::shippedRules();
    if (!rules.ok())
        return 1;
    std::ofstream out(path);
    for (const diagnosis::Rule& rule : *rules) {
        for (std::string pattern : rule.patterns) {
            for (size_t at = pattern.find("(?P<"); at != std::string::npos;
                 at = pattern.find("(?P<", at))
                pattern.replace(at, pattern.find('>', at) - at + 1, "(?:");
            out << pattern << '\n';
        }
    }
    return out.good() ? 0 : 1;
}

int scan(const std::string& path)
{
    double begin = cpuSeconds();
    auto rules = diagnosis::shippedRules();
    if (!rules.ok())
        return 1;
    const auto set = diagnosis::RuleSet::build(*std::move(rules));
    if (!set.ok())
        return 1;
    const double compiled = cpuSeconds() - begin;
    begin = cpuSeconds();
    const auto facts = diagnosis::scanFile(*set, path);
    if (!facts.ok())
        return 1;
    const domain::Verdict verdict = diagnosis::judge(*set, *facts);
    const double seconds = cpuSeconds() - begin;
    fmt::print(
        "scan: {:.2f} s for {} lines, {:.0f} MB/s; rules ready in {:.2f} s; peak {:.0f} MiB; "
        "{} at {}\n",
        seconds, facts->lines, double(facts->bytes) / 1e6 / seconds, compiled, peakMib(),
        domain::name(verdict.reason), verdict.node);
    return 0;
}

int mine(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string block(4 << 20, '\0');
    std::string rest;
    diagnosis::TemplateMiner miner;
    double seconds = 0;
    while (file.read(block.data(), std::streamsize(block.size())), file.gcount() > 0) {
        const std::string_view bytes = std::string_view(block).substr(0, size_t(file.gcount()));
        const size_t end = bytes.rfind('\n');
        rest += bytes.substr(0, end);
        const double begin = cpuSeconds();
        for (size_t at = 0; at < rest.size();) {
            const size_t stop = std::min(rest.find('\n', at), rest.size());
            miner.add(std::string_view(rest).substr(at, stop - at));
            at = stop + 1;
        }
        seconds += cpuSeconds() - begin;
        rest.assign(end == std::string_view::npos ? std::string_view() : bytes.substr(end + 1));
    }
    fmt::print("mine: {:.2f} million lines/s, {} lines, {} templates; peak {:.0f} MiB\n",
               double(miner.lines()) / 1e6 / seconds, miner.lines(), miner.templates().size(),
               peakMib());
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv, argv + argc);
    if (words.size() == 5 && words[1] == "generate") {
        const auto mib = text::number<uint64_t>(words[3]);
        const auto seed = text::number<uint64_t>(words[4]);
        return mib && seed && writeLog(words[2], *mib << 20, *seed) ? 0 : 1;
    }
    if (words.size() == 3 && words[1] == "patterns")
        return writePatterns(words[2]);
    if (words.size() == 3 && words[1] == "scan")
        return scan(words[2]);
    if (words.size() == 3 && words[1] == "mine")
        return mine(words[2]);
    fmt::print(stderr,
               "usage: diagnosis_meter generate FILE MIB SEED | patterns FILE | scan FILE | "
               "mine FILE\n");
    return 2;
}
