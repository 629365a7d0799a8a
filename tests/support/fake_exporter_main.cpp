#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <charconv>
#include <csignal>
#include <fstream>
#include <iostream>
#include <sstream>

#include "backend/domain/hostlist.h"
#include "tests/support/fake_exporter.h"

using namespace yard;

namespace {

constexpr const char* kUsage = R"(fake_exporter - exporters of many fake GPU nodes in one process

  fake_exporter --nodes HOSTLIST --net X     node n at 127.X.(1+(n-1)/250).(1+(n-1)%250)
  fake_exporter --list FILE                  lines "NAME ADDRESS", as `slurm-lab nodes` prints; - is stdin
    --gpus N           GPUs of a node                        [8]
    --port P           dcgm-exporter                         [9400]
    --node-port P      node_exporter                         [not served]
    --ipmi-port P      ipmi_exporter                         [not served]
    --control FILE     run its lines again whenever it changes
    --stdin            run lines of standard input; ends with it
    --exit-with-parent

Prints "ready" when all listen. Commands, one a line: NODES COMMAND [ARGUMENTS]; NODES a hostlist or *.
  ok hang mute refuse slow truncate gzip status [N] reset bomb huge html banner
  blank on|off   hold on|off   xid GPU CODE   lose GPU   reboot
)";

struct Options {
    std::string nodes;
    std::string list;
    std::string control;
    int net = 0;
    int gpus = 8;
    std::optional<uint16_t> port = 9400;
    std::optional<uint16_t> nodePort{};
    std::optional<uint16_t> ipmiPort{};
    bool input = false;
};

volatile std::sig_atomic_t stopping = 0;

int fail(const std::string& message)
{
    std::cerr << "fake_exporter: " << message << '\n';
    return 2;
}

std::optional<int> number(const std::string& text)
{
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::optional<Options> parse(const std::vector<std::string>& arguments)
{
    Options options;
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string& flag = arguments[i];
        if (flag == "--stdin") {
            options.input = true;
            continue;
        }
        if (flag == "--exit-with-parent") {
            prctl(PR_SET_PDEATHSIG, SIGTERM);
            continue;
        }
        if (++i == arguments.size())
            return std::nullopt;
        const std::string& value = arguments[i];
        const auto count = number(value);
        if (flag == "--nodes")
            options.nodes = value;
        else if (flag == "--list")
            options.list = value;
        else if (flag == "--control")
            options.control = value;
        else if (!count)
            return std::nullopt;
        else if (flag == "--net")
            options.net = *count;
        else if (flag == "--gpus")
            options.gpus = *count;
        else if (flag == "--port")
            options.port = uint16_t(*count);
        else if (flag == "--node-port")
            options.nodePort = uint16_t(*count);
        else if (flag == "--ipmi-port")
            options.ipmiPort = uint16_t(*count);
        else
            return std::nullopt;
    }
    if (options.list.empty() && (options.nodes.empty() || options.net == 0))
        return std::nullopt;
    return options;
}

StatusOr<std::vector<test::FakeNode>> nodesOf(const Options& options)
{
    std::vector<test::FakeNode> nodes;
    const auto add = [&](std::string name, std::string address) {
        nodes.push_back({.name = std::move(name),
                         .address = std::move(address),
                         .dcgmPort = options.port,
                         .nodePort = options.nodePort,
                         .ipmiPort = options.ipmiPort});
    };
    if (!options.list.empty()) {
        std::ifstream file(options.list);
        std::istream& lines = options.list == "-" ? std::cin : file;
        std::string name;
        std::string address;
        while (lines >> name >> address)
            add(name, address);
        return nodes;
    }
    const auto names = domain::expandHostlist(options.nodes);
    if (!names.ok())
        return names.status();
    for (const std::string& name : *names) {
        const auto digits = name.find_last_not_of("0123456789") + 1;
        const auto n = number(name.substr(digits));
        if (!n || *n < 1)
            return absl::InvalidArgumentError(fmt::format("'{}' has no number at its end.", name));
        add(name, test::labAddress(options.net, size_t(*n)));
    }
    return nodes;
}

void runLines(test::FakeExporter& exporter, std::istream& lines)
{
    std::string line;
    while (std::getline(lines, line)) {
        if (line.empty() || line.front() == '#')
            continue;
        const Status status = exporter.command(line);
        std::cout << (status.ok() ? "ok" : std::string(status.message())) << std::endl;
    }
}

bool changed(const std::string& path, timespec& last)
{
    struct stat found {};
    if (path.empty() || stat(path.c_str(), &found) != 0)
        return false;
    const bool differs =
        found.st_mtim.tv_sec != last.tv_sec || found.st_mtim.tv_nsec != last.tv_nsec;
    last = found.st_mtim;
    return differs;
}

void serve(test::FakeExporter& exporter, const Options& options)
{
    timespec last{};
    std::string input;
    while (!stopping) {
        pollfd descriptor{options.input ? 0 : -1, POLLIN, 0};
        poll(&descriptor, 1, 100);
        if (descriptor.revents != 0) {
            char buffer[4096];
            const ssize_t got = read(0, buffer, sizeof buffer);
            if (got <= 0)
                return;
            input.append(buffer, size_t(got));
            const size_t end = input.rfind('\n');
            if (end != std::string::npos) {
                std::istringstream lines(input.substr(0, end));
                input.erase(0, end + 1);
                runLines(exporter, lines);
            }
        }
        if (changed(options.control, last)) {
            std::ifstream lines(options.control);
            runLines(exporter, lines);
        }
    }
}

}  // namespace

int main(int count, char** values)
{
    const auto options = parse({values + 1, values + count});
    if (!options) {
        std::cerr << kUsage;
        return 2;
    }
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    const auto nodes = nodesOf(*options);
    if (!nodes.ok())
        return fail(std::string(nodes.status().message()));
    struct sigaction action {};
    action.sa_handler = [](int) { stopping = 1; };
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
    auto exporter = test::FakeExporter::start(*nodes, options->gpus);
    if (!exporter.ok())
        return fail(std::string(exporter.status().message()));
    std::cout << "ready" << std::endl;
    serve(**exporter, *options);
    return 0;
}
