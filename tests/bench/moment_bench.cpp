// What the daemon needs for one moment of the past: states from the journal, two columns of
// readings, on a folder made by past_day. YARD_PAST_DAY names it.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <future>
#include <random>

#include "backend/domain/metric.h"
#include "backend/store/journal.h"
#include "backend/store/series/series_store.h"

using namespace yard;

namespace {

template <typename T, typename Call>
StatusOr<T> wait(Call call)
{
    std::promise<StatusOr<T>> done;
    call([&](StatusOr<T> found) { done.set_value(std::move(found)); });
    return done.get_future().get();
}

class Past {
public:
    Past()
        : m_folder(std::getenv("YARD_PAST_DAY") ? std::getenv("YARD_PAST_DAY") : "")
        , m_journal(store::Journal::open(m_folder + "/journal.db"))
        , m_series(store::SeriesStore::open(m_folder + "/series.db", m_clock))
    {
    }
    bool isThere() const { return !m_folder.empty() && m_journal.ok() && m_series.ok(); }
    Time anyMoment()
    {
        if (!m_made) {
            const auto line = wait<store::Timeline>(
                [&](auto answer) { (*m_journal)->timeline(Time{}, m_clock.now(), 1, answer); });
            // The first stretch is the one that was made.
            m_made = line->known.front();
        }
        return m_made->from + (m_made->to - m_made->from) / 1000 * int64_t(50 + m_random() % 900);
    }
    size_t states(Time at)
    {
        const auto moment =
            wait<store::Moment>([&](auto answer) { (*m_journal)->moment(at, answer); });
        return moment.ok() ? moment->jobs.size() : 0;
    }
    size_t readings(Time at, domain::GpuMetric metric)
    {
        const auto answer = wait<domain::InstantAnswer>([&](auto done) {
            (*m_series)->at({domain::SeriesKind::Gpu, uint32_t(metric), at}, done);
        });
        return answer.ok() ? answer->values.size() : 0;
    }

private:
    SystemClock m_clock;
    std::string m_folder;
    StatusOr<std::unique_ptr<store::Journal>> m_journal;
    StatusOr<std::unique_ptr<store::SeriesStore>> m_series;
    std::optional<store::KnownSpan> m_made;
    std::mt19937 m_random{1};
};

void statesOfAMoment(benchmark::State& state)
{
    Past past;
    if (!past.isThere())
        return state.SkipWithError("YARD_PAST_DAY names no folder of past_day");
    size_t jobs = 0;
    for (auto _ : state)
        jobs = past.states(past.anyMoment());
    state.counters["jobs"] = double(jobs);
}

void twoMapsOfAMoment(benchmark::State& state)
{
    Past past;
    if (!past.isThere())
        return state.SkipWithError("YARD_PAST_DAY names no folder of past_day");
    size_t gpus = 0;
    for (auto _ : state) {
        const Time at = past.anyMoment();
        past.readings(at, domain::GpuMetric::SmActivity);
        gpus = past.readings(at, domain::GpuMetric::Power);
    }
    state.counters["gpus"] = double(gpus);
}

BENCHMARK(statesOfAMoment)->Unit(benchmark::kMillisecond)->Repetitions(5)->ReportAggregatesOnly();
BENCHMARK(twoMapsOfAMoment)->Unit(benchmark::kMillisecond)->Repetitions(5)->ReportAggregatesOnly();

}  // namespace

BENCHMARK_MAIN();
