#pragma once

#include <QString>
#include <QStringList>

#include "ui/model/actions.h"

class QTimeZone;

/// The words and figures of the preview dialog. Pure.
namespace yard::widgets {

struct PreviewTile {
    QString title;
    QString figure;
    QString unit;
    QString caption;
    bool operator==(const PreviewTile&) const = default;
};

/// "Drain 12 nodes"; of one: "Drain gpu014".
QString previewTitle(const model::PreviewInfo& preview);
/// "Drain", "Cancel …": before the preview has come.
/// Of the button that does nothing: never a word that an action could be called by.
QString dismissTitle(const model::ActionRequest& request);
QString requestTitle(const model::ActionRequest& request);
QString thingsCounted(model::ActionKind kind, int count);  ///< "12 nodes", "1 job"

QVector<PreviewTile> previewTiles(const model::PreviewInfo& preview, const QDateTime& now,
                                  const QTimeZone& zone);
/// A time of this week with its hour, a later one as its day: fits a tile and a column.
QString endsByWords(const QDateTime& at, const QDateTime& now, const QTimeZone& zone);
/// What the figures say differently now: "Running there 6 → 5". Empty if nothing.
QString previewChanges(const model::PreviewInfo& before, const model::PreviewInfo& after);
/// What the two ways of a restart mean.
QString restartMeaning(model::ActionKind kind, int count);
bool isRestart(model::ActionKind kind);
/// Ends or takes away work at once: drawn red.
bool isSecondDanger(const model::ActionRequest& request);
bool isFirstDanger(model::ActionKind kind);

}  // namespace yard::widgets
