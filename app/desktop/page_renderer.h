#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "ui/model/cluster_state.h"

namespace yard::ui {
class MainWindow;
}

namespace yard::desktop {

/// Draws every page into PNG files once the data has settled, then ends the program.
class PageRenderer final : public QObject {
    Q_OBJECT

public:
    PageRenderer(ui::MainWindow& window, model::ClusterState& state, const QString& folder);
    /// Drawn too, before the program ends.
    void setAfterPages(std::function<void()> draw) { m_afterPages = std::move(draw); }
    void start();
    /// The window as it is in a moment, once nothing is left to repaint.
    void save(const QString& name);

private:
    bool hasSettled() const;
    void renderAll();
    void fail(const QString& sentence);

    ui::MainWindow& m_window;
    model::ClusterState& m_state;
    QString m_folder;
    std::function<void()> m_afterPages;
    int m_updates = 0;
};

}  // namespace yard::desktop
