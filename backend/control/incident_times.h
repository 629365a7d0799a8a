#pragma once

#include <chrono>

namespace yard::control::incident_times {

/// A closed incident takes repeats for so long, and an open one repeats of a script.
inline constexpr std::chrono::minutes kFold{10};
/// Faults of one GPU are one story.
inline constexpr std::chrono::minutes kSameGpu{30};
/// A collective waits half an hour for a part that broke.
inline constexpr std::chrono::minutes kJoin{35};
/// Drivers clean up after a crash for as long.
inline constexpr std::chrono::minutes kFollow{120};
/// Nodes lost together.
inline constexpr std::chrono::seconds kOneMoment{30};
/// Nodes behind one switch that fail together.
inline constexpr std::chrono::minutes kOneSwitch{5};

}  // namespace yard::control::incident_times
