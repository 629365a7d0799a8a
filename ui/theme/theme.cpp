#include "ui/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSettings>
#include <QSvgRenderer>
#include <QToolTip>
#include <QWidget>

#include "ui/theme/yard_style.h"

namespace yard::theme {
namespace {

/// FreeType darkens the stems of small Inter (as of all CFF outlines). Light letters on a dark
/// ground glow besides: drawn a step lighter, they have the weight that is meant.
constexpr int kDarkenedBelowPx = 16;

QFont::Weight drawnWeight(const TypeStyle& style, int weight)
{
    const bool glows = Theme::instance().isDark() && !style.mono && style.px < kDarkenedBelowPx;
    return QFont::Weight(glows ? weight - 100 : weight);
}

QFont makeFont(const TypeStyle& style)
{
    QFont font;
    font.setFamilies(style.families);
    font.setPixelSize(style.px);
    font.setWeight(drawnWeight(style, style.weight));
    font.setHintingPreference(QFont::PreferNoHinting);
    if (style.tracking != 0)
        font.setLetterSpacing(QFont::AbsoluteSpacing, style.tracking);
    // Ligatures would falsify commands.
    font.setStyleStrategy(
        style.mono ? QFont::StyleStrategy(QFont::NoSubpixelAntialias | QFont::PreferNoShaping)
                   : QFont::NoSubpixelAntialias);
    return font;
}

QString stateName(model::NodeCategory category)
{
    using model::NodeCategory;
    switch (category) {
        case NodeCategory::Idle:
            return QStringLiteral("idle");
        case NodeCategory::Mixed:
            return QStringLiteral("mixed");
        case NodeCategory::Allocated:
        case NodeCategory::Completing:
            return QStringLiteral("allocated");
        case NodeCategory::Draining:
            return QStringLiteral("draining");
        case NodeCategory::Drained:
            return QStringLiteral("drained");
        case NodeCategory::Down:
        case NodeCategory::Fail:
            return QStringLiteral("down");
        case NodeCategory::Maintenance:
            return QStringLiteral("maintenance");
        case NodeCategory::Reserved:
        case NodeCategory::Planned:
            return QStringLiteral("reserved");
        case NodeCategory::Rebooting:
            return QStringLiteral("rebooting");
        case NodeCategory::PoweredOff:
            return QStringLiteral("powered_off");
        case NodeCategory::Invalid:
        case NodeCategory::Future:
        case NodeCategory::Unknown:
            return QStringLiteral("unknown");
    }
    return QStringLiteral("unknown");
}

QByteArray svgSource(const QString& name)
{
    static QHash<QString, QByteArray> cache;
    auto found = cache.constFind(name);
    if (found == cache.constEnd()) {
        Tokens::instance();
        QFile file(QStringLiteral(":/yard/icons/%1.svg").arg(name));
        found = cache.insert(name, file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
    }
    return *found;
}

/// Reads the theme at each paint, so that icons follow a switch of scheme.
class IconEngine final : public QIconEngine {
public:
    IconEngine(QString name, Color tone)
        : m_name(std::move(name))
        , m_tone(tone)
    {
    }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const Color tone = mode == QIcon::Disabled ? Color::TextDisabled : m_tone;
        paintIcon(*painter, rect, m_name, color(tone));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new IconEngine(*this); }

private:
    QString m_name;
    Color m_tone;
};

}  // namespace

Theme& Theme::instance()
{
    static Theme theme;
    return theme;
}

void Theme::install(QApplication& application)
{
    application.setStyle(new YardStyle);
    m_installed = true;
    applyPalette();
}

void Theme::setScheme(Scheme scheme)
{
    if (m_scheme == scheme)
        return;
    m_scheme = scheme;
    if (m_installed)
        applyPalette();
    Q_EMIT changed();
}

Scheme Theme::remembered()
{
    return QSettings().value(QStringLiteral("theme")).toString() == QLatin1String("light")
               ? Scheme::Light
               : Scheme::Dark;
}

void Theme::remember() const
{
    QSettings().setValue(QStringLiteral("theme"),
                         isDark() ? QStringLiteral("dark") : QStringLiteral("light"));
}

void Theme::applyPalette()
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, Color value) {
        palette.setColor(role, color(value));
    };
    set(QPalette::Window, Color::BgWindow);
    set(QPalette::WindowText, Color::TextPrimary);
    set(QPalette::Base, Color::BgSurface);
    set(QPalette::AlternateBase, Color::BgHead);
    set(QPalette::Text, Color::TextPrimary);
    set(QPalette::PlaceholderText, Color::TextMuted);
    set(QPalette::Button, Color::BgRaised);
    set(QPalette::ButtonText, Color::TextPrimary);
    set(QPalette::BrightText, Color::FaultText);
    set(QPalette::Light, Color::BgRaised);
    set(QPalette::Midlight, Color::LineSubtle);
    set(QPalette::Mid, Color::LineStrong);
    set(QPalette::Dark, Color::LineStrong);
    set(QPalette::Shadow, Color::LineStrong);
    set(QPalette::Highlight, Color::BgSelected);
    set(QPalette::HighlightedText, Color::TextPrimary);
    set(QPalette::Link, Color::AccentText);
    set(QPalette::LinkVisited, Color::AccentText);
    set(QPalette::ToolTipBase, Color::BgRaised);
    set(QPalette::ToolTipText, Color::TextPrimary);
    for (QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, color(Color::TextDisabled));
    QApplication::setPalette(palette);
    QApplication::setFont(font(Type::Body));
    QToolTip::setPalette(palette);
    QToolTip::setFont(font(Type::Label));
}

QColor color(Color color)
{
    return Tokens::instance().color(color, Theme::instance().scheme());
}

QColor stateColor(model::NodeCategory category)
{
    static std::array<std::array<QColor, model::kNodeCategoryCount>, 2> cache;
    QColor& cached = cache[size_t(Theme::instance().scheme())][size_t(category)];
    if (!cached.isValid())
        cached = Tokens::instance().state(stateName(category), Theme::instance().scheme());
    return cached;
}

QColor seriesColor(Series series)
{
    return Tokens::instance().series(series, Theme::instance().scheme());
}

QColor mix(const QColor& over, const QColor& under, double share)
{
    const auto channel = [share](int a, int b) { return qRound(a * share + b * (1 - share)); };
    return {channel(over.red(), under.red()), channel(over.green(), under.green()),
            channel(over.blue(), under.blue())};
}

QFont font(Type type)
{
    static std::array<std::array<std::optional<QFont>, kTypeCount>, 2> cache;
    std::optional<QFont>& cached = cache[size_t(Theme::instance().scheme())][size_t(type)];
    if (!cached)
        cached = makeFont(Tokens::instance().type(type));
    return *cached;
}

QFont font(Type type, QFont::Weight weight)
{
    QFont result = font(type);
    result.setWeight(drawnWeight(Tokens::instance().type(type), weight));
    return result;
}

void wear(QWidget& widget, Type type)
{
    widget.setFont(font(type));
    QObject::connect(&Theme::instance(), &Theme::changed, &widget,
                     [&widget, type] { widget.setFont(font(type)); });
}

int lineHeight(Type type)
{
    return Tokens::instance().type(type).line;
}

int px(Size size)
{
    return Tokens::instance().size(size);
}

int px(Radius radius)
{
    return Tokens::instance().radius(radius);
}

QIcon icon(const QString& name, Color tone)
{
    return QIcon(new IconEngine(name, tone));
}

void paintIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color)
{
    QByteArray source = svgSource(name);
    source.replace("currentColor", color.name().toLatin1());
    QSvgRenderer(source).render(&painter, rect);
}

}  // namespace yard::theme
