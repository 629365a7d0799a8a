#pragma once

#include <QIdentityProxyModel>

#include "ui/widgets/table/table_page.h"

namespace yard::model {
class AuditModel;
class ClusterState;
}  // namespace yard::model
namespace yard::widgets {
class ActionDesk;
class Button;
class Card;
class FactSheet;
class Label;
}  // namespace yard::widgets

namespace yard::pages {

/// What was asked, sent, observed, refused and denied, newest first, and whether the chain holds.
///
/// Object names for journeys: auditPage, auditFilter, auditTable, auditDetail, exportButton,
/// chainLabel.
class AuditPage final : public widgets::TablePage {
    Q_OBJECT

public:
    /// Must outlive the page.
    explicit AuditPage(widgets::ActionDesk& desk, QWidget* parent = nullptr);

    /// One JSON object a line, oldest first, the names of the wire. A sentence if it failed.
    QString exportTo(const QString& path) const;

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectAll();
    void refresh();
    void showRecord();
    void chooseFile();

    widgets::ActionDesk& m_desk;
    model::AuditModel* m_model;
    QIdentityProxyModel* m_cells;
    widgets::Label* m_chain;
    widgets::Button* m_export;
    widgets::Card* m_detailCard;
    widgets::FactSheet* m_detail;
};

}  // namespace yard::pages
