#pragma once

#include <QWidget>
#include <functional>

#include "ui/theme/theme.h"

namespace yard::widgets {

enum class Severity { Critical, Fault, Warning, Question, Note };

/// The twelve shapes of look §2. `rect` is square, 12 px as designed.
void paintNodeGlyph(QPainter& painter, const QRectF& rect, model::NodeCategory category,
                    bool requested = false);
void paintJobGlyph(QPainter& painter, const QRectF& rect, model::JobState state,
                   bool infrastructure = false);
void paintSeverity(QPainter& painter, const QRectF& rect, Severity severity);
QString severityName(Severity severity);

/// One glyph as a widget: beside a label, in a key.
class Glyph final : public QWidget {
    Q_OBJECT

public:
    using Painter = std::function<void(QPainter&, const QRectF&)>;
    Glyph(int size, Painter paint, QWidget* parent = nullptr);

    static Glyph* node(model::NodeCategory category, int size = 12);
    static Glyph* severity(Severity severity, int size = 14);
    static Glyph* icon(const QString& name, theme::Color tone = theme::Color::TextMuted,
                       int size = 16);
    static Glyph* dot(theme::Color tone, int size = 8);
    static Glyph* square(std::function<QColor()> color, int size = 9);
    void setPainter(Painter paint);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Painter m_paint;
};

}  // namespace yard::widgets
