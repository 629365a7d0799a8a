#include "ui/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>
#include <QTextEdit>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/jump_palette.h"
#include "ui/model/cluster_state.h"
#include "ui/model/past_guard.h"
#include "ui/model/time_cursor.h"
#include "ui/pages/analytics/analytics_page.h"
#include "ui/pages/audit/audit_page.h"
#include "ui/pages/gpus/gpus_page.h"
#include "ui/pages/jobs/jobs_page.h"
#include "ui/pages/nodes/nodes_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/rail.h"
#include "ui/theme/theme.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"
#include "ui/time_strip.h"
#include "ui/top_bar.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/button.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/table/table_view.h"
#include "ui/widgets/toast.h"

namespace yard::ui {

using model::Page;

constexpr int kFoldedBelow = 1440;
constexpr int kLowStripBelow = 900;
constexpr QSize kSmallest(1024, 640);
constexpr QSize kUsual(1600, 950);

namespace {

/// Takes the room that is left, whatever a page, and be it a hidden one, would like to have: the
/// strip and the toasts below stay in the window.
class PageStack final : public QStackedWidget {
public:
    PageStack() { setMinimumSize(1, 1); }
    bool hasHeightForWidth() const override { return false; }
};

}  // namespace

MainWindow::MainWindow(model::ClusterState& state, model::Selection& selection,
                       model::Actions& actions)
    : m_state(state)
    , m_selection(selection)
    , m_cursor(std::make_unique<model::TimeCursor>())
    , m_guard(std::make_unique<model::PastGuard>(state, actions))
    , m_desk(std::make_unique<widgets::ActionDesk>(state, *m_guard))
    , m_rail(new Rail(state))
    , m_top(new TopBar(state))
    , m_banner(new widgets::Banner)
    , m_bannerRow(new QWidget)
    , m_pastBanner(new widgets::Banner(nullptr, widgets::Banner::Tone::Accent))
    , m_pastRow(makePastRow())
    , m_strip(new TimeStrip(state, *m_cursor))
    , m_pages(new PageStack)
{
    setWindowTitle(QStringLiteral("Yardmaster"));
    setWindowIcon(theme::icon(QStringLiteral("yardmaster")));
    setMinimumSize(kSmallest);
    resize(kUsual);
    auto* central = new QWidget;
    auto* row = new QHBoxLayout(central);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_rail);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    row->addLayout(column, 1);
    column->addWidget(m_top);
    m_banner->setObjectName(QStringLiteral("disconnectedBanner"));
    auto* bannerLayout = new QHBoxLayout(m_bannerRow);
    bannerLayout->setContentsMargins(theme::px(theme::Size::PageMargin), 12,
                                     theme::px(theme::Size::PageMargin), 0);
    bannerLayout->addWidget(m_banner);
    column->addWidget(m_bannerRow);
    column->addWidget(m_pastRow);
    column->addWidget(m_pages, 1);
    m_pages->setFocusPolicy(Qt::ClickFocus);
    setCentralWidget(central);
    m_toasts = new widgets::ToastHost(central);
    auto* lane = new QWidget;
    column->addWidget(lane);
    m_toasts->setLane(lane);
    column->addWidget(m_strip);
    m_desk->tellIn(m_toasts, [this] { return m_pages->currentWidget(); });
    makePages();
    makeShortcuts();
    connect(m_rail, &Rail::pageRequested, this, &MainWindow::showPage);
    connect(&selection, &model::Selection::pageRequested, this, &MainWindow::showPage);
    connect(m_top, &TopBar::jumpRequested, this, [this] { openJump(); });
    connect(m_top, &TopBar::helpRequested, this, &MainWindow::openKeys);
    connect(&state, &model::ClusterState::connectionChanged, this, &MainWindow::refreshBanner);
    connect(&state, &model::ClusterState::healthChanged, this, &MainWindow::refreshPast);
    connect(&state, &model::ClusterState::healthChanged, this, &MainWindow::refreshBanner);
    connect(m_cursor.get(), &model::TimeCursor::moved, this, &MainWindow::refreshPast);
    auto* tick = new QTimer(this);
    connect(tick, &QTimer::timeout, this, &MainWindow::refreshBanner);
    tick->start(1000);
    refreshBanner();
    refreshPast();
    showPage(Page::Overview);
    const QByteArray geometry = QSettings().value(QStringLiteral("window")).toByteArray();
    if (!geometry.isEmpty())
        restoreGeometry(geometry);
}

MainWindow::~MainWindow() = default;

void MainWindow::addPage(Page page, QWidget* widget)
{
    m_byPage.insert(int(page), widget);
    m_pages->addWidget(widget);
}

void MainWindow::makePages()
{
    addPage(Page::Overview, new pages::OverviewPage(m_state, m_selection));
    m_gpus = new pages::GpusPage(m_state, m_selection);
    addPage(Page::Gpus, m_gpus);
    addPage(Page::Nodes, new pages::NodesPage(*m_desk, m_selection));
    addPage(Page::Jobs, new pages::JobsPage(*m_desk, m_selection));
    addPage(Page::Analytics, new pages::AnalyticsPage(m_state, *m_guard));
    addPage(Page::Audit, new pages::AuditPage(*m_desk));
}

QWidget* MainWindow::pageWidget(Page page) const
{
    return m_byPage.value(int(page));
}

void MainWindow::showPage(Page page)
{
    closeOverlay();
    m_current = page;
    m_rail->setCurrent(page);
    for (const PageEntry& entry : pageEntries()) {
        if (entry.page == page)
            m_top->setTitle(entry.title);
    }
    m_pages->setCurrentWidget(pageWidget(page));
    // No field takes the keys by itself: digits and `/` work at once, arrows where there is a map
    // or a table.
    if (pageWidget(page)->focusProxy() != nullptr)
        pageWidget(page)->setFocus();
    else
        m_pages->setFocus();
}

void MainWindow::addShortcut(const QKeySequence& keys, std::function<void()> act, bool typing)
{
    auto* shortcut = new QShortcut(keys, this);
    connect(shortcut, &QShortcut::activated, this, std::move(act));
    if (typing)
        return;
    // Plain characters belong to whoever is typing.
    connect(qApp, &QApplication::focusChanged, shortcut, [shortcut](QWidget*, QWidget* now) {
        const bool types = qobject_cast<QLineEdit*>(now) != nullptr ||
                           qobject_cast<QTextEdit*>(now) != nullptr ||
                           qobject_cast<QPlainTextEdit*>(now) != nullptr;
        shortcut->setEnabled(!types);
    });
}

void MainWindow::makeShortcuts()
{
    for (int i = 0; i < pageEntries().size(); ++i) {
        const Page page = pageEntries()[i].page;
        addShortcut(
            QKeySequence(Qt::Key_1 + i), [this, page] { showPage(page); }, false);
        addShortcut(QKeySequence(int(Qt::CTRL) | (Qt::Key_1 + i)),
                    [this, page] { showPage(page); });
    }
    addShortcut(QKeySequence(Qt::CTRL | Qt::Key_K), [this] { openJump(); });
    addShortcut(
        QKeySequence(Qt::Key_Slash), [this] { focusFilter(); }, false);
    addShortcut(QKeySequence(Qt::CTRL | Qt::Key_F), [this] { focusFilter(); });
    addShortcut(QKeySequence(Qt::CTRL | Qt::Key_L), [this] { m_cursor->goLive(); });
    addShortcut(
        QKeySequence(Qt::Key_Question), [this] { openKeys(); }, false);
    addShortcut(QKeySequence(Qt::Key_F5), [this] {
        if (m_retry)
            m_retry();
    });
    addShortcut(
        QKeySequence(Qt::CTRL | Qt::Key_C), [this] { copySelected(); }, false);
    addShortcut(QKeySequence(Qt::CTRL | Qt::Key_T), [] {
        theme::Theme::instance().toggle();
        theme::Theme::instance().remember();
    });
}

void MainWindow::openPanel(widgets::PopupPanel* panel)
{
    closeOverlay();
    m_overlay = new widgets::Overlay(m_pages, panel, widgets::Overlay::Place::Top);
    panel->setFocus();
}

void MainWindow::openJump(const QString& text)
{
    auto* palette = new JumpPalette(m_state);
    connect(palette, &JumpPalette::chosen, this, &MainWindow::jump);
    connect(palette, &JumpPalette::dismissed, this, &MainWindow::closeOverlay);
    palette->setText(text);
    openPanel(palette);
}

void MainWindow::openKeys()
{
    openPanel(new KeySheet);
    m_overlay->setFocus();
}

void MainWindow::closeOverlay()
{
    if (m_overlay != nullptr)
        m_overlay->closeOverlay();
}

void MainWindow::jump(const JumpTarget& target)
{
    closeOverlay();
    switch (target.kind) {
        case JumpTarget::Kind::Page:
            showPage(target.page);
            break;
        case JumpTarget::Kind::Node:
            m_selection.showNode(target.name);
            break;
        case JumpTarget::Kind::Hostlist:
            m_selection.showNodes(target.name);
            break;
        case JumpTarget::Kind::Job:
            m_selection.showJob(target.name);
            break;
        case JumpTarget::Kind::User: {
            model::JobFilter filter;
            filter.chips = {{QStringLiteral("user"), target.name, false}};
            m_selection.setJobFilter(filter);
            showPage(Page::Jobs);
            break;
        }
    }
}

void MainWindow::focusFilter()
{
    for (auto* field : m_pages->currentWidget()->findChildren<widgets::FilterField*>()) {
        if (field->isVisible()) {
            field->setFocus(Qt::ShortcutFocusReason);
            field->selectAll();
            return;
        }
    }
    openJump();
}

void MainWindow::copySelected()
{
    auto* table = qobject_cast<widgets::TableView*>(QApplication::focusWidget());
    if (table == nullptr) {
        for (auto* each : m_pages->currentWidget()->findChildren<widgets::TableView*>()) {
            if (each->isVisible() && !each->selectedText().isEmpty())
                table = each;
        }
    }
    if (table != nullptr && !table->selectedText().isEmpty())
        QApplication::clipboard()->setText(table->selectedText());
}

void MainWindow::escape()
{
    if (m_overlay != nullptr)
        closeOverlay();
    else if (m_selection.markedCount() > 0)
        m_selection.clearMarked();
}

void MainWindow::refreshBanner()
{
    const bool lost = m_state.connection() == model::Connection::Disconnected;
    // While it has only just started, the pages say that nothing is known yet; that is enough.
    const bool unread = !lost && m_state.hasSnapshot() && !m_state.isPast() &&
                        !theme::isSchedulerKnown(m_state) && !m_state.scheduler().error.isEmpty();
    m_bannerRow->setVisible(lost || unread);
    if (unread) {
        m_banner->setTexts(
            theme::whyUnknown(m_state),
            QStringLiteral("asked every %1")
                .arg(theme::duration(std::max(1.0, double(m_state.scheduler().pollSeconds)))));
    }
    if (!lost)
        return;
    const double age = m_state.age();
    QString what = QStringLiteral("Disconnected. ");
    if (age < 0) {
        what += m_state.connectionError();
    } else {
        const QDateTime then = m_state.now().addMSecs(-qint64(age * 1000));
        what += QStringLiteral("Showing %1 %2, %3 ago. %4")
                    .arg(theme::shortTime(then, m_state.now(), m_state.timeZone()),
                         theme::zoneOffset(then, m_state.timeZone()), theme::age(age),
                         m_state.connectionError());
    }
    const qint64 left = m_state.nextAttempt().isValid()
                            ? QDateTime::currentDateTimeUtc().msecsTo(m_state.nextAttempt())
                            : -1;
    m_banner->setTexts(what.trimmed(),
                       left > 0
                           ? QStringLiteral("next try in %1 s · F5 now").arg((left + 999) / 1000)
                           : QStringLiteral("trying now"));
}

QWidget* MainWindow::makePastRow()
{
    auto* row = new QWidget;
    m_pastBanner->setObjectName(QStringLiteral("pastBanner"));
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(theme::px(theme::Size::PageMargin), 12,
                               theme::px(theme::Size::PageMargin), 0);
    layout->addWidget(m_pastBanner, 1);
    auto* live = new widgets::Button(QStringLiteral("Live"), widgets::Button::Kind::Primary);
    live->setObjectName(QStringLiteral("pastLive"));
    connect(live, &widgets::Button::clicked, m_cursor.get(), &model::TimeCursor::goLive);
    layout->addWidget(live);
    return row;
}

void MainWindow::refreshPast()
{
    m_pastRow->setVisible(!m_cursor->isLive());
    if (m_cursor->isLive())
        return;
    QString what =
        QStringLiteral("As of %1.").arg(theme::fullTime(m_cursor->at(), m_state.timeZone()));
    if (!m_state.isPast()) {
        what += QStringLiteral(" Being read.");
    } else if (!m_state.isPastKnown()) {
        what += QStringLiteral(" The daemon did not look at the scheduler then: nothing is known.");
        if (m_state.lastKnown().isValid())
            what += QStringLiteral(" It last did at %1.")
                        .arg(theme::fullTime(m_state.lastKnown(), m_state.timeZone()));
    } else if (!m_state.areReadingsKept()) {
        what += QStringLiteral(" This daemon keeps no readings: [history] is switched off.");
    }
    for (const QString& warning : m_state.pastWarnings())
        what += QLatin1Char(' ') + warning;
    m_pastBanner->setTexts(what, QStringLiteral("Nothing can be changed in the past"));
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_rail->setFolded(width() < kFoldedBelow);
    m_strip->setLow(height() < kLowStripBelow);
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    // What is open (dialog, inspector, detail, filter) has had its turn: it takes Escape itself.
    if (event->key() == Qt::Key_Escape)
        escape();
    else
        QMainWindow::keyPressEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    QSettings().setValue(QStringLiteral("window"), saveGeometry());
    QMainWindow::closeEvent(event);
}

}  // namespace yard::ui
