#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "ui/model/actions.h"

class QGridLayout;
class QScrollArea;

namespace yard::model {
class ClusterState;
}
namespace yard::widgets {
class Button;
class Card;
class FactSheet;
class FilterField;
class Label;
class LineChart;
class LineKey;
class SegmentedSwitch;
}  // namespace yard::widgets

namespace yard::pages {

class FigureStrip;
class OutcomeBars;
class ShareBars;

/// Where the GPU time of this cluster's jobs goes, with the paper's clusters laid over: the
/// characterization of the jobs that the daemon knows, submitted within a span of one's choice.
///
/// Thread: GUI thread only. Asks while it is visible, and again as time goes on or the cursor
/// moves.
class AnalyticsPage final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive it.
    AnalyticsPage(const model::ClusterState& state, model::Actions& actions,
                  QWidget* parent = nullptr);
    ~AnalyticsPage() override;

    /// A sentence that says what went wrong; empty: written.
    QString exportTo(const QString& path) const;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void buildLine();
    void buildCards();
    widgets::Card* makeCard(const QString& title, const QString& note, const QStringList& figures);
    widgets::LineChart* addChart(widgets::Card* card, const QString& name, widgets::LineKey** key);
    void arrange();
    QString paper() const;
    model::CharacterizeRequest wish() const;
    void ask();
    void tick();
    void take(const model::CharacterizeRequest& asked,
              const model::Reply<model::Characterization>& reply);
    void refresh();
    void refreshCurves(widgets::LineChart* chart, widgets::LineKey* key, const QString& what);
    void refreshDemand();
    void refreshArrivals();
    void refreshNote();
    void setWaiting(bool waiting);
    void chooseFile();

    const model::ClusterState& m_state;
    model::Actions& m_actions;
    std::optional<model::Characterization> m_all;
    std::optional<model::CharacterizeRequest> m_asked;
    bool m_asking = false;
    QString m_error;
    QDateTime m_customFrom;
    QDateTime m_customTo;
    QTimer m_second;
    QTimer m_slow;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);

    widgets::SegmentedSwitch* m_range = nullptr;
    widgets::FilterField* m_span = nullptr;
    widgets::Label* m_note = nullptr;
    widgets::Label* m_over = nullptr;
    widgets::SegmentedSwitch* m_paper = nullptr;
    widgets::Button* m_export = nullptr;
    widgets::Label* m_trouble = nullptr;
    FigureStrip* m_strip = nullptr;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_blank = nullptr;  ///< in its place while there are no figures
    QGridLayout* m_grid = nullptr;
    QVector<QPair<widgets::Card*, QStringList>> m_helped;
    widgets::Card* m_runCard = nullptr;
    widgets::Card* m_queueCard = nullptr;
    widgets::Card* m_demandCard = nullptr;
    widgets::Card* m_typesCard = nullptr;
    widgets::Card* m_statesCard = nullptr;
    widgets::Card* m_arrivalsCard = nullptr;
    widgets::Card* m_quantilesCard = nullptr;
    widgets::Card* m_definitionsCard = nullptr;
    widgets::LineChart* m_run = nullptr;
    widgets::LineChart* m_queue = nullptr;
    widgets::LineChart* m_demand = nullptr;
    widgets::LineChart* m_arrivals = nullptr;
    widgets::LineKey* m_runKey = nullptr;
    widgets::LineKey* m_queueKey = nullptr;
    widgets::LineKey* m_demandKey = nullptr;
    widgets::Label* m_demandWords = nullptr;
    ShareBars* m_types = nullptr;
    OutcomeBars* m_outcomes = nullptr;
    widgets::FactSheet* m_states = nullptr;
    widgets::FactSheet* m_concurrency = nullptr;
    widgets::FactSheet* m_quantiles = nullptr;
    widgets::FactSheet* m_definitions = nullptr;
    int m_arranged = -1;
};

}  // namespace yard::pages
