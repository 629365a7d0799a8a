#pragma once

#include <QVector>
#include <QWidget>
#include <functional>

namespace yard::widgets {

/// Names with bars and numbers: a small, exact chart. Rows of 22 px.
class BarList final : public QWidget {
    Q_OBJECT

public:
    struct Row {
        QString name;
        double share = 0;  ///< of the bar's length
        QString value;
        QString aside;
        std::function<QColor()> color;
        std::function<void(QPainter&, const QRectF&)> glyph;  ///< before the name
    };
    explicit BarList(QWidget* parent = nullptr);
    void setRows(const QVector<Row>& rows);
    void setNameWidth(int width);
    void setMono(bool mono);  ///< names in mono
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void rowClicked(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    QVector<Row> m_rows;
    int m_nameWidth = 122;
    bool m_mono = false;
};

}  // namespace yard::widgets
