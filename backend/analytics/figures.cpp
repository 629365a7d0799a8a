#include "backend/analytics/figures.h"

#include <limits>

namespace yard::analytics {

void Figures::count(std::string name, int64_t value)
{
    m_figures.push_back({std::move(name), Figure::Kind::Count, value, 0, {}});
}

void Figures::number(std::string name, double value)
{
    m_figures.push_back({std::move(name), Figure::Kind::Number, 0, value, {}});
}

void Figures::time(std::string name, int64_t secondsSince1970)
{
    m_figures.push_back({std::move(name), Figure::Kind::Time, secondsSince1970, 0, {}});
}

void Figures::text(std::string name, std::string value)
{
    m_figures.push_back({std::move(name), Figure::Kind::Text, 0, 0, std::move(value)});
}

void Figures::absent(std::string name, std::string why)
{
    m_absences.push_back({std::move(name), std::move(why)});
}

const Figure* Figures::find(std::string_view name) const
{
    for (const Figure& figure : m_figures) {
        if (figure.name == name)
            return &figure;
    }
    return nullptr;
}

double Figures::value(std::string_view name) const
{
    const Figure* const figure = find(name);
    if (!figure || figure->kind == Figure::Kind::Text)
        return std::numeric_limits<double>::quiet_NaN();
    return figure->kind == Figure::Kind::Number ? figure->number : double(figure->count);
}

}  // namespace yard::analytics
