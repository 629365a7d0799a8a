#include "ui/widgets/table/cell_delegate.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/word_cut.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/glyphs.h"

namespace yard::widgets {
namespace {

using theme::Color;
using theme::Type;

constexpr int kCellPadding = 8;
constexpr int kGlyph = 12;
constexpr int kIndent = 16;

Color toneColor(model::Tone tone)
{
    switch (tone) {
        case model::Tone::Primary:
            return Color::TextPrimary;
        case model::Tone::Secondary:
            return Color::TextSecondary;
        case model::Tone::Muted:
            return Color::TextMuted;
        case model::Tone::Accent:
            return Color::AccentText;
        case model::Tone::Warn:
            return Color::WarnText;
        case model::Tone::Fault:
            return Color::FaultText;
        case model::Tone::Good:
            return Color::GoodText;
    }
    Q_UNREACHABLE();
}

int advance(const QFont& font, const QString& text)
{
    return text.isEmpty() ? 0 : int(std::ceil(QFontMetricsF(font).horizontalAdvance(text)));
}

QFont cellFont(const QModelIndex& index)
{
    return theme::font(index.data(model::MonoRole).toBool() ? Type::Mono : Type::Body);
}

bool alignsRight(const QModelIndex& index)
{
    return index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
}

QString unitText(const QModelIndex& index)
{
    const QString unit = index.data(model::UnitRole).toString();
    return unit.isEmpty() ? unit : QChar(0x2009) + unit;
}

bool isState(const QModelIndex& index)
{
    return index.data(model::CategoryRole).isValid() || index.data(model::JobStateRole).isValid();
}

}  // namespace

CellDelegate::CellDelegate(QObject* parent)
    : QStyledItemDelegate(parent)
{
}

QRect CellDelegate::contentRect(const QRect& cell, const QModelIndex& index) const
{
    int left = kCellPadding;
    if (index.column() == 0)
        left = m_checkBoxes ? 12 + kBoxSpace : 12;
    left += index.data(model::IndentRole).toInt() * kIndent;
    return cell.adjusted(left, 0, -kCellPadding, -1);
}

void CellDelegate::paintGround(QPainter& painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const
{
    const bool selected = option.state & QStyle::State_Selected;
    if (selected)
        painter.fillRect(option.rect, theme::color(Color::BgSelected));
    else if (index.row() == m_hoveredRow)
        painter.fillRect(option.rect, theme::color(Color::BgHover));
    painter.fillRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1,
                     theme::color(Color::Grid));
    if (index.column() == 0 && m_checkBoxes) {
        const QRect box(option.rect.left() + 12, option.rect.center().y() - 7, 14, 14);
        theme::paintCheckBox(painter, box, selected ? Qt::Checked : Qt::Unchecked);
    }
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    if (index.column() == 0 && view != nullptr && view->hasFocus() &&
        view->currentIndex().row() == index.row())
        painter.fillRect(option.rect.left(), option.rect.top(), 2, option.rect.height(),
                         theme::color(Color::Accent));
}

int CellDelegate::paintGlyph(QPainter& painter, const QRect& rect, const QModelIndex& index) const
{
    const QRectF box(rect.left(), rect.top() + (rect.height() - kGlyph + 1) / 2, kGlyph, kGlyph);
    const QVariant expand = index.data(model::ExpandRole);
    if (expand.isValid()) {
        theme::paintIcon(painter, QRectF(box).adjusted(-1, 0, -1, 0),
                         expand.toInt() ? QStringLiteral("down") : QStringLiteral("right"),
                         theme::color(Color::TextMuted));
        return kGlyph + 4;
    }
    const QVariant category = index.data(model::CategoryRole);
    const QVariant job = index.data(model::JobStateRole);
    if (category.isValid())
        paintNodeGlyph(painter, box, model::NodeCategory(category.toInt()),
                       index.data(model::RequestedRole).toBool());
    else if (job.isValid())
        paintJobGlyph(painter, box, model::JobState(job.toInt()));
    else
        return 0;
    return kGlyph + 8;
}

void CellDelegate::paintText(QPainter& painter, QRect rect, const QModelIndex& index) const
{
    const QFont words = cellFont(index);
    const QFont small = theme::font(Type::Label);
    const QFont unitFont = theme::font(Type::Label, QFont::Normal);
    const QString text = index.data(Qt::DisplayRole).toString();
    const QString unit = unitText(index);
    const QString note = index.data(model::NoteRole).toString();
    const int unitWidth = advance(unitFont, unit);
    const int noteWidth = note.isEmpty() ? 0 : advance(small, note) + 8;
    int textSpace = qMax(0, rect.width() - unitWidth - noteWidth);
    // The note gives way before the value does.
    if (textSpace < qMin(advance(words, text), 40))
        textSpace = rect.width() - unitWidth;
    const bool mono = index.data(model::MonoRole).toBool();
    const QString whole = index.data(model::HostlistRole).toBool()
                              ? theme::fittedHosts(text, words, textSpace + 1)
                              : text;
    // Of one name both ends tell; of several words the first.
    const bool name = mono && !whole.contains(QLatin1Char(' ')) && !isState(index);
    const QString shown =
        name ? QFontMetrics(words).elidedText(whole, Qt::ElideMiddle, textSpace + 1)
             : theme::cutAtWord(whole, QFontMetricsF(words), textSpace + 1);
    const int width = advance(words, shown);
    int left = alignsRight(index) ? rect.right() + 1 - width - unitWidth - noteWidth : rect.left();
    const QVariant tone = index.data(model::ToneRole);
    painter.setFont(words);
    painter.setPen(
        theme::color(tone.isValid() ? toneColor(model::Tone(tone.toInt())) : Color::TextPrimary));
    painter.drawText(QRect(left, rect.top(), width + 2, rect.height()),
                     Qt::AlignVCenter | Qt::TextSingleLine, shown);
    left += width;
    if (!unit.isEmpty()) {
        painter.setFont(unitFont);
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(left, rect.top(), unitWidth + 2, rect.height()), Qt::AlignVCenter,
                         unit);
        left += unitWidth;
    }
    if (note.isEmpty() || left + 16 > rect.right())
        return;
    painter.setFont(small);
    painter.setPen(theme::color(Color::AccentText));
    const QRect room(left + 8, rect.top(), rect.right() - left - 7, rect.height());
    painter.drawText(room, Qt::AlignVCenter,
                     QFontMetrics(small).elidedText(note, Qt::ElideRight, room.width()));
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    painter->save();
    painter->setClipRect(option.rect);
    paintGround(*painter, option, index);
    QRect rect = contentRect(option.rect, index);
    const QVariant cells = index.data(model::GpuCellsRole);
    if (cells.isValid()) {
        paintGpuStrip(*painter, rect, cells.value<QVector<int>>());
    } else {
        rect.setLeft(rect.left() + paintGlyph(*painter, rect, index));
        paintText(*painter, rect, index);
    }
    painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    return {textWidth(index), theme::px(theme::Size::Row)};
}

int CellDelegate::textWidth(const QModelIndex& index) const
{
    const QVariant cells = index.data(model::GpuCellsRole);
    if (cells.isValid())
        return int(cells.value<QVector<int>>().size()) * 9 + 2 * kCellPadding;
    const QString note = index.data(model::NoteRole).toString();
    return contentRect(QRect(), index).left() + kCellPadding + (isState(index) ? kGlyph + 8 : 0) +
           advance(cellFont(index), index.data(Qt::DisplayRole).toString()) +
           advance(theme::font(Type::Label), unitText(index)) +
           (note.isEmpty() ? 0 : advance(theme::font(Type::Label), note) + 8) + 2;
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
                             const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QString whole = index.data(Qt::ToolTipRole).toString();
    if (whole.isEmpty() && textWidth(index) > option.rect.width())
        whole = index.data(Qt::DisplayRole).toString() + unitText(index);
    const QString full = index.data(model::FullTextRole).toString();
    if (!full.isEmpty() && full != index.data(Qt::DisplayRole).toString())
        whole = full;
    QToolTip::showText(event->globalPos(), whole, view);
    return true;
}

void paintGpuStrip(QPainter& painter, const QRect& rect, const QVector<int>& cells)
{
    const int pitch = qBound(3, rect.width() / qMax(1, int(cells.size())), 9);
    const int height = 10;
    const int top = rect.center().y() - height / 2 + 1;
    for (int i = 0; i < cells.size(); ++i) {
        const QRect cell(rect.left() + i * pitch, top, pitch - 1, height);
        switch (cells[i]) {
            case model::GpuInUse:
                painter.fillRect(cell, theme::stateColor(model::NodeCategory::Allocated));
                break;
            case model::GpuFault:
                painter.fillRect(cell, theme::color(Color::Fault));
                break;
            case model::GpuUnknown:
                theme::paintPanel(painter, cell, Qt::transparent, theme::color(Color::LineStrong),
                                  0);
                break;
            default:
                painter.fillRect(cell, theme::color(Color::LineSubtle));
                break;
        }
    }
}

}  // namespace yard::widgets
