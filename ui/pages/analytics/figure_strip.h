#pragma once

#include <QVector>
#include <QWidget>

namespace yard::pages {

/// Headline figures side by side: title, figure, and what the paper had. In two rows where one has
/// no room.
class FigureStrip final : public QWidget {
    Q_OBJECT

public:
    struct Tile {
        QString title;
        QString value;
        QString caption;
        QString help;        ///< the definition
        bool quiet = false;  ///< too few to mean anything
    };
    explicit FigureStrip(QWidget* parent = nullptr);
    void setTiles(const QVector<Tile>& tiles);
    const QVector<Tile>& tiles() const { return m_tiles; }
    QSize sizeHint() const override { return {600, 74}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    int columns() const;
    QRect tileRect(int index) const;
    QVector<Tile> m_tiles;
};

}  // namespace yard::pages
