#include "backend/scheduler/slurm/state_words.h"

#include <algorithm>
#include <array>

#include "backend/base/text.h"

namespace yard::scheduler::slurm {
namespace {

using domain::JobState;
using domain::NodeCategory;
using domain::NodeState;

struct Symbol {
    char symbol;
    std::string_view flag;
};
constexpr std::array<Symbol, 10> kSymbols{{{'*', "NOT_RESPONDING"},
                                           {'~', "POWERED_DOWN"},
                                           {'#', "POWERING_UP"},
                                           {'%', "POWERING_DOWN"},
                                           {'!', "POWER_DOWN"},
                                           {'$', "MAINTENANCE"},
                                           {'@', "REBOOT_REQUESTED"},
                                           {'^', "REBOOT_ISSUED"},
                                           {'-', "PLANNED"},
                                           {'+', "COMPLETING"}}};

/// A word for a node: a base state, a flag, or a summary that stands for both.
struct NodeWord {
    std::string_view word;
    std::optional<NodeState> state;
    std::string_view flag;
    std::optional<NodeCategory> category;
};

constexpr NodeWord base(std::string_view word, NodeState state)
{
    return {word, state, {}, {}};
}
constexpr NodeWord flag(std::string_view word, std::string_view flag)
{
    return {word, {}, flag, {}};
}
constexpr NodeWord summary(std::string_view word, std::string_view flag, NodeCategory category)
{
    return {word, {}, flag, category};
}

constexpr std::array kNodeWords{
    base("UNKNOWN", NodeState::Unknown),
    base("UNK", NodeState::Unknown),
    base("DOWN", NodeState::Down),
    base("IDLE", NodeState::Idle),
    base("ALLOCATED", NodeState::Allocated),
    base("ALLOC", NodeState::Allocated),
    base("ERROR", NodeState::Error),
    base("ERR", NodeState::Error),
    base("MIXED", NodeState::Mixed),
    base("MIX", NodeState::Mixed),
    base("FUTURE", NodeState::Future),
    base("FUTR", NodeState::Future),

    summary("DRAINING", "DRAIN", NodeCategory::Draining),
    summary("DRNG", "DRAIN", NodeCategory::Draining),
    summary("DRAINED", "DRAIN", NodeCategory::Drained),
    summary("FAILING", "FAIL", NodeCategory::Fail),
    summary("FAILG", "FAIL", NodeCategory::Fail),
    summary("RESV", "RESERVED", NodeCategory::Reserved),
    summary("MAINT", "MAINTENANCE", NodeCategory::Maintenance),
    summary("REBOOT", "REBOOT_REQUESTED", NodeCategory::Rebooting),
    summary("BOOT", "REBOOT_ISSUED", NodeCategory::Rebooting),
    summary("COMP", "COMPLETING", NodeCategory::Completing),
    summary("PLND", "PLANNED", NodeCategory::Planned),
    summary("INVAL", "INVALID_REG", NodeCategory::Invalid),
    summary("POW_DN", "POWERING_DOWN", NodeCategory::PoweredOff),

    flag("DRAIN", "DRAIN"),
    flag("FAIL", "FAIL"),
    flag("RESERVED", "RESERVED"),
    flag("MAINTENANCE", "MAINTENANCE"),
    flag("REBOOT_REQUESTED", "REBOOT_REQUESTED"),
    flag("REBOOT_ISSUED", "REBOOT_ISSUED"),
    flag("REBOOT_CANCELED", "REBOOT_CANCELED"),
    flag("COMPLETING", "COMPLETING"),
    flag("PLANNED", "PLANNED"),
    flag("INVALID_REG", "INVALID_REG"),
    flag("POWER", "POWERED_DOWN"),
    flag("POWERED_DOWN", "POWERED_DOWN"),
    flag("POWERING_DOWN", "POWERING_DOWN"),
    flag("POWER_DOWN", "POWER_DOWN"),
    flag("POWERING_UP", "POWERING_UP"),
    flag("POWER_UP", "POWER_UP"),
    flag("POW_UP", "POWERING_UP"),
    flag("POWER_DRAIN", "POWER_DRAIN"),
    flag("NOT_RESPONDING", "NOT_RESPONDING"),
    flag("NO_RESPOND", "NOT_RESPONDING"),
    flag("CLOUD", "CLOUD"),
    flag("EXTERNAL", "EXTERNAL"),
    flag("DYNAMIC", "DYNAMIC_NORM"),
    flag("DYNAMIC_NORM", "DYNAMIC_NORM"),
    flag("DYNAMIC_FUTURE", "DYNAMIC_FUTURE"),
    flag("UNDRAIN", "UNDRAIN"),
    flag("RESUME", "RESUME"),
    flag("PERFCTRS", "PERFCTRS"),
    flag("NPC", "PERFCTRS"),
    flag("BLOCKED", "BLOCKED"),
    flag("BLOCK", "BLOCKED"),
};

struct JobFlag {
    std::string_view word;
    std::string_view compact;
    JobState implied;
};
constexpr std::array<JobFlag, 19> kJobFlags{{
    {"COMPLETING", "CG", JobState::Running},    {"CONFIGURING", "CF", JobState::Running},
    {"REQUEUED", "RQ", JobState::Pending},      {"REQUEUE_HOLD", "RH", JobState::Pending},
    {"REQUEUE_FED", "RF", JobState::Pending},   {"SPECIAL_EXIT", "SE", JobState::Pending},
    {"RESV_DEL_HOLD", "RD", JobState::Pending}, {"RESIZING", "RS", JobState::Running},
    {"SIGNALING", "SI", JobState::Running},     {"STAGE_OUT", "SO", JobState::Running},
    {"STOPPED", "ST", JobState::Running},       {"POWER_UP_NODE", "PO", JobState::Running},
    {"REVOKED", "RV", JobState::Unknown},       {"LAUNCH_FAILED", "", JobState::Unknown},
    {"RECONFIG_FAIL", "", JobState::Unknown},   {"UPDATE_DB", "", JobState::Unknown},
    {"EXPEDITING", "", JobState::Pending},      {"FED_REQUEUED", "", JobState::Pending},
    {"PLANNED", "", JobState::Pending},
}};

void addFlag(std::vector<std::string>& flags, std::string_view flag)
{
    if (std::find(flags.begin(), flags.end(), flag) == flags.end())
        flags.emplace_back(flag);
}

/// The symbols at the end of a word, taken off. A lone symbol is no state.
std::string_view takeSymbols(std::string_view word, std::vector<std::string>& flags)
{
    while (word.size() > 1) {
        const auto* const found =
            std::find_if(kSymbols.begin(), kSymbols.end(),
                         [&](const Symbol& symbol) { return symbol.symbol == word.back(); });
        if (found == kSymbols.end())
            break;
        addFlag(flags, found->flag);
        word.remove_suffix(1);
    }
    return word;
}

}  // namespace

NodeWords readNodeState(std::string_view text)
{
    NodeWords words;
    words.isKnown = !text.empty();
    std::vector<std::string> symbols;
    text = text::trimmed(text);
    // A '+' at the very end is the mark of a completing node, one inside joins words.
    for (const std::string_view part : text::split(takeSymbols(text, symbols), "+"))
        addNodeStateWord(words, takeSymbols(part, symbols));
    for (const std::string& flag : symbols)
        addFlag(words.flags, flag);
    return words;
}

void addNodeStateWord(NodeWords& words, std::string_view word)
{
    const std::string upper = text::upperCase(word);
    const auto* const found =
        std::find_if(kNodeWords.begin(), kNodeWords.end(),
                     [&](const NodeWord& known) { return known.word == upper; });
    if (found == kNodeWords.end()) {
        words.isKnown = false;
        if (!upper.empty())
            addFlag(words.flags, upper);
        return;
    }
    if (found->state)
        words.state = *found->state;
    if (!found->flag.empty())
        addFlag(words.flags, found->flag);
    if (found->category)
        words.category = found->category;
    // "drain" alone, as the compact form prints it, is drained; behind a base state it is a flag.
    if (!found->state && !found->category && words.flags.size() == 1 && upper == found->flag &&
        words.state == NodeState::Unknown && !words.category) {
        if (upper == "DRAIN")
            words.category = NodeCategory::Drained;
        else if (upper == "FAIL")
            words.category = NodeCategory::Fail;
        else if (upper == "RESERVED")
            words.category = NodeCategory::Reserved;
        else if (upper == "COMPLETING")
            words.category = NodeCategory::Completing;
        else if (upper == "PLANNED")
            words.category = NodeCategory::Planned;
        else if (upper == "POWERED_DOWN" || upper == "POWERING_DOWN")
            words.category = NodeCategory::PoweredOff;
    } else if (found->state) {
        words.category.reset();
    }
}

JobWords readJobState(std::string_view text)
{
    JobWords words;
    text = text::trimmed(text);
    words.isKnown = !text.empty();
    const size_t by = text.find(" by ");
    if (by != std::string_view::npos) {
        words.cancelledByUid = text::number<uint32_t>(text::trimmed(text.substr(by + 4)));
        text = text.substr(0, by);
    }
    // sacct cuts a long state with a '+' at the end.
    if (text.ends_with('+'))
        text.remove_suffix(1);
    const std::string_view separator = text.find(',') == std::string_view::npos ? "+" : ",";
    for (const std::string_view part : text::split(text, separator))
        addJobStateWord(words, text::trimmed(part));
    return words;
}

void addJobStateWord(JobWords& words, std::string_view word)
{
    const std::string upper = text::upperCase(word);
    std::string full = upper;
    const JobState state = domain::jobStateFrom(upper);
    if (state != JobState::Unknown) {
        words.state = state;
        full = domain::name(state);
    } else {
        const auto* const found =
            std::find_if(kJobFlags.begin(), kJobFlags.end(), [&](const JobFlag& known) {
                return known.word == upper || (!known.compact.empty() && known.compact == upper);
            });
        if (found != kJobFlags.end())
            full = found->word;
        else
            words.isKnown = false;
        if (!full.empty())
            addFlag(words.flags, full);
    }
    if (words.word.empty())
        words.word = full;
}

JobState stateImpliedByFlag(std::string_view flag)
{
    const auto* const found =
        std::find_if(kJobFlags.begin(), kJobFlags.end(),
                     [&](const JobFlag& known) { return known.word == flag; });
    return found == kJobFlags.end() ? JobState::Unknown : found->implied;
}

}  // namespace yard::scheduler::slurm
