#include "ui/pages/audit/audit_page.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QHeaderView>
#include <QSaveFile>

#include "ui/model/audit_model.h"
#include "ui/model/cluster_state.h"
#include "ui/pages/audit/audit_cells.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/table/table_view.h"

namespace yard::pages {

using theme::Color;
using theme::Type;
using widgets::Button;
using Column = model::AuditModel::Column;

namespace {

constexpr int kDetailBeside = 1300;

}  // namespace

AuditPage::AuditPage(widgets::ActionDesk& desk, QWidget* parent)
    : TablePage(QStringLiteral("audit"), QStringLiteral("Filter: user, node, job, event, command"),
                QStringLiteral("Audit records"), parent)
    , m_desk(desk)
    , m_model(new model::AuditModel(desk.actions(), desk.state(), this))
    , m_cells(new AuditCells(desk.state(), *m_model, this))
{
    m_chain = new widgets::Label({}, Type::Body, Color::TextSecondary);
    m_chain->setObjectName(QStringLiteral("chainLabel"));
    m_chain->setElide(Qt::ElideRight);
    m_line->addWidget(m_chain, 3);
    m_export = new Button(QStringLiteral("Export\u2026"), Button::Kind::Plain);
    m_export->setObjectName(QStringLiteral("exportButton"));
    m_line->addWidget(m_export);
    m_table->setModel(m_cells);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setStretchColumn(Column::Targets);
    m_table->horizontalHeader()->setSortIndicatorShown(false);

    m_detailCard = new widgets::Card(QStringLiteral("Record"));
    m_detailCard->setBodyMargins(1, 0, 1, 1);
    m_detail = new widgets::FactSheet;
    m_detail->setObjectName(QStringLiteral("auditDetail"));
    m_detailCard->body()->addWidget(m_detail, 1);
    m_body->addWidget(m_detailCard);
    connectAll();
    refresh();
}

void AuditPage::connectAll()
{
    connect(m_filter, &widgets::FilterField::filterChanged, this, [this](const QString& text) {
        m_model->setFilter(text);
        refresh();
    });
    connect(m_model, &model::AuditModel::loaded, this, &AuditPage::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &AuditPage::showRecord);
    connect(m_cells, &QAbstractItemModel::modelReset, this, &AuditPage::showRecord);
    connect(m_export, &Button::clicked, this, &AuditPage::chooseFile);
    connect(&m_desk.state(), &model::ClusterState::connectionChanged, this, [this] {
        if (isVisible() && m_desk.state().connection() == model::Connection::Connected)
            m_model->refresh();
        refresh();
    });
}

void AuditPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_model->refresh();
    refresh();
}

void AuditPage::refresh()
{
    const QString broken = m_model->chainError();
    if (!broken.isEmpty()) {
        m_chain->setText(broken);
        m_chain->setTone(Color::FaultText);
    } else if (!m_model->error().isEmpty()) {
        m_chain->setText(m_model->error());
        m_chain->setTone(Color::WarnText);
    } else if (m_model->total() > 0) {
        m_chain->setText(QStringLiteral("Chain of %1 holds")
                             .arg(theme::counted(m_model->total(), QStringLiteral("record"),
                                                 QStringLiteral("records"))));
        m_chain->setTone(Color::GoodText);
    } else {
        m_chain->setText(m_model->isLoading() ? QStringLiteral("Reading the chain\u2026")
                                              : QString());
        m_chain->setTone(Color::TextMuted);
    }
    m_filter->setHint(
        theme::counted(m_model->rowCount(), QStringLiteral("record"), QStringLiteral("records")));
    m_foot->setText(QStringLiteral("%1 of %2 shown \u00b7 newest first")
                        .arg(theme::number(qint64(m_model->rowCount())),
                             theme::number(qint64(m_model->total()))));
    m_export->setRefusal(m_model->total() == 0 ? QStringLiteral("There are no records to export.")
                                               : QString());
    if (m_model->total() == 0)
        m_table->setEmptyText(
            QStringLiteral("No records"),
            m_model->error().isEmpty()
                ? QStringLiteral("Nothing has been asked for through this daemon.")
                : m_model->error());
    else
        m_table->setEmptyText(QStringLiteral("No record fits the filter"),
                              QStringLiteral("Esc in the filter clears it."));
    showRecord();
}

void AuditPage::showRecord()
{
    const int row = m_table->currentIndex().row();
    if (row < 0 || row >= m_model->rowCount()) {
        m_detailCard->setTitle(QStringLiteral("Record"));
        m_detail->setFacts({widgets::Fact::sentence(
            m_model->rowCount() > 0 ? QStringLiteral("Choose a record to see all of it.")
                                    : QStringLiteral("Every action leaves its records here."))});
        return;
    }
    const model::AuditInfo& record = m_model->record(row);
    m_detailCard->setTitle(QStringLiteral("Record %1").arg(record.sequence));
    m_detail->setFacts(auditFacts(m_desk.state(), record, m_model->chainError()));
}

// -- export --

QString AuditPage::exportTo(const QString& path) const
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return QStringLiteral("%1 cannot be written: %2. Nothing was exported.")
            .arg(path, file.errorString());
    for (const model::AuditInfo& record : m_model->records()) {
        file.write(auditJson(record));
        file.write("\n");
    }
    if (!file.commit())
        return QStringLiteral("%1 was not written: %2. Nothing was exported.")
            .arg(path, file.errorString());
    return {};
}

void AuditPage::chooseFile()
{
    auto* dialog = new QFileDialog(this, QStringLiteral("Export the audit chain"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("jsonl"));
    dialog->selectFile(QStringLiteral("audit.jsonl"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const QString error = exportTo(path);
        m_foot->setText(error.isEmpty()
                            ? QStringLiteral("Exported %1 to %2")
                                  .arg(theme::counted(m_model->total(), QStringLiteral("record"),
                                                      QStringLiteral("records")),
                                       path)
                            : error);
    });
    dialog->open();
}

// -- size --

void AuditPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool beside = width() >= kDetailBeside;
    m_body->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    if (beside) {
        m_detailCard->setFixedWidth(width() > 3000 ? 640 : 440);
        m_detailCard->setMinimumHeight(0);
        m_detailCard->setMaximumHeight(QWIDGETSIZE_MAX);
    } else {
        m_detailCard->setMinimumWidth(0);
        m_detailCard->setMaximumWidth(QWIDGETSIZE_MAX);
        m_detailCard->setFixedHeight(qMax(180, height() * 2 / 5));
    }
    const bool wide = m_card->width() > 1100 || width() > 1500;
    const int widths[] = {72, wide ? 132 : 96, 92, 92, 124, 0, wide ? 260 : 150, 92};
    for (int column = 0; column < Column::kColumnCount; ++column) {
        if (column != Column::Targets)
            m_table->setColumnWidth(column, widths[column]);
    }
}

}  // namespace yard::pages
