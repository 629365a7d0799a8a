#include "ui/widgets/heatmap/heatmap_view.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/theme/heat_scale.h"
#include "ui/theme/theme.h"

using namespace yard;
using widgets::HeatmapView;

namespace {

QImage shot(QWidget& widget)
{
    QImage image(widget.size(), QImage::Format_RGB32);
    widget.render(&image);
    return image;
}

}  // namespace

Q_DECLARE_METATYPE(yard::widgets::HeatmapView::Cell)

class HeatmapViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void init()
    {
        m_steady = 0;
        m_state = std::make_unique<model::ClusterState>(nullptr, [this] { return m_steady; });
        QVERIFY(m_state->apply(test::sampleUpdate()));
        m_map = std::make_unique<model::GpuMap>(*m_state);
        m_view = std::make_unique<HeatmapView>(*m_map);
        m_view->resize(1680, 600);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }
    void cleanup()
    {
        m_view.reset();
        m_map.reset();
        m_state.reset();
    }

    void aReadingHasTheColourOfItsValue()
    {
        const int node = m_state->nodeIndex(QStringLiteral("gpu010"));
        const float value = m_state->gpuValue(model::GpuMetric::SmActivity, node, 3);
        const QColor expected =
            QColor::fromRgb(theme::HeatScale::of(theme::Scale::Use).color(value / 100));
        const QImage image = shot(*m_view);
        QCOMPARE(image.pixelColor(m_view->cellRect({node, 3}).center()), expected);
    }
    void theIdealHeightIsOfTheCellsThatFit()
    {
        m_view->setLargestPitch(40);
        const int roomy = m_view->idealHeight(1'000'000);
        QVERIFY(m_view->idealHeight(roomy - 1) < roomy);
    }
    void unknownIsHatchedAndNotZero()
    {
        const int node = m_state->nodeIndex(QStringLiteral("gpu214"));
        const QRect cell = m_view->cellRect({node, 2});
        const QImage image = shot(*m_view);
        const QRgb zero = theme::HeatScale::of(theme::Scale::Use).color(0);
        QSet<QRgb> colors;
        for (int x = cell.left(); x <= cell.right(); ++x) {
            for (int y = cell.top(); y <= cell.bottom(); ++y)
                colors.insert(image.pixel(x, y));
        }
        QVERIFY(!colors.contains(zero));
        QVERIFY(colors.contains(theme::color(theme::Color::Missing).rgb()));
        QVERIFY(colors.contains(theme::color(theme::Color::BgWindow).rgb()));
    }
    void staleHasNoHueAndACutCorner()
    {
        const int node = m_state->nodeIndex(QStringLiteral("gpu209"));
        const QRect cell = m_view->cellRect({node, 2});
        const QImage image = shot(*m_view);
        const QColor middle = image.pixelColor(cell.center());
        QCOMPARE(middle.red(), middle.green());
        QCOMPARE(middle.green(), middle.blue());
        QCOMPARE(image.pixelColor(cell.topRight()), theme::color(theme::Color::BgSurface));
    }
    void aFaultIsRed()
    {
        const int node = m_state->nodeIndex(QStringLiteral("gpu171"));
        const QRect cell = m_view->cellRect({node, 3});
        QCOMPARE(shot(*m_view).pixelColor(cell.topLeft() + QPoint(1, 1)),
                 theme::color(theme::Color::Fault));
    }
    void aFilterDimsTheOthersAndKeepsTheirPlace()
    {
        const int node = m_state->nodeIndex(QStringLiteral("gpu010"));
        const QRect before = m_view->cellRect({node, 0});
        const QColor full = shot(*m_view).pixelColor(before.center());
        m_map->setFilter({QStringLiteral("gpu[100-110]"), {}});
        const QColor faint = shot(*m_view).pixelColor(before.center());
        QCOMPARE(m_view->cellRect({node, 0}), before);
        QCOMPARE(m_map->shownNodes(), 11);
        QVERIFY(theme::luminance(faint) < theme::luminance(full));
    }
    void groupsFollowTheChoice()
    {
        QCOMPARE(m_map->groups().size(), 18);
        m_map->setGrouping(model::GpuMap::Grouping::Rack);
        QCOMPARE(m_map->groups().size(), 36);
        m_map->setGrouping(model::GpuMap::Grouping::Partition);
        QCOMPARE(m_map->groups().size(), 2);
        m_map->setGrouping(model::GpuMap::Grouping::Job);
        QCOMPARE(m_map->groups().first().job, QStringLiteral("482790"));
        QVERIFY(m_map->groupIsFree(int(m_map->groups().size()) - 1));
    }
    void keysMoveAndSpeak()
    {
        m_view->setFocus();
        m_view->setCurrent({m_state->nodeIndex(QStringLiteral("gpu016")), 0});
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QCOMPARE(m_view->current().node, m_state->nodeIndex(QStringLiteral("gpu017")));
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        QCOMPARE(m_view->current().gpu, 1);
        QVERIFY(m_view->accessibleDescription().startsWith(QStringLiteral("gpu017 GPU 1")));
        QSignalSpy nodes(m_view.get(), &HeatmapView::nodeActivated);
        QSignalSpy jobs(m_view.get(), &HeatmapView::jobActivated);
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QTest::keyClick(m_view.get(), Qt::Key_J);
        QCOMPARE(nodes.size(), 1);
        QCOMPARE(jobs.size(), 1);
    }
    void restingOnACellAsksForItsCard()
    {
        QSignalSpy cards(m_view.get(), &HeatmapView::cardRequested);
        const HeatmapView::Cell cell{m_state->nodeIndex(QStringLiteral("gpu033")), 4};
        QTest::mouseMove(m_view->viewport(), m_view->cellRect(cell).center());
        QTRY_VERIFY_WITH_TIMEOUT(
            !cards.isEmpty() && cards.last().first().value<HeatmapView::Cell>() == cell, 3000);
    }
    void readingsThatAgeLoseTheirHue()
    {
        const int node = m_state->nodeIndex(QStringLiteral("gpu010"));
        m_steady += 100'000;
        model::ClusterUpdate update;
        update.baseRevision = m_state->revision();
        update.revision = update.baseRevision + 1;
        update.at = test::sampleNow().addSecs(100);
        update.gpuColumns.push_back(
            {int(model::GpuMetric::SmClock), QVector<float>(m_state->gpuCount(), 900.0F), {}});
        QVERIFY(m_state->apply(update));
        QCOMPARE(m_state->freshness(node), model::Freshness::Stale);
        const QColor color = shot(*m_view).pixelColor(m_view->cellRect({node, 3}).center());
        QCOMPARE(color.red(), color.blue());
    }

private:
    qint64 m_steady = 0;
    std::unique_ptr<model::ClusterState> m_state;
    std::unique_ptr<model::GpuMap> m_map;
    std::unique_ptr<HeatmapView> m_view;
};

QTEST_MAIN(HeatmapViewTest)
#include "heatmap_view_test.moc"
