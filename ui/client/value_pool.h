#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <string>
#include <unordered_map>

namespace yard::client {

/// Makes equal values of the wire one shared value of the model: at 16,384 nodes nearly all of
/// their states, partitions, types and lists of GPUs are the same few.
///
/// Thread: one at a time.
class ValuePool {
public:
    QString text(const std::string& words);

    template <typename Repeated>
    QStringList texts(const Repeated& words)
    {
        if (words.empty())
            return {};
        m_key.clear();
        for (const auto& word : words)
            m_key.append(word).push_back('\0');
        QStringList& known = place(m_lists);
        if (known.isEmpty()) {
            known.reserve(words.size());
            for (const auto& word : words)
                known.append(text(word));
        }
        return known;
    }

    template <typename Repeated>
    QVector<int> numbers(const Repeated& numbers)
    {
        if (numbers.empty())
            return {};
        m_key.assign(reinterpret_cast<const char*>(numbers.data()),
                     size_t(numbers.size()) * sizeof *numbers.data());
        QVector<int>& known = place(m_numbers);
        if (known.isEmpty())
            known = QVector<int>(numbers.begin(), numbers.end());
        return known;
    }

private:
    static constexpr size_t kMost = 100'000;

    /// The entry of m_key. A full map starts anew: what was given out lives on by itself.
    template <typename Map>
    typename Map::mapped_type& place(Map& map)
    {
        if (map.size() >= kMost)
            map.clear();
        return map[m_key];
    }

    std::string m_key;
    std::unordered_map<std::string, QString> m_texts;
    std::unordered_map<std::string, QStringList> m_lists;
    std::unordered_map<std::string, QVector<int>> m_numbers;
};

}  // namespace yard::client
