#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>

#include "ui/model/cluster_state.h"

class QBoxLayout;

namespace yard::model {
class Selection;
}
namespace yard::widgets {
class ActionDesk;
class Button;
class FactSheet;
class Glyph;
class Label;
class SeriesPanel;
}  // namespace yard::widgets

namespace yard::pages {

/// The current job of the selection, whole, with what can be done about it.
class JobDetail final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive it.
    JobDetail(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent = nullptr);
    ~JobDetail() override;

    void refresh();

Q_SIGNALS:
    void actionRequested(yard::model::ActionKind kind);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void buildHead();
    void askAttempts();
    void follow(const QString& link);

    widgets::ActionDesk& m_desk;
    model::Selection& m_selection;
    widgets::Glyph* m_glyph = nullptr;
    widgets::Label* m_id = nullptr;
    widgets::Label* m_name = nullptr;
    widgets::Button* m_restart = nullptr;
    widgets::Button* m_hold = nullptr;
    widgets::Button* m_cancel = nullptr;
    widgets::FactSheet* m_sheet = nullptr;
    widgets::SeriesPanel* m_series = nullptr;
    QBoxLayout* m_body = nullptr;
    QTimer m_second;
    QString m_askedFor;
    QVector<model::JobAttemptInfo> m_attempts;
    QString m_attemptsError;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

}  // namespace yard::pages
