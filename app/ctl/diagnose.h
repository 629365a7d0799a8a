#pragma once

#include <string>
#include <vector>

namespace yard::ctl {

/// `yardctl diagnose FILE…`: says offline why jobs ended, from their logs alone.
struct DiagnoseRequest {
    std::vector<std::string> files;
    std::string kernel;              ///< a kernel log that belongs to all of them
    std::string format = "text";     ///< text, json, tsv
    std::vector<std::string> rules;  ///< files or folders on top of the shipped rules
};

/// Returns 0, or 3 if a file or a rule could not be read; the others are still diagnosed.
int diagnose(const DiagnoseRequest& request);

/// `yardctl rules check [FILE…]`: reads rules and tries their examples. 0 or 3.
int checkRules(const std::vector<std::string>& files);

}  // namespace yard::ctl
