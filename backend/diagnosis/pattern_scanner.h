#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"

namespace yard::diagnosis {

/// Looks for many regular expressions at once in a block of text.
///
/// It finds candidates: where a pattern ends, perhaps over the end of a line. Who asks checks the
/// line with the exact expression.
///
/// Thread: scan() from one thread at a time.
class PatternScanner {
public:
    struct Hit {
        size_t end = 0;  ///< behind the last byte of the match
        uint32_t pattern = 0;
    };

    static StatusOr<PatternScanner> compile(const std::vector<std::string>& patterns);
    PatternScanner(PatternScanner&&) noexcept;
    PatternScanner& operator=(PatternScanner&&) noexcept;
    ~PatternScanner();

    /// Hits in order of their end. `hits` is cleared first.
    void scan(std::string_view block, std::vector<Hit>& hits) const;

private:
    struct Engine;
    explicit PatternScanner(std::unique_ptr<Engine> engine);
    std::unique_ptr<Engine> m_engine;
};

}  // namespace yard::diagnosis
