#include <QElapsedTimer>

#include "tests/journeys/desk_window.h"
#include "ui/model/action_rules.h"
#include "ui/model/node_table_model.h"
#include "ui/model/past_guard.h"
#include "ui/model/time_cursor.h"
#include "ui/widgets/heatmap/heatmap_view.h"

using namespace yard;

/// A drain on a real Slurm, looked at again from before it and from after it.
class HistoryJourney : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup()
    {
        if (m_desk)
            m_desk->keepPictureIfFailed();
    }
    void theDrainIsDone();
    void beforeItTheNodeWasInService();
    void theJobOfThenIsThere();
    void nothingCanBeDoneInThePast();
    void afterItTheNodeWasDrained();
    void theGpusPageShowsTheSame();
    void liveIsLiveAgain();
    void beforeAllHistoryNothingIsKnown();

private:
    QString shown(const QString& node) const;
    const model::NodeInfo& node(const char* name) const
    {
        return m_desk->state().nodes().at(m_desk->state().nodeIndex(QLatin1String(name)));
    }
    bool goTo(const QDateTime& at);

    test::RealCluster m_cluster;
    std::unique_ptr<test::DeskWindow> m_desk;
    QString m_job;
    QDateTime m_before;
    QDateTime m_after;
};

void HistoryJourney::initTestCase()
{
    QVERIFY2(m_cluster.start(), qPrintable(m_cluster.error()));
    m_desk = std::make_unique<test::DeskWindow>(m_cluster.socketPath());
    QVERIFY(QTest::qWaitForWindowExposed(&m_desk->window()));
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->state().nodes().size(), 16, 15'000);
    m_job = m_cluster.submit({"--nodelist=node005", "--gres=gpu:8", "--job-name=then"});
    QVERIFY2(!m_job.isEmpty(), qPrintable(m_cluster.lab().error()));
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->state().job(m_job) && m_desk->state().job(m_job)->isActive(),
                             20'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->window().timeCursor().hasHistory(), 20'000);
    m_desk->window().showPage(model::Page::Nodes);
}

QString HistoryJourney::shown(const QString& node) const
{
    auto* table = m_desk->find<QAbstractItemView>("nodesTable");
    const auto* rows = table ? table->model() : nullptr;
    for (int row = 0; rows && row < rows->rowCount(); ++row)
        if (rows->index(row, model::NodeTableModel::Name).data().toString() == node)
            return rows->index(row, model::NodeTableModel::State).data().toString();
    return {};
}

bool HistoryJourney::goTo(const QDateTime& at)
{
    m_desk->window().timeCursor().moveTo(at);
    return QTest::qWaitFor([&] { return m_desk->state().isPast() && m_desk->state().now() == at; },
                           10'000);
}

void HistoryJourney::theDrainIsDone()
{
    m_before = m_desk->state().now();
    // A look at the scheduler in between, so that before and after are moments of their own.
    const quint64 seen = m_desk->state().revision();
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->state().revision() > seen, 10'000);
    model::ActionRequest request;
    request.kind = model::ActionKind::Drain;
    request.nodes = QStringList{QStringLiteral("node007")};
    request.reason = QStringLiteral("history journey");
    QString error;
    bool accepted = false;
    m_desk->actions().preview(request, [&](const model::Reply<model::PreviewInfo>& preview) {
        error = preview.error;
        if (preview.value)
            m_desk->actions().execute(preview.value->token, QStringLiteral("history-1"),
                                      request.reason, 1,
                                      [&](const model::Reply<model::OperationInfo>& operation) {
                                          error = operation.error;
                                          accepted = operation.value.has_value();
                                      });
    });
    QTRY_VERIFY2_WITH_TIMEOUT(accepted, qPrintable(error), 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(node("node007").category == model::NodeCategory::Drained, 20'000);
    m_after = m_desk->state().now();
}

void HistoryJourney::beforeItTheNodeWasInService()
{
    QVERIFY(goTo(m_before));
    QVERIFY(m_desk->state().isPastKnown());
    QCOMPARE(m_desk->state().nodes().size(), 16);
    QVERIFY(node("node007").category != model::NodeCategory::Drained);
    QVERIFY2(shown(QStringLiteral("node007")) == QLatin1String("IDLE"),
             qPrintable(shown(QStringLiteral("node007"))));
    QVERIFY(m_desk->await<QWidget>("pastBanner") != nullptr);
}

void HistoryJourney::theJobOfThenIsThere()
{
    const model::JobInfo* job = m_desk->state().job(m_job);
    QVERIFY(job != nullptr);
    QVERIFY(job->isActive());
    QCOMPARE(job->name, QStringLiteral("then"));
    QCOMPARE(node("node005").gpusAllocated, 8);
}

void HistoryJourney::nothingCanBeDoneInThePast()
{
    QCOMPARE(
        model::refusalFor(m_desk->state(), model::ActionKind::Resume, {QStringLiteral("node007")}),
        model::refusalInThePast());
}

void HistoryJourney::afterItTheNodeWasDrained()
{
    QVERIFY(goTo(m_after));
    QVERIFY(node("node007").category == model::NodeCategory::Drained);
    QVERIFY(node("node007").reason.contains(QLatin1String("history journey")));
    QVERIFY2(shown(QStringLiteral("node007")).contains(QLatin1String("DRAIN")),
             qPrintable(shown(QStringLiteral("node007"))));
}

void HistoryJourney::theGpusPageShowsTheSame()
{
    m_desk->window().showPage(model::Page::Gpus);
    const auto picture = [&] {
        QTest::qWait(50);
        auto* map = m_desk->window().findChild<widgets::HeatmapView*>();
        return map->grab().toImage();
    };
    const QImage after = picture();
    QVERIFY(goTo(m_before));
    const QImage before = picture();
    QVERIFY(before != after);
    QVERIFY(goTo(m_after));
    QCOMPARE(picture(), after);
}

void HistoryJourney::liveIsLiveAgain()
{
    test::DeskWindow::click(m_desk->await<QWidget>("pastLive"));
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->state().isPast(), 10'000);
    QVERIFY(!m_desk->find<QWidget>("pastBanner"));
    const quint64 seen = m_desk->state().revision();
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->state().revision() > seen, 10'000);
}

void HistoryJourney::beforeAllHistoryNothingIsKnown()
{
    // A moment within the history's line is all that can be reached by hand.
    m_desk->window().timeCursor().moveTo(m_before.addYears(-1));
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->state().isPast(), 10'000);
    QVERIFY(m_desk->window().timeCursor().at() >= m_desk->window().timeCursor().timeline().first);
}

int main(int argc, char** argv)
{
    const test::XDisplay display;
    QApplication app(argc, argv);
    theme::Theme::instance().install(app);
    HistoryJourney journey;
    return QTest::qExec(&journey, argc, argv);
}
#include "history_test.moc"
