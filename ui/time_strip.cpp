#include "ui/time_strip.h"

#include <QHBoxLayout>
#include <QPainter>

#include "ui/model/time_cursor.h"
#include "ui/theme/theme.h"
#include "ui/time_track.h"
#include "ui/widgets/button.h"
#include "ui/widgets/segmented_switch.h"

namespace yard::ui {
namespace {

using widgets::Button;

constexpr int kHeight = 64;
constexpr int kLowHeight = 48;

struct Range {
    const char* words;
    qint64 seconds;
};
constexpr Range kRanges[] = {
    {"1 h", 3600}, {"6 h", 6 * 3600}, {"24 h", 24 * 3600}, {"7 d", 7 * 24 * 3600}, {"All", 0}};

QStringList rangeWords()
{
    QStringList words;
    for (const Range& range : kRanges)
        words << QString::fromLatin1(range.words);
    return words;
}

}  // namespace

TimeStrip::TimeStrip(const model::ClusterState& state, model::TimeCursor& cursor, QWidget* parent)
    : QWidget(parent)
    , m_cursor(cursor)
    , m_live(new Button(QStringLiteral("Live"), Button::Kind::Primary))
    , m_play(new Button(QStringLiteral("Play"), Button::Kind::Plain))
    , m_speed(new Button(QStringLiteral("1000×"), Button::Kind::Ghost))
    , m_ranges(new widgets::SegmentedSwitch(rangeWords()))
{
    setFixedHeight(kHeight);
    setObjectName(QStringLiteral("timeStrip"));
    m_live->setObjectName(QStringLiteral("timeLive"));
    m_play->setObjectName(QStringLiteral("timePlay"));
    m_speed->setObjectName(QStringLiteral("timeSpeed"));
    m_live->setToolTip(QStringLiteral("Show the present (double click on the line, or Ctrl+L)."));
    m_speed->setToolTip(QStringLiteral("How many times as fast as it happened."));
    m_play->setFixedWidth(std::max(m_play->sizeHint().width(), 64));
    m_speed->setFixedWidth(m_speed->sizeHint().width());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme::px(theme::Size::PageMargin), 0,
                            theme::px(theme::Size::PageMargin), 0);
    row->setSpacing(8);
    row->addWidget(m_live);
    row->addWidget(m_play);
    row->addWidget(m_speed);
    auto* track = new TimeTrack(state, cursor);
    row->addWidget(track, 1);
    m_ranges->setSmall(true);
    row->addWidget(m_ranges);
    connect(m_live, &Button::clicked, &cursor, &model::TimeCursor::goLive);
    connect(m_play, &Button::clicked, this,
            [this] { m_cursor.play(m_cursor.speed() == 0 ? m_chosenSpeed : 0); });
    connect(m_speed, &Button::clicked, this, &TimeStrip::nextSpeed);
    connect(m_ranges, &widgets::SegmentedSwitch::currentChanged, this,
            [this](int index) { m_cursor.showLast(kRanges[index].seconds); });
    for (const auto signal : {&model::TimeCursor::moved, &model::TimeCursor::playChanged,
                              &model::TimeCursor::spanChanged, &model::TimeCursor::timelineChanged})
        connect(&cursor, signal, this, &TimeStrip::refresh);
    refresh();
}

void TimeStrip::setLow(bool low)
{
    setFixedHeight(low ? kLowHeight : kHeight);
}

void TimeStrip::nextSpeed()
{
    const QVector<int>& speeds = model::TimeCursor::speeds();
    m_chosenSpeed = speeds[(speeds.indexOf(m_chosenSpeed) + 1) % speeds.size()];
    if (m_cursor.speed() != 0)
        m_cursor.play(m_chosenSpeed);
    refresh();
}

void TimeStrip::refresh()
{
    m_live->setKind(m_cursor.isLive() ? Button::Kind::Primary : Button::Kind::Plain);
    m_play->setText(m_cursor.speed() == 0 ? QStringLiteral("Play") : QStringLiteral("Pause"));
    m_play->setRefusal(m_cursor.hasHistory() ? QString()
                                             : QStringLiteral("There is no history yet."));
    m_speed->setText(QStringLiteral("%1×").arg(m_chosenSpeed));
    int shown = -1;
    for (int i = 0; i < int(std::size(kRanges)); ++i)
        if (kRanges[i].seconds == m_cursor.shownLast())
            shown = i;
    if (m_ranges->current() != shown) {
        const QSignalBlocker quiet(m_ranges);
        m_ranges->setCurrent(shown);
    }
}

void TimeStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::color(theme::Color::BgWindow));
    painter.fillRect(0, 0, width(), 1, theme::color(theme::Color::LineSubtle));
}

}  // namespace yard::ui
