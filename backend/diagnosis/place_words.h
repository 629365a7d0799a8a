#pragma once

#include <optional>
#include <string_view>

namespace yard::diagnosis {

/// What a line says of its place in words anybody may use: "node/gpu-3", "host=n7 rank=12".
struct PlaceWords {
    std::string_view node;
    std::string_view pod;
    std::optional<int> rank;
    std::optional<int> localRank;
};

/// Reads the words; a name counts only behind a word that announces it. Pure.
PlaceWords readPlaceWords(std::string_view line);

}  // namespace yard::diagnosis
