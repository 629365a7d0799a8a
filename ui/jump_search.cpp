#include "ui/jump_search.h"

#include <QSet>
#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/rail.h"
#include "ui/theme/wording.h"

namespace yard::ui {
namespace {

using Kind = JumpTarget::Kind;

void addHostlist(const model::ClusterState& state, const QString& text, QVector<JumpTarget>& hits)
{
    if (!text.contains(QLatin1Char('[')) && !text.contains(QLatin1Char(',')))
        return;
    const model::Hosts hosts = model::expandHostlist(text);
    int known = 0;
    for (const QString& host : hosts.hosts)
        known += state.nodeIndex(host) >= 0 ? 1 : 0;
    if (known > 0)
        hits.push_back({Kind::Hostlist, text,
                        theme::counted(known, QStringLiteral("node"), QStringLiteral("nodes")),
                        text, model::Page::Nodes, 5000});
}

}  // namespace

int fuzzyScore(const QString& text, const QString& pattern)
{
    if (pattern.isEmpty())
        return 1;
    if (text.compare(pattern, Qt::CaseInsensitive) == 0)
        return 1000;
    if (text.startsWith(pattern, Qt::CaseInsensitive))
        return 800 - int(std::min<qsizetype>(text.size(), 100));
    const qsizetype inside = text.indexOf(pattern, 0, Qt::CaseInsensitive);
    if (inside > 0)
        return 500 - int(std::min<qsizetype>(inside + text.size(), 200));
    int score = 200;
    qsizetype from = 0;
    for (const QChar& letter : pattern) {
        const qsizetype at = text.indexOf(letter, from, Qt::CaseInsensitive);
        if (at < 0)
            return 0;
        score -= int(std::min<qsizetype>(at - from, 20)) * 4;
        from = at + 1;
    }
    return std::max(1, score);
}

QVector<JumpTarget> searchJump(const model::ClusterState& state, const QString& typed, int most)
{
    const QString text = typed.trimmed();
    QVector<JumpTarget> hits;
    for (const PageEntry& entry : pageEntries()) {
        const int score = fuzzyScore(entry.title, text);
        if (score > 0)
            hits.push_back({Kind::Page, entry.title, entry.about, {}, entry.page, score + 20});
    }
    if (text.isEmpty())
        return hits;
    addHostlist(state, text, hits);
    for (const model::NodeInfo& node : state.nodes()) {
        const int score = fuzzyScore(node.name, text);
        if (score > 0)
            hits.push_back(
                {Kind::Node, node.name,
                 QStringLiteral("%1 · %2").arg(theme::categoryName(node.category), node.switchName),
                 node.name, model::Page::Nodes, score + 10});
    }
    QSet<QString> users;
    for (const model::JobInfo& job : state.jobs()) {
        const int score = std::max(fuzzyScore(job.displayId, text), fuzzyScore(job.name, text) - 5);
        // Jobs that are there outrank those that were.
        if (score > 0)
            hits.push_back({Kind::Job, job.displayId + QLatin1Char(' ') + job.name,
                            QStringLiteral("%1 · %2").arg(job.stateText, job.user), job.displayId,
                            model::Page::Jobs,
                            score + (job.isActive()    ? 8
                                     : job.isPending() ? 4
                                                       : 0)});
        users.insert(job.user);
    }
    for (const QString& user : std::as_const(users)) {
        const int score = fuzzyScore(user, text);
        if (score > 0)
            hits.push_back({Kind::User, user, QStringLiteral("jobs of this user"), user,
                            model::Page::Jobs, score + 6});
    }
    const auto shown = std::min<qsizetype>(most, hits.size());
    std::partial_sort(hits.begin(), hits.begin() + shown, hits.end(),
                      [](const JumpTarget& a, const JumpTarget& b) {
                          return a.score != b.score ? a.score > b.score
                                                    : model::naturalLess(a.title, b.title);
                      });
    hits.resize(shown);
    return hits;
}

}  // namespace yard::ui
