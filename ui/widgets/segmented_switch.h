#pragma once

#include <QStringList>
#include <QWidget>

namespace yard::widgets {

/// One of a few, side by side. Left and right move, as in a tab bar.
class SegmentedSwitch final : public QWidget {
    Q_OBJECT

public:
    explicit SegmentedSwitch(const QStringList& options, QWidget* parent = nullptr);

    int current() const { return m_current; }
    void setCurrent(int index);  ///< -1: none
    void setSmall(bool small);
    void setEnabledOptions(const QVector<bool>& enabled, const QString& why);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void currentChanged(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int optionAt(const QPoint& at) const;
    QRect optionRect(int index) const;
    bool isEnabledOption(int index) const { return m_enabled.value(index, true); }

    QStringList m_options;
    QVector<bool> m_enabled;
    QString m_why;
    int m_current = 0;
    int m_hovered = -1;
    bool m_small = false;
};

}  // namespace yard::widgets
