#include "ui/theme/wording.h"

#include <QLocale>
#include <cmath>

namespace yard::theme {
namespace {

using model::ActionKind;
using model::GpuMetric;
using model::NodeCategory;
using model::NodeMetric;

const QChar kMinus(0x2212);

QString grouped(QString digits)
{
    qsizetype at = digits.indexOf(QLatin1Char('.'));
    if (at < 0)
        at = digits.size();
    for (at -= 3; at > 0; at -= 3)
        digits.insert(at, QLatin1Char(','));
    return digits;
}

QString twoDigits(qint64 value)
{
    return QStringLiteral("%1").arg(value, 2, 10, QLatin1Char('0'));
}

}  // namespace

QString noReading()
{
    return QStringLiteral("no reading");
}

QString number(qint64 value)
{
    const QString digits = grouped(QString::number(std::abs(value)));
    return value < 0 ? kMinus + digits : digits;
}

QString number(double value, int decimals)
{
    if (std::isnan(value))
        return noReading();
    const QString digits = grouped(QString::number(std::abs(value), 'f', decimals));
    const bool zero = digits.toDouble() == 0 && std::abs(value) < 1;
    return value < 0 && !zero ? kMinus + digits : digits;
}

QString figure(double value)
{
    if (std::isnan(value))
        return noReading();
    const double size = std::abs(value);
    return number(value, size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2);
}

QString percent(double share)
{
    return std::isnan(share) ? noReading() : number(share * 100, 1) + QLatin1Char('%');
}

Quantity memory(double mib)
{
    if (std::isnan(mib))
        return {noReading(), {}};
    return {number(mib / 1024, mib < 100 * 1024 ? 1 : 0), QStringLiteral("GiB")};
}

Quantity power(double watts)
{
    if (std::isnan(watts))
        return {noReading(), {}};
    if (watts < 1000)
        return {number(watts, 0), QStringLiteral("W")};
    return watts < 1e6
               ? Quantity{number(watts / 1000, watts < 100000 ? 2 : 0), QStringLiteral("kW")}
               : Quantity{number(watts / 1e6, 2), QStringLiteral("MW")};
}

Quantity quantity(GpuMetric metric, float value)
{
    if (std::isnan(value))
        return {noReading(), {}};
    switch (metric) {
        case GpuMetric::SmActivity:
        case GpuMetric::GpuUtilization:
        case GpuMetric::TensorActivity:
            return {number(double(value), 1), QStringLiteral("%")};
        case GpuMetric::MemoryUsed:
        case GpuMetric::MemoryTotal:
            return memory(double(value));
        case GpuMetric::Power:
            return {number(double(value), 0), QStringLiteral("W")};
        case GpuMetric::CoreTemperature:
        case GpuMetric::MemoryTemperature:
            return {number(double(value), 0), QStringLiteral("°C")};
        case GpuMetric::SmClock:
            return {number(double(value), 0), QStringLiteral("MHz")};
        case GpuMetric::NvlinkBandwidth:
            return {figure(double(value) / 1e9), QStringLiteral("GB/s")};
        case GpuMetric::Energy:
            return {figure(double(value) / 3.6e6), QStringLiteral("kWh")};
        case GpuMetric::LastXid:
            return {number(double(value), 0), {}};
    }
    Q_UNREACHABLE();
}

Quantity quantity(NodeMetric metric, float value)
{
    if (std::isnan(value))
        return {noReading(), {}};
    switch (metric) {
        case NodeMetric::CpuUtilization:
            return {number(double(value), 1), QStringLiteral("%")};
        case NodeMetric::MemoryUsed:
        case NodeMetric::MemoryTotal:
            return memory(double(value));
        case NodeMetric::Load:
            return {number(double(value), 1), {}};
        case NodeMetric::Power:
            return power(double(value));
        case NodeMetric::InletTemperature:
            return {number(double(value), 0), QStringLiteral("°C")};
        case NodeMetric::InfinibandReceive:
        case NodeMetric::InfinibandTransmit:
            return {figure(double(value) * 8 / 1e9), QStringLiteral("Gb/s")};
    }
    Q_UNREACHABLE();
}

QString counted(qint64 count, const QString& one, const QString& many)
{
    return number(count) + QLatin1Char(' ') + (count == 1 ? one : many);
}

QString duration(double seconds)
{
    if (seconds < 0)
        seconds = 0;
    if (seconds < 10)
        return QString::number(std::floor(seconds * 10) / 10, 'f', 1) + QStringLiteral(" s");
    const auto whole = qint64(seconds);
    if (whole < 120)
        return QStringLiteral("%1 s").arg(whole);
    if (whole < 3600)
        return QStringLiteral("%1 min").arg(whole / 60);
    if (whole < 86400)
        return QStringLiteral("%1 h %2 min").arg(whole / 3600).arg(twoDigits(whole / 60 % 60));
    return QStringLiteral("%1 d %2 h").arg(number(whole / 86400)).arg(twoDigits(whole / 3600 % 24));
}

QString wholeDuration(qint64 seconds)
{
    return seconds < 10 ? QStringLiteral("%1 s").arg(std::max<qint64>(0, seconds))
                        : duration(double(seconds));
}

QString columnDuration(qint64 seconds)
{
    if (seconds < 0)
        return QStringLiteral("-");
    const qint64 hours = seconds / 3600;
    const QString minutes = twoDigits(seconds / 60 % 60);
    if (hours < 24)
        return QStringLiteral("%1:%2").arg(hours).arg(minutes);
    return QStringLiteral("%1-%2:%3").arg(hours / 24).arg(twoDigits(hours % 24), minutes);
}

QString age(double seconds)
{
    return seconds < 0 || std::isnan(seconds) ? QStringLiteral("never") : duration(seconds);
}

QString zoneOffset(const QDateTime& at, const QTimeZone& zone)
{
    const int minutes = zone.isValid() ? zone.offsetFromUtc(at) / 60 : 0;
    return QStringLiteral("%1%2:%3")
        .arg(minutes < 0 ? QChar(0x2212) : QLatin1Char('+'))
        .arg(twoDigits(std::abs(minutes) / 60), twoDigits(std::abs(minutes) % 60));
}

static QDateTime local(const QDateTime& at, const QTimeZone& zone)
{
    return zone.isValid() ? at.toTimeZone(zone) : at.toUTC();
}

static QString weekday(const QDateTime& at)
{
    return QLocale::c().dayName(at.date().dayOfWeek(), QLocale::ShortFormat);
}

QString shortTime(const QDateTime& at, const QDateTime& now, const QTimeZone& zone)
{
    if (!at.isValid())
        return QStringLiteral("-");
    const QDateTime there = local(at, zone);
    const qint64 days = there.date().daysTo(local(now, zone).date());
    if (days == 0)
        return there.toString(QStringLiteral("HH:mm:ss"));
    if (std::abs(days) < 7)
        return weekday(there) + there.toString(QStringLiteral(" HH:mm"));
    return there.toString(QStringLiteral("yyyy-MM-dd HH:mm"));
}

QString fullTime(const QDateTime& at, const QTimeZone& zone)
{
    if (!at.isValid())
        return QStringLiteral("-");
    return local(at, zone).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss ")) + zoneOffset(at, zone);
}

QString clockTime(const QDateTime& at, const QTimeZone& zone)
{
    return at.isValid() ? weekday(local(at, zone)) + QLatin1Char(' ') + fullTime(at, zone)
                        : QString();
}

}  // namespace yard::theme
