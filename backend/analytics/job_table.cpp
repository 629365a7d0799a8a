#include "backend/analytics/job_table.h"

namespace yard::analytics {

void JobTable::reserve(size_t rows)
{
    for (auto* column : {&submit, &start, &end})
        column->reserve(rows);
    for (auto* column : {&duration, &queue, &nodes, &gpus, &cpus})
        column->reserve(rows);
    for (auto* column : {&type, &cluster, &user, &account, &partition, &qos, &name, &comment})
        column->reserve(rows);
    state.reserve(rows);
    source.reserve(rows);
    m_idEnds.reserve(rows);
}

void JobTable::add(const JobRow& row)
{
    submit.push_back(row.submit);
    start.push_back(row.start);
    end.push_back(row.end);
    duration.push_back(row.duration);
    queue.push_back(row.queue);
    nodes.push_back(row.nodes);
    gpus.push_back(row.gpus);
    cpus.push_back(row.cpus);
    state.push_back(row.state);
    source.push_back(row.source);
    type.push_back(words.number(row.type));
    cluster.push_back(words.number(row.cluster));
    user.push_back(words.number(row.user));
    account.push_back(words.number(row.account));
    partition.push_back(words.number(row.partition));
    qos.push_back(words.number(row.qos));
    name.push_back(words.number(row.name));
    comment.push_back(words.number(row.comment));
    m_ids += row.id;
    m_idEnds.push_back(m_ids.size());
}

void JobTable::clear()
{
    std::vector<JobSource> kept = std::move(sources);
    *this = JobTable();
    sources = std::move(kept);
}

std::string_view JobTable::id(size_t row) const
{
    const uint64_t begin = row == 0 ? 0 : m_idEnds[row - 1];
    return std::string_view(m_ids).substr(begin, m_idEnds[row] - begin);
}

int32_t JobTable::run(size_t row) const
{
    if (start[row] != kNoTime && end[row] != kNoTime)
        return int32_t(end[row] - start[row]);
    if (duration[row] == kNoSeconds)
        return kNoSeconds;
    if (!sources[source[row]].durationHasWait)
        return duration[row];
    return queue[row] == kNoSeconds ? kNoSeconds : duration[row] - queue[row];
}

}  // namespace yard::analytics
