#pragma once

#include <QHeaderView>

namespace yard::widgets {

/// The head of a table: 28 px, label font, an arrow beside the name of the sorted column, and the
/// box that selects all.
class TableHeader final : public QHeaderView {
    Q_OBJECT

public:
    explicit TableHeader(QWidget* parent = nullptr);

    void setCheckBoxes(bool shown);

Q_SIGNALS:
    void allToggled();

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void paintEvent(QPaintEvent* event) override;
    QSize sectionSizeFromContents(int section) const override;
    QSize sizeHint() const override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    QString title(int section) const;
    Qt::CheckState allState() const;
    QRect boxRect() const;

    bool m_checkBoxes = false;
};

}  // namespace yard::widgets
