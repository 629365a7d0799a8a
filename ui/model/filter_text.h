#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace yard::model {

/// One `key:value` of a filter, shown as a chip. `!key:value` is its opposite.
struct FilterTerm {
    QString key;
    QString value;
    bool excluded = false;

    QString toText() const;
    bool operator==(const FilterTerm&) const = default;
};

/// A line of filter text: words, quoted phrases and terms, in any order, all of which must hold.
struct FilterText {
    QStringList words;
    QVector<FilterTerm> terms;
};

/// `keys` are the words that may stand before a colon; `x:y` with another x is an ordinary word.
FilterText parseFilter(const QString& text, const QStringList& keys);

}  // namespace yard::model
