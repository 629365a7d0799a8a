#pragma once

#include <QString>
#include <functional>

#include "ui/model/cluster_state.h"

class QWidget;

namespace yard::model {
class Selection;
}

namespace yard::ui {
class MainWindow;
}

namespace yard::desktop {

class DemoDaemon;
class PageRenderer;

/// Leads the window through the states that no page shows by itself, and has each drawn: cards,
/// dialogs, details, what is requested, and the window without its daemon.
class StateTour {
public:
    /// All must outlive it. Without `demo` it only looks: nothing is asked of a daemon that is not
    /// our own.
    StateTour(PageRenderer& renderer, ui::MainWindow& window, model::ClusterState& state,
              model::Selection& selection, DemoDaemon* demo);
    void run();

private:
    void card();
    void panels();
    void nodes();
    void jobs();
    void drain();
    void restart();
    void audit();
    void disconnected();
    void everyPage(const QString& state);
    QStringList twelveNodes() const;
    void mark(const QStringList& nodes);
    QString largestJob() const;
    bool fillAndConfirm(int typed);
    bool hasPreview() const;
    bool click(const char* button);
    bool waitFor(const std::function<bool()>& done) const;
    template <typename T>
    T* find(const char* name) const;

    PageRenderer& m_renderer;
    ui::MainWindow& m_window;
    model::ClusterState& m_state;
    model::Selection& m_selection;
    DemoDaemon* m_demo;
};

}  // namespace yard::desktop
