#include <algorithm>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/scontrol_text.h"

namespace yard::scheduler::slurm {
namespace {

/// In the form of many lines these run to the end of their line, whatever they hold.
bool isFreeText(std::string_view key)
{
    constexpr std::string_view kKeys[] = {"JobName", "Command",      "WorkDir", "StdErr",
                                          "StdIn",   "StdOut",       "Comment", "Reason",
                                          "Extra",   "AdminComment", "OS",      "SystemComment"};
    return std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

struct Found {
    std::string_view key;
    size_t at = 0;     ///< of the key
    size_t value = 0;  ///< behind the '='
};

class FieldFinder {
public:
    FieldFinder(std::string_view record, const std::vector<std::string_view>& known)
        : m_record(record)
        , m_known(known)
        , m_isManyLines(record.find('\n') != std::string_view::npos)
    {
    }
    std::vector<Found> run();

private:
    /// The known key that starts at `at`, not seen before.
    std::string_view keyAt(size_t at);

    std::string_view m_record;
    const std::vector<std::string_view>& m_known;
    bool m_isManyLines;
    std::vector<bool> m_isSeen = std::vector<bool>(m_known.size(), false);
    std::vector<Found> m_found;
};

std::string_view FieldFinder::keyAt(size_t at)
{
    const std::string_view rest = m_record.substr(at, 64);
    const std::string_view word = rest.substr(0, rest.find('='));
    if (word.size() == rest.size())
        return {};
    const auto known = std::find(m_known.begin(), m_known.end(), word);
    if (known == m_known.end() || m_isSeen[size_t(known - m_known.begin())])
        return {};
    m_isSeen[size_t(known - m_known.begin())] = true;
    return word;
}

std::vector<Found> FieldFinder::run()
{
    bool isLineStart = true;
    bool isInFreeText = false;
    for (size_t at = 0; at < m_record.size(); ++at) {
        const bool isStart = at == 0 || text::isBlank(m_record[at - 1]);
        if (m_record[at] == '\n') {
            isLineStart = true;
            isInFreeText = false;
            continue;
        }
        if (!isStart || text::isBlank(m_record[at]) || (isInFreeText && !isLineStart))
            continue;
        isLineStart = false;
        const std::string_view key = keyAt(at);
        if (key.empty())
            continue;
        m_found.push_back({key, at, at + key.size() + 1});
        isInFreeText = m_isManyLines && isFreeText(key);
        at += key.size();
    }
    return std::move(m_found);
}

}  // namespace

std::map<std::string, std::string, std::less<>> readScontrolFields(
    std::string_view record, const std::vector<std::string_view>& knownKeys)
{
    std::map<std::string, std::string, std::less<>> fields;
    const auto found = FieldFinder(record, knownKeys).run();
    for (size_t i = 0; i < found.size(); ++i) {
        const size_t end = i + 1 < found.size() ? found[i + 1].at : record.size();
        std::string_view value = record.substr(found[i].value, end - found[i].value);
        value = value.substr(0, value.find('\n'));
        fields.emplace(std::string(found[i].key), std::string(text::trimmed(value)));
    }
    return fields;
}

std::string cutAt(const std::map<std::string, std::string, std::less<>>& fields,
                  const std::vector<std::vector<std::string_view>>& needed)
{
    for (const auto& keys : needed) {
        if (std::none_of(keys.begin(), keys.end(),
                         [&](std::string_view key) { return fields.contains(key); }))
            return std::string(keys.front());
    }
    return {};
}

bool isOpen(std::string_view record, std::string_view output)
{
    return record.data() + record.size() == output.data() + output.size();
}

}  // namespace yard::scheduler::slurm
