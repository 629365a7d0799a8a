#pragma once

#include <QWidget>

namespace yard::model {
class ClusterState;
class GpuMap;
}  // namespace yard::model

namespace yard::pages {

/// GPUs without a fresh reading of the map's metric, gathered by why, and how the scraping goes. It
/// counts what the map hatches and greys: their numbers are the map's own.
class SilentList final : public QWidget {
    Q_OBJECT

public:
    explicit SilentList(const model::GpuMap& map, QWidget* parent = nullptr);
    void refresh();
    /// Of all reasons, also those that have no room on the screen.
    int gpusWithout(bool stale) const;

Q_SIGNALS:
    void nodesActivated(const QString& hostlist);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    struct Row {
        QString hosts;
        QString why;
        int gpus = 0;
        int category = -1;
        bool stale = false;
    };
    struct Fact {
        QString key;
        QString words;
    };
    void readRows();
    void readFacts();
    QString whyNodeMissing(int node, const QString& error) const;
    QString whyGpuMissing(int node, int gpu) const;

    const model::GpuMap& m_map;
    const model::ClusterState& m_state;
    QVector<Row> m_rows;
    QVector<Fact> m_facts;
};

}  // namespace yard::pages
