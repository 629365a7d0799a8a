#include "ui/theme/tokens.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

static void loadResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace yard::theme {
namespace {

constexpr std::array<const char*, kColorCount> kColorNames = {
    "bg.window",   "bg.rail",      "bg.surface",     "bg.raised",   "bg.inset",      "bg.hover",
    "bg.selected", "bg.head",      "scrim",          "line.subtle", "line.strong",   "line.control",
    "grid",        "text.primary", "text.secondary", "text.muted",  "text.disabled", "accent",
    "accent.text", "accent.on",    "accent.soft",    "fault",       "fault.text",    "fault.soft",
    "fault.on",    "warn",         "warn.text",      "warn.soft",   "good",          "good.text",
    "good.soft",   "missing",      "stale"};
constexpr std::array<const char*, kTypeCount> kTypeNames = {
    "figure", "figure.s", "title", "heading", "body", "label", "caption", "mono", "mono.s"};
constexpr std::array<const char*, kSizeCount> kSizeNames = {
    "rail",        "rail_folded", "topbar",      "control",   "control_small", "row",
    "row_head",    "chip",        "page_margin", "gap",       "card_padding",  "icon",
    "state_glyph", "hover_card",  "dialog",      "inspector", "toast"};
constexpr std::array<const char*, 5> kRadiusNames = {"cell", "chip", "control", "card", "dialog"};
constexpr std::array<const char*, kSeriesCount> kSeriesNames = {"Pretrain", "Eval",  "SFT",
                                                                "MLLM",     "Debug", "Other"};
constexpr std::array<const char*, 2> kSchemeNames = {"dark", "light"};

/// CSS writes the alpha last, Qt first.
QColor parseColor(const QString& text)
{
    if (text.size() != 9)
        return QColor(text);
    QColor color(text.left(7));
    color.setAlpha(text.mid(7).toInt(nullptr, 16));
    return color;
}

QString latin(const char* text)
{
    return QString::fromLatin1(text);
}

}  // namespace

struct Tokens::Document {
    QJsonObject root;
};

std::optional<double> Domain::mark(const QString& name) const
{
    for (const auto& [text, value] : marks) {
        if (text == name)
            return value;
    }
    return std::nullopt;
}

QLatin1String tokenName(Color color)
{
    return QLatin1String(kColorNames[size_t(color)]);
}

const Tokens& Tokens::instance()
{
    static const Tokens tokens;
    return tokens;
}

Tokens::Tokens()
{
    loadResources();
    auto document = std::make_shared<Document>();
    QFile file(QStringLiteral(":/yard/tokens.json"));
    if (file.open(QIODevice::ReadOnly))
        document->root = QJsonDocument::fromJson(file.readAll()).object();
    m_document = document;
    readColors();
    readTypes();
    readSizes();
    readScales();
}

void Tokens::readColors()
{
    for (int scheme = 0; scheme < 2; ++scheme) {
        const QJsonObject colors = m_document->root[latin(kSchemeNames[size_t(scheme)])].toObject();
        for (size_t i = 0; i < kColorNames.size(); ++i) {
            const QColor color = parseColor(colors[latin(kColorNames[i])].toString());
            if (!color.isValid())
                m_missing << latin(kColorNames[i]);
            m_colors[size_t(scheme)][i] = color;
        }
    }
}

void Tokens::readTypes()
{
    const QJsonObject fonts = m_document->root[QStringLiteral("font")].toObject();
    const QJsonObject fallback = fonts[QStringLiteral("fallback")].toObject();
    const QJsonObject types = m_document->root[QStringLiteral("type")].toObject();
    for (size_t i = 0; i < kTypeNames.size(); ++i) {
        const QJsonObject type = types[latin(kTypeNames[i])].toObject();
        const QString family = type[QStringLiteral("family")].toString();
        TypeStyle& style = m_types[i];
        style.mono = family == QLatin1String("mono");
        style.families = {fonts[family].toString()};
        if (family == QLatin1String("display"))
            style.families << fonts[QStringLiteral("sans")].toString();
        style.families
            << fallback[style.mono ? QStringLiteral("mono") : QStringLiteral("sans")].toString();
        style.px = type[QStringLiteral("px")].toInt();
        style.line = type[QStringLiteral("line")].toInt();
        style.weight = type[QStringLiteral("weight")].toInt(400);
        style.tracking = type[QStringLiteral("tracking")].toDouble();
        if (style.px == 0)
            m_missing << latin(kTypeNames[i]);
    }
}

void Tokens::readSizes()
{
    const QJsonObject sizes = m_document->root[QStringLiteral("size")].toObject();
    for (size_t i = 0; i < kSizeNames.size(); ++i) {
        m_sizes[i] = sizes[latin(kSizeNames[i])].toInt();
        if (m_sizes[i] == 0)
            m_missing << latin(kSizeNames[i]);
    }
    const QJsonObject radii = m_document->root[QStringLiteral("radius")].toObject();
    for (size_t i = 0; i < kRadiusNames.size(); ++i) {
        m_radii[i] = radii[latin(kRadiusNames[i])].toInt();
        if (m_radii[i] == 0)
            m_missing << latin(kRadiusNames[i]);
    }
}

void Tokens::readScales()
{
    for (Scale each : {Scale::Use, Scale::Heat}) {
        for (Scheme scheme : {Scheme::Dark, Scheme::Light}) {
            if (scale(each, scheme).size() < 2)
                m_missing << QStringLiteral("scale");
        }
    }
}

QColor Tokens::state(const QString& name, Scheme scheme) const
{
    const QJsonObject states = m_document->root[QStringLiteral("node_state")].toObject();
    return parseColor(states[name].toObject()[latin(kSchemeNames[size_t(scheme)])].toString());
}

QColor Tokens::series(Series series, Scheme scheme) const
{
    const QJsonObject all = m_document->root[QStringLiteral("series")].toObject();
    const QJsonObject one = all[latin(kSeriesNames[size_t(series)])].toObject();
    return parseColor(one[latin(kSchemeNames[size_t(scheme)])].toString());
}

QVector<ScaleStop> Tokens::scale(Scale scale, Scheme scheme) const
{
    const QString name = scale == Scale::Use ? QStringLiteral("use") : QStringLiteral("heat");
    const QJsonObject scales = m_document->root[QStringLiteral("scale")].toObject();
    QVector<ScaleStop> stops;
    for (const QJsonValue& stop :
         scales[name].toObject()[latin(kSchemeNames[size_t(scheme)])].toArray()) {
        const QJsonArray pair = stop.toArray();
        stops.push_back({pair.at(0).toDouble(), parseColor(pair.at(1).toString())});
    }
    return stops;
}

Domain Tokens::domain(const QString& name) const
{
    const QJsonObject scales = m_document->root[QStringLiteral("scale")].toObject();
    const QJsonValue value = scales[QStringLiteral("domains")].toObject()[name];
    const QJsonArray range =
        value.isArray() ? value.toArray() : value.toObject()[QStringLiteral("domain")].toArray();
    Domain domain;
    domain.low = range.at(0).toDouble();
    domain.high = range.at(1).toDouble(100);
    const QJsonObject marks = value.toObject()[QStringLiteral("marks")].toObject();
    for (auto mark = marks.begin(); mark != marks.end(); ++mark)
        domain.marks.push_back({mark.key(), mark.value().toDouble()});
    return domain;
}

}  // namespace yard::theme
