// Repaint of a 1920×1080 map of 131,072 GPUs after every value has changed.
#include <QApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <cstdio>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/theme/theme.h"
#include "ui/widgets/heatmap/heatmap_view.h"

using namespace yard;

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    theme::Theme::instance().install(application);
    test::SampleOptions options;
    options.nodes = 16'384;
    options.nodesPerSwitch = 64;
    model::ClusterState state;
    state.apply(test::sampleUpdate(options));
    model::GpuMap map(state);
    widgets::HeatmapView view(map);
    view.resize(1920, 1080);
    view.show();
    QApplication::processEvents();
    QImage screen(1920, 1080, QImage::Format_RGB32);
    view.render(&screen);
    std::vector<double> applied;
    std::vector<double> painted;
    for (int round = 0; round < 61; ++round) {
        const model::ClusterUpdate update = test::sampleReadings(options, state.revision(), round);
        QElapsedTimer timer;
        timer.start();
        state.apply(update);
        applied.push_back(double(timer.nsecsElapsed()) / 1e6);
        timer.restart();
        view.render(&screen);
        painted.push_back(double(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(applied.begin(), applied.end());
    std::sort(painted.begin(), painted.end());
    std::printf("gpus %d pitch %d groups %d: values %.2f ms, repaint %.2f ms median, %.2f ms p90\n",
                state.gpuCount(), view.mapLayout().pitch(), view.mapLayout().groupCount(),
                applied[30], painted[30], painted[54]);
    return 0;
}
