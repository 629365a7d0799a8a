#pragma once

#include <QDateTime>
#include <QFont>
#include <QString>
#include <QTimeZone>

#include "ui/model/actions.h"
#include "ui/model/cluster.h"

/// All the words and the shapes of numbers of the desktop.
namespace yard::theme {

struct Quantity {
    QString value;
    QString unit;
    QString text() const { return unit.isEmpty() ? value : value + QChar(0x2009) + unit; }
};

// -- numbers: thousands with a comma, U+2212 for minus, "no reading" for NaN --
QString number(qint64 value);
QString number(double value, int decimals);
/// Three significant figures: 1,908  59.2  0.79.
QString figure(double value);
QString percent(double share);  ///< of [0, 1]: "83.4%"
Quantity quantity(model::GpuMetric metric, float value);
Quantity quantity(model::NodeMetric metric, float value);
Quantity memory(double mib);                                             ///< GiB
Quantity power(double watts);                                            ///< W, kW
QString counted(qint64 count, const QString& one, const QString& many);  ///< "1 node", "12 nodes"
QString noReading();

// -- durations and times --
/// "0.8 s", "94 s", "14 min", "2 h 06 min", "6 d 11 h"; rounds down.
QString duration(double seconds);
QString wholeDuration(qint64 seconds);   ///< of times known to the second: "0 s", "4 s", "94 s"
QString columnDuration(qint64 seconds);  ///< "H:MM", "D-HH:MM"
QString age(double seconds);             ///< of a reading or an update; "never" below 0
/// Today "03:14:22", this week "Tue 18:22", else the date; in `zone`.
QString shortTime(const QDateTime& at, const QDateTime& now, const QTimeZone& zone);
QString fullTime(const QDateTime& at, const QTimeZone& zone);  ///< "2026-03-11 03:14:22 +08:00"
QString clockTime(const QDateTime& at,
                  const QTimeZone& zone);  ///< "Wed 2026-03-11 03:14:22 +08:00"
QString zoneOffset(const QDateTime& at, const QTimeZone& zone);  ///< "+08:00"

// -- names --
QString metricName(model::GpuMetric metric);
QString metricShortName(model::GpuMetric metric);
QString metricMeaning(model::GpuMetric metric);
QString metricName(model::NodeMetric metric);
QString categoryName(model::NodeCategory category);  ///< lower case: "draining"
QString actionVerb(model::ActionKind kind);          ///< "Drain"
QString actionDone(model::ActionKind kind);          ///< "drained"
QString operationStateName(model::OperationState state);
QString roleName(model::Role role);
QString faultName(const model::FaultInfo& fault);     ///< "Xid 79"
QString faultMeaning(const model::FaultInfo& fault);  ///< "the GPU has fallen off the bus"
QString gpuName(const QString& node, int gpu);        ///< "gpu171 GPU 3"
QString gpuShortName(const QString& node, int gpu);   ///< "gpu171:3"
/// "gpu[001-064,066-102]"; "gpu[001-064,+37]" to fit `columns` if that is not 0.
QString folded(const QStringList& names, int columns = 0);
/// A folded hostlist as far as it fits `width` in that font of even advances.
QString fittedHosts(const QString& folded, const QFont& font, double width);

}  // namespace yard::theme
