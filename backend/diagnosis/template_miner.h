#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace yard::diagnosis {

/// Lines of one form: "step <*> loss <*>".
struct LineTemplate {
    std::vector<std::string> tokens;  ///< "<*>" where lines differ
    uint64_t count = 0;
    uint64_t firstLine = 0;
    uint64_t lastLine = 0;
    bool isTrouble = false;  ///< holds a word of failure
    bool isRoutine = false;  ///< so frequent that it says nothing; never if it is trouble

    std::string text() const;
};

/// Sorts lines into templates as they come, without knowing any beforehand. Numbers never count;
/// what is left groups by its words. The filter of routine lines grows by itself.
///
/// Memory is bounded: beyond a number of templates the rarest are given up, and counted.
class TemplateMiner {
public:
    TemplateMiner();

    /// The template of `line`, by its place. Places stay the same until the next add().
    const LineTemplate& add(std::string_view line);

    const std::vector<LineTemplate>& templates() const { return m_templates; }
    uint64_t lines() const { return m_lines; }
    uint64_t givenUp() const { return m_givenUp; }

private:
    struct Slot {
        uint64_t shape = 0;
        uint32_t place = 0;
    };
    uint32_t placeOf(std::string_view line);
    uint32_t create(std::vector<std::string> tokens, std::string_view line, uint64_t group);
    void giveUpTheRarest();

    std::vector<LineTemplate> m_templates;
    std::unordered_map<uint64_t, std::vector<uint32_t>> m_groups;  ///< by words and first word
    std::vector<Slot> m_known;                                     ///< shapes seen lately
    uint64_t m_lines = 0;
    uint64_t m_givenUp = 0;
};

/// Whether a line has a word that failures use.
bool hasTroubleWord(std::string_view line);

}  // namespace yard::diagnosis
