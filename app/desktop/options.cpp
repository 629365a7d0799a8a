#include "app/desktop/options.h"

#include <QCommandLineParser>
#include <QRegularExpression>
#include <cstdio>
#include <cstdlib>

#include "ui/rail.h"

namespace yard::desktop {
namespace {

constexpr int kBadUsage = 1;

[[noreturn]] void refuse(const QString& sentence)
{
    std::fprintf(stderr, "yardmaster: %s\n", qPrintable(sentence));
    std::exit(kBadUsage);
}

model::Page pageNamed(const QString& name)
{
    QStringList names;
    for (const ui::PageEntry& entry : ui::pageEntries()) {
        if (entry.title.compare(name, Qt::CaseInsensitive) == 0)
            return entry.page;
        names << entry.title.toLower();
    }
    refuse(QStringLiteral("--page %1: there is no such page. Pages are %2.")
               .arg(name, names.join(QStringLiteral(", "))));
}

QSize sizeNamed(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d{3,5})x(\\d{3,5})$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        refuse(QStringLiteral("--size %1: expected WIDTHxHEIGHT, as in 1920x1080.").arg(text));
    return {match.captured(1).toInt(), match.captured(2).toInt()};
}

QDateTime momentNamed(const QString& text)
{
    static const QRegularExpression ago(QStringLiteral("^(\\d{1,6})([smhd])$"));
    if (const auto match = ago.match(text); match.hasMatch()) {
        const QString unit = match.captured(2);
        const qint64 seconds = unit == QLatin1String("s")   ? 1
                               : unit == QLatin1String("m") ? 60
                               : unit == QLatin1String("h") ? 3600
                                                            : 86400;
        return QDateTime::currentDateTimeUtc().addSecs(-seconds * match.captured(1).toLongLong());
    }
    QString iso = text;
    const QDateTime at =
        QDateTime::fromString(iso.replace(QLatin1Char(' '), QLatin1Char('T')), Qt::ISODateWithMs);
    if (!at.isValid())
        refuse(QStringLiteral("--at %1: expected a time, as in 2026-03-11T03:12:00+08:00, or how "
                              "long ago, as in 90m, 2h or 3d.")
                   .arg(text));
    return at.toUTC();
}

/// `--demo` may stand without a value, which QCommandLineParser does not know.
QStringList withDemoValue(QStringList arguments)
{
    for (qsizetype i = 1; i < arguments.size(); ++i) {
        if (arguments[i] != QLatin1String("--demo"))
            continue;
        const bool hasValue =
            i + 1 < arguments.size() && !arguments[i + 1].startsWith(QLatin1Char('-'));
        arguments[i] = QStringLiteral("--demo=") + (hasValue ? arguments.takeAt(i + 1) : QString());
    }
    return arguments;
}

}  // namespace

Options readOptions(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Yardmaster, the operations desk of a GPU cluster.\n\n"
        "Without --server or --socket it starts a demo: its own daemon with a simulated cluster."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption server(QStringLiteral("server"),
                                    QStringLiteral("Address of a daemon, as gRPC takes it."),
                                    QStringLiteral("address"));
    const QCommandLineOption socket(QStringLiteral("socket"),
                                    QStringLiteral("UNIX socket of a daemon."),
                                    QStringLiteral("path"));
    const QCommandLineOption demo(
        QStringLiteral("demo"),
        QStringLiteral(
            "The simulated cluster, passed to the own daemon; for example nodes=12500,seed=7."),
        QStringLiteral("options"));
    const QCommandLineOption scheme(
        QStringLiteral("theme"),
        QStringLiteral("dark or light; remembered from the last time if not given."),
        QStringLiteral("name"));
    const QCommandLineOption size(QStringLiteral("size"),
                                  QStringLiteral("Size of the window, as in 1920x1080."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption page(QStringLiteral("page"),
                                  QStringLiteral("Page to open: overview, gpus, nodes, jobs, "
                                                 "analytics, audit."),
                                  QStringLiteral("name"));
    const QCommandLineOption at(
        QStringLiteral("at"),
        QStringLiteral("Show the cluster as it was then: a time with its zone (without one, this "
                       "machine's), or how long ago, as in 2h."),
        QStringLiteral("time"));
    const QCommandLineOption render(
        QStringLiteral("render"),
        QStringLiteral("Draw every page with live data into this folder, then exit."),
        QStringLiteral("folder"));
    const QCommandLineOption states(
        QStringLiteral("render-states"),
        QStringLiteral(
            "With --render: also cards, dialogs, details, the jump list, keys and the disconnected "
            "window. Of the own demo it drains nodes and restarts a job; of a named "
            "daemon it asks for nothing."));
    parser.addOptions({server, socket, demo, scheme, size, page, at, render, states});
    parser.process(withDemoValue(arguments));
    if (!parser.positionalArguments().isEmpty())
        refuse(QStringLiteral("%1: not understood. See --help.")
                   .arg(parser.positionalArguments().first()));

    Options options;
    if (parser.isSet(server))
        options.address = parser.value(server);
    if (parser.isSet(socket))
        options.address = QStringLiteral("unix:") + parser.value(socket);
    if (!options.address.isEmpty() && parser.isSet(demo))
        refuse(
            QStringLiteral("--demo starts an own daemon and cannot go with --server or --socket."));
    options.demo = parser.value(demo);
    if (parser.isSet(scheme)) {
        const QString name = parser.value(scheme);
        if (name != QLatin1String("dark") && name != QLatin1String("light"))
            refuse(QStringLiteral("--theme %1: expected dark or light.").arg(name));
        options.theme = name == QLatin1String("light") ? theme::Scheme::Light : theme::Scheme::Dark;
    }
    if (parser.isSet(size))
        options.size = sizeNamed(parser.value(size));
    if (parser.isSet(page))
        options.page = pageNamed(parser.value(page));
    if (parser.isSet(at))
        options.at = momentNamed(parser.value(at));
    options.renderFolder = parser.value(render);
    options.renderStates = parser.isSet(states);
    return options;
}

}  // namespace yard::desktop
