#pragma once

#include <QSet>
#include <QWidget>
#include <functional>

#include "ui/model/filter_text.h"

class QHBoxLayout;

namespace yard::widgets {

/// The chips beside a filter: what is filtered, each with its `×`, and menus that add to it. It is
/// built anew whenever the filter changes.
class ChipRow final : public QWidget {
    Q_OBJECT

public:
    explicit ChipRow(QWidget* parent = nullptr);

    void clear();
    void addActive(const QString& text, std::function<void()> removed);
    void addTerm(const model::FilterTerm& term, std::function<void()> removed);
    /// A chip named `key` + "Chip" that opens a menu of what `values` returns then.
    void addMenu(const QString& key, std::function<QStringList()> values,
                 std::function<void(const QString&)> chosen, const QString& name = {});
    /// In natural order, as many as a menu can carry.
    static QStringList inOrder(const QSet<QString>& values);

private:
    QHBoxLayout* m_row;
};

}  // namespace yard::widgets
