#pragma once

#include <QTableView>
#include <functional>

namespace yard::widgets {

class CellDelegate;

/// The look's table: rows of 26 px without vertical lines, arrow on the sorted column, hover, check
/// boxes that show and change the selection, what is cut in the tooltip. Virtual, as every
/// QTableView.
class TableView final : public QTableView {
    Q_OBJECT

public:
    explicit TableView(QWidget* parent = nullptr);

    void setCheckBoxes(bool shown);
    void setRowHeight(int height);
    /// Takes the space that the others leave; the last column if never called.
    void setStretchColumn(int column);
    /// A click on a head sorts by it, in the order that `first` gives, then the other way round.
    void setSortable(std::function<Qt::SortOrder(int column)> first);
    void sortBy(int column, Qt::SortOrder order);
    /// As it was sorted last, by the values of now.
    void sortAgain();
    /// Selected rows as lines of tab-separated text, as on the screen but whole.
    QString selectedText() const;
    /// What to say while the model is empty.
    void setEmptyText(const QString& title, const QString& detail = {});

Q_SIGNALS:
    void rowActivated(const QModelIndex& index);  ///< Enter or double click
    void contextMenuRequested(const QModelIndex& index, const QPoint& globalPos);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void setHoveredRow(int row);
    void updateRow(int row);
    bool isOnCheckBox(const QPoint& at) const;

    CellDelegate* m_delegate;
    QString m_emptyTitle;
    QString m_emptyDetail;
    int m_hoveredRow = -1;
    int m_stretchColumn = -1;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
    bool m_checkBoxes = false;
};

}  // namespace yard::widgets
