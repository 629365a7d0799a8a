#pragma once

#include <QProxyStyle>

namespace yard::theme {

/// Fusion with our measures: flat buttons and fields, thin scroll bars, our focus ring, check
/// boxes, menus and tooltips. Colours come from the theme alone.
class YardStyle final : public QProxyStyle {
    Q_OBJECT

public:
    YardStyle();

    int pixelMetric(PixelMetric metric, const QStyleOption* option,
                    const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
};

/// The check box of tables and dialogs: 14 px, filled accent when on.
void paintCheckBox(QPainter& painter, const QRect& rect, Qt::CheckState state, bool enabled = true);
/// Icon, what is empty, and since when or what to do, in the upper middle of `rect`.
void paintEmpty(QPainter& painter, const QRect& rect, const QString& title, const QString& detail);
/// A rounded rectangle whose 1 px line lies on whole device pixels.
void paintPanel(QPainter& painter, const QRect& rect, const QColor& fill, const QColor& line,
                int radius);

}  // namespace yard::theme
