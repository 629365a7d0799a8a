#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/pages/gpus/gpus_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/label.h"
#include "ui/widgets/scale_legend.h"

using namespace yard;

namespace {

/// Labels that show a cut text though nobody allowed it, or that reach out of their parents.
QStringList clipped(const QWidget& page)
{
    QStringList found;
    for (const auto* label : page.findChildren<widgets::Label*>()) {
        if (!label->isVisibleTo(&page) || label->text().isEmpty())
            continue;
        if (!label->wordWrap() && label->minimumSizeHint() == label->sizeHint() &&
            label->width() < label->sizeHint().width())
            found << label->text();
        if (label->height() < label->fontMetrics().height() - 2)
            found << label->text() + QStringLiteral(" (height)");
    }
    for (const auto* key : page.findChildren<widgets::MapKey*>()) {
        const int right = key->mapTo(&page, QPoint(key->sizeHint().width(), 0)).x();
        if (key->isVisibleTo(&page) &&
            (key->width() < key->sizeHint().width() || right > page.width()))
            found << QStringLiteral("the map's key");
    }
    return found;
}

enum Feed { Empty, Live, Stale, Disconnected, Unread, NoNodes, NoTelemetry };

model::ClusterUpdate updateOf(int feed)
{
    model::ClusterUpdate update = test::sampleUpdate();
    if (feed == Unread || feed == NoNodes) {
        model::ClusterUpdate bare;
        bare.full = true;
        bare.revision = 1;
        bare.at = update.at;
        bare.cluster = update.cluster;
        bare.scheduler = update.scheduler;
        update = bare;
    }
    if (feed == Unread) {
        update.scheduler->up = false;
        update.scheduler->lastSuccess = {};
        update.scheduler->error = QStringLiteral(
            "/usr/bin/scontrol cannot be run: No such file or directory. Set [slurm] "
            "bin_directory to the folder of Slurm's commands.");
    }
    if (feed == NoTelemetry) {
        update.gpuColumns.clear();
        update.nodeColumns.clear();
        update.readingAgeSeconds.clear();
        update.targets.clear();
        update.faults.clear();
    }
    return update;
}

}  // namespace

class ScreensTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void everyScreenShowsItselfWhole_data();
    void everyScreenShowsItselfWhole();
};

void ScreensTest::everyScreenShowsItselfWhole_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("scheme");
    QTest::addColumn<int>("feed");
    const char* feeds[] = {"empty",  "live",     "stale",       "disconnected",
                           "unread", "no-nodes", "no-telemetry"};
    const char* schemes[] = {"dark", "light"};
    for (const char* page : {"overview", "gpus"}) {
        for (const QSize size : {QSize(1232, 752), QSize(1736, 1032), QSize(3656, 2112)}) {
            for (int scheme : {0, 1}) {
                for (int feed = Empty; feed <= NoTelemetry; ++feed)
                    QTest::addRow("%s-%d-%s-%s", page, size.width(), schemes[scheme], feeds[feed])
                        << QString::fromLatin1(page) << size << scheme << feed;
            }
        }
    }
}

void ScreensTest::everyScreenShowsItselfWhole()
{
    QFETCH(QString, page);
    QFETCH(QSize, size);
    QFETCH(int, scheme);
    QFETCH(int, feed);
    theme::Theme::instance().setScheme(theme::Scheme(scheme));
    qint64 steady = 0;
    model::ClusterState state(nullptr, [&steady] { return steady; });
    model::Selection selection;
    if (feed != Empty) {
        QVERIFY(state.apply(updateOf(feed)));
        state.setConnection(model::Connection::Connected);
    }
    if (feed == Stale)
        steady += 100'000;
    if (feed == Disconnected) {
        steady += 45'000;
        state.setConnection(model::Connection::Disconnected,
                            QStringLiteral("The daemon does not answer."),
                            QDateTime::currentDateTimeUtc().addSecs(4));
    }
    std::unique_ptr<QWidget> widget;
    if (page == QLatin1String("overview"))
        widget = std::make_unique<pages::OverviewPage>(state, selection);
    else
        widget = std::make_unique<pages::GpusPage>(state, selection);
    widget->resize(size);
    widget->show();
    QVERIFY(QTest::qWaitForWindowExposed(widget.get()));
    QImage image(size, QImage::Format_RGB32);
    widget->render(&image);
    QCOMPARE(clipped(*widget), QStringList());
    const QString folder = qEnvironmentVariable("YARD_SHOTS");
    if (!folder.isEmpty()) {
        QDir().mkpath(folder);
        image.save(QDir(folder).filePath(QString::fromLatin1(QTest::currentDataTag()) +
                                         QStringLiteral(".png")));
    }
}

QTEST_MAIN(ScreensTest)
#include "screens_test.moc"
