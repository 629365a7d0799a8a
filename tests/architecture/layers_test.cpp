#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>
#include <QTest>

/// The layers of the house (DESIGN §2), as data, and every #include held against them.

namespace {

struct Layer {
    const char* folder;
    int level;
};

// Includes point to a lower level only; folders of one level never include each other. The theme
// lies under the widgets: they paint with it, it knows none of them.
const QVector<Layer> kBackend = {
    {"backend/base", 1},      {"backend/domain", 2},     {"backend/telemetry", 3},
    {"backend/scheduler", 3}, {"backend/diagnosis", 3},  {"backend/staging", 3},
    {"backend/analytics", 3}, {"backend/store", 3},      {"backend/control", 4},
    {"backend/recovery", 5},  {"backend/evaluation", 5}, {"backend/rpc", 6}};
const QVector<Layer> kUi = {{"ui/model", 1},  {"ui/theme", 2}, {"ui/widgets", 3}, {"ui/pages", 4},
                            {"ui/client", 4}, {"ui/wall", 5},  {"ui/report", 5},  {"ui/", 5}};

// What only some folders may include: a pattern of the include, and the folders that may.
struct Reserved {
    const char* what;
    const char* pattern;
    QStringList folders;
};
const QVector<Reserved> kReserved = {
    {"generated messages and gRPC",
     "(\\.pb\\.h|^grpcpp/|^grpc/|^google/protobuf/)",
     {QStringLiteral("backend/rpc/"), QStringLiteral("ui/client/"), QStringLiteral("app/ctl/")}},
    {"SQLite", "^sqlite3\\.h$", {QStringLiteral("backend/store/")}},
    {"curl", "^curl/", {QStringLiteral("backend/telemetry/")}},
    {"Vectorscan", "^hs/", {QStringLiteral("backend/diagnosis/pattern_scanner")}},
    {"widgets of Qt",
     "^(QtWidgets|Q(Widget|MainWindow|Dialog|Abstract(Button|ItemView|ScrollArea)|Label|LineEdit|"
     "Menu|TableView|TreeView|HeaderView|ScrollArea|PushButton|.*Layout|StyledItemDelegate|"
     "ToolTip|FileDialog|Application)$)",
     {QStringLiteral("ui/widgets/"), QStringLiteral("ui/theme/"), QStringLiteral("ui/pages/"),
      QStringLiteral("ui/wall/"), QStringLiteral("ui/report/"), QStringLiteral("ui/*"),
      QStringLiteral("app/desktop/")}},
    {"Qt", "^(Q[A-Z]|Qt[A-Z]|Qt$)", {QStringLiteral("ui/"), QStringLiteral("app/desktop/")}},
};

const Layer* layerOf(const QVector<Layer>& layers, const QString& path)
{
    const Layer* best = nullptr;
    for (const Layer& layer : layers) {
        const QString folder = QString::fromLatin1(layer.folder);
        const bool here =
            path.startsWith(folder.endsWith(QLatin1Char('/')) ? folder : folder + QLatin1Char('/'));
        if (here && (!best || qstrlen(layer.folder) > qstrlen(best->folder)))
            best = &layer;
    }
    return best;
}

/// Folder of one page: "ui/pages/nodes".
QString pageOf(const QString& path)
{
    const QStringList parts = path.split(QLatin1Char('/'));
    return path.startsWith(QLatin1String("ui/pages/")) && parts.size() > 3
               ? parts.mid(0, 3).join(QLatin1Char('/'))
               : QString();
}

bool isIn(const QString& path, const QString& folder)
{
    // "ui/*": the files of ui itself.
    if (folder.endsWith(QLatin1String("/*"))) {
        const QString parent = folder.chopped(1);
        return path.startsWith(parent) && !path.mid(parent.size()).contains(QLatin1Char('/'));
    }
    return path.startsWith(folder);
}

/// Why `file` may not include `included`; empty if it may.
QString brokenRule(const QString& file, const QString& included)
{
    for (const Reserved& reserved : kReserved) {
        if (!QRegularExpression(QString::fromLatin1(reserved.pattern)).match(included).hasMatch())
            continue;
        const bool allowed = std::any_of(reserved.folders.begin(), reserved.folders.end(),
                                         [&](const QString& folder) { return isIn(file, folder); });
        if (!allowed)
            return QStringLiteral("%1 belongs in %2 only")
                .arg(QString::fromLatin1(reserved.what),
                     reserved.folders.join(QStringLiteral(", ")));
    }
    if (file.startsWith(QLatin1String("ui/")) && included.startsWith(QLatin1String("backend/")))
        return QStringLiteral("ui never includes backend");
    if (file.startsWith(QLatin1String("backend/")) && included.startsWith(QLatin1String("ui/")))
        return QStringLiteral("backend never includes ui");
    if (included.startsWith(QLatin1String("app/")) && !file.startsWith(QLatin1String("app/")))
        return QStringLiteral("nothing includes app");
    if (!pageOf(file).isEmpty() && !pageOf(included).isEmpty() && pageOf(file) != pageOf(included))
        return QStringLiteral("no page includes another");
    const QVector<Layer>& layers = file.startsWith(QLatin1String("ui/")) ? kUi : kBackend;
    const Layer* from = layerOf(layers, file);
    const Layer* to = layerOf(layers, included);
    if (!from || !to || from == to || file.startsWith(QLatin1String("app/")))
        return {};
    if (to->level < from->level)
        return {};
    return QStringLiteral("%1 (level %2) must not include %3 (level %4)")
        .arg(QString::fromLatin1(from->folder))
        .arg(from->level)
        .arg(QString::fromLatin1(to->folder))
        .arg(to->level);
}

/// Violations of one file: "file:line: includes X: rule".
QStringList violations(const QString& file, const QString& text)
{
    static const QRegularExpression include(
        QStringLiteral("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"));
    QStringList found;
    int line = 0;
    for (const QString& words : text.split(QLatin1Char('\n'))) {
        ++line;
        const auto match = include.match(words);
        if (!match.hasMatch())
            continue;
        const QString rule = brokenRule(file, match.captured(1));
        if (!rule.isEmpty())
            found << QStringLiteral("%1:%2: includes %3: %4")
                         .arg(file)
                         .arg(line)
                         .arg(match.captured(1), rule);
    }
    return found;
}

QStringList sourceFiles()
{
    const QDir root(QStringLiteral(YARD_SOURCE_DIR));
    QStringList files;
    for (const QString& top :
         {QStringLiteral("app"), QStringLiteral("backend"), QStringLiteral("ui")}) {
        QDirIterator it(root.filePath(top), {QStringLiteral("*.h"), QStringLiteral("*.cpp")},
                        QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext())
            files << root.relativeFilePath(it.next());
    }
    files.sort();
    return files;
}

}  // namespace

class LayersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyIncludePointsDown();
    void everyFolderHasALevel();
    void aPlantedViolationIsFound_data();
    void aPlantedViolationIsFound();
    void whatIsAllowedIsNotReported();
};

void LayersTest::everyIncludePointsDown()
{
    const QStringList files = sourceFiles();
    QVERIFY2(files.size() > 20, "the sources were not found");
    QStringList found;
    for (const QString& name : files) {
        QFile file(QDir(QStringLiteral(YARD_SOURCE_DIR)).filePath(name));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
        found += violations(name, QString::fromUtf8(file.readAll()));
    }
    QVERIFY2(found.isEmpty(), qPrintable(QLatin1Char('\n') + found.join(QLatin1Char('\n'))));
}

void LayersTest::everyFolderHasALevel()
{
    for (const QString& top : {QStringLiteral("backend"), QStringLiteral("ui")}) {
        const QDir dir(QDir(QStringLiteral(YARD_SOURCE_DIR)).filePath(top));
        for (const QString& folder : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QString path = top + QLatin1Char('/') + folder;
            const auto& layers = top == QLatin1String("ui") ? kUi : kBackend;
            const bool known = std::any_of(layers.begin(), layers.end(), [&](const Layer& layer) {
                return path == QString::fromLatin1(layer.folder);
            });
            QVERIFY2(known, qPrintable(path + QStringLiteral(" has no level in the table")));
        }
    }
}

void LayersTest::aPlantedViolationIsFound_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("include");
    QTest::addColumn<QString>("rule");

    const auto row = [](const char* name, const char* file, const char* include, const char* rule) {
        QTest::newRow(name) << QString::fromLatin1(file) << QString::fromLatin1(include)
                            << QString::fromLatin1(rule);
    };
    row("upwards in the backend", "backend/domain/node.cpp", "\"backend/control/ingest.h\"",
        "level 2) must not include backend/control");
    row("sideways in the backend", "backend/store/a.cpp", "\"backend/scheduler/scheduler.h\"",
        "must not include");
    row("upwards in the ui", "ui/model/a.h", "\"ui/widgets/button.h\"", "must not include");
    row("theme to widgets", "ui/theme/a.cpp", "\"ui/widgets/button.h\"", "must not include");
    row("pages to client", "ui/pages/nodes/a.cpp", "\"ui/client/channel.h\"", "must not include");
    row("page to page", "ui/pages/nodes/a.cpp", "\"ui/pages/jobs/jobs_page.h\"",
        "no page includes another");
    row("ui to backend", "ui/model/a.cpp", "\"backend/domain/node.h\"", "ui never");
    row("Qt in the backend", "backend/control/a.cpp", "<QString>", "Qt belongs");
    row("Qt in the daemon", "app/daemon/main.cpp", "<QCoreApplication>", "Qt belongs");
    row("messages in control", "backend/control/a.cpp", "\"yard/v1/yard.pb.h\"", "generated");
    row("gRPC in a page", "ui/pages/jobs/a.cpp", "<grpcpp/grpcpp.h>", "generated");
    row("SQLite outside store", "backend/control/a.cpp", "<sqlite3.h>", "SQLite");
    row("curl outside telemetry", "backend/scheduler/a.cpp", "<curl/curl.h>", "curl");
    row("Vectorscan beside its file", "backend/diagnosis/log_scanner.cpp", "<hs/hs.h>",
        "Vectorscan");
    row("a widget in the model", "ui/model/a.h", "<QWidget>", "widgets of Qt");
    row("a widget in the client", "ui/client/a.h", "<QTableView>", "widgets of Qt");
    row("app included from below", "backend/rpc/a.cpp", "\"app/daemon/wiring.h\"", "nothing");
}

void LayersTest::aPlantedViolationIsFound()
{
    QFETCH(QString, file);
    QFETCH(QString, include);
    QFETCH(QString, rule);

    const QStringList found =
        violations(file, QStringLiteral("#pragma once\n\n  # include %1\n").arg(include));

    QCOMPARE(found.size(), 1);
    QVERIFY2(found.first().startsWith(file + QStringLiteral(":3: ")), qPrintable(found.first()));
    QVERIFY2(found.first().contains(rule), qPrintable(found.first()));
}

void LayersTest::whatIsAllowedIsNotReported()
{
    const QPair<const char*, const char*> allowed[] = {
        {"backend/rpc/a.cpp", "<grpcpp/grpcpp.h>"},
        {"backend/control/a.cpp", "\"backend/store/audit.h\""},
        {"ui/client/a.cpp", "\"yard/v1/yard.grpc.pb.h\""},
        {"ui/pages/nodes/a.cpp", "\"ui/pages/nodes/nodes_page.h\""},
        {"ui/widgets/a.cpp", "\"ui/theme/theme.h\""},
        {"ui/main_window.cpp", "<QMainWindow>"},
        {"ui/model/a.h", "<QAbstractTableModel>"},
        {"app/desktop/wiring.cpp", "\"ui/client/cluster_client.h\""},
        {"backend/store/a.cpp", "<sqlite3.h>"}};
    for (const auto& [file, include] : allowed) {
        const QStringList found = violations(
            QString::fromLatin1(file), QStringLiteral("#include %1").arg(QLatin1String(include)));
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char(' '))));
    }
}

QTEST_GUILESS_MAIN(LayersTest)
#include "layers_test.moc"
