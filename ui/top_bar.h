#pragma once

#include <QWidget>

#include "ui/theme/tokens.h"

namespace yard::model {
class ClusterState;
}

namespace yard::ui {

/// Title, jump field, connection with age, the scheduler's reply time and our calls, clock, help.
/// Nothing else is ever put here.
class TopBar final : public QWidget {
    Q_OBJECT

public:
    explicit TopBar(const model::ClusterState& state, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    /// What is said of connection and scheduler, and the colour of the dot before it.
    QString statusWords() const;
    theme::Color connectionTone() const;

Q_SIGNALS:
    void jumpRequested();
    void helpRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Part {
        QString text;
        bool mono = false;
        bool warn = false;
        int columns = 0;  ///< room kept for so many characters, so that nothing beside it shifts
        bool toRight = false;
    };
    QRect jumpRect() const;
    QRect helpRect() const;
    QVector<Part> connectionParts() const;
    QVector<Part> schedulerParts() const;
    static double partWidth(const Part& part);
    int partsWidth(const QVector<Part>& parts) const;
    void paintParts(QPainter& painter, int left, const QVector<Part>& parts) const;
    QString clock() const;

    const model::ClusterState& m_state;
    QString m_title;
};

}  // namespace yard::ui
