#include "backend/diagnosis/root_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "backend/diagnosis/candidates.h"
#include "backend/diagnosis/culprit.h"
#include "backend/diagnosis/witness_time.h"

namespace yard::diagnosis {
namespace {

using domain::Certainty;
using domain::EvidenceLine;
using domain::Reason;
using domain::Verdict;

constexpr double kMinSilence = 300;     // seconds without progress that may be a hang
constexpr double kMinSilentSteps = 20;  // and in steps of the job's own pace
constexpr double kMinBeats = 1200;      // seconds, where steps carry no time of their own
constexpr uint64_t kMinAdvances = 3;    // fewer steps say nothing of a pace
constexpr size_t kMaxEvidence = 12;
constexpr size_t kMaxConsequences = 8;

/// How long nothing has moved at the end of a log.
struct Silence {
    double seconds = 0;
    double pace = 0;  ///< seconds from one line of progress to the next
    bool isHang = false;
};

/// Whether a time that another program wrote into a line may be off by a zone only.
bool mayBeOfAnotherZone(const Stamp& stamp, double since, double pace)
{
    constexpr double kZoneStep = 1800;
    return stamp.isQuoted && since >= kZoneStep &&
           std::fmod(since, kZoneStep) < std::max(90.0, 3 * pace);
}

/// "4200/4200 [": the last step there is.
bool hasReachedTheEnd(std::string_view text)
{
    for (size_t slash = text.find('/'); slash != std::string_view::npos;
         slash = text.find('/', slash + 1)) {
        size_t begin = slash;
        while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9')
            --begin;
        const size_t length = slash - begin;
        const std::string_view behind = text.substr(slash + 1);
        if (length > 0 && behind.starts_with(text.substr(begin, length)) &&
            (behind.size() == length || behind[length] < '0' || behind[length] > '9'))
            return true;
    }
    return false;
}

class Judge {
public:
    Judge(const RuleSet& rules, const LogFacts& facts, const KernelWitness* kernel)
        : m_rules(rules)
        , m_facts(facts)
        , m_kernel(kernel)
        , m_survival(rules, facts)
        , m_candidates(candidatesOf(rules, facts))
    {
        if (kernel == nullptr)
            return;
        // An old fault of the same node explains nothing today.
        const Candidate* const logged = root();
        const auto when = failureTime(
            facts, logged == nullptr ? nullptr : &facts.findings[logged->findings.front()]);
        m_kernelFacts = when ? nearInTime(kernel->facts, *when) : kernel->facts;
        m_kernelCandidates = candidatesOf(rules, m_kernelFacts);
    }
    Verdict run();

private:
    const Rule* ruleOf(const Finding& finding) const
    {
        return finding.rule == kOtherException ? nullptr : &m_rules.rules()[finding.rule];
    }
    /// The last finding of a role; nullptr if there is none.
    const Finding* last(Role role, int minWeight = 0) const;
    const Finding* first(Role role) const;

    const Candidate* root() const;
    const Candidate* earliest(Tier tier) const;
    const Candidate* hardware() const;
    const Candidate* feltBefore(const Candidate* cause) const;
    const Candidate* kernelRoot(const Candidate* logged) const;
    bool isExplainedByHardware(const Candidate& cause, const Candidate& hardware) const;
    bool isFinished(const Candidate* root) const;
    const Finding* cancel(const Candidate* root) const;
    Silence silence() const;
    std::vector<size_t> inTime(std::vector<size_t> findings) const;

    Verdict ofCandidate(const Candidate& root) const;
    Verdict ofKernel(const Candidate& root, const Candidate* logged) const;
    Verdict ofSpike(const ProgressWatch::Spike& spike) const;
    Verdict ofHang(const Silence& silence) const;
    Verdict ofCancel(const Finding& finding) const;
    Verdict ofUnknown(const Finding& fatal) const;
    Verdict ofHealth(const Finding* finished) const;
    void takeAdvice(Verdict& verdict, const Candidate& root) const;
    void addConsequences(Verdict& verdict, const Candidate* root) const;
    Certainty certaintyOf(const Candidate& root) const;

    const RuleSet& m_rules;
    const LogFacts& m_facts;
    const KernelWitness* m_kernel;
    const Survival m_survival;
    std::vector<Candidate> m_candidates;
    LogFacts m_kernelFacts;  ///< near in time
    std::vector<Candidate> m_kernelCandidates;
};

EvidenceLine evidence(const Finding& finding, std::string note, std::string source = {})
{
    return {finding.line, finding.text, std::move(source), std::move(note)};
}

const Finding* Judge::last(Role role, int minWeight) const
{
    for (auto it = m_facts.findings.rbegin(); it != m_facts.findings.rend(); ++it) {
        const Rule* const rule = ruleOf(*it);
        if (rule != nullptr && rule->role == role && rule->weight >= minWeight)
            return &*it;
    }
    return nullptr;
}

const Finding* Judge::first(Role role) const
{
    for (const Finding& finding : m_facts.findings) {
        const Rule* const rule = ruleOf(finding);
        if (rule == nullptr || rule->role != role || m_survival.covers(finding))
            continue;
        // A program that gave up goes no step further.
        if (!rule->isProse || finding.progressBefore == m_facts.progress.count())
            return &finding;
    }
    return nullptr;
}

const Candidate* Judge::earliest(Tier tier) const
{
    const Candidate* best = nullptr;
    for (const Candidate& candidate : m_candidates) {
        if (candidate.tier == tier && (best == nullptr || candidate.line < best->line))
            best = &candidate;
    }
    if (tier != Tier::Soft || best == nullptr)
        return best;
    // What a program only prints comes with a frame around it: "Exception in thread …", then
    // "Caused by: …".
    constexpr uint64_t kOneReport = 40;  // lines
    const Candidate* exact = best;
    for (const Candidate& candidate : m_candidates) {
        if (candidate.tier == tier && candidate.line <= best->line + kOneReport &&
            candidate.weight > exact->weight && best->weight <= 15)
            exact = &candidate;
    }
    return exact;
}

/// The first broken part; of one moment the more exact.
const Candidate* Judge::hardware() const
{
    const Candidate* const first = earliest(Tier::Hardware);
    if (first == nullptr)
        return nullptr;
    constexpr uint64_t kOneMoment = 6;  // lines
    const Candidate* best = first;
    for (const Candidate& candidate : m_candidates) {
        if (candidate.tier == Tier::Hardware && candidate.line <= first->line + kOneMoment &&
            candidate.weight > best->weight)
            best = &candidate;
    }
    return best;
}

/// Whether a process that complains so may only have felt the broken part.
bool Judge::isExplainedByHardware(const Candidate& cause, const Candidate& hardware) const
{
    if (cause.isGeneric || cause.weight <= 15)
        return true;
    if (cause.reason == Reason::ConnectionError)
        return hardware.reason == Reason::NodeFailure || hardware.reason == Reason::NetworkError;
    return false;
}

/// What a vague exception or an abort behind it only passes on.
const Candidate* Judge::feltBefore(const Candidate* cause) const
{
    constexpr uint64_t kOneReport = 60;  // lines
    if (cause == nullptr || cause->weight > 15)
        return nullptr;
    const bool isCrash =
        cause->rule != kOtherException && m_rules.rules()[cause->rule].id == "crash.native";
    const bool isWrapper =
        std::all_of(cause->findings.begin(), cause->findings.end(),
                    [this](size_t place) { return m_facts.findings[place].isWrapped; });
    for (const Tier tier : {Tier::Connection, Tier::Peer, Tier::Timeout}) {
        const Candidate* const felt = earliest(tier);
        if (felt == nullptr)
            continue;
        const Finding& one = m_facts.findings[felt->findings.front()];
        const Finding& other = m_facts.findings[cause->findings.front()];
        const bool isSame =  // process, that waited in vain before it ended
            tier == Tier::Timeout && one.rank == other.rank && one.task == other.task &&
            one.host == other.host && one.pod == other.pod && one.pid == other.pid;
        if ((isSame || isCrash || isWrapper || felt->reason == Reason::NetworkError) &&
            felt->line < cause->line && cause->line - felt->line <= kOneReport)
            return felt;
    }
    return nullptr;
}

const Candidate* Judge::root() const
{
    const Candidate* const broken = hardware();
    const Candidate* cause = earliest(Tier::Cause);
    // A killed loader is told apart from the killer that the kernel names.
    for (const Candidate& candidate : m_candidates) {
        if (cause != nullptr && candidate.reason == Reason::DataloaderKilled &&
            candidate.tier == Tier::Cause && cause->reason == Reason::OutOfMemoryError)
            cause = &candidate;
    }
    // "RuntimeError" of whatever text says less than what follows it by the same process.
    if (broken != nullptr && cause != nullptr)
        return cause->line < broken->line && !isExplainedByHardware(*cause, *broken) ? cause
                                                                                     : broken;
    if (const Candidate* const felt = feltBefore(cause); broken == nullptr && felt != nullptr)
        return felt;
    if (broken != nullptr || cause != nullptr)
        return broken != nullptr ? broken : cause;
    for (const Tier tier : {Tier::Soft, Tier::Connection, Tier::Peer, Tier::Timeout}) {
        const Candidate* const found = earliest(tier);
        const Candidate* const felt = tier == Tier::Soft ? feltBefore(found) : nullptr;
        if (found != nullptr)
            return felt != nullptr ? felt : found;
    }
    return nullptr;
}

/// A part that the kernel calls broken, if it explains what the log shows.
const Candidate* Judge::kernelRoot(const Candidate* logged) const
{
    const Candidate* best = nullptr;
    for (const Candidate& candidate : m_kernelCandidates) {
        const bool isFault =
            candidate.tier == Tier::Hardware || candidate.reason == Reason::OutOfMemoryError;
        if (isFault && (best == nullptr || candidate.weight > best->weight))
            best = &candidate;
    }
    if (best == nullptr)
        return nullptr;
    if (logged == nullptr)
        return best;
    const bool isConsequence =
        logged->tier >= Tier::Connection || logged->isGeneric || logged->weight <= 15;
    return isConsequence && logged->tier != Tier::Hardware ? best : nullptr;
}

bool Judge::isFinished(const Candidate* root) const
{
    const Finding* const done = last(Role::Finished);
    if (done == nullptr)
        return false;
    const Finding* const strong = last(Role::Finished, 80);
    // What a launcher says of a failure behind it takes it back.
    const auto isTakenBack = [this](uint64_t line) {
        return std::any_of(
            m_facts.findings.begin(), m_facts.findings.end(), [&](const Finding& finding) {
                const Rule* const rule = ruleOf(finding);
                return rule != nullptr && rule->role == Role::Fatal && !finding.isWeak &&
                       finding.line >= line && rule->id != "launcher.kills";
            });
    };
    if (strong != nullptr && !isTakenBack(strong->line))
        return root == nullptr || root->line < strong->line || root->tier >= Tier::Connection;
    if (isTakenBack(done->line))
        return false;
    return root == nullptr || root->tier >= Tier::Peer;
}

const Finding* Judge::cancel(const Candidate* root) const
{
    const Finding* const cancelled = first(Role::Cancel);
    const bool isOfRoot = cancelled != nullptr && root != nullptr &&
                          cancelled->line == root->line && root->tier == Tier::Hardware;
    if (cancelled != nullptr && !isOfRoot && (root == nullptr || cancelled->line <= root->line))
        return cancelled;
    const Finding* const stopped = first(Role::Stopped);
    if (stopped == nullptr)
        return nullptr;
    // A signal from outside is a cancel only if nothing came before it.
    const Finding* const fatal = first(Role::Fatal);
    const bool isFirst = root == nullptr || root->tier >= Tier::Fallback ||
                         (root->line > stopped->line && root->tier >= Tier::Connection);
    const bool isBeforeFatal =
        fatal == nullptr || stopped->line <= fatal->line || ruleOf(*fatal)->id == "launcher.kills";
    return isFirst && isBeforeFatal ? stopped : nullptr;
}

Silence Judge::silence() const
{
    Silence silence;
    if (m_facts.progress.advances() < kMinAdvances || hasReachedTheEnd(m_facts.lastProgress))
        return silence;
    const auto& steps = m_facts.progressStamps;
    std::vector<double> paces;
    for (size_t i = 1; i < steps.size(); ++i)
        paces.push_back(std::max(0.0, steps[i].seconds - steps[i - 1].seconds));
    if (!paces.empty()) {
        const auto middle = paces.begin() + std::ptrdiff_t(paces.size() / 2);
        std::nth_element(paces.begin(), middle, paces.end());
        silence.pace = *middle;
    }
    if (steps.size() >= 3) {
        for (const Stamp& stamp : m_facts.tailStamps) {
            if (stamp.hasDate != steps.back().hasDate)
                continue;
            double since = stamp.seconds - steps.back().seconds;
            if (!stamp.hasDate && since < 0)
                since += 86400;
            if (since < 30 * 86400.0 && !mayBeOfAnotherZone(stamp, since, silence.pace))
                silence.seconds = std::max(silence.seconds, since);
        }
        silence.isHang =
            silence.seconds >= kMinSilence && silence.seconds >= kMinSilentSteps * silence.pace;
    }
    // Steps without a time: those who look at the job tell how long it has stood still.
    const auto& beat = m_facts.heartbeat;
    if (beat && !silence.isHang) {
        silence.isHang =
            beat->seconds >= kMinBeats && beat->seconds >= kMinSilentSteps * silence.pace;
        silence.seconds = std::max(silence.seconds, beat->seconds);
    }
    return silence;
}

Certainty Judge::certaintyOf(const Candidate& root) const
{
    switch (root.tier) {
        case Tier::Hardware:
            return Certainty::Established;
        case Tier::Cause:
            return root.isGeneric || root.rule == kOtherException ? Certainty::Likely
                                                                  : Certainty::Established;
        case Tier::Soft:
        case Tier::Connection:
            return Certainty::Likely;
        default:
            return Certainty::Possible;
    }
}

void Judge::takeAdvice(Verdict& verdict, const Candidate& root) const
{
    if (root.rule == kOtherException) {
        verdict.cause = "The program ended with an exception that no rule knows.";
        verdict.advice = "Send it back to its author with the traceback.";
        return;
    }
    const Rule& rule = m_rules.rules()[root.rule];
    verdict.rule = rule.id;
    verdict.cause = rule.cause;
    verdict.advice = rule.advice;
    verdict.shouldRestart = rule.mayRestart;
    if (rule.mayCordon && !m_facts.placement.isPod(verdict.node))
        verdict.cordonNode = verdict.node;
    if (rule.mayCordon && verdict.cordonNode.empty())
        verdict.advice =
            "The log does not name the node: find it in the scheduler's record and "
            "the kernel logs. Then: " +
            rule.advice;
}

void Judge::addConsequences(Verdict& verdict, const Candidate* root) const
{
    std::set<uint64_t> told;
    for (const EvidenceLine& line : verdict.evidence)
        told.insert(line.source.empty() ? line.line : 0);
    const auto tell = [&](const Finding& finding, std::string note) {
        if (verdict.consequences.size() < kMaxConsequences && told.insert(finding.line).second)
            verdict.consequences.push_back(evidence(finding, std::move(note)));
    };
    for (const Candidate& candidate : m_candidates) {
        if (&candidate == root)
            continue;
        std::set<int> ranks;
        for (const size_t place : candidate.findings) {
            if (m_facts.findings[place].rank)
                ranks.insert(*m_facts.findings[place].rank);
        }
        const std::string_view reason = domain::name(candidate.reason);
        tell(m_facts.findings[candidate.findings.front()],
             ranks.size() > 1 ? fmt::format("{}, {} ranks", reason, ranks.size())
                              : std::string(reason));
    }
    if (const Finding* const fatal = first(Role::Fatal))
        tell(*fatal, "the end, as a launcher saw it");
}

/// Logs collected node by node are not in the order of time: where every line has one, it decides.
std::vector<size_t> Judge::inTime(std::vector<size_t> findings) const
{
    const bool isTimed = std::all_of(findings.begin(), findings.end(), [this](size_t place) {
        const Finding& finding = m_facts.findings[place];
        return finding.seconds && finding.hasDate;
    });
    if (isTimed)
        std::stable_sort(findings.begin(), findings.end(), [this](size_t a, size_t b) {
            return *m_facts.findings[a].seconds < *m_facts.findings[b].seconds;
        });
    return findings;
}

Verdict Judge::ofCandidate(const Candidate& root) const
{
    Verdict verdict;
    verdict.reason = root.reason;
    verdict.certainty = certaintyOf(root);
    const Culprit culprit = culpritOf(m_rules, m_facts, root, m_candidates);
    verdict.node = culprit.node;
    verdict.rank = culprit.rank;
    verdict.gpu = culprit.gpu;
    takeAdvice(verdict, root);
    const std::vector<size_t> findings = inTime(root.findings);
    const size_t shown = std::min(findings.size(), kMaxEvidence);
    for (size_t i = 0; i < shown; ++i)
        verdict.evidence.push_back(evidence(
            m_facts.findings[findings[i]],
            i == 0 ? (culprit.how.empty() ? "the first line that shows it" : culprit.how) : ""));
    const size_t speakers = root.findings.size();
    verdict.symptom = speakers > 1
                          ? fmt::format("The job failed; {} lines show the same cause.", speakers)
                          : std::string("The job failed.");
    addConsequences(verdict, &root);
    return verdict;
}

Verdict Judge::ofKernel(const Candidate& root, const Candidate* logged) const
{
    Verdict verdict;
    verdict.reason = root.reason;
    verdict.certainty = logged != nullptr ? Certainty::Established : Certainty::Likely;
    Culprit culprit = culpritInKernel(m_kernelFacts, root);
    if (logged != nullptr) {
        const Culprit process = culpritOf(m_rules, m_facts, *logged, m_candidates);
        if (culprit.node.empty())
            culprit.node = process.node;
        if (process.node.empty() || process.node == culprit.node)
            culprit.rank = process.rank;
    }
    verdict.node = culprit.node;
    verdict.rank = culprit.rank;
    verdict.gpu = culprit.gpu;
    takeAdvice(verdict, root);
    verdict.symptom = "The job failed; the kernel log says why.";
    if (logged != nullptr)
        verdict.evidence.push_back(
            evidence(m_facts.findings[logged->findings.front()], "what the job felt"));
    for (const size_t place : root.findings) {
        if (verdict.evidence.size() < kMaxEvidence)
            verdict.evidence.push_back(evidence(m_kernelFacts.findings[place],
                                                "what the kernel reports", m_kernel->source));
    }
    addConsequences(verdict, logged);
    return verdict;
}

Verdict Judge::ofSpike(const ProgressWatch::Spike& spike) const
{
    Verdict verdict;
    verdict.reason = Reason::LossSpike;
    verdict.certainty = Certainty::Likely;
    verdict.symptom = spike.isNan ? std::string("The loss is no number any more.")
                                  : fmt::format(
                                        "The loss jumped from {:.3g} to {:.3g} and did not come "
                                        "back.",
                                        spike.before, spike.after);
    verdict.cause = "Training diverges.";
    verdict.advice =
        "Go back to a checkpoint before this line, skip the data of that stretch or lower the "
        "learning rate, and restart.";
    verdict.shouldRestart = true;
    verdict.evidence.push_back({spike.line, "", "", "the loss jumps here"});
    return verdict;
}

Verdict Judge::ofHang(const Silence& silence) const
{
    Verdict verdict;
    verdict.reason = Reason::Hang;
    verdict.certainty = Certainty::Likely;
    verdict.symptom = silence.isHang
                          ? fmt::format(
                                "The job printed nothing of its work for {:.0f} minutes; "
                                "before, it did so every {:.0f} s.",
                                silence.seconds / 60, std::max(1.0, silence.pace))
                          : std::string("The job's output stopped, and a watcher says so.");
    verdict.cause = "No error stands in the log; the processes wait for something.";
    verdict.advice =
        "Take the stacks of all ranks (py-spy, gdb) before it is stopped; restart from the last "
        "checkpoint.";
    verdict.shouldRestart = true;
    const Culprit culprit = culpritOfStall(m_rules, m_facts);
    verdict.node = culprit.node;
    verdict.rank = culprit.rank;
    const auto& beat = m_facts.heartbeat;
    const uint64_t lastWork = m_facts.progress.lastAdvance();
    if (beat && beat->line > lastWork + 1)
        verdict.evidence.push_back(
            {beat->line - 1, "", "", "the last line before only watchers speak"});
    verdict.evidence.push_back({lastWork, "", "", "the last line that shows progress"});
    if (const Finding* const stalled = last(Role::Stalled))
        verdict.evidence.push_back(evidence(*stalled, "a watcher"));
    return verdict;
}

Verdict Judge::ofCancel(const Finding& finding) const
{
    Verdict verdict;
    verdict.reason = Reason::Cancelled;
    const bool isSaid = ruleOf(finding)->role == Role::Cancel;
    verdict.certainty = isSaid ? Certainty::Established : Certainty::Likely;
    verdict.rule = ruleOf(finding)->id;
    verdict.symptom = "The job was stopped; it did not fail.";
    verdict.cause = isSaid ? ruleOf(finding)->cause
                           : "A signal came from outside, and nothing failed before it.";
    verdict.advice = isSaid ? ruleOf(finding)->advice
                            : "Nothing to repair. Start it again only if its owner wants it.";
    verdict.evidence.push_back(evidence(finding, "the stop"));
    addConsequences(verdict, nullptr);
    return verdict;
}

Verdict Judge::ofUnknown(const Finding& fatal) const
{
    Verdict verdict;
    verdict.reason = Reason::Unknown;
    verdict.certainty = Certainty::Unknown;
    verdict.symptom = "The job failed.";
    verdict.cause = "The log does not say why.";
    verdict.advice =
        "Look at the output of the rank that died first, the kernel log of its node and the "
        "scheduler's record.";
    const Culprit culprit = culpritOfEnd(m_rules, m_facts, fatal);
    verdict.node = culprit.node;
    verdict.rank = culprit.rank;
    verdict.evidence.push_back(evidence(fatal, "the first sign of the end"));
    return verdict;
}

Verdict Judge::ofHealth(const Finding* finished) const
{
    Verdict verdict;
    verdict.reason = Reason::NoFailure;
    verdict.certainty = finished != nullptr ? Certainty::Established : Certainty::Likely;
    verdict.symptom = finished != nullptr ? "The job has done its work."
                                          : "The log shows no failure; the job may still run.";
    verdict.cause = "";
    verdict.advice = "Nothing to do.";
    if (finished == nullptr && m_facts.progress.count() == 0 && !m_facts.showsWork) {
        verdict.reason = Reason::Unknown;
        verdict.certainty = Certainty::Unknown;
        verdict.symptom =
            "No failure is to be seen, but no step of any work and no end either: this may be no "
            "job's log, or only its beginning.";
        verdict.advice = "Look at the job itself if it should be at work.";
    }
    if (finished != nullptr)
        verdict.evidence.push_back(evidence(*finished, "the job says so"));
    return verdict;
}

Verdict Judge::run()
{
    const Candidate* const found = root();
    if (isFinished(found))
        return ofHealth(last(Role::Finished));
    const Silence quiet = silence();
    const Finding* const stalled = last(Role::Stalled);
    const bool isStalled = quiet.isHang || (stalled != nullptr && m_facts.progress.count() > 0 &&
                                            stalled->line > m_facts.progress.lastAdvance());
    const Finding* const cancelled = cancel(found);
    const auto spike = m_facts.progress.spike();
    const bool isLost = found == nullptr || found->tier >= Tier::Timeout;
    if (cancelled != nullptr) {
        // A job that stops itself was alive.
        const bool wasHung = isStalled && ruleOf(*cancelled)->id != "cancel.own-limit" &&
                             cancelled->line > m_facts.progress.lastAdvance();
        if (wasHung)
            return ofHang(quiet);
        if (spike)
            return ofSpike(*spike);
        return ofCancel(*cancelled);
    }
    if (spike && (isLost || (found->reason == Reason::RuntimeError && spike->line < found->line)))
        return ofSpike(*spike);
    if (const Candidate* const kernel = kernelRoot(found);
        kernel != nullptr && (found != nullptr || first(Role::Fatal) != nullptr))
        return ofKernel(*kernel, found);
    if (found != nullptr) {
        Verdict verdict = ofCandidate(*found);
        // A guard speaks last: the loss rose before.
        if (spike && found->reason == Reason::LossSpike && spike->line < found->line)
            verdict.evidence.insert(verdict.evidence.begin(),
                                    {spike->line, "", "", "the loss jumps here"});
        return verdict;
    }
    if (isStalled)
        return ofHang(quiet);
    const Finding* const fatal = first(Role::Fatal);
    const Candidate* const fallback = earliest(Tier::Fallback);
    if (fallback != nullptr) {
        Verdict verdict = ofCandidate(*fallback);
        verdict.reason = Reason::Unknown;
        return verdict;
    }
    const Candidate* const weak = earliest(Tier::Weak);
    if (fatal != nullptr && !fatal->isWeak && weak != nullptr)
        return ofCandidate(*weak);
    if (fatal != nullptr && !fatal->isWeak)
        return ofUnknown(*fatal);
    return ofHealth(nullptr);
}

}  // namespace

Verdict judge(const RuleSet& rules, const LogFacts& facts, const KernelWitness* kernel)
{
    return Judge(rules, facts, kernel).run();
}

}  // namespace yard::diagnosis
