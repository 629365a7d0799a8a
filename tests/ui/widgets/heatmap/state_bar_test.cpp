#include "ui/widgets/heatmap/state_bar.h"

#include <QTest>

#include "ui/theme/theme.h"

using namespace yard;
using model::NodeCategory;
using widgets::BarPattern;

class StateBarTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void noTwoStatesLookAlike_data();
    void noTwoStatesLookAlike();
    void everyPatternStaysInsideItsBar();
};

void StateBarTest::noTwoStatesLookAlike_data()
{
    QTest::addColumn<int>("scheme");
    QTest::newRow("dark") << int(theme::Scheme::Dark);
    QTest::newRow("light") << int(theme::Scheme::Light);
}

void StateBarTest::noTwoStatesLookAlike()
{
    QFETCH(int, scheme);
    theme::Theme::instance().setScheme(theme::Scheme(scheme));
    for (int a = 0; a < model::kNodeCategoryCount; ++a) {
        for (int b = 0; b < a; ++b) {
            const auto x = NodeCategory(a);
            const auto y = NodeCategory(b);
            if (!widgets::hasStateBar(x) || !widgets::hasStateBar(y))
                continue;
            QVERIFY2(theme::stateColor(x) != theme::stateColor(y) ||
                         widgets::barPattern(x) != widgets::barPattern(y),
                     qPrintable(QStringLiteral("categories %1 and %2").arg(a).arg(b)));
        }
    }
}

void StateBarTest::everyPatternStaysInsideItsBar()
{
    for (const double unit : {1.0, 1.25, 2.0}) {
        const QRect bar(7, 3, 17, int(4 * unit));
        for (const BarPattern pattern :
             {BarPattern::Solid, BarPattern::Striped, BarPattern::Hollow, BarPattern::Dotted}) {
            const QVector<QRect> parts = widgets::barParts(bar, pattern, unit);
            QVERIFY(!parts.isEmpty());
            for (const QRect& part : parts)
                QVERIFY(bar.contains(part));
        }
    }
}

QTEST_MAIN(StateBarTest)
#include "state_bar_test.moc"
