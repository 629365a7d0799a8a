#include "backend/control/past.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "backend/control/cluster_snapshot.h"

namespace yard::control {
namespace {

using domain::kGpuMetricCount;
using domain::kNodeMetricCount;
using domain::SeriesKind;

constexpr uint32_t kNoCell = UINT32_MAX;

std::vector<uint32_t> orAll(std::vector<uint32_t> metrics, size_t count)
{
    if (metrics.empty()) {
        metrics.resize(count);
        std::iota(metrics.begin(), metrics.end(), 0);
    }
    return metrics;
}

}  // namespace

/// Collects the answers for one moment; the last one sends it off.
class Past::Assembly {
public:
    Assembly(const About& about, store::Moment moment, Answer<PastMoment> answer)
        : m_answer(std::move(answer))
        , m_delta(std::make_shared<ClusterDelta>())
    {
        takeStates(about, std::move(moment));
    }

    /// Parts that are still to come; the assembly ends when all have.
    void expect(size_t parts) { m_missing = parts; }
    void readingsAreNotKept() { m_result.readingsKept = false; }

    void take(SeriesKind kind, uint32_t metric, const StatusOr<domain::InstantAnswer>& found)
    {
        std::unique_lock lock(m_mutex);
        if (found.ok())
            place(kind, metric, *found);
        else
            warn(std::string(found.status().message()));
        if (--m_missing > 0)
            return;
        lock.unlock();
        finish();
    }

    void finish()
    {
        fillAges();
        const auto byMetric = [](const Column& a, const Column& b) { return a.metric < b.metric; };
        std::ranges::sort(m_delta->gpuColumns, byMetric);
        std::ranges::sort(m_delta->nodeColumns, byMetric);
        m_result.cluster = std::move(m_delta);
        m_answer(std::move(m_result));
    }

private:
    struct Cells {
        std::shared_ptr<const std::vector<domain::SeriesSubject>> subjects;
        std::vector<uint32_t> ofSubject;
    };

    void takeStates(const About& about, store::Moment moment);
    void place(SeriesKind kind, uint32_t metric, const domain::InstantAnswer& found);
    const std::vector<uint32_t>& cellsOf(SeriesKind kind, const domain::InstantAnswer& found);
    void learnIdentity(uint32_t cell, const domain::SeriesSubject& subject);
    void fillAges();
    void warn(const std::string& sentence)
    {
        if (std::ranges::find(m_result.warnings, sentence) == m_result.warnings.end())
            m_result.warnings.push_back(sentence);
    }

    Answer<PastMoment> m_answer;
    std::mutex m_mutex;
    size_t m_missing = 0;
    PastMoment m_result;
    std::shared_ptr<ClusterDelta> m_delta;
    std::unordered_map<std::string, uint32_t> m_nodes;
    std::vector<uint32_t> m_firstCell = {0};
    std::vector<uint32_t> m_nodeOfCell;
    std::array<Cells, 2> m_cells;
    std::vector<bool> m_hasReading;  ///< by node
};

void Past::Assembly::takeStates(const About& about, store::Moment moment)
{
    m_result.known = moment.known.has_value();
    if (moment.lastBefore)
        m_result.lastKnown = moment.lastBefore->to;
    if (moment.unreadable > 0)
        warn(fmt::format("{} states of this moment are damaged in the journal and left out.",
                         moment.unreadable));
    m_delta->revision = 1;
    m_delta->at = moment.at;
    m_delta->cluster = moment.parts.cluster.empty() ? about.cluster : moment.parts.cluster;
    m_delta->timeZone = about.timeZone;
    m_delta->demo = about.demo;
    m_delta->readingIntervalSeconds = about.readingIntervalSeconds;
    m_delta->nodes = std::move(moment.nodes);
    for (store::KeptJob& kept : moment.jobs)
        m_delta->jobs.push_back(
            {std::move(kept.job), std::move(kept.previousJob), std::move(kept.nextJob)});
    m_delta->hasClusterParts = true;
    m_delta->partitions = std::move(moment.parts.partitions);
    m_delta->reservations = std::move(moment.parts.reservations);
    m_delta->switches = std::move(moment.parts.switches);
    m_delta->hasFaults = true;
    m_delta->faults = std::move(moment.faults);
    m_delta->operations = std::move(moment.operations);
    for (uint32_t i = 0; i < m_delta->nodes.size(); ++i) {
        const domain::Node& node = m_delta->nodes[i];
        m_delta->ownedByOperation.push_back(markedOperation(node.reason));
        m_nodes.emplace(node.name, i);
        m_firstCell.push_back(m_firstCell.back() + uint32_t(std::max(node.gpusTotal, 0)));
        m_nodeOfCell.resize(m_firstCell.back(), i);
    }
    m_hasReading.resize(m_delta->nodes.size());
}

// All metrics of a kind come with the same subjects.
const std::vector<uint32_t>& Past::Assembly::cellsOf(SeriesKind kind,
                                                     const domain::InstantAnswer& found)
{
    Cells& cells = m_cells[size_t(kind)];
    if (cells.subjects == found.subjects)
        return cells.ofSubject;
    cells.subjects = found.subjects;
    cells.ofSubject.assign(found.subjects->size(), kNoCell);
    for (size_t i = 0; i < found.subjects->size(); ++i) {
        const domain::SeriesSubject& subject = (*found.subjects)[i];
        const auto node = m_nodes.find(subject.node);
        if (node == m_nodes.end())
            continue;
        if (kind == SeriesKind::Node)
            cells.ofSubject[i] = node->second;
        else if (subject.gpu >= 0 &&
                 uint32_t(subject.gpu) < m_firstCell[node->second + 1] - m_firstCell[node->second])
            cells.ofSubject[i] = m_firstCell[node->second] + uint32_t(subject.gpu);
    }
    return cells.ofSubject;
}

void Past::Assembly::place(SeriesKind kind, uint32_t metric, const domain::InstantAnswer& found)
{
    for (const std::string& warning : found.warnings)
        warn(warning);
    const bool isGpu = kind == SeriesKind::Gpu;
    Column column{.metric = metric, .values = {}, .index = {}};
    column.values.assign(isGpu ? m_nodeOfCell.size() : m_delta->nodes.size(), domain::kNoReading);
    if (found.subjects) {
        const std::vector<uint32_t>& cells = cellsOf(kind, found);
        // Of several GPUs that were in one place over time, only one has a reading at a moment.
        for (size_t i = 0; i < cells.size() && i < found.values.size(); ++i) {
            if (cells[i] == kNoCell || std::isnan(found.values[i]))
                continue;
            column.values[cells[i]] = found.values[i];
            m_hasReading[isGpu ? m_nodeOfCell[cells[i]] : cells[i]] = true;
            if (isGpu)
                learnIdentity(cells[i], (*found.subjects)[i]);
        }
    }
    m_delta->readingIntervalSeconds =
        std::max(m_delta->readingIntervalSeconds, float(found.step.count()));
    (isGpu ? m_delta->gpuColumns : m_delta->nodeColumns).push_back(std::move(column));
}

void Past::Assembly::learnIdentity(uint32_t cell, const domain::SeriesSubject& subject)
{
    auto& identities = m_delta->gpuIdentities;
    if (identities.empty())
        for (uint32_t node = 0; node < m_delta->nodes.size(); ++node) {
            const size_t gpus = m_firstCell[node + 1] - m_firstCell[node];
            identities.push_back({node,
                                  std::vector<domain::SharedText>(gpus),
                                  std::vector<domain::SharedText>(gpus),
                                  {}});
        }
    const uint32_t node = m_nodeOfCell[cell];
    domain::SharedText& uuid = identities[node].uuid[cell - m_firstCell[node]];
    if (uuid.empty() && !subject.uuid.empty())
        uuid = subject.uuid;
}

void Past::Assembly::fillAges()
{
    for (const bool has : m_hasReading)
        m_delta->readingAgeSeconds.push_back(has ? 0.0F : -1.0F);
}

Past::Past(store::Journal& journal, domain::SeriesHistory* history, About about)
    : m_journal(journal)
    , m_history(history)
    , m_about(std::move(about))
    , m_characterizer({m_about.journalPath, m_about.archivePath, m_about.cluster})
{
}

void Past::moment(Time at, Wanted wanted, Answer<PastMoment> answer)
{
    m_journal.moment(at, [this, at, wanted = std::move(wanted),
                          answer = std::move(answer)](StatusOr<store::Moment> found) {
        if (!found.ok())
            return answer(found.status());
        const bool withReadings = m_history && wanted.withReadings && found->known;
        const auto assembly = std::make_shared<Assembly>(m_about, *std::move(found), answer);
        if (!m_history)
            assembly->readingsAreNotKept();
        if (!withReadings)
            return assembly->finish();
        const std::array metrics = {orAll(wanted.gpuMetrics, kGpuMetricCount),
                                    orAll(wanted.nodeMetrics, kNodeMetricCount)};
        assembly->expect(metrics[0].size() + metrics[1].size());
        for (const auto kind : {SeriesKind::Gpu, SeriesKind::Node})
            for (const uint32_t metric : metrics[size_t(kind)])
                m_history->at({kind, metric, at}, [assembly, kind, metric](const auto& instant) {
                    assembly->take(kind, metric, instant);
                });
    });
}

void Past::series(domain::SeriesRequest request, Answer<domain::SeriesAnswer> answer)
{
    if (!m_history)
        return answer(absl::FailedPreconditionError(
            "This daemon keeps no readings: enabled in [history] is false."));
    m_history->range(std::move(request), std::move(answer));
}

void Past::timeline(Time from, Time to, uint32_t buckets, Answer<store::Timeline> answer)
{
    m_journal.timeline(from, to, buckets, std::move(answer));
}

void Past::characterize(Characterizer::Span span, Characterizer::Answer answer)
{
    m_characterizer.characterize(span, std::move(answer));
}

}  // namespace yard::control
