#pragma once

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QTest>
#include <memory>

#include "tests/support/real_cluster.h"
#include "tests/support/x_display.h"
#include "ui/client/cluster_client.h"
#include "ui/main_window.h"
#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/theme/theme.h"

namespace yard::test {

/// The desktop in a real window, connected to a real daemon, with hands to use it.
class DeskWindow {
public:
    explicit DeskWindow(const QString& socketPath)
        : m_client(QStringLiteral("unix:") + socketPath, m_state)
        , m_window(m_state, m_selection, m_client.actions())
    {
        m_window.resize(1920, 1080);
        m_window.show();
        m_client.follow(m_window.timeCursor());
        m_client.start();
    }

    model::ClusterState& state() { return m_state; }
    ui::MainWindow& window() { return m_window; }
    model::Actions& actions() { return m_client.actions(); }

    /// The visible widget of that name in any of our windows; null if there is none.
    template <typename Widget>
    Widget* find(const char* name) const
    {
        for (QWidget* top : QApplication::topLevelWidgets())
            for (Widget* widget : top->findChildren<Widget*>(QLatin1String(name)))
                if (widget->isVisible())
                    return widget;
        return nullptr;
    }
    /// Waits for it, too.
    template <typename Widget>
    Widget* await(const char* name, int timeoutMs = 5'000) const
    {
        Widget* found = nullptr;
        (void)QTest::qWaitFor([&] { return (found = find<Widget>(name)) != nullptr; }, timeoutMs);
        return found;
    }
    /// After a failure: what the window showed, in the folder YARD_SCREENSHOTS if that is set.
    void keepPictureIfFailed()
    {
        const QString folder = qEnvironmentVariable("YARD_SCREENSHOTS");
        if (QTest::currentTestFailed() && !folder.isEmpty())
            m_window.grab().save(folder + QLatin1Char('/') +
                                 QLatin1String(QTest::currentTestFunction()) +
                                 QLatin1String(".png"));
    }
    static void click(QWidget* widget)
    {
        QTest::mouseClick(widget, Qt::LeftButton, {}, widget->rect().center());
    }

private:
    model::ClusterState m_state;
    model::Selection m_selection;
    client::ClusterClient m_client;
    ui::MainWindow m_window;
};

}  // namespace yard::test
