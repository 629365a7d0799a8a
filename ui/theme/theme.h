#pragma once

#include <QFont>
#include <QIcon>
#include <QObject>

#include "ui/theme/tokens.h"

class QApplication;
class QWidget;

namespace yard::theme {

/// The scheme in force, and what follows from it: palette, fonts, style. One for the application;
/// widgets paint with color() and font() and repaint when it changes.
///
/// Thread: GUI thread only.
class Theme final : public QObject {
    Q_OBJECT

public:
    static Theme& instance();

    /// Style, palette, fonts. Once, after the QApplication is made.
    void install(QApplication& application);

    Scheme scheme() const { return m_scheme; }
    bool isDark() const { return m_scheme == Scheme::Dark; }
    void setScheme(Scheme scheme);
    void toggle() { setScheme(isDark() ? Scheme::Light : Scheme::Dark); }
    /// The scheme of the last session; dark if there was none.
    static Scheme remembered();
    void remember() const;

Q_SIGNALS:
    void changed();

private:
    Theme() = default;
    void applyPalette();

    Scheme m_scheme = Scheme::Dark;
    bool m_installed = false;
};

/// In the scheme in force.
QColor color(Color color);
QColor stateColor(model::NodeCategory category);
QColor seriesColor(Series series);
QColor mix(const QColor& over, const QColor& under, double share);

QFont font(Type type);
QFont font(Type type, QFont::Weight weight);  ///< the same letters, lighter or bolder
/// Sets the widget's font, and again with each change of scheme: small letters have other weights
/// on light ground.
void wear(QWidget& widget, Type type);
int lineHeight(Type type);
int px(Size size);
int px(Radius radius);

/// An icon of resources/icons by its file's name, drawn in the colour of the moment: `tone`, or
/// text.disabled where the control is disabled.
QIcon icon(const QString& name, Color tone = Color::TextSecondary);
/// Draws that icon crisply into `rect`.
void paintIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color);

}  // namespace yard::theme
