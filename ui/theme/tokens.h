#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <array>
#include <memory>
#include <optional>

#include "ui/model/cluster.h"

namespace yard::theme {

enum class Scheme { Dark, Light };

enum class Color {
    BgWindow,
    BgRail,
    BgSurface,
    BgRaised,
    BgInset,
    BgHover,
    BgSelected,
    BgHead,
    Scrim,
    LineSubtle,
    LineStrong,
    LineControl,
    Grid,
    TextPrimary,
    TextSecondary,
    TextMuted,
    TextDisabled,
    Accent,
    AccentText,
    AccentOn,
    AccentSoft,
    Fault,
    FaultText,
    FaultSoft,
    FaultOn,
    Warn,
    WarnText,
    WarnSoft,
    Good,
    GoodText,
    GoodSoft,
    Missing,
    Stale,
};
constexpr int kColorCount = int(Color::Stale) + 1;

enum class Type { Figure, FigureSmall, Title, Heading, Body, Label, Caption, Mono, MonoSmall };
constexpr int kTypeCount = int(Type::MonoSmall) + 1;

enum class Size {
    Rail,
    RailFolded,
    Topbar,
    Control,
    ControlSmall,
    Row,
    RowHead,
    Chip,
    PageMargin,
    Gap,
    CardPadding,
    Icon,
    StateGlyph,
    HoverCard,
    Dialog,
    Inspector,
    Toast,
};
constexpr int kSizeCount = int(Size::Toast) + 1;

enum class Radius { Cell, Chip, Control, Card, Dialog };
enum class Series { Pretrain, Eval, Sft, Mllm, Debug, Other };
constexpr int kSeriesCount = 6;
enum class Scale { Use, Heat };

struct TypeStyle {
    QStringList families;
    bool mono = false;
    int px = 0;
    int line = 0;
    int weight = 400;
    double tracking = 0;
};

struct ScaleStop {
    double at = 0;
    QColor color;
};

struct Domain {
    double low = 0;
    double high = 100;
    QVector<QPair<QString, double>> marks;
    std::optional<double> mark(const QString& name) const;
};

/// The look's values, read from resources/tokens.json and nowhere else.
class Tokens {
public:
    static const Tokens& instance();

    QColor color(Color color, Scheme scheme) const { return m_colors[int(scheme)][size_t(color)]; }
    QColor state(const QString& name, Scheme scheme) const;
    QColor series(Series series, Scheme scheme) const;
    const TypeStyle& type(Type type) const { return m_types[size_t(type)]; }
    int size(Size size) const { return m_sizes[size_t(size)]; }
    int radius(Radius radius) const { return m_radii[size_t(radius)]; }
    QVector<ScaleStop> scale(Scale scale, Scheme scheme) const;
    Domain domain(const QString& name) const;
    /// Names in tokens.json that are missing or unreadable; empty when all is well.
    QStringList missing() const { return m_missing; }

private:
    Tokens();
    void readColors();
    void readTypes();
    void readSizes();
    void readScales();

    struct Document;
    std::shared_ptr<const Document> m_document;
    std::array<std::array<QColor, kColorCount>, 2> m_colors;
    std::array<TypeStyle, kTypeCount> m_types;
    std::array<int, kSizeCount> m_sizes{};
    std::array<int, 5> m_radii{};
    QStringList m_missing;
};

QLatin1String tokenName(Color color);

}  // namespace yard::theme
