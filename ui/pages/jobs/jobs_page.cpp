#include "ui/pages/jobs/jobs_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QSet>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/model/job_table_model.h"
#include "ui/model/selection.h"
#include "ui/pages/jobs/job_cells.h"
#include "ui/pages/jobs/job_detail.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/card.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/table/table_view.h"

namespace yard::pages {

using model::ActionKind;
using theme::Color;
using theme::Type;
using Column = model::JobTableModel::Column;

namespace {

constexpr int kDetailAlone = 1300;  ///< narrower, the detail takes the page
constexpr int kWideDetail = 3000;
constexpr int kRoomyPage = 1600;

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
    : TablePage(QStringLiteral("jobs"), QStringLiteral("Filter: id, user, name, state, node"),
                QStringLiteral("Jobs"), parent)
    , m_desk(desk)
    , m_selection(selection)
    , m_model(new model::JobTableModel(desk.state(), selection, this))
    , m_cells(new JobCells(desk.state(), *m_model, this))
{
    m_line->addStretch(1);
    m_counts = new widgets::Label({}, Type::Body, Color::TextSecondary);
    m_counts->setObjectName(QStringLiteral("jobCounts"));
    m_counts->setElide(Qt::ElideRight);
    m_line->addWidget(m_counts);
    m_every = new widgets::SegmentedSwitch(
        {QStringLiteral("Folded arrays"), QStringLiteral("Every task")});
    m_every->setObjectName(QStringLiteral("everyTaskSwitch"));
    m_line->addWidget(m_every);
    m_table->setModel(m_cells);
    m_table->setStretchColumn(Column::Nodes);
    m_table->sortBy(Column::Id, Qt::DescendingOrder);
    m_detail = new JobDetail(desk, selection);
    m_detail->hide();
    m_body->addWidget(m_detail, 1);
    connectAll();
    refreshChips();
    refreshCounts();
}

void JobsPage::connectAll()
{
    connect(m_filter, &widgets::FilterField::filterChanged, this, [this](const QString& text) {
        auto filter = m_selection.jobFilter();
        filter.text = text;
        m_selection.setJobFilter(filter);
    });
    connect(&m_selection, &model::Selection::jobFilterChanged, this, [this] {
        if (m_filter->text() != m_selection.jobFilter().text)
            m_filter->setText(m_selection.jobFilter().text);
        refreshChips();
    });
    connect(m_every, &widgets::SegmentedSwitch::currentChanged, this,
            [this](int every) { m_model->setEveryTask(every == 1); });
    m_table->setSortable([](int column) {
        return column == Column::Name || column == Column::User ? Qt::AscendingOrder
                                                                : Qt::DescendingOrder;
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        const bool array = m_model->isArray(index.row());
        if (array && index.column() == Column::Id)
            toggle(index);
        else if (!array && width() >= kDetailAlone)
            m_selection.setCurrentJob(m_model->displayIdAt(index.row()));
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
                // The table came into focus; nobody has chosen anything.
                if (!m_table->selectionModel()->isSelected(index))
                    return;
                // Beside the list the detail follows; where it takes the page, Enter opens it.
                if (width() >= kDetailAlone)
                    m_selection.setCurrentJob(m_model->displayIdAt(index.row()));
            });
    connect(&m_selection, &model::Selection::currentJobChanged, this, [this] {
        m_knownNext = nextOf(m_selection.currentJob());
        currentToView();
    });
    connect(m_cells, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_syncing = true; });
    connect(m_cells, &QAbstractItemModel::modelReset, this, [this] {
        m_syncing = false;
        currentToView();
    });
    connect(m_model, &model::JobTableModel::filtered, this, &JobsPage::refreshCounts);
    connect(m_model, &model::JobTableModel::filtered, this, &JobsPage::followJob);
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
    rowToView();
}

void JobsPage::rowToView()
{
    const QString id = m_selection.currentJob();
    const int row = id.isEmpty() ? -1 : m_model->rowOf(id);
    if (row < 0 || m_table->currentIndex().row() == row)
        return;
    m_syncing = true;
    m_table->setCurrentIndex(m_cells->index(row, 0));
    m_table->scrollTo(m_cells->index(row, 0));
    m_syncing = false;
}

QString JobsPage::nextOf(const QString& id) const
{
    const model::JobInfo* job = m_desk.state().job(id);
    return job != nullptr ? job->nextJob : QString();
}

/// A restarted job is another row, or another job: what was being looked at stays in view.
void JobsPage::followJob()
{
    const QString id = m_selection.currentJob();
    if (id.isEmpty() || m_desk.state().isPast())
        return;
    const QString next = nextOf(id);
    if (next != m_knownNext && m_desk.state().job(next) != nullptr)
        m_selection.setCurrentJob(next);
    else
        rowToView();
}

// -- filter --

QStringList JobsPage::valuesOf(int column) const
{
    QSet<QString> values;
    for (const model::JobInfo& job : m_desk.state().jobs()) {
        const QString value = column == Column::State
                                  ? job.stateText.section(QLatin1Char(' '), 0, 0)
                                  : model::JobTableModel::text(job, column);
        if (!value.isEmpty())
            values.insert(value);
    }
    return widgets::ChipRow::inOrder(values);
}

void JobsPage::setEndedWithin(int seconds)
{
    auto filter = m_selection.jobFilter();
    filter.endedWithinSeconds = seconds;
    m_selection.setJobFilter(filter);
}

void JobsPage::refreshChips()
{
    m_chips->clear();
    const model::JobFilter& filter = m_selection.jobFilter();
    if (filter.endedWithinSeconds > 0)
        m_chips->addActive(QStringLiteral("ended within ") + endedWords(filter.endedWithinSeconds),
                           [this] { setEndedWithin(0); });
    for (const model::FilterTerm& term : filter.chips) {
        m_chips->addTerm(term, [this, term] {
            auto next = m_selection.jobFilter();
            next.chips.removeOne(term);
            m_selection.setJobFilter(next);
        });
    }
    const QPair<QString, int> menus[] = {{QStringLiteral("state"), Column::State},
                                         {QStringLiteral("user"), Column::User},
                                         {QStringLiteral("partition"), Column::Partition}};
    for (const auto& [key, column] : menus) {
        m_chips->addMenu(
            key, [this, column = column] { return valuesOf(column); },
            [this, key = key](const QString& value) {
                auto next = m_selection.jobFilter();
                next.chips.append({key, value, false});
                m_selection.setJobFilter(next);
            });
    }
    if (filter.endedWithinSeconds > 0)
        return;
    m_chips->addMenu(
        QStringLiteral("ended within"),
        [] {
            QStringList words;
            for (const Ended& ended : kEnded)
                words << QString::fromLatin1(ended.words);
            return words;
        },
        [this](const QString& words) {
            for (const Ended& ended : kEnded) {
                if (words == QLatin1String(ended.words))
                    setEndedWithin(ended.seconds);
            }
        },
        QStringLiteral("ended"));
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
    const QString why = theme::whyUnknown(state);
    if (!why.isEmpty()) {
        const QString none = theme::unknownFigure();
        m_counts->setText(QStringLiteral("%1 running \u00b7 %1 waiting \u00b7 %1 ended").arg(none));
        m_filter->setHint({});
        m_foot->setText(QStringLiteral("%1 jobs").arg(none));
        m_table->setEmptyText(QStringLiteral("Jobs are not known"), why);
    } else if (all == 0) {
        m_table->setEmptyText(QStringLiteral("The scheduler lists no jobs"),
                              state.scheduler().error.isEmpty()
                                  ? QStringLiteral("They appear here as they are submitted.")
                                  : state.scheduler().error);
    } else {
        m_table->setEmptyText(QStringLiteral("No job fits the filter"),
                              QStringLiteral("Esc in the filter clears it."));
    }
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
    connect(menu.addAction(QStringLiteral("Details and series")), &QAction::triggered, this,
            [this, id] { m_selection.setCurrentJob(id); });
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
        m_detail->setFixedWidth(width() > kWideDetail ? 1040 : width() > kRoomyPage ? 640 : 540);
    }
    const int room = width() - (detail && !alone ? m_detail->width() : 0);
    m_table->setColumnHidden(Column::Partition, room < 1150);
    m_table->setColumnHidden(Column::Waited, room < 900);
    const bool narrow = room < 960;
    const int name = room > 1400 ? 228 : narrow ? 132 : 152;
    const int words = room > 2400 ? 480 : room > 1400 ? 330 : narrow ? 184 : 264;
    const int widths[] = {104, name, narrow ? 76 : 88, 88, words, narrow ? 60 : 72, 0, 84, 92};
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

void JobsPage::keyPressEvent(QKeyEvent* event)
{
    const int row = m_table->currentIndex().row();
    if (event->key() == Qt::Key_Escape && !m_selection.currentJob().isEmpty()) {
        m_selection.setCurrentJob({});
        m_table->setFocus();
    } else if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Left) {
        m_model->setOpen(row, event->key() == Qt::Key_Right);
    } else {
        TablePage::keyPressEvent(event);
    }
}

}  // namespace yard::pages
