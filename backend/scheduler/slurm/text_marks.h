#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yard::scheduler::slurm {

/// What stands before each record and each field in output that we have Slurm format.
///
/// Job names and comments may hold any character, so a control character alone could be forged by a
/// user: the marks carry a number that changes with every poll.
struct TextMarks {
    std::string record;
    std::string field;

    static TextMarks fresh();

    /// "\x1e…%A\x1f…%i…" for a list of one-letter fields.
    std::string format(std::string_view letters) const;
    /// The fields of each record in `output`; what precedes the first record is dropped.
    std::vector<std::vector<std::string_view>> read(std::string_view output) const;
};

}  // namespace yard::scheduler::slurm
