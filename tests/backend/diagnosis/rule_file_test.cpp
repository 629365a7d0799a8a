#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "tests/backend/diagnosis/diagnosed.h"

using namespace yard::diagnosis;

class RuleFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRuleIsRead();
    void aFaultIsNamedWithFileRuleAndKey_data();
    void aFaultIsNamedWithFileRuleAndKey();
    void aWrongExampleIsFound();
    void aSiteRuleReplacesAShippedOne();
    void aMissingFileIsASentence();
};

namespace {

constexpr const char* kGood = R"(
[[rule]]
id = "site.license"
role = "cause"
reason = "Runtime Error"
restart = true
pattern = '''license server (?P<node>[\w.-]+) denied'''
advice = "Ask the licence desk."
example = "license server lic-2 denied the checkout"
)";

}  // namespace

void RuleFileTest::aRuleIsRead()
{
    const auto rules = readRules(kGood, "site.toml");
    QVERIFY2(rules.ok(), std::string(rules.status().message()).c_str());
    QCOMPARE(rules->size(), size_t(1));
    QCOMPARE(rules->front().id, std::string("site.license"));
    QVERIFY(rules->front().mayRestart);
    QVERIFY(rules->front().reason == yard::domain::Reason::RuntimeError);
}

void RuleFileTest::aFaultIsNamedWithFileRuleAndKey_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* body, const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(body) << QString::fromLatin1(expected);
    };
    row("no TOML", "[[rule", "site.toml:1: ");
    row("another table", "[[rules]]\nid = \"a\"", "site.toml:1: rules");
    row("no id", "[[rule]]\npattern = 'x'", "site.toml:1: rule 1: id: is missing");
    row("unknown key", "[[rule]]\nid = 'a'\npatern = 'x'", "site.toml:3: a: patern");
    row("unknown role", "[[rule]]\nid = 'a'\nrole = 'root'\npattern = 'x'", "a: role: \"root\"");
    row("no reason", "[[rule]]\nid = 'a'\nrole = 'cause'\npattern = 'x'", "a: reason");
    row("unknown reason", "[[rule]]\nid = 'a'\nreason = 'Bad'\npattern = 'x'", "a: reason");
    row("no pattern", "[[rule]]\nid = 'a'\nreason = 'Key Error'", "a: pattern: is missing");
    row("broken pattern", "[[rule]]\nid = 'a'\nreason = 'Key Error'\npattern = '(x'", "a: pattern");
    row("matches all", "[[rule]]\nid = 'a'\nreason = 'Key Error'\npattern = 'x*'", "empty line");
    row("no truth", "[[rule]]\nid = 'a'\nreason = 'Key Error'\npattern = 'x'\nrestart = 'yes'",
        "a: restart");
    row("weight", "[[rule]]\nid = 'a'\nreason = 'Key Error'\npattern = 'x'\nweight = 900",
        "a: weight");
}

void RuleFileTest::aFaultIsNamedWithFileRuleAndKey()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const auto rules = readRules(text.toStdString(), "site.toml");
    QVERIFY(!rules.ok());
    const QString said = QString::fromStdString(std::string(rules.status().message()));
    QVERIFY2(said.contains(expected), qPrintable(said));
}

void RuleFileTest::aWrongExampleIsFound()
{
    std::string text = kGood;
    text += "refuses = \"license server lic-9 denied\"\n";
    auto rules = readRules(text, "site.toml");
    QVERIFY(rules.ok());
    rules->front().examples = {"all licences granted"};
    const auto set = RuleSet::build(*std::move(rules));
    QVERIFY(set.ok());
    const std::vector<std::string> wrong = set->wrongExamples();
    QCOMPARE(wrong.size(), size_t(2));
    QVERIFY(wrong[0].find("site.toml:2: site.license: example") != std::string::npos);
    QVERIFY(wrong[1].find("refuses") != std::string::npos);
}

void RuleFileTest::aSiteRuleReplacesAShippedOne()
{
    auto shipped = shippedRules();
    QVERIFY(shipped.ok());
    const size_t count = shipped->size();
    QTemporaryDir folder;
    QFile file(folder.filePath("site.toml"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(kGood);
    file.write(
        "[[rule]]\nid = \"python.key\"\nreason = \"Value Error\"\n"
        "pattern = '''^KeyError\\b'''\nexample = \"KeyError: 'a'\"\n");
    file.close();
    const auto rules = loadRules({folder.path().toStdString()}, *std::move(shipped));
    QVERIFY2(rules.ok(), std::string(rules.status().message()).c_str());
    QCOMPARE(rules->size(), count + 1);
    const auto key = std::find_if(rules->begin(), rules->end(),
                                  [](const Rule& rule) { return rule.id == "python.key"; });
    QVERIFY(key->reason == yard::domain::Reason::ValueError);
}

void RuleFileTest::aMissingFileIsASentence()
{
    const auto rules = loadRules({"/nowhere/site.toml"});
    QVERIFY(!rules.ok());
    QVERIFY(rules.status().message().find("/nowhere/site.toml") != std::string::npos);
}

QTEST_GUILESS_MAIN(RuleFileTest)
#include "rule_file_test.moc"
