#include "ui/model/job_filter.h"

#include <algorithm>

#include "ui/model/hostlist.h"

namespace yard::model {
namespace {

bool has(const QString& text, const QString& part)
{
    return text.contains(part, Qt::CaseInsensitive);
}

bool isSame(const QString& a, const QString& b)
{
    return a.compare(b, Qt::CaseInsensitive) == 0;
}

QString stemOf(const QString& name)
{
    int length = 0;
    while (length < name.size() && !name[length].isDigit())
        ++length;
    return name.left(length);
}

}  // namespace

QStringList jobFilterKeys()
{
    return {QStringLiteral("id"),      QStringLiteral("user"),      QStringLiteral("name"),
            QStringLiteral("state"),   QStringLiteral("partition"), QStringLiteral("node"),
            QStringLiteral("account"), QStringLiteral("qos"),       QStringLiteral("reason")};
}

JobMatcher::JobMatcher(const JobFilter& filter, const QDateTime& now)
    : m_endedWithinSeconds(filter.endedWithinSeconds)
    , m_now(now)
{
    const FilterText parsed = parseFilter(filter.text, jobFilterKeys());
    m_words = parsed.words;
    m_terms = filter.chips + parsed.terms;
    for (const QString& word : qAsConst(m_words))
        m_wordNodes.append(ask(word));
    for (const FilterTerm& term : qAsConst(m_terms))
        m_termNodes.append(ask(term.value));
}

JobMatcher::NodeQuestion JobMatcher::ask(const QString& text)
{
    NodeQuestion question{text, {}, {}};
    QSet<QString> stems;
    for (const QString& name : expandHostlist(text).hosts) {
        question.names.insert(name);
        stems.insert(stemOf(name));
    }
    question.stems = stems.values();
    return question;
}

bool JobMatcher::isOnNode(const JobInfo& job, const NodeQuestion& question)
{
    if (job.nodes.isEmpty())
        return false;
    if (has(job.nodes, question.text))
        return true;
    // Expanding is dear; most lists can be told apart by their letters.
    const bool possible =
        job.nodes.contains(QLatin1Char('[')) || question.names.size() > 1
            ? std::any_of(question.stems.begin(), question.stems.end(),
                          [&](const QString& stem) { return job.nodes.contains(stem); })
            : false;
    if (!possible)
        return false;
    const QStringList nodes = expandHostlist(job.nodes).hosts;
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](const QString& node) { return question.names.contains(node); });
}

bool JobMatcher::termMatches(const JobInfo& job, int index) const
{
    const FilterTerm& term = m_terms[index];
    if (term.key == QLatin1String("id"))
        return job.displayId.startsWith(term.value) || QString::number(job.id) == term.value;
    if (term.key == QLatin1String("user"))
        return isSame(job.user, term.value);
    if (term.key == QLatin1String("state"))
        return has(job.stateText, term.value);
    if (term.key == QLatin1String("partition"))
        return job.partition.split(QLatin1Char(',')).contains(term.value, Qt::CaseInsensitive);
    if (term.key == QLatin1String("node"))
        return isOnNode(job, m_termNodes[index]);
    if (term.key == QLatin1String("account"))
        return isSame(job.account, term.value);
    if (term.key == QLatin1String("qos"))
        return isSame(job.qos, term.value);
    if (term.key == QLatin1String("reason"))
        return has(job.reason, term.value);
    return has(job.name, term.value);
}

bool JobMatcher::matches(const JobInfo& job) const
{
    if (m_endedWithinSeconds > 0 && job.endTime.isValid() && m_now.isValid() && !job.isActive() &&
        !job.isPending() && job.endTime.secsTo(m_now) > m_endedWithinSeconds)
        return false;
    for (int i = 0; i < m_words.size(); ++i) {
        const QString& word = m_words[i];
        if (!has(job.displayId, word) && !has(job.user, word) && !has(job.name, word) &&
            !has(job.stateText, word) && !has(job.partition, word) &&
            !isOnNode(job, m_wordNodes[i]))
            return false;
    }
    for (int i = 0; i < m_terms.size(); ++i) {
        bool held = false;
        for (int j = 0; j < m_terms.size() && !held; ++j) {
            held = m_terms[j].key == m_terms[i].key && m_terms[j].excluded == m_terms[i].excluded &&
                   termMatches(job, j);
        }
        if (held == m_terms[i].excluded)
            return false;
    }
    return true;
}

}  // namespace yard::model
