#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>

#include "ui/widgets/popup.h"

namespace yard::widgets {

class Button;

/// What happened, said once: observed or refused, with Slurm's own words. Goes after 8 s unless it
/// is an error or under the pointer.
struct ToastText {
    QString title;
    QString verbatim;  ///< the scheduler's own words
    QString detail;
    bool error = false;
    QString undoLabel;  ///< empty: no undo
    std::function<void()> undo;
};

class Toast final : public PopupPanel {
    Q_OBJECT

public:
    Toast(const ToastText& text, QWidget* parent);

Q_SIGNALS:
    void closed();

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QTimer m_life;
    bool m_stays;
};

/// Keeps at most three toasts at the bottom right of its parent, side by side in a lane that takes
/// its room from what stands above it: they cover nothing.
class ToastHost final : public QObject {
    Q_OBJECT

public:
    explicit ToastHost(QWidget* parent);
    /// `lane` is an empty child of the parent, at its bottom edge; it takes its height from here.
    void setLane(QWidget* lane);
    void show(const ToastText& text);
    int count() const { return int(m_toasts.size()); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange();
    int place(const QRect& room, int inRow);
    void drop(Toast* toast);

    QWidget* m_parent;
    QWidget* m_lane = nullptr;
    QVector<Toast*> m_toasts;  ///< oldest first
};

}  // namespace yard::widgets
