#pragma once

#include <QWidget>

namespace yard::widgets {

/// 6 px: shares of a whole, each in its colour, solid or striped.
class ProgressBar final : public QWidget {
    Q_OBJECT

public:
    struct Segment {
        double share = 0;
        QColor color;
        bool striped = false;
    };
    explicit ProgressBar(QWidget* parent = nullptr);
    void setSegments(const QVector<Segment>& segments);
    QSize sizeHint() const override { return {120, 6}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVector<Segment> m_segments;
};

}  // namespace yard::widgets
