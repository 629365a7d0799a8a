#include <algorithm>
#include <map>

#include "backend/domain/hostlist.h"
#include "backend/store/journal_reader.h"
#include "backend/store/operation_json.h"
#include "backend/store/state_spans.h"
#include "backend/store/time_us.h"

// The questions about the past that Journal::Reader answers.

namespace yard::store {
namespace {

constexpr int64_t kDayUs = 24LL * 3600 * 1'000'000;
constexpr int64_t kMostFaults = 2000;
constexpr int64_t kMostOperations = 2000;
constexpr int64_t kMostKnownSpans = 2000;
constexpr uint32_t kMostBuckets = 10'000;

template <typename T>
Status readAll(Database& database, StateKind kind, int64_t atUs,
               StatusOr<T> (*unpack)(std::string_view), std::vector<T>& all, uint32_t& unreadable)
{
    return readSpans(database, kind, atUs, [&](std::string_view body) {
        if (StatusOr<T> one = unpack(body); one.ok())
            all.push_back(*std::move(one));
        else
            ++unreadable;
    });
}

void giveGpus(domain::Node& node, const domain::Job& job)
{
    const auto indices = job.gpuIndices.find(node.name);
    if (indices != job.gpuIndices.end()) {
        node.gpuIndicesInUse.insert(node.gpuIndicesInUse.end(), indices->second.begin(),
                                    indices->second.end());
        node.gpusAllocated += int(indices->second.size());
    } else if (job.gpuIndices.empty() && !job.nodes.empty()) {
        node.gpusAllocated += job.gpus / int(job.nodes.size());
    }
}

// What is allocated of a node follows from the jobs there.
void allocate(Moment& moment)
{
    std::map<std::string_view, domain::Node*> byName;
    for (domain::Node& node : moment.nodes)
        byName.emplace(node.name, &node);
    for (const KeptJob& kept : moment.jobs) {
        if (!domain::isActive(kept.job.state))
            continue;
        for (const std::string& name : kept.job.nodes)
            if (const auto found = byName.find(name); found != byName.end())
                giveGpus(*found->second, kept.job);
    }
    for (domain::Node& node : moment.nodes) {
        std::ranges::sort(node.gpuIndicesInUse);
        node.gpusAllocated = std::min(node.gpusAllocated, node.gpusTotal);
    }
}

// Jobs are large: each is moved once, not with every comparison.
void sortById(std::vector<KeptJob>& jobs)
{
    std::vector<std::pair<uint64_t, size_t>> order;
    order.reserve(jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i)
        order.emplace_back(jobs[i].job.id, i);
    std::ranges::sort(order);
    std::vector<KeptJob> sorted;
    sorted.reserve(jobs.size());
    for (const auto& [id, place] : order)
        sorted.push_back(std::move(jobs[place]));
    jobs = std::move(sorted);
}

domain::Fault faultFrom(const Statement& row)
{
    domain::Fault fault;
    fault.at = fromMicroseconds(row.integer(0));
    fault.kind = domain::FaultKind(row.integer(1));
    fault.host = row.text(2);
    fault.pci = row.text(3);
    if (!row.isNull(4))
        fault.gpuIndex = int(row.integer(4));
    fault.code = int(row.integer(5));
    fault.text = row.text(6);
    fault.count = int(row.integer(7));
    return fault;
}

Status readFaults(Database& database, int64_t atUs, std::vector<domain::Fault>& faults)
{
    auto statement = database.prepare(
        "SELECT at_us, kind, host, pci, gpu_index, code, text, count FROM faults "
        "WHERE at_us>?1 AND at_us<=?2 ORDER BY at_us DESC LIMIT ?3");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, atUs - kDayUs).bind(2, atUs).bind(3, kMostFaults);
    for (;;) {
        const StatusOr<bool> row = statement->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            break;
        faults.push_back(faultFrom(*statement));
    }
    std::ranges::reverse(faults);
    return absl::OkStatus();
}

// As it stood: what has come later is taken off again.
void takeBack(domain::Operation& operation, Time at, domain::OperationState state,
              std::string message)
{
    operation.undoable = false;
    if (operation.sentAt && *operation.sentAt > at)
        operation.sentAt.reset();
    if (operation.finishedAt && *operation.finishedAt <= at)
        return;
    operation.finishedAt.reset();
    operation.state = state;
    operation.message = std::move(message);
    for (domain::Target& target : operation.targets) {
        target.state = domain::TargetState::Requested;
        target.observed.clear();
    }
}

Status readOperations(Database& database, Time at, std::vector<domain::Operation>& operations,
                      uint32_t& unreadable)
{
    auto statement = database.prepare(
        "SELECT o.body, c.state, c.message FROM operations o LEFT JOIN operation_changes c ON "
        "c.rowid=(SELECT max(rowid) FROM operation_changes WHERE operation_id=o.id AND at_us<=?2) "
        "WHERE o.requested_us>?1 AND o.requested_us<=?2 ORDER BY o.id LIMIT ?3");
    if (!statement.ok())
        return statement.status();
    const int64_t atUs = toMicroseconds(at);
    statement->bind(1, atUs - kDayUs).bind(2, atUs).bind(3, kMostOperations);
    for (;;) {
        const StatusOr<bool> row = statement->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            return absl::OkStatus();
        StatusOr<OperationRecord> record = operationFromJson(statement->text(0));
        if (!record.ok()) {
            ++unreadable;
            continue;
        }
        const auto state = statement->isNull(1) ? domain::OperationState::Requested
                                                : domain::OperationState(statement->integer(1));
        takeBack(record->operation, at, state, statement->text(2));
        operations.push_back(std::move(record->operation));
    }
}

Status countInto(Database& database, const char* sql, const Timeline& line,
                 uint32_t TimelineBucket::*count, std::vector<TimelineBucket>& buckets)
{
    auto statement = database.prepare(sql);
    if (!statement.ok())
        return statement.status();
    const int64_t from = toMicroseconds(line.from);
    const int64_t length = std::max<int64_t>(toMicroseconds(line.to) - from, 1);
    statement->bind(1, from).bind(2, from + length);
    for (;;) {
        const StatusOr<bool> row = statement->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            return absl::OkStatus();
        const double place = double(statement->integer(0) - from) / double(length);
        const auto bucket = std::min(size_t(place * double(buckets.size())), buckets.size() - 1);
        buckets[bucket].*count += 1;
    }
}

}  // namespace

StatusOr<Moment> Journal::Reader::moment(Time at)
{
    const int64_t atUs = toMicroseconds(at);
    Moment moment;
    moment.at = at;
    // One state of the file for all questions.
    YARD_RETURN_IF_ERROR(m_database.execute("BEGIN"));
    const auto read = [&]() -> Status {
        auto known = knownAround(m_database, atUs);
        auto before = knownBefore(m_database, atUs);
        for (const auto* found : {&known, &before})
            if (!found->ok())
                return found->status();
        moment.known = *known;
        if (!moment.known)
            moment.lastBefore = *before;
        YARD_RETURN_IF_ERROR(readFaults(m_database, atUs, moment.faults));
        YARD_RETURN_IF_ERROR(readOperations(m_database, at, moment.operations, moment.unreadable));
        if (!moment.known)
            return absl::OkStatus();
        std::vector<KeptParts> parts;
        YARD_RETURN_IF_ERROR(readAll(m_database, StateKind::Node, atUs, unpackNode, moment.nodes,
                                     moment.unreadable));
        YARD_RETURN_IF_ERROR(
            readAll(m_database, StateKind::Job, atUs, unpackJob, moment.jobs, moment.unreadable));
        YARD_RETURN_IF_ERROR(
            readAll(m_database, StateKind::Parts, atUs, unpackParts, parts, moment.unreadable));
        if (!parts.empty())
            moment.parts = std::move(parts.back());
        return absl::OkStatus();
    };
    const Status status = read();
    m_database.rollback();
    if (!status.ok())
        return status;
    std::ranges::sort(moment.nodes, domain::naturalLess, &domain::Node::name);
    sortById(moment.jobs);
    allocate(moment);
    return moment;
}

StatusOr<Timeline> Journal::Reader::timeline(Time from, Time to, uint32_t buckets)
{
    Timeline line;
    auto extent = knownExtent(m_database);
    if (!extent.ok())
        return extent.status();
    line.extent = *extent;
    line.from = from;
    line.to = std::max(from, to);
    auto known = knownWithin(m_database, toMicroseconds(line.from), toMicroseconds(line.to),
                             kMostKnownSpans);
    if (!known.ok())
        return known.status();
    line.known = *std::move(known);
    line.buckets.resize(std::clamp<uint32_t>(buckets, 1, kMostBuckets));
    YARD_RETURN_IF_ERROR(countInto(m_database,
                                   "SELECT at_us FROM faults WHERE at_us>=?1 AND at_us<?2", line,
                                   &TimelineBucket::faults, line.buckets));
    YARD_RETURN_IF_ERROR(
        countInto(m_database,
                  "SELECT at_us FROM state_changes WHERE what='job' AND after IN "
                  "('FAILED','NODE_FAIL','OUT_OF_MEMORY','BOOT_FAIL') AND at_us>=?1 AND at_us<?2",
                  line, &TimelineBucket::failedJobs, line.buckets));
    YARD_RETURN_IF_ERROR(
        countInto(m_database,
                  "SELECT requested_us FROM operations WHERE requested_us>=?1 AND requested_us<?2",
                  line, &TimelineBucket::operations, line.buckets));
    return line;
}

}  // namespace yard::store
