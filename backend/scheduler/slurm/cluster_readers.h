#pragma once

#include <string_view>
#include <vector>

#include "backend/domain/cluster.h"

namespace yard::scheduler::slurm {

/// From `scontrol -a -o show partition`. A bad node list costs that partition.
std::vector<domain::Partition> readPartitions(std::string_view output, domain::ReadNotes& notes);

/// From `scontrol -a -o show reservation`.
std::vector<domain::Reservation> readReservations(std::string_view output,
                                                  domain::ReadNotes& notes);

/// From `scontrol -o show topology`; empty where Slurm has none.
std::vector<domain::Switch> readSwitches(std::string_view output, domain::ReadNotes& notes);

/// Writes the leaf switch and the active reservation of each node into it. `now` decides what is
/// active.
void placeNodes(domain::SchedulerView& view, Time now);

}  // namespace yard::scheduler::slurm
