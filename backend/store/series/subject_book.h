#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/domain/series.h"
#include "backend/store/sqlite.h"

namespace yard::store {

/// Which lane is whose. A lane is never given to another: a GPU that comes back after a reboot has
/// its old one, a new GPU in the same place a new one.
///
/// Thread: any; load() and assign() only that of the writer.
class SubjectBook {
public:
    using Subjects = std::shared_ptr<const std::vector<domain::SeriesSubject>>;

    Status load(Database& database);
    /// The lane of each subject; new ones are put into the database within the caller's
    /// transaction, or one of its own if there is none.
    StatusOr<std::vector<uint32_t>> assign(Database& database, domain::SeriesKind kind,
                                           const std::vector<domain::SeriesSubject>& wanted);

    Subjects all(domain::SeriesKind kind) const;
    /// By UUID if there is one, else the newest at that place.
    std::optional<uint32_t> lane(domain::SeriesKind kind,
                                 const domain::SeriesSubject& subject) const;

private:
    struct Kind {
        Subjects subjects = std::make_shared<std::vector<domain::SeriesSubject>>();
        std::unordered_map<std::string, std::vector<uint32_t>> lanes;  ///< by node, ascending

        std::optional<uint32_t> lane(const domain::SeriesSubject& wanted) const;
    };
    mutable std::mutex m_mutex;
    std::array<Kind, 2> m_kinds;
};

}  // namespace yard::store
