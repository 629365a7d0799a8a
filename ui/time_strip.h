#pragma once

#include <QWidget>

namespace yard::model {
class ClusterState;
class TimeCursor;
}  // namespace yard::model

namespace yard::widgets {
class Button;
class SegmentedSwitch;
}  // namespace yard::widgets

namespace yard::ui {

/// Along the bottom of the window: Live, play and its speed, the track, quick ranges.
///
/// Thread: GUI thread only.
class TimeStrip final : public QWidget {
    Q_OBJECT

public:
    TimeStrip(const model::ClusterState& state, model::TimeCursor& cursor,
              QWidget* parent = nullptr);

    /// For windows that have little height.
    void setLow(bool low);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void nextSpeed();

    model::TimeCursor& m_cursor;
    widgets::Button* m_live;
    widgets::Button* m_play;
    widgets::Button* m_speed;
    widgets::SegmentedSwitch* m_ranges;
    int m_chosenSpeed = 60;
};

}  // namespace yard::ui
