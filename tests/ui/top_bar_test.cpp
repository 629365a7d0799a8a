#include "ui/top_bar.h"

#include <QApplication>
#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/theme/theme.h"

using namespace yard;

/// Figures change every second; nothing beside them may move.
class TopBarTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void nothingShiftsAsFiguresChange();
    void aRateThatIsNotKnownIsNotZero();

private:
    QImage picture(float replySeconds, float callsPerMinute, qint64 age);
};

QImage TopBarTest::picture(float replySeconds, float callsPerMinute, qint64 age)
{
    qint64 steady = 0;
    model::ClusterState state(nullptr, [&steady] { return steady; });
    model::ClusterUpdate update = test::sampleUpdate();
    update.scheduler->replySeconds = replySeconds;
    update.scheduler->callsPerMinute = callsPerMinute;
    state.apply(update);
    state.setConnection(model::Connection::Connected);
    steady += age;
    ui::TopBar bar(state);
    bar.setTitle(QStringLiteral("Nodes"));
    bar.resize(1600, bar.height());
    QImage image(bar.size(), QImage::Format_RGB32);
    bar.render(&image);
    return image;
}

void TopBarTest::nothingShiftsAsFiguresChange()
{
    // Title, jump field, its key and the dot of the connection.
    const QRect left(0, 0, 1000, 47);
    const QImage first = picture(0.0091F, 6, 800);
    QCOMPARE(picture(0.0123F, 60, 12'000).copy(left), first.copy(left));
    QCOMPARE(picture(0.999F, 120, 14 * 60'000).copy(left), first.copy(left));
    QVERIFY(picture(0.0123F, 60, 800) != first);
}

void TopBarTest::aRateThatIsNotKnownIsNotZero()
{
    QVERIFY(picture(0.01F, 0, 800) != picture(0.01F, 0.04F, 800));
}

QTEST_MAIN(TopBarTest)
#include "top_bar_test.moc"
