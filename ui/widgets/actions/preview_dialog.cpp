#include "ui/widgets/actions/preview_dialog.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QUuid>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/model/action_rules.h"
#include "ui/model/cell_roles.h"
#include "ui/model/cluster_state.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/actions/preview_parts.h"
#include "ui/widgets/actions/preview_words.h"
#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/table/table_view.h"

namespace yard::widgets {
namespace {

using model::ActionKind;
using theme::Color;

constexpr int kMaxResends = 5;
constexpr int kResendMs = 2000;
constexpr int kRowsShown = 6;
constexpr int kCommandsShown = 3;

QString newRequestId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

QStandardItem* cell(const QString& text, bool mono, bool right = false,
                    model::Tone tone = model::Tone::Primary)
{
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    item->setData(mono, model::MonoRole);
    item->setData(int(tone), model::ToneRole);
    if (right)
        item->setData(int(Qt::AlignRight | Qt::AlignVCenter), Qt::TextAlignmentRole);
    return item;
}

}  // namespace

PreviewDialog::PreviewDialog(ActionDesk& desk, model::ActionRequest request, quint64 undoes)
    : m_desk(desk)
    , m_request(std::move(request))
    , m_undoes(undoes)
{
    setObjectName(QStringLiteral("previewDialog"));
    setRadius(theme::px(theme::Radius::Dialog));
    setFixedWidth(theme::px(theme::Size::Dialog) + 2 * kShadow);
    content()->setContentsMargins(kShadow, kShadow, kShadow, kShadow);
    content()->setSpacing(0);
    buildHead();
    buildBody();
    buildFoot();
    m_expiry.setSingleShot(true);
    connect(&m_expiry, &QTimer::timeout, this, [this] {
        if (!m_sending)
            ask(QStringLiteral("The preview had expired and was made anew."));
    });
    m_typing.setSingleShot(true);
    m_typing.setInterval(350);
    connect(&m_typing, &QTimer::timeout, this, [this] { ask({}); });
    ask({});
}

PreviewDialog::~PreviewDialog()
{
    *m_alive = false;
}

void PreviewDialog::focusSafely()
{
    m_dismiss->setFocus(Qt::OtherFocusReason);
}

void PreviewDialog::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT finished();
    else
        PopupPanel::keyPressEvent(event);
}

// -- asking --

void PreviewDialog::ask(const QString& because)
{
    m_expiry.stop();
    // A new reason changes the command, not the damage: what is shown stays good meanwhile.
    m_asking = !m_hasPreview || m_request.reason == m_askedReason;
    m_askedReason = m_request.reason;
    updateConfirm();
    const int question = ++m_question;
    const auto answer = [this, question, because,
                         alive = m_alive](const model::Reply<model::PreviewInfo>& reply) {
        if (*alive && question == m_question)
            receive(reply, because);
    };
    if (m_undoes != 0)
        m_desk.actions().previewUndo(m_undoes, answer);
    else
        m_desk.actions().preview(m_request, answer);
}

void PreviewDialog::receive(const model::Reply<model::PreviewInfo>& reply, const QString& because)
{
    m_asking = false;
    if (!reply.value) {
        m_hasPreview = false;
        say(reply.error, true);
        m_renew->show();
        updateConfirm();
        return;
    }
    if (!because.isEmpty() && m_hasPreview) {
        const QString changes = previewChanges(m_preview, *reply.value);
        say(because + QLatin1Char(' ') +
                (changes.isEmpty() ? QStringLiteral("Its figures are as before.")
                                   : QStringLiteral("Changed: %1.").arg(changes)),
            false);
    } else {
        say({}, false);
    }
    m_renew->hide();
    m_preview = *reply.value;
    m_hasPreview = true;
    m_requestId = newRequestId();
    m_request.kind = m_preview.kind;
    showPreview();
    if (std::exchange(m_copyNext, false))
        copyCommands();
    const qint64 left = m_preview.made.msecsTo(m_preview.expires);
    if (left > 0)
        m_expiry.start(int(std::min<qint64>(left, 3'600'000)));
}

void PreviewDialog::showPreview()
{
    const auto& state = m_desk.state();
    m_title->setText((m_undoes != 0 ? QStringLiteral("Undo: ") : QString()) +
                     previewTitle(m_preview));
    m_targets->setText(m_preview.targetCount == 1 ? QString() : m_preview.targets);
    m_tiles->setTiles(previewTiles(m_preview, state.now(), state.timeZone()));
    showJobs();
    QStringList warnings = m_preview.warnings;
    QStringList notes;
    if (isRestart(m_preview.kind)) {
        m_meaning->setText(restartMeaning(m_preview.kind, m_preview.targetCount));
        // The daemon says it too; once is enough.
        warnings.removeIf([](const QString& warning) {
            return warning.contains(QLatin1String("two minutes")) ||
                   warning.contains(QLatin1String("120 s"));
        });
    }
    if (!warnings.isEmpty() && warnings.constLast().startsWith(QLatin1String("Undo")))
        notes.append(warnings.takeLast());
    m_warnings->setLines(m_preview.refusal, warnings, notes);
    m_reasonBox->setVisible(m_preview.reasonPossible || m_preview.reasonRequired);
    m_reasonTitle->setText(m_preview.reasonRequired
                               ? QStringLiteral("Reason, required; others will read it")
                               : QStringLiteral("Reason"));
    showCommands();
    m_countBox->setVisible(m_preview.typedCountRequired > 0);
    m_countTitle->setText(QStringLiteral("Type %1 to confirm").arg(m_preview.typedCountRequired));
    // The note beside it wraps and would otherwise take its room.
    m_countTitle->setFixedWidth(m_countTitle->sizeHint().width());
    m_made->setText(QStringLiteral("Preview of %1 %2.\nRefused if the state has changed.")
                        .arg(theme::shortTime(m_preview.made, state.now(), state.timeZone()),
                             theme::zoneOffset(m_preview.made, state.timeZone())));
    m_confirm->setKind(isSecondDanger(m_request)       ? Button::Kind::Danger2Filled
                       : isFirstDanger(m_preview.kind) ? Button::Kind::Danger1Filled
                                                       : Button::Kind::Primary);
    m_confirm->setText(previewTitle(m_preview));
    updateConfirm();
    updateGeometry();
}

void PreviewDialog::showJobs()
{
    const auto& state = m_desk.state();
    m_jobs->removeRows(0, m_jobs->rowCount());
    for (const auto& job : m_preview.jobs) {
        const bool limited = job.endsBy.isValid();
        m_jobs->appendRow(
            {cell(job.displayId, true), cell(job.name, true, false, model::Tone::Secondary),
             cell(job.user, true, false, model::Tone::Secondary),
             cell(QStringLiteral("%1 / %2").arg(job.gpusHere).arg(job.gpusAll), true, true),
             cell(limited ? endsByWords(job.endsBy, state.now(), state.timeZone())
                          : QStringLiteral("no limit"),
                  true, true),
             cell(job.killed ? QStringLiteral("killed") : QStringLiteral("goes on"), false, false,
                  job.killed ? model::Tone::Warn : model::Tone::Secondary),
             cell(theme::figure(job.gpuHoursAtRisk) + QStringLiteral(" GPU-h"), true, true)});
    }
    const int rows = std::min(int(m_preview.jobs.size()), kRowsShown);
    m_table->setVisible(rows > 0);
    m_table->setFixedHeight(theme::px(theme::Size::RowHead) + rows * 24 + 1);
}

void PreviewDialog::showCommands()
{
    QStringList shown = m_preview.commands.mid(0, kCommandsShown);
    if (m_preview.commands.size() > kCommandsShown)
        shown.append(
            QStringLiteral("# and %1 more").arg(m_preview.commands.size() - kCommandsShown));
    m_command->setText(shown.isEmpty() ? QStringLiteral("# nothing")
                                       : shown.join(QLatin1Char('\n')));
    m_command->setToolTip(m_preview.commands.join(QLatin1Char('\n')));
}

/// With the reason as it is typed: what is still to be asked for is asked for first.
void PreviewDialog::copyCommands()
{
    if (m_typing.isActive()) {
        m_typing.stop();
        m_copyNext = true;
        ask({});
        return;
    }
    QGuiApplication::clipboard()->setText(m_preview.commands.join(QLatin1Char('\n')));
}

// -- confirming --

QString PreviewDialog::refusalToConfirm() const
{
    if (m_sending)
        return QStringLiteral("Sent; waiting for the daemon's answer.");
    if (m_asking || !m_hasPreview)
        return QStringLiteral("There is no current preview.");
    if (!m_preview.refusal.isEmpty())
        return m_preview.refusal;
    const QString rule = m_undoes != 0
                             ? QString()
                             : m_desk.refusal(m_preview.kind, m_request.nodes + m_request.jobs);
    if (!rule.isEmpty())
        return rule;
    if (m_preview.reasonRequired && m_reason->text().trimmed().isEmpty())
        return QStringLiteral("A reason is required.");
    if (m_preview.typedCountRequired > 0 &&
        m_count->text().trimmed() != QString::number(m_preview.typedCountRequired))
        return QStringLiteral("Type %1 to confirm.").arg(m_preview.typedCountRequired);
    return {};
}

void PreviewDialog::updateConfirm()
{
    m_confirm->setRefusal(refusalToConfirm());
    const bool still = !m_sending;
    m_reason->setEnabled(still);
    m_count->setEnabled(still);
    if (m_exclude)
        m_exclude->setEnabled(still);
}

void PreviewDialog::confirm()
{
    if (!refusalToConfirm().isEmpty())
        return;
    m_expiry.stop();
    m_typing.stop();
    m_sending = true;
    m_resends = 0;
    m_desk.outcomes().expect(m_requestId);
    send();
    updateConfirm();
}

void PreviewDialog::send()
{
    m_desk.actions().execute(
        m_preview.token, m_requestId, m_reason->text().trimmed(), m_count->text().trimmed().toInt(),
        [this, alive = m_alive](const model::Reply<model::OperationInfo>& reply) {
            if (*alive)
                settle(reply);
        });
}

void PreviewDialog::settle(const model::Reply<model::OperationInfo>& reply)
{
    const auto& known = m_desk.state().operations();
    const bool seen = std::any_of(known.begin(), known.end(), [&](const auto& operation) {
        return operation.requestId == m_requestId;
    });
    if (reply.value || seen) {
        Q_EMIT finished();
        return;
    }
    if (reply.code == model::ReplyCode::NoAnswer && m_resends++ < kMaxResends) {
        say(QStringLiteral("%1 Whether it was carried out is unknown. Checking: it is asked for "
                           "again under the same id, which cannot act twice.")
                .arg(reply.error),
            true);
        QTimer::singleShot(kResendMs, this, &PreviewDialog::send);
        return;
    }
    m_sending = false;
    if (reply.code == model::ReplyCode::NoAnswer) {
        say(QStringLiteral("%1 Whether it was carried out is still unknown. Nothing more is sent; "
                           "look at the state, and at the audit once the daemon answers.")
                .arg(reply.error),
            true);
        m_hasPreview = false;
        m_renew->show();
    } else if (reply.code == model::ReplyCode::Changed) {
        ask(QStringLiteral("Refused, nothing was changed: %1").arg(reply.error));
    } else {
        say(QStringLiteral("%1 Nothing was changed.").arg(reply.error), true);
        m_renew->show();
    }
    updateConfirm();
}

void PreviewDialog::say(const QString& sentence, bool bad)
{
    m_message->setText(sentence);
    m_message->setTone(bad ? Color::FaultText : Color::WarnText);
    m_message->parentWidget()->setVisible(!sentence.isEmpty());
    updateGeometry();
}

}  // namespace yard::widgets
