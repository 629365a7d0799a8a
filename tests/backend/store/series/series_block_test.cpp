#include "backend/store/series/series_block.h"

#include <QTest>
#include <random>

using namespace yard;
using store::Block;
using store::BlockShape;

namespace {

std::vector<int32_t> numbers(const BlockShape& shape, uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<int32_t> codes(size_t(shape.rows) * shape.ticks);
    int32_t code = 500;
    for (int32_t& one : codes) {
        const uint32_t kind = random() % 40;
        if (kind == 0)
            one = store::kNoCode;
        else if (kind == 1)
            one = int32_t(random());
        else
            one = code += int32_t(random() % 11) - 5;
    }
    return codes;
}

}  // namespace

class SeriesBlockTest : public QObject {
    Q_OBJECT
private slots:
    void comesBackAsItWas();
    void rowsAndTicksAgreeWithTheWhole();
    void smoothSeriesAreSmall();
    void damageIsFound();
};

void SeriesBlockTest::comesBackAsItWas()
{
    const uint32_t seed = std::random_device{}();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 50; ++i) {
        const BlockShape shape{int64_t(random()) * 15, 15, uint32_t(1 + random() % 300),
                               uint32_t(1 + random() % 192)};
        const std::vector<int32_t> codes = numbers(shape, random());
        const StatusOr<Block> block = Block::unpack(packBlock(shape, codes));
        QVERIFY(block.ok());
        QVERIFY(block->shape() == shape);
        QVERIFY(block->all() == codes);
    }
}

void SeriesBlockTest::rowsAndTicksAgreeWithTheWhole()
{
    const BlockShape shape{0, 15, 240, store::kLanes};
    const std::vector<int32_t> codes = numbers(shape, 7);
    const StatusOr<Block> block = Block::unpack(packBlock(shape, codes));
    QVERIFY(block.ok());
    for (const uint32_t tick : {0U, 1U, 120U, 239U}) {
        const std::vector<int32_t> column = block->at(tick);
        for (uint32_t row = 0; row < shape.rows; ++row)
            QCOMPARE(column[row], codes[row * 240 + tick]);
    }
    const auto row = block->row(13);
    QVERIFY(std::equal(row.begin(), row.end(), codes.begin() + 13 * 240));
    QCOMPARE(block->at(240), std::vector<int32_t>(64, store::kNoCode));
    QCOMPARE(block->row(64), std::vector<int32_t>(240, store::kNoCode));
}

void SeriesBlockTest::smoothSeriesAreSmall()
{
    const BlockShape shape{0, 15, 240, store::kLanes};
    std::mt19937 random(3);
    std::vector<int32_t> codes(size_t(shape.rows) * shape.ticks);
    int32_t code = 3500;
    for (int32_t& one : codes)
        one = code += int32_t(random() % 5) - 2;
    QVERIFY(packBlock(shape, codes).size() < codes.size() * 3 / 2);
}

void SeriesBlockTest::damageIsFound()
{
    const BlockShape shape{0, 15, 20, store::kLanes};
    const std::string packed = packBlock(shape, numbers(shape, 11));
    QCOMPARE(Block::unpack("").status().code(), absl::StatusCode::kDataLoss);
    QCOMPARE(Block::unpack("nonsense that is long enough").status().code(),
             absl::StatusCode::kDataLoss);
    for (size_t cut = 1; cut < packed.size(); cut += 7)
        QCOMPARE(Block::unpack(std::string_view(packed).substr(0, cut)).status().code(),
                 absl::StatusCode::kDataLoss);
    std::string turned = packed;
    turned[packed.size() / 2] = char(turned[packed.size() / 2] ^ 0x10);
    QCOMPARE(Block::unpack(turned).status().code(), absl::StatusCode::kDataLoss);
}

QTEST_GUILESS_MAIN(SeriesBlockTest)
#include "series_block_test.moc"
