#include "backend/scheduler/slurm/slurm_settings.h"

#include "backend/base/text.h"
#include "backend/scheduler/slurm/key_values.h"

namespace yard::scheduler::slurm {
namespace {

using std::string_view;

/// "socket=/run/munge.socket.2,cred_expire=300"
void readAuthInfo(string_view text, SlurmSettings& settings)
{
    for (string_view part : text::split(text, ",")) {
        if (!text::takePrefix(part, "cred_expire="))
            continue;
        if (const auto seconds = text::number<int>(part); seconds && *seconds > 0)
            settings.requeueDelaySeconds = *seconds;
    }
}

/// "slurm(64030)"
void readUser(string_view text, SlurmSettings& settings)
{
    const size_t bracket = text.find('(');
    settings.slurmUser = std::string(text.substr(0, bracket));
    if (bracket != string_view::npos && text.ends_with(')'))
        settings.slurmUid =
            text::number<uint32_t>(text.substr(bracket + 1, text.size() - bracket - 2));
}

}  // namespace

SlurmSettings readSettings(string_view output)
{
    SlurmSettings settings;
    for (const string_view line : text::lines(output)) {
        const size_t equals = line.find('=');
        if (equals == string_view::npos)
            continue;
        const string_view key = text::trimmed(line.substr(0, equals));
        const string_view value = withoutNull(text::trimmed(line.substr(equals + 1)));
        if (key == "ClusterName")
            settings.cluster = std::string(value);
        else if (key == "SLURM_VERSION")
            settings.version = std::string(value);
        else if (key == "SlurmUser")
            readUser(value, settings);
        else if (key == "StateSaveLocation")
            settings.stateSaveLocation = std::string(value);
        else if (key == "AuthInfo")
            readAuthInfo(value, settings);
        else if (key == "TopologyPlugin")
            settings.hasTopology = value.find("none") == string_view::npos &&
                                   value.find("default") == string_view::npos && !value.empty();
        else if (key == "AccountingStorageType")
            settings.hasAccounting = value.find("slurmdbd") != string_view::npos;
    }
    return settings;
}

}  // namespace yard::scheduler::slurm
