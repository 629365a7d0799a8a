#include "ui/pages/gpus/silent_list.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>

#include "ui/model/cluster_state.h"
#include "ui/model/gpu_map.h"
#include "ui/model/hostlist.h"
#include "ui/theme/heat_scale.h"
#include "ui/theme/unknown.h"
#include "ui/theme/word_cut.h"
#include "ui/theme/wording.h"
#include "ui/widgets/glyphs.h"
#include "ui/widgets/hatch.h"

namespace yard::pages {

using model::NodeCategory;
using theme::Color;
using theme::Type;

constexpr int kRow = 44;
constexpr int kFact = 22;

SilentList::SilentList(const model::GpuMap& map, QWidget* parent)
    : QWidget(parent)
    , m_map(map)
    , m_state(map.state())
{
    setMinimumHeight(120);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void SilentList::refresh()
{
    readRows();
    readFacts();
    update();
}

QString SilentList::whyGpuMissing(int node, int gpu) const
{
    for (int metric = 0; metric < model::kGpuMetricCount; ++metric) {
        if (!std::isnan(m_state.gpuValue(model::GpuMetric(metric), node, gpu)))
            return QStringLiteral("no value of %1, others are read")
                .arg(theme::metricShortName(m_map.metric()));
    }
    return QStringLiteral("not listed by the exporter");
}

QString SilentList::whyNodeMissing(int node, const QString& error) const
{
    const model::NodeInfo& info = m_state.nodes()[node];
    if (info.category == NodeCategory::Down || info.category == NodeCategory::PoweredOff)
        return QStringLiteral("node %1").arg(theme::categoryName(info.category)) +
               (error.isEmpty() ? QString() : QStringLiteral(", exporter: ") + error);
    if (!error.isEmpty())
        return error;
    if (m_state.isPast())
        return QStringLiteral("no reading of then was kept");
    if (m_state.readingAge(node) >= 0)
        return QStringLiteral("last reading is too old");
    return m_state.targets().isEmpty() ? QStringLiteral("no source of telemetry is configured")
                                       : QStringLiteral("not reported by any source");
}

void SilentList::readRows()
{
    struct Group {
        QStringList names;
        int gpus = 0;
        double oldest = -1;
        NodeCategory category = NodeCategory::Unknown;
    };
    QHash<QString, QString> errors;
    for (const model::TargetInfo& target : m_state.targets()) {
        if (!target.up)
            errors.insert(target.host,
                          target.error.isEmpty() ? QStringLiteral("no answer") : target.error);
    }
    std::map<std::pair<bool, QString>, Group> groups;
    for (int node = 0; node < m_state.nodes().size(); ++node) {
        const model::NodeInfo& info = m_state.nodes()[node];
        const int first = m_state.gpuOffset(node);
        const int last = m_state.gpuOffset(node + 1);
        const auto add = [&](bool stale, const QString& why, int gpus) {
            Group& group = groups[{stale, why}];
            if (group.names.isEmpty() || group.names.constLast() != info.name)
                group.names << info.name;
            group.gpus += gpus;
            group.oldest = std::max(group.oldest, m_state.readingAge(node));
            group.category = info.category;
        };
        if (last > first && m_state.freshness(node) == model::Freshness::Missing) {
            add(false, whyNodeMissing(node, errors.value(info.name)), last - first);
            continue;
        }
        for (int gpu = first; gpu < last; ++gpu) {
            if (std::isnan(m_map.values().value(gpu, model::kNoReading)))
                add(false, whyGpuMissing(node, gpu - first), 1);
            else if (m_map.flags().value(gpu) & model::GpuMap::Stale)
                add(true, {}, 1);
        }
    }
    m_rows.clear();
    for (const auto& [key, group] : groups) {
        QString why = key.second;
        if (key.first)
            why =
                QStringLiteral("stale: last reading %1 ago, interval %2")
                    .arg(theme::duration(group.oldest), theme::duration(m_state.readingInterval()));
        m_rows.push_back(
            {model::foldHostlist(group.names), why, group.gpus, int(group.category), key.first});
    }
    std::stable_sort(m_rows.begin(), m_rows.end(), [](const Row& a, const Row& b) {
        return a.stale != b.stale ? !a.stale : a.gpus > b.gpus;
    });
}

int SilentList::gpusWithout(bool stale) const
{
    int gpus = 0;
    for (const Row& row : m_rows)
        gpus += row.stale == stale ? row.gpus : 0;
    return gpus;
}

void SilentList::readFacts()
{
    m_facts.clear();
    std::vector<float> seconds;
    qint64 up = 0;
    quint64 bad = 0;
    QString firstBad;
    for (const model::TargetInfo& target : m_state.targets()) {
        up += target.up ? 1 : 0;
        bad += target.badLines;
        if (firstBad.isEmpty())
            firstBad = target.firstBadLine;
        if (target.up)
            seconds.push_back(target.seconds);
    }
    if (!m_state.hasSnapshot() || m_state.isPast())
        return;
    if (m_state.targets().isEmpty()) {
        m_facts.push_back(
            {QStringLiteral("Scrape"), QStringLiteral("[[telemetry.source]] in yardmasterd.toml")});
        setToolTip(theme::whyNoTelemetry(m_state));
        return;
    }
    QString scrape = QStringLiteral("%1 of %2 telemetry sources every %3")
                         .arg(theme::number(up), theme::number(qint64(m_state.targets().size())),
                              theme::duration(m_state.readingInterval()));
    if (!seconds.empty()) {
        const auto at = seconds.begin() + std::ptrdiff_t(seconds.size() * 99 / 100);
        std::nth_element(seconds.begin(), at, seconds.end());
        scrape += QStringLiteral(", p99 %1 ms").arg(qRound(double(*at) * 1000));
    }
    m_facts.push_back({QStringLiteral("Scrape"), scrape});
    m_facts.push_back(
        {QStringLiteral("Skipped"),
         theme::counted(qint64(bad), QStringLiteral("bad line"), QStringLiteral("bad lines")) +
             QStringLiteral(" in the last reads")});
    setToolTip(firstBad);
}

void SilentList::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int factsTop = height() - int(m_facts.size()) * kFact - 8;
    int top = 0;
    if (m_rows.isEmpty()) {
        painter.setFont(theme::font(Type::Body));
        painter.setPen(theme::color(Color::TextSecondary));
        const QString why = theme::whyUnknown(m_state);
        painter.drawText(QRect(0, 4, width(), 60), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         !why.isEmpty() ? why
                         : m_state.gpuCount() == 0
                             ? QStringLiteral("There are no GPUs.")
                             : QStringLiteral("Every GPU has a fresh reading."));
    }
    for (int i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const bool last = top + 2 * kRow > factsTop && i + 1 < m_rows.size();
        if (top + kRow > factsTop)
            break;
        const QRect box(0, top + 2, 18, 18);
        if (row.stale)
            widgets::paintStaleCell(
                painter, box, QColor::fromRgb(theme::HeatScale::of(theme::Scale::Use).stale(0.4F)),
                theme::color(Color::BgSurface));
        else
            widgets::paintMissing(painter, box);
        QString count = theme::counted(row.gpus, QStringLiteral("GPU"), QStringLiteral("GPUs"));
        if (last)
            count += QStringLiteral(" · ") + theme::counted(m_rows.size() - i - 1,
                                                            QStringLiteral("more reason"),
                                                            QStringLiteral("more reasons"));
        painter.setFont(theme::font(Type::Mono));
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(0, top, width(), 20), Qt::AlignRight | Qt::AlignVCenter, count);
        const int countWidth = QFontMetrics(painter.font()).horizontalAdvance(count);
        int left = 26;
        if (!row.stale) {
            widgets::paintNodeGlyph(painter, QRectF(left, top + 4, 12, 12),
                                    NodeCategory(row.category));
            left += 18;
        }
        const int room = width() - left - countWidth - 12;
        painter.setPen(theme::color(Color::TextPrimary));
        painter.drawText(QRect(left, top, room, 20), Qt::AlignVCenter,
                         theme::fittedHosts(row.hosts, painter.font(), room));
        QFont why = theme::font(Type::Label, QFont::Normal);
        painter.setFont(why);
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(26, top + 20, width() - 26, 18), Qt::AlignVCenter,
                         theme::cutAtWord(row.why, QFontMetricsF(why), width() - 26));
        top += kRow;
        if (last)
            break;
    }
    if (!m_facts.empty())
        painter.fillRect(0, factsTop, width(), 1, theme::color(Color::LineSubtle));
    top = factsTop + 6;
    for (const Fact& fact : std::as_const(m_facts)) {
        QFont words = theme::font(Type::Label, QFont::Normal);
        painter.setFont(words);
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(0, top, 60, kFact), Qt::AlignVCenter, fact.key);
        painter.setPen(theme::color(Color::TextSecondary));
        painter.drawText(QRect(64, top, width() - 64, kFact), Qt::AlignVCenter,
                         theme::cutAtWord(fact.words, QFontMetricsF(words), width() - 64));
        top += kFact;
    }
}

void SilentList::mouseReleaseEvent(QMouseEvent* event)
{
    const int row = int(event->position().y()) / kRow;
    if (event->button() == Qt::LeftButton && row >= 0 && row < m_rows.size())
        Q_EMIT nodesActivated(m_rows[row].hosts);
}

}  // namespace yard::pages
