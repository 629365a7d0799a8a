#include "backend/analytics/words.h"

namespace yard::analytics {

uint32_t Words::number(std::string_view text)
{
    if (const auto found = m_numbers.find(text); found != m_numbers.end())
        return found->second;
    const auto number = uint32_t(m_texts.size());
    m_numbers.emplace(m_texts.emplace_back(text), number);
    return number;
}

}  // namespace yard::analytics
