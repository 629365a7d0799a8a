#include "ui/model/characterization.h"

#include <algorithm>
#include <limits>

namespace yard::model {

void FigureSet::add(const QString& name, double value)
{
    if (!m_values.contains(name))
        m_names.append(name);
    m_values.insert(name, value);
}

double FigureSet::value(const QString& name) const
{
    return m_values.value(name, std::numeric_limits<double>::quiet_NaN());
}

QVector<QPointF> FigureSet::curve(const QString& prefix) const
{
    QVector<QPointF> points;
    for (const QString& rest : under(prefix)) {
        bool isNumber = false;
        const double x = rest.toDouble(&isNumber);
        if (isNumber)
            points.append({x, value(prefix + QLatin1Char('.') + rest)});
    }
    std::sort(points.begin(), points.end(),
              [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
    return points;
}

QStringList FigureSet::under(const QString& prefix) const
{
    QStringList found;
    const QString start = prefix + QLatin1Char('.');
    for (const QString& name : m_names) {
        if (name.startsWith(start) && name.indexOf(QLatin1Char('.'), start.size()) < 0)
            found.append(name.mid(start.size()));
    }
    return found;
}

const FigureDefinition* Characterization::definitionOf(const QString& figure) const
{
    for (const FigureDefinition& definition : definitions) {
        const bool open = definition.name.endsWith(QLatin1Char('*'));
        if (open ? figure.startsWith(definition.name.chopped(1)) : figure == definition.name)
            return &definition;
    }
    return nullptr;
}

QStringList Characterization::types() const
{
    static const QStringList order{QStringLiteral("Pretrain"), QStringLiteral("Eval"),
                                   QStringLiteral("SFT"),      QStringLiteral("MLLM"),
                                   QStringLiteral("Debug"),    QStringLiteral("Other")};
    const auto place = [](const QString& type) {
        const qsizetype at = order.indexOf(type);
        return type == QLatin1String("Unclassified") ? order.size() + 1
               : at < 0                              ? order.size()
                                                     : at;
    };
    QStringList types = figures.under(QStringLiteral("gpu_jobs_by_type"));
    std::stable_sort(types.begin(), types.end(),
                     [&](const QString& a, const QString& b) { return place(a) < place(b); });
    return types;
}

}  // namespace yard::model
