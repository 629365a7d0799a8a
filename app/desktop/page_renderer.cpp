#include "app/desktop/page_renderer.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QEventLoop>
#include <QPixmap>
#include <QTimer>
#include <cmath>
#include <cstdio>

#include "ui/main_window.h"
#include "ui/rail.h"

namespace yard::desktop {

constexpr int kSettleMs = 30'000;
constexpr int kCalmMs = 700;  ///< longer than a page's own pause between refreshes
constexpr int kFewestUpdates = 5;

PageRenderer::PageRenderer(ui::MainWindow& window, model::ClusterState& state,
                           const QString& folder)
    : m_window(window)
    , m_state(state)
    , m_folder(folder)
{
    connect(&state, &model::ClusterState::readingsChanged, this, [this] { ++m_updates; });
}

void PageRenderer::fail(const QString& sentence)
{
    std::fprintf(stderr, "yardmaster: %s\n", qPrintable(sentence));
    QCoreApplication::exit(1);
}

void PageRenderer::start()
{
    if (!QDir().mkpath(m_folder)) {
        fail(QStringLiteral("--render %1: the folder cannot be made. Nothing was drawn.")
                 .arg(m_folder));
        return;
    }
    auto* poll = new QTimer(this);
    connect(poll, &QTimer::timeout, this, [this, poll, deadline = QDeadlineTimer(kSettleMs)] {
        if (!hasSettled() && !deadline.hasExpired())
            return;
        poll->stop();
        if (!m_state.hasSnapshot()) {
            fail(QStringLiteral("No data came within %1 s, so nothing was drawn. %2")
                     .arg(kSettleMs / 1000)
                     .arg(m_state.connectionError()));
            return;
        }
        renderAll();
    });
    poll->start(100);
}

bool PageRenderer::hasSettled() const
{
    if (!m_state.hasSnapshot() || m_updates < kFewestUpdates)
        return false;
    for (float value : m_state.gpuColumn(model::GpuMetric::SmActivity)) {
        if (!std::isnan(value))
            return true;
    }
    return false;
}

void PageRenderer::save(const QString& name)
{
    QEventLoop calm;
    QTimer::singleShot(kCalmMs, &calm, &QEventLoop::quit);
    calm.exec();
    QImage image(m_window.size() * m_window.devicePixelRatioF(), QImage::Format_RGB32);
    image.setDevicePixelRatio(m_window.devicePixelRatioF());
    m_window.render(&image);
    const QString path = QDir(m_folder).filePath(name + QStringLiteral(".png"));
    if (image.save(path))
        std::printf("%s\n", qPrintable(path));
    else
        fail(QStringLiteral("%1 cannot be written.").arg(path));
    std::fflush(stdout);
}

void PageRenderer::renderAll()
{
    for (const ui::PageEntry& entry : ui::pageEntries()) {
        m_window.showPage(entry.page);
        save(entry.title.toLower());
    }
    if (m_afterPages)
        m_afterPages();
    QCoreApplication::exit(0);
}

}  // namespace yard::desktop
