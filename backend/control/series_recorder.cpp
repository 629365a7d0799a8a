#include "backend/control/series_recorder.h"

namespace yard::control {

using domain::kGpuMetricCount;
using domain::kNodeMetricCount;
using domain::SeriesKind;
using domain::SeriesSubject;

SeriesRecorder::SeriesRecorder(const ReadingBoard& board, std::chrono::milliseconds staleAfter,
                               Keep keep)
    : m_board(board)
    , m_staleAfter(staleAfter)
    , m_keep(std::move(keep))
{
}

bool SeriesRecorder::tick(Time now)
{
    const auto sinceEpoch = now.time_since_epoch();
    const Time step = now - sinceEpoch % store::kRawStep;
    // A clock that was set back records over what it wrote before.
    if (step == m_last || m_board.names().empty())
        return false;
    m_last = step;
    if (m_identities != m_board.identityRevision())
        learnSubjects();
    store::SeriesTick tick;
    tick.at = step;
    fillGpus(tick.kinds[size_t(SeriesKind::Gpu)], now);
    fillNodes(tick.kinds[size_t(SeriesKind::Node)], now);
    m_keep(std::move(tick));
    return true;
}

void SeriesRecorder::learnSubjects()
{
    auto gpus = std::make_shared<std::vector<SeriesSubject>>();
    auto nodes = std::make_shared<std::vector<SeriesSubject>>();
    for (uint32_t node = 0; node < m_board.names().size(); ++node) {
        const std::string& name = m_board.names()[node];
        nodes->push_back({.node = name, .gpu = -1, .uuid = {}});
        for (uint32_t slot = 0; slot < m_board.cellCount(node); ++slot)
            gpus->push_back({.node = name,
                             .gpu = int(slot),
                             .uuid = m_board.uuid(m_board.firstCell(node) + slot)});
    }
    m_gpus = std::move(gpus);
    m_nodes = std::move(nodes);
    m_identities = m_board.identityRevision();
}

void SeriesRecorder::fillGpus(store::SeriesTick::Columns& columns, Time now) const
{
    columns.subjects = m_gpus;
    columns.values.reserve(kGpuMetricCount);
    for (size_t metric = 0; metric < kGpuMetricCount; ++metric) {
        std::vector<float>& values = columns.values.emplace_back(m_board.gpus().values(metric));
        for (uint32_t node = 0; node < m_nodes->size(); ++node)
            if (now - m_board.gpuReadAt(node, metric) > m_staleAfter)
                std::fill_n(values.begin() + m_board.firstCell(node), m_board.cellCount(node),
                            domain::kNoReading);
    }
}

void SeriesRecorder::fillNodes(store::SeriesTick::Columns& columns, Time now) const
{
    columns.subjects = m_nodes;
    columns.values.reserve(kNodeMetricCount);
    for (size_t metric = 0; metric < kNodeMetricCount; ++metric) {
        std::vector<float>& values = columns.values.emplace_back(m_board.nodes().values(metric));
        for (uint32_t node = 0; node < m_nodes->size(); ++node)
            if (now - m_board.nodeReadAt(node, metric) > m_staleAfter)
                values[node] = domain::kNoReading;
    }
}

}  // namespace yard::control
