#include "ui/widgets/table/table_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QVBoxLayout>

#include "ui/widgets/card.h"
#include "ui/widgets/chip_row.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/table/table_view.h"

namespace yard::widgets {

constexpr int kFoot = 28;

TablePage::TablePage(const QString& name, const QString& invitation, const QString& tableName,
                     QWidget* parent)
    : QWidget(parent)
    , m_line(new QHBoxLayout)
    , m_filter(new FilterField(invitation))
    , m_chips(new ChipRow)
    , m_body(new QHBoxLayout)
    , m_card(new Card)
    , m_table(new TableView)
    , m_foot(new Label({}, theme::Type::Caption, theme::Color::TextMuted))
{
    setObjectName(name + QStringLiteral("Page"));
    auto* column = new QVBoxLayout(this);
    const int margin = theme::px(theme::Size::PageMargin);
    column->setContentsMargins(margin, 12, margin, 12);
    column->setSpacing(theme::px(theme::Size::Gap));
    m_filter->setObjectName(name + QStringLiteral("Filter"));
    m_filter->setMinimumWidth(220);
    m_filter->setMaximumWidth(430);
    m_line->setSpacing(8);
    m_line->addWidget(m_filter, 3);
    m_line->addWidget(m_chips);
    column->addLayout(m_line);

    m_table->setObjectName(name + QStringLiteral("Table"));
    m_table->setAccessibleName(tableName);
    m_foot->setFixedHeight(kFoot);
    m_foot->setElide(Qt::ElideRight);
    m_card->setBodyMargins(1, 1, 1, 1);
    m_card->body()->setSpacing(0);
    m_card->body()->addWidget(m_table, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(12, 0, 12, 0);
    foot->addWidget(m_foot, 1);
    m_card->body()->addLayout(foot);
    m_body->setSpacing(theme::px(theme::Size::Gap));
    m_body->addWidget(m_card, 1);
    column->addLayout(m_body, 1);
    setFocusProxy(m_table);
    connect(m_filter, &QLineEdit::returnPressed, m_table, [this] { m_table->setFocus(); });
}

void TablePage::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void TablePage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Slash)
        focusFilter();
    else if (event->matches(QKeySequence::Copy))
        QGuiApplication::clipboard()->setText(m_table->selectedText());
    else
        QWidget::keyPressEvent(event);
}

}  // namespace yard::widgets
