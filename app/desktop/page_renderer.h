#pragma once

#include <QObject>
#include <QString>

#include "ui/model/cluster_state.h"

namespace yard::ui {
class MainWindow;
}

namespace yard::desktop {

/// Draws every page into PNG files once the data has settled, then ends the program.
class PageRenderer final : public QObject {
    Q_OBJECT

public:
    PageRenderer(ui::MainWindow& window, model::ClusterState& state, const QString& folder,
                 bool states);
    void start();

private:
    bool hasSettled() const;
    void renderAll();
    void renderStates();
    void save(const QString& name);
    void fail(const QString& sentence);

    ui::MainWindow& m_window;
    model::ClusterState& m_state;
    QString m_folder;
    bool m_states;
    int m_updates = 0;
};

}  // namespace yard::desktop
