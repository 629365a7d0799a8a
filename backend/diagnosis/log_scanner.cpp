#include "backend/diagnosis/log_scanner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <utility>

#include "backend/base/text.h"
#include "backend/diagnosis/line_head.h"
#include "backend/diagnosis/place_words.h"
#include "backend/diagnosis/traceback_reader.h"

namespace yard::diagnosis {
namespace {

constexpr size_t kBlockSize = 1ul << 20;
constexpr size_t kMaxText = 320;       // kept of a line
constexpr uint32_t kPerSpeaker = 100;  // findings of one rule from one speaker
constexpr size_t kMaxReported = 20'000;
constexpr size_t kProgressStamps = 24;
constexpr size_t kTailSize = 64ul << 10;
constexpr size_t kMostHitsKept = 4096;
constexpr size_t kHeadSize = 200;  // of a line of progress

uint64_t mixed(uint64_t a, uint64_t b)
{
    a ^= b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2);
    return a;
}

uint64_t speakerOf(const LineHead& head)
{
    uint64_t key =
        mixed(std::hash<std::string_view>()(head.host), std::hash<std::string_view>()(head.pod));
    key = mixed(key, uint64_t(head.rank.value_or(-1)));
    key = mixed(key, uint64_t(head.task.value_or(-1)));
    return mixed(key, uint64_t(head.pid.value_or(-1)));
}

uint64_t countLines(const char* from, const char* to)
{
    return uint64_t(std::count(from, to, '\n'));
}

bool looksBinary(std::string_view block)
{
    size_t control = 0;
    for (const char c : block) {
        const auto byte = static_cast<unsigned char>(c);
        control += byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) ? 1 : 0;
    }
    return control * 10 > block.size();
}

bool isNanGradient(std::string_view line)
{
    for (const std::string_view words :
         {"grad_norm': nan", "grad_norm\": nan", "grad_norm: nan", "grad_norm=nan",
          "grad norm: nan", "grad_norm': 'nan", "grad_norm\": NaN", "gnorm nan"}) {
        if (line.find(words) != std::string_view::npos)
            return true;
    }
    return false;
}

/// Several patterns of one rule may each tell a part.
void complete(Fields& fields, const Fields& more)
{
    const auto take = [](auto& mine, const auto& other) {
        if (mine == std::decay_t<decltype(mine)>())
            mine = other;
    };
    take(fields.rank, more.rank);
    take(fields.blamed, more.blamed);
    take(fields.local, more.local);
    take(fields.sequence, more.sequence);
    take(fields.operation, more.operation);
    take(fields.node, more.node);
    take(fields.isHost, more.isHost);
    take(fields.gpu, more.gpu);
    take(fields.peer, more.peer);
    take(fields.ranks, more.ranks);
}

/// The host a heading like "---- dmesg of node (h800-14) ----" names.
std::string_view hostInHeading(std::string_view heading)
{
    std::string_view best;
    size_t begin = 0;
    while (begin < heading.size()) {
        begin = heading.find_first_not_of(" ()[]:,=-#*<>|@\t", begin);
        if (begin == std::string_view::npos)
            break;
        size_t end = heading.find_first_of(" ()[]:,=#*<>|@\t", begin);
        end = end == std::string_view::npos ? heading.size() : end;
        const std::string_view word = heading.substr(begin, end - begin);
        if (looksLikeHost(word) && word.find('/') == std::string_view::npos)
            best = word;
        begin = end;
    }
    return best;
}

}  // namespace

class LogScanner::Pass {
public:
    Pass(const RuleSet& rules, size_t mostFindings)
        : m_rules(rules)
        , m_mostFindings(mostFindings)
    {
    }
    void feed(std::string_view bytes);
    void settle();
    LogFacts finish();

private:
    using Hit = PatternScanner::Hit;

    void readBlock(std::string_view block);
    void readLine(std::string_view line, const Hit* first, const Hit* last);
    void readProgress(std::string_view line, const Hit* first, const Hit* last);
    void readSegment(std::string_view segment, const std::vector<uint32_t>& patterns);
    bool isKnownWork(uint32_t pattern) const;
    void readSummary(const Rule& rule, uint64_t speaker, const Fields& fields);
    void readPlaces(const Rule& rule, const LineHead& head, Fields& fields);
    void readWords(size_t rule, std::string_view segment, Fields& fields);
    void keep(size_t rule, const LineHead& head, std::string_view segment, Fields fields,
              const TracebackReader::Result& traceback, uint64_t speaker);
    void keepTail(std::string_view block, uint64_t firstLine);
    void readTail();

    const RuleSet& m_rules;
    const size_t m_mostFindings;
    std::string m_buffer;
    std::vector<Hit> m_hits;
    const char* m_blockBegin = nullptr;
    uint64_t m_line = 1;  ///< number of the line being read
    TracebackReader m_tracebacks;
    std::unordered_map<uint64_t, uint32_t> m_seen;
    std::unordered_map<uint64_t, std::string> m_summaryHosts;
    std::unordered_map<uint64_t, bool> m_summaryFirst;
    std::string m_section;
    std::optional<int> m_sectionRank;
    uint64_t m_sectionLine = 0;
    std::deque<std::pair<uint64_t, std::string>> m_progressHeads;
    std::string m_tail;
    uint64_t m_tailLine = 1;
    LogFacts m_facts;
};

void LogScanner::Pass::feed(std::string_view bytes)
{
    m_facts.bytes += bytes.size();
    while (!bytes.empty()) {
        const size_t part = std::min(bytes.size(), kBlockSize);
        m_buffer.append(bytes.substr(0, part));
        bytes.remove_prefix(part);
        if (m_buffer.size() < kBlockSize)
            continue;
        size_t end = m_buffer.rfind('\n');
        if (end == std::string::npos) {
            if (m_buffer.size() < 4 * kBlockSize)
                continue;
            // A line without an end: read what there is, at a state of a progress bar if it has
            // any.
            const size_t state = m_buffer.rfind('\r');
            end = state == std::string::npos || state == 0 ? m_buffer.size() - 1 : state - 1;
        }
        readBlock(std::string_view(m_buffer).substr(0, end + 1));
        m_buffer.erase(0, end + 1);
    }
}

void LogScanner::Pass::readBlock(std::string_view block)
{
    std::string plain;
    if (m_facts.bytes > 0 && m_line == 1)
        m_facts.isBinary = looksBinary(block.substr(0, 65536));
    if (block.find('\x1b') != std::string_view::npos) {
        plain = block;
        removeColours(plain);
        block = plain;
    }
    const uint64_t firstLine = m_line;
    m_rules.scanner().scan(block, m_hits);
    const auto byEnd = [](const Hit& a, const Hit& b) {
        return a.end != b.end ? a.end < b.end : a.pattern < b.pattern;
    };
    if (!std::is_sorted(m_hits.begin(), m_hits.end(), byEnd))
        std::sort(m_hits.begin(), m_hits.end(), byEnd);

    const char* const begin = block.data();
    const char* const end = begin + block.size();
    const char* at = begin;  // start of line m_line
    const auto lineEnd = [end](const char* from) {
        const void* const found = std::memchr(from, '\n', size_t(end - from));
        return found == nullptr ? end : static_cast<const char*>(found);
    };
    m_blockBegin = begin;
    size_t i = 0;
    while (i < m_hits.size() || (m_tracebacks.isOpen() && at < end)) {
        if (m_tracebacks.isOpen()) {
            const char* const stop = lineEnd(at);
            const size_t first = i;
            while (i < m_hits.size() && m_hits[i].end <= size_t(stop - begin) + 1)
                ++i;
            readLine({at, size_t(stop - at)}, m_hits.data() + first, m_hits.data() + i);
            if (stop == end) {
                at = end;
                break;
            }
            at = stop + 1;
            ++m_line;
            continue;
        }
        const char* const place = begin + m_hits[i].end - 1;
        const void* const before = place > at ? memrchr(at, '\n', size_t(place - at)) : nullptr;
        if (before != nullptr) {
            const char* const start = static_cast<const char*>(before) + 1;
            m_line += countLines(at, start);
            at = start;
        }
        const char* const stop = lineEnd(place);
        const size_t first = i;
        while (i < m_hits.size() && m_hits[i].end <= size_t(stop - begin) + 1)
            ++i;
        readLine({at, size_t(stop - at)}, m_hits.data() + first, m_hits.data() + i);
        if (stop == end) {
            at = end;
            break;
        }
        at = stop + 1;
        ++m_line;
    }
    m_line += countLines(at, end);
    keepTail(block, firstLine);
}

/// The last lines, over the borders of blocks: a log that grows comes in small ones.
void LogScanner::Pass::keepTail(std::string_view block, uint64_t firstLine)
{
    if (m_tail.empty())
        m_tailLine = firstLine;
    m_tail.append(block.substr(block.size() - std::min(block.size(), kTailSize)));
    m_tail.erase(0, m_tail.size() - std::min(m_tail.size(), kTailSize));
    m_tailLine =
        std::max(m_tailLine, m_line - countLines(m_tail.data(), m_tail.data() + m_tail.size()));
}

void LogScanner::Pass::settle()
{
    const size_t end = m_buffer.rfind('\n');
    if (end == std::string::npos)
        return;
    const std::string rest = m_buffer.substr(end + 1);
    m_buffer.resize(end + 1);
    const std::string lines = std::exchange(m_buffer, rest);
    readBlock(lines);
    if (m_hits.capacity() > kMostHitsKept)
        m_hits = {};
}

void LogScanner::Pass::readProgress(std::string_view line, const Hit* first, const Hit* last)
{
    std::optional<double> loss;
    std::optional<double> step;
    const char* const lineBegin = line.data();
    const char* const lineEnd = lineBegin + line.size();
    for (const Hit* hit = first; hit != last; ++hit) {
        const char* number = m_blockBegin + hit->end - 1;
        if (number < lineBegin || number >= lineEnd)
            continue;
        if (hit->pattern == RuleSet::Loss && !loss) {
            double value = 0;
            if (text::isDigit(*number)) {
                if (std::from_chars(number, lineEnd, value).ec != std::errc())
                    continue;
            } else {
                value = std::numeric_limits<double>::quiet_NaN();
            }
            // A loss of exactly nothing beside gradients that are no numbers is none.
            if (value == 0 && isNanGradient(line))
                value = std::numeric_limits<double>::quiet_NaN();
            loss = value;
            m_facts.progress.noteLoss(m_line, value);
        } else if (hit->pattern == RuleSet::Step && !step) {
            double value = 0;
            const auto [behind, error] =
                std::from_chars(number, lineEnd, value, std::chars_format::fixed);
            // "*** STEP 7781.0 ON node7 CANCELLED": Slurm's word for something else.
            if (error != std::errc() ||
                std::string_view(behind, size_t(lineEnd - behind)).starts_with(" ON "))
                continue;
            m_facts.progress.noteStep(m_line, value);
            step = value;
        }
    }
    const bool isBar =
        std::any_of(first, last, [](const Hit& hit) { return hit.pattern == RuleSet::Bar; });
    if (!isBar && !step && !loss)
        return;
    m_facts.progress.noteLine(m_line, step, loss);
    if (m_facts.progress.lastAdvance() != m_line)
        return;
    if (m_progressHeads.size() == kProgressStamps) {
        std::pair<uint64_t, std::string> oldest = std::move(m_progressHeads.front());
        m_progressHeads.pop_front();
        m_progressHeads.push_back(std::move(oldest));
    } else {
        m_progressHeads.emplace_back();
    }
    m_progressHeads.back().first = m_line;
    m_progressHeads.back().second.assign(line.substr(0, kHeadSize));
}

/// Signs of work are in most lines of a healthy log; one is enough.
bool LogScanner::Pass::isKnownWork(uint32_t pattern) const
{
    return (m_facts.showsWork || m_facts.progress.count() > 0) && pattern >= RuleSet::kTriggers &&
           m_rules.rules()[m_rules.ruleOf(pattern)].role == Role::Progress;
}

void LogScanner::Pass::readLine(std::string_view line, const Hit* first, const Hit* last)
{
    const bool isOpen = m_tracebacks.isOpen();
    bool isProgress = false;
    bool isMore = isOpen;
    for (const Hit* hit = first; hit != last; ++hit) {
        isProgress = isProgress || hit->pattern <= RuleSet::Bar;
        isMore = isMore || (hit->pattern > RuleSet::Bar && !isKnownWork(hit->pattern));
    }
    if (isProgress)
        readProgress(line, first, last);
    if (!isMore)
        return;
    while (line.ends_with('\r'))
        line.remove_suffix(1);
    if (first == last) {
        const size_t state = line.rfind('\r');
        readSegment(state == std::string_view::npos ? line : line.substr(state + 1), {});
        return;
    }
    // Each state of a progress bar is a line of its own.
    std::vector<uint32_t> patterns;
    for (const Hit* hit = first; hit != last;) {
        size_t place =
            size_t(std::max<std::ptrdiff_t>(m_blockBegin + hit->end - 1 - line.data(), 0));
        place = std::min(place, line.empty() ? 0 : line.size() - 1);
        const size_t before = place == 0 ? std::string_view::npos : line.rfind('\r', place - 1);
        const size_t begin = before == std::string_view::npos ? 0 : before + 1;
        const size_t end = std::min(line.find('\r', place), line.size());
        patterns.clear();
        const char* const stop = line.data() + end;
        do {
            if (patterns.empty() || patterns.back() != hit->pattern)
                patterns.push_back(hit->pattern);
            ++hit;
        } while (hit != last && (m_blockBegin + hit->end - 1 <= stop || end == line.size()));
        std::sort(patterns.begin(), patterns.end());
        patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
        if (isOpen || patterns.back() > RuleSet::Bar)
            readSegment(line.substr(begin, end - begin), patterns);
    }
}

void LogScanner::Pass::readSummary(const Rule& rule, uint64_t speaker, const Fields& fields)
{
    if (rule.id == "torchrun.summary-start")
        m_summaryFirst[speaker] = false;
    else if (rule.id == "torchrun.summary-first")
        m_summaryFirst[speaker] = true;
    else if (rule.id == "torchrun.summary-host")
        m_summaryHosts[speaker] = fields.node;
    if (rule.id == "torchrun.summary-rank" && fields.rank &&
        m_facts.reported.size() < kMaxReported) {
        ReportedFailure failure;
        failure.rank = *fields.rank;
        failure.host = m_summaryHosts[speaker];
        failure.isFirst = m_summaryFirst[speaker];
        failure.line = m_line;
        m_facts.placement.noteHost(failure.host);
        m_facts.placement.noteRank(failure.rank, failure.host);
        m_facts.reported.push_back(std::move(failure));
    } else if (rule.id == "torchrun.summary-exit" && fields.code && !m_facts.reported.empty()) {
        m_facts.reported.back().exitCode = *fields.code;
    }
    if (m_summaryHosts.size() > 10'000) {
        m_summaryHosts.clear();
        m_summaryFirst.clear();
    }
}

void LogScanner::Pass::readPlaces(const Rule& rule, const LineHead& head, Fields& fields)
{
    if (rule.id == "section.heading") {
        // "*** JOB 7 ON n1 CANCELLED AT … ***" is no heading.
        if (head.text.find("CANCELLED AT") != std::string_view::npos)
            return;
        m_section = shortHost(hostInHeading(head.text));
        const bool isEnd = head.text.find("End ") != std::string_view::npos ||
                           head.text.find("end of ") != std::string_view::npos;
        if (fields.rank && !isEnd)
            m_sectionRank = fields.rank;
        else if (isEnd || m_sectionLine != m_line)
            m_sectionRank.reset();
        m_sectionLine = m_line;
        if (!m_section.empty())
            m_facts.placement.noteHost(m_section);
        return;
    }
    if (fields.isHost)
        m_facts.placement.noteHost(fields.node);
    if (rule.id == "place.self" && !fields.node.empty()) {
        if (head.task)
            m_facts.placement.noteTaskHost(*head.task, fields.node);
        if (head.rank)
            m_facts.placement.noteRank(*head.rank, fields.node);
    }
    if (rule.id == "place.hosts-with-slots")
        return m_facts.placement.noteSlots(head.text);
    if (rule.id == "place.speaker-ranks") {
        for (const int rank : readRanks(fields.ranks))
            m_facts.placement.noteRank(rank, head.host);
        return;
    }
    if (rule.role == Role::Place && fields.node.empty() && (fields.rank || !fields.peer.empty()))
        fields.node = std::string(head.host);
    if (rule.role == Role::Place || rule.id.starts_with("srun.") || rule.id == "mpirun.aborted" ||
        rule.id == "launcher.raise-from-host")
        m_facts.placement.note(fields);
    if (!fields.ranks.empty() && !fields.node.empty()) {
        for (const int task : readRanks(fields.ranks))
            m_facts.placement.noteTaskHost(task, fields.node);
    }
}

/// What a rule did not take out of the line, but words around it tell.
void LogScanner::Pass::readWords(size_t rule, std::string_view segment, Fields& fields)
{
    if (rule == kOtherException)
        return;
    const Rule& known = m_rules.rules()[rule];
    const bool namesItself = known.role == Role::Hardware || known.role == Role::Stalled ||
                             known.reason == domain::Reason::OutOfMemoryError;
    if (!namesItself && known.role != Role::Cause)
        return;
    const PlaceWords words = readPlaceWords(segment);
    if (!fields.rank)
        fields.rank = words.rank;
    if (!fields.local)
        fields.local = words.localRank;
    if (!namesItself)
        return;  // "cannot reach host n7" speaks of another
    // "Node is not ready": a pattern may take a verb for a name.
    if (!words.pod.empty() && !fields.isHost && !looksLikeHost(fields.node))
        fields.node.clear();
    if (fields.node.empty() && !words.node.empty())
        fields.node = std::string(words.node);
    else if (fields.node.empty() && !words.pod.empty())
        fields.node = std::string(words.pod);
    if (!words.pod.empty()) {
        m_facts.placement.notePod(words.pod);
        if (!words.node.empty())
            m_facts.placement.noteAlias(words.pod, words.node);
    }
}

void LogScanner::Pass::keep(size_t rule, const LineHead& head, std::string_view segment,
                            Fields fields, const TracebackReader::Result& traceback,
                            uint64_t speaker)
{
    uint32_t& seen = m_seen[mixed(uint64_t(rule), speaker)];
    if (++seen > kPerSpeaker || m_facts.findings.size() >= m_mostFindings) {
        ++m_facts.dropped;
        return;
    }
    if (m_seen.size() > 4 * m_mostFindings)
        m_seen.clear();
    readWords(rule, segment, fields);
    Finding finding;
    finding.rule = rule;
    finding.line = m_line;
    const std::string_view said =
        traceback.isFinal ? traceback.exception : text::trimmed(head.text);
    finding.text = text::validUtf8(said.substr(0, kMaxText));
    finding.rank = fields.rank ? fields.rank : head.rank;
    finding.task = head.task;
    finding.host = std::string(head.host);
    finding.pod = std::string(head.pod);
    finding.isWrapped = traceback.isWrapper;
    if (!finding.rank && head.host.empty() && head.pod.empty() && !head.task)
        finding.rank = m_sectionRank;
    finding.section = head.host.empty() && !head.rank ? m_section : std::string();
    finding.pid = head.pid;
    finding.gpu = head.gpu;
    finding.seconds = head.seconds;
    finding.hasDate = head.hasDate;
    finding.chain = traceback.isFinal ? traceback.chain : 0;
    finding.isException = traceback.isFinal;
    finding.isWeak = traceback.isFinal && traceback.pointsElsewhere;
    finding.isWeak |=
        !traceback.isFinal && !head.isKernel &&
        (head.level == Level::Debug || head.level == Level::Info || head.level == Level::Warning);
    finding.progressBefore = m_facts.progress.count();
    finding.stepBefore = m_facts.progress.maxStep();
    finding.fields = std::move(fields);
    m_facts.findings.push_back(std::move(finding));
}

void LogScanner::Pass::readSegment(std::string_view segment, const std::vector<uint32_t>& patterns)
{
    const LineHead head = readHead(segment);
    const uint64_t speaker = speakerOf(head);
    const bool isAsked = !patterns.empty() && patterns.back() >= RuleSet::Traceback;
    TracebackReader::Result traceback;
    if (m_tracebacks.isOpen() || isAsked)
        traceback = m_tracebacks.read(speaker, head.text, m_line);
    if (!head.host.empty() && isAsked && looksLikeHost(head.host))
        m_facts.placement.noteHost(head.host);
    if (!head.host.empty() && head.isKernel)
        m_facts.placement.noteHost(head.host);
    if (head.task)
        m_facts.placement.noteTask(*head.task, head.rank.value_or(-1));
    if (!head.pod.empty())
        m_facts.placement.notePod(head.pod);
    if (head.rank)
        m_facts.placement.noteRank(*head.rank, looksLikeHost(head.host) ? head.host : "");

    struct Match {
        size_t rule;
        Fields fields;
    };
    std::vector<Match> matches;
    bool isBenign = false;
    bool isExplained = false;
    const std::string_view saidInside = text::trimmed(head.text);
    const bool isQuoted = traceback.isInside && !saidInside.starts_with("what()");
    for (const uint32_t pattern : patterns) {
        if (pattern < RuleSet::kTriggers)
            continue;
        const size_t place = m_rules.ruleOf(pattern);
        const Rule& rule = m_rules.rules()[place];
        const bool isOfException = rule.scope == Scope::Exception;
        if (isOfException && !traceback.isFinal)
            continue;
        if (traceback.isIgnored && rule.role <= Role::Stopped)
            continue;
        if (traceback.isWrapper && rule.role <= Role::Fallback &&
            (!isOfException || traceback.inner.empty()))
            continue;
        // What a shell would say in these words, an exception says by its class.
        if (traceback.isFinal && rule.scope == Scope::Shell)
            continue;
        // A line of source in a traceback only quotes what it might say.
        if (isQuoted && rule.role <= Role::Stopped)
            continue;
        if (rule.role == Role::Place) {
            for (Fields& place : m_rules.matchAll(pattern, segment, head.text)) {
                readSummary(rule, speaker, place);
                readPlaces(rule, head, place);
                if (head.task && place.rank)
                    m_facts.placement.noteTask(*head.task, *place.rank);
            }
            continue;
        }
        const std::string_view said =
            traceback.inner.empty() ? traceback.exception : traceback.inner;
        std::optional<Fields> fields = isOfException ? m_rules.match(pattern, said, said)
                                                     : m_rules.match(pattern, segment, head.text);
        if (!fields)
            continue;
        if (rule.role == Role::Benign) {
            isBenign = true;
            continue;
        }
        isExplained = isExplained || rule.role <= Role::Stopped || rule.role == Role::Fatal;
        readSummary(rule, speaker, *fields);
        readPlaces(rule, head, *fields);
        if (head.task && fields->rank)
            m_facts.placement.noteTask(*head.task, *fields->rank);
        if (rule.role == Role::Progress) {
            m_facts.showsWork = true;
            continue;
        }
        if (!matches.empty() && matches.back().rule == place)
            complete(matches.back().fields, *fields);
        else
            matches.push_back({place, *std::move(fields)});
    }
    for (Match& match : matches) {
        const Role role = m_rules.rules()[match.rule].role;
        if (isBenign && role <= Role::Stopped && !traceback.isFinal)
            continue;
        keep(match.rule, head, segment, std::move(match.fields), traceback, speaker);
    }
    if (traceback.isFinal && !traceback.isWrapper && !traceback.isIgnored && !isExplained)
        keep(kOtherException, head, segment, {}, traceback, speaker);
}

void LogScanner::Pass::readTail()
{
    for (const auto& [line, head] : m_progressHeads) {
        std::string_view text = head;
        const size_t state = text.rfind('\r');
        text = state == std::string_view::npos ? text : text.substr(state + 1);
        if (const auto stamp = stampOf(text, line))
            m_facts.progressStamps.push_back(*stamp);
    }
    const uint64_t lastStep = m_facts.progress.lastAdvance();
    uint64_t line = m_tailLine;
    for (const std::string_view text : text::lines(m_tail)) {
        if (line > lastStep) {
            if (const auto stamp = stampOf(text, line))
                m_facts.tailStamps.push_back(*stamp);
        }
        ++line;
    }
    m_facts.heartbeat = heartbeatIn(m_tail, m_tailLine, lastStep);
    if (!m_progressHeads.empty())
        m_facts.lastProgress = m_progressHeads.back().second;
}

LogFacts LogScanner::Pass::finish()
{
    m_facts.isCut = !m_buffer.empty() && !m_buffer.ends_with('\n');
    if (!m_buffer.empty()) {
        if (m_facts.isCut)
            m_buffer += '\n';
        const std::string last = std::move(m_buffer);
        readBlock(last);
    }
    m_facts.lines = m_line - 1;
    readTail();
    return std::move(m_facts);
}

LogScanner::LogScanner(const RuleSet& rules, size_t mostFindings)
    : m_pass(std::make_unique<Pass>(rules, mostFindings))
{
}

LogScanner::~LogScanner() = default;

void LogScanner::feed(std::string_view bytes)
{
    m_pass->feed(bytes);
}

void LogScanner::settle()
{
    m_pass->settle();
}

LogFacts LogScanner::finish()
{
    return m_pass->finish();
}

StatusOr<LogFacts> scanFile(const RuleSet& rules, const std::string& path)
{
    const auto failed = [&path](int reason) {
        return absl::UnavailableError(
            fmt::format("The log {} cannot be read: {}.", path, std::strerror(reason)));
    };
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return failed(errno);
    struct stat found {};
    if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) {
        close(file);
        return absl::FailedPreconditionError(
            fmt::format("{} is no regular file; name a log.", path));
    }
    LogScanner scanner(rules);
    std::string piece(kBlockSize, '\0');
    ssize_t got = 0;
    while ((got = read(file, piece.data(), piece.size())) > 0)
        scanner.feed(std::string_view(piece).substr(0, size_t(got)));
    const int reason = errno;
    close(file);
    if (got < 0)
        return failed(reason);
    return scanner.finish();
}

}  // namespace yard::diagnosis
