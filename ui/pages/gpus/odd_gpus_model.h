#pragma once

#include <QAbstractTableModel>

#include "ui/model/odd_gpus.h"

namespace yard::pages {

/// The odd ones out as a table: what each GPU does, what its peers do, and what else is known of
/// it.
class OddGpusModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Gpu, Job, Now, Peers, Else, ColumnCount };

    explicit OddGpusModel(const model::GpuMap& map, QObject* parent = nullptr);
    void refresh();
    QString nodeAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const model::OddGpu& odd, int column) const;
    QString elseKnown(const model::OddGpu& odd) const;
    QString value(float value) const;
    QString unit() const;

    const model::GpuMap& m_map;
    QVector<model::OddGpu> m_rows;
};

}  // namespace yard::pages
