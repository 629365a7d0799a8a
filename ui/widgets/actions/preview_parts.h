#pragma once

#include <QWidget>

#include "ui/widgets/actions/preview_words.h"

namespace yard::widgets {

/// The row of five figures.
class PreviewTiles final : public QWidget {
    Q_OBJECT

public:
    explicit PreviewTiles(QWidget* parent = nullptr);
    void setTiles(const QVector<PreviewTile>& tiles);
    const QVector<PreviewTile>& tiles() const { return m_tiles; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QVector<PreviewTile> m_tiles;
};

/// Sentences by weight: warnings with a triangle, the last ones (notes) with a dot, a refusal with
/// the fault's mark.
class WarningList final : public QWidget {
    Q_OBJECT

public:
    explicit WarningList(QWidget* parent = nullptr);
    void setLines(const QString& refusal, const QStringList& warnings, const QStringList& notes);

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Line {
        int mark = 0;  ///< Severity
        QString text;
    };
    int lineHeight(const Line& line, int width) const;
    QVector<Line> m_lines;
};

/// The ground of commands: inset, with a hairline.
class InsetBox final : public QWidget {
    Q_OBJECT

public:
    explicit InsetBox(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace yard::widgets
