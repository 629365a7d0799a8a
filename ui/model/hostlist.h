#pragma once

#include <QString>
#include <QStringList>

namespace yard::model {

/// Hostlist expressions as Slurm and ClusterShell write them: `gpu[001-064,066-102],cpu1`, with
/// several brackets in a name and, from left to right, `,` union, `!` difference, `&` intersection.
///
/// Thread: any; pure functions.
constexpr int kMaxHosts = 200'000;

struct Hosts {
    QStringList hosts;  ///< in the order given, each once
    QString error;      ///< a sentence; then hosts is empty
    bool ok() const { return error.isEmpty(); }
};

Hosts expandHostlist(const QString& expression);

/// The shortest usual writing: sorted naturally, runs folded, zero padding kept.
QString foldHostlist(QStringList hosts);

/// gpu2 before gpu10.
bool naturalLess(const QString& a, const QString& b);

}  // namespace yard::model
