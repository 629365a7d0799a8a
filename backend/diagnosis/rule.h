#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/status.h"
#include "backend/domain/verdict.h"

namespace yard::diagnosis {

/// What a line that matches a rule means for the job. The first five can be a root; a smaller one
/// explains a larger one, wherever the lines stand.
enum class Role : uint8_t {
    Hardware,    ///< a part or a node is broken: kernel, scheduler or driver says so
    Cause,       ///< a process says what stopped it
    Connection,  ///< rendezvous or completion errors: a peer may be the cause
    Peer,        ///< "the other side closed": seldom the side that speaks
    Timeout,     ///< somebody waited too long for somebody else
    Fallback,    ///< what a launcher or shell says of a process that died
    Cancel,      ///< stopped on purpose
    Stopped,     ///< a signal came from outside; a cancel if nothing else explains it
    Fatal,       ///< the job or a process of it ends; says nothing about why
    Restart,     ///< a launcher starts the workers again
    Finished,    ///< the job says that it has done its work
    Stalled,     ///< a watcher says that nothing moves
    Benign,      ///< takes back what other rules see in the same line
    Progress,    ///< the job works
    Place,       ///< says which rank, host and address belong together
};

enum class Scope : uint8_t {
    Any,        ///< anywhere in a line
    Exception,  ///< the line that ends a traceback, or looks exactly like it
    Shell,      ///< anywhere but in an exception
};

/// One signature, as a rule file spells it.
struct Rule {
    std::string id;  ///< "cuda.illegal-access"
    Role role = Role::Cause;
    Scope scope = Scope::Any;
    std::optional<domain::Reason> reason;  ///< for roles that can be a root
    std::vector<std::string>
        patterns;     ///< RE2; groups rank, node, host, gpu, peer, blamed, code, first…
    int weight = 50;  ///< among causes of one chain the larger is the more exact
    bool mayRestart = false;
    bool mayCordon = false;
    bool isGeneric = false;    ///< "launch failure": hardware evidence beside it explains it
    bool isProse = false;      ///< plain words: counts only where the job ended badly
    bool namesNobody = false;  ///< the one that reports it is not the one at fault
    std::string cause;         ///< a sentence for the operator
    std::string advice;
    std::vector<std::string> examples;  ///< lines that must match
    std::vector<std::string> refuses;   ///< lines that must not
    std::string file;                   ///< where it stands
    int line = 0;
};

/// Rules with what is wrong beside them: a sentence for each mistake, with file, line, rule and
/// key.
struct RuleFiles {
    std::vector<Rule> rules;  ///< the good ones
    std::vector<std::string> mistakes;
};

/// Reads one rule file. All mistakes are reported, a line each.
StatusOr<std::vector<Rule>> readRules(std::string_view toml, const std::string& file);

/// Rules of files, or of all *.toml of folders, on top of `base`: one of the same id replaces it.
RuleFiles readRuleFiles(const std::vector<std::string>& paths, std::vector<Rule> base = {});
/// As readRuleFiles(), for those who use the rules: any mistake refuses all.
StatusOr<std::vector<Rule>> loadRules(const std::vector<std::string>& paths,
                                      std::vector<Rule> base = {});

}  // namespace yard::diagnosis
