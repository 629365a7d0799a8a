#include "backend/base/figure.h"

#include <QTest>
#include <cmath>

class FigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAsAPersonWritesIt_data();
    void readsAsAPersonWritesIt();
    void exactOnesHaveNoExponent_data();
    void exactOnesHaveNoExponent();
};

void FigureTest::readsAsAPersonWritesIt_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](double value, const char* words) {
        QTest::newRow(words) << value << QByteArray(words);
    };
    row(0, "0");
    row(0.821, "0.82");
    row(12.44, "12.4");
    row(99.97, "100");
    row(999, "999");
    row(1000, "1,000");
    row(26287.04, "26,287");
    row(1234567, "1,234,567");
    row(-1000, "-1,000");
    row(std::nan(""), "unknown");
}

void FigureTest::readsAsAPersonWritesIt()
{
    QFETCH(double, value);
    QTEST(QByteArray::fromStdString(yard::figure(value)), "words");
}

void FigureTest::exactOnesHaveNoExponent_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](double value, const char* words) {
        QTest::newRow(words) << value << QByteArray(words);
    };
    row(0, "0");
    row(123456789.4, "123,456,789");
    row(1e15, "1,000,000,000,000,000");
    row(26287.061, "26,287.1");
    row(302, "302");
    row(95.48131, "95.4813");
    row(0.00012, "0.00012");
    row(0.0000034, "0.0000034");
    row(-1234567.8, "-1,234,568");
    row(std::nan(""), "unknown");
}

void FigureTest::exactOnesHaveNoExponent()
{
    QFETCH(double, value);
    QTEST(QByteArray::fromStdString(yard::exactFigure(value)), "words");
}

QTEST_GUILESS_MAIN(FigureTest)
#include "figure_test.moc"
