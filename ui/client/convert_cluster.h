#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <optional>
#include <string>

#include "ui/model/cluster.h"
#include "yard/v1/yard.pb.h"

/// The small pieces of convert.h.
namespace yard::client {

inline QString text(const std::string& words)
{
    return QString::fromStdString(words);
}

template <typename Repeated>
QStringList texts(const Repeated& words)
{
    QStringList list;
    list.reserve(words.size());
    for (const auto& word : words)
        list.append(QString::fromStdString(word));
    return list;
}

/// Rounds down also before 1970.
inline qint64 milliseconds(qint64 microseconds)
{
    return microseconds >= 0 ? microseconds / 1000 : (microseconds - 999) / 1000;
}

inline QDateTime time(qint64 microseconds)
{
    return QDateTime::fromMSecsSinceEpoch(milliseconds(microseconds), Qt::UTC);
}

/// A number that a newer daemon may know and we do not becomes `otherwise`.
template <typename Enum>
Enum bounded(uint32_t number, Enum last, Enum otherwise)
{
    return number <= uint32_t(last) ? Enum(number) : otherwise;
}

model::FaultInfo toFault(const v1::Fault& wire);
model::TargetInfo toTarget(const v1::TargetHealth& wire);
model::SchedulerInfo toScheduler(const v1::SchedulerHealth& wire);
model::TrendInfo toTrend(const v1::TrendPoint& wire);

}  // namespace yard::client
