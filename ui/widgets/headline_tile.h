#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

namespace yard::widgets {

class Sparkline;

/// One headline: title, figure with unit, the last day as a line, one caption. The figure is
/// painted digit by digit on the advance of 0, so that it does not tremble while it lives.
class HeadlineTile final : public QWidget {
    Q_OBJECT

public:
    explicit HeadlineTile(const QString& title, QWidget* parent = nullptr);

    void setFigure(const QString& value, const QString& unit = {});
    void setCaption(const QString& caption);
    void setTone(theme::Color tone);  ///< of the figure
    /// `missing` stands in the place of a line that cannot be drawn.
    void setHistory(const QVector<double>& values, const QString& missing = {});
    const QString& missingHistory() const { return m_missingHistory; }
    void setCompact(bool compact);  ///< 72 px instead of 96

Q_SIGNALS:
    void clicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    int figureTop() const;
    double paintFigure(QPainter& painter, const QFont& font, QPointF baseline) const;

    QString m_title;
    QString m_value;
    QString m_unit;
    QString m_caption;
    QString m_missingHistory;
    theme::Color m_tone = theme::Color::TextPrimary;
    Sparkline* m_spark;
    bool m_compact = false;
};

}  // namespace yard::widgets
