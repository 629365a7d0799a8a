#pragma once

#include <string>
#include <vector>

namespace yard::ctl {

/// An aligned table on standard output. Numbers go right, words left, columns never cut.
class Table {
public:
    /// A heading that ends in ">" makes its column right-aligned.
    explicit Table(std::vector<std::string> headings);

    void add(std::vector<std::string> row);
    std::string text() const;
    void print() const;

private:
    std::vector<bool> m_right;
    std::vector<std::vector<std::string>> m_rows;
};

/// Columns that it takes on a screen: characters, not bytes.
size_t displayWidth(const std::string& text);

}  // namespace yard::ctl
