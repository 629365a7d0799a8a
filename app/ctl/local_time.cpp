#include "app/ctl/local_time.h"

#include <fmt/chrono.h>

namespace yard::ctl {

std::string localTime(int64_t microseconds)
{
    return fmt::format("{:%Y-%m-%d %H:%M:%S%z}", fmt::localtime(time_t(microseconds / 1'000'000)));
}

}  // namespace yard::ctl
