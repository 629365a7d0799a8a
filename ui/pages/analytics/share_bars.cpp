#include "ui/pages/analytics/share_bars.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/wording.h"

namespace yard::pages {

using theme::Color;
using theme::Type;

namespace {

constexpr int kHead = 20;
constexpr int kRow = 40;
constexpr int kName = 84;
constexpr int kGap = 20;
constexpr int kBar = 10;
constexpr int kGroup = 72;
constexpr int kKey = 24;
constexpr const char* kOutcomes[] = {"Completed", "Cancelled", "Failed"};
constexpr const char* kRest = "Unfinished";
constexpr double kLeastRest = 0.5;                    ///< percent; less is rounding
constexpr float kStrength[] = {0.62F, 0.34F, 0.85F};  ///< of ink: greys, for red is a fault

/// Of neither kind: waiting, running, preempted.
double restOf(const QVector<double>& percent)
{
    double known = 0;
    for (const double share : percent)
        known += std::isnan(share) ? 0 : share;
    return known > 0 ? 100 - known : 0;
}

QString percentText(double percent)
{
    return std::isnan(percent) ? QStringLiteral("-") : theme::number(percent, 1) + QLatin1Char('%');
}

QColor outcomeColor(int outcome)
{
    return theme::mix(theme::color(Color::TextPrimary), theme::color(Color::BgSurface),
                      double(kStrength[outcome]));
}

}  // namespace

ShareBars::ShareBars(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void ShareBars::setRows(const QVector<Row>& rows)
{
    m_rows = rows;
    QStringList words;
    for (const Row& row : rows)
        words << QStringLiteral("%1 %2 of jobs, %3 of GPU time")
                     .arg(row.name, percentText(row.jobs), percentText(row.time));
    setAccessibleName(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize ShareBars::minimumSizeHint() const
{
    return {kName + 2 * 70 + kGap, kHead + kRow * std::max(1, int(m_rows.size())) + 18};
}

/// The bars' common end: the greatest share, rounded up to ten.
double ShareBars::top() const
{
    double most = 10;
    for (const Row& row : m_rows) {
        for (const double share : {row.jobs, row.time, row.paperJobs, row.paperTime}) {
            if (!std::isnan(share))
                most = std::max(most, share);
        }
    }
    return std::min(100.0, std::ceil(most / 10) * 10);
}

void ShareBars::paintBar(QPainter& painter, const QRect& box, double share, double paper,
                         const QColor& color) const
{
    const QRect track(box.left(), box.top() + 4, box.width(), kBar);
    painter.fillRect(track, theme::color(Color::Grid));
    if (share > 0)
        painter.fillRect(track.left(), track.top(),
                         std::max(1, int(std::lround(share / top() * track.width()))), kBar, color);
    painter.setFont(theme::font(Type::MonoSmall));
    painter.setPen(theme::color(Color::TextPrimary));
    const QRect words(box.left(), track.bottom() + 1, box.width(), 16);
    painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, percentText(share));
    if (std::isnan(paper))
        return;
    const int at = track.left() + int(std::lround(paper / top() * (track.width() - 2)));
    painter.fillRect(at, track.top() - 3, 2, kBar + 6, theme::color(Color::TextPrimary));
    painter.setPen(theme::color(Color::TextMuted));
    painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter, theme::number(paper, 1));
}

void ShareBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int wide = (width() - kName - kGap) / 2;
    const int left = kName;
    const int right = kName + wide + kGap;
    painter.setFont(theme::font(Type::Caption));
    painter.setPen(theme::color(Color::TextMuted));
    painter.drawText(QRect(left, 0, wide, kHead), Qt::AlignVCenter, QStringLiteral("jobs"));
    painter.drawText(QRect(right, 0, wide, kHead), Qt::AlignVCenter, QStringLiteral("GPU time"));
    bool anyPaper = false;
    int y = kHead;
    for (const Row& row : m_rows) {
        painter.setFont(theme::font(Type::Label, QFont::Normal));
        painter.setPen(theme::color(Color::TextSecondary));
        painter.drawText(
            QRect(0, y, kName - 6, 18), Qt::AlignVCenter,
            QFontMetrics(painter.font()).elidedText(row.name, Qt::ElideRight, kName - 6));
        paintBar(painter, QRect(left, y, wide, kRow), row.jobs, row.paperJobs, row.color());
        paintBar(painter, QRect(right, y, wide, kRow), row.time, row.paperTime, row.color());
        anyPaper = anyPaper || !std::isnan(row.paperJobs);
        y += kRow;
    }
    painter.setFont(theme::font(Type::Caption));
    painter.setPen(theme::color(Color::TextMuted));
    QString key = QStringLiteral("bars to %1%").arg(theme::number(top(), 0));
    if (anyPaper)
        key.prepend(QStringLiteral("tick: the paper · "));
    painter.drawText(QRect(0, y, width(), 18), Qt::AlignVCenter, key);
}

OutcomeBars::OutcomeBars(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void OutcomeBars::setBars(const QVector<Bar>& jobs, const QVector<Bar>& time)
{
    m_jobs = jobs;
    m_time = time;
    QStringList words;
    for (const Bar& bar : jobs) {
        for (int i = 0; i < bar.percent.size() && i < 3; ++i)
            words << QStringLiteral("%1, %2: %3 of jobs")
                         .arg(bar.name, QString::fromLatin1(kOutcomes[i]),
                              percentText(bar.percent[i]));
        if (restOf(bar.percent) >= kLeastRest)
            words << QStringLiteral("%1, %2: %3 of jobs")
                         .arg(bar.name, QString::fromLatin1(kRest),
                              percentText(restOf(bar.percent)));
    }
    setAccessibleName(words.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

QSize OutcomeBars::minimumSizeHint() const
{
    return {200, 2 * kGroup + kKey};
}

int OutcomeBars::paintGroup(QPainter& painter, int top, const QString& title,
                            const QVector<Bar>& bars) const
{
    constexpr int kLabel = 52;
    painter.setFont(theme::font(Type::Caption));
    painter.setPen(theme::color(Color::TextMuted));
    painter.drawText(QRect(kLabel, top, width() - kLabel, 16), Qt::AlignVCenter, title);
    int y = top + 18;
    for (qsizetype which = 0; which < bars.size() && which < 2; ++which) {
        const Bar& bar = bars[which];
        const int tall = which == 0 ? 20 : 14;
        painter.setFont(theme::font(Type::Label, QFont::Normal));
        painter.setPen(theme::color(which == 0 ? Color::TextPrimary : Color::TextMuted));
        painter.drawText(QRect(0, y, kLabel, tall), Qt::AlignVCenter, bar.name);
        const QRect track(kLabel, y, width() - kLabel, tall);
        painter.fillRect(track, theme::color(Color::Grid));
        double passed = 0;
        painter.setFont(theme::font(Type::MonoSmall));
        for (int i = 0; i < bar.percent.size() && i < 3; ++i) {
            const double share = std::isnan(bar.percent[i]) ? 0 : bar.percent[i];
            const int from = track.left() + int(std::lround(passed / 100 * track.width()));
            passed += share;
            const int to = track.left() + int(std::lround(passed / 100 * track.width()));
            if (to <= from)
                continue;
            const QRect piece(from, y, std::max(1, to - from - 1), tall);
            painter.fillRect(piece, outcomeColor(i));
            const QString words = theme::number(share, 1);
            if (QFontMetrics(painter.font()).horizontalAdvance(words) + 8 > piece.width())
                continue;
            // In ink or ground, whichever stands out.
            painter.setPen(
                theme::color(kStrength[i] > 0.5F ? Color::BgSurface : Color::TextPrimary));
            painter.drawText(piece.adjusted(4, 0, 0, 0), Qt::AlignVCenter, words);
        }
        y += tall + 4;
    }
    return top + kGroup;
}

void OutcomeBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    int y = paintGroup(painter, 0, QStringLiteral("jobs"), m_jobs);
    y = paintGroup(painter, y, QStringLiteral("GPU time"), m_time);
    int x = 52;
    painter.setFont(theme::font(Type::Caption));
    const auto word = [&](const char* name) {
        painter.setPen(theme::color(Color::TextSecondary));
        const QString words = QString::fromLatin1(name);
        const int wide = QFontMetrics(painter.font()).horizontalAdvance(words);
        painter.drawText(QRect(x + 14, y, wide + 2, 20), Qt::AlignVCenter, words);
        x += 14 + wide + 14;
    };
    for (int i = 0; i < 3; ++i) {
        painter.fillRect(x, y + 6, 9, 9, outcomeColor(i));
        word(kOutcomes[i]);
    }
    const auto hasRest = [](const Bar& bar) { return restOf(bar.percent) >= kLeastRest; };
    if (std::any_of(m_jobs.begin(), m_jobs.end(), hasRest) ||
        std::any_of(m_time.begin(), m_time.end(), hasRest)) {
        // The track's ground alone would not be seen so small.
        painter.fillRect(x, y + 6, 9, 9, theme::color(Color::LineStrong));
        painter.fillRect(x + 1, y + 7, 7, 7, theme::color(Color::Grid));
        word(kRest);
    }
}

}  // namespace yard::pages
