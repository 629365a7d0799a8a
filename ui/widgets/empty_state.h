#pragma once

#include <QWidget>

namespace yard::widgets {

class Label;

/// What stands where nothing is: one icon, what is empty, since when or what to do.
class EmptyState final : public QWidget {
    Q_OBJECT

public:
    EmptyState(const QString& icon, const QString& title, const QString& detail,
               QWidget* parent = nullptr);
    void setTexts(const QString& title, const QString& detail);

private:
    Label* m_title;
    Label* m_detail;
};

}  // namespace yard::widgets
