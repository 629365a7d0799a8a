#pragma once

#include <QHash>
#include <QSet>
#include <QVector>
#include <algorithm>

namespace yard::model {

/// More changes at once than this are announced as a reset.
constexpr int kMaxRowSteps = 400;

/// Brings `rows` to the members of `next` (which is sorted by `less`) without moving those that
/// stay: a table must not jump under the pointer. Rows that stay take the value of `next`.
///
/// `Model` has removeStarts(first, last), removeEnds(), insertStarts(first, last), insertEnds().
/// False if it would take too many steps; nothing is done then.
template <typename Row, typename KeyOf, typename Less, typename Model>
bool updateLiveRows(QVector<Row>& rows, const QVector<Row>& next, KeyOf keyOf, Less less,
                    Model&& model)
{
    using Key = std::decay_t<decltype(keyOf(next[0]))>;
    QHash<Key, int> wanted;
    wanted.reserve(next.size());
    for (int i = 0; i < next.size(); ++i)
        wanted.insert(keyOf(next[i]), i);
    QSet<Key> kept;
    kept.reserve(rows.size());
    for (const Row& row : rows) {
        if (wanted.contains(keyOf(row)))
            kept.insert(keyOf(row));
    }
    if (rows.size() - kept.size() + next.size() - kept.size() > kMaxRowSteps)
        return false;

    for (int last = int(rows.size()) - 1; last >= 0; --last) {
        if (kept.contains(keyOf(rows[last])))
            continue;
        int first = last;
        while (first > 0 && !kept.contains(keyOf(rows[first - 1])))
            --first;
        model.removeStarts(first, last);
        rows.remove(first, last - first + 1);
        model.removeEnds();
        last = first;
    }
    for (Row& row : rows)
        row = next[wanted.value(keyOf(row))];
    for (const Row& row : next) {
        if (kept.contains(keyOf(row)))
            continue;
        const int at = int(std::upper_bound(rows.begin(), rows.end(), row, less) - rows.begin());
        model.insertStarts(at, at);
        rows.insert(at, row);
        model.insertEnds();
    }
    return true;
}

}  // namespace yard::model
