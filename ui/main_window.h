#pragma once

#include <QMainWindow>
#include <QPointer>
#include <functional>
#include <memory>

#include "ui/model/actions.h"
#include "ui/model/selection.h"

class QStackedWidget;

namespace yard::model {
class ClusterState;
class PastGuard;
class TimeCursor;
}  // namespace yard::model

namespace yard::widgets {
class ActionDesk;
class Banner;
class Overlay;
class PopupPanel;
class ToastHost;
}  // namespace yard::widgets

namespace yard::pages {
class GpusPage;
}

namespace yard::ui {

class Rail;
class TimeStrip;
class TopBar;
struct JumpTarget;

/// The desktop's window: rail, top bar, banner, and one page at a time. Owns nothing of what it
/// shows.
///
/// Thread: GUI thread only.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    /// All must outlive the window.
    MainWindow(model::ClusterState& state, model::Selection& selection, model::Actions& actions);
    ~MainWindow() override;

    void showPage(model::Page page);
    model::Page currentPage() const { return m_current; }
    QWidget* pageWidget(model::Page page) const;
    pages::GpusPage* gpusPage() const { return m_gpus; }
    /// The moment that the pages show; the client follows it.
    model::TimeCursor& timeCursor() { return *m_cursor; }
    /// What F5 does: the client's retry.
    void setRetry(std::function<void()> retry) { m_retry = std::move(retry); }
    void openJump(const QString& text = {});
    void openKeys();
    void closeOverlay();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addPage(model::Page page, QWidget* widget);
    void makePages();
    void makeShortcuts();
    void addShortcut(const QKeySequence& keys, std::function<void()> act, bool typing = true);
    void jump(const JumpTarget& target);
    void focusFilter();
    void copySelected();
    void escape();
    void refreshBanner();
    void refreshPast();
    QWidget* makePastRow();
    void openPanel(widgets::PopupPanel* panel);

    model::ClusterState& m_state;
    model::Selection& m_selection;
    std::unique_ptr<model::TimeCursor> m_cursor;
    std::unique_ptr<model::PastGuard> m_guard;
    std::unique_ptr<widgets::ActionDesk> m_desk;
    std::function<void()> m_retry;
    Rail* m_rail;
    TopBar* m_top;
    widgets::Banner* m_banner;
    QWidget* m_bannerRow;
    widgets::Banner* m_pastBanner;
    QWidget* m_pastRow;
    TimeStrip* m_strip;
    QStackedWidget* m_pages;
    pages::GpusPage* m_gpus = nullptr;
    widgets::ToastHost* m_toasts;
    QPointer<widgets::Overlay> m_overlay;
    model::Page m_current = model::Page::Overview;
    QHash<int, QWidget*> m_byPage;
};

}  // namespace yard::ui
