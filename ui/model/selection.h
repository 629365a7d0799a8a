#pragma once

#include <QObject>
#include <QSet>
#include <QString>

#include "ui/model/job_filter.h"
#include "ui/model/node_filter.h"

namespace yard::model {

enum class Page { Overview, Gpus, Nodes, Jobs, Analytics, Audit };

/// The one owner of what the pages share: filters, marked nodes, the current node and job, and
/// wishes to see another page. Pages never tell each other; they set it and listen to it.
///
/// Thread: GUI thread only.
class Selection final : public QObject {
    Q_OBJECT

public:
    explicit Selection(QObject* parent = nullptr);

    const NodeFilter& nodeFilter() const { return m_nodeFilter; }
    void setNodeFilter(const NodeFilter& filter);
    const JobFilter& jobFilter() const { return m_jobFilter; }
    void setJobFilter(const JobFilter& filter);

    /// Marked for an action, by name; natural order.
    QStringList markedNodes() const;
    bool isMarked(const QString& node) const { return m_marked.contains(node); }
    int markedCount() const { return int(m_marked.size()); }
    void setMarkedNodes(const QStringList& nodes);
    void setMarked(const QString& node, bool marked);
    void clearMarked();

    /// Empty: none.
    QString currentNode() const { return m_currentNode; }
    void setCurrentNode(const QString& node);
    /// The GPU of the current node that was asked for; -1: none in particular.
    int currentGpu() const { return m_currentGpu; }
    QString currentJob() const { return m_currentJob; }
    void setCurrentJob(const QString& displayId);

    // -- wishes --
    void requestPage(Page page) { Q_EMIT pageRequested(page); }
    void showNode(const QString& node);  ///< as the current one of the Nodes page
    void showGpu(const QString& node, int gpu);
    void showNodes(const QString& hostlist);  ///< as the filter of the Nodes page
    void showJob(const QString& displayId);

Q_SIGNALS:
    void nodeFilterChanged();
    void jobFilterChanged();
    void markedNodesChanged();
    void currentNodeChanged(const QString& node);
    void currentJobChanged(const QString& displayId);
    void pageRequested(yard::model::Page page);

private:
    NodeFilter m_nodeFilter;
    JobFilter m_jobFilter;
    QSet<QString> m_marked;
    QString m_currentNode;
    int m_currentGpu = -1;
    QString m_currentJob;
};

}  // namespace yard::model
