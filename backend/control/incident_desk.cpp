#include "backend/control/incident_desk.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/base/log.h"
#include "backend/control/incident_words.h"

namespace yard::control {
namespace {

using domain::Incident;

constexpr std::chrono::hours kLoadClosed{48};
constexpr std::chrono::hours kOldFault{
    1};  // history of a kernel log that is read for the first time
constexpr uint32_t kUsualLimit = 1000;

JobLogFile logOf(const domain::Job& job)
{
    return {.run = runOf(job), .path = job.standardOutput, .user = job.user, .gpus = job.gpus};
}

bool isWanted(const Incident& incident, const IncidentQuery& query)
{
    if (query.beforeId != 0 && incident.id >= query.beforeId)
        return false;
    if (!query.withClosed && isClosed(incident))
        return false;
    if (!query.job.empty() &&
        std::none_of(incident.jobs.begin(), incident.jobs.end(),
                     [&](const auto& job) { return job.displayId == query.job; }))
        return false;
    return query.node.empty() || incident.node == query.node ||
           std::find(incident.nodes.begin(), incident.nodes.end(), query.node) !=
               incident.nodes.end();
}

}  // namespace

IncidentDesk::IncidentDesk(Context context, IncidentOptions options)
    : m_context(std::move(context))
    , m_options(std::move(options))
    , m_book(m_context.snapshot, m_context.clock)
{
    auto known = m_context.journal.loadIncidents(m_context.clock.now() - kLoadClosed);
    const auto lastId = m_context.journal.lastIncidentId();
    if (known.ok() && lastId.ok()) {
        m_book.load(*std::move(known), *lastId);
    } else {
        // Ids that may be taken already must not be given again.
        m_canWrite = false;
        log::error("The incidents in the journal cannot be read, so new ones are not kept: " +
                   std::string((known.ok() ? lastId.status() : known.status()).message()));
    }
    if (m_options.readLogs)
        m_logs = std::make_unique<JobLogReader>(m_options.logs);
}

void IncidentDesk::takeFaults(const std::vector<domain::Fault>& faults)
{
    const Time now = m_context.clock.now();
    for (const domain::Fault& fault : faults) {
        if (!fault.at || now - *fault.at > kOldFault)
            continue;
        domain::Fault joined = fault;
        joined.at = std::min(*fault.at, now);
        if (!joined.gpuIndex)
            joined.gpuIndex = m_context.snapshot.readings().gpuAt(fault.host, fault.pci);
        m_book.takeFault(joined);
    }
}

void IncidentDesk::takeView(const std::vector<domain::Node>& lost,
                            const std::vector<domain::Job>& ended)
{
    m_book.noteView();
    for (const domain::Node& node : lost)
        m_book.takeNode(node);
    for (const domain::Job& job : ended) {
        if (m_logs && mayBeFailure(job))
            readLog(job);
        else
            m_book.takeEnd({.job = job});
    }
    if (m_logs)
        followLogs();
}

void IncidentDesk::readLog(const domain::Job& job)
{
    const std::string run = runOf(job);
    m_pending[run] = {job, m_context.clock.now() + m_options.waitForLog};
    m_logs->finish(logOf(job), [this, run, door = m_context.door](StatusOr<domain::Verdict> found) {
        door->post([this, run, found = std::move(found)] { takeVerdict(run, found); });
    });
}

void IncidentDesk::takeVerdict(const std::string& run, StatusOr<domain::Verdict> verdict)
{
    const auto pending = m_pending.find(run);
    if (pending == m_pending.end())
        return;
    JobEnd end{.job = std::move(pending->second.job)};
    m_pending.erase(pending);
    if (verdict.ok())
        end.verdict = *std::move(verdict);
    else
        end.logTrouble = std::string(verdict.status().message());
    m_book.takeEnd(end);
    write();
}

void IncidentDesk::followLogs()
{
    std::vector<JobLogFile> running;
    for (const auto& [key, entry] : m_context.snapshot.jobs().entries())
        if (isActive(entry.value.job.state))
            running.push_back(logOf(entry.value.job));
    m_logs->follow(std::move(running));
}

void IncidentDesk::tick()
{
    const Time now = m_context.clock.now();
    std::vector<std::string> late;
    for (const auto& [run, pending] : m_pending)
        if (now > pending.until)
            late.push_back(run);
    for (const std::string& run : late)
        takeVerdict(run, absl::DeadlineExceededError(
                             fmt::format("The job log {} was not read in time: its file system is "
                                         "slow or away.",
                                         m_pending.at(run).job.standardOutput)));
    m_book.dropOld();
    write();
}

// One entry at a time: what changes meanwhile comes together with the next.
void IncidentDesk::write()
{
    if (!m_isWriting)
        flush();
}

void IncidentDesk::flush()
{
    if (!m_canWrite)
        return;
    store::JournalEntry entry{.at = m_context.clock.now()};
    entry.incidents = m_book.takeChanged();
    if (entry.incidents.empty())
        return;
    m_isWriting = true;
    m_context.journal.write(std::move(entry), [this, door = m_context.door](const Status&) {
        door->post([this] { m_isWriting = false; });
    });
}

void IncidentDesk::list(const IncidentQuery& query, Answer<IncidentPage> answer)
{
    const size_t limit = query.limit == 0 ? kUsualLimit : query.limit;
    const auto fill = [this, query, limit, answer](std::vector<Incident> older) {
        // The book is ahead of the journal.
        std::map<uint64_t, Incident, std::greater<>> all;
        for (Incident& incident : older)
            all.emplace(incident.id, std::move(incident));
        for (const Incident* incident : m_book.all())
            all.insert_or_assign(incident->id, *incident);
        IncidentPage page{.incidents = {}, .suppressed = m_book.suppressed()};
        for (auto& [id, incident] : all) {
            if (page.incidents.size() == limit)
                break;
            if (!isWanted(incident, query))
                continue;
            incident.happened = happenedWords(incident);
            incident.severity = domain::severityOf(incident);
            page.incidents.push_back(std::move(incident));
        }
        answer(std::move(page));
    };
    if (!query.withClosed)
        return fill({});
    m_context.journal.incidents(
        uint32_t(limit), query.beforeId,
        [door = m_context.door, fill, answer](StatusOr<std::vector<Incident>> found) {
            door->post([fill, answer, found = std::move(found)]() mutable {
                if (found.ok())
                    fill(*std::move(found));
                else
                    answer(found.status());
            });
        });
}

IncidentLook IncidentDesk::lookAt(const Incident& incident) const
{
    IncidentLook look{.incident = incident, .seen = seenNow(incident, m_context.snapshot)};
    look.incident.happened = happenedWords(incident);
    look.incident.severity = domain::severityOf(incident);
    return look;
}

void IncidentDesk::get(uint64_t id, Answer<IncidentLook> answer)
{
    if (const Incident* known = m_book.find(id))
        return answer(lookAt(*known));
    m_context.journal.incident(id, [this, door = m_context.door, answer](StatusOr<Incident> found) {
        door->post([this, answer, found = std::move(found)] {
            if (found.ok())
                answer(lookAt(*found));
            else
                answer(found.status());
        });
    });
}

void IncidentDesk::change(const domain::Identity& by, const domain::IncidentChange& change,
                          Answer<IncidentLook> answer)
{
    if (const Status possible = m_book.check(change); !possible.ok())
        return answer(possible);
    if (!m_canWrite)
        return answer(absl::UnavailableError(
            "The journal cannot be read, so nothing is changed. See yardmasterd's log."));
    Incident changed = *m_book.find(change.id);
    domain::apply(change, by.user, m_context.clock.now(), changed);
    store::AuditRecord record;
    record.at = m_context.clock.now();
    record.by = by;
    record.event = "incident";
    record.action = std::string(name(change.kind));
    record.targets = fmt::format("incident {}", change.id);
    record.reason = change.note;
    record.detail = domain::words(change);
    store::JournalEntry entry{.at = m_context.clock.now()};
    entry.incidents.push_back(std::move(changed));
    entry.audit.push_back(std::move(record));
    entry.isIntent = true;
    m_context.journal.write(std::move(entry), [this, door = m_context.door, change, user = by.user,
                                               answer](const Status& status) {
        door->post([this, change, user, answer, status] {
            if (!status.ok())
                return answer(status);
            m_book.apply(change, user);
            answer(lookAt(*m_book.find(change.id)));
        });
    });
}

}  // namespace yard::control
