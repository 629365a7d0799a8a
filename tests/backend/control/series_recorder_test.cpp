#include "backend/control/series_recorder.h"

#include <QTest>
#include <cmath>

using namespace yard;
using domain::GpuMetric;
using domain::NodeMetric;
using domain::SeriesKind;

namespace {

constexpr auto kPower = size_t(GpuMetric::Power);
constexpr auto kLoad = size_t(NodeMetric::Load);

Time at(int64_t seconds)
{
    return Time(std::chrono::seconds(1'790'006'400 + seconds));
}

domain::Node node(const char* name, int gpus)
{
    domain::Node node;
    node.name = name;
    node.gpusTotal = gpus;
    return node;
}

domain::HostReadings gpus(const char* host, std::vector<const char*> uuids, float watts)
{
    domain::HostReadings readings;
    readings.host = host;
    for (size_t i = 0; i < uuids.size(); ++i) {
        auto& gpu = readings.gpus.emplace_back();
        gpu.index = int(i);
        gpu.uuid = uuids[i];
        gpu[GpuMetric::Power] = watts + float(i);
    }
    return readings;
}

domain::HostReadings load(const char* host, float value)
{
    domain::HostReadings readings;
    readings.host = host;
    readings.node[kLoad] = value;
    return readings;
}

}  // namespace

class SeriesRecorderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void oneMomentEveryFifteenSeconds();
    void valuesStandInTheOrderOfTheirSubjects();
    void aReadingThatIsNotRenewedIsNone();
    void aSourceThatStoppedTakesOnlyItsOwnAlong();
    void subjectsAreTheSameObjectUntilSomebodyIsExchanged();
    void nothingIsRecordedOfNoCluster();

private:
    control::ReadingBoard m_board;
    std::vector<store::SeriesTick> m_kept;
    std::unique_ptr<control::SeriesRecorder> m_recorder;
};

void SeriesRecorderTest::init()
{
    m_board = {};
    m_kept.clear();
    m_board.setTopology({node("gpu1", 2), node("gpu2", 1)});
    m_recorder = std::make_unique<control::SeriesRecorder>(
        m_board, std::chrono::seconds(30),
        [this](store::SeriesTick tick) { m_kept.push_back(std::move(tick)); });
}

void SeriesRecorderTest::oneMomentEveryFifteenSeconds()
{
    QVERIFY(m_recorder->tick(at(1)));
    QVERIFY(!m_recorder->tick(at(2)));
    QVERIFY(!m_recorder->tick(at(14)));
    QVERIFY(m_recorder->tick(at(15)));
    QVERIFY(m_kept.at(0).at == at(0));
    QVERIFY(m_kept.at(1).at == at(15));
}

void SeriesRecorderTest::valuesStandInTheOrderOfTheirSubjects()
{
    m_board.apply("dcgm1", gpus("gpu1", {"GPU-a", "GPU-b"}, 100), at(0), 1);
    m_board.apply("dcgm2", gpus("gpu2", {"GPU-c"}, 200), at(0), 1);
    m_board.apply("node2", load("gpu2", 3), at(0), 1);
    m_recorder->tick(at(1));

    const auto& columns = m_kept.at(0).kinds[size_t(SeriesKind::Gpu)];
    QCOMPARE(columns.subjects->size(), size_t(3));
    QVERIFY((columns.subjects->at(1) == domain::SeriesSubject{"gpu1", 1, "GPU-b"}));
    QVERIFY((columns.values.at(kPower) == std::vector<float>{100, 101, 200}));
    const auto& nodes = m_kept.at(0).kinds[size_t(SeriesKind::Node)];
    QVERIFY((nodes.subjects->at(1) == domain::SeriesSubject{"gpu2", -1, {}}));
    QVERIFY(std::isnan(nodes.values.at(kLoad).at(0)));
    QCOMPARE(nodes.values.at(kLoad).at(1), 3.0F);
}

void SeriesRecorderTest::aReadingThatIsNotRenewedIsNone()
{
    m_board.apply("dcgm1", gpus("gpu1", {"GPU-a", "GPU-b"}, 100), at(0), 1);
    m_board.apply("dcgm2", gpus("gpu2", {"GPU-c"}, 200), at(25), 1);
    m_recorder->tick(at(30));
    m_recorder->tick(at(46));

    const auto power = [&](size_t tick) {
        return m_kept.at(tick).kinds[size_t(SeriesKind::Gpu)].values.at(kPower);
    };
    QVERIFY((power(0) == std::vector<float>{100, 101, 200}));
    QVERIFY(std::isnan(power(1)[0]) && std::isnan(power(1)[1]));
    QCOMPARE(power(1)[2], 200.0F);
    // The live view is not touched.
    QCOMPARE(m_board.gpus().at(kPower, 0), 100.0F);
}

void SeriesRecorderTest::aSourceThatStoppedTakesOnlyItsOwnAlong()
{
    m_board.apply("node1", load("gpu1", 3), at(0), 1);
    domain::HostReadings ipmi;
    ipmi.host = "gpu1";
    ipmi.node[size_t(NodeMetric::Power)] = 4000;
    m_board.apply("ipmi1", ipmi, at(40), 1);
    m_recorder->tick(at(45));

    const auto& nodes = m_kept.at(0).kinds[size_t(SeriesKind::Node)];
    QVERIFY(std::isnan(nodes.values.at(kLoad).at(0)));
    QCOMPARE(nodes.values.at(size_t(NodeMetric::Power)).at(0), 4000.0F);
}

void SeriesRecorderTest::subjectsAreTheSameObjectUntilSomebodyIsExchanged()
{
    const auto subjects = [&] { return m_kept.back().kinds[size_t(SeriesKind::Gpu)].subjects; };
    m_board.apply("dcgm1", gpus("gpu1", {"GPU-a", "GPU-b"}, 100), at(0), 1);
    m_recorder->tick(at(1));
    const auto first = subjects();
    m_board.apply("dcgm1", gpus("gpu1", {"GPU-a", "GPU-b"}, 101), at(14), 2);
    m_recorder->tick(at(16));
    QVERIFY(subjects() == first);

    m_board.apply("dcgm1", gpus("gpu1", {"GPU-a", "GPU-new"}, 101), at(30), 3);
    m_recorder->tick(at(31));
    QCOMPARE(subjects()->at(1).uuid, std::string("GPU-new"));

    m_board.setTopology({node("gpu1", 2), node("gpu2", 1), node("gpu3", 4)});
    m_recorder->tick(at(46));
    QCOMPARE(subjects()->size(), size_t(7));
    QCOMPARE(first->size(), size_t(3));
}

void SeriesRecorderTest::nothingIsRecordedOfNoCluster()
{
    m_board = {};
    QVERIFY(!m_recorder->tick(at(1)));
    QVERIFY(m_kept.empty());
}

QTEST_GUILESS_MAIN(SeriesRecorderTest)
#include "series_recorder_test.moc"
