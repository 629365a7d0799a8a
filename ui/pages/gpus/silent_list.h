#pragma once

#include <QWidget>

namespace yard::model {
class ClusterState;
}

namespace yard::pages {

/// GPUs without a fresh reading, gathered by why, and how the scraping goes.
class SilentList final : public QWidget {
    Q_OBJECT

public:
    explicit SilentList(const model::ClusterState& state, QWidget* parent = nullptr);
    void refresh();
    int missingGpus() const { return m_missing; }
    int staleGpus() const { return m_stale; }

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

    const model::ClusterState& m_state;
    QVector<Row> m_rows;
    QVector<Fact> m_facts;
    int m_missing = 0;
    int m_stale = 0;
};

}  // namespace yard::pages
