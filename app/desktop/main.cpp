#include <QApplication>
#include <QTimer>
#include <cstdio>
#include <cstring>
#include <memory>

#include "app/desktop/demo_daemon.h"
#include "app/desktop/options.h"
#include "app/desktop/page_renderer.h"
#include "app/desktop/state_tour.h"
#include "ui/client/cluster_client.h"
#include "ui/main_window.h"
#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/model/time_cursor.h"
#include "ui/theme/theme.h"

using namespace yard;

namespace {

// Help and version need no display.
bool asksForWords(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
        for (const char* word : {"-h", "--help", "-v", "--version"})
            if (std::strcmp(argv[i], word) == 0)
                return true;
    return false;
}

}  // namespace

int main(int argc, char** argv)
{
    QApplication::setApplicationName(QStringLiteral("yardmaster"));
    QApplication::setOrganizationName(QStringLiteral("yardmaster"));
    QApplication::setApplicationVersion(QStringLiteral("0.1.0"));
    if (asksForWords(argc, argv)) {
        const QCoreApplication words(argc, argv);
        (void)desktop::readOptions(QCoreApplication::arguments());
    }
    QApplication application(argc, argv);
    const desktop::Options options = desktop::readOptions(QApplication::arguments());
    theme::Theme::instance().setScheme(options.theme.value_or(theme::Theme::remembered()));
    theme::Theme::instance().install(application);

    std::unique_ptr<desktop::DemoDaemon> demo;
    QString address = options.address;
    if (address.isEmpty()) {
        demo = std::make_unique<desktop::DemoDaemon>();
        const QString problem = demo->start(options.demo);
        if (!problem.isEmpty()) {
            std::fprintf(stderr, "yardmaster: %s\n", qPrintable(problem));
            return 1;
        }
        address = demo->address();
    }

    model::ClusterState state;
    model::Selection selection;
    client::ClusterClient client(address, state);
    ui::MainWindow window(state, selection, client.actions());
    client.follow(window.timeCursor());
    if (options.at.isValid())
        window.timeCursor().moveTo(options.at);
    window.setRetry([&client] { client.retryNow(); });
    if (options.size.isValid()) {
        window.setMinimumSize(1, 1);
        window.resize(options.size);
    }
    window.showPage(options.page);
    window.show();
    client.start();
    std::unique_ptr<desktop::PageRenderer> renderer;
    std::unique_ptr<desktop::StateTour> tour;
    if (!options.renderFolder.isEmpty()) {
        renderer = std::make_unique<desktop::PageRenderer>(window, state, options.renderFolder);
        if (options.renderStates) {
            tour = std::make_unique<desktop::StateTour>(*renderer, window, state, selection,
                                                        demo.get());
            renderer->setAfterPages([&tour] { tour->run(); });
        }
        // From the event loop, so that it can end it.
        QTimer::singleShot(0, renderer.get(), &desktop::PageRenderer::start);
    }
    return QApplication::exec();
}
