#pragma once

#include <QDateTime>
#include <QSet>
#include <QString>
#include <QVector>

#include "ui/model/cluster.h"
#include "ui/model/filter_text.h"

namespace yard::model {

/// What the Jobs page is narrowed to.
struct JobFilter {
    QString text;
    QVector<FilterTerm>
        chips;  ///< keys of jobFilterKeys(); same key: any of, different keys: all of
    int endedWithinSeconds = 0;  ///< of jobs that have ended; 0: all that are known

    bool isEmpty() const
    {
        return text.trimmed().isEmpty() && chips.isEmpty() && endedWithinSeconds == 0;
    }
    bool operator==(const JobFilter&) const = default;
};

QStringList jobFilterKeys();  ///< id user name state partition node account qos reason

/// A filter made ready. Free words are searched in id, user, name, state, partition and nodes.
class JobMatcher {
public:
    JobMatcher(const JobFilter& filter, const QDateTime& now);

    bool matches(const JobInfo& job) const;

private:
    /// A part of a name, or the nodes that it names when it is a hostlist.
    struct NodeQuestion {
        QString text;
        QSet<QString> names;
        QStringList stems;  ///< letters that a folded hostlist must have to name one of them
    };
    static NodeQuestion ask(const QString& text);
    static bool isOnNode(const JobInfo& job, const NodeQuestion& question);
    bool termMatches(const JobInfo& job, int term) const;

    QStringList m_words;
    QVector<NodeQuestion> m_wordNodes;
    QVector<FilterTerm> m_terms;
    QVector<NodeQuestion> m_termNodes;
    int m_endedWithinSeconds = 0;
    QDateTime m_now;
};

}  // namespace yard::model
