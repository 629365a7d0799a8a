#pragma once

#include <QHash>
#include <QObject>
#include <QSet>

#include "ui/model/actions.h"
#include "ui/model/cluster_state.h"

namespace yard::test {

/// The daemon's side of the Actions port in memory: previews from a ClusterState, takes a token
/// once and only while the state is the previewed one, knows a request id again, keeps a hash
/// chain, and reports operations as updates. Answers come later, on the event loop.
class LocalActions final : public QObject, public model::Actions {
    Q_OBJECT

public:
    explicit LocalActions(model::ClusterState& state);

    void preview(const model::ActionRequest& request, Callback<model::PreviewInfo> done) override;
    void previewUndo(quint64 operationId, Callback<model::PreviewInfo> done) override;
    void execute(const QString& token, const QString& requestId, const QString& reason,
                 int typedCount, Callback<model::OperationInfo> done) override;
    void audit(quint64 afterSequence, int limit, Callback<model::AuditPage> done) override;
    void attempts(const QString& displayId, Callback<QVector<model::JobAttemptInfo>> done) override;
    /// A slow wave in 0 to 100 of every metric, with the middle fifth of each hour missing.
    void series(const model::SeriesRequest& request, Callback<model::SeriesInfo> done) override;
    /// What setCharacterization() gave; an error without it.
    void characterize(const model::CharacterizeRequest& request,
                      Callback<model::Characterization> done) override;

    /// The scheduler reports the operation as done, or says no.
    void observe(quint64 operationId);
    void refuse(quint64 operationId, const QString& words);
    /// The next `count` executes act, but their answer is lost.
    void loseAnswers(int count) { m_toLose = count; }
    /// Operations are made but not yet told in updates.
    void holdReports(bool held) { m_held = held; }
    void denyAll(const QString& sentence) { m_denied = sentence; }
    void setPreviewSeconds(int seconds) { m_previewSeconds = seconds; }
    void breakChainAt(quint64 sequence);
    /// No series of that node any more: what a daemon says that has never read it.
    void forgetSeriesOf(const QString& node) { m_withoutSeries.insert(node); }
    const QVector<model::SeriesRequest>& seriesAsked() const { return m_seriesAsked; }
    void setCharacterization(const model::Characterization& all) { m_characterization = all; }
    const QVector<model::CharacterizeRequest>& characterizationsAsked() const
    {
        return m_characterizationsAsked;
    }

    int operationsMade() const { return int(m_operations.size()); }
    int executeCalls() const { return m_executeCalls; }
    const model::ActionRequest& lastRequest() const { return m_lastRequest; }
    const QVector<model::OperationInfo>& made() const { return m_operations; }

private:
    struct Ticket {
        model::ActionRequest request;
        model::PreviewInfo preview;
        quint64 revision = 0;
    };
    model::PreviewInfo makePreview(const model::ActionRequest& request) const;
    void report(const model::OperationInfo& operation);
    void write(const QString& event, const model::OperationInfo& operation, const QString& detail);

    model::ClusterState& m_state;
    QHash<QString, Ticket> m_tickets;
    QVector<model::OperationInfo> m_operations;
    QVector<model::AuditInfo> m_chain;
    model::ActionRequest m_lastRequest;
    QString m_denied;
    QSet<QString> m_withoutSeries;
    QVector<model::SeriesRequest> m_seriesAsked;
    std::optional<model::Characterization> m_characterization;
    QVector<model::CharacterizeRequest> m_characterizationsAsked;
    QString m_chainError;
    bool m_held = false;
    int m_toLose = 0;
    int m_executeCalls = 0;
    int m_previewSeconds = 60;
    quint64 m_nextToken = 1;
    quint64 m_nextOperation = 3000;
};

}  // namespace yard::test
