#pragma once

#include <QSet>
#include <QString>
#include <QVector>
#include <optional>

#include "ui/model/filter_text.h"

namespace yard::model {

class ClusterState;

/// What the Nodes page is narrowed to: a hostlist expression, words, and chips.
struct NodeFilter {
    QString text;
    QVector<FilterTerm>
        chips;  ///< keys of kNodeFilterKeys; same key: any of, different keys: all of

    bool isEmpty() const { return text.trimmed().isEmpty() && chips.isEmpty(); }
    bool operator==(const NodeFilter&) const = default;
};

QStringList nodeFilterKeys();  ///< state partition switch rack reason user job name

/// A filter made ready for one state of the cluster.
///
/// A piece of the text that is a node's name or has hostlist characters is a hostlist; the rest is
/// searched in names, states, reasons, partitions, switches and racks.
class NodeMatcher {
public:
    NodeMatcher(const NodeFilter& filter, const ClusterState& state);

    bool matches(int node) const;
    /// What is wrong with the expression, as a sentence; then nothing is filtered by it.
    QString error() const { return m_error; }
    /// Names in the expression that the cluster does not have.
    QStringList unknownNodes() const { return m_unknown; }

private:
    void readHostlist(const QString& expression);

    const ClusterState& m_state;
    QStringList m_words;
    QVector<FilterTerm> m_terms;
    std::optional<QSet<int>> m_hosts;
    QString m_error;
    QStringList m_unknown;
};

}  // namespace yard::model
