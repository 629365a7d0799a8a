#pragma once

#include <QAbstractScrollArea>

#include "ui/pages/overview/attention.h"

namespace yard::pages {

/// The list of what needs attention: mark, title, facts, age, and where it leads.
class AttentionList final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit AttentionList(QWidget* parent = nullptr);
    /// Why an empty list is no good news; empty: it is.
    void setUnknown(const QString& why) { m_unknown = why; }
    void setItems(const QVector<AttentionItem>& items);

Q_SIGNALS:
    void itemActivated(const yard::pages::AttentionItem& item);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void paintItem(QPainter& painter, const QRect& rect, const AttentionItem& item,
                   bool hovered) const;
    int rowAt(int y) const;
    void updateRange();

    QVector<AttentionItem> m_items;
    QString m_unknown;
    int m_hovered = -1;
    int m_current = 0;
};

}  // namespace yard::pages
