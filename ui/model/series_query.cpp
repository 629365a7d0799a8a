#include "ui/model/series_query.h"

#include <algorithm>

namespace yard::model {
namespace {

void addOnce(QStringList& all, const QStringList& more)
{
    for (const QString& one : more) {
        if (!all.contains(one))
            all.append(one);
    }
}

}  // namespace

SeriesQuery::SeriesQuery(Actions& actions, QObject* parent)
    : QObject(parent)
    , m_actions(actions)
{
}

SeriesQuery::~SeriesQuery()
{
    *m_alive = false;
}

void SeriesQuery::ask(const Wish& wish)
{
    forget();
    m_result.wish = wish;
    m_result.bySubject.resize(wish.subjects.size());
    m_left = int(wish.subjects.size());
    pump();
}

void SeriesQuery::forget()
{
    ++m_turn;
    m_result = {};
    m_next = 0;
    m_left = 0;
}

void SeriesQuery::pump()
{
    while (m_open < kMostAtOnce && m_next < m_result.wish.subjects.size()) {
        const Wish& wish = m_result.wish;
        const int subject = m_next++;
        ++m_open;
        m_actions.series(
            {wish.subjects[subject], wish.metrics, wish.from, wish.to, wish.maxPoints},
            [this, alive = m_alive, turn = m_turn, subject](const Reply<SeriesInfo>& reply) {
                if (*alive)
                    take(turn, subject, reply);
            });
    }
}

void SeriesQuery::take(quint64 turn, int subject, const Reply<SeriesInfo>& reply)
{
    --m_open;
    if (turn != m_turn)
        return pump();
    if (reply.value) {
        m_result.bySubject[subject] = *reply.value;
        m_result.stepMs = std::max(m_result.stepMs, reply.value->stepMs);
        addOnce(m_result.warnings, reply.value->warnings);
    } else {
        ++m_result.failed;
        addOnce(m_result.errors, {reply.error});
    }
    if (--m_left > 0)
        return pump();
    // A slot may ask anew.
    const Result result = m_result;
    Q_EMIT answered(result);
}

}  // namespace yard::model
