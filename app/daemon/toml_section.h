#pragma once

#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/operation.h"

namespace yard::daemon {

/// Collects what is wrong with a configuration file, one sentence each with file, line and key.
class ConfigErrors {
public:
    explicit ConfigErrors(std::string file)
        : m_file(std::move(file))
    {
    }
    void add(int64_t line, std::string_view key, std::string_view sentence);
    std::vector<std::string> take() { return std::move(m_sentences); }

private:
    std::string m_file;
    std::vector<std::string> m_sentences;
};

/// One table of the file, read key by key. What is not there leaves its value alone; what was never
/// asked for is an unknown key, reported by finish() with the nearest known one.
class TomlSection {
public:
    /// `table` may be null: the section is not in the file. `line` is where the section begins.
    TomlSection(const toml::table* table, std::string name, ConfigErrors& errors);

    enum class Path { Needed, MayBeEmpty };

    void read(const char* key, std::string& value);
    /// A path from the root: a relative one would mean another file from every folder.
    void readPath(const char* key, std::string& value, Path path);
    void read(const char* key, bool& value);
    void read(const char* key, double& value, double least, double most);
    void read(const char* key, std::vector<std::string>& value);
    void read(const char* key, domain::Role& value);
    void readCount(const char* key, uint64_t& value, uint64_t least, uint64_t most);
    /// Seconds in the file, with fractions.
    void readSeconds(const char* key, std::chrono::milliseconds& value, double least, double most);
    /// `value` must be one of `words`.
    void readWord(const char* key, std::string& value, const std::vector<std::string>& words);

    void reject(std::string_view key, std::string_view sentence);
    /// A key that is read elsewhere.
    void know(const char* key) { m_known.emplace_back(key); }
    int64_t line() const;
    void finish();
    const std::vector<std::string>& known() const { return m_known; }

private:
    const toml::node* find(const char* key);
    bool isPlain(const char* key, std::string_view text);
    std::string fullName(std::string_view key) const;

    const toml::table* m_table;
    std::string m_name;
    ConfigErrors& m_errors;
    std::vector<std::string> m_known;
};

/// "the control character 0x0a at place 7" for text that holds one, else empty. Nothing in a
/// configuration needs one, and in a header, a path or an argument it would mean something else.
std::string controlCharacterIn(std::string_view text);

/// The closest of `known`, or nothing if none is close.
std::string nearestWord(std::string_view word, const std::vector<std::string>& known);

}  // namespace yard::daemon
