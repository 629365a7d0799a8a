#include "backend/telemetry/scrape_loop.h"

#include <QTest>

class ScrapeLoopTest : public QObject {
    Q_OBJECT
};
QTEST_GUILESS_MAIN(ScrapeLoopTest)
#include "scrape_loop_test.moc"
