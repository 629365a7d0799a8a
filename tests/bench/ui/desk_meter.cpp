// The desktop at work on a daemon, measured from inside: how long from the start of the connection
// to the first painted map, how long the event loop is held up, how long from a moved pointer to
// its paint, and what it costs. Arguments: socket, seconds. Same window, client and page as
// yardmaster.

#include <sys/resource.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "ui/client/cluster_client.h"
#include "ui/main_window.h"
#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/theme/theme.h"
#include "ui/widgets/heatmap/heatmap_view.h"

using namespace yard;

namespace {

constexpr int kBeatMs = 5;
constexpr int kMoveMs = 150;
constexpr int kNothingNewMs = 40;

double at(std::vector<double>& values, double share)
{
    if (values.empty())
        return -1;
    std::sort(values.begin(), values.end());
    return values[size_t(share * double(values.size() - 1))];
}

int megabytes(const char* line)
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        int kilobytes = 0;
        if (word == line && status >> kilobytes)
            return kilobytes / 1024;
    }
    return -1;
}

double cpuSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/// Watches the map: a paint is over when the event loop comes back after it.
class MapWatch final : public QObject {
public:
    MapWatch(QWidget* viewport, const model::ClusterState& state)
        : m_viewport(viewport)
        , m_state(state)
    {
        m_clock.start();
        viewport->installEventFilter(this);
    }

    double now() const { return double(m_clock.nsecsElapsed()) / 1e6; }
    double firstMap() const { return m_firstMap; }
    std::vector<double>& moves() { return m_moves; }

    void move()
    {
        if (m_movedAt > 0)
            return;
        m_step = (m_step + 37) % 900;
        const QPointF where(40 + m_step, 60 + m_step % 200);
        m_movedAt = now();
        QApplication::postEvent(
            m_viewport, new QMouseEvent(QEvent::MouseMove, where, m_viewport->mapToGlobal(where),
                                        Qt::NoButton, Qt::NoButton, Qt::NoModifier));
    }

protected:
    bool eventFilter(QObject* object, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            QTimer::singleShot(0, this, [this, whole = m_state.gpuCount() > 0] { painted(whole); });
        // A pointer that stays in its cell paints nothing.
        if (event->type() == QEvent::MouseMove)
            QTimer::singleShot(kNothingNewMs, this, [this] { m_movedAt = 0; });
        return QObject::eventFilter(object, event);
    }

private:
    void painted(bool whole)
    {
        if (m_firstMap < 0 && whole)
            m_firstMap = now();
        if (m_movedAt > 0)
            m_moves.push_back(now() - m_movedAt);
        m_movedAt = 0;
    }

    QWidget* m_viewport;
    const model::ClusterState& m_state;
    QElapsedTimer m_clock;
    double m_firstMap = -1;
    double m_movedAt = 0;
    int m_step = 0;
    std::vector<double> m_moves;
};

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return 2;
    QApplication application(argc, argv);
    theme::Theme::instance().setScheme(theme::Scheme::Dark);
    theme::Theme::instance().install(application);
    model::ClusterState state;
    model::Selection selection;
    client::ClusterClient client(QStringLiteral("unix:") + QString::fromLocal8Bit(argv[1]), state);
    ui::MainWindow window(state, selection, client.actions());
    window.setMinimumSize(1, 1);
    window.resize(1920, 1080);
    window.showPage(model::Page::Gpus);
    window.show();
    QElapsedTimer settle;
    settle.start();
    while (settle.elapsed() < 500)
        QApplication::processEvents(QEventLoop::AllEvents, 50);

    auto* view = window.pageWidget(model::Page::Gpus)->findChild<widgets::HeatmapView*>();
    const double before = cpuSeconds();
    MapWatch watch(view->viewport(), state);
    double applied = -1;
    int updates = 0;
    QObject::connect(&state, &model::ClusterState::readingsChanged, &watch, [&] {
        ++updates;
        if (applied < 0 && state.gpuCount() > 0)
            applied = watch.now();
    });
    client.start();

    std::vector<double> late;
    double lastBeat = -1;
    double lastMove = 0;
    QTimer beat;
    beat.setTimerType(Qt::PreciseTimer);
    QObject::connect(&beat, &QTimer::timeout, &watch, [&] {
        const double now = watch.now();
        // The first map has a figure of its own.
        if (watch.firstMap() < 0 || now < watch.firstMap() + 2000) {
            lastBeat = -1;
            return;
        }
        if (lastBeat >= 0)
            late.push_back(std::max(0.0, now - lastBeat - kBeatMs));
        lastBeat = now;
        if (now - lastMove > kMoveMs) {
            lastMove = now;
            watch.move();
        }
    });
    beat.start(kBeatMs);
    QTimer::singleShot(std::atoi(argv[2]) * 1000, &application, &QApplication::quit);
    QApplication::exec();

    const double seconds = watch.now() / 1000;
    std::printf("first map %.0f ms after connecting (applied after %.0f ms), %d GPUs, %d updates\n",
                watch.firstMap(), applied, state.gpuCount(), updates);
    std::printf("event loop late by %.1f ms median, %.1f ms p95, %.1f ms p99, %.1f ms worst\n",
                at(late, 0.5), at(late, 0.95), at(late, 0.99), at(late, 1));
    std::printf("pointer to paint %.1f ms median, %.1f ms p95, %.1f ms worst of %zu\n",
                at(watch.moves(), 0.5), at(watch.moves(), 0.95), at(watch.moves(), 1),
                watch.moves().size());
    std::printf("%d MB resident, %d MB peak, %.0f %% of a processor\n", megabytes("VmRSS:"),
                megabytes("VmHWM:"), (cpuSeconds() - before) / seconds * 100);
    return watch.firstMap() >= 0 ? 0 : 1;
}
