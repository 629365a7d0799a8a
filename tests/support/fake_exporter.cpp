#include "tests/support/fake_exporter.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_split.h>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "backend/domain/hostlist.h"

namespace yard::test {
namespace {

using Steady = std::chrono::steady_clock;

constexpr auto kSlowPause = std::chrono::milliseconds(50);
constexpr auto kRefresh = std::chrono::milliseconds(900);

const std::map<std::string, HttpFault, std::less<>> kFaultNames = {
    {"ok", HttpFault::None},       {"hang", HttpFault::Hang},     {"mute", HttpFault::Mute},
    {"refuse", HttpFault::Refuse}, {"slow", HttpFault::Slow},     {"truncate", HttpFault::Truncate},
    {"gzip", HttpFault::Gzip},     {"status", HttpFault::Status}, {"reset", HttpFault::Reset},
    {"bomb", HttpFault::Bomb},     {"huge", HttpFault::Huge},     {"html", HttpFault::Html},
    {"banner", HttpFault::Banner},
};

std::string gzip(std::string_view text)
{
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = uInt(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

const std::string& bombBody()
{
    static const std::string body = gzip(std::string(256ul << 20, '#'));
    return body;
}

struct Place {
    sockaddr_storage address{};
    socklen_t size = 0;
};

Place placeOf(const std::string& address, uint16_t port)
{
    Place place;
    if (address.find(':') != std::string::npos) {
        auto* v6 = reinterpret_cast<sockaddr_in6*>(&place.address);
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons(port);
        if (inet_pton(AF_INET6, address.c_str(), &v6->sin6_addr) == 1)
            place.size = sizeof *v6;
        return place;
    }
    auto* v4 = reinterpret_cast<sockaddr_in*>(&place.address);
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    if (inet_pton(AF_INET, address.c_str(), &v4->sin_addr) == 1)
        place.size = sizeof *v4;
    return place;
}

struct Listener {
    size_t node = 0;
    Page page = Page::Dcgm;
    std::string address;
    uint16_t port = 0;
    int fd = -1;
};

struct NodeState {
    FakeHost host;
    HttpFault fault = HttpFault::None;
    int status = 500;
    Steady::time_point updated = Steady::now();
    std::array<std::string, 3> bodies;
    std::array<std::string, 3> zipped;
};

struct Connection {
    size_t listener = 0;
    std::string input;
    std::string output;
    size_t sent = 0;
    bool wantsWrite = false;
    bool closeAfter = false;
    bool resetAfter = false;
    bool slow = false;
    bool endless = false;
};

StatusOr<int> openListener(Listener& listener)
{
    const Place place = placeOf(listener.address, listener.port);
    if (place.size == 0)
        return absl::InvalidArgumentError(fmt::format("'{}' is no IP address.", listener.address));
    const int fd = socket(place.address.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int one = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(fd, reinterpret_cast<const sockaddr*>(&place.address), place.size) != 0 ||
        listen(fd, 64) != 0) {
        const int reason = errno;
        close(fd);
        return absl::UnavailableError(fmt::format("Cannot listen on {} port {}: {}.",
                                                  listener.address, listener.port,
                                                  std::strerror(reason)));
    }
    sockaddr_storage bound{};
    socklen_t size = sizeof bound;
    getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size);
    listener.port =
        ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port
                                          : reinterpret_cast<sockaddr_in*>(&bound)->sin_port);
    return fd;
}

std::string head(int status, size_t length, std::string_view type, std::string_view more = {})
{
    return fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}\r\n", status,
                       status == 200 ? "OK" : "Error", type, length, more);
}

constexpr std::string_view kTextType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace

class FakeExporter::Server {
public:
    Server();
    ~Server();
    Status open(const std::vector<FakeNode>& nodes, int gpus);

    uint16_t port(std::string_view node, Page page) const;
    void setFault(size_t node, HttpFault fault, int status);
    template <typename Change>
    void change(size_t node, Change change)
    {
        const std::lock_guard lock(m_mutex);
        change(m_nodes[node].host);
        m_nodes[node].updated = {};
    }
    FakeHost host(std::string_view node) const;
    std::optional<size_t> find(std::string_view node) const;
    size_t size() const { return m_nodes.size(); }
    uint64_t served() const { return m_served; }
    uint64_t accepted() const { return m_accepted; }

private:
    void run();
    void accept(size_t listener);
    void readFrom(int fd);
    void writeTo(int fd);
    void answer(Connection& connection);
    const std::string& body(NodeState& node, Page page, bool zip);
    void drop(int fd, bool reset = false);
    void dropConnectionsOf(size_t listener);
    void watch(int fd, uint32_t events, bool fresh) const;

    mutable std::mutex m_mutex;
    std::vector<NodeState> m_nodes;
    std::unordered_map<std::string, size_t> m_byName;
    std::vector<Listener> m_listeners;
    std::unordered_map<int, size_t> m_listenerOf;
    std::unordered_map<int, Connection> m_connections;
    std::atomic<size_t> m_slow{0};
    int m_epoll = epoll_create1(EPOLL_CLOEXEC);
    int m_wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    std::atomic<uint64_t> m_served{0};
    std::atomic<uint64_t> m_accepted{0};
    std::atomic<bool> m_stopping{false};
    std::thread m_thread;
};

FakeExporter::Server::Server()
{
    watch(m_wake, EPOLLIN, true);
}

FakeExporter::Server::~Server()
{
    m_stopping = true;
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = write(m_wake, &one, sizeof one);
    if (m_thread.joinable())
        m_thread.join();
    for (const auto& [fd, connection] : m_connections)
        close(fd);
    for (const Listener& listener : m_listeners)
        if (listener.fd >= 0)
            close(listener.fd);
    close(m_wake);
    close(m_epoll);
}

void FakeExporter::Server::watch(int fd, uint32_t events, bool fresh) const
{
    epoll_event event{};
    event.events = events;
    event.data.fd = fd;
    epoll_ctl(m_epoll, fresh ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event);
}

Status FakeExporter::Server::open(const std::vector<FakeNode>& nodes, int gpus)
{
    for (const FakeNode& node : nodes) {
        const size_t number = m_nodes.size();
        m_byName.emplace(node.name, number);
        m_nodes.push_back(
            NodeState{.host = FakeHost(node.name, number, gpus), .bodies = {}, .zipped = {}});
        const std::pair<Page, std::optional<uint16_t>> pages[] = {
            {Page::Dcgm, node.dcgmPort}, {Page::Node, node.nodePort}, {Page::Ipmi, node.ipmiPort}};
        for (const auto& [page, wanted] : pages) {
            if (!wanted)
                continue;
            Listener listener{number, page, node.address, *wanted, -1};
            const StatusOr<int> fd = openListener(listener);
            if (!fd.ok())
                return fd.status();
            listener.fd = *fd;
            m_listenerOf[*fd] = m_listeners.size();
            watch(*fd, EPOLLIN, true);
            m_listeners.push_back(listener);
        }
    }
    m_thread = std::thread([this] { run(); });
    return {};
}

void FakeExporter::Server::run()
{
    std::array<epoll_event, 256> events;
    while (!m_stopping) {
        const int wait = m_slow > 0 ? int(kSlowPause.count()) : 1000;
        const int count = epoll_wait(m_epoll, events.data(), int(events.size()), wait);
        const std::lock_guard lock(m_mutex);
        for (int i = 0; i < count; ++i) {
            const int fd = events[size_t(i)].data.fd;
            if (fd == m_wake)
                continue;
            if (const auto listener = m_listenerOf.find(fd); listener != m_listenerOf.end())
                accept(listener->second);
            else if (events[size_t(i)].events & EPOLLIN)
                readFrom(fd);
            else if (events[size_t(i)].events & EPOLLOUT)
                writeTo(fd);
            else
                drop(fd);
        }
        if (m_slow > 0) {
            std::vector<int> slow;
            for (const auto& [fd, connection] : m_connections)
                if (connection.slow)
                    slow.push_back(fd);
            for (const int fd : slow)
                writeTo(fd);
        }
    }
}

void FakeExporter::Server::accept(size_t listener)
{
    for (;;) {
        const int fd =
            accept4(m_listeners[listener].fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0)
            return;
        ++m_accepted;
        const int one = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        Connection& connection = m_connections[fd];
        connection.listener = listener;
        watch(fd, EPOLLIN, true);
        if (m_nodes[m_listeners[listener].node].fault == HttpFault::Banner) {
            connection.output = "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n";
            connection.closeAfter = true;
            writeTo(fd);
        }
    }
}

void FakeExporter::Server::drop(int fd, bool reset)
{
    const auto connection = m_connections.find(fd);
    if (connection == m_connections.end())
        return;
    m_slow -= connection->second.slow ? 1U : 0U;
    m_connections.erase(connection);
    if (reset) {
        const linger now{1, 0};
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    close(fd);
}

void FakeExporter::Server::dropConnectionsOf(size_t listener)
{
    std::vector<int> gone;
    for (const auto& [fd, connection] : m_connections)
        if (connection.listener == listener)
            gone.push_back(fd);
    for (const int fd : gone)
        drop(fd);
}

void FakeExporter::Server::readFrom(int fd)
{
    const auto found = m_connections.find(fd);
    if (found == m_connections.end())
        return;
    Connection& connection = found->second;
    std::array<char, 4096> buffer;
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got == 0 || (got < 0 && errno != EAGAIN)) {
        drop(fd);
        return;
    }
    connection.input.append(buffer.data(), got > 0 ? size_t(got) : 0);
    const size_t end = connection.input.find("\r\n\r\n");
    if (end == std::string::npos)
        return;
    answer(connection);
    connection.input.erase(0, end + 4);
    writeTo(fd);
}

const std::string& FakeExporter::Server::body(NodeState& node, Page page, bool zip)
{
    const auto now = Steady::now();
    if (now - node.updated >= kRefresh) {
        const bool first = node.updated == Steady::time_point{};
        node.host.advance(first ? 0 : std::chrono::duration<double>(now - node.updated).count());
        node.updated = now;
        for (size_t i = 0; i < node.bodies.size(); ++i) {
            node.bodies[i].clear();
            node.zipped[i].clear();
        }
    }
    std::string& text = node.bodies[size_t(page)];
    if (text.empty()) {
        if (page == Page::Dcgm)
            node.host.writeDcgm(text);
        else if (page == Page::Node)
            node.host.writeNode(text);
        else
            node.host.writeIpmi(text);
    }
    std::string& packed = node.zipped[size_t(page)];
    if (zip && packed.empty())
        packed = gzip(text);
    return zip ? packed : text;
}

void FakeExporter::Server::answer(Connection& connection)
{
    const Listener& listener = m_listeners[connection.listener];
    NodeState& node = m_nodes[listener.node];
    connection.sent = 0;
    connection.output.clear();
    const auto whole = [&](int status, std::string_view type, std::string_view content,
                           std::string_view more = {}) {
        connection.output = head(status, content.size(), type, more);
        connection.output += content;
    };
    if (!connection.input.starts_with("GET /metrics"))
        return whole(404, "text/plain", "404 page not found\n");
    const std::string& text = body(node, listener.page, node.fault == HttpFault::Gzip);
    switch (node.fault) {
        case HttpFault::None:
        case HttpFault::Refuse:
        case HttpFault::Banner:
            return whole(200, kTextType, text);
        case HttpFault::Gzip:
            return whole(200, kTextType, text, "Content-Encoding: gzip\r\n");
        case HttpFault::Mute:
            return;
        case HttpFault::Hang:
            connection.output = head(200, text.size(), kTextType);
            return;
        case HttpFault::Slow:
            whole(200, kTextType, text);
            m_slow += connection.slow ? 0U : 1U;
            connection.slow = true;
            return;
        case HttpFault::Truncate:
            connection.output = head(200, text.size() * 2, kTextType) + text;
            connection.closeAfter = true;
            return;
        case HttpFault::Reset:
            connection.output = head(200, text.size(), kTextType) + text.substr(0, text.size() / 2);
            connection.resetAfter = true;
            return;
        case HttpFault::Status:
            return whole(node.status, "text/plain", "something went wrong\n",
                         node.status / 100 == 3 ? "Location: http://127.0.0.1:1/metrics\r\n" : "");
        case HttpFault::Bomb:
            return whole(200, kTextType, bombBody(), "Content-Encoding: gzip\r\n");
        case HttpFault::Huge:
            connection.output = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
            connection.endless = true;
            return;
        case HttpFault::Html:
            return whole(200, "text/html", "<!DOCTYPE html>\n<html><body>Welcome</body></html>\n");
    }
}

void FakeExporter::Server::writeTo(int fd)
{
    const auto found = m_connections.find(fd);
    if (found == m_connections.end())
        return;
    Connection& connection = found->second;
    while (connection.sent < connection.output.size()) {
        const size_t left = connection.output.size() - connection.sent;
        const size_t size = connection.slow ? 1 : left;
        const ssize_t sent =
            send(fd, connection.output.data() + connection.sent, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) {
            drop(fd);
            return;
        }
        if (sent < 0) {
            connection.wantsWrite = true;
            watch(fd, EPOLLIN | EPOLLOUT, false);
            return;
        }
        connection.sent += size_t(sent);
        if (connection.slow)
            return;
        if (connection.endless && connection.sent == connection.output.size()) {
            connection.output.assign(65536, '#');
            connection.sent = 0;
        }
    }
    if (connection.output.empty())
        return;
    connection.output.clear();
    connection.sent = 0;
    ++m_served;
    if (connection.closeAfter || connection.resetAfter) {
        drop(fd, connection.resetAfter);
    } else if (connection.wantsWrite) {
        connection.wantsWrite = false;
        watch(fd, EPOLLIN, false);
    }
}

uint16_t FakeExporter::Server::port(std::string_view node, Page page) const
{
    const std::lock_guard lock(m_mutex);
    for (const Listener& listener : m_listeners)
        if (listener.page == page && m_nodes[listener.node].host.name() == node)
            return listener.port;
    return 0;
}

void FakeExporter::Server::setFault(size_t node, HttpFault fault, int status)
{
    if (fault == HttpFault::Bomb)
        bombBody();
    const std::lock_guard lock(m_mutex);
    NodeState& state = m_nodes[node];
    state.fault = fault;
    state.status = status;
    for (size_t i = 0; i < m_listeners.size(); ++i) {
        Listener& listener = m_listeners[i];
        if (listener.node != node)
            continue;
        // A new fault shows on a new connection; those kept alive would hide some.
        dropConnectionsOf(i);
        if (fault == HttpFault::Refuse && listener.fd >= 0) {
            m_listenerOf.erase(listener.fd);
            close(std::exchange(listener.fd, -1));
        } else if (fault != HttpFault::Refuse && listener.fd < 0) {
            if (const StatusOr<int> fd = openListener(listener); fd.ok()) {
                listener.fd = *fd;
                m_listenerOf[*fd] = i;
                watch(*fd, EPOLLIN, true);
            }
        }
    }
}

FakeHost FakeExporter::Server::host(std::string_view node) const
{
    const std::lock_guard lock(m_mutex);
    return m_nodes[m_byName.at(std::string(node))].host;
}

std::optional<size_t> FakeExporter::Server::find(std::string_view node) const
{
    const auto found = m_byName.find(std::string(node));
    return found == m_byName.end() ? std::nullopt : std::optional(found->second);
}

FakeExporter::FakeExporter(std::unique_ptr<Server> server)
    : m_server(std::move(server))
{
}

FakeExporter::~FakeExporter() = default;

StatusOr<std::unique_ptr<FakeExporter>> FakeExporter::start(const std::vector<FakeNode>& nodes,
                                                            int gpus)
{
    auto server = std::make_unique<Server>();
    YARD_RETURN_IF_ERROR(server->open(nodes, gpus));
    return std::unique_ptr<FakeExporter>(new FakeExporter(std::move(server)));
}

uint16_t FakeExporter::port(std::string_view node, Page page) const
{
    return m_server->port(node, page);
}

void FakeExporter::setFault(std::string_view node, HttpFault fault, int status)
{
    if (const auto index = m_server->find(node))
        m_server->setFault(*index, fault, status);
}

FakeHost FakeExporter::host(std::string_view node) const
{
    return m_server->host(node);
}

uint64_t FakeExporter::served() const
{
    return m_server->served();
}

uint64_t FakeExporter::accepted() const
{
    return m_server->accepted();
}

Status FakeExporter::command(std::string_view line)
{
    const std::vector<std::string> words =
        absl::StrSplit(std::string(line), absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty());
    if (words.size() < 2)
        return absl::InvalidArgumentError(
            fmt::format("'{}' is no command: it needs NODES COMMAND.", line));
    std::vector<size_t> nodes;
    if (words[0] == "*") {
        for (size_t i = 0; i < m_server->size(); ++i)
            nodes.push_back(i);
    } else {
        const auto names = domain::expandHostlist(words[0]);
        if (!names.ok())
            return names.status();
        for (const std::string& name : *names) {
            const auto index = m_server->find(name);
            if (!index)
                return absl::NotFoundError(fmt::format("There is no node '{}' here.", name));
            nodes.push_back(*index);
        }
    }
    const auto number = [&](size_t at, int otherwise) {
        int value = otherwise;
        return at < words.size() && absl::SimpleAtoi(words[at], &value) ? value : otherwise;
    };
    const std::string& verb = words[1];
    const bool on = words.size() < 3 || words[2] != "off";
    const auto fault = kFaultNames.find(verb);
    for (const size_t node : nodes) {
        if (fault != kFaultNames.end())
            m_server->setFault(node, fault->second, number(2, 500));
        else if (verb == "blank")
            m_server->change(node, [&](FakeHost& host) { host.blankValues(on); });
        else if (verb == "hold")
            m_server->change(node, [&](FakeHost& host) { host.holdValues(on); });
        else if (verb == "xid")
            m_server->change(node,
                             [&](FakeHost& host) { host.raiseXid(number(2, 0), number(3, 79)); });
        else if (verb == "lose")
            m_server->change(node, [&](FakeHost& host) { host.loseGpu(number(2, 0)); });
        else if (verb == "reboot")
            m_server->change(node, [](FakeHost& host) { host.reboot(); });
        else
            return absl::InvalidArgumentError(fmt::format("'{}' is no command.", verb));
    }
    return {};
}

std::string labAddress(int net, size_t number)
{
    const size_t n = number - 1;
    return fmt::format("127.{}.{}.{}", net, 1 + n / 250, 1 + n % 250);
}

}  // namespace yard::test
