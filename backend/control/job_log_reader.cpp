#include "backend/control/job_log_reader.h"

namespace yard::control {
namespace {

constexpr std::chrono::milliseconds kTurn{1000};
constexpr std::chrono::milliseconds kTurnBehind{10};  // other tasks come in between

}  // namespace

JobLogReader::JobLogReader(JobLogs::Options options)
    : m_logs(std::move(options))
{
    m_worker.postAfter(kTurnBehind, [this] { turn(); });
}

void JobLogReader::follow(std::vector<JobLogFile> running)
{
    const std::lock_guard lock(m_mutex);
    m_running = std::move(running);
}

void JobLogReader::finish(JobLogFile file, Answer answer)
{
    const auto shared = std::make_shared<Answer>(std::move(answer));
    if (!m_worker.post([this, file = std::move(file), shared] { (*shared)(m_logs.finish(file)); }))
        (*shared)(absl::ResourceExhaustedError("Too many job logs wait to be read."));
}

void JobLogReader::turn()
{
    std::optional<std::vector<JobLogFile>> running;
    {
        const std::lock_guard lock(m_mutex);
        running.swap(m_running);
    }
    if (running)
        m_logs.follow(*std::move(running));
    m_worker.postAfter(m_logs.look() ? kTurnBehind : kTurn, [this] { turn(); });
}

}  // namespace yard::control
