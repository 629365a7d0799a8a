#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace yard::analytics {

/// One value of a characterization. Names have parts between points: "duration_s.p50".
struct Figure {
    enum class Kind : uint8_t { Count, Number, Time, Text };
    std::string name;
    Kind kind = Kind::Number;
    int64_t count = 0;  ///< Count; Time: seconds since 1970, UTC
    double number = 0;  ///< Number
    std::string text;   ///< Text
};

/// A value that the data cannot give.
struct Absence {
    std::string name;
    std::string why;
};

/// What a characterization says, in the order in which it is told.
class Figures {
public:
    void count(std::string name, int64_t value);
    void number(std::string name, double value);
    void time(std::string name, int64_t secondsSince1970);
    void text(std::string name, std::string value);
    /// "Why" is a sentence.
    void absent(std::string name, std::string why);

    const std::vector<Figure>& all() const { return m_figures; }
    const std::vector<Absence>& absences() const { return m_absences; }
    /// Null if there is none of this name.
    const Figure* find(std::string_view name) const;
    /// As a number whatever its kind; NaN if there is none.
    double value(std::string_view name) const;

private:
    std::vector<Figure> m_figures;
    std::vector<Absence> m_absences;
};

}  // namespace yard::analytics
