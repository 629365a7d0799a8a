// The time cursor dragged over the history of a running daemon, measured from inside: from the
// moved cursor to the painted page, with nodes, jobs and the map as of then. Arguments: socket,
// page (gpus, nodes, jobs), number of moves. Same window and client as yardmaster.
#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTest>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "ui/client/cluster_client.h"
#include "ui/main_window.h"
#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/model/time_cursor.h"
#include "ui/theme/theme.h"

using namespace yard;

int main(int argc, char** argv)
{
    if (argc != 4)
        return 2;
    QApplication application(argc, argv);
    theme::Theme::instance().install(application);
    model::ClusterState state;
    model::Selection selection;
    client::ClusterClient client(QStringLiteral("unix:") + QString::fromLocal8Bit(argv[1]), state);
    ui::MainWindow window(state, selection, client.actions());
    const QString page = QString::fromLocal8Bit(argv[2]);
    window.resize(1920, 1080);
    window.showPage(page == QLatin1String("nodes")  ? model::Page::Nodes
                    : page == QLatin1String("jobs") ? model::Page::Jobs
                                                    : model::Page::Gpus);
    window.show();
    client.follow(window.timeCursor());
    client.start();
    model::TimeCursor& cursor = window.timeCursor();
    if (!QTest::qWaitFor([&] { return cursor.hasHistory() && state.hasSnapshot(); }, 20'000)) {
        std::fprintf(stderr, "The daemon shows no history.\n");
        return 1;
    }
    const QDateTime first = cursor.timeline().first;
    // The demo's own present is another cluster: the day made before it ends here.
    const qint64 span = first.msecsTo(cursor.timeline().known.constFirst().second);
    std::mt19937 random(1);
    std::vector<double> frames;
    qint64 jobs = 0;
    const int moves = std::atoi(argv[3]);
    cursor.setDragging(true);
    for (int i = 0; i < moves; ++i) {
        const QDateTime at = first.addMSecs(qint64(random() % 9000 + 500) * span / 10'000);
        QEventLoop loop;
        QObject::connect(&state, &model::ClusterState::trendChanged, &loop, [&] {
            if (state.isPast() && state.now() == at)
                loop.quit();
        });
        QTimer::singleShot(10'000, &loop, &QEventLoop::quit);
        QElapsedTimer clock;
        clock.start();
        cursor.moveTo(at);
        loop.exec();
        window.repaint();
        QApplication::processEvents();
        frames.push_back(double(clock.nsecsElapsed()) / 1e6);
        jobs += state.jobs().size();
    }
    std::sort(frames.begin(), frames.end());
    std::printf(
        "%s: %d GPUs, %lld jobs a frame, %.0f ms median, %.0f ms p95, %.0f ms worst of %zu\n",
        argv[2], state.gpuCount(), static_cast<long long>(jobs / std::max(moves, 1)),
        frames[frames.size() / 2], frames[frames.size() * 95 / 100], frames.back(), frames.size());
    return 0;
}
