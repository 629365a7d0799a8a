#include "ui/pages/nodes/selection_bar.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QSet>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/model/selection.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"

namespace yard::pages {

using model::ActionKind;
using theme::Color;
using theme::Type;
using widgets::Button;
using widgets::Label;

namespace {

constexpr int kNarrow = 1250;

/// GPUs, jobs and users behind the marked nodes.
QString factsOf(const model::ClusterState& state, const QStringList& nodes)
{
    int gpus = 0;
    int used = 0;
    QSet<int> jobs;
    QSet<QString> users;
    for (const QString& name : nodes) {
        const int node = state.nodeIndex(name);
        if (node < 0)
            continue;
        gpus += state.nodes()[node].gpusTotal;
        used += state.nodes()[node].gpusAllocated;
        for (const int job : state.jobsOnNode(node)) {
            jobs.insert(job);
            users.insert(state.jobs()[job].user);
        }
    }
    const QString dot = QStringLiteral(" \u00b7 ");
    QString text = theme::counted(gpus, QStringLiteral("GPU"), QStringLiteral("GPUs"));
    text += used == gpus ? QStringLiteral(", all in use")
                         : QStringLiteral(", %1 in use").arg(theme::number(qint64(used)));
    if (jobs.isEmpty())
        return text + dot + QStringLiteral("no jobs");
    return text + dot + theme::counted(jobs.size(), QStringLiteral("job"), QStringLiteral("jobs")) +
           dot + theme::counted(users.size(), QStringLiteral("user"), QStringLiteral("users"));
}

}  // namespace

SelectionBar::SelectionBar(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_selection(selection)
{
    setObjectName(QStringLiteral("selectionBar"));
    setFixedHeight(36);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 8, 0);
    row->setSpacing(8);
    m_count = new Label({}, Type::Heading, Color::TextPrimary);
    m_count->setObjectName(QStringLiteral("markedCount"));
    m_folded = new Label({}, Type::Mono, Color::TextPrimary);
    m_folded->setHostlist(true);
    m_facts = new Label({}, Type::Caption, Color::TextSecondary);
    row->addWidget(m_count);
    row->addWidget(m_folded, 1);
    row->addWidget(m_facts);
    row->addSpacing(8);
    addAction(ActionKind::Drain, QStringLiteral("Drain\u2026"), QStringLiteral("drainButton"),
              false);
    addAction(ActionKind::Resume, QStringLiteral("Resume\u2026"), QStringLiteral("resumeButton"),
              false);
    addAction(ActionKind::Reboot, QStringLiteral("Reboot\u2026"), QStringLiteral("rebootButton"),
              false);
    addAction(ActionKind::Down, QStringLiteral("Set down\u2026"), QStringLiteral("downButton"),
              true);
    m_copy = new Button(QStringLiteral("Copy as command"), Button::Kind::Ghost);
    m_copy->setObjectName(QStringLiteral("copyAsCommandButton"));
    m_copy->setIconName(QStringLiteral("copy"));
    m_copy->setSmall(true);
    connect(m_copy, &Button::clicked, this, &SelectionBar::askForCommand);
    row->addWidget(m_copy);
    m_clear = new Button(QStringLiteral("Clear"), Button::Kind::Ghost);
    m_clear->setObjectName(QStringLiteral("clearMarkedButton"));
    m_clear->setSmall(true);
    m_clear->setToolTip(QStringLiteral("Esc"));
    connect(m_clear, &Button::clicked, &selection, &model::Selection::clearMarked);
    row->addWidget(m_clear);

    const auto& state = desk.state();
    connect(&selection, &model::Selection::markedNodesChanged, this, &SelectionBar::refresh);
    connect(&state, &model::ClusterState::nodesChanged, this, &SelectionBar::refresh);
    connect(&state, &model::ClusterState::jobsChanged, this, &SelectionBar::refresh);
    connect(&state, &model::ClusterState::topologyChanged, this, &SelectionBar::refresh);
    connect(&state, &model::ClusterState::connectionChanged, this, &SelectionBar::refresh);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
    refresh();
}

void SelectionBar::addAction(ActionKind kind, const QString& text, const QString& name,
                             bool danger2)
{
    const auto look = danger2                      ? Button::Kind::Danger2
                      : kind == ActionKind::Resume ? Button::Kind::Plain
                                                   : Button::Kind::Danger1;
    auto* button = new Button(text, look);
    button->setObjectName(name);
    button->setSmall(true);
    connect(button, &Button::clicked, this, [this, kind] { Q_EMIT actionRequested(kind); });
    static_cast<QHBoxLayout*>(layout())->addWidget(button);
    m_actions.insert(kind, button);
}

void SelectionBar::askForCommand()
{
    QMenu menu(this);
    for (auto it = m_actions.cbegin(); it != m_actions.cend(); ++it) {
        QAction* action = menu.addAction(theme::actionVerb(it.key()));
        action->setEnabled(it.value()->isEnabled());
        connect(action, &QAction::triggered, this,
                [this, kind = it.key()] { Q_EMIT copyRequested(kind); });
    }
    menu.exec(m_copy->mapToGlobal(QPoint(0, m_copy->height())));
}

void SelectionBar::refresh()
{
    setVisible(m_selection.markedCount() > 0);
    if (m_selection.markedCount() == 0)
        return;
    const QStringList nodes = m_selection.markedNodes();
    m_count->setText(theme::counted(nodes.size(), QStringLiteral("node"), QStringLiteral("nodes")) +
                     QStringLiteral(" marked"));
    m_folded->setText(model::foldHostlist(nodes));
    m_facts->setText(factsOf(m_desk.state(), nodes));
    for (auto it = m_actions.cbegin(); it != m_actions.cend(); ++it)
        it.value()->setRefusal(m_desk.refusal(it.key(), nodes));
}

void SelectionBar::resizeEvent(QResizeEvent*)
{
    m_copy->setVisible(width() >= 1000);
    m_facts->setVisible(width() >= kNarrow);
}

void SelectionBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::color(Color::BgSelected));
    painter.fillRect(0, height() - 1, width(), 1, theme::color(Color::LineSubtle));
}

}  // namespace yard::pages
