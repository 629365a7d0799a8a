#include <QDateTime>
#include <QTimeZone>
#include <cmath>

#include "ui/pages/analytics/analytics_cards.h"
#include "ui/theme/wording.h"

// The cards of the analytics page that are tables.

namespace yard::pages {

using model::Characterization;
using widgets::Fact;

namespace {

QString seconds(double value)
{
    return std::isnan(value) ? QStringLiteral("-") : theme::wholeDuration(qint64(value));
}

QString percent(double value)
{
    return std::isnan(value) ? QStringLiteral("-") : theme::number(value, 1) + QLatin1Char('%');
}

QString count(double value)
{
    return std::isnan(value) ? QStringLiteral("-") : theme::number(qint64(value));
}

QString moment(double secondsSince1970, const QTimeZone& zone)
{
    return std::isnan(secondsSince1970)
               ? QStringLiteral("-")
               : theme::fullTime(QDateTime::fromSecsSinceEpoch(qint64(secondsSince1970), Qt::UTC),
                                 zone);
}

}  // namespace

QVector<Fact> stateFacts(const Characterization& all)
{
    const QVector<int> widths{0, -64, -64, -72};
    QVector<Fact> facts{Fact::headRow({QStringLiteral("State"), QStringLiteral("jobs"),
                                       QStringLiteral("of jobs"), QStringLiteral("GPU time")},
                                      widths)};
    for (const QString& state : all.figures.under(QStringLiteral("gpu_jobs_by_state"))) {
        const auto value = [&](const char* figure) {
            return all.figures.value(QLatin1String(figure) + state);
        };
        facts << Fact::row(
            {state, count(value("gpu_jobs_by_state.")), percent(value("job_share_pct_by_state.")),
             percent(value("gpu_time_share_pct_by_state."))},
            widths);
    }
    const QString absent = all.absences.value(QStringLiteral("job_share_pct_by_outcome"));
    if (!absent.isEmpty())
        facts << Fact::sentence(absent);
    return facts;
}

QVector<Fact> concurrencyFacts(const Characterization& all, const QTimeZone& zone)
{
    const auto value = [&](const char* figure) {
        return all.figures.value(QString::fromLatin1(figure));
    };
    QVector<Fact> facts;
    const QString absent = all.absences.value(QStringLiteral("peak_concurrent_gpus"));
    if (!absent.isEmpty())
        facts << Fact::sentence(absent);
    else
        facts << Fact::pair(QStringLiteral("Most GPUs"),
                            QStringLiteral("%1, %2").arg(count(value("peak_concurrent_gpus")),
                                                         moment(value("peak_concurrent_at"), zone)),
                            true)
              << Fact::pair(QStringLiteral("Mean GPUs"),
                            std::isnan(value("mean_concurrent_gpus"))
                                ? QStringLiteral("-")
                                : theme::number(value("mean_concurrent_gpus"), 1),
                            true);
    facts << Fact::pair(
        QStringLiteral("Busiest hour"),
        QStringLiteral("%1, %2").arg(theme::counted(qint64(value("arrivals_per_hour.max")),
                                                    QStringLiteral("job"), QStringLiteral("jobs")),
                                     moment(value("arrivals_per_hour.max_at"), zone)),
        true);
    return facts;
}

QVector<Fact> quantileFacts(const Characterization& all, const QString& paper)
{
    const QVector<int> widths{0, -64, -76, -84, -76, -84, -60};
    QVector<Fact> facts{
        Fact::headRow({QStringLiteral("Type"), QStringLiteral("jobs"), QStringLiteral("run p50"),
                       QStringLiteral("p90"), QStringLiteral("wait p50"), QStringLiteral("p90"),
                       QStringLiteral("GPUs")},
                      widths)};
    const auto add = [&](const QString& name, const model::FigureSet& from, const QString& jobs,
                         const QString& run, const QString& wait, const QString& gpus) {
        facts << Fact::row(
            {name, count(from.value(jobs)), seconds(from.value(run + QStringLiteral(".p50"))),
             seconds(from.value(run + QStringLiteral(".p90"))),
             seconds(from.value(wait + QStringLiteral(".p50"))),
             seconds(from.value(wait + QStringLiteral(".p90"))),
             std::isnan(from.value(gpus)) ? QStringLiteral("-")
                                          : theme::number(from.value(gpus), 1)},
            widths);
    };
    const auto addAll = [&](const QString& name, const model::FigureSet& from) {
        add(name, from, QStringLiteral("gpu_jobs"), QStringLiteral("duration_s"),
            QStringLiteral("queue_s"), QStringLiteral("gpus_per_job.mean"));
    };
    addAll(QStringLiteral("all GPU jobs"), all.figures);
    for (const QString& type : all.types())
        add(type, all.figures, QStringLiteral("gpu_jobs_by_type.") + type,
            QStringLiteral("duration_s_by_type.") + type, QStringLiteral("queue_s_by_type.") + type,
            QStringLiteral("gpus_per_job_by_type.%1.mean").arg(type));
    if (!paper.isEmpty())
        addAll(paper, all.papers.value(paper));
    facts << Fact::sentence(
        QStringLiteral("GPUs: mean of a job. Quantiles of few jobs mean little."));
    return facts;
}

QVector<Fact> definitionFacts(const Characterization& all)
{
    QVector<Fact> facts{Fact::heading(QStringLiteral("For all figures"))};
    for (const QString& sentence : all.common)
        facts << Fact::sentence(sentence);
    for (const model::FigureDefinition& definition : all.definitions) {
        // Of telemetry: a table of jobs has none.
        if (definition.name.startsWith(QLatin1String("samples")))
            continue;
        facts << Fact::heading(
                     definition.title,
                     definition.unit.isEmpty()
                         ? definition.name
                         : QStringLiteral("%1 \u00b7 %2").arg(definition.unit, definition.name))
              << Fact::sentence(definition.text, theme::Color::TextSecondary);
    }
    return facts;
}

}  // namespace yard::pages
