#include "app/ctl/log_quote.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <vector>

#include "backend/base/text.h"
#include "backend/diagnosis/line_head.h"

namespace yard::ctl {
namespace {

constexpr size_t kBlockSize = 1 << 20;
constexpr size_t kMaxQuoted = 320;

}  // namespace

void quoteLines(const std::string& file, domain::Verdict& verdict)
{
    std::vector<domain::EvidenceLine*> asked;
    uint64_t last = 0;
    for (domain::EvidenceLine& line : verdict.evidence) {
        if (!line.text.empty() || !line.source.empty())
            continue;
        asked.push_back(&line);
        last = std::max(last, line.line);
    }
    std::ifstream log(file, std::ios::binary);
    std::string block(kBlockSize, '\0');
    uint64_t number = 1;
    const auto take = [&asked, &number](std::string_view part) {
        for (domain::EvidenceLine* const line : asked) {
            if (line->line == number && line->text.size() < kMaxQuoted)
                line->text += part.substr(0, kMaxQuoted - line->text.size());
        }
    };
    while (number <= last &&
           (log.read(block.data(), std::streamsize(block.size())), log.gcount() > 0)) {
        std::string_view bytes = std::string_view(block).substr(0, size_t(log.gcount()));
        while (!bytes.empty() && number <= last) {
            const size_t end = bytes.find('\n');
            take(bytes.substr(0, end));
            number += end == std::string_view::npos ? 0 : 1;
            bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
        }
    }
    for (domain::EvidenceLine* const line : asked) {
        diagnosis::removeColours(line->text);
        line->text = text::validUtf8(text::trimmed(line->text));
    }
}

}  // namespace yard::ctl
