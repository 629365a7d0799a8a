#pragma once

#include <QTimer>
#include <QWidget>
#include <optional>

#include "ui/model/series_query.h"
#include "ui/model/series_scope.h"
#include "ui/widgets/series/series_metrics.h"

class QVBoxLayout;

namespace yard::model {
class ClusterState;
}

namespace yard::widgets {

class Button;
class ChipRow;
class Label;
class LineChart;
class LineKey;
class SegmentedSwitch;

/// Readings over time of a job, a node or a GPU: metrics of one's choice one above the other, over
/// the thing's own span or the last hours. Zoom and crosshair are common to all of them. It follows
/// the time cursor, for everything in the state is as of then.
///
/// Thread: GUI thread only. Nothing is asked for while it is not visible.
class SeriesPanel final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive it.
    SeriesPanel(const model::ClusterState& state, model::Actions& actions,
                QWidget* parent = nullptr);

    void setScope(const model::SeriesScope& scope);
    void setMetrics(const QVector<int>& metrics);  ///< of what is shown: GPUs or nodes
    /// Shows those GPUs or nodes; 0: all GPUs, or all nodes without any.
    void setWho(int who);
    QStringList whoNames() const;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Something that can be chosen to be shown.
    struct Who {
        QString name;
        QVector<model::SeriesSubject> subjects;
        bool areGpus = true;
        int of = 0;  ///< how many there are in all
    };
    struct Row {
        SeriesMetric metric;
        Label* name = nullptr;
        LineKey* key = nullptr;
        LineChart* chart = nullptr;
        QWidget* box = nullptr;
    };
    void buildHead();
    void makeWhos();
    void makeRows();
    void refreshChips();
    void refreshNote();
    void askSoon();
    void ask();
    void tick();
    model::SeriesQuery::Wish wish() const;
    QPair<QDateTime, QDateTime> span() const;
    const Who* who() const;
    QVector<SeriesMetric> chosen() const;
    void take(const model::SeriesQuery::Result& result);
    void fill(Row& row, int place, const model::SeriesQuery::Result& result);
    void say(const QString& title, const QString& detail);
    void zoomed(LineChart* by, double low, double high);
    void showAll();

    const model::ClusterState& m_state;
    model::SeriesQuery m_query;
    model::SeriesScope m_scope;
    bool m_hasScope = false;
    QVector<Who> m_whos;
    int m_who = 0;
    QVector<int> m_gpuMetrics;
    QVector<int> m_nodeMetrics;
    QVector<Row> m_rows;
    std::optional<QPair<qint64, qint64>> m_zoom;  ///< ms
    model::SeriesQuery::Wish m_asked;
    QTimer m_soon;
    QTimer m_second;
    QTimer m_slow;  ///< until then nothing is said of waiting
    Label* m_note = nullptr;
    Button* m_reset = nullptr;
    SegmentedSwitch* m_ownRange = nullptr;
    SegmentedSwitch* m_lastRange = nullptr;
    ChipRow* m_chips = nullptr;
    QVBoxLayout* m_stack = nullptr;
    Label* m_trouble = nullptr;
};

}  // namespace yard::widgets
