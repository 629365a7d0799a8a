#pragma once

#include <QVector>
#include <QWidget>

#include "ui/theme/theme.h"

namespace yard::widgets {

/// 96×32 of the recent past; NaN leaves a gap.
class Sparkline final : public QWidget {
    Q_OBJECT

public:
    explicit Sparkline(QWidget* parent = nullptr);
    void setValues(const QVector<double>& values);
    void setTone(theme::Color tone);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVector<double> m_values;
    theme::Color m_tone = theme::Color::TextSecondary;
};

}  // namespace yard::widgets
