#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <variant>

#include "app/daemon/config.h"
#include "app/daemon/signals.h"
#include "app/daemon/version.h"
#include "app/daemon/wiring.h"
#include "backend/base/log.h"
#include "backend/base/memory.h"

namespace {

using namespace yard;
using namespace yard::daemon;

enum ExitCode { Done = 0, BadUsage = 1, BadConfiguration = 2, CannotStart = 3 };

// A stop that takes longer than this has hung; the journal is safe on disk in any case.
constexpr unsigned kLongestStopSeconds = 30;

struct Arguments {
    std::string configPath{kDefaultConfigPath};
    std::string demo;
    std::string socketPath;
    std::string stateDirectory;
    bool isDemo = false;
    bool checkConfig = false;
    bool exitWithParent = false;
};

int fail(ExitCode code, std::string_view sentence)
{
    std::cerr << "yardmasterd: " << sentence << '\n';
    return code;
}

std::string ownSocketPath()
{
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    if (!runtime || *runtime == '\0')
        return std::string(kDefaultSocketPath);
    const auto folder = std::filesystem::path(runtime) / "yardmaster";
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    return folder / "yard.sock";
}

/// The configuration that the arguments ask for, or the exit code after it has been complained
/// about.
std::variant<Config, int> configFrom(const Arguments& arguments)
{
    Config config;
    if (arguments.isDemo) {
        auto demo = demoConfig(arguments.demo);
        if (!demo.ok())
            return fail(BadUsage, fmt::format("--demo: {}", std::string(demo.status().message())));
        config = *std::move(demo);
        config.server.socketPath = ownSocketPath();
    } else {
        auto parsed = loadConfig(arguments.configPath);
        if (!parsed.ok())
            return fail(BadConfiguration, std::string(parsed.status().message()));
        for (const std::string& error : parsed->errors)
            std::cerr << error << '\n';
        if (!parsed->errors.empty())
            return fail(BadConfiguration, "The configuration has errors; nothing was started.");
        config = parsed->config;
    }
    if (!arguments.socketPath.empty())
        config.server.socketPath = std::filesystem::absolute(arguments.socketPath);
    if (!arguments.stateDirectory.empty())
        config.stateDirectory = std::filesystem::absolute(arguments.stateDirectory);
    return config;
}

int serve(const Config& config)
{
    const SystemClock clock;
    auto daemon = Daemon::start(config, clock);
    if (!daemon.ok())
        return fail(CannotStart, std::string(daemon.status().message()));
    log::info(fmt::format("yardmasterd {} serves on {}{}.", kVersion, config.server.socketPath,
                          config.desk.demo ? ", a simulated cluster" : ""));
    waitForEnd([&] { return (*daemon)->isAlive(); });
    log::info("Stopping.");
    alarm(kLongestStopSeconds);
    daemon->reset();
    return Done;
}

}  // namespace

int main(int argc, char** argv)
{
    const pid_t parent = getppid();
    blockEndingSignals();
    shareHeaps();

    Arguments arguments;
    CLI::App app(
        "yardmasterd, the daemon of Yardmaster: it reads the scheduler and the telemetry of a "
        "GPU cluster, keeps the journal and acts.");
    app.set_version_flag("--version", std::string(kVersion));
    app.add_option("--config", arguments.configPath, "Configuration file")->capture_default_str();
    app.add_flag("--check-config", arguments.checkConfig,
                 "Print everything that is wrong with the configuration, then exit: 0 if nothing "
                 "is, 2 otherwise");
    auto* demo =
        app.add_option("--demo", arguments.demo,
                       "Serve a simulated cluster instead, without a configuration; for example "
                       "nodes=12500,seed=7,speed=60")
            ->expected(0, 1);
    app.add_option("--socket", arguments.socketPath,
                   "Serve on this UNIX socket, whatever is configured");
    app.add_option(
        "--state-dir", arguments.stateDirectory,
        "Keep the journal here, whatever is configured (a demo's is temporary otherwise)");
    app.add_flag("--exit-with-parent", arguments.exitWithParent,
                 "Stop when the starting process ends");
    app.footer(
        "Exit codes: 0 stopped as asked, 1 wrong usage, 2 wrong configuration, 3 cannot start.");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? Done : BadUsage;
    }
    arguments.isDemo = demo->count() > 0;
    if (arguments.exitWithParent && !endWithParent(parent))
        return fail(CannotStart, "The process that started it has ended already.");

    const auto config = configFrom(arguments);
    if (const int* code = std::get_if<int>(&config))
        return *code;
    if (arguments.checkConfig) {
        std::cout << "OK\n";
        return Done;
    }
    return serve(std::get<Config>(config));
}
