#include "backend/analytics/workload_rules.h"

#include <QTest>

#include "backend/analytics/characterize.h"

using namespace yard::analytics;

namespace {

void add(JobTable& table, const char* name, const char* partition, int gpus, const char* type = "")
{
    JobRow row;
    const std::string id = std::to_string(table.size());
    row.id = id;
    row.submit = 1000;
    row.start = 1000;
    row.end = 1010;
    row.duration = 10;
    row.queue = 0;
    row.gpus = gpus;
    row.name = name;
    row.partition = partition;
    row.type = type;
    table.add(row);
}

}  // namespace

class WorkloadRulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theFirstRuleThatHoldsNamesTheType();
    void everyConditionOfARuleMustHold();
    void aTypeInTheDataStands();
    void aDryRunChangesNothing();
    void mistakesAreNamedWithTheirLine_data();
    void mistakesAreNamedWithTheirLine();
    void theBuiltInRulesAreGood();

private:
    std::string typeOf(size_t row) const { return m_table.words.text(m_table.type[row]); }

    JobTable m_table;
};

void WorkloadRulesTest::init()
{
    m_table = JobTable();
    m_table.sources.push_back({});
}

void WorkloadRulesTest::theFirstRuleThatHoldsNamesTheType()
{
    add(m_table, "Eval-pretrain", "gpu", 8);
    add(m_table, "pretrain-7b", "gpu", 8);
    add(m_table, "something", "gpu", 8);
    const auto rules = WorkloadRules::parse(
        "[[rule]]\ntype='Eval'\nname='eval*'\n[[rule]]\ntype='Pretrain'\nname=['x*', "
        "'*pretrain*']\n",
        "rules.toml");
    QVERIFY(rules.ok());
    const RuleReport report = rules->apply(m_table);
    QCOMPARE(typeOf(0), std::string("Eval"));
    QCOMPARE(typeOf(1), std::string("Pretrain"));
    QCOMPARE(typeOf(2), std::string());
    QCOMPARE(report.effects[1].matches, int64_t(2));
    QCOMPARE(report.effects[1].takes, int64_t(1));
    QCOMPARE(report.effects[1].examples, std::vector<std::string>{"pretrain-7b"});
    QCOMPARE(report.unclassified, int64_t(1));
    QCOMPARE(report.unclassifiedGpuSeconds, int64_t(80));

    const Figures figures = characterize(m_table, {}).figures;
    QCOMPARE(figures.value("job_share_pct.Eval"), 100.0 / 3);
    QCOMPARE(figures.value("unclassified_job_share_pct"), 100.0 / 3);
}

void WorkloadRulesTest::everyConditionOfARuleMustHold()
{
    add(m_table, "train", "llm", 64);
    add(m_table, "train", "llm", 63);
    add(m_table, "train", "vision", 64);
    add(m_table, "train", "llm", 129);
    add(m_table, "train", "llm", 0);
    const auto rules = WorkloadRules::parse(
        "[[rule]]\ntype='Pretrain'\nname='train'\npartition='llm'\nmin_gpus=64\nmax_gpus=128\n",
        "rules.toml");
    QVERIFY(rules.ok());
    rules->apply(m_table);
    QCOMPARE(typeOf(0), std::string("Pretrain"));
    for (size_t row = 1; row < 5; ++row)
        QCOMPARE(typeOf(row), std::string());
}

void WorkloadRulesTest::aTypeInTheDataStands()
{
    add(m_table, "eval", "gpu", 8, "SFT");
    const auto rules = WorkloadRules::parse("[[rule]]\ntype='Eval'\nname='*'\n", "rules.toml");
    QVERIFY(rules.ok());
    const RuleReport report = rules->apply(m_table);
    QCOMPARE(typeOf(0), std::string("SFT"));
    QCOMPARE(report.typed, int64_t(1));
    QCOMPARE(report.effects[0].takes, int64_t(0));
}

void WorkloadRulesTest::aDryRunChangesNothing()
{
    add(m_table, "eval", "gpu", 8);
    const auto rules = WorkloadRules::parse("[[rule]]\ntype='Eval'\nname='*'\n", "rules.toml");
    QVERIFY(rules.ok());
    QCOMPARE(rules->dryRun(m_table).effects[0].takes, int64_t(1));
    QCOMPARE(typeOf(0), std::string());
}

void WorkloadRulesTest::mistakesAreNamedWithTheirLine_data()
{
    QTest::addColumn<QByteArray>("toml");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("type") << QByteArray("[[rule]]\ntype='Training'\nname='x'")
                          << QByteArray("f:1: type");
    QTest::newRow("no type") << QByteArray("[[rule]]\nname='x'") << QByteArray("f:1: type");
    QTest::newRow("condition") << QByteArray("[[rule]]\ntype='Eval'\nnmae='x'")
                               << QByteArray("f:3: there is no condition");
    QTest::newRow("no condition") << QByteArray("[[rule]]\ntype='Eval'")
                                  << QByteArray("f:1: the rule has no condition");
    QTest::newRow("size") << QByteArray("[[rule]]\ntype='Eval'\nmin_gpus='8'")
                          << QByteArray("f:3: min_gpus");
    QTest::newRow("pattern") << QByteArray("[[rule]]\ntype='Eval'\nname=8")
                             << QByteArray("f:3: name");
    QTest::newRow("empty list") << QByteArray("[[rule]]\ntype='Eval'\nname=[]")
                                << QByteArray("f:3: the list name");
    QTest::newRow("no TOML") << QByteArray("[[rule]\n") << QByteArray("f:1: ");
    QTest::newRow("other table") << QByteArray("[rules]\nx=1") << QByteArray("f:1: \"rules\"");
    QTest::newRow("empty") << QByteArray() << QByteArray("f: there is no [[rule]]");
}

void WorkloadRulesTest::mistakesAreNamedWithTheirLine()
{
    QFETCH(QByteArray, toml);
    QFETCH(QByteArray, message);
    const auto rules = WorkloadRules::parse(toml.toStdString(), "f");
    QVERIFY(!rules.ok());
    const std::string said(rules.status().message());
    QVERIFY2(said.find(message.toStdString()) != std::string::npos, said.c_str());
}

void WorkloadRulesTest::theBuiltInRulesAreGood()
{
    const WorkloadRules rules = WorkloadRules::builtIn();
    QVERIFY(rules.rules().size() > 5);
    add(m_table, "internlm_20b_pretrain", "llm", 512);
    add(m_table, "opencompass-mmlu", "llm", 1);
    add(m_table, "sft_v3", "llm", 8);
    add(m_table, "bash", "llm", 8);
    add(m_table, "llava-stage2", "llm", 16);
    rules.apply(m_table);
    QCOMPARE(typeOf(0), std::string("Pretrain"));
    QCOMPARE(typeOf(1), std::string("Eval"));
    QCOMPARE(typeOf(2), std::string("SFT"));
    QCOMPARE(typeOf(3), std::string("Debug"));
    QCOMPARE(typeOf(4), std::string("MLLM"));
}

QTEST_GUILESS_MAIN(WorkloadRulesTest)
#include "workload_rules_test.moc"
