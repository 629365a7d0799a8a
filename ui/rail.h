#pragma once

#include <QVector>
#include <QWidget>

#include "ui/model/selection.h"

namespace yard::model {
class ClusterState;
}

namespace yard::ui {

struct PageEntry {
    model::Page page;
    QString title;
    QString icon;
    QString about;  ///< what is found there, for the jump list
};
/// The pages that there are, in the order of the rail and of the digit keys.
const QVector<PageEntry>& pageEntries();

/// The left rail: mark, cluster with its connection, pages, and at the foot sources and identity.
/// Folded it shows icons alone, with tooltips that name the key.
class Rail final : public QWidget {
    Q_OBJECT

public:
    explicit Rail(const model::ClusterState& state, QWidget* parent = nullptr);

    void setFolded(bool folded);
    void setCurrent(model::Page page);
    void refresh();

Q_SIGNALS:
    void pageRequested(yard::model::Page page);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRect entryRect(int index) const;
    QRect footRect() const;
    int entryAt(const QPoint& at) const;
    void paintBrand(QPainter& painter) const;
    void paintCluster(QPainter& painter) const;
    void paintEntries(QPainter& painter) const;
    void paintFoot(QPainter& painter) const;
    QString sourcesText(bool* bad) const;

    const model::ClusterState& m_state;
    model::Page m_current = model::Page::Overview;
    int m_hovered = -1;
    bool m_folded = false;
};

}  // namespace yard::ui
