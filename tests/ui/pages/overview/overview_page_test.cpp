#include "ui/pages/overview/overview_page.h"

#include <QApplication>
#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/theme/theme.h"
#include "ui/widgets/headline_tile.h"

using namespace yard;

class OverviewPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void aTileSaysThatItHasNoTrend_data();
    void aTileSaysThatItHasNoTrend();
};

void OverviewPageTest::aTileSaysThatItHasNoTrend_data()
{
    QTest::addColumn<bool>("past");
    QTest::addColumn<bool>("trend");
    QTest::addColumn<QString>("words");
    QTest::addRow("live") << false << true << QString();
    QTest::addRow("just started") << false << false << QStringLiteral("no trend yet");
    QTest::addRow("past") << true << true << QString();
    QTest::addRow("before the trend") << true << false << QStringLiteral("no trend then");
}

void OverviewPageTest::aTileSaysThatItHasNoTrend()
{
    QFETCH(bool, past);
    QFETCH(bool, trend);
    QFETCH(QString, words);
    model::ClusterUpdate update = test::sampleUpdate();
    update.isPast = past;
    if (!trend)
        update.trend.clear();
    model::ClusterState state;
    QVERIFY(state.apply(update));
    state.setConnection(model::Connection::Connected);
    model::Selection selection;
    pages::OverviewPage page(state, selection);
    page.resize(1704, 944);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const auto tiles = page.findChildren<widgets::HeadlineTile*>();
    QCOMPARE(tiles.size(), 6);
    for (const auto* tile : tiles)
        QTRY_COMPARE(tile->missingHistory(), words);
}

QTEST_MAIN(OverviewPageTest)
#include "overview_page_test.moc"
