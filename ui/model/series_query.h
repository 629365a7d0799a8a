#pragma once

#include <QObject>
#include <functional>
#include <memory>

#include "ui/model/actions.h"
#include "ui/model/series.h"

namespace yard::model {

/// Asks for the same metrics of several subjects over one span, a few calls at a time. Of wishes
/// made while answers are under way only the newest is answered; late answers are dropped, so that
/// zooming and dragging never queue.
///
/// Thread: GUI thread only.
class SeriesQuery final : public QObject {
    Q_OBJECT

public:
    struct Wish {
        QVector<SeriesSubject> subjects;
        QVector<int> metrics;
        QDateTime from;
        QDateTime to;
        int maxPoints = 0;
        bool operator==(const Wish&) const = default;
    };
    struct Result {
        Wish wish;
        QVector<SeriesInfo> bySubject;  ///< parallel to the subjects; empty where nothing came
        qint64 stepMs = 0;              ///< the longest of them
        QStringList warnings;           ///< of all, each once
        QStringList errors;             ///< of those that failed, each once
        int failed = 0;                 ///< subjects
    };
    /// `actions` must outlive it.
    explicit SeriesQuery(Actions& actions, QObject* parent = nullptr);
    ~SeriesQuery() override;

    void ask(const Wish& wish);
    /// What is under way is no longer wanted.
    void forget();
    bool isAsking() const { return m_left > 0; }

    static constexpr int kMostAtOnce = 4;

Q_SIGNALS:
    void answered(const yard::model::SeriesQuery::Result& result);

private:
    void pump();
    void take(quint64 turn, int subject, const Reply<SeriesInfo>& reply);

    Actions& m_actions;
    Result m_result;
    quint64 m_turn = 0;
    int m_next = 0;  ///< subject to ask for
    int m_left = 0;  ///< subjects without an answer, of this turn
    int m_open = 0;  ///< calls under way, of any turn
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

}  // namespace yard::model
