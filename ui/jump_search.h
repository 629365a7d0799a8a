#pragma once

#include <QString>
#include <QVector>

#include "ui/model/selection.h"

namespace yard::model {
class ClusterState;
}

namespace yard::ui {

struct JumpTarget {
    enum class Kind { Page, Node, Hostlist, Job, User };
    Kind kind = Kind::Page;
    QString title;
    QString detail;
    QString name;  ///< node, hostlist, display id, user
    model::Page page = model::Page::Overview;
    int score = 0;
};

/// What `text` may mean, best first. An empty text gives the pages.
QVector<JumpTarget> searchJump(const model::ClusterState& state, const QString& text,
                               int most = 12);
/// How well the letters of `pattern` follow one another in `text`; 0: not at all.
int fuzzyScore(const QString& text, const QString& pattern);

}  // namespace yard::ui
