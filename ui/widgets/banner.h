#pragma once

#include <QWidget>

namespace yard::widgets {

class Glyph;
class Label;

/// 36 px across the page: something is not as usual and all that is below must be read so.
class Banner final : public QWidget {
    Q_OBJECT

public:
    enum class Tone { Warn, Accent };
    explicit Banner(QWidget* parent = nullptr, Tone tone = Tone::Warn);
    void setTexts(const QString& what, const QString& aside);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Tone m_tone;
    Label* m_what;
    Label* m_aside;
};

}  // namespace yard::widgets
