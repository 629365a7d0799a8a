#include "ui/widgets/empty_state.h"

#include <QVBoxLayout>

#include "ui/widgets/glyphs.h"
#include "ui/widgets/label.h"

namespace yard::widgets {

EmptyState::EmptyState(const QString& icon, const QString& title, const QString& detail,
                       QWidget* parent)
    : QWidget(parent)
    , m_title(new Label(title, theme::Type::Body, theme::Color::TextPrimary))
    , m_detail(new Label(detail, theme::Type::Caption, theme::Color::TextMuted))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(6);
    column->addStretch();
    column->addWidget(Glyph::icon(icon, theme::Color::TextMuted, 24), 0, Qt::AlignHCenter);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setElide(Qt::ElideRight);
    column->addWidget(m_title);
    m_detail->setWordWrap(true);
    m_detail->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    column->addWidget(m_detail);
    column->addStretch();
}

void EmptyState::setTexts(const QString& title, const QString& detail)
{
    m_title->setText(title);
    m_detail->setText(detail);
}

}  // namespace yard::widgets
