#include "ui/widgets/actions/preview_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/local_actions.h"
#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/actions/outcome_words.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "ui/widgets/segmented_switch.h"

using namespace yard;
using namespace yard::model;
using namespace yard::widgets;

class PreviewDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
    void itOpensOnCancel();
    void aDrainNeedsAReason();
    void moreThanEightNeedTheCountTyped();
    void enterNeverConfirms();
    void confirmingMakesOneOperation();
    void aLostAnswerIsAskedForAgainUnderTheSameId();
    void aChangedStateIsSaidAndPreviewedAnew();
    void anExpiredPreviewIsMadeAnew();
    void aRefusedPreviewSaysWhy();
    void aRestartHasThreeWaysAndAvoidsNodes();
    void commandsAreCopiedExactly();
    void theCopiedCommandHasTheReasonJustTyped();
    void aDrainCopiedWithoutADialogAsksForAReason();
    void escapeClosesAndNothingHappens();
    void undoIsAPreviewToo();
    void outcomesAreWordedByWhatWasObserved();

private:
    template <typename T>
    T* find(const char* name)
    {
        return m_page->findChild<T*>(QString::fromLatin1(name));
    }
    void open(const ActionRequest& request);
    void openDrain(int count);
    QString message() { return find<Label>("messageLabel")->text(); }
    void click(const char* name)
    {
        QTest::mouseClick(m_page->findChild<QWidget*>(QString::fromLatin1(name)), Qt::LeftButton);
    }
    bool canConfirm() { return find<Button>("confirmButton")->isEnabled(); }
    bool isOpen()
    {
        return find<QWidget>("previewDialog") && find<QWidget>("previewDialog")->isVisible();
    }

    std::unique_ptr<ClusterState> m_state;
    std::unique_ptr<test::LocalActions> m_actions;
    std::unique_ptr<ActionDesk> m_desk;
    std::unique_ptr<QWidget> m_page;
};

void PreviewDialogTest::initTestCase()
{
    theme::Theme::instance().install(*qApp);
}

void PreviewDialogTest::init()
{
    m_state = std::make_unique<ClusterState>();
    QVERIFY(m_state->apply(test::sampleUpdate()));
    m_state->setConnection(Connection::Connected);
    m_actions = std::make_unique<test::LocalActions>(*m_state);
    m_desk = std::make_unique<ActionDesk>(*m_state, *m_actions);
    m_page = std::make_unique<QWidget>();
    m_page->resize(1700, 940);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
}

void PreviewDialogTest::cleanup()
{
    m_page.reset();
    m_desk.reset();
    m_actions.reset();
    m_state.reset();
}

void PreviewDialogTest::open(const ActionRequest& request)
{
    m_desk->open(m_page.get(), request);
    QTRY_VERIFY(find<Label>("commandLabel")->text() != QStringLiteral("\u2026") ||
                !message().isEmpty());
}

void PreviewDialogTest::openDrain(int count)
{
    ActionRequest request;
    for (int i = 189; i < 189 + count; ++i)
        request.nodes << QStringLiteral("gpu%1").arg(i);
    open(request);
}

void PreviewDialogTest::itOpensOnCancel()
{
    openDrain(3);
    QCOMPARE(QApplication::focusWidget(), find<QWidget>("dismissButton"));
    QCOMPARE(find<Label>("previewTitle")->text(), QStringLiteral("Drain 3 nodes"));
    QVERIFY(!canConfirm());
}

void PreviewDialogTest::aDrainNeedsAReason()
{
    openDrain(3);
    QVERIFY(!canConfirm());
    QCOMPARE(find<Button>("confirmButton")->toolTip(), QStringLiteral("A reason is required."));
    find<QLineEdit>("reasonField")->setText(QStringLiteral("  "));
    QVERIFY(!canConfirm());
    find<QLineEdit>("reasonField")->setText(QStringLiteral("fan tray"));
    QVERIFY(canConfirm());
    QVERIFY(!find<QLineEdit>("countField")->isVisible());
}

void PreviewDialogTest::moreThanEightNeedTheCountTyped()
{
    openDrain(12);
    find<QLineEdit>("reasonField")->setText(QStringLiteral("fan tray"));
    QVERIFY(find<QLineEdit>("countField")->isVisible());
    QVERIFY(!canConfirm());
    find<QLineEdit>("countField")->setText(QStringLiteral("11"));
    QVERIFY(!canConfirm());
    find<QLineEdit>("countField")->setText(QStringLiteral("12"));
    QVERIFY(canConfirm());
    QCOMPARE(find<Button>("confirmButton")->text(), QStringLiteral("Drain 12 nodes"));
}

void PreviewDialogTest::enterNeverConfirms()
{
    openDrain(2);
    auto* reason = find<QLineEdit>("reasonField");
    reason->setFocus();
    QTest::keyClicks(reason, QStringLiteral("fan"));
    QTest::keyClick(reason, Qt::Key_Return);
    QTest::qWait(0);
    QCOMPARE(m_actions->executeCalls(), 0);
    QVERIFY(isOpen());
}

void PreviewDialogTest::confirmingMakesOneOperation()
{
    QSignalSpy settled(&m_desk->outcomes(), &Outcomes::settled);
    openDrain(3);
    find<QLineEdit>("reasonField")->setText(QStringLiteral("fan tray"));
    click("confirmButton");
    QTRY_VERIFY(!isOpen());
    QCOMPARE(m_actions->operationsMade(), 1);
    QCOMPARE(m_actions->made().first().reason, QStringLiteral("fan tray"));
    QVERIFY(m_state->openOperationOn(QStringLiteral("gpu190")));
    QCOMPARE(settled.count(), 0);  // asked for, not observed
    m_actions->observe(m_actions->made().first().id);
    QCOMPARE(settled.count(), 1);
}

void PreviewDialogTest::aLostAnswerIsAskedForAgainUnderTheSameId()
{
    // The daemon acts, its answer is lost, and its report of the operation is late as well.
    openDrain(3);
    find<QLineEdit>("reasonField")->setText(QStringLiteral("fan tray"));
    m_actions->loseAnswers(1);
    m_actions->holdReports(true);
    click("confirmButton");
    QTRY_VERIFY(message().contains(QStringLiteral("unknown. Checking")));
    QVERIFY(isOpen());
    QVERIFY(!canConfirm());
    QTRY_VERIFY_WITH_TIMEOUT(!isOpen(), 8000);
    QCOMPARE(m_actions->executeCalls(), 2);
    QCOMPARE(m_actions->operationsMade(), 1);
}

void PreviewDialogTest::aChangedStateIsSaidAndPreviewedAnew()
{
    openDrain(3);
    find<QLineEdit>("reasonField")->setText(QStringLiteral("fan tray"));
    // Another job ends before the click: the preview's state is no longer the state.
    ClusterUpdate update;
    update.baseRevision = m_state->revision();
    update.revision = update.baseRevision + 1;
    update.at = m_state->now();
    for (JobInfo job : m_state->jobs()) {
        if (job.isActive()) {
            job.state = JobState::Completed;
            update.jobs << job;
        }
    }
    QVERIFY(m_state->apply(update));
    click("confirmButton");
    QTRY_VERIFY(message().contains(QStringLiteral("The state has changed since the preview")));
    QVERIFY2(message().contains(QStringLiteral("running there")), qPrintable(message()));
    QVERIFY(isOpen());
    QCOMPARE(m_actions->operationsMade(), 0);
    QCOMPARE(find<QLineEdit>("reasonField")->text(), QStringLiteral("fan tray"));
    QVERIFY(canConfirm());  // on the new preview
    click("confirmButton");
    QTRY_COMPARE(m_actions->operationsMade(), 1);
}

void PreviewDialogTest::anExpiredPreviewIsMadeAnew()
{
    m_actions->setPreviewSeconds(1);
    openDrain(2);
    QTRY_VERIFY_WITH_TIMEOUT(message().contains(QStringLiteral("expired")), 8000);
    QVERIFY(message().contains(QStringLiteral("as before")));
}

void PreviewDialogTest::aRefusedPreviewSaysWhy()
{
    m_actions->denyAll(QStringLiteral("You are a viewer; draining needs the operator role."));
    openDrain(2);
    QTRY_VERIFY(message().contains(QStringLiteral("operator role")));
    QVERIFY(!canConfirm());
    QVERIFY(find<Button>("renewButton")->isVisible());
    m_actions->denyAll({});
    click("renewButton");
    QTRY_COMPARE(message(), QString());
}

void PreviewDialogTest::aRestartHasThreeWaysAndAvoidsNodes()
{
    ActionRequest request;
    request.kind = ActionKind::Requeue;
    for (const JobInfo& job : m_state->jobs()) {
        if (job.isActive() && job.arrayJob == 0) {
            request.jobs = QStringList{job.displayId};
            break;
        }
    }
    QVERIFY(!request.jobs.isEmpty());
    open(request);
    QVERIFY(find<SegmentedSwitch>("restartSwitch"));
    QTRY_VERIFY(canConfirm());
    find<SegmentedSwitch>("restartSwitch")->setCurrent(2);
    QTRY_COMPARE(m_actions->lastRequest().kind, ActionKind::Resubmit);
    auto* exclude = find<QLineEdit>("excludeField");
    // The example is of this cluster.
    QCOMPARE(exclude->placeholderText(), QStringLiteral("gpu[001-003,005]"));
    exclude->setFocus();
    QTest::keyClicks(exclude, QStringLiteral("gpu[171"));
    QVERIFY(message().contains(QStringLiteral("not closed")));
    QTest::keyClicks(exclude, QStringLiteral("]"));
    QTRY_COMPARE(m_actions->lastRequest().excludedNodes, QStringLiteral("gpu[171]"));
    QTRY_COMPARE(message(), QString());
}

void PreviewDialogTest::commandsAreCopiedExactly()
{
    openDrain(3);
    click("copyCommandButton");
    QCOMPARE(QApplication::clipboard()->text(),
             QStringLiteral("scontrol update NodeName=gpu[189-191] State=DRAIN Reason='yard:ID '"));
}

void PreviewDialogTest::theCopiedCommandHasTheReasonJustTyped()
{
    openDrain(12);
    find<QLineEdit>("reasonField")->setText(QStringLiteral("fan tray"));
    click("copyCommandButton");
    const QString whole = QStringLiteral(
        "scontrol update NodeName=gpu[189-200] State=DRAIN Reason='yard:ID fan tray'");
    QTRY_COMPARE(QApplication::clipboard()->text(), whole);
    QTRY_COMPARE(find<Label>("commandLabel")->text(), whole);
}

void PreviewDialogTest::aDrainCopiedWithoutADialogAsksForAReason()
{
    QApplication::clipboard()->clear();
    ActionRequest request;
    request.nodes = QStringList{QStringLiteral("gpu189")};
    m_desk->copyCommand(m_page.get(), request);
    QTRY_VERIFY(QApplication::clipboard()->text().contains(QStringLiteral("<reason>")));
}

void PreviewDialogTest::escapeClosesAndNothingHappens()
{
    openDrain(3);
    find<QLineEdit>("reasonField")->setText(QStringLiteral("fan tray"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QTRY_VERIFY(!isOpen());
    QCOMPARE(m_actions->executeCalls(), 0);
    openDrain(1);  // and the next one opens
    QTRY_VERIFY(isOpen());
}

void PreviewDialogTest::undoIsAPreviewToo()
{
    openDrain(1);
    find<QLineEdit>("reasonField")->setText(QStringLiteral("fan tray"));
    click("confirmButton");
    QTRY_COMPARE(m_actions->operationsMade(), 1);
    m_actions->observe(m_actions->made().first().id);
    QTRY_VERIFY(!isOpen());
    QTest::qWait(10);
    m_desk->openUndo(m_page.get(), m_actions->made().first().id);
    QTRY_COMPARE(find<Label>("previewTitle")->text(), QStringLiteral("Undo: Resume gpu189"));
    QTRY_VERIFY(canConfirm());
    click("confirmButton");
    QTRY_COMPARE(m_actions->operationsMade(), 2);
}

void PreviewDialogTest::outcomesAreWordedByWhatWasObserved()
{
    OperationInfo operation;
    operation.kind = ActionKind::Drain;
    operation.requestedAt = test::sampleNow();
    operation.finishedAt = test::sampleNow().addMSecs(2400);
    operation.targets = {{QStringLiteral("gpu014"), TargetState::Observed, {}, {}}};
    operation.state = OperationState::Observed;
    ToastText toast = outcomeToast(*m_state, operation);
    QCOMPARE(toast.title, QStringLiteral("gpu014 drained, as the scheduler reports"));
    QVERIFY(toast.detail.contains(QStringLiteral("2.4 s after the request")));
    QVERIFY(!toast.error);

    OperationInfo restart = operation;
    restart.kind = ActionKind::Resubmit;
    restart.newJob = QStringLiteral("184400, 184401");
    restart.targets = {{QStringLiteral("184201"), TargetState::Observed, {}, {}},
                       {QStringLiteral("184202"), TargetState::Observed, {}, {}}};
    toast = outcomeToast(*m_state, restart);
    QCOMPARE(toast.title, QStringLiteral("2 jobs resubmitted, as the scheduler reports"));
    QVERIFY(toast.detail.startsWith(QStringLiteral("New jobs 184400, 184401. ")));

    operation.state = OperationState::Refused;
    operation.message = QStringLiteral("Invalid user id");
    operation.targets[0].state = TargetState::Refused;
    toast = outcomeToast(*m_state, operation);
    QVERIFY(toast.error);
    QCOMPARE(toast.verbatim, QStringLiteral("Invalid user id"));
    QCOMPARE(toast.detail, QStringLiteral("Nothing was changed."));
}

QTEST_MAIN(PreviewDialogTest)
#include "preview_dialog_test.moc"
