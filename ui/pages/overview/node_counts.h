#pragma once

#include <QWidget>
#include <array>

#include "ui/model/cluster.h"

namespace yard::pages {

/// Nodes by state: glyph, name, count, in columns; only states that there are.
class NodeCounts final : public QWidget {
    Q_OBJECT

public:
    explicit NodeCounts(QWidget* parent = nullptr);
    void setCounts(const std::array<int, model::kNodeCategoryCount>& counts);
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void categoryClicked(yard::model::NodeCategory category);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    struct Place {
        model::NodeCategory category;
        QRect rect;
    };
    QVector<Place> places(int width) const;

    std::array<int, model::kNodeCategoryCount> m_counts{};
};

}  // namespace yard::pages
