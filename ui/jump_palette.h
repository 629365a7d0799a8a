#pragma once

#include "ui/jump_search.h"
#include "ui/widgets/popup.h"

class QLineEdit;

namespace yard::ui {

/// Ctrl+K: type a part of a node, job, user, hostlist or page, Enter goes there.
class JumpPalette final : public widgets::PopupPanel {
    Q_OBJECT

public:
    JumpPalette(const model::ClusterState& state, QWidget* parent = nullptr);
    void setText(const QString& text);
    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(const yard::ui::JumpTarget& target);
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    QRect rowRect(int row) const;

    const model::ClusterState& m_state;
    QLineEdit* m_edit;
    QVector<JumpTarget> m_hits;
    int m_current = 0;
};

/// `?`: every key of the window and of the page.
class KeySheet final : public widgets::PopupPanel {
    Q_OBJECT

public:
    explicit KeySheet(QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace yard::ui
