#include "backend/control/job_tracker.h"

#include <algorithm>

#include "backend/base/text.h"
#include "backend/domain/array_tasks.h"
#include "backend/domain/hostlist.h"

namespace yard::control {
namespace {

constexpr size_t kMostRuns = 20'000;
constexpr size_t kMostExpected = 20'000;
constexpr int kMostLinks = 100;
// What ended while nobody looked is still news for so long.
constexpr std::chrono::minutes kLateEnd{15};

std::string markOf(const domain::Job& job)
{
    if (markedOperation(job.comment) == 0)
        return {};
    return job.comment.substr(0, job.comment.find(' '));
}

// The same run of the same job, as opposed to a later one under its id.
bool isLaterRun(const domain::Job& before, const domain::Job& now)
{
    if (now.restarts != before.restarts)
        return now.restarts > before.restarts;
    return before.startTime && now.startTime && *before.startTime != *now.startTime;
}

store::StateChange change(Time now, const std::string& id, std::string before,
                          const domain::Job& job)
{
    return {.at = now,
            .what = "job",
            .name = id,
            .before = std::move(before),
            .after = std::string(name(job.state)),
            .detail = job.nodes.empty() ? job.reason : domain::foldHostlist(job.nodes)};
}

}  // namespace

JobKey keyOf(const domain::Job& job)
{
    const Time submitted = job.submitTime.value_or(Time{});
    return {job.id,
            std::chrono::duration_cast<std::chrono::microseconds>(submitted.time_since_epoch())
                .count()};
}

bool isSameSubmission(const JobKey& before, int restartsBefore, const domain::Job& now)
{
    const JobKey key = keyOf(now);
    return key == before || (key.id == before.id && key.submitTimeUs > before.submitTimeUs &&
                             now.restarts > 0 && now.restarts >= restartsBefore);
}

JobTracker::JobTracker(ClusterSnapshot& snapshot, Options options)
    : m_snapshot(snapshot)
    , m_options(options)
{
}

std::vector<store::StateChange> JobTracker::update(std::vector<domain::Job> jobs, Time now)
{
    std::vector<store::StateChange> changes;
    std::vector<JobKey> seen;
    seen.reserve(jobs.size());
    for (domain::Job& job : jobs) {
        seen.push_back(keyOf(job));
        take(std::move(job), now, changes);
    }
    std::sort(seen.begin(), seen.end());
    markGone(seen, now, changes);
    dropOld(now);
    return changes;
}

void JobTracker::take(domain::Job job, Time now, std::vector<store::StateChange>& changes)
{
    const JobKey key = keyOf(job);
    const std::string id = job.displayId;
    m_ended.erase(key);
    const TrackedJob* known = m_snapshot.jobs().find(key);
    std::string before = known ? std::string(name(known->job.state)) : std::string();
    std::string previousJob = known ? known->previousJob : std::string();
    std::string nextJob = known ? known->nextJob : std::string();
    bool isNews = !known || known->job.state != job.state;
    bool isEndNews =
        known ? !isFinished(known->job.state) : job.endTime && now - *job.endTime < kLateEnd;
    const auto earlier = m_byDisplayId.find(id);
    if (known && isLaterRun(known->job, job)) {
        keepRun(*known, job);
        isEndNews = true;
    } else if (!known && earlier != m_byDisplayId.end()) {
        const TrackedJob* last = m_snapshot.jobs().find(earlier->second);
        if (last && isSameSubmission(earlier->second, last->job.restarts, job)) {
            before = name(last->job.state);
            previousJob = last->previousJob;
            nextJob = last->nextJob;
            if (isLaterRun(last->job, job))
                keepRun(*last, job);
            else
                isNews = isEndNews = last->job.state != job.state;
            const JobKey old = earlier->second;
            m_ended.erase(old);
            remove(old);
        }
    }
    // The rest of an array has another name whenever a task of it starts.
    if (known && known->job.displayId != id)
        forgetName(known->job.displayId, key);
    m_byDisplayId[id] = key;
    if (job.array)
        m_byArray[job.array->job].insert(key);
    if (isNews)
        changes.push_back(change(now, id, before, job));
    if (isFinished(job.state) && isEndNews)
        m_endedRuns.push_back(job);
    TrackedJob tracked{.job = std::move(job),
                       .previousJob = std::move(previousJob),
                       .nextJob = std::move(nextJob)};
    link(tracked);
    m_snapshot.putJob(key, std::move(tracked));
}

void JobTracker::link(TrackedJob& tracked)
{
    const std::string mark = markOf(tracked.job);
    if (mark.empty())
        return;
    m_byMark[mark] = keyOf(tracked.job);
    const auto expected = m_expected.find(mark);
    if (expected == m_expected.end() || expected->second == tracked.job.displayId)
        return;
    tracked.previousJob = expected->second;
    const TrackedJob* original = find(expected->second);
    if (!original || original->nextJob == tracked.job.displayId)
        return;
    TrackedJob linked = *original;
    linked.nextJob = tracked.job.displayId;
    const JobKey originalKey = keyOf(linked.job);
    m_snapshot.putJob(originalKey, std::move(linked));
}

// It was last seen running; that it ended is all that the later run tells of it.
void JobTracker::keepRun(const TrackedJob& run, const domain::Job& later)
{
    TrackedJob ended = run;
    if (isActive(ended.job.state)) {
        ended.job.stateText = "REQUEUED";
        ended.job.stateFlags.emplace_back("REQUEUED");
        // Slurm stamps a requeued job with the time of its requeue as the new submit time.
        if (later.submitTime > ended.job.startTime)
            ended.job.endTime = later.submitTime;
        m_endedRuns.push_back(ended.job);
    }
    m_runs[run.job.id].push_back(std::move(ended));
    m_runOrder.push_back(run.job.id);
    if (m_runOrder.size() <= kMostRuns)
        return;
    const auto oldest = m_runs.find(m_runOrder.front());
    m_runOrder.pop_front();
    oldest->second.erase(oldest->second.begin());
    if (oldest->second.empty())
        m_runs.erase(oldest);
}

void JobTracker::markGone(const std::vector<JobKey>& seen, Time now,
                          std::vector<store::StateChange>& changes)
{
    std::vector<JobKey> unended;
    for (const auto& [key, entry] : m_snapshot.jobs().entries()) {
        if (m_ended.contains(key) || std::binary_search(seen.begin(), seen.end(), key))
            continue;
        m_ended[key] = now;
        if (!isFinished(entry.value.job.state))
            unended.push_back(key);
    }
    for (const JobKey& key : unended) {
        if (isSplit(m_snapshot.jobs().find(key)->job, seen)) {
            m_ended.erase(key);
            remove(key);
            continue;
        }
        TrackedJob gone = *m_snapshot.jobs().find(key);
        const std::string before(name(gone.job.state));
        gone.job.state = domain::JobState::Unknown;
        gone.job.stateText = "no longer reported";
        changes.push_back(change(now, gone.job.displayId, before, gone.job));
        m_snapshot.putJob(key, std::move(gone));
    }
}

// Waiting tasks that no longer share their state get records of their own.
bool JobTracker::isSplit(const domain::Job& rest, const std::vector<JobKey>& seen) const
{
    if (!rest.array || rest.array->task)
        return false;
    const auto array = m_byArray.find(rest.array->job);
    return array != m_byArray.end() &&
           std::any_of(array->second.begin(), array->second.end(), [&](const JobKey& key) {
               return std::binary_search(seen.begin(), seen.end(), key) &&
                      domain::shareTasks(domain::tasksOf(m_snapshot.jobs().find(key)->job),
                                         rest.array->pending);
           });
}

void JobTracker::forgetName(const std::string& displayId, const JobKey& key)
{
    const auto id = m_byDisplayId.find(displayId);
    if (id != m_byDisplayId.end() && id->second == key)
        m_byDisplayId.erase(id);
}

void JobTracker::remove(const JobKey& key)
{
    const TrackedJob* job = m_snapshot.jobs().find(key);
    if (!job)
        return;
    forgetName(job->job.displayId, key);
    if (job->job.array) {
        const auto array = m_byArray.find(job->job.array->job);
        if (array != m_byArray.end() && array->second.erase(key) > 0 && array->second.empty())
            m_byArray.erase(array);
    }
    m_byMark.erase(markOf(job->job));
    m_snapshot.removeJob(key);
}

void JobTracker::dropOld(Time now)
{
    const auto drop = [&](std::map<JobKey, Time>::iterator place) {
        remove(place->first);
        return m_ended.erase(place);
    };
    for (auto place = m_ended.begin(); place != m_ended.end();)
        place = now - place->second > m_options.keepEnded ? drop(place) : std::next(place);
    while (m_ended.size() > m_options.maxEnded)
        drop(std::min_element(m_ended.begin(), m_ended.end(),
                              [](const auto& a, const auto& b) { return a.second < b.second; }));
}

void JobTracker::expectRestart(const std::string& mark, const std::string& original)
{
    if (m_expected.size() < kMostExpected)
        m_expected[mark] = original;
}

const TrackedJob* JobTracker::find(const std::string& displayId) const
{
    const auto found = m_byDisplayId.find(displayId);
    return found == m_byDisplayId.end() ? nullptr : m_snapshot.jobs().find(found->second);
}

std::vector<const TrackedJob*> JobTracker::named(const std::string& name) const
{
    if (const TrackedJob* job = find(name))
        return {job};
    const auto tasks = domain::readTasksName(name);
    const auto number = tasks ? tasks->array : text::number<uint64_t>(name);
    const auto array = number ? m_byArray.find(*number) : m_byArray.end();
    std::vector<const TrackedJob*> found;
    if (array != m_byArray.end())
        for (const JobKey& key : array->second) {
            const TrackedJob* job = m_snapshot.jobs().find(key);
            if (!tasks || domain::shareTasks(tasks->tasks, domain::tasksOf(job->job)))
                found.push_back(job);
        }
    return found;
}

const TrackedJob* JobTracker::findMarked(const std::string& mark) const
{
    const auto found = m_byMark.find(mark);
    return found == m_byMark.end() ? nullptr : m_snapshot.jobs().find(found->second);
}

std::vector<TrackedJob> JobTracker::attempts(const std::string& displayId) const
{
    const TrackedJob* job = find(displayId);
    for (int i = 0; job && !job->previousJob.empty() && i < kMostLinks; ++i) {
        const TrackedJob* previous = find(job->previousJob);
        if (!previous)
            break;
        job = previous;
    }
    std::vector<TrackedJob> attempts;
    for (int i = 0; job && i < kMostLinks; ++i) {
        appendRuns(*job, attempts);
        job = job->nextJob.empty() ? nullptr : find(job->nextJob);
    }
    return attempts;
}

void JobTracker::appendRuns(const TrackedJob& job, std::vector<TrackedJob>& attempts) const
{
    if (const auto runs = m_runs.find(job.job.id); runs != m_runs.end())
        for (const TrackedJob& run : runs->second)
            if (run.job.displayId == job.job.displayId)
                attempts.push_back(run);
    attempts.push_back(job);
}

}  // namespace yard::control
