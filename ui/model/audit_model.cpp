#include "ui/model/audit_model.h"

#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/filter_text.h"

namespace yard::model {
namespace {

constexpr int kPage = 1000;

bool has(const QString& text, const QString& word)
{
    return text.contains(word, Qt::CaseInsensitive);
}

QString brokenBetween(const AuditInfo& before, const AuditInfo& after)
{
    return QStringLiteral("Record %1 does not follow record %2: the chain is broken there.")
        .arg(after.sequence)
        .arg(before.sequence);
}

}  // namespace

AuditModel::AuditModel(Actions& actions, const ClusterState& state, QObject* parent)
    : QAbstractTableModel(parent)
    , m_actions(actions)
{
    connect(&state, &ClusterState::operationsChanged, this, [this] {
        if (m_started)
            refresh();
    });
}

AuditModel::~AuditModel()
{
    *m_alive = false;
}

void AuditModel::setFilter(const QString& text)
{
    if (m_filter == text)
        return;
    beginResetModel();
    m_filter = text;
    m_rows.clear();
    for (int i = int(m_records.size()) - 1; i >= 0; --i) {
        if (matches(m_records[i]))
            m_rows.append(i);
    }
    endResetModel();
}

void AuditModel::refresh()
{
    m_started = true;
    if (m_loading) {
        m_again = true;
        return;
    }
    m_loading = true;
    m_again = false;
    const quint64 after = m_records.isEmpty() ? 0 : m_records.constLast().sequence;
    m_actions.audit(after, kPage, [this, alive = m_alive](const Reply<AuditPage>& reply) {
        if (*alive)
            receive(reply);
    });
}

void AuditModel::receive(const Reply<AuditPage>& reply)
{
    m_loading = false;
    m_error = reply.error;
    if (reply.value)
        append(*reply.value);
    const bool more = reply.value && reply.value->records.size() >= kPage;
    if (more || (m_again && reply.value))
        refresh();
    Q_EMIT loaded();
}

void AuditModel::append(const AuditPage& page)
{
    if (!page.chainOk && m_chainError.isEmpty())
        m_chainError = page.chainError;
    for (const AuditInfo& record : page.records) {
        if (!m_records.isEmpty()) {
            const AuditInfo& last = m_records.constLast();
            if (record.sequence <= last.sequence)
                continue;  // the answer to an older question
            const bool follows =
                record.sequence == last.sequence + 1 && record.previousHash == last.hash;
            if (!follows && m_chainError.isEmpty())
                m_chainError = brokenBetween(last, record);
        }
        m_records.append(record);
        if (!matches(record))
            continue;
        beginInsertRows({}, 0, 0);
        m_rows.prepend(int(m_records.size()) - 1);
        endInsertRows();
    }
}

bool AuditModel::matches(const AuditInfo& record) const
{
    const QStringList words = parseFilter(m_filter, {}).words;
    return std::all_of(words.begin(), words.end(), [&](const QString& word) {
        return has(record.user, word) || has(record.event, word) || has(record.action, word) ||
               has(record.targets, word) || has(record.reason, word) || has(record.command, word) ||
               has(record.detail, word) || has(record.from, word) ||
               (record.operationId != 0 && QString::number(record.operationId) == word);
    });
}

int AuditModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int AuditModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant AuditModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const AuditInfo& record = m_records[m_rows[index.row()]];
    if (role == RecordRole)
        return m_rows[index.row()];
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
        case Sequence:
            return record.sequence;
        case At:
            return record.at;
        case User:
            return record.user;
        case Event:
            return record.event;
        case Action:
            return record.action;
        case Targets:
            return record.targets;
        case Reason:
            return record.reason;
        case Operation:
            return record.operationId == 0 ? QVariant() : QVariant(record.operationId);
        default:
            return {};
    }
}

}  // namespace yard::model
