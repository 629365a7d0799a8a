#include "ui/main_window.h"

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>

#include "tests/support/local_actions.h"
#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/rail.h"
#include "ui/theme/theme.h"
#include "ui/theme/unknown.h"
#include "ui/top_bar.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/headline_tile.h"
#include "ui/widgets/label.h"
#include "ui/widgets/toast.h"

using namespace yard;
using namespace yard::model;

/// The window under an operator's keys: what is open takes them first.
class MainWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void digitsOpenPages();
    void slashAndEscapeEnterAndLeaveTheFilter();
    void escapeClosesADialogAndDigitsDoNotLeaveIt();
    void aDialogLeftBehindDoesNotBlockTheNext();
    void escapeClosesTheInspector();
    void arrowsKeepTheMarksAndSpaceMarks();
    void theBannerStandsOnlyWhileDisconnected();
    void arrowsWorkWithoutTheMouseAndChooseNothingByThemselves();
    void aClickOpensAJobAgainAndAgain();
    void aToastCoversNothing_data();
    void aToastCoversNothing();
    void aSchedulerNeverReadIsNotLive();

private:
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWidget* target = QApplication::focusWidget();
        QTest::keyClick(target != nullptr ? target : m_window.get(), key, modifiers);
    }
    QWidget* visible(const char* name) const
    {
        for (QWidget* each : m_window->findChildren<QWidget*>(QString::fromLatin1(name))) {
            if (each->isVisible())
                return each;
        }
        return nullptr;
    }
    void openDrain();

    std::unique_ptr<ClusterState> m_state;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<test::LocalActions> m_actions;
    std::unique_ptr<ui::MainWindow> m_window;
};

void MainWindowTest::initTestCase()
{
    QStandardPaths::setTestModeEnabled(true);
    theme::Theme::instance().install(*qApp);
}

void MainWindowTest::init()
{
    m_state = std::make_unique<ClusterState>();
    m_selection = std::make_unique<Selection>();
    m_actions = std::make_unique<test::LocalActions>(*m_state);
    QVERIFY(m_state->apply(test::sampleUpdate()));
    m_state->setConnection(Connection::Connected);
    m_window = std::make_unique<ui::MainWindow>(*m_state, *m_selection, *m_actions);
    m_window->resize(1600, 950);
    m_window->show();
    QApplication::setActiveWindow(m_window.get());
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
}

void MainWindowTest::cleanup()
{
    m_window.reset();
    m_actions.reset();
    m_selection.reset();
    m_state.reset();
}

void MainWindowTest::openDrain()
{
    press(Qt::Key_3);
    QCOMPARE(m_window->currentPage(), Page::Nodes);
    m_selection->setMarkedNodes({QStringLiteral("gpu010"), QStringLiteral("gpu011")});
    QTRY_VERIFY(visible("drainButton"));
    QTest::mouseClick(visible("drainButton"), Qt::LeftButton);
    QTRY_VERIFY(visible("previewDialog"));
}

void MainWindowTest::digitsOpenPages()
{
    press(Qt::Key_2);
    QCOMPARE(m_window->currentPage(), Page::Gpus);
    press(Qt::Key_5);
    QCOMPARE(m_window->currentPage(), Page::Analytics);
    press(Qt::Key_6, Qt::ControlModifier);
    QCOMPARE(m_window->currentPage(), Page::Audit);
}

void MainWindowTest::slashAndEscapeEnterAndLeaveTheFilter()
{
    press(Qt::Key_3);
    press(Qt::Key_Slash);
    auto* field = qobject_cast<widgets::FilterField*>(QApplication::focusWidget());
    QVERIFY(field);
    QTest::keyClicks(field, QStringLiteral("gpu1"));
    QCOMPARE(field->text(), QStringLiteral("gpu1"));
    QCOMPARE(m_window->currentPage(), Page::Nodes);
    press(Qt::Key_Escape);
    QVERIFY(field->text().isEmpty());
    press(Qt::Key_Escape);
    QVERIFY(!field->hasFocus());
    press(Qt::Key_1);
    QCOMPARE(m_window->currentPage(), Page::Overview);
}

void MainWindowTest::escapeClosesADialogAndDigitsDoNotLeaveIt()
{
    openDrain();
    press(Qt::Key_4);
    QCOMPARE(m_window->currentPage(), Page::Nodes);
    QVERIFY(visible("previewDialog"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!visible("previewDialog"));
    QCOMPARE(m_selection->markedCount(), 2);
    press(Qt::Key_Escape);
    QCOMPARE(m_selection->markedCount(), 0);
}

void MainWindowTest::aDialogLeftBehindDoesNotBlockTheNext()
{
    openDrain();
    press(Qt::Key_1, Qt::ControlModifier);
    QVERIFY(!visible("previewDialog"));
    press(Qt::Key_3, Qt::ControlModifier);
    press(Qt::Key_4, Qt::ControlModifier);
    m_selection->showJob(m_state->jobs().first().displayId);
    QTRY_VERIFY(visible("restartButton"));
    QTest::mouseClick(visible("restartButton"), Qt::LeftButton);
    QTRY_VERIFY(visible("previewDialog"));
}

void MainWindowTest::escapeClosesTheInspector()
{
    m_selection->showNode(QStringLiteral("gpu010"));
    QTRY_VERIFY(visible("nodeInspector"));
    press(Qt::Key_Escape);
    QVERIFY(!visible("nodeInspector"));
}

void MainWindowTest::arrowsKeepTheMarksAndSpaceMarks()
{
    press(Qt::Key_3);
    m_selection->setMarkedNodes({QStringLiteral("gpu010"), QStringLiteral("gpu011")});
    m_selection->setCurrentNode(QStringLiteral("gpu001"));
    m_selection->setCurrentNode({});
    press(Qt::Key_Down);
    QCOMPARE(m_selection->markedCount(), 2);
    press(Qt::Key_Space);
    QCOMPARE(m_selection->markedNodes(),
             (QStringList{QStringLiteral("gpu002"), QStringLiteral("gpu010"),
                          QStringLiteral("gpu011")}));
}

void MainWindowTest::theBannerStandsOnlyWhileDisconnected()
{
    QVERIFY(!visible("disconnectedBanner"));
    m_state->setConnection(Connection::Disconnected, QStringLiteral("No daemon answers."));
    QTRY_VERIFY(visible("disconnectedBanner"));
    m_state->setConnection(Connection::Connected);
    QTRY_VERIFY(!visible("disconnectedBanner"));
}

void MainWindowTest::arrowsWorkWithoutTheMouseAndChooseNothingByThemselves()
{
    press(Qt::Key_4);
    QCOMPARE(QApplication::focusWidget(), visible("jobsTable"));
    QVERIFY(!visible("jobDetail"));
    press(Qt::Key_Down);
    QVERIFY(visible("jobDetail"));
    press(Qt::Key_Escape);
    QVERIFY(!visible("jobDetail"));
    QCOMPARE(QApplication::focusWidget(), visible("jobsTable"));
}

void MainWindowTest::aClickOpensAJobAgainAndAgain()
{
    press(Qt::Key_4);
    auto* table = qobject_cast<QTableView*>(visible("jobsTable"));
    QVERIFY(table);
    for (int row : {1, 1, 0}) {
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(row, 1)).center());
        QTRY_VERIFY(visible("jobDetail"));
        press(Qt::Key_Escape);
        QTRY_VERIFY(!visible("jobDetail"));
    }
}

void MainWindowTest::aToastCoversNothing_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1024, 720), QSize(1280, 800), QSize(1600, 950)}) {
        for (int page = 0; page < ui::pageEntries().size(); ++page)
            QTest::addRow("%s-%d", qPrintable(ui::pageEntries()[page].title), size.width())
                << int(Qt::Key_1) + page << size;
    }
}

void MainWindowTest::aToastCoversNothing()
{
    QFETCH(int, key);
    QFETCH(QSize, size);
    m_window->resize(size);
    press(Qt::Key(key));
    auto* host = m_window->findChild<widgets::ToastHost*>();
    QVERIFY(host);
    QWidget* page = m_window->pageWidget(m_window->currentPage());
    const auto placeOf = [this](const QWidget* widget, const QRect& rect) {
        return QRect(widget->mapTo(m_window.get(), rect.topLeft()), rect.size());
    };
    const auto covered = [&] {
        QRect all;
        for (const auto* toast : m_window->findChildren<widgets::Toast*>()) {
            if (!toast->isVisible())
                continue;
            const QRect panel = placeOf(toast, toast->panelRect());
            for (const QWidget* each : {page, visible("timeStrip")})
                all |= panel & placeOf(each, each->rect());
        }
        return all;
    };
    QCoreApplication::processEvents();  // the strip has its height for this window
    const int before = page->height();
    for (const char* title : {"gpu001 drained", "gpu002 drained", "gpu003 drained"}) {
        widgets::ToastText text;
        text.title = QString::fromLatin1(title);
        text.error = true;  // they stay
        host->show(text);
        QTRY_VERIFY(page->height() < before);
        QTRY_COMPARE(covered(), QRect());
    }
    for (auto* toast : m_window->findChildren<widgets::Toast*>())
        Q_EMIT toast->closed();
    QTRY_COMPARE(page->height(), before);
}

void MainWindowTest::aSchedulerNeverReadIsNotLive()
{
    ClusterUpdate unread;
    unread.full = true;
    unread.revision = m_state->revision() + 1;
    unread.at = test::sampleNow();
    SchedulerInfo scheduler;
    scheduler.kind = QStringLiteral("slurm");
    scheduler.error = QStringLiteral("/opt/slurm/bin/scontrol: no such file.");
    unread.scheduler = scheduler;
    QVERIFY(m_state->apply(unread));
    auto* bar = m_window->findChild<ui::TopBar*>();
    QVERIFY(bar);
    QVERIFY(!bar->statusWords().contains(QStringLiteral("Live")));
    QVERIFY(bar->connectionTone() == theme::Color::Warn);
    QTRY_VERIFY(visible("disconnectedBanner"));
    for (const auto* tile : m_window->findChildren<widgets::HeadlineTile*>())
        QTRY_VERIFY2(tile->accessibleName().contains(QChar(0x2013)),
                     qPrintable(tile->accessibleName()));
    press(Qt::Key_4);
    auto* counts = qobject_cast<widgets::Label*>(visible("jobCounts"));
    QVERIFY(counts);
    QTRY_VERIFY2(!counts->text().contains(QLatin1Char('0')), qPrintable(counts->text()));
    QVERIFY(theme::whyUnknown(*m_state).contains(scheduler.error));

    // It is asked for the first time: nothing is wrong yet, nothing is known either.
    unread.revision = m_state->revision() + 1;
    unread.scheduler->error.clear();
    QVERIFY(m_state->apply(unread));
    QTRY_VERIFY(!visible("disconnectedBanner"));
    QVERIFY(!bar->statusWords().contains(QStringLiteral("Live")));

    ClusterUpdate read = test::sampleUpdate();
    read.revision = m_state->revision() + 1;
    QVERIFY(m_state->apply(read));
    QVERIFY(bar->statusWords().startsWith(QStringLiteral("Live")));
    QVERIFY(bar->connectionTone() == theme::Color::Good);
}

QTEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
