#include "ui/model/selection.h"

#include <algorithm>

#include "ui/model/hostlist.h"

namespace yard::model {

Selection::Selection(QObject* parent)
    : QObject(parent)
{
}

void Selection::setNodeFilter(const NodeFilter& filter)
{
    if (m_nodeFilter == filter)
        return;
    m_nodeFilter = filter;
    Q_EMIT nodeFilterChanged();
}

void Selection::setJobFilter(const JobFilter& filter)
{
    if (m_jobFilter == filter)
        return;
    m_jobFilter = filter;
    Q_EMIT jobFilterChanged();
}

QStringList Selection::markedNodes() const
{
    QStringList nodes = m_marked.values();
    std::sort(nodes.begin(), nodes.end(), naturalLess);
    return nodes;
}

void Selection::setMarkedNodes(const QStringList& nodes)
{
    const QSet<QString> marked(nodes.begin(), nodes.end());
    if (m_marked == marked)
        return;
    m_marked = marked;
    Q_EMIT markedNodesChanged();
}

void Selection::setMarked(const QString& node, bool marked)
{
    if (isMarked(node) == marked)
        return;
    if (marked)
        m_marked.insert(node);
    else
        m_marked.remove(node);
    Q_EMIT markedNodesChanged();
}

void Selection::clearMarked()
{
    setMarkedNodes({});
}

void Selection::setCurrentNode(const QString& node)
{
    if (m_currentNode == node)
        return;
    m_currentNode = node;
    m_currentGpu = -1;
    Q_EMIT currentNodeChanged(node);
}

void Selection::setCurrentJob(const QString& displayId)
{
    if (m_currentJob == displayId)
        return;
    m_currentJob = displayId;
    Q_EMIT currentJobChanged(displayId);
}

void Selection::showNode(const QString& node)
{
    requestPage(Page::Nodes);
    setCurrentNode(node);
}

void Selection::showGpu(const QString& node, int gpu)
{
    requestPage(Page::Nodes);
    m_currentNode = node;
    m_currentGpu = gpu;
    Q_EMIT currentNodeChanged(node);
}

void Selection::showNodes(const QString& hostlist)
{
    requestPage(Page::Nodes);
    setNodeFilter({hostlist, {}});
}

void Selection::showJob(const QString& displayId)
{
    requestPage(Page::Jobs);
    setCurrentJob(displayId);
}

}  // namespace yard::model
