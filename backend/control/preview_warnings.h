#pragma once

#include <string>
#include <vector>

#include "backend/control/preview.h"
#include "backend/domain/job.h"
#include "backend/domain/node.h"

namespace yard::control {

/// Nodes that somebody else took out of service, and what becomes of them.
struct ForeignDrains {
    std::vector<const domain::Node*> left;   ///< left as they are
    std::vector<const domain::Node*> taken;  ///< touched, for they were named by themselves
    std::vector<std::string> inService;      ///< Resume: nothing to do
};

/// Nodes that were drained from this desk already.
struct OwnDrains {
    std::vector<std::string> same;     ///< for the same reason: left as they are
    std::vector<std::string> renamed;  ///< get another reason, and nothing else
};

/// Each adds sentences to `preview.warnings`, heaviest first.
void addForeignWarnings(const ForeignDrains& foreign, Preview& preview);
void addOwnWarnings(const OwnDrains& own, Preview& preview);
/// Jobs that the action is not for. If there is `nothingElse`, it is the refusal.
void addLeftJobs(const std::vector<const domain::Job*>& left, bool nothingElse, Preview& preview);
void addDamageWarnings(Preview& preview);
void addStateWarning(const domain::Job& job, Preview& preview);
void addUndoWarning(Preview& preview, bool hasUndo);

}  // namespace yard::control
