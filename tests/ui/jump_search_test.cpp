#include "ui/jump_search.h"

#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"

using namespace yard;
using ui::JumpTarget;

class JumpSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_state.apply(test::sampleUpdate())); }
    void thePagesStandWhereNothingIsTyped() { QCOMPARE(ui::searchJump(m_state, {}).size(), 6); }
    void theBestHitIsWhatWasTyped_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("name");
        QTest::newRow("node") << QStringLiteral("gpu171") << int(JumpTarget::Kind::Node)
                              << QStringLiteral("gpu171");
        QTest::newRow("job id") << QStringLiteral("482790") << int(JumpTarget::Kind::Job)
                                << QStringLiteral("482790");
        QTest::newRow("job name") << QStringLiteral("pt-123") << int(JumpTarget::Kind::Job)
                                  << QStringLiteral("482790");
        QTest::newRow("user") << QStringLiteral("u3f2a") << int(JumpTarget::Kind::User)
                              << QStringLiteral("u3f2a");
        QTest::newRow("hostlist") << QStringLiteral("gpu[001-004]")
                                  << int(JumpTarget::Kind::Hostlist)
                                  << QStringLiteral("gpu[001-004]");
        QTest::newRow("page") << QStringLiteral("aud") << int(JumpTarget::Kind::Page) << QString();
    }
    void theBestHitIsWhatWasTyped()
    {
        QFETCH(QString, typed);
        QFETCH(int, kind);
        QFETCH(QString, name);
        const QVector<JumpTarget> hits = ui::searchJump(m_state, typed);
        QVERIFY(!hits.isEmpty());
        QCOMPARE(int(hits.first().kind), kind);
        QCOMPARE(hits.first().name, name);
    }
    void lettersInOrderAreEnough()
    {
        QVERIFY(ui::fuzzyScore(QStringLiteral("mllm-26b-align"), QStringLiteral("mlal")) > 0);
        QCOMPARE(ui::fuzzyScore(QStringLiteral("mllm-26b-align"), QStringLiteral("lam9")), 0);
    }
    void nonsenseFindsNothing()
    {
        QVERIFY(ui::searchJump(m_state, QStringLiteral("zzzzqq")).isEmpty());
    }

private:
    model::ClusterState m_state;
};

QTEST_GUILESS_MAIN(JumpSearchTest)
#include "jump_search_test.moc"
