#pragma once

#include <QWidget>

namespace yard::model {
class ClusterState;
class TimeCursor;
}  // namespace yard::model

namespace yard::ui {

/// The past as a line: what was known, faults, failed jobs and operations on it, and the cursor to
/// drag. The wheel zooms at the pointer, with Shift it scrolls; a double click is Live.
///
/// Thread: GUI thread only.
class TimeTrack final : public QWidget {
    Q_OBJECT

public:
    TimeTrack(const model::ClusterState& state, model::TimeCursor& cursor,
              QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;
    /// Where a moment lies; may be outside.
    double xOf(const QDateTime& at) const;
    QDateTime timeAt(double x) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Mark {
        double x = 0;
        int count = 0;
    };
    QRectF line() const;
    QVector<Mark> marks(const QVector<int>& counts) const;
    void paintKnown(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    void paintFailedJobs(QPainter& painter) const;
    void paintOperations(QPainter& painter) const;
    void paintFaults(QPainter& painter) const;
    void paintCursor(QPainter& painter) const;
    QString tip(double x) const;

    const model::ClusterState& m_state;
    model::TimeCursor& m_cursor;
};

}  // namespace yard::ui
