#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace yard::analytics {

/// Every different text once, as a number. 0 is the empty text.
///
/// Thread: one at a time.
class Words {
public:
    Words() { number({}); }
    Words(Words&&) = default;
    Words& operator=(Words&&) = default;

    uint32_t number(std::string_view text);
    const std::string& text(uint32_t number) const { return m_texts[number]; }
    size_t size() const { return m_texts.size(); }

private:
    std::deque<std::string> m_texts;  // a deque keeps the keys of the map in place
    absl::flat_hash_map<std::string_view, uint32_t> m_numbers;
};

}  // namespace yard::analytics
