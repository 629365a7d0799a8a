#pragma once

#include <QVBoxLayout>
#include <QWidget>

#include "ui/theme/theme.h"

class QHBoxLayout;

namespace yard::widgets {

class Label;

/// A flat surface with a head of 36 px (title, muted explanation, anything at the right) and a
/// body.
class Card final : public QWidget {
    Q_OBJECT

public:
    /// Without a title there is no head.
    explicit Card(const QString& title = {}, const QString& note = {}, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setNote(const QString& note);
    void setCount(const QString& count);  ///< a badge beside the title; empty hides it
    void addToHead(QWidget* widget);      ///< at the right
    QVBoxLayout* body() const { return m_body; }
    void setBodyMargins(int left, int top, int right, int bottom);
    void setHeadLine(bool shown);
    void setLine(theme::Color line);
    /// A 2 px line under the head while something is awaited.
    void setWaiting(bool waiting);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* m_head = nullptr;
    QHBoxLayout* m_headLayout = nullptr;
    QVBoxLayout* m_body = nullptr;
    Label* m_title = nullptr;
    Label* m_note = nullptr;
    Label* m_count = nullptr;
    theme::Color m_line = theme::Color::LineSubtle;
    bool m_headLine = false;
    bool m_waiting = false;
};

/// A horizontal hairline between two kinds of thing.
class HairLine final : public QWidget {
    Q_OBJECT

public:
    explicit HairLine(Qt::Orientation orientation = Qt::Horizontal, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace yard::widgets
