#pragma once

#include <QWidget>

class QBoxLayout;
class QHBoxLayout;

namespace yard::widgets {

class Card;
class ChipRow;
class FilterField;
class Label;
class TableView;

/// The skeleton of a page that is one table: filter line, the table in a card with a foot, and room
/// beside the card for one row in detail. `/` goes to the filter, Enter from there to the table,
/// Ctrl+C copies the selected rows.
class TablePage : public QWidget {
    Q_OBJECT

public:
    void focusFilter();

protected:
    /// Object names: `name` followed by Page, Filter, Table.
    TablePage(const QString& name, const QString& invitation, const QString& tableName,
              QWidget* parent);
    void keyPressEvent(QKeyEvent* event) override;

    QHBoxLayout* m_line;  ///< filter and chips, then what the page adds at the right
    FilterField* m_filter;
    ChipRow* m_chips;
    QBoxLayout* m_body;
    Card* m_card;
    TableView* m_table;
    Label* m_foot;
};

}  // namespace yard::widgets
