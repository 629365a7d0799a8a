#pragma once

#include <QVector>
#include <QWidget>
#include <functional>

namespace yard::widgets {

/// The key of a chart with several lines: a stroke in each one's colour, and its name. What does
/// not fit stays out and is counted.
class LineKey final : public QWidget {
    Q_OBJECT

public:
    struct Entry {
        QString name;
        std::function<QColor()> color;
        bool dashed = false;
    };
    explicit LineKey(QWidget* parent = nullptr);
    void setEntries(const QVector<Entry>& entries);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {40, 18}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double widthOf(const Entry& entry) const;
    QVector<Entry> m_entries;
};

}  // namespace yard::widgets
