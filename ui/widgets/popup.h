#pragma once

#include <QWidget>

class QVBoxLayout;

namespace yard::widgets {

/// A raised panel with a strong line and a painted shadow, inside the window (never a window of its
/// own). The shadow lies in the widget's margin of kShadow.
class PopupPanel : public QWidget {
    Q_OBJECT

public:
    static constexpr int kShadow = 24;

    explicit PopupPanel(QWidget* parent = nullptr);
    QVBoxLayout* content() const { return m_content; }
    void setRadius(int radius);
    QRect panelRect() const { return rect().adjusted(kShadow, kShadow, -kShadow, -kShadow); }
    /// So that the panel's (not the shadow's) corner is there.
    void movePanel(const QPoint& topLeft) { move(topLeft - QPoint(kShadow, kShadow)); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVBoxLayout* m_content;
    int m_radius;
};

/// A dialog in the page: the panel over a scrim, page only, so that rail and status stay clear.
/// Escape and a click on the scrim close it. Owns the panel; deletes itself on close.
class Overlay final : public QWidget {
    Q_OBJECT

public:
    enum class Place { Center, Top, Left, Right };

    Overlay(QWidget* page, PopupPanel* panel, Place place = Place::Center);
    void closeOverlay();

Q_SIGNALS:
    void closed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void arrange();

    PopupPanel* m_panel;
    Place m_place;
};

}  // namespace yard::widgets
