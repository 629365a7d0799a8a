#include "ui/widgets/banner.h"

#include <QHBoxLayout>
#include <QPainter>

#include "ui/theme/yard_style.h"
#include "ui/widgets/glyphs.h"
#include "ui/widgets/label.h"

namespace yard::widgets {

using theme::Color;

constexpr int kBannerHeight = 36;

Banner::Banner(QWidget* parent, Tone tone)
    : QWidget(parent)
    , m_tone(tone)
    , m_what(
          new Label(theme::Type::Label, tone == Tone::Warn ? Color::WarnText : Color::AccentText))
    , m_aside(
          new Label(theme::Type::Label, tone == Tone::Warn ? Color::WarnText : Color::AccentText))
{
    setFixedHeight(kBannerHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    row->addWidget(tone == Tone::Warn
                       ? Glyph::severity(Severity::Warning)
                       : Glyph::icon(QStringLiteral("clock"), Color::AccentText, 14));
    m_what->setElide(Qt::ElideRight);
    row->addWidget(m_what, 1);
    row->addWidget(m_aside);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void Banner::setTexts(const QString& what, const QString& aside)
{
    m_what->setText(what);
    m_what->setToolTip(what);
    m_aside->setText(aside);
}

void Banner::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const bool warns = m_tone == Tone::Warn;
    theme::paintPanel(painter, rect(), theme::color(warns ? Color::WarnSoft : Color::AccentSoft),
                      theme::color(warns ? Color::Warn : Color::Accent),
                      theme::px(theme::Radius::Card));
}

}  // namespace yard::widgets
