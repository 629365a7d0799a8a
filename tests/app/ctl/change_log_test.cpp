#include "app/ctl/change_log.h"

#include <QTest>

#include "backend/domain/node.h"
#include "backend/domain/operation.h"

using namespace yard;

namespace {

v1::Update update(uint64_t base,
                  std::initializer_list<std::pair<const char*, domain::NodeCategory>> nodes)
{
    v1::Update update;
    update.set_base_revision(base);
    update.set_time_us(5'000'000);
    for (const auto& [name, category] : nodes) {
        v1::Node* node = update.add_nodes();
        node->set_name(name);
        node->set_category(uint32_t(category));
        node->set_state_text("X");
    }
    return update;
}

}  // namespace

using domain::NodeCategory;

class ChangeLogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theStartIsNoChange();
    void aChangeNamesBeforeAndAfter();
    void aNodeThatLeavesIsGone();
    void operationsAreFollowed();
};

void ChangeLogTest::theStartIsNoChange()
{
    ctl::ChangeLog log;
    QVERIFY(log.apply(update(0, {{"n1", NodeCategory::Idle}})).empty());
    QVERIFY(log.apply(update(1, {{"n1", NodeCategory::Idle}})).empty());
}

void ChangeLogTest::aChangeNamesBeforeAndAfter()
{
    ctl::ChangeLog log;
    log.apply(update(0, {{"n1", NodeCategory::Idle}, {"n2", NodeCategory::Idle}}));
    v1::Update next = update(1, {{"n2", NodeCategory::Draining}});
    next.mutable_nodes(0)->set_reason("fan");
    const auto changes = log.apply(next);
    QCOMPARE(changes.size(), size_t(1));
    QCOMPARE(changes[0]["name"].get<std::string>(), std::string("n2"));
    QCOMPARE(ctl::changeText(changes[0]), std::string("node n2: idle X → draining X  reason=fan"));
    QCOMPARE(changes[0]["time"].get<double>(), 5.0);
}

void ChangeLogTest::aNodeThatLeavesIsGone()
{
    ctl::ChangeLog log;
    log.apply(update(0, {{"n1", NodeCategory::Idle}, {"n2", NodeCategory::Idle}}));
    const auto changes = log.apply(update(0, {{"n2", NodeCategory::Idle}}));
    QCOMPARE(changes.size(), size_t(1));
    QCOMPARE(ctl::changeText(changes[0]), std::string("node n1: idle X → gone"));
    QVERIFY(log.apply(update(0, {{"n2", NodeCategory::Idle}})).empty());
}

void ChangeLogTest::operationsAreFollowed()
{
    ctl::ChangeLog log;
    log.apply(update(0, {}));
    v1::Update next = update(1, {});
    v1::Operation* operation = next.add_operations();
    operation->set_id(7);
    operation->set_state(uint32_t(domain::OperationState::Sent));
    operation->set_targets_folded("n1");
    operation->mutable_by()->set_user("ada");
    QCOMPARE(ctl::changeText(log.apply(next).at(0)),
             std::string("operation 7: new → sent  action=drain  targets=n1  by=ada"));
    operation->set_state(uint32_t(domain::OperationState::Observed));
    QCOMPARE(log.apply(next).at(0)["before"].get<std::string>(), std::string("sent"));
}

QTEST_GUILESS_MAIN(ChangeLogTest)
#include "change_log_test.moc"
