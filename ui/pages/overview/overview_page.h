#pragma once

#include <QScrollArea>
#include <QTimer>

#include "ui/model/gpu_map.h"

class QGridLayout;

namespace yard::model {
class ClusterState;
class Selection;
}  // namespace yard::model

namespace yard::widgets {
class BarList;
class Card;
class HeadlineTile;
class HeatmapView;
class Label;
class MapKey;
class ScaleLegend;
class SegmentedSwitch;
class StackedAreaChart;
class TableView;
}  // namespace yard::widgets

namespace yard::pages {

class AttentionList;
class NodeCounts;
class RunningJobsModel;

/// The night at a glance: six figures, the map, what needs attention, the largest jobs, use over
/// time.
///
/// Thread: GUI thread only.
class OverviewPage final : public QScrollArea {
    Q_OBJECT

public:
    OverviewPage(model::ClusterState& state, model::Selection& selection,
                 QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeTiles();
    widgets::Card* makeMap();
    widgets::Card* makeAttention();
    widgets::Card* makeJobs();
    widgets::Card* makeUse();
    widgets::Card* makeWaiting();
    widgets::Card* makeEnds();
    void arrange();

    void scheduleRefresh();
    void refresh();
    void refreshTiles();
    void refreshMap();
    void refreshTrend();
    void refreshJobs();

    model::ClusterState& m_state;
    model::Selection& m_selection;
    model::GpuMap m_map;
    QTimer m_pause;
    QWidget* m_content;
    QGridLayout* m_grid;
    QVector<widgets::HeadlineTile*> m_tiles;
    widgets::Card* m_mapCard = nullptr;
    widgets::HeatmapView* m_view = nullptr;
    widgets::ScaleLegend* m_legend = nullptr;
    widgets::MapKey* m_key = nullptr;
    NodeCounts* m_counts = nullptr;
    widgets::Card* m_attentionCard = nullptr;
    AttentionList* m_attention = nullptr;
    widgets::Card* m_jobsCard = nullptr;
    RunningJobsModel* m_jobs = nullptr;
    widgets::TableView* m_jobsView = nullptr;
    widgets::Card* m_useCard = nullptr;
    widgets::StackedAreaChart* m_use = nullptr;
    widgets::Card* m_waitingCard = nullptr;
    widgets::StackedAreaChart* m_waiting = nullptr;
    widgets::Card* m_endsCard = nullptr;
    widgets::BarList* m_ends = nullptr;
    widgets::BarList* m_waits = nullptr;
    widgets::Label* m_nobodyWaits = nullptr;
    int m_arranged = -1;
};

}  // namespace yard::pages
