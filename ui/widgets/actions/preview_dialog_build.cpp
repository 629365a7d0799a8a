#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QRegularExpression>
#include <QRegularExpressionValidator>
#include <QStandardItemModel>
#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/actions/preview_dialog.h"
#include "ui/widgets/actions/preview_parts.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/label.h"
#include "ui/widgets/segmented_switch.h"
#include "ui/widgets/table/table_view.h"

namespace yard::widgets {

using model::ActionKind;
using theme::Color;
using theme::Type;

namespace {

constexpr int kPad = 16;
constexpr int kReasonLimit = 200;

/// A row of the dialog with the usual margins.
QWidget* box(QVBoxLayout* into, QLayout* layout, int top, int bottom)
{
    auto* widget = new QWidget;
    layout->setContentsMargins(kPad, top, kPad, bottom);
    widget->setLayout(layout);
    into->addWidget(widget);
    return widget;
}

QLineEdit* field(const QString& name, const QString& accessibleName, Type type)
{
    auto* edit = new QLineEdit;
    edit->setObjectName(name);
    edit->setAccessibleName(accessibleName);
    edit->setFont(theme::font(type));
    edit->setFixedHeight(theme::px(theme::Size::Control));
    edit->setTextMargins(6, 0, 6, 0);
    return edit;
}

/// A hostlist of this cluster's own names, to show the form.
QString exampleHosts(const model::ClusterState& state)
{
    QStringList names;
    const qsizetype count = state.nodes().size();
    for (qsizetype i = 0; i < std::min<qsizetype>(3, count); ++i)
        names << state.nodes()[i].name;
    if (count > 4)
        names << state.nodes()[4].name;
    return model::foldHostlist(names);
}

}  // namespace

void PreviewDialog::buildHead()
{
    auto* row = new QHBoxLayout;
    m_title = new Label(requestTitle(m_request), Type::Title, Color::TextPrimary);
    m_title->setObjectName(QStringLiteral("previewTitle"));
    m_targets = new Label({}, Type::Mono, Color::TextSecondary);
    m_targets->setHostlist(true);
    auto* close = Button::iconOnly(QStringLiteral("close"), QStringLiteral("Close"));
    close->setFocusPolicy(Qt::NoFocus);
    connect(close, &Button::clicked, this, &PreviewDialog::finished);
    row->setSpacing(12);
    row->addWidget(m_title);
    row->addWidget(m_targets, 1);
    row->addWidget(close);
    box(content(), row, 10, 10);
}

void PreviewDialog::buildBody()
{
    m_tiles = new PreviewTiles;
    m_tiles->setObjectName(QStringLiteral("previewTiles"));
    content()->addWidget(m_tiles);

    m_jobs = new QStandardItemModel(this);
    m_jobs->setHorizontalHeaderLabels({QStringLiteral("Job"), QStringLiteral("Name"),
                                       QStringLiteral("User"), QStringLiteral("GPUs here / all"),
                                       QStringLiteral("Ends by"), QStringLiteral("Then"),
                                       QStringLiteral("At risk")});
    for (const int column : {3, 4, 6}) {
        m_jobs->setHeaderData(column, Qt::Horizontal, int(Qt::AlignRight | Qt::AlignVCenter),
                              Qt::TextAlignmentRole);
    }
    m_table = new TableView;
    m_table->setObjectName(QStringLiteral("affectedJobs"));
    m_table->setModel(m_jobs);
    m_table->setRowHeight(24);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setStretchColumn(1);
    const int widths[] = {100, 0, 90, 110, 100, 74, 108};
    for (int column = 0; column < 7; ++column) {
        if (column != 1)
            m_table->setColumnWidth(column, widths[column]);
    }
    auto* rows = new QVBoxLayout;
    rows->addWidget(m_table);
    box(content(), rows, 0, 0)->layout()->setContentsMargins(1, 0, 1, 0);

    m_warnings = new WarningList;
    auto* warnings = new QVBoxLayout;
    warnings->addWidget(m_warnings);
    box(content(), warnings, 10, 8);
    content()->addWidget(new HairLine);
    buildChoices();
    buildReason();
    buildCommand();
}

void PreviewDialog::buildChoices()
{
    m_meaning = new Label({}, Type::Caption, Color::TextMuted);
    m_meaning->setWordWrap(true);
    const bool restart = m_undoes == 0 && isRestart(m_request.kind);
    const bool reboot = m_undoes == 0 && m_request.kind == ActionKind::Reboot;
    if (!restart) {
        m_meaning->setParent(this);
        m_meaning->hide();
    }
    if (!restart && !reboot)
        return;
    auto* column = new QVBoxLayout;
    column->setSpacing(6);
    if (restart) {
        m_restart = new SegmentedSwitch({QStringLiteral("Requeue, same id"),
                                         QStringLiteral("Requeue and hold"),
                                         QStringLiteral("Resubmit as a new job")});
        m_restart->setObjectName(QStringLiteral("restartSwitch"));
        m_restart->setCurrent(int(m_request.kind) - int(ActionKind::Requeue));
        connect(m_restart, &SegmentedSwitch::currentChanged, this, [this](int way) {
            m_request.kind = ActionKind(int(ActionKind::Requeue) + way);
            m_hasPreview = false;
            ask({});
        });
        column->addWidget(m_restart, 0, Qt::AlignLeft);
        column->addWidget(m_meaning);
        column->addSpacing(4);
        column->addWidget(new Label(QStringLiteral("Not on these nodes, a hostlist"), Type::Label,
                                    Color::TextSecondary));
        m_exclude =
            field(QStringLiteral("excludeField"), QStringLiteral("Nodes to avoid"), Type::Mono);
        m_exclude->setPlaceholderText(exampleHosts(m_desk.state()));
        m_exclude->setText(m_request.excludedNodes);
        connect(m_exclude, &QLineEdit::textEdited, this, [this](const QString& text) {
            // What is shown is not what was typed any more: nothing to confirm until it is again.
            m_hasPreview = false;
            ++m_question;  // nor is an answer that is still on its way
            updateConfirm();
            m_typing.stop();
            const model::Hosts hosts = model::expandHostlist(text);
            if (!hosts.ok()) {
                say(hosts.error, true);
                return;
            }
            m_request.excludedNodes = text;
            m_typing.start();
        });
        column->addWidget(m_exclude);
    } else {
        m_reboot = new SegmentedSwitch({QStringLiteral("When idle"), QStringLiteral("Now")});
        m_reboot->setObjectName(QStringLiteral("rebootSwitch"));
        m_reboot->setCurrent(m_request.rebootWhenIdle ? 0 : 1);
        connect(m_reboot, &SegmentedSwitch::currentChanged, this, [this](int way) {
            m_request.rebootWhenIdle = way == 0;
            m_hasPreview = false;
            ask({});
        });
        column->addWidget(m_reboot, 0, Qt::AlignLeft);
    }
    box(content(), column, 10, 0);
}

void PreviewDialog::buildReason()
{
    auto* column = new QVBoxLayout;
    column->setSpacing(6);
    m_reasonTitle = new Label(QStringLiteral("Reason"), Type::Label, Color::TextSecondary);
    m_reason = field(QStringLiteral("reasonField"), QStringLiteral("Reason"), Type::Body);
    m_reason->setMaxLength(kReasonLimit);
    m_reason->setText(m_request.reason);
    // The reason is sent when it is confirmed; here it is for the command that is shown and copied.
    connect(m_reason, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_request.reason = text;
        if (m_undoes == 0)
            m_typing.start();
        updateConfirm();
    });
    connect(m_reason, &QLineEdit::returnPressed, this, [this] {
        // Enter never confirms: it moves on.
        if (m_preview.typedCountRequired > 0)
            m_count->setFocus();
        else
            m_confirm->setFocus();
    });
    column->addWidget(m_reasonTitle);
    column->addWidget(m_reason);
    m_reasonBox = box(content(), column, 10, 2);
    m_reasonBox->hide();
}

void PreviewDialog::buildCommand()
{
    auto* head = new QHBoxLayout;
    head->addWidget(
        new Label(QStringLiteral("This will be run"), Type::Label, Color::TextSecondary), 1);
    auto* copy = new Button(QStringLiteral("Copy as command"), Button::Kind::Ghost);
    copy->setObjectName(QStringLiteral("copyCommandButton"));
    copy->setIconName(QStringLiteral("copy"));
    copy->setSmall(true);
    connect(copy, &Button::clicked, this, &PreviewDialog::copyCommands);
    head->addWidget(copy);
    box(content(), head, 8, 4);

    auto* inset = new InsetBox;
    auto* inside = new QVBoxLayout(inset);
    inside->setContentsMargins(10, 7, 10, 7);
    m_command = new Label(QStringLiteral("\u2026"), Type::Mono, Color::TextPrimary);
    m_command->setObjectName(QStringLiteral("commandLabel"));
    m_command->setWordWrap(true);
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse);
    inside->addWidget(m_command);
    auto* column = new QVBoxLayout;
    column->addWidget(inset);
    box(content(), column, 0, 12);

    auto* message = new QVBoxLayout;
    m_message = new Label({}, Type::Body, Color::WarnText);
    m_message->setObjectName(QStringLiteral("messageLabel"));
    m_message->setWordWrap(true);
    message->addWidget(m_message);
    box(content(), message, 0, 12)->hide();
}

void PreviewDialog::buildFoot()
{
    content()->addWidget(new HairLine);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    auto* count = new QHBoxLayout;
    count->setContentsMargins(0, 0, 8, 0);
    m_countTitle = new Label({}, Type::Body, Color::TextSecondary);
    m_count = field(QStringLiteral("countField"), QStringLiteral("Count to confirm"), Type::Mono);
    m_count->setFixedWidth(64);
    m_count->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{0,6}")), m_count));
    connect(m_count, &QLineEdit::textChanged, this, &PreviewDialog::updateConfirm);
    m_countBox = new QWidget;
    count->addWidget(m_countTitle);
    count->addWidget(m_count);
    m_countBox->setLayout(count);
    m_countBox->hide();
    row->addWidget(m_countBox);

    m_made = new Label(QStringLiteral("Reading the state\u2026"), Type::Caption, Color::TextMuted);
    m_made->setWordWrap(true);
    row->addWidget(m_made, 1);
    m_renew = new Button(QStringLiteral("New preview"), Button::Kind::Plain);
    m_renew->setObjectName(QStringLiteral("renewButton"));
    m_renew->hide();
    connect(m_renew, &Button::clicked, this, [this] { ask({}); });
    row->addWidget(m_renew);
    m_dismiss = new Button(dismissTitle(m_request), Button::Kind::Plain);
    m_dismiss->setObjectName(QStringLiteral("dismissButton"));
    m_dismiss->setToolTip(QStringLiteral("Esc"));
    connect(m_dismiss, &Button::clicked, this, &PreviewDialog::finished);
    row->addWidget(m_dismiss);
    m_confirm = new Button(requestTitle(m_request), Button::Kind::Danger1Filled);
    m_confirm->setObjectName(QStringLiteral("confirmButton"));
    connect(m_confirm, &Button::clicked, this, &PreviewDialog::confirm);
    row->addWidget(m_confirm);
    box(content(), row, 12, 12);
}

}  // namespace yard::widgets
