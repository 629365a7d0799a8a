#include "backend/scheduler/slurm/cluster_readers.h"

#include <optional>
#include <string>
#include <unordered_map>

#include "backend/base/text.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/slurm/key_values.h"
#include "backend/scheduler/slurm/time_text.h"

namespace yard::scheduler::slurm {
namespace {

using std::string_view;

/// Names of a hostlist field; nothing, and a note, if it cannot be read.
std::optional<std::vector<std::string>> hostsOf(string_view record, string_view key,
                                                string_view source, domain::ReadNotes& notes)
{
    const string_view list = textOf(record, key);
    if (list.empty())
        return std::vector<std::string>{};
    auto hosts = domain::expandHostlist(list);
    if (hosts.ok())
        return *std::move(hosts);
    notes.add(std::string(source) + ": " + std::string(key) + "=" +
              text::validUtf8(list.substr(0, 60)) +
              " cannot be read: " + std::string(hosts.status().message()));
    return std::nullopt;
}

}  // namespace

std::vector<domain::Partition> readPartitions(string_view output, domain::ReadNotes& notes)
{
    std::vector<domain::Partition> partitions;
    for (const string_view record : recordsOf(output, "PartitionName=")) {
        auto nodes = hostsOf(record, "Nodes", "scontrol show partition", notes);
        if (!nodes)
            continue;
        domain::Partition partition;
        partition.name = std::string(textOf(record, "PartitionName"));
        partition.state = std::string(textOf(record, "State"));
        partition.isDefault = fieldOf(record, "Default") == "YES";
        partition.maxTime = readTimeLimit(textOf(record, "MaxTime"));
        partition.nodes = *std::move(nodes);
        partitions.push_back(std::move(partition));
    }
    return partitions;
}

std::vector<domain::Reservation> readReservations(string_view output, domain::ReadNotes& notes)
{
    std::vector<domain::Reservation> reservations;
    for (const string_view record : recordsOf(output, "ReservationName=")) {
        auto nodes = hostsOf(record, "Nodes", "scontrol show reservation", notes);
        if (!nodes)
            continue;
        domain::Reservation reservation;
        reservation.name = std::string(textOf(record, "ReservationName"));
        for (const string_view flag : text::split(textOf(record, "Flags"), ",")) {
            if (!flag.empty())
                reservation.flags.emplace_back(flag);
        }
        reservation.users = std::string(textOf(record, "Users"));
        reservation.start = readTime(textOf(record, "StartTime")).at;
        reservation.end = readTime(textOf(record, "EndTime")).at;
        reservation.nodes = *std::move(nodes);
        reservations.push_back(std::move(reservation));
    }
    return reservations;
}

std::vector<domain::Switch> readSwitches(string_view output, domain::ReadNotes& notes)
{
    std::vector<domain::Switch> switches;
    for (const string_view record : recordsOf(output, "SwitchName=")) {
        auto nodes = hostsOf(record, "Nodes", "scontrol show topology", notes);
        auto children = hostsOf(record, "Switches", "scontrol show topology", notes);
        if (!nodes || !children)
            continue;
        domain::Switch entry;
        entry.name = std::string(textOf(record, "SwitchName"));
        entry.level = numberOf<int>(record, "Level").value_or(0);
        entry.nodes = *std::move(nodes);
        entry.children = *std::move(children);
        switches.push_back(std::move(entry));
    }
    return switches;
}

void placeNodes(domain::SchedulerView& view, Time now)
{
    std::unordered_map<string_view, domain::Node*> byName;
    for (auto& node : view.nodes)
        byName.emplace(node.name, &node);
    for (const auto& entry : view.switches) {
        if (entry.level != 0)
            continue;
        for (const auto& name : entry.nodes) {
            if (const auto node = byName.find(name); node != byName.end())
                node->second->switchName = entry.name;
        }
    }
    for (const auto& reservation : view.reservations) {
        const bool isActive = (!reservation.start || *reservation.start <= now) &&
                              (!reservation.end || now < *reservation.end);
        for (const auto& name : reservation.nodes) {
            const auto node = byName.find(name);
            if (isActive && node != byName.end() && node->second->reservation.empty())
                node->second->reservation = reservation.name;
        }
    }
}

}  // namespace yard::scheduler::slurm
