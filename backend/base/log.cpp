#include "backend/base/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace yard::log {
namespace {

spdlog::logger& logger()
{
    static const auto instance = [] {
        auto made = std::make_shared<spdlog::logger>(
            "yard", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
        return made;
    }();
    return *instance;
}

}  // namespace

void info(std::string_view message)
{
    logger().info(message);
}

void warning(std::string_view message)
{
    logger().warn(message);
}

void error(std::string_view message)
{
    logger().error(message);
}

}  // namespace yard::log
