#include "ui/widgets/actions/preview_words.h"

#include <QTest>
#include <QTimeZone>

using namespace yard;

/// The five tiles of a preview.
class PreviewWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDrainSaysWhatWouldBeLostIfTheJobsDied()
    {
        const auto tiles = widgets::previewTiles(preview(), m_now, QTimeZone::utc());
        QCOMPARE(tiles[2].title, QStringLiteral("At risk if they died now"));
        QCOMPARE(tiles[2].figure, QStringLiteral("146"));
    }
    void whatIsKilledIsTheDaemonsFigure()
    {
        model::PreviewInfo killing = preview();
        killing.kind = model::ActionKind::Down;
        killing.jobsKilled = 1;
        killing.gpuHoursAtRisk = 134;
        const auto tiles = widgets::previewTiles(killing, m_now, QTimeZone::utc());
        QCOMPARE(tiles[2].title, QStringLiteral("Lost with it"));
        QCOMPARE(tiles[2].caption, QStringLiteral("since its start"));
        QCOMPARE(tiles[2].figure, QStringLiteral("134"));
        killing.jobsKilled = 2;
        QCOMPARE(widgets::previewTiles(killing, m_now, QTimeZone::utc())[2].title,
                 QStringLiteral("Lost with them"));
    }
    void theWayOutIsNotCalledAsTheAction()
    {
        model::ActionRequest request;
        request.kind = model::ActionKind::Cancel;
        request.jobs = QStringList{QStringLiteral("482913")};
        QCOMPARE(widgets::dismissTitle(request), QStringLiteral("Keep job"));
        request.jobs << QStringLiteral("482914");
        QCOMPARE(widgets::dismissTitle(request), QStringLiteral("Keep 2 jobs"));
        for (int kind = 0; kind <= int(model::ActionKind::Submit); ++kind) {
            request.kind = model::ActionKind(kind);
            QVERIFY(!widgets::dismissTitle(request).contains(QStringLiteral("ancel")));
        }
    }
    void aTimeFarAwayIsItsDay()
    {
        model::PreviewInfo far = preview();
        far.emptyBy = m_now.addDays(14);
        const auto tiles = widgets::previewTiles(far, m_now, QTimeZone::utc());
        QCOMPARE(tiles[3].figure, QStringLiteral("2026-03-25"));
        QCOMPARE(widgets::endsByWords(m_now.addDays(-1), m_now, QTimeZone::utc()),
                 QStringLiteral("Tue 03:14"));
        QCOMPARE(widgets::endsByWords(m_now, m_now, QTimeZone::utc()), QStringLiteral("03:14:22"));
    }

private:
    model::PreviewInfo preview() const
    {
        model::PreviewInfo preview;
        preview.kind = model::ActionKind::Drain;
        for (const double hours : {134.0, 12.0}) {
            model::AffectedJobInfo job;
            job.gpuHoursAtRisk = hours;
            preview.jobs << job;
        }
        return preview;
    }
    const QDateTime m_now{QDate(2026, 3, 11), QTime(3, 14, 22), Qt::UTC};
};

QTEST_GUILESS_MAIN(PreviewWordsTest)
#include "preview_words_test.moc"
