#include <QVBoxLayout>
#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/theme/wording.h"
#include "ui/widgets/button.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/line_chart.h"
#include "ui/widgets/line_key.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/series/series_panel.h"

// The parts of a SeriesPanel, and what stands at its head.

namespace yard::widgets {

using theme::Color;
using theme::Type;

constexpr int kLeastChart = 84;
constexpr int kWideAxis = 58;

void SeriesPanel::buildHead()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 12, 8);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(new Label(QStringLiteral("Series"), Type::Heading, Color::TextPrimary));
    m_note = new Label({}, Type::Body, Color::TextMuted);
    m_note->setObjectName(QStringLiteral("seriesNote"));
    m_note->setElide(Qt::ElideRight);
    head->addWidget(m_note, 1);
    m_reset = new Button(QStringLiteral("Show all"), Button::Kind::Plain);
    m_reset->setObjectName(QStringLiteral("seriesResetButton"));
    m_reset->setSmall(true);
    m_reset->setToolTip(QStringLiteral("The whole span again (0, or a double click)"));
    m_reset->hide();
    connect(m_reset, &Button::clicked, this, &SeriesPanel::showAll);
    head->addWidget(m_reset);
    m_ownRange = new SegmentedSwitch({QStringLiteral("Its span"), QStringLiteral("1 h"),
                                      QStringLiteral("6 h"), QStringLiteral("24 h")});
    m_lastRange = new SegmentedSwitch({QStringLiteral("1 h"), QStringLiteral("6 h"),
                                       QStringLiteral("24 h"), QStringLiteral("7 d")});
    for (SegmentedSwitch* range : {m_ownRange, m_lastRange}) {
        range->setSmall(true);
        range->setAccessibleName(QStringLiteral("Span"));
        head->addWidget(range);
        connect(range, &SegmentedSwitch::currentChanged, this, [this] {
            m_zoom.reset();
            for (const Row& row : std::as_const(m_rows))
                row.chart->showAll();
            ask();
        });
    }
    column->addLayout(head);
    m_chips = new ChipRow;
    // What has no room is cut at the right, and makes nothing wider.
    auto* lane = new QWidget;
    lane->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* chips = new QHBoxLayout(lane);
    chips->setContentsMargins(0, 0, 0, 0);
    chips->addWidget(m_chips);
    chips->addStretch(1);
    column->addWidget(lane);
    m_stack = new QVBoxLayout;
    m_stack->setSpacing(2);
    column->addLayout(m_stack, 1);
    m_trouble = new Label({}, Type::Body, Color::WarnText);
    m_trouble->setObjectName(QStringLiteral("seriesTrouble"));
    m_trouble->setElide(Qt::ElideRight);
    m_trouble->hide();
    column->addWidget(m_trouble);
}

void SeriesPanel::refreshChips()
{
    m_chips->clear();
    if (!who())
        return;
    m_chips->addMenu(
        who()->name, [this] { return whoNames(); },
        [this](const QString& name) { setWho(int(whoNames().indexOf(name))); },
        QStringLiteral("seriesWho"));
    const QVector<SeriesMetric> shown = chosen();
    const auto numbers = [](const QVector<SeriesMetric>& metrics) {
        QVector<int> all;
        for (const SeriesMetric& metric : metrics)
            all.append(metric.metric);
        return all;
    };
    const QVector<SeriesMetric>& all = who()->areGpus ? gpuSeriesMetrics() : nodeSeriesMetrics();
    m_chips->addMenu(
        QStringLiteral("metric"),
        [this, all, numbers] {
            QStringList names;
            for (const SeriesMetric& metric : all) {
                if (!numbers(chosen()).contains(metric.metric))
                    names << metric.name;
            }
            return names;
        },
        [this, all, numbers](const QString& name) {
            QVector<int> wanted = numbers(chosen());
            for (const SeriesMetric& metric : all) {
                if (metric.name == name)
                    wanted.prepend(metric.metric);
            }
            setMetrics(wanted);
        },
        QStringLiteral("seriesMetric"));
    for (const SeriesMetric& metric : shown) {
        m_chips->addActive(metric.name, [this, numbers, out = metric.metric] {
            QVector<int> left = numbers(chosen());
            left.removeOne(out);
            setMetrics(left);
        });
    }
}

void SeriesPanel::makeRows()
{
    QVector<SeriesMetric> wanted = chosen();
    // One place to say why there is nothing.
    if (wanted.isEmpty())
        wanted.append(gpuSeriesMetrics().first());
    bool same = wanted.size() == m_rows.size();
    for (qsizetype i = 0; same && i < wanted.size(); ++i)
        same = wanted[i].name == m_rows[i].metric.name && wanted[i].unit == m_rows[i].metric.unit;
    refreshChips();
    if (same) {
        for (Row& row : m_rows) {
            row.metric = wanted[&row - m_rows.data()];
            row.box->show();
            if (m_asked.subjects.isEmpty()) {
                row.chart->setLines({});
                row.chart->setEmptyText({}, {});
            }
        }
        return;
    }
    for (const Row& row : std::as_const(m_rows)) {
        row.box->hide();
        row.box->deleteLater();
    }
    m_rows.clear();
    for (const SeriesMetric& metric : wanted) {
        Row row;
        row.metric = metric;
        row.box = new QWidget;
        auto* box = new QVBoxLayout(row.box);
        box->setContentsMargins(0, 0, 0, 0);
        box->setSpacing(0);
        auto* line = new QHBoxLayout;
        row.name = new Label(who() ? metric.name : QString(), Type::Label, Color::TextSecondary);
        row.key = new LineKey;
        line->addWidget(row.name);
        line->addWidget(row.key, 1);
        box->addLayout(line);
        row.chart = new LineChart(metric.name);
        row.chart->setObjectName(QStringLiteral("seriesChart"));
        row.chart->setMinimumHeight(kLeastChart);
        row.chart->setPlotMargins(kWideAxis, 8, 6, 20);
        box->addWidget(row.chart, 1);
        m_stack->addWidget(row.box, 1);
        connect(row.chart, &LineChart::viewChanged, this,
                [this, chart = row.chart](double low, double high) { zoomed(chart, low, high); });
        connect(row.chart, &LineChart::crosshairChanged, this,
                [this, chart = row.chart](std::optional<double> x) {
                    for (const Row& other : std::as_const(m_rows)) {
                        if (other.chart != chart)
                            other.chart->setCrosshair(x);
                    }
                });
        m_rows.append(row);
    }
}

void SeriesPanel::refreshNote()
{
    m_reset->setVisible(m_zoom.has_value());
    const Who* shown = who();
    if (!shown) {
        m_note->setText({});
        return;
    }
    QStringList words;
    if (shown->subjects.size() < shown->of)
        words << QStringLiteral("%1 of %2, evenly chosen")
                     .arg(theme::number(qint64(shown->subjects.size())),
                          theme::number(qint64(shown->of)));
    if (m_scope.gpus.isEmpty() && !m_scope.noGpus.isEmpty())
        words << m_scope.noGpus;
    const model::SeriesQuery::Wish now = wish();
    const QTimeZone zone = m_state.timeZone();
    words << QStringLiteral("%1 to %2 %3")
                 .arg(theme::shortTime(now.from, m_state.now(), zone),
                      theme::shortTime(now.to, m_state.now(), zone),
                      theme::zoneOffset(now.to, zone));
    m_note->setText(words.join(QStringLiteral(" \u00b7 ")));
}

}  // namespace yard::widgets
