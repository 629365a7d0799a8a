#pragma once

#include <QLineEdit>

namespace yard::widgets {

/// The filter of a page: funnel at the left, the `/` key or the count of hits at the right. A bad
/// expression turns the line red and says what is wrong under it, as a tooltip and in problem().
class FilterField final : public QLineEdit {
    Q_OBJECT

public:
    explicit FilterField(const QString& placeholder, QWidget* parent = nullptr);

    void setHint(const QString& hint);  ///< "45 nodes"; shown while there is text
    void setProblem(const QString& sentence);
    QString problem() const { return m_problem; }
    void setMono(bool mono);

    QSize sizeHint() const override;

Q_SIGNALS:
    /// 120 ms after the last key.
    void filterChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString m_hint;
    QString m_problem;
};

/// A key cap: "/", "Ctrl K", "Esc".
void paintKey(QPainter& painter, const QRect& rect, const QString& key);
int keyWidth(const QString& key);

}  // namespace yard::widgets
