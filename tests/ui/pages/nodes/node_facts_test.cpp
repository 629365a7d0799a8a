#include "ui/pages/nodes/node_facts.h"

#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"

using namespace yard;

namespace {

/// What stands under the heading "Sources".
QString sources(const model::ClusterUpdate& update)
{
    model::ClusterState state;
    if (!state.apply(update))
        return QStringLiteral("not applied");
    widgets::FactSheet sheet;
    sheet.setFacts(pages::nodeFacts(state, 0));
    const QString text = sheet.toText();
    const qsizetype from = text.indexOf(QStringLiteral("Sources"));
    return text.mid(from, text.indexOf(QStringLiteral("Operations")) - from);
}

}  // namespace

class NodeFactsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSourceWithoutAHostIsAboutEveryNode()
    {
        model::ClusterUpdate update = test::sampleUpdate();
        model::TargetInfo server;
        server.target = QStringLiteral("prometheus.example:9090");
        server.kind = QStringLiteral("prometheus");
        server.up = true;
        update.targets = {server};
        const QString said = sources(update);
        QVERIFY2(said.contains(server.target), qPrintable(said));
        QVERIFY2(!said.contains(QStringLiteral("none")), qPrintable(said));
    }
    void noneAtAllIsNotNoneForThisNode()
    {
        model::ClusterUpdate update = test::sampleUpdate();
        update.targets.clear();
        QVERIFY(sources(update).contains(QStringLiteral("none configured")));
        model::TargetInfo other;
        other.target = QStringLiteral("gpu002:9400");
        other.host = QStringLiteral("gpu002");
        update.targets = {other};
        QVERIFY(sources(update).contains(QStringLiteral("none for this node")));
    }
};

QTEST_MAIN(NodeFactsTest)
#include "node_facts_test.moc"
