#include <QGridLayout>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>

#include "ui/model/cluster_state.h"
#include "ui/model/span_text.h"
#include "ui/pages/analytics/analytics_cards.h"
#include "ui/pages/analytics/analytics_page.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/line_key.h"
#include "ui/widgets/segmented_switch.h"

// The parts of the analytics page and where they stand.

namespace yard::pages {

using theme::Color;
using theme::Type;
using widgets::Button;
using widgets::LineChart;

constexpr int kCustomRange = 4;
constexpr int kWide = 1480;
constexpr int kHuge = 2600;
constexpr int kHugeRow = 400;

void AnalyticsPage::buildLine()
{
    const int margin = theme::px(theme::Size::PageMargin);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(margin, 12, margin, 12);
    column->setSpacing(theme::px(theme::Size::Gap));
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    m_range = new widgets::SegmentedSwitch({QStringLiteral("24 h"), QStringLiteral("7 d"),
                                            QStringLiteral("30 d"), QStringLiteral("All"),
                                            QStringLiteral("Choose\u2026")});
    m_range->setObjectName(QStringLiteral("analyticsRange"));
    m_range->setAccessibleName(QStringLiteral("Jobs submitted within"));
    line->addWidget(m_range);
    m_span = new widgets::FilterField(QStringLiteral("2026-03-01 to 2026-03-08, or 3 d"));
    m_span->setObjectName(QStringLiteral("analyticsSpan"));
    m_span->setMinimumWidth(250);
    m_span->hide();
    line->addWidget(m_span);
    m_note = new widgets::Label({}, Type::Body, Color::TextMuted);
    m_note->setObjectName(QStringLiteral("analyticsNote"));
    m_note->setElide(Qt::ElideRight);
    line->addWidget(m_note, 1);
    m_over =
        new widgets::Label(QStringLiteral("Lay over the paper's"), Type::Label, Color::TextMuted);
    line->addWidget(m_over);
    m_paper = new widgets::SegmentedSwitch(
        {QStringLiteral("Seren"), QStringLiteral("Kalos"), QStringLiteral("Off")});
    m_paper->setObjectName(QStringLiteral("analyticsPaper"));
    m_paper->setAccessibleName(QStringLiteral("Lay over the paper's cluster"));
    line->addWidget(m_paper);
    m_export = new Button(QStringLiteral("CSV\u2026"), Button::Kind::Plain);
    m_export->setObjectName(QStringLiteral("analyticsExportButton"));
    m_export->setIconName(QStringLiteral("export"));
    line->addWidget(m_export);
    column->addLayout(line);
    m_trouble = new widgets::Label({}, Type::Body, Color::WarnText);
    m_trouble->setObjectName(QStringLiteral("analyticsTrouble"));
    m_trouble->setElide(Qt::ElideRight);
    m_trouble->hide();
    column->addWidget(m_trouble);
    connect(m_range, &widgets::SegmentedSwitch::currentChanged, this, [this](int range) {
        m_span->setVisible(range == kCustomRange);
        if (range == kCustomRange)
            m_span->setFocus();
        ask();
    });
    connect(m_span, &widgets::FilterField::filterChanged, this, [this](const QString& text) {
        const model::SpanText span = model::spanFrom(text, m_state.timeZone(), m_state.now());
        m_span->setProblem(text.isEmpty() ? QString() : span.error);
        if (text.isEmpty() || !span.ok())
            return;
        m_customFrom = span.from;
        m_customTo = span.to;
        ask();
    });
    connect(m_paper, &widgets::SegmentedSwitch::currentChanged, this, &AnalyticsPage::refresh);
    connect(m_export, &Button::clicked, this, &AnalyticsPage::chooseFile);
}

widgets::Card* AnalyticsPage::makeCard(const QString& title, const QString& note,
                                       const QStringList& figures)
{
    // Ours before it has its place: a page that is never shown places none.
    auto* card = new widgets::Card(title, note, m_grid->parentWidget());
    if (!figures.isEmpty()) {
        auto* info = Button::iconOnly(QStringLiteral("info"), QStringLiteral("What this is"));
        info->setObjectName(QStringLiteral("infoButton"));
        info->setSmall(true);
        card->addToHead(info);
        connect(info, &Button::clicked, this,
                [this] { m_scroll->ensureWidgetVisible(m_definitionsCard); });
    }
    m_helped.append({card, figures});
    return card;
}

LineChart* AnalyticsPage::addChart(widgets::Card* card, const QString& name, widgets::LineKey** key)
{
    if (key != nullptr) {
        *key = new widgets::LineKey;
        card->body()->addWidget(*key);
    }
    auto* chart = new LineChart(name);
    chart->setMinimumHeight(150);
    chart->setPlotMargins(44, 8, 14, 22);
    card->body()->addWidget(chart, 1);
    return chart;
}

void AnalyticsPage::buildCards()
{
    auto* column = static_cast<QVBoxLayout*>(layout());
    m_strip = new FigureStrip;
    column->addWidget(m_strip);
    m_scroll = new QScrollArea;
    m_scroll->setObjectName(QStringLiteral("analyticsScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    m_grid = new QGridLayout(content);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(theme::px(theme::Size::Gap));
    m_scroll->setWidget(content);
    // The page's ground, not the palette's.
    m_scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    column->addWidget(m_scroll, 1);
    m_blank = new QWidget;
    column->addWidget(m_blank, 1);

    const QString share = QStringLiteral("share of jobs at or below");
    m_runCard = makeCard(QStringLiteral("Run time by type"), share,
                         {QStringLiteral("duration_cdf_pct."), QStringLiteral("duration_s.")});
    m_run = addChart(m_runCard, QStringLiteral("Run time by type"), &m_runKey);
    m_queueCard = makeCard(QStringLiteral("Queue time by type"), share,
                           {QStringLiteral("queue_cdf_pct."), QStringLiteral("queue_s.")});
    m_queue = addChart(m_queueCard, QStringLiteral("Queue time by type"), &m_queueKey);
    m_demandCard = makeCard(QStringLiteral("GPU demand"), QStringLiteral("at or below g GPUs"),
                            {QStringLiteral("gpu_demand_cdf_job_pct."),
                             QStringLiteral("gpu_demand_cdf_gpu_time_pct.")});
    m_demand = addChart(m_demandCard, QStringLiteral("GPU demand"), &m_demandKey);
    m_demandWords = new widgets::Label({}, Type::Caption, Color::TextMuted);
    m_demandWords->setWordWrap(true);
    m_demandCard->body()->addWidget(m_demandWords);
    for (LineChart* chart : {m_run, m_queue, m_demand})
        chart->setVerticalGrid(true);

    m_typesCard = makeCard(QStringLiteral("Types"), QStringLiteral("share of jobs and GPU time"),
                           {QStringLiteral("job_share_pct."), QStringLiteral("gpu_time_share_pct."),
                            QStringLiteral("unclassified_job_share_pct")});
    m_types = new ShareBars;
    m_typesCard->body()->addWidget(m_types, 1);
    m_statesCard =
        makeCard(QStringLiteral("Final states"), QStringLiteral("share of jobs and GPU time"),
                 {QStringLiteral("job_share_pct_by_outcome."),
                  QStringLiteral("gpu_time_share_pct_by_outcome.")});
    m_outcomes = new OutcomeBars;
    m_statesCard->body()->addWidget(m_outcomes);
    m_states = new widgets::FactSheet;
    m_statesCard->body()->addWidget(m_states, 1);
    m_arrivalsCard =
        makeCard(QStringLiteral("Arrivals and concurrency"), QStringLiteral("jobs an hour"),
                 {QStringLiteral("arrivals_per_hour.mean"), QStringLiteral("peak_concurrent_gpus"),
                  QStringLiteral("mean_concurrent_gpus")});
    m_arrivals = addChart(m_arrivalsCard, QStringLiteral("Arrivals an hour"), nullptr);
    m_concurrency = new widgets::FactSheet;
    m_concurrency->setFixedHeight(92);
    m_arrivalsCard->body()->addWidget(m_concurrency);
    m_quantilesCard =
        makeCard(QStringLiteral("Quantiles by type"), QStringLiteral("run, wait, GPUs"),
                 {QStringLiteral("duration_s_by_type."), QStringLiteral("queue_s_by_type."),
                  QStringLiteral("gpus_per_job_by_type.")});
    m_quantiles = new widgets::FactSheet;
    m_quantilesCard->body()->addWidget(m_quantiles, 1);
    m_definitionsCard = makeCard(QStringLiteral("Definitions"),
                                 QStringLiteral("of every figure here and in the CSV"), {});
    m_definitions = new widgets::FactSheet;
    m_definitions->setObjectName(QStringLiteral("definitions"));
    m_definitionsCard->body()->addWidget(m_definitions, 1);
}

void AnalyticsPage::arrange()
{
    const int kind = width() >= kHuge ? 2 : width() >= kWide ? 1 : 0;
    const int key = kind * 10'000 + height();
    m_over->setVisible(kind > 0);
    if (key == m_arranged)
        return;
    m_arranged = key;
    while (QLayoutItem* item = m_grid->takeAt(0))
        delete item;
    struct Place {
        widgets::Card* card;
        int row, column, columns, rows = 1;
    };
    const QVector<Place> narrow{{m_runCard, 0, 0, 6},        {m_queueCard, 0, 6, 6},
                                {m_demandCard, 1, 0, 6},     {m_typesCard, 1, 6, 6},
                                {m_statesCard, 2, 0, 6},     {m_arrivalsCard, 2, 6, 6},
                                {m_quantilesCard, 3, 0, 12}, {m_definitionsCard, 4, 0, 12}};
    const QVector<Place> wide{{m_runCard, 0, 0, 6},       {m_queueCard, 0, 6, 6},
                              {m_demandCard, 1, 0, 3},    {m_typesCard, 1, 3, 3},
                              {m_statesCard, 1, 6, 3},    {m_arrivalsCard, 1, 9, 3},
                              {m_quantilesCard, 2, 0, 6}, {m_definitionsCard, 2, 6, 6}};
    const QVector<Place> huge{{m_runCard, 0, 0, 4},      {m_queueCard, 0, 4, 4},
                              {m_demandCard, 0, 8, 4},   {m_typesCard, 1, 0, 4},
                              {m_statesCard, 1, 4, 4},   {m_quantilesCard, 2, 0, 4},
                              {m_arrivalsCard, 2, 4, 4}, {m_definitionsCard, 1, 8, 4, 2}};
    for (const Place& place : kind == 2 ? huge : kind == 1 ? wide : narrow)
        m_grid->addWidget(place.card, place.row, place.column, place.rows, place.columns);
    for (int i = 0; i < 12; ++i)
        m_grid->setColumnStretch(i, 1);
    // Rows of the look's heights. What is left of a tall window is the curves': lists and bars
    // have no use for it.
    const QMargins around = layout()->contentsMargins();
    const int gap = theme::px(theme::Size::Gap);
    const int room = height() - around.top() - around.bottom() - theme::px(theme::Size::Control) -
                     m_strip->height() - 2 * gap;
    for (int row = 0; row < 5; ++row) {
        const bool used = row < (kind == 0 ? 5 : 3);
        int least = !used ? 0 : row == 0 ? 320 : row == 1 ? 390 : row == 2 && kind == 0 ? 400 : 320;
        if (kind == 2 && row == 0)
            least = std::max(least, room - 2 * kHugeRow - 2 * gap);
        else if (kind == 2 && used)
            least = kHugeRow;
        m_grid->setRowMinimumHeight(row, least);
    }
}

void AnalyticsPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace yard::pages
