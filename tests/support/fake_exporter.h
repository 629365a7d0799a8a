#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"
#include "tests/support/exporter_pages.h"

namespace yard::test {

/// What a fake exporter does wrong.
enum class HttpFault {
    None,
    Hang,      ///< headers, then nothing
    Mute,      ///< takes the connection and says nothing at all
    Refuse,    ///< does not listen
    Slow,      ///< a byte every 50 ms
    Truncate,  ///< Content-Length is twice the body
    Gzip,      ///< no fault: compressed, as real exporters do when asked
    Status,    ///< answers with a status, 500 unless told otherwise
    Reset,     ///< resets the connection after half the body
    Bomb,      ///< a small gzip body that unfolds to 256 MiB
    Huge,      ///< a body without end
    Html,      ///< 200 and a web page
    Banner     ///< not HTTP at all
};

/// One node and where its pages are: dcgm, node and ipmi exporters. Port 0 is chosen by the kernel,
/// none means not served.
struct FakeNode {
    std::string name;
    std::string address = "127.0.0.1";
    std::optional<uint16_t> dcgmPort = 0;
    std::optional<uint16_t> nodePort{};
    std::optional<uint16_t> ipmiPort{};
};

enum class Page { Dcgm, Node, Ipmi };

/// Exporters of any number of nodes on one thread of its own.
///
/// Thread: any; stops in the destructor.
class FakeExporter {
public:
    /// `gpus` of each node. Errors: an address that cannot be bound.
    static StatusOr<std::unique_ptr<FakeExporter>> start(const std::vector<FakeNode>& nodes,
                                                         int gpus = 8);
    ~FakeExporter();

    uint16_t port(std::string_view node, Page page = Page::Dcgm) const;
    void setFault(std::string_view node, HttpFault fault, int status = 500);
    /// As last served.
    FakeHost host(std::string_view node) const;
    uint64_t served() const;    ///< complete answers so far
    uint64_t accepted() const;  ///< connections so far

    /// A line of the control language: "NODES COMMAND [ARGUMENTS]", NODES a hostlist or *.
    /// Commands: ok hang mute refuse slow truncate gzip status [N] reset bomb huge html banner;
    /// blank on|off; hold on|off; xid GPU CODE; lose GPU; reboot.
    Status command(std::string_view line);

private:
    class Server;
    explicit FakeExporter(std::unique_ptr<Server> server);
    std::unique_ptr<Server> m_server;
};

/// Where the lab puts its nodes: node `number` (from 1) of net X is
/// 127.X.(1+(n-1)/250).(1+(n-1)%250).
std::string labAddress(int net, size_t number);

}  // namespace yard::test
