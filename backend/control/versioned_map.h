#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace yard::control {

/// A map that can tell what changed after a revision. Removed keys are remembered up to a bound; a
/// reader older than that memory must start anew.
///
/// Thread: that of its owner.
template <typename Key, typename Value>
class VersionedMap {
public:
    struct Entry {
        Value value;
        uint64_t revision = 0;
    };
    using Map = std::map<Key, Entry>;

    explicit VersionedMap(size_t maxTombstones = 10'000)
        : m_maxTombstones(maxTombstones)
    {
    }

    /// False if the same value was there already.
    bool put(const Key& key, Value value, uint64_t revision)
    {
        const auto [place, isNew] = m_entries.try_emplace(key);
        if (!isNew && place->second.value == value)
            return false;
        if (isNew)
            std::erase_if(m_tombstones, [&](const auto& item) { return item.first == key; });
        place->second = {std::move(value), revision};
        return true;
    }

    bool remove(const Key& key, uint64_t revision)
    {
        if (m_entries.erase(key) == 0)
            return false;
        m_tombstones.emplace_back(key, revision);
        if (m_tombstones.size() > m_maxTombstones) {
            m_forgotten = m_tombstones.front().second;
            m_tombstones.pop_front();
        }
        return true;
    }

    const Value* find(const Key& key) const
    {
        const auto found = m_entries.find(key);
        return found == m_entries.end() ? nullptr : &found->second.value;
    }

    /// Whether everything removed after `revision` is still remembered.
    bool remembers(uint64_t revision) const { return revision >= m_forgotten; }

    std::vector<Value> changedAfter(uint64_t revision) const
    {
        std::vector<Value> values;
        for (const auto& [key, entry] : m_entries)
            if (entry.revision > revision)
                values.push_back(entry.value);
        return values;
    }

    std::vector<Key> removedAfter(uint64_t revision) const
    {
        std::vector<Key> keys;
        for (const auto& [key, when] : m_tombstones)
            if (when > revision)
                keys.push_back(key);
        return keys;
    }

    const Map& entries() const { return m_entries; }

private:
    const size_t m_maxTombstones;
    Map m_entries;
    std::deque<std::pair<Key, uint64_t>> m_tombstones;
    uint64_t m_forgotten = 0;
};

}  // namespace yard::control
