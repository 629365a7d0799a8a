#include "ui/pages/jobs/jobs_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QSet>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/model/job_table_model.h"
#include "ui/model/selection.h"
#include "ui/pages/jobs/job_cells.h"
#include "ui/pages/jobs/job_detail.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/table/table_view.h"

namespace yard::pages {

using model::ActionKind;
using theme::Color;
using theme::Type;
using widgets::Chip;
using Column = model::JobTableModel::Column;

namespace {

constexpr int kDetailAlone = 1300;  ///< narrower, the detail takes the page
constexpr int kWideDetail = 3000;
constexpr int kMaxMenuValues = 40;

struct Ended {
    const char* words;
    int seconds;
};
constexpr Ended kEnded[] = {{"15 min", 900}, {"1 h", 3600},      {"6 h", 21600},
                            {"24 h", 86400}, {"7 d", 7 * 86400}, {"all", 0}};

QString endedWords(int seconds)
{
    for (const Ended& ended : kEnded) {
        if (ended.seconds == seconds)
            return QString::fromLatin1(ended.words);
    }
    return theme::duration(seconds);
}

}  // namespace

JobsPage::JobsPage(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_selection(selection)
    , m_model(new model::JobTableModel(desk.state(), selection, this))
    , m_cells(new JobCells(desk.state(), *m_model, this))
{
    setObjectName(QStringLiteral("jobsPage"));
    auto* layout = new QVBoxLayout(this);
    const int margin = theme::px(theme::Size::PageMargin);
    layout->setContentsMargins(margin, 12, margin, 12);
    layout->setSpacing(theme::px(theme::Size::Gap));
    auto* line = new QHBoxLayout;
    buildFilterLine(line);
    layout->addLayout(line);
    auto* body = new QHBoxLayout;
    body->setSpacing(theme::px(theme::Size::Gap));
    m_card = new widgets::Card;
    m_card->setBodyMargins(1, 1, 1, 1);
    m_card->body()->setSpacing(0);
    buildTable();
    m_foot = new widgets::Label({}, Type::Caption, Color::TextMuted);
    m_foot->setFixedHeight(28);
    m_foot->setElide(Qt::ElideRight);
    m_card->body()->addWidget(m_table, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(12, 0, 12, 0);
    foot->addWidget(m_foot, 1);
    m_card->body()->addLayout(foot);
    body->addWidget(m_card, 1);
    m_detail = new JobDetail(desk, selection);
    m_detail->hide();
    body->addWidget(m_detail, 1);
    layout->addLayout(body, 1);
    connectAll();
    refreshChips();
    refreshCounts();
}

void JobsPage::buildFilterLine(QHBoxLayout* line)
{
    line->setSpacing(8);
    m_filter = new widgets::FilterField(QStringLiteral("Filter: id, user, name, state, node"));
    m_filter->setObjectName(QStringLiteral("jobsFilter"));
    m_filter->setMinimumWidth(220);
    m_filter->setMaximumWidth(330);
    line->addWidget(m_filter, 3);
    m_chips = new QHBoxLayout;
    m_chips->setSpacing(6);
    line->addLayout(m_chips);
    line->addStretch(1);
    m_counts = new widgets::Label({}, Type::Body, Color::TextSecondary);
    m_counts->setObjectName(QStringLiteral("jobCounts"));
    m_counts->setElide(Qt::ElideRight);
    line->addWidget(m_counts);
    m_every = new widgets::SegmentedSwitch(
        {QStringLiteral("Folded arrays"), QStringLiteral("Every task")});
    m_every->setObjectName(QStringLiteral("everyTaskSwitch"));
    line->addWidget(m_every);
}

void JobsPage::buildTable()
{
    m_table = new widgets::TableView;
    m_table->setObjectName(QStringLiteral("jobsTable"));
    m_table->setAccessibleName(QStringLiteral("Jobs"));
    m_table->setModel(m_cells);
    m_table->setStretchColumn(Column::Nodes);
    m_table->horizontalHeader()->setSortIndicatorShown(true);
    m_table->horizontalHeader()->setSortIndicator(Column::Id, Qt::DescendingOrder);
}

void JobsPage::connectAll()
{
    connect(m_filter, &widgets::FilterField::filterChanged, this, [this](const QString& text) {
        auto filter = m_selection.jobFilter();
        filter.text = text;
        m_selection.setJobFilter(filter);
    });
    connect(m_filter, &QLineEdit::returnPressed, m_table, [this] { m_table->setFocus(); });
    connect(&m_selection, &model::Selection::jobFilterChanged, this, [this] {
        if (m_filter->text() != m_selection.jobFilter().text)
            m_filter->setText(m_selection.jobFilter().text);
        refreshChips();
    });
    connect(m_every, &widgets::SegmentedSwitch::currentChanged, this,
            [this](int every) { m_model->setEveryTask(every == 1); });
    connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int column) {
        const bool again = m_model->sortColumn() == column;
        const auto order = again && m_model->sortOrder() == Qt::DescendingOrder ? Qt::AscendingOrder
                           : again                                            ? Qt::DescendingOrder
                           : column == Column::Name || column == Column::User ? Qt::AscendingOrder
                                                                              : Qt::DescendingOrder;
        m_table->horizontalHeader()->setSortIndicator(column, order);
        m_model->sort(column, order);
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (m_model->isArray(index.row()) && index.column() == Column::Id)
            toggle(index);
    });
    connect(m_table, &widgets::TableView::rowActivated, this, [this](const QModelIndex& index) {
        if (m_model->isArray(index.row()))
            toggle(index);
        else
            m_selection.setCurrentJob(m_model->displayIdAt(index.row()));
    });
    connect(m_table, &widgets::TableView::contextMenuRequested, this, &JobsPage::showMenu);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (m_syncing || !index.isValid() || m_model->isArray(index.row()))
                    return;
                // Beside the list the detail follows; where it takes the page, Enter opens it.
                if (width() >= kDetailAlone)
                    m_selection.setCurrentJob(m_model->displayIdAt(index.row()));
            });
    connect(&m_selection, &model::Selection::currentJobChanged, this, &JobsPage::currentToView);
    connect(m_cells, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_syncing = true; });
    connect(m_cells, &QAbstractItemModel::modelReset, this, [this] {
        m_syncing = false;
        currentToView();
    });
    connect(m_model, &model::JobTableModel::filtered, this, &JobsPage::refreshCounts);
    connect(&m_desk.state(), &model::ClusterState::connectionChanged, this,
            &JobsPage::refreshCounts);
    connect(&m_desk.state(), &model::ClusterState::healthChanged, this, &JobsPage::refreshCounts);
    connect(m_detail, &JobDetail::actionRequested, this,
            [this](ActionKind kind) { act(kind, {m_selection.currentJob()}); });
}

void JobsPage::toggle(const QModelIndex& index)
{
    m_model->setOpen(index.row(), !index.data(model::JobTableModel::OpenRole).toBool());
}

void JobsPage::currentToView()
{
    arrange();
    m_detail->refresh();
    const QString id = m_selection.currentJob();
    const int row = id.isEmpty() ? -1 : m_model->rowOf(id);
    if (row < 0 || m_table->currentIndex().row() == row)
        return;
    m_syncing = true;
    m_table->setCurrentIndex(m_cells->index(row, 0));
    m_table->scrollTo(m_cells->index(row, 0));
    m_syncing = false;
}

// -- filter --

void JobsPage::chooseTerm(const QString& key, int column, Chip* chip)
{
    QSet<QString> values;
    for (const model::JobInfo& job : m_desk.state().jobs()) {
        const QString value = column == Column::State
                                  ? job.stateText.section(QLatin1Char(' '), 0, 0)
                                  : model::JobTableModel::text(job, column);
        if (!value.isEmpty())
            values.insert(value);
    }
    QStringList sorted = values.values();
    std::sort(sorted.begin(), sorted.end(), model::naturalLess);
    QMenu menu(this);
    for (const QString& value : sorted.mid(0, kMaxMenuValues)) {
        connect(menu.addAction(value), &QAction::triggered, this, [this, key, value] {
            auto filter = m_selection.jobFilter();
            filter.chips.append({key, value, false});
            m_selection.setJobFilter(filter);
        });
    }
    if (!menu.isEmpty())
        menu.exec(chip->mapToGlobal(QPoint(0, chip->height() + 2)));
}

void JobsPage::chooseEnded(Chip* chip)
{
    QMenu menu(this);
    for (const Ended& ended : kEnded) {
        connect(menu.addAction(QString::fromLatin1(ended.words)), &QAction::triggered, this,
                [this, seconds = ended.seconds] {
                    auto filter = m_selection.jobFilter();
                    filter.endedWithinSeconds = seconds;
                    m_selection.setJobFilter(filter);
                });
    }
    menu.exec(chip->mapToGlobal(QPoint(0, chip->height() + 2)));
}

void JobsPage::refreshChips()
{
    while (QLayoutItem* item = m_chips->takeAt(0)) {
        // Not at once: this may be the click of one of them.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const model::JobFilter& filter = m_selection.jobFilter();
    if (filter.endedWithinSeconds > 0) {
        auto* chip =
            new Chip(QStringLiteral("ended within ") + endedWords(filter.endedWithinSeconds),
                     Chip::Kind::Active);
        connect(chip, &Chip::removeRequested, this, [this] {
            auto next = m_selection.jobFilter();
            next.endedWithinSeconds = 0;
            m_selection.setJobFilter(next);
        });
        m_chips->addWidget(chip);
    }
    for (const model::FilterTerm& term : filter.chips) {
        auto* chip = new Chip(
            QStringLiteral("%1%2: %3")
                .arg(term.excluded ? QStringLiteral("not ") : QString(), term.key, term.value),
            Chip::Kind::Active);
        connect(chip, &Chip::removeRequested, this, [this, term] {
            auto next = m_selection.jobFilter();
            next.chips.removeOne(term);
            m_selection.setJobFilter(next);
        });
        m_chips->addWidget(chip);
    }
    const QPair<QString, int> menus[] = {{QStringLiteral("state"), Column::State},
                                         {QStringLiteral("user"), Column::User},
                                         {QStringLiteral("partition"), Column::Partition}};
    for (const auto& [key, column] : menus) {
        auto* chip = new Chip(key, Chip::Kind::Menu);
        chip->setObjectName(key + QStringLiteral("Chip"));
        connect(chip, &Chip::clicked, this,
                [this, key = key, column = column, chip] { chooseTerm(key, column, chip); });
        m_chips->addWidget(chip);
    }
    if (filter.endedWithinSeconds == 0) {
        auto* chip = new Chip(QStringLiteral("ended within"), Chip::Kind::Menu);
        chip->setObjectName(QStringLiteral("endedChip"));
        connect(chip, &Chip::clicked, this, [this, chip] { chooseEnded(chip); });
        m_chips->addWidget(chip);
    }
}

void JobsPage::refreshCounts()
{
    const auto& state = m_desk.state();
    const model::JobCounts counts = m_model->counts();
    m_counts->setText(QStringLiteral("%1 running \u00b7 %2 waiting \u00b7 %3 ended")
                          .arg(theme::number(qint64(counts.running)),
                               theme::number(qint64(counts.waiting)),
                               theme::number(qint64(counts.ended))));
    m_filter->setHint(
        theme::counted(m_model->shownCount(), QStringLiteral("job"), QStringLiteral("jobs")));
    const int all = counts.running + counts.waiting + counts.ended;
    m_foot->setText(
        QStringLiteral("%1 of %2 shown \u00b7 times as H:MM or D-HH:MM \u00b7 list as of %3 %4")
            .arg(theme::number(qint64(m_model->shownCount())), theme::number(qint64(all)),
                 theme::shortTime(state.scheduler().lastSuccess, state.now(), state.timeZone()),
                 state.scheduler().lastSuccess.isValid()
                     ? theme::zoneOffset(state.scheduler().lastSuccess, state.timeZone())
                     : QString()));
    if (!state.hasSnapshot())
        m_table->setEmptyText(QStringLiteral("No jobs yet"),
                              QStringLiteral("The daemon has not sent a first picture of the "
                                             "cluster."));
    else if (all == 0)
        m_table->setEmptyText(QStringLiteral("The scheduler lists no jobs"),
                              state.scheduler().error);
    else
        m_table->setEmptyText(QStringLiteral("No job fits the filter"),
                              QStringLiteral("Esc in the filter clears it."));
}

// -- acting --

QStringList JobsPage::selectedJobs() const
{
    QStringList jobs;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        jobs.append(m_model->displayIdAt(index.row()));
    return jobs;
}

void JobsPage::act(ActionKind kind, const QStringList& jobs)
{
    if (!m_desk.refusal(kind, jobs).isEmpty())
        return;
    model::ActionRequest request;
    request.kind = kind;
    request.jobs = jobs;
    m_desk.open(this, request);
}

void JobsPage::showMenu(const QModelIndex& index, const QPoint& at)
{
    const QString id = m_model->displayIdAt(index.row());
    const QStringList selected = selectedJobs();
    const QStringList jobs = selected.contains(id) ? selected : QStringList{id};
    QMenu menu(this);
    menu.setToolTipsVisible(true);
    menu.setObjectName(QStringLiteral("jobsMenu"));
    const QPair<ActionKind, QString> actions[] = {{ActionKind::Requeue, QStringLiteral("Restart")},
                                                  {ActionKind::Hold, QStringLiteral("Hold")},
                                                  {ActionKind::Release, QStringLiteral("Release")},
                                                  {ActionKind::Cancel, QStringLiteral("Cancel")}};
    for (const auto& [kind, verb] : actions) {
        QAction* action = menu.addAction(
            QStringLiteral("%1 %2\u2026")
                .arg(verb, jobs.size() == 1 ? id
                                            : theme::counted(jobs.size(), QStringLiteral("job"),
                                                             QStringLiteral("jobs"))));
        const QString refusal = m_desk.refusal(kind, jobs);
        action->setEnabled(refusal.isEmpty());
        action->setToolTip(refusal);
        connect(action, &QAction::triggered, this, [this, kind = kind, jobs] { act(kind, jobs); });
    }
    menu.addSeparator();
    const model::JobInfo* job = m_desk.state().job(id);
    if (job && !job->nodes.isEmpty()) {
        connect(menu.addAction(QStringLiteral("Show its nodes")), &QAction::triggered, this,
                [this, nodes = job->nodes] { m_selection.showNodes(nodes); });
        connect(menu.addAction(QStringLiteral("Copy hostlist")), &QAction::triggered, this,
                [nodes = job->nodes] { QGuiApplication::clipboard()->setText(nodes); });
    }
    connect(menu.addAction(QStringLiteral("Copy job id")), &QAction::triggered, this,
            [jobs] { QGuiApplication::clipboard()->setText(jobs.join(QLatin1Char(','))); });
    connect(menu.addAction(QStringLiteral("Copy rows")), &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(m_table->selectedText()); });
    menu.exec(at);
}

// -- size and keys --

void JobsPage::arrange()
{
    const bool detail = !m_selection.currentJob().isEmpty();
    const bool alone = width() < kDetailAlone;
    m_card->setVisible(!detail || !alone);
    m_detail->setVisible(detail);
    if (alone) {
        m_detail->setMinimumWidth(0);
        m_detail->setMaximumWidth(QWIDGETSIZE_MAX);
    } else {
        m_detail->setFixedWidth(width() > kWideDetail ? 1040 : 640);
    }
    const int room = width() - (detail && !alone ? m_detail->width() : 0);
    m_table->setColumnHidden(Column::Partition, room < 1150);
    m_table->setColumnHidden(Column::Waited, room < 900);
    const int wide = room > 1400 ? 3 : 2;
    const int widths[] = {104, 76 * wide, 88, 88, room > 1400 ? 330 : 264, 72, 0, 92, 92};
    // Without padding and glyph.
    m_cells->setStateColumns((widths[Column::State] - 36) /
                             QFontMetrics(theme::font(Type::Mono)).horizontalAdvance(u'0'));
    for (int column = 0; column < Column::kColumnCount; ++column) {
        if (column != Column::Nodes)
            m_table->setColumnWidth(column, widths[column]);
    }
}

void JobsPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
    m_counts->setVisible(width() >= 1100);
}

void JobsPage::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void JobsPage::keyPressEvent(QKeyEvent* event)
{
    const int row = m_table->currentIndex().row();
    if (event->key() == Qt::Key_Escape && !m_selection.currentJob().isEmpty()) {
        m_selection.setCurrentJob({});
        m_table->setFocus();
    } else if (event->key() == Qt::Key_Slash) {
        focusFilter();
    } else if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(m_table->selectedText());
    } else if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Left) {
        m_model->setOpen(row, event->key() == Qt::Key_Right);
    } else {
        QWidget::keyPressEvent(event);
    }
}

}  // namespace yard::pages
