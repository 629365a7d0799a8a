#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace yard::domain {

/// A text that never changes, shared by all that hold it: a copy is a pointer. For identities,
/// which come along with every reading of every GPU.
///
/// Thread: any; each object by one at a time.
class SharedText {
public:
    SharedText() = default;
    SharedText(std::string text)
        : m_text(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text)))
    {
    }
    SharedText(const char* text)
        : SharedText(std::string(text))
    {
    }

    bool empty() const { return !m_text; }
    const std::string& str() const
    {
        static const std::string kEmpty;
        return m_text ? *m_text : kEmpty;
    }
    operator const std::string&() const { return str(); }

    friend bool operator==(const SharedText& a, const SharedText& b)
    {
        return a.m_text == b.m_text || a.str() == b.str();
    }

private:
    std::shared_ptr<const std::string> m_text;
};

}  // namespace yard::domain
