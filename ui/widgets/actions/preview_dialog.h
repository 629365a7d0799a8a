#pragma once

#include <QTimer>
#include <memory>

#include "ui/model/actions.h"
#include "ui/widgets/popup.h"

class QLineEdit;
class QStandardItemModel;

namespace yard::widgets {

class ActionDesk;
class Button;
class Label;
class PreviewTiles;
class SegmentedSwitch;
class TableView;
class WarningList;

/// The damage before the click (look §5). Shows what an action will do, asks for what it needs, and
/// carries it out with the token of the preview. An outdated preview is made anew and says what
/// changed; a lost answer is asked for again with the same request id.
///
/// Object names for journeys: previewDialog, reasonField, countField, excludeField, restartSwitch,
/// rebootSwitch, dismissButton, confirmButton, copyCommandButton, renewButton, messageLabel.
class PreviewDialog final : public PopupPanel {
    Q_OBJECT

public:
    /// `undoes` not 0: the preview of taking that operation back; `request` is then unused.
    PreviewDialog(ActionDesk& desk, model::ActionRequest request, quint64 undoes);
    ~PreviewDialog() override;

    /// The focus of a dialog that opens is on Cancel.
    void focusSafely();

Q_SIGNALS:
    void finished();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildHead();
    void buildBody();
    void buildChoices();
    void buildReason();
    void buildCommand();
    void buildFoot();
    void ask(const QString& because);
    void receive(const model::Reply<model::PreviewInfo>& reply, const QString& because);
    void showPreview();
    void showJobs();
    void showCommands();
    void copyCommands();
    void updateConfirm();
    QString refusalToConfirm() const;
    void confirm();
    void send();
    void settle(const model::Reply<model::OperationInfo>& reply);
    void say(const QString& sentence, bool bad);

    ActionDesk& m_desk;
    model::ActionRequest m_request;
    quint64 m_undoes;
    model::PreviewInfo m_preview;
    bool m_hasPreview = false;
    bool m_copyNext = false;  ///< once the preview that is asked for is there
    bool m_asking = false;
    QString m_askedReason;
    bool m_sending = false;
    int m_question = 0;  ///< answers to older ones are dropped
    int m_resends = 0;
    QString m_requestId;
    QTimer m_expiry;
    QTimer m_typing;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);

    Label* m_title = nullptr;
    Label* m_targets = nullptr;
    PreviewTiles* m_tiles = nullptr;
    TableView* m_table = nullptr;
    QStandardItemModel* m_jobs = nullptr;
    WarningList* m_warnings = nullptr;
    SegmentedSwitch* m_restart = nullptr;
    SegmentedSwitch* m_reboot = nullptr;
    Label* m_meaning = nullptr;
    QLineEdit* m_exclude = nullptr;
    QWidget* m_reasonBox = nullptr;
    Label* m_reasonTitle = nullptr;
    QLineEdit* m_reason = nullptr;
    Label* m_command = nullptr;
    Label* m_message = nullptr;
    QWidget* m_countBox = nullptr;
    Label* m_countTitle = nullptr;
    QLineEdit* m_count = nullptr;
    Label* m_made = nullptr;
    Button* m_renew = nullptr;
    Button* m_dismiss = nullptr;
    Button* m_confirm = nullptr;
};

}  // namespace yard::widgets
