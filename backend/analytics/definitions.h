#pragma once

#include <span>
#include <string_view>

namespace yard::analytics {

/// What a figure is: shown beside it wherever it is shown.
struct Definition {
    std::string_view name;   ///< of the figure; "*" stands for any rest: "duration_s.*"
    std::string_view unit;   ///< empty: a plain count or text
    std::string_view title;  ///< a few words
    std::string_view text;   ///< what is counted, over what, how
};

/// In the order in which figures are told.
std::span<const Definition> definitions();

/// The definition of a figure; null for a name that no figure has.
const Definition* definitionOf(std::string_view figure);

/// What holds for all figures: quantile method, GPU time, whose duration.
std::span<const std::string_view> commonDefinitions();

}  // namespace yard::analytics
