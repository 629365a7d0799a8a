#pragma once

#include <QIdentityProxyModel>
#include <span>

namespace yard::widgets {

struct ColumnLook {
    const char* title;
    bool right = false;
    bool mono = true;
};

/// Base of the proxies that turn a model's values into what CellDelegate draws: heads, sides and
/// fonts by column. Subclasses answer the other roles.
class CellsModel : public QIdentityProxyModel {
    Q_OBJECT

public:
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    /// `looks` one a column, and like `source` they must outlive it.
    CellsModel(std::span<const ColumnLook> looks, QAbstractItemModel& source, QObject* parent);
    const ColumnLook& look(int column) const { return m_looks[size_t(column)]; }
    int alignment(int column) const;

private:
    std::span<const ColumnLook> m_looks;
};

}  // namespace yard::widgets
