#pragma once

#include <cstdint>
#include <string>

#include "app/ctl/connection.h"
#include "backend/domain/incident.h"

namespace yard::ctl {

struct IncidentListing {
    uint64_t id = 0;  ///< 0: a list
    uint32_t limit = 100;
    bool all = false;  ///< closed ones too
    std::string node;
    std::string job;
};

int showIncidents(const CommonOptions& options, const IncidentListing& listing);
int changeIncident(const CommonOptions& options, const domain::IncidentChange& change);

}  // namespace yard::ctl
