#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/domain/job.h"
#include "backend/domain/node.h"

namespace yard::domain {

struct Partition {
    std::string name;
    std::string state;  ///< UP, DOWN, DRAIN, INACTIVE
    bool isDefault = false;
    TimeLimit maxTime;
    std::vector<std::string> nodes;
    bool operator==(const Partition&) const = default;
};

struct Reservation {
    std::string name;
    std::vector<std::string> nodes;
    std::vector<std::string> flags;
    std::string users;
    std::optional<Time> start;
    std::optional<Time> end;
    bool operator==(const Reservation&) const = default;
};

struct Switch {
    std::string name;
    int level = 0;  ///< 0 is a leaf
    std::vector<std::string> nodes;
    std::vector<std::string> children;
    bool operator==(const Switch&) const = default;
};

/// What was skipped while reading, so that it can be counted and shown.
struct ReadNotes {
    int badRecords = 0;
    std::string firstBad;  ///< source, line and what was wrong, as a sentence
    void add(std::string sentence)
    {
        if (badRecords++ == 0)
            firstBad = std::move(sentence);
    }
    void add(ReadNotes more)
    {
        if (badRecords == 0)
            firstBad = std::move(more.firstBad);
        badRecords += more.badRecords;
    }
};

/// One complete look at the scheduler. All or nothing: a failed poll yields none.
struct SchedulerView {
    Time takenAt;
    std::string cluster;
    std::string version;
    std::vector<Node> nodes;  ///< natural order of names
    std::vector<Job> jobs;
    std::vector<Partition> partitions;
    std::vector<Reservation> reservations;
    std::vector<Switch> switches;
    ReadNotes notes;
};

}  // namespace yard::domain
