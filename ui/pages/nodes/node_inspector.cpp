#include "ui/pages/nodes/node_inspector.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/model/cluster_state.h"
#include "ui/model/selection.h"
#include "ui/model/series_scope.h"
#include "ui/pages/nodes/node_facts.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/glyphs.h"
#include "ui/widgets/label.h"
#include "ui/widgets/series/series_panel.h"

namespace yard::pages {

using theme::Color;
using theme::Type;
using widgets::Button;

NodeInspector::NodeInspector(widgets::ActionDesk& desk, model::Selection& selection,
                             QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_selection(selection)
{
    setObjectName(QStringLiteral("nodeInspector"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 8, 4);
    head->setSpacing(8);
    m_glyph = new widgets::Glyph(12, [](QPainter&, const QRectF&) {});
    m_name = new widgets::Label({}, Type::Title, Color::TextPrimary);
    m_drain = new Button(QStringLiteral("Drain\u2026"), Button::Kind::Danger1);
    m_drain->setObjectName(QStringLiteral("inspectorDrainButton"));
    m_drain->setSmall(true);
    m_resume = new Button(QStringLiteral("Resume\u2026"), Button::Kind::Plain);
    m_resume->setObjectName(QStringLiteral("inspectorResumeButton"));
    m_resume->setSmall(true);
    auto* copy = Button::iconOnly(QStringLiteral("copy"), QStringLiteral("Copy all of this"));
    auto* close = Button::iconOnly(QStringLiteral("close"), QStringLiteral("Close (Esc)"));
    head->addWidget(m_glyph);
    head->addWidget(m_name, 1);
    head->addWidget(m_drain);
    head->addWidget(m_resume);
    head->addWidget(copy);
    head->addWidget(close);
    layout->addLayout(head);
    m_sheet = new widgets::FactSheet;
    m_sheet->setObjectName(QStringLiteral("nodeFacts"));
    layout->addWidget(m_sheet, 3);
    layout->addWidget(new widgets::HairLine);
    m_series = new widgets::SeriesPanel(desk.state(), desk.actions());
    layout->addWidget(m_series, 2);

    connect(m_drain, &Button::clicked, this, &NodeInspector::drainRequested);
    connect(m_resume, &Button::clicked, this, &NodeInspector::resumeRequested);
    connect(copy, &Button::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_name->text() + QLatin1Char('\n') +
                                              m_sheet->toText());
    });
    connect(close, &Button::clicked, this, [this] { m_selection.setCurrentNode({}); });
    connect(m_sheet, &widgets::FactSheet::linkActivated, this, [this](const QString& link) {
        if (link.startsWith(QLatin1String("job:")))
            m_selection.showJob(link.mid(4));
    });
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &NodeInspector::refresh);
    m_second.start();
    const auto& state = desk.state();
    connect(&state, &model::ClusterState::nodesChanged, this, &NodeInspector::refresh);
    connect(&state, &model::ClusterState::topologyChanged, this, &NodeInspector::refresh);
    connect(&state, &model::ClusterState::operationsChanged, this, &NodeInspector::refresh);
    connect(&state, &model::ClusterState::connectionChanged, this, &NodeInspector::refresh);
}

void NodeInspector::refresh()
{
    const QString name = m_selection.currentNode();
    const auto& state = m_desk.state();
    const int node = state.nodeIndex(name);
    if (!isVisible() || name.isEmpty())
        return;
    m_name->setText(name);
    m_drain->setRefusal(m_desk.refusal(model::ActionKind::Drain, {name}));
    m_resume->setRefusal(m_desk.refusal(model::ActionKind::Resume, {name}));
    if (node < 0) {
        m_sheet->setFacts({widgets::Fact::sentence(
            QStringLiteral("The scheduler does not know this node now."))});
        model::SeriesScope unknown;
        unknown.name = name;
        unknown.nodes = {{name, -1, {}}};
        unknown.nodeCount = 1;
        m_series->setScope(unknown);
        return;
    }
    const auto category = state.nodes()[node].category;
    const bool requested = state.openOperationOn(name) != nullptr;
    m_glyph->setPainter([category, requested](QPainter& painter, const QRectF& rect) {
        widgets::paintNodeGlyph(painter, rect, category, requested);
    });
    m_sheet->setFacts(nodeFacts(state, node));
    m_series->setScope(model::scopeOfNode(state, node, m_selection.currentGpu()));
}

void NodeInspector::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void NodeInspector::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    theme::paintPanel(painter, rect(), theme::color(Color::BgSurface),
                      theme::color(Color::LineSubtle), theme::px(theme::Radius::Card));
}

}  // namespace yard::pages
