#pragma once

#include "ui/model/cluster.h"
#include "ui/widgets/popup.h"

namespace yard::model {
class ClusterState;
}

namespace yard::pages {

/// What is known of one GPU: identity, six values, facts, age, keys. Stands beside the cell, never
/// over it.
class HoverCard final : public widgets::PopupPanel {
    Q_OBJECT

public:
    HoverCard(const model::ClusterState& state, QWidget* page);
    void showFor(int node, int gpu, const QRect& cell);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Fact {
        QString key;
        QString words;
        bool mono = false;
        int category = -1;
    };
    void collect();
    void paintHead(QPainter& painter, int left, int width, int& top) const;
    void paintValues(QPainter& painter, int left, int width, int& top) const;
    void paintFacts(QPainter& painter, int left, int width, int& top) const;
    void paintFoot(QPainter& painter, int left, int width, int top) const;
    int wantedHeight() const;

    const model::ClusterState& m_state;
    int m_node = -1;
    int m_gpu = -1;
    QString m_identity;
    QString m_fault;
    QVector<Fact> m_facts;
};

}  // namespace yard::pages
