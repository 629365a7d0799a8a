#pragma once

#include <QAbstractButton>

#include "ui/theme/theme.h"

namespace yard::widgets {

/// A small fact or filter. Neutral opens a menu, active is a filter that a click on × removes, the
/// soft colours are facts and take no clicks.
class Chip final : public QAbstractButton {
    Q_OBJECT

public:
    enum class Kind { Menu, Active, Fact, FaultFact, WarnFact, GoodFact, AccentFact };

    Chip(const QString& text, Kind kind, QWidget* parent = nullptr);
    void setKind(Kind kind);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void removeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool isFact() const { return m_kind != Kind::Menu && m_kind != Kind::Active; }

    Kind m_kind;
};

/// The count beside a title or a rail entry.
void paintBadge(QPainter& painter, const QRect& rect, const QString& text, theme::Color fill,
                theme::Color words);

}  // namespace yard::widgets
