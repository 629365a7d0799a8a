#pragma once

#include <QDateTime>
#include <QString>
#include <QTimeZone>

namespace yard::model {

/// A stretch of time as it is typed: "2026-03-01 to 2026-03-08", "2026-03-10 14:00 to 18:30",
/// "2026-03-01" (that day), "3 d", "12 h" (the last ones before `now`). A day at the end is meant
/// whole. Times without a zone are the cluster's.
struct SpanText {
    QDateTime from;
    QDateTime to;   ///< invalid: to now
    QString error;  ///< a sentence; then the times are invalid
    bool ok() const { return error.isEmpty(); }
};

SpanText spanFrom(const QString& text, const QTimeZone& zone, const QDateTime& now);

}  // namespace yard::model
