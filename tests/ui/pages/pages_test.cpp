#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/local_actions.h"
#include "tests/support/sample_cluster.h"
#include "ui/model/cell_roles.h"
#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/pages/audit/audit_page.h"
#include "ui/pages/jobs/jobs_page.h"
#include "ui/pages/nodes/nodes_page.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/button.h"
#include "ui/widgets/facts/fact_sheet.h"
#include "ui/widgets/label.h"
#include "ui/widgets/series/series_panel.h"
#include "ui/widgets/table/table_view.h"

using namespace yard;
using namespace yard::model;

/// The pages in a real window: in every size, theme and condition, and under the hands of an
/// operator. With YARD_SCREENSHOTS=DIR it also keeps a picture of each.
class PagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void everyPageInEveryCondition_data();
    void everyPageInEveryCondition();
    void dialogsInEverySize_data();
    void dialogsInEverySize();
    void aHostlistNarrowsTheNodes();
    void markingShowsWhatItTouches();
    void drainingShowsRequestedBesideTheObservedWords();
    void updatesKeepMarksCurrentRowAndScroll();
    void anInspectorSaysWhatIsKnown();
    void aViewerIsToldWhyNot();
    void aJobOpensInDetail();
    void seriesOfATallDetailStandBelowItsFacts();
    void escapeLeadsBack();
    void auditIsShownAndExported();

private:
    enum class Condition { Empty, Live, Stale, Disconnected };
    void fill(Condition condition);
    QWidget* makePage(const QString& name);
    void keep(const QString& name);
    template <typename T>
    T* find(const char* name)
    {
        return m_window->findChild<T*>(QString::fromLatin1(name));
    }

    qint64 m_now = 0;
    std::unique_ptr<ClusterState> m_state;
    std::unique_ptr<test::LocalActions> m_actions;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<widgets::ActionDesk> m_desk;
    std::unique_ptr<QWidget> m_window;
};

void PagesTest::initTestCase()
{
    theme::Theme::instance().install(*qApp);
}

void PagesTest::init()
{
    m_now = 0;
    m_state = std::make_unique<ClusterState>(nullptr, [this] { return m_now; });
    m_actions = std::make_unique<test::LocalActions>(*m_state);
    m_selection = std::make_unique<Selection>();
    m_desk = std::make_unique<widgets::ActionDesk>(*m_state, *m_actions);
    m_window = std::make_unique<QWidget>();
    theme::Theme::instance().setScheme(theme::Scheme::Dark);
}

void PagesTest::cleanup()
{
    m_window.reset();
    m_desk.reset();
    m_selection.reset();
    m_actions.reset();
    m_state.reset();
}

void PagesTest::fill(Condition condition)
{
    if (condition == Condition::Empty)
        return;
    QVERIFY(m_state->apply(test::sampleUpdate()));
    m_state->setConnection(Connection::Connected);
    if (condition == Condition::Stale)
        m_now += 94'000;
    if (condition == Condition::Disconnected) {
        m_now += 700'000;
        m_state->setConnection(Connection::Disconnected, QStringLiteral("No daemon answers."),
                               QDateTime::currentDateTimeUtc().addSecs(4));
    }
}

QWidget* PagesTest::makePage(const QString& name)
{
    QWidget* page = nullptr;
    if (name == QLatin1String("nodes"))
        page = new pages::NodesPage(*m_desk, *m_selection, m_window.get());
    else if (name == QLatin1String("jobs"))
        page = new pages::JobsPage(*m_desk, *m_selection, m_window.get());
    else
        page = new pages::AuditPage(*m_desk, m_window.get());
    return page;
}

void PagesTest::keep(const QString& name)
{
    const QString folder = qEnvironmentVariable("YARD_SCREENSHOTS");
    if (!folder.isEmpty())
        m_window->grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

namespace {

QSize sizeNamed(const QString& name)
{
    // The page alone: window less rail, top bar and time strip.
    if (name == QLatin1String("1280"))
        return {1232, 704};
    if (name == QLatin1String("1600"))
        return {1416, 902};
    return name == QLatin1String("1920") ? QSize(1736, 968) : QSize(3656, 2048);
}

void openJobsAndNodes(ClusterState& state, Selection& selection, const QString& page)
{
    if (page == QLatin1String("nodes")) {
        QStringList marked;
        for (int i = 189; i < 201; ++i)
            marked << QStringLiteral("gpu%1").arg(i);
        selection.setMarkedNodes(marked);
        selection.setCurrentNode(QStringLiteral("gpu171"));
    } else if (page == QLatin1String("jobs") && !state.jobs().isEmpty()) {
        selection.setCurrentJob(QStringLiteral("482913"));
    }
}

}  // namespace

void PagesTest::everyPageInEveryCondition_data()
{
    QTest::addColumn<QString>("page");
    QTest::addColumn<QString>("size");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("condition");
    const char* const conditions[] = {"empty", "live", "stale", "disconnected"};
    // Conditions change what is said, sizes what is shown, light the weight of letters.
    const auto add = [&](const char* page, const char* size, bool dark, int condition) {
        QTest::addRow("%s-%s-%s-%s", page, size, dark ? "dark" : "light", conditions[condition])
            << QString::fromLatin1(page) << QString::fromLatin1(size) << dark << condition;
    };
    for (const char* page : {"nodes", "jobs", "audit"}) {
        for (const char* size : {"1280", "1600", "1920"}) {
            for (int condition = 0; condition < 4; ++condition)
                add(page, size, true, condition);
            add(page, size, false, int(Condition::Live));
            add(page, size, false, int(Condition::Disconnected));
        }
        add(page, "3840", true, int(Condition::Live));
        add(page, "3840", false, int(Condition::Live));
    }
}

void PagesTest::everyPageInEveryCondition()
{
    QFETCH(QString, page);
    QFETCH(QString, size);
    QFETCH(bool, dark);
    QFETCH(int, condition);
    theme::Theme::instance().setScheme(dark ? theme::Scheme::Dark : theme::Scheme::Light);
    fill(Condition(condition));
    if (condition == int(Condition::Live) && page == QLatin1String("audit")) {
        ActionRequest request;
        for (int i = 1; i < 30; ++i) {
            request.nodes = QStringList{QStringLiteral("gpu%1").arg(i, 3, 10, QLatin1Char('0'))};
            QString token;
            m_actions->preview(request, [&](const auto& r) { token = r.value->token; });
            QTRY_VERIFY(!token.isEmpty());
            m_actions->execute(token, QString::number(i), QStringLiteral("fan tray FT-22"), 0,
                               [](const auto&) {});
            if (i % 5 == 0)
                m_actions->refuse(m_actions->made().last().id, QStringLiteral("Invalid user id"));
            else
                m_actions->observe(m_actions->made().last().id);
        }
    }
    QWidget* widget = makePage(page);
    m_window->setFixedSize(sizeNamed(size));
    widget->setGeometry(m_window->rect());
    m_window->show();
    if (condition == int(Condition::Live))
        openJobsAndNodes(*m_state, *m_selection, page);
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    QTest::qWait(1);
    auto* table = m_window->findChild<widgets::TableView*>(page + QStringLiteral("Table"));
    QVERIFY(table);
    if (page == QLatin1String("audit") && condition == int(Condition::Live)) {
        QTRY_COMPARE(table->model()->rowCount(), 58);
        table->setCurrentIndex(table->model()->index(1, 0));
    }
    const QImage picture = m_window->grab().toImage();
    QCOMPARE(picture.size(), sizeNamed(size));
    // Nothing is laid out wider than the page, so nothing is cut at its edge.
    QVERIFY2(widget->minimumSizeHint().width() <= widget->width(),
             qPrintable(QString::number(widget->minimumSizeHint().width())));
    if (table->isVisible())
        QVERIFY(!table->horizontalScrollBar()->isVisible());
    if (condition == int(Condition::Empty))
        QCOMPARE(table->model()->rowCount(), 0);
    keep(QString::fromLatin1(QTest::currentDataTag()));
}

void PagesTest::dialogsInEverySize_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("size");
    QTest::addColumn<bool>("dark");
    for (const char* kind : {"drain", "restart", "cancel", "refused"}) {
        for (const char* size : {"1280", "1920"})
            QTest::addRow("dialog-%s-%s-dark", kind, size)
                << QString::fromLatin1(kind) << QString::fromLatin1(size) << true;
    }
    QTest::addRow("dialog-drain-3840-light")
        << QStringLiteral("drain") << QStringLiteral("3840") << false;
}

void PagesTest::dialogsInEverySize()
{
    QFETCH(QString, kind);
    QFETCH(QString, size);
    QFETCH(bool, dark);
    theme::Theme::instance().setScheme(dark ? theme::Scheme::Dark : theme::Scheme::Light);
    fill(Condition::Live);
    const bool nodes = kind == QLatin1String("drain") || kind == QLatin1String("refused");
    QWidget* page = makePage(nodes ? QStringLiteral("nodes") : QStringLiteral("jobs"));
    m_window->setFixedSize(sizeNamed(size));
    page->setGeometry(m_window->rect());
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    ActionRequest request;
    for (int i = 189; nodes && i < 201; ++i)
        request.nodes << QStringLiteral("gpu%1").arg(i);
    if (nodes) {
        m_selection->setMarkedNodes(request.nodes);
    } else {
        request.kind = kind == QLatin1String("restart") ? ActionKind::Requeue : ActionKind::Cancel;
        request.jobs = QStringList{QStringLiteral("482913")};
    }
    if (kind == QLatin1String("refused"))
        m_actions->denyAll(QStringLiteral(
            "You are a viewer on this cluster, and a drain needs the operator role. Nothing was "
            "changed. Ask for the role, or run the command as SlurmUser."));
    m_desk->open(page, request);
    QTRY_VERIFY(find<widgets::Label>("commandLabel")->text() != QStringLiteral("\u2026") ||
                !find<widgets::Label>("messageLabel")->text().isEmpty());
    if (kind == QLatin1String("drain")) {
        find<QLineEdit>("reasonField")->setText(QStringLiteral("fan tray FT-22"));
        find<QLineEdit>("countField")->setText(QStringLiteral("12"));
    }
    QTest::qWait(20);
    auto* dialog = find<QWidget>("previewDialog");
    auto* confirm = find<QWidget>("confirmButton");
    QVERIFY(page->rect().contains(QRect(confirm->mapTo(page, QPoint(0, 0)), confirm->size())));
    QVERIFY(dialog->height() >= dialog->minimumSizeHint().height());
    keep(QString::fromLatin1(QTest::currentDataTag()));
}

void PagesTest::aHostlistNarrowsTheNodes()
{
    fill(Condition::Live);
    QWidget* page = makePage(QStringLiteral("nodes"));
    page->resize(1736, 968);
    m_window->show();
    auto* filter = find<QLineEdit>("nodesFilter");
    auto* table = find<widgets::TableView>("nodesTable");
    QTest::keyClicks(filter, QStringLiteral("gpu[163-171]!gpu165"));
    QTRY_COMPARE(table->model()->rowCount(), 8);
    filter->clear();
    QTest::keyClicks(filter, QStringLiteral("gpu[16"));
    QTRY_VERIFY(filter->toolTip().contains(QStringLiteral("not closed")));
}

void PagesTest::markingShowsWhatItTouches()
{
    fill(Condition::Live);
    QWidget* page = makePage(QStringLiteral("nodes"));
    page->resize(1736, 968);
    m_window->show();
    auto* bar = find<QWidget>("selectionBar");
    QVERIFY(!bar->isVisible());
    QTest::keyClicks(find<QLineEdit>("nodesFilter"), QStringLiteral("gpu[001-012]"));
    auto* table = find<widgets::TableView>("nodesTable");
    QTRY_COMPARE(table->model()->rowCount(), 12);
    QTest::mouseClick(find<QWidget>("markShownButton"), Qt::LeftButton);
    QVERIFY(bar->isVisible());
    QCOMPARE(m_selection->markedCount(), 12);
    QCOMPARE(find<widgets::Label>("markedCount")->text(), QStringLiteral("12 nodes marked"));
    QCOMPARE(table->selectionModel()->selectedRows().size(), 12);
    QTest::mouseClick(find<QWidget>("clearMarkedButton"), Qt::LeftButton);
    QVERIFY(!bar->isVisible());
    QCOMPARE(table->selectionModel()->selectedRows().size(), 0);
}

void PagesTest::drainingShowsRequestedBesideTheObservedWords()
{
    fill(Condition::Live);
    QWidget* page = makePage(QStringLiteral("nodes"));
    page->resize(1736, 968);
    m_window->resize(1736, 968);
    m_window->show();
    m_selection->setNodeFilter({QStringLiteral("gpu001"), {}});
    m_selection->setMarkedNodes({QStringLiteral("gpu001")});
    QTest::mouseClick(find<QWidget>("drainButton"), Qt::LeftButton);
    QTRY_VERIFY(find<QLineEdit>("reasonField") && find<QLineEdit>("reasonField")->isVisible());
    QTest::keyClicks(find<QLineEdit>("reasonField"), QStringLiteral("fan"));
    QTest::mouseClick(find<QWidget>("confirmButton"), Qt::LeftButton);
    QTRY_COMPARE(m_actions->operationsMade(), 1);
    m_now += 1000;
    const QModelIndex state = find<widgets::TableView>("nodesTable")->model()->index(0, 1);
    QCOMPARE(state.data().toString(), QStringLiteral("ALLOCATED"));
    QCOMPARE(state.data(model::NoteRole).toString(), QStringLiteral("drain requested, 1 s"));
    QVERIFY(state.data(model::RequestedRole).toBool());
    m_actions->observe(m_actions->made().first().id);
    QCOMPARE(state.data(model::NoteRole).toString(), QString());
}

void PagesTest::updatesKeepMarksCurrentRowAndScroll()
{
    fill(Condition::Live);
    QWidget* page = makePage(QStringLiteral("nodes"));
    page->resize(1736, 968);
    m_window->show();
    auto* table = find<widgets::TableView>("nodesTable");
    m_selection->setMarkedNodes({QStringLiteral("gpu150"), QStringLiteral("gpu151")});
    table->setCurrentIndex(table->model()->index(150, 0));
    m_selection->setMarkedNodes({QStringLiteral("gpu150"), QStringLiteral("gpu151")});
    table->verticalScrollBar()->setValue(3000);
    const int scroll = table->verticalScrollBar()->value();
    QVERIFY(m_state->apply(test::sampleReadings({}, m_state->revision(), 5)));
    QVERIFY(m_state->apply(test::sampleUpdate()));  // as after a reconnection
    QCOMPARE(table->verticalScrollBar()->value(), scroll);
    QCOMPARE(table->currentIndex().row(), 150);
    QCOMPARE(table->selectionModel()->selectedRows().size(), 2);
    QCOMPARE(m_selection->markedCount(), 2);
}

void PagesTest::anInspectorSaysWhatIsKnown()
{
    fill(Condition::Live);
    QWidget* page = makePage(QStringLiteral("nodes"));
    page->resize(1736, 968);
    m_window->show();
    m_selection->setCurrentNode(QStringLiteral("gpu171"));
    const QString text = find<widgets::FactSheet>("nodeFacts")->toText();
    QVERIFY2(text.contains(QStringLiteral("IDLE+DRAIN")), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("Xid 74 on GPU 3")));
    QVERIFY(text.contains(QStringLiteral("gpu171:9400")));
    m_selection->setCurrentNode({});
    QVERIFY(!find<QWidget>("nodeInspector")->isVisible());
}

void PagesTest::aViewerIsToldWhyNot()
{
    ClusterUpdate update = test::sampleUpdate();
    update.role = Role::Viewer;
    QVERIFY(m_state->apply(update));
    m_state->setConnection(Connection::Connected);
    QWidget* page = makePage(QStringLiteral("nodes"));
    page->resize(1736, 968);
    m_window->show();
    m_selection->setMarkedNodes({QStringLiteral("gpu001")});
    auto* drain = find<widgets::Button>("drainButton");
    QVERIFY(!drain->isEnabled());
    QVERIFY(drain->toolTip().contains(QStringLiteral("operator role")));
}

void PagesTest::aJobOpensInDetail()
{
    fill(Condition::Live);
    QWidget* page = makePage(QStringLiteral("jobs"));
    page->resize(1736, 968);
    m_window->show();
    m_selection->showJob(QStringLiteral("482913"));
    QTRY_VERIFY(find<QWidget>("jobDetail")->isVisible());
    QCOMPARE(find<widgets::Label>("jobDetailId")->text(), QStringLiteral("482913"));
    QTRY_VERIFY(
        find<widgets::FactSheet>("jobFacts")->toText().contains(QStringLiteral("Attempts")));
    QSignalSpy wishes(m_selection.get(), &Selection::pageRequested);
    Q_EMIT find<widgets::FactSheet>("jobFacts")
        ->linkActivated(QStringLiteral("nodes:gpu[001-002]"));
    QCOMPARE(wishes.count(), 1);
    QCOMPARE(m_selection->nodeFilter().text, QStringLiteral("gpu[001-002]"));
}

void PagesTest::seriesOfATallDetailStandBelowItsFacts()
{
    fill(Condition::Live);
    QWidget* page = makePage(QStringLiteral("jobs"));
    m_window->show();
    m_selection->showJob(QStringLiteral("482913"));
    const auto isBelow = [this] {
        const auto* detail = find<QWidget>("jobDetail");
        const auto* series = detail->findChild<widgets::SeriesPanel*>();
        const auto* facts = find<widgets::FactSheet>("jobFacts");
        return series->mapTo(detail, QPoint()).y() >=
               facts->mapTo(detail, QPoint(0, facts->height())).y();
    };
    page->resize(1232, 704);
    QTRY_VERIFY(!isBelow());
    page->resize(3656, 2048);
    QTRY_VERIFY(isBelow());
}

void PagesTest::escapeLeadsBack()
{
    fill(Condition::Live);
    QWidget* page = makePage(QStringLiteral("jobs"));
    page->resize(1232, 704);
    m_window->show();
    m_selection->setCurrentJob(QStringLiteral("482913"));
    QVERIFY(!find<QWidget>("jobsTable")->isVisible());  // at this width the detail takes the page
    QTest::keyClick(find<QWidget>("jobDetail"), Qt::Key_Escape);
    QVERIFY(find<QWidget>("jobsTable")->isVisible());
    QVERIFY(!find<QWidget>("jobDetail")->isVisible());
}

void PagesTest::auditIsShownAndExported()
{
    fill(Condition::Live);
    ActionRequest request;
    request.nodes = QStringList{QStringLiteral("gpu001")};
    QString token;
    m_actions->preview(request, [&](const auto& r) { token = r.value->token; });
    QTRY_VERIFY(!token.isEmpty());
    m_actions->execute(token, QStringLiteral("r"), QStringLiteral("fan"), 0, [](const auto&) {});
    auto* page = static_cast<pages::AuditPage*>(makePage(QStringLiteral("audit")));
    page->resize(1736, 968);
    m_window->show();
    auto* table = find<widgets::TableView>("auditTable");
    QTRY_COMPARE(table->model()->rowCount(), 1);
    table->setCurrentIndex(table->model()->index(0, 0));
    QVERIFY(
        find<widgets::FactSheet>("auditDetail")->toText().contains(QStringLiteral("State=DRAIN")));
    QCOMPARE(find<widgets::Label>("chainLabel")->text(), QStringLiteral("Chain of 1 record holds"));

    const QTemporaryDir dir;
    QCOMPARE(page->exportTo(dir.filePath(QStringLiteral("a.jsonl"))), QString());
    QFile file(dir.filePath(QStringLiteral("a.jsonl")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("\"event\":\"requested\""));
    QVERIFY(page->exportTo(QStringLiteral("/nonexistent/a.jsonl"))
                .contains(QStringLiteral("Nothing was exported")));
}

QTEST_MAIN(PagesTest)
#include "pages_test.moc"
