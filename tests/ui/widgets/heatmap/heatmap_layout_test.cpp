#include <QTest>

#include "ui/widgets/heatmap/heatmap_layout.h"

using yard::widgets::HeatmapLayout;

namespace {

QVector<HeatmapLayout::GroupSize> switches(int count, int nodes)
{
    return QVector<HeatmapLayout::GroupSize>(count, {nodes, 8, 40});
}

HeatmapLayout::Options area(int width, int height, double ratio = 1)
{
    HeatmapLayout::Options options;
    options.area = QSize(int(width * ratio), int(height * ratio));
    options.ratio = ratio;
    return options;
}

}  // namespace

class HeatmapLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pitchIsTheLargestThatFits()
    {
        const HeatmapLayout layout(switches(18, 16), area(1680, 600));
        QVERIFY(layout.contentSize().height() <= 600);
        QVERIFY(layout.pitch() >= 14);
        QVERIFY(layout.pitch() <= 24);
    }
    void detailFollowsThePitch_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("detail");
        QTest::newRow("full") << QSize(1680, 600) << int(HeatmapLayout::Detail::Full);
        QTest::newRow("marks") << QSize(1108, 400) << int(HeatmapLayout::Detail::Marks);
        QTest::newRow("cells") << QSize(600, 300) << int(HeatmapLayout::Detail::Cells);
    }
    void detailFollowsThePitch()
    {
        QFETCH(QSize, size);
        QFETCH(int, detail);
        const HeatmapLayout layout(switches(18, 16), area(size.width(), size.height()));
        QCOMPARE(int(layout.detail()), detail);
        QCOMPARE(layout.gap() > 0, detail <= int(HeatmapLayout::Detail::Marks));
        QCOMPARE(layout.hasNodeNumbers(), detail == int(HeatmapLayout::Detail::Full));
    }
    void groupsNeverOverlap()
    {
        for (double ratio : {1.0, 1.25, 1.5, 2.0}) {
            const QVector<HeatmapLayout::GroupSize> sizes{{130, 8, 90}, {32, 8, 70}, {1, 8, 100},
                                                          {1, 4, 100},  {19, 8, 60}, {103, 8, 40}};
            const HeatmapLayout layout(sizes, area(900, 700, ratio));
            QVector<QRect> frames;
            for (int group = 0; group < sizes.size(); ++group) {
                QRect frame = layout.labelRect(group);
                for (int column = 0; column < sizes[group].nodes; ++column)
                    frame |= layout.columnRect(group, column);
                QVERIFY(frame.right() < layout.contentSize().width());
                for (const QRect& other : frames)
                    QVERIFY(!frame.intersects(other));
                frames.push_back(frame);
            }
        }
    }
    void hitFindsTheCellThatIsDrawnThere()
    {
        for (double ratio : {1.0, 1.25, 1.5, 2.0}) {
            const HeatmapLayout layout(switches(18, 16), area(1108, 400, ratio));
            for (int group : {0, 5, 17}) {
                for (int column : {0, 7, 15}) {
                    for (int gpu : {0, 7}) {
                        const auto hit = layout.hit(layout.cellRect(group, column, gpu).center());
                        QVERIFY(hit.has_value());
                        QCOMPARE(hit->group, group);
                        QCOMPARE(hit->column, column);
                        QCOMPARE(hit->gpu, gpu);
                    }
                }
            }
            QVERIFY(!layout.hit(layout.labelRect(3).center()));
        }
    }
    void aWideGroupIsFoldedIntoBands()
    {
        const HeatmapLayout layout({{286, 8, 60}}, area(800, 500));
        QVERIFY(layout.columnsPerBand(0) < 286);
        const QRect last = layout.cellRect(0, 285, 7);
        QVERIFY(last.right() <= 800);
        QVERIFY(last.bottom() < layout.contentSize().height());
        const auto hit = layout.hit(last.center());
        QVERIFY(hit.has_value());
        QCOMPARE(hit->column, 285);
    }
    void whatCannotShrinkFurtherScrolls()
    {
        const HeatmapLayout layout(switches(2000, 8), area(900, 400));
        QVERIFY(layout.contentSize().height() > 400);
        QVERIFY(layout.pitch() >= 3);
    }
};

QTEST_GUILESS_MAIN(HeatmapLayoutTest)
#include "heatmap_layout_test.moc"
