#include "app/ctl/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/base/text.h"

namespace yard::ctl {

size_t displayWidth(const std::string& text)
{
    return size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

Table::Table(std::vector<std::string> headings)
{
    for (std::string& heading : headings) {
        m_right.push_back(heading.ends_with('>'));
        if (m_right.back())
            heading.pop_back();
    }
    m_rows.push_back(std::move(headings));
}

void Table::add(std::vector<std::string> row)
{
    row.resize(m_right.size());
    // A control character in a name or reason must not steer the terminal.
    for (std::string& cell : row)
        cell = text::visible(cell);
    m_rows.push_back(std::move(row));
}

std::string Table::text() const
{
    std::vector<size_t> widths(m_right.size(), 0);
    for (const auto& row : m_rows) {
        for (size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], displayWidth(row[i]));
    }
    std::string text;
    for (const auto& row : m_rows) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - displayWidth(row[i]), ' ');
            line += (i == 0 ? "" : "  ") + (m_right[i] ? padding + row[i] : row[i] + padding);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

void Table::print() const
{
    fmt::print("{}", text());
}

}  // namespace yard::ctl
