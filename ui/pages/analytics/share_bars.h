#pragma once

#include <QVector>
#include <QWidget>
#include <functional>

namespace yard::pages {

/// Shares by type: jobs at the left, GPU time at the right, each a bar with a tick where the paper
/// had it. NaN: not known.
class ShareBars final : public QWidget {
    Q_OBJECT

public:
    struct Row {
        QString name;
        std::function<QColor()> color;
        double jobs = 0;  ///< percent, as all here
        double time = 0;
        double paperJobs = 0;
        double paperTime = 0;
    };
    explicit ShareBars(QWidget* parent = nullptr);
    void setRows(const QVector<Row>& rows);
    const QVector<Row>& rows() const { return m_rows; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintBar(QPainter& painter, const QRect& box, double share, double paper,
                  const QColor& color) const;
    double top() const;
    QVector<Row> m_rows;
};

/// What jobs came to, and their GPU time: completed, cancelled, failed, the rest; the paper's below
/// each.
class OutcomeBars final : public QWidget {
    Q_OBJECT

public:
    struct Bar {
        QString name;             ///< "yours", "Seren"
        QVector<double> percent;  ///< completed, cancelled, failed; what is left is neither
    };
    explicit OutcomeBars(QWidget* parent = nullptr);
    void setBars(const QVector<Bar>& jobs, const QVector<Bar>& time);
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int paintGroup(QPainter& painter, int top, const QString& title,
                   const QVector<Bar>& bars) const;
    QVector<Bar> m_jobs;
    QVector<Bar> m_time;
};

}  // namespace yard::pages
