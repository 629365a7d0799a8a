#include "backend/diagnosis/rare_lines.h"

#include <algorithm>
#include <fstream>

#include "backend/base/text.h"
#include "backend/diagnosis/line_head.h"
#include "backend/diagnosis/template_miner.h"

namespace yard::diagnosis {
namespace {

constexpr uint64_t kMaxCount = 8;  // one for each GPU of a node
constexpr size_t kMaxShown = 5;
constexpr size_t kMaxKept = 2000;
constexpr size_t kMaxText = 320;

}  // namespace

std::vector<domain::EvidenceLine> rareLinesIn(const std::string& file)
{
    TemplateMiner miner;
    std::vector<domain::EvidenceLine> kept;  // the first line of each form of trouble
    std::ifstream log(file, std::ios::binary);
    std::string line;
    for (uint64_t number = 1; std::getline(log, line); ++number) {
        removeColours(line);
        const LineTemplate& form = miner.add(readHead(line).text);
        if (form.count == 1 && form.isTrouble && kept.size() < kMaxKept)
            kept.push_back({number, text::validUtf8(text::trimmed(line).substr(0, kMaxText)), "",
                            "rare in this log, with a word of failure"});
    }
    std::vector<std::pair<uint64_t, domain::EvidenceLine>> counted;
    for (domain::EvidenceLine& one : kept) {
        for (const LineTemplate& form : miner.templates()) {
            if (form.firstLine == one.line && form.count <= kMaxCount)
                counted.emplace_back(form.count, std::move(one));
        }
    }
    std::stable_sort(counted.begin(), counted.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second.line > b.second.line;
    });
    std::vector<domain::EvidenceLine> rare;
    for (size_t i = 0; i < counted.size() && rare.size() < kMaxShown; ++i)
        rare.push_back(std::move(counted[i].second));
    return rare;
}

}  // namespace yard::diagnosis
