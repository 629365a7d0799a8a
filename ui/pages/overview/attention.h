#pragma once

#include <QDateTime>
#include <QString>
#include <QVector>

#include "ui/widgets/glyphs.h"

namespace yard::model {
class ClusterState;
}

namespace yard::pages {

/// One thing that a person should look at, made of facts that the state has.
struct AttentionItem {
    enum class Target { None, Nodes, Job, Audit };

    widgets::Severity severity = widgets::Severity::Note;
    QString title;
    QString detail;
    double ageSeconds = -1;  ///< negative: not known
    Target target = Target::None;
    QString name;  ///< hostlist or job
};

/// Worst first, then newest first.
QVector<AttentionItem> attention(const model::ClusterState& state);

}  // namespace yard::pages
