#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/control/characterizer.h"
#include "backend/control/cluster_delta.h"
#include "backend/domain/series.h"
#include "backend/store/journal.h"

namespace yard::control {

/// The cluster as it was, in the shape in which it is watched live.
struct PastMoment {
    std::shared_ptr<const ClusterDelta> cluster;  ///< full
    bool known = false;                           ///< without it there are no states
    std::optional<Time> lastKnown;                ///< before, while it is not known
    bool readingsKept = true;
    std::vector<std::string> warnings;
};

/// Answers questions about the past from the journal and the readings that were kept.
///
/// Thread: any. Answers come on threads of the journal or the history and must only hand over.
class Past {
public:
    struct About {
        std::string cluster;
        std::string timeZone;
        bool demo = false;
        float readingIntervalSeconds = 10;
        std::string journalPath;  ///< to look through all jobs; empty: that is refused
        std::string archivePath;  ///< of imported jobs; may not exist
    };
    /// What of the readings a moment is to have; empty lists: all.
    struct Wanted {
        std::vector<uint32_t> gpuMetrics;
        std::vector<uint32_t> nodeMetrics;
        bool withReadings = true;
    };
    template <typename T>
    using Answer = std::function<void(StatusOr<T>)>;

    /// `history` may be null: no readings are kept. Both must outlive every answer.
    Past(store::Journal& journal, domain::SeriesHistory* history, About about);

    void moment(Time at, Wanted wanted, Answer<PastMoment> answer);
    void series(domain::SeriesRequest request, Answer<domain::SeriesAnswer> answer);
    void timeline(Time from, Time to, uint32_t buckets, Answer<store::Timeline> answer);
    void characterize(Characterizer::Span span, Characterizer::Answer answer);

private:
    class Assembly;

    store::Journal& m_journal;
    domain::SeriesHistory* const m_history;
    const About m_about;
    Characterizer m_characterizer;
};

}  // namespace yard::control
