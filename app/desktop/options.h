#pragma once

#include <QDateTime>
#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

#include "ui/model/selection.h"
#include "ui/theme/tokens.h"

namespace yard::desktop {

struct Options {
    QString address;  ///< as gRPC takes it; empty: an own demo
    QString demo;     ///< for the own daemon: "nodes=12500,seed=7"
    std::optional<theme::Scheme> theme;
    QSize size;
    QDateTime at;  ///< the moment to show; invalid: now
    model::Page page = model::Page::Overview;
    QString renderFolder;
    bool renderStates = false;
};

/// Reads the command line. On --help, --version or a mistake prints and ends the program.
Options readOptions(const QStringList& arguments);

}  // namespace yard::desktop
