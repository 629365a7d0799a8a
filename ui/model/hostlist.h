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

/// A folded hostlist in at most `columns` characters: whole ranges from the front, then how many
/// nodes follow, as in `gpu[001-004,+12]` or `gpu001,+3`; `16 nodes` or `16` where not even one
/// range fits. Never shorter than it must be; a single name is cut in its middle.
QString shortHostlist(const QString& folded, int columns);

/// gpu2 before gpu10.
bool naturalLess(const QString& a, const QString& b);

}  // namespace yard::model
