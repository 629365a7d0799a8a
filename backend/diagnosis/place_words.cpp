#include "backend/diagnosis/place_words.h"

#include <algorithm>
#include <array>
#include <string>

#include "backend/base/text.h"
#include "backend/diagnosis/line_head.h"

namespace yard::diagnosis {
namespace {

constexpr size_t kMaxRead = 600;
constexpr std::string_view kBetween = " \t\"'`,;()[]{}<>|";

enum class Announces : uint8_t { Nothing, Node, Pod, Rank, LocalRank };

Announces meaningOf(std::string_view word)
{
    std::string lower(word.substr(0, 32));
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    const auto isIn = [&lower](const auto& words) {
        return std::find(words.begin(), words.end(), lower) != words.end();
    };
    constexpr std::array<std::string_view, 20> kNode{
        "node",   "host",      "hostname", "nodename", "node_name", "host_name", "machine",
        "server", "exec_host", "exechost", "nodelist", "instance",  "kernel",    "dmesg",
        "ipmi",   "bmc",       "idrac",    "epilog",   "prolog",    "journal"};
    constexpr std::array<std::string_view, 2> kPod{"pod", "pod_name"};
    constexpr std::array<std::string_view, 6> kRank{"rank",   "global_rank", "world_rank",
                                                    "rankid", "globalrank",  "rank_id"};
    constexpr std::array<std::string_view, 3> kLocal{"local_rank", "localrank", "local-rank"};
    if (isIn(kNode))
        return Announces::Node;
    if (isIn(kPod))
        return Announces::Pod;
    if (isIn(kRank))
        return Announces::Rank;
    return isIn(kLocal) ? Announces::LocalRank : Announces::Nothing;
}

bool isMachine(std::string_view word)
{
    return looksLikeHost(word) && word.find('/') == std::string_view::npos;
}

}  // namespace

PlaceWords readPlaceWords(std::string_view line)
{
    PlaceWords places;
    line = line.substr(0, kMaxRead);
    Announces announced = Announces::Nothing;
    for (size_t begin = 0; begin < line.size();) {
        begin = line.find_first_not_of(kBetween, begin);
        if (begin == std::string_view::npos)
            break;
        const size_t end = std::min(line.find_first_of(kBetween, begin), line.size());
        std::string_view word = line.substr(begin, end - begin);
        begin = end;
        if (word == ":" || word == "=")
            continue;  // "node": "gpu-3"
        // "node/gpu-3", "rank=12:", "host:n7"
        const size_t mark = word.find_first_of("=:/");
        bool isJoined = false;
        if (mark != std::string_view::npos) {
            const Announces meaning = meaningOf(word.substr(0, mark));
            if (meaning != Announces::Nothing) {
                announced = meaning;
                isJoined = true;
                word.remove_prefix(mark + 1);
                if (word.empty())
                    continue;  // "host: n7"
            }
        }
        while (!word.empty() && (word.back() == ':' || word.back() == '.' || word.back() == ','))
            word.remove_suffix(1);
        switch (announced) {
            case Announces::Node:
                if (places.node.empty() && isMachine(word))
                    places.node = word;
                break;
            case Announces::Pod:
                if (places.pod.empty() && looksLikeHost(word.substr(word.rfind('/') + 1)))
                    places.pod = word.substr(word.rfind('/') + 1);
                break;
            case Announces::Rank:
                if (isJoined && !places.rank)
                    places.rank = text::number<int>(word);
                break;
            case Announces::LocalRank:
                if (!places.localRank)
                    places.localRank = text::number<int>(word);
                break;
            case Announces::Nothing:
                break;
        }
        announced = isJoined ? Announces::Nothing : meaningOf(word);
    }
    return places;
}

}  // namespace yard::diagnosis
