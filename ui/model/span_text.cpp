#include "ui/model/span_text.h"

#include <QRegularExpression>

namespace yard::model {
namespace {

SpanText mistake(const QString& text)
{
    return {{},
            {},
            QStringLiteral("\"%1\" is no span. Write 2026-03-01 to 2026-03-08, 2026-03-10 14:00 to "
                           "18:30, or 3 d.")
                .arg(text)};
}

struct Moment {
    QDateTime at;
    bool isDay = false;
};

/// `day`: what a time alone belongs to.
Moment momentFrom(const QString& text, const QDate& day, const QTimeZone& zone)
{
    if (const QDate date = QDate::fromString(text, QStringLiteral("yyyy-MM-dd")); date.isValid())
        return {QDateTime(date, QTime(0, 0), zone), true};
    for (const char* form : {"HH:mm", "HH:mm:ss"}) {
        const QTime time = QTime::fromString(text, QString::fromLatin1(form));
        if (time.isValid() && day.isValid())
            return {QDateTime(day, time, zone), false};
    }
    for (const char* form : {"yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss"}) {
        const QDateTime at = QDateTime::fromString(text, QString::fromLatin1(form));
        if (at.isValid())
            return {QDateTime(at.date(), at.time(), zone), false};
    }
    QString iso = text;
    const QDateTime at =
        QDateTime::fromString(iso.replace(QLatin1Char(' '), QLatin1Char('T')), Qt::ISODate);
    // Only with a zone of its own; else it would be this machine's.
    return at.isValid() && at.timeSpec() != Qt::LocalTime ? Moment{at, false} : Moment{};
}

}  // namespace

SpanText spanFrom(const QString& text, const QTimeZone& zone, const QDateTime& now)
{
    const QTimeZone in = zone.isValid() ? zone : QTimeZone::utc();
    const QString words = text.simplified();
    static const QRegularExpression last(QStringLiteral("^(\\d{1,5}) ?(h|d)$"));
    if (const auto match = last.match(words); match.hasMatch()) {
        const qint64 unit = match.captured(2) == QLatin1String("h") ? 3600 : 86'400;
        return {now.addSecs(-match.captured(1).toLongLong() * unit), {}, {}};
    }
    const QStringList parts = words.split(QStringLiteral(" to "));
    if (parts.size() > 2)
        return mistake(words);
    const Moment from = momentFrom(parts.first(), {}, in);
    if (!from.at.isValid())
        return mistake(words);
    if (parts.size() == 1)
        return from.isDay ? SpanText{from.at, from.at.addDays(1), {}} : SpanText{from.at, {}, {}};
    const Moment to = momentFrom(parts.last(), from.at.toTimeZone(in).date(), in);
    if (!to.at.isValid())
        return mistake(words);
    const QDateTime end = to.isDay ? to.at.addDays(1) : to.at;
    if (end <= from.at)
        return {{}, {}, QStringLiteral("The span ends before it begins.")};
    return {from.at, end, {}};
}

}  // namespace yard::model
