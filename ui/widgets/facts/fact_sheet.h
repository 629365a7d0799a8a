#pragma once

#include <QScrollArea>
#include <QVector>

#include "ui/theme/theme.h"

namespace yard::widgets {

/// One line of a fact sheet.
struct Fact {
    enum class Kind {
        Heading,   ///< label in the heading style, value muted after it
        Pair,      ///< label at the left, value beside it
        Cells,     ///< columns of a small table; `head` ones are muted
        Sentence,  ///< the value over the whole width
        Mono,      ///< the value over the whole width on the ground of commands
    };
    Kind kind = Kind::Pair;
    QString label;
    QString value;
    QString link;  ///< not empty: the value (or the first cell) is a link to it
    QStringList cells;
    QVector<int> widths;  ///< of the cells, px; negative: right-aligned; 0: the rest
    theme::Color tone = theme::Color::TextPrimary;
    bool mono = false;
    bool head = false;
    bool operator==(const Fact&) const = default;

    static Fact heading(const QString& title, const QString& note = {});
    static Fact pair(const QString& label, const QString& value, bool mono = false,
                     theme::Color tone = theme::Color::TextPrimary);
    static Fact linkTo(const QString& label, const QString& value, const QString& link);
    static Fact row(const QStringList& cells, const QVector<int>& widths, const QString& link = {});
    static Fact headRow(const QStringList& cells, const QVector<int>& widths);
    static Fact sentence(const QString& text, theme::Color tone = theme::Color::TextMuted);
    static Fact code(const QString& text);
};

/// What is known of one thing, line by line, in a scroll area: the body of inspectors. An unchanged
/// set repaints nothing; scrolling survives an update. Links are reached by click, or Tab and
/// Enter.
class FactSheet final : public QScrollArea {
    Q_OBJECT

public:
    explicit FactSheet(QWidget* parent = nullptr);

    void setFacts(const QVector<Fact>& facts);
    const QVector<Fact>& facts() const;
    QString toText() const;

Q_SIGNALS:
    void linkActivated(const QString& link);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Body;
    Body* m_body;
};

}  // namespace yard::widgets
