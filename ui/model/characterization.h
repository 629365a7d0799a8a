#pragma once

#include <QDateTime>
#include <QHash>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>

namespace yard::model {

/// Figures by name, as the daemon tells them: "duration_s.p50".
class FigureSet {
public:
    void add(const QString& name, double value);
    /// NaN if there is none of this name.
    double value(const QString& name) const;
    bool contains(const QString& name) const { return m_values.contains(name); }
    bool isEmpty() const { return m_values.isEmpty(); }
    /// In the order in which they are told.
    const QStringList& names() const { return m_names; }

    /// A curve: the figures "`prefix`.x", as (x, value) by ascending x.
    QVector<QPointF> curve(const QString& prefix) const;
    /// What follows "`prefix`.", without what has a further point.
    QStringList under(const QString& prefix) const;

private:
    QHash<QString, double> m_values;
    QStringList m_names;
};

struct FigureDefinition {
    QString name;  ///< "*" stands for any rest
    QString unit;
    QString title;
    QString text;
};

struct CharacterizeRequest {
    QDateTime from;  ///< jobs submitted at or after; invalid: since ever
    QDateTime to;    ///< … and before, their states as of then; invalid: now
    bool operator==(const CharacterizeRequest&) const = default;
};

/// Where the GPU time of a cluster's jobs goes.
struct Characterization {
    FigureSet figures;
    QHash<QString, QString> absences;  ///< figure to the sentence why it is not there
    QHash<QString, FigureSet> papers;  ///< by cluster of the paper
    QVector<FigureDefinition> definitions;
    QStringList common;     ///< what holds for all figures
    QStringList notes;      ///< what these leave out
    QDateTime firstHour;    ///< of arrivals
    QVector<int> arrivals;  ///< jobs submitted in each hour
    QDateTime from;
    QDateTime to;
    QDateTime knownFrom;  ///< since when the daemon has looked; invalid: never
    quint64 imported = 0;
    int rules = 0;

    const FigureDefinition* definitionOf(const QString& figure) const;
    /// Types of GPU jobs: those of the look in their order, then others, "Unclassified" last.
    QStringList types() const;
};

}  // namespace yard::model
