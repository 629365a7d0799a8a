#include <QApplication>
#include <QTest>
#include <cmath>

#include "ui/theme/heat_scale.h"
#include "ui/theme/theme.h"

using namespace yard;
using theme::Color;
using theme::Scheme;

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTokenIsThere() { QCOMPARE(theme::Tokens::instance().missing(), QStringList()); }

    void textIsReadableOnItsGrounds_data()
    {
        QTest::addColumn<int>("text");
        QTest::addColumn<int>("ground");
        const auto row = [](Color text, Color ground) {
            QTest::addRow("%s on %s", theme::tokenName(text).data(),
                          theme::tokenName(ground).data())
                << int(text) << int(ground);
        };
        for (Color ground :
             {Color::BgWindow, Color::BgSurface, Color::BgRaised, Color::BgSelected}) {
            for (Color text :
                 {Color::TextPrimary, Color::TextSecondary, Color::TextMuted, Color::AccentText,
                  Color::FaultText, Color::WarnText, Color::GoodText})
                row(text, ground);
        }
        row(Color::AccentText, Color::AccentSoft);
        row(Color::FaultText, Color::FaultSoft);
        row(Color::WarnText, Color::WarnSoft);
        row(Color::GoodText, Color::GoodSoft);
        row(Color::AccentOn, Color::Accent);
        row(Color::FaultOn, Color::Fault);
    }
    void textIsReadableOnItsGrounds()
    {
        QFETCH(int, text);
        QFETCH(int, ground);
        for (Scheme scheme : {Scheme::Dark, Scheme::Light}) {
            const auto& tokens = theme::Tokens::instance();
            const double ratio = theme::contrast(tokens.color(Color(text), scheme),
                                                 tokens.color(Color(ground), scheme));
            QVERIFY2(ratio >= 4.5, qPrintable(QString::number(ratio)));
        }
    }
    void scalesGrowSteadilyInLightness()
    {
        for (theme::Scale scale : {theme::Scale::Use, theme::Scale::Heat}) {
            for (Scheme scheme : {Scheme::Dark, Scheme::Light}) {
                const theme::HeatScale table(scale, scheme);
                const double way = scheme == Scheme::Dark ? 1 : -1;
                for (size_t i = 1; i < 256; ++i) {
                    const double before = theme::luminance(QColor::fromRgb(table.colors()[i - 1]));
                    const double now = theme::luminance(QColor::fromRgb(table.colors()[i]));
                    // Rounding to 8 bits may turn one step around by one level of red.
                    QVERIFY2((now - before) * way > -0.0025, qPrintable(QString::number(i)));
                }
                const double low = theme::luminance(QColor::fromRgb(table.colors()[0]));
                const double high = theme::luminance(QColor::fromRgb(table.colors()[255]));
                QVERIFY((high - low) * way > 0.4);
            }
        }
    }
    void endsOfTheScaleAreTheTokens()
    {
        const theme::HeatScale table(theme::Scale::Use, Scheme::Dark);
        const auto stops = theme::Tokens::instance().scale(theme::Scale::Use, Scheme::Dark);
        QCOMPARE(QColor::fromRgb(table.color(0)).name(), stops.first().color.name());
        QCOMPARE(QColor::fromRgb(table.color(1)).name(), stops.last().color.name());
        QCOMPARE(table.color(-3), table.color(0));
        QCOMPARE(table.color(7), table.color(1));
    }
    void staleHasTheSameLightnessAndNoHue()
    {
        const theme::HeatScale table(theme::Scale::Use, Scheme::Dark);
        for (size_t i = 0; i < 256; i += 15) {
            const QColor grey = QColor::fromRgb(table.greys()[i]);
            QCOMPARE(grey.red(), grey.green());
            QCOMPARE(grey.green(), grey.blue());
            QVERIFY(std::abs(theme::luminance(grey) -
                             theme::luminance(QColor::fromRgb(table.colors()[i]))) < 0.01);
        }
    }
    void domainsNameWatchFromTheTokens()
    {
        QCOMPARE(*theme::metricScale(model::GpuMetric::CoreTemperature).watch, 65.0F);
        QCOMPARE(theme::metricScale(model::GpuMetric::Power).low, 60.0F);
        QVERIFY(!theme::metricScale(model::GpuMetric::SmActivity).watch);
    }
    void switchingTheSchemeChangesThePaletteAndSaysSo()
    {
        auto& theme = theme::Theme::instance();
        theme.install(*qApp);
        theme.setScheme(Scheme::Dark);
        const QColor dark = QApplication::palette().color(QPalette::Window);
        int told = 0;
        connect(&theme, &theme::Theme::changed, this, [&told] { ++told; });
        theme.setScheme(Scheme::Light);
        theme.setScheme(Scheme::Light);
        QCOMPARE(told, 1);
        QVERIFY(QApplication::palette().color(QPalette::Window) != dark);
        QCOMPARE(QApplication::palette().color(QPalette::Window), theme::color(Color::BgWindow));
    }
    void monoHasNoLigatures()
    {
        QVERIFY(theme::font(theme::Type::Mono).styleStrategy() & QFont::PreferNoShaping);
        for (int i = 0; i < theme::kTypeCount; ++i)
            QVERIFY(theme::font(theme::Type(i)).pixelSize() >= 11);
    }
    void everyIconDraws()
    {
        for (const char* name : {"overview", "gpus", "nodes", "jobs", "audit", "search", "filter",
                                 "close", "copy", "check", "undo", "user", "empty", "yardmaster"}) {
            const QImage image = theme::icon(QString::fromLatin1(name)).pixmap(32, 32).toImage();
            bool drawn = false;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    drawn = drawn || qAlpha(image.pixel(x, y)) > 0;
            }
            QVERIFY2(drawn, name);
        }
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
