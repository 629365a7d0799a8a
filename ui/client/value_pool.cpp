#include "ui/client/value_pool.h"

namespace yard::client {

QString ValuePool::text(const std::string& words)
{
    if (words.empty())
        return {};
    const auto known = m_texts.find(words);
    if (known != m_texts.end())
        return known->second;
    if (m_texts.size() >= kMost)
        m_texts.clear();
    return m_texts.emplace(words, QString::fromStdString(words)).first->second;
}

}  // namespace yard::client
