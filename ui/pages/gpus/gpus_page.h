#pragma once

#include <QTimer>
#include <QWidget>

#include "ui/model/gpu_map.h"

class QBoxLayout;
class QHBoxLayout;
class QStackedLayout;

namespace yard::model {
class ClusterState;
class Selection;
}  // namespace yard::model

namespace yard::widgets {
class Card;
class FilterField;
class HeatmapView;
class Histogram;
class Label;
class MapKey;
class ScaleLegend;
class SegmentedSwitch;
class TableView;
}  // namespace yard::widgets

namespace yard::pages {

class HoverCard;
class OddGpusModel;
class SilentList;

/// Every GPU: one metric at a time, grouped as asked, with its distribution, its odd ones and what
/// says nothing.
///
/// Thread: GUI thread only.
class GpusPage final : public QWidget {
    Q_OBJECT

public:
    GpusPage(model::ClusterState& state, model::Selection& selection, QWidget* parent = nullptr);

    widgets::FilterField* filterField() const { return m_filter; }
    /// For review: the card of that GPU as if the pointer were there.
    void showCard(const QString& node, int gpu);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QHBoxLayout* makeFilterLine();
    widgets::Card* makeMap();
    void makePanels();
    void arrange();
    void fitMap();
    void setMetric(int index);
    void applyFilter(const QString& text);
    void showMenu(int node, int gpu, const QPoint& at);
    void openJob(int node, int gpu);
    void refresh();
    void refreshBars();
    void placeKey();
    void refreshHistogram();
    QString whyNothingToCompare(int fresh) const;

    model::ClusterState& m_state;
    model::Selection& m_selection;
    model::GpuMap m_map;
    QTimer m_pause;
    widgets::FilterField* m_filter = nullptr;
    widgets::Label* m_metricWord = nullptr;
    widgets::Label* m_groupWord = nullptr;
    widgets::SegmentedSwitch* m_metric = nullptr;
    widgets::SegmentedSwitch* m_group = nullptr;
    widgets::Card* m_mapCard = nullptr;
    widgets::HeatmapView* m_view = nullptr;
    widgets::MapKey* m_keyBelow = nullptr;
    widgets::MapKey* m_key = nullptr;
    widgets::ScaleLegend* m_legend = nullptr;
    widgets::Card* m_distributionCard = nullptr;
    widgets::Histogram* m_histogram = nullptr;
    widgets::Card* m_oddCard = nullptr;
    OddGpusModel* m_odd = nullptr;
    widgets::TableView* m_oddView = nullptr;
    widgets::Card* m_silentCard = nullptr;
    SilentList* m_silent = nullptr;
    QWidget* m_panels = nullptr;
    QHBoxLayout* m_panelRow = nullptr;
    widgets::SegmentedSwitch* m_tabs = nullptr;
    HoverCard* m_card = nullptr;
    int m_arranged = -1;
};

}  // namespace yard::pages
