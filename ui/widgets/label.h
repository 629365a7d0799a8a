#pragma once

#include <QLabel>

#include "ui/theme/theme.h"

namespace yard::widgets {

/// Text in one of the look's type styles and colours. One line: what does not fit is elided (names
/// and hostlists in the middle) and stands whole in the tooltip. With setWordWrap it takes more
/// lines.
class Label final : public QLabel {
    Q_OBJECT

public:
    Label(const QString& text, theme::Type type, theme::Color tone, QWidget* parent = nullptr);
    explicit Label(theme::Type type = theme::Type::Body,
                   theme::Color tone = theme::Color::TextPrimary, QWidget* parent = nullptr);

    void setTone(theme::Color tone);
    theme::Color tone() const { return m_tone; }
    /// ElideNone: the label asks for its full width.
    void setElide(Qt::TextElideMode mode);
    /// The text is a folded hostlist: cut between its ranges where it must be.
    void setHostlist(bool hostlist);
    bool isCut() const;

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void linkRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void applyTone();
    QString shown() const;

    theme::Type m_type;
    theme::Color m_tone;
    bool m_hostlist = false;
    Qt::TextElideMode m_elide = Qt::ElideNone;
};

}  // namespace yard::widgets
