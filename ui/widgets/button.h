#pragma once

#include <QAbstractButton>

#include "ui/theme/theme.h"

namespace yard::widgets {

/// A button by its danger (look §5). Danger is outlined on pages and filled in dialogs.
class Button final : public QAbstractButton {
    Q_OBJECT

public:
    enum class Kind {
        Primary,
        Plain,
        Ghost,
        Link,
        Danger1,  ///< drain, hold, requeue, stop: amber outline
        Danger1Filled,
        Danger2,  ///< cancel, down, reboot now: red outline
        Danger2Filled,
    };

    Button(const QString& text, Kind kind, QWidget* parent = nullptr);
    /// A square button of an icon alone; `name` is for people who cannot see it, and the tooltip.
    static Button* iconOnly(const QString& icon, const QString& name, QWidget* parent = nullptr);

    void setIconName(const QString& name);
    void setSmall(bool small);
    void setKind(Kind kind);
    /// Disabled with the sentence that says why; an empty one enables.
    void setRefusal(const QString& why);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Look;
    Look look() const;

    Kind m_kind;
    QString m_icon;
    QString m_usualToolTip;
    bool m_small = false;
    bool m_refused = false;
};

}  // namespace yard::widgets
