#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "ui/model/actions.h"

namespace yard::model {

class ClusterState;

/// The audit chain, newest first. Reads all of it once, then what is new after each operation, and
/// checks that the pages hang together; the links inside a page the daemon has checked.
///
/// Thread: GUI thread only.
class AuditModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Sequence, At, User, Event, Action, Targets, Reason, Operation, kColumnCount };
    enum Role { RecordRole = Qt::UserRole + 1 };  ///< number for record()

    /// Both must outlive the model.
    AuditModel(Actions& actions, const ClusterState& state, QObject* parent = nullptr);
    ~AuditModel() override;

    void setFilter(const QString& text);
    /// Asks for what is new. The first call reads everything.
    void refresh();

    const AuditInfo& record(int row) const { return m_records[m_rows[row]]; }
    int total() const { return int(m_records.size()); }
    /// Oldest first.
    const QVector<AuditInfo>& records() const { return m_records; }
    bool isLoading() const { return m_loading; }
    QString error() const { return m_error; }  ///< of the last call
    /// Empty while every link holds; else where the chain broke.
    QString chainError() const { return m_chainError; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

Q_SIGNALS:
    void loaded();

private:
    void receive(const Reply<AuditPage>& reply);
    void append(const AuditPage& page);
    bool matches(const AuditInfo& record) const;

    Actions& m_actions;
    QVector<AuditInfo> m_records;
    QVector<int> m_rows;  ///< newest first
    QString m_filter;
    QString m_error;
    QString m_chainError;
    bool m_loading = false;
    bool m_again = false;
    bool m_started = false;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

}  // namespace yard::model
