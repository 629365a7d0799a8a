#include "ui/model/node_filter.h"

#include <QRegularExpression>
#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"

namespace yard::model {
namespace {

bool has(const QString& text, const QString& part)
{
    return text.contains(part, Qt::CaseInsensitive);
}

bool hasAny(const QStringList& texts, const QString& part)
{
    return std::any_of(texts.begin(), texts.end(), [&](const QString& t) { return has(t, part); });
}

bool isHostlist(const QString& word)
{
    static const QRegularExpression marks(QStringLiteral("[\\[\\],!&]"));
    return word.contains(marks);
}

bool wordMatches(const NodeInfo& node, const QString& word)
{
    return has(node.name, word) || has(node.stateText, word) || has(node.reason, word) ||
           hasAny(node.partitions, word) || has(node.switchName, word) || has(node.rack, word) ||
           hasAny(node.flags, word);
}

/// By whole words from their start: DOWN is not POWERED_DOWN.
bool isState(const NodeInfo& node, const QString& word)
{
    const QStringList words = node.stateText.split(QLatin1Char('+')) + node.flags;
    return std::any_of(words.begin(), words.end(), [&](const QString& one) {
        return one.startsWith(word, Qt::CaseInsensitive);
    });
}

bool isKnownJob(const ClusterState& state, int node, const QString& displayId)
{
    const QVector<int> jobs = state.jobsOnNode(node);
    return std::any_of(jobs.begin(), jobs.end(),
                       [&](int job) { return state.jobs()[job].displayId == displayId; });
}

bool termMatches(const ClusterState& state, int position, const FilterTerm& term)
{
    const NodeInfo& node = state.nodes()[position];
    if (term.key == QLatin1String("state"))
        return isState(node, term.value);
    if (term.key == QLatin1String("partition"))
        return node.partitions.contains(term.value, Qt::CaseInsensitive);
    if (term.key == QLatin1String("switch"))
        return node.switchName.compare(term.value, Qt::CaseInsensitive) == 0;
    if (term.key == QLatin1String("rack"))
        return node.rack.compare(term.value, Qt::CaseInsensitive) == 0;
    if (term.key == QLatin1String("reason"))
        return has(node.reason, term.value);
    if (term.key == QLatin1String("user"))
        return node.reasonUser.compare(term.value, Qt::CaseInsensitive) == 0;
    if (term.key == QLatin1String("job"))
        return isKnownJob(state, position, term.value);
    return has(node.name, term.value);
}

}  // namespace

QStringList nodeFilterKeys()
{
    return {QStringLiteral("state"), QStringLiteral("partition"), QStringLiteral("switch"),
            QStringLiteral("rack"),  QStringLiteral("reason"),    QStringLiteral("user"),
            QStringLiteral("job"),   QStringLiteral("name")};
}

NodeMatcher::NodeMatcher(const NodeFilter& filter, const ClusterState& state)
    : m_state(state)
    , m_terms(filter.chips)
{
    // Blanks around operators belong to one expression: "gpu[1-8] ! gpu3".
    static const QRegularExpression blanks(QStringLiteral("\\s*([,&]|!(?!\\w+:))\\s*"));
    QString text = filter.text;
    text.replace(blanks, QStringLiteral("\\1"));
    const FilterText parsed = parseFilter(text, nodeFilterKeys());
    m_terms += parsed.terms;
    for (const QString& word : parsed.words) {
        if (isHostlist(word) || state.nodeIndex(word) >= 0)
            readHostlist(word);
        else
            m_words.append(word);
    }
}

void NodeMatcher::readHostlist(const QString& expression)
{
    const Hosts hosts = expandHostlist(expression);
    if (!hosts.ok()) {
        m_error = hosts.error;
        return;
    }
    QSet<int> known;
    for (const QString& name : hosts.hosts) {
        const int node = m_state.nodeIndex(name);
        if (node >= 0)
            known.insert(node);
        else
            m_unknown.append(name);
    }
    m_hosts = m_hosts ? m_hosts->intersect(known) : known;
}

bool NodeMatcher::matches(int position) const
{
    if (m_hosts && !m_hosts->contains(position))
        return false;
    const NodeInfo& node = m_state.nodes()[position];
    for (const QString& word : m_words) {
        if (!wordMatches(node, word))
            return false;
    }
    for (const FilterTerm& term : m_terms) {
        const bool held = std::any_of(m_terms.begin(), m_terms.end(), [&](const FilterTerm& other) {
            return other.key == term.key && other.excluded == term.excluded &&
                   termMatches(m_state, position, other);
        });
        if (held == term.excluded)
            return false;
    }
    return true;
}

}  // namespace yard::model
