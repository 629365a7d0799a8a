#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"
#include "backend/domain/cluster.h"

namespace yard::store {

/// A job with its links to other attempts, by display id.
struct KeptJob {
    domain::Job job;
    std::string previousJob;
    std::string nextJob;
    bool operator==(const KeptJob&) const = default;
};

/// What the scheduler says of the cluster besides nodes and jobs.
struct KeptParts {
    std::string cluster;
    std::vector<domain::Partition> partitions;
    std::vector<domain::Reservation> reservations;
    std::vector<domain::Switch> switches;
    bool operator==(const KeptParts&) const = default;
};

/// As the journal keeps them: a few hundred bytes each, fields in a fixed order, append only. What
/// moves with every poll is left out, for it would make a version of each: load and free memory of
/// nodes, what is allocated of them (it follows from the jobs), priority and estimated start of
/// jobs. Equal bytes mean that nothing else has changed.
std::string packBody(const domain::Node& node);
std::string packBody(const KeptJob& job);
std::string packBody(const KeptParts& parts);

/// DATA_LOSS if the bytes are cut. Fields that a later version appended are ignored, those that an
/// earlier one did not know keep their default.
StatusOr<domain::Node> unpackNode(std::string_view body);
StatusOr<KeptJob> unpackJob(std::string_view body);
StatusOr<KeptParts> unpackParts(std::string_view body);

}  // namespace yard::store
