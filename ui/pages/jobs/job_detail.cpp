#include "ui/pages/jobs/job_detail.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/model/selection.h"
#include "ui/model/series_scope.h"
#include "ui/pages/jobs/job_facts.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/glyphs.h"
#include "ui/widgets/label.h"
#include "ui/widgets/series/series_panel.h"

namespace yard::pages {

using model::ActionKind;
using theme::Color;
using theme::Type;
using widgets::Button;

constexpr int kBesideWidth = 900;
constexpr int kTallHeight = 1200;

JobDetail::JobDetail(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_selection(selection)
{
    setObjectName(QStringLiteral("jobDetail"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    buildHead();
    m_sheet = new widgets::FactSheet;
    m_sheet->setObjectName(QStringLiteral("jobFacts"));
    m_body = new QBoxLayout(QBoxLayout::TopToBottom);
    m_body->setSpacing(0);
    m_body->addWidget(m_sheet, 1);
    m_body->addWidget(new widgets::HairLine);
    m_series = new widgets::SeriesPanel(desk.state(), desk.actions());
    m_body->addWidget(m_series, 1);
    layout->addLayout(m_body, 1);
    connect(m_sheet, &widgets::FactSheet::linkActivated, this, &JobDetail::follow);
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &JobDetail::refresh);
    m_second.start();
    const auto& state = desk.state();
    connect(&state, &model::ClusterState::jobsChanged, this, &JobDetail::refresh);
    connect(&state, &model::ClusterState::connectionChanged, this, &JobDetail::refresh);
    connect(&state, &model::ClusterState::operationsChanged, this, [this] {
        m_askedFor.clear();  // a restart makes a new attempt
        refresh();
    });
}

JobDetail::~JobDetail()
{
    *m_alive = false;
}

void JobDetail::buildHead()
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 8, 4);
    head->setSpacing(8);
    m_glyph = new widgets::Glyph(12, [](QPainter&, const QRectF&) {});
    m_id = new widgets::Label({}, Type::Title, Color::TextPrimary);
    m_id->setObjectName(QStringLiteral("jobDetailId"));
    m_name = new widgets::Label({}, Type::Title, Color::TextSecondary);
    m_name->setElide(Qt::ElideRight);
    m_restart = new Button(QStringLiteral("Restart\u2026"), Button::Kind::Primary);
    m_restart->setObjectName(QStringLiteral("restartButton"));
    m_hold = new Button(QStringLiteral("Hold\u2026"), Button::Kind::Danger1);
    m_hold->setObjectName(QStringLiteral("holdButton"));
    m_cancel = new Button(QStringLiteral("Cancel job\u2026"), Button::Kind::Danger2);
    m_cancel->setObjectName(QStringLiteral("cancelJobButton"));
    auto* copy = Button::iconOnly(QStringLiteral("copy"), QStringLiteral("Copy all of this"));
    auto* close = Button::iconOnly(QStringLiteral("close"), QStringLiteral("Close (Esc)"));
    head->addWidget(m_glyph);
    head->addWidget(m_id);
    head->addWidget(m_name, 1);
    for (Button* button : {m_restart, m_hold, m_cancel}) {
        button->setSmall(true);
        head->addWidget(button);
    }
    head->addWidget(copy);
    head->addWidget(close);
    static_cast<QVBoxLayout*>(layout())->addLayout(head);

    connect(m_restart, &Button::clicked, this,
            [this] { Q_EMIT actionRequested(ActionKind::Requeue); });
    connect(m_hold, &Button::clicked, this, [this] {
        const model::JobInfo* job = m_desk.state().job(m_selection.currentJob());
        Q_EMIT actionRequested(job && job->held ? ActionKind::Release : ActionKind::Hold);
    });
    connect(m_cancel, &Button::clicked, this,
            [this] { Q_EMIT actionRequested(ActionKind::Cancel); });
    connect(copy, &Button::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_id->text() + QLatin1Char(' ') + m_name->text() +
                                              QLatin1Char('\n') + m_sheet->toText());
    });
    connect(close, &Button::clicked, this, [this] { m_selection.setCurrentJob({}); });
}

void JobDetail::refresh()
{
    const QString id = m_selection.currentJob();
    if (!isVisible() || id.isEmpty())
        return;
    m_id->setText(id);
    const model::JobInfo* job = m_desk.state().job(id);
    m_name->setText(job ? job->name : QString());
    const bool held = job && job->held;
    m_hold->setText(held ? QStringLiteral("Release\u2026") : QStringLiteral("Hold\u2026"));
    m_hold->setKind(held ? Button::Kind::Plain : Button::Kind::Danger1);
    m_hold->setRefusal(m_desk.refusal(held ? ActionKind::Release : ActionKind::Hold, {id}));
    m_restart->setRefusal(m_desk.refusal(ActionKind::Requeue, {id}));
    m_cancel->setRefusal(m_desk.refusal(ActionKind::Cancel, {id}));
    if (!job) {
        m_sheet->setFacts({widgets::Fact::sentence(QStringLiteral(
            "The scheduler does not list this job now. It may have ended long ago."))});
        model::SeriesScope unknown;
        unknown.name = id;
        unknown.nothing = QStringLiteral("Its nodes are not known.");
        m_series->setScope(unknown);
        return;
    }
    m_glyph->setPainter([state = job->state](QPainter& painter, const QRectF& rect) {
        widgets::paintJobGlyph(painter, rect, state);
    });
    if (m_askedFor != id)
        askAttempts();
    m_sheet->setFacts(jobFacts(m_desk.state(), *job, m_attempts, m_attemptsError));
    m_series->setScope(model::scopeOfJob(m_desk.state(), *job));
}

void JobDetail::askAttempts()
{
    const QString id = m_selection.currentJob();
    if (m_attempts.isEmpty() || m_attempts.constLast().job.displayId != id)
        m_attempts.clear();
    m_attemptsError.clear();
    m_askedFor = id;
    if (m_desk.state().connection() != model::Connection::Connected)
        return;
    m_desk.actions().attempts(
        id, [this, id, alive = m_alive](const model::Reply<QVector<model::JobAttemptInfo>>& reply) {
            if (!*alive || m_askedFor != id)
                return;
            m_attempts = reply.value.value_or(QVector<model::JobAttemptInfo>());
            m_attemptsError = reply.error;
            refresh();
        });
}

void JobDetail::follow(const QString& link)
{
    if (link.startsWith(QLatin1String("job:")))
        m_selection.setCurrentJob(link.mid(4));
    else if (link.startsWith(QLatin1String("nodes:")))
        m_selection.showNodes(link.mid(6));
}

void JobDetail::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void JobDetail::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // Wide enough for facts and series side by side; charts taller than wide say less.
    const bool tall = height() >= kTallHeight;
    m_body->setDirection(width() >= kBesideWidth && !tall ? QBoxLayout::LeftToRight
                                                          : QBoxLayout::TopToBottom);
    m_body->setStretchFactor(m_series, tall ? 2 : 1);
}

void JobDetail::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    theme::paintPanel(painter, rect(), theme::color(Color::BgSurface),
                      theme::color(Color::LineSubtle), theme::px(theme::Radius::Card));
}

}  // namespace yard::pages
