#include "ui/widgets/table/cells_model.h"

namespace yard::widgets {

CellsModel::CellsModel(std::span<const ColumnLook> looks, QAbstractItemModel& source,
                       QObject* parent)
    : QIdentityProxyModel(parent)
    , m_looks(looks)
{
    setSourceModel(&source);
}

int CellsModel::alignment(int column) const
{
    return int((look(column).right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QVariant CellsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || size_t(section) >= m_looks.size())
        return {};
    if (role == Qt::DisplayRole)
        return QString::fromLatin1(look(section).title);
    return role == Qt::TextAlignmentRole ? QVariant(alignment(section)) : QVariant();
}

}  // namespace yard::widgets
