#include "backend/telemetry/sources/http_fetch.h"

#include <absl/strings/str_cat.h>
#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "backend/telemetry/sources/http_words.h"

namespace yard::telemetry {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr auto kRetryPause = std::chrono::milliseconds(200);
constexpr size_t kIdleHandles = 64;

struct Transfer {
    HttpRequest request;
    Deadline deadline;
    HttpFetcher::Done done;
    std::chrono::milliseconds allowed;
    CURL* easy = nullptr;
    curl_slist* headers = nullptr;
    HttpReply reply;
    size_t headerBytes = 0;
    bool tooLarge = false;
    std::array<char, CURL_ERROR_SIZE> error{};
};

size_t takeBody(char* data, size_t, size_t size, void* pointer)
{
    auto& transfer = *static_cast<Transfer*>(pointer);
    // Counted after decompression: a small body that unfolds without end stops here.
    if (transfer.reply.body.size() + size > transfer.request.bodyLimit) {
        transfer.tooLarge = true;
        return 0;
    }
    transfer.reply.body.append(data, size);
    return size;
}

size_t takeHeader(char*, size_t, size_t size, void* pointer)
{
    auto& transfer = *static_cast<Transfer*>(pointer);
    transfer.headerBytes += size;
    return transfer.headerBytes > kHeaderLimit ? 0 : size;
}

void prepare(Transfer& transfer)
{
    CURL* easy = transfer.easy;
    transfer.reply = {};
    transfer.headerBytes = 0;
    transfer.error[0] = '\0';
    const long left = std::max(1L, long(transfer.deadline.left().count()));
    curl_easy_setopt(easy, CURLOPT_URL, transfer.request.url.c_str());
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "yardmaster");
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, left);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, left);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    // Without this, giving up on a name that does not resolve waits for the resolver to return.
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(transfer.request.bodyLimit));
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &takeBody);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &takeHeader);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, transfer.error.data());
    curl_easy_setopt(easy, CURLOPT_PRIVATE, &transfer);
    for (const std::string& header : transfer.request.headers) {
        if (curl_slist* longer = curl_slist_append(transfer.headers, header.c_str()))
            transfer.headers = longer;
    }
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, transfer.headers);
}

FailedGet failed(const Transfer& transfer, CURLcode code)
{
    FailedGet get{transfer.request, transfer.allowed};
    get.bytes = transfer.reply.body.size();
    get.tooLarge = transfer.tooLarge;
    get.words = transfer.error[0] ? transfer.error.data() : curl_easy_strerror(code);
    double connectSeconds = 0;
    curl_easy_getinfo(transfer.easy, CURLINFO_CONNECT_TIME, &connectSeconds);
    get.connected = connectSeconds > 0;
    curl_easy_getinfo(transfer.easy, CURLINFO_OS_ERRNO, &get.osError);
    return get;
}

bool mayPass(int status)
{
    return status == 429 || status == 502 || status == 503 || status == 504;
}

long connectionBound()
{
    rlimit limit{};
    const long files = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? long(limit.rlim_cur) : 1024;
    return std::clamp(files / 2, 16L, 16384L);
}

}  // namespace

/// Owns the curl handles; everything below run() happens on its one thread.
class HttpFetcher::Engine {
public:
    Engine();
    ~Engine();
    void add(std::unique_ptr<Transfer> transfer);

private:
    using Clock = std::chrono::steady_clock;

    static int watchSocket(CURL*, curl_socket_t socket, int what, void* self, void*);
    static int setTimer(CURLM*, long milliseconds, void* self);
    static int closeSocket(void* self, curl_socket_t socket);

    void run();
    void takeIncoming();
    void start(std::unique_ptr<Transfer> transfer);
    void finishDone();
    void finish(CURL* easy, CURLcode code);
    void giveBack(Transfer& transfer);
    bool retryLater(std::unique_ptr<Transfer>& transfer, const StatusOr<HttpReply>& result);
    int pollTimeout() const;
    void wake();
    void cancelAll();

    CURLM* m_multi = nullptr;
    int m_epoll = -1;
    int m_wake = -1;
    std::optional<SteadyTime> m_timer;
    std::unordered_map<CURL*, std::unique_ptr<Transfer>> m_running;
    std::multimap<SteadyTime, std::unique_ptr<Transfer>> m_retries;
    std::vector<CURL*> m_idle;
    std::unordered_set<int> m_watched;  ///< in m_epoll and open

    std::mutex m_mutex;
    std::vector<std::unique_ptr<Transfer>> m_incoming;
    bool m_stopping = false;

    std::thread m_thread;
};

HttpFetcher::Engine::Engine()
{
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    m_epoll = epoll_create1(EPOLL_CLOEXEC);
    m_wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = m_wake;
    epoll_ctl(m_epoll, EPOLL_CTL_ADD, m_wake, &event);
    m_multi = curl_multi_init();
    curl_multi_setopt(m_multi, CURLMOPT_SOCKETFUNCTION, &watchSocket);
    curl_multi_setopt(m_multi, CURLMOPT_SOCKETDATA, this);
    curl_multi_setopt(m_multi, CURLMOPT_TIMERFUNCTION, &setTimer);
    curl_multi_setopt(m_multi, CURLMOPT_TIMERDATA, this);
    // The default follows the GETs in flight, too few to keep a connection to each target.
    curl_multi_setopt(m_multi, CURLMOPT_MAXCONNECTS, connectionBound());
    m_thread = std::thread([this] { run(); });
}

HttpFetcher::Engine::~Engine()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    wake();
    m_thread.join();
    cancelAll();
    for (CURL* easy : m_idle)
        curl_easy_cleanup(easy);
    curl_multi_cleanup(m_multi);
    close(m_wake);
    close(m_epoll);
}

void HttpFetcher::Engine::add(std::unique_ptr<Transfer> transfer)
{
    {
        const std::lock_guard lock(m_mutex);
        m_incoming.push_back(std::move(transfer));
    }
    wake();
}

void HttpFetcher::Engine::wake()
{
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = write(m_wake, &one, sizeof one);
}

int HttpFetcher::Engine::watchSocket(CURL*, curl_socket_t socket, int what, void* self, void*)
{
    auto& engine = *static_cast<Engine*>(self);
    epoll_event event{};
    event.data.fd = socket;
    if (what & CURL_POLL_IN)
        event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT)
        event.events |= EPOLLOUT;
    if (what == CURL_POLL_REMOVE) {
        // May come after the close, when the number already belongs to somebody else.
        if (engine.m_watched.erase(socket) > 0)
            epoll_ctl(engine.m_epoll, EPOLL_CTL_DEL, socket, nullptr);
        return 0;
    }
    const bool isNew = engine.m_watched.insert(socket).second;
    epoll_ctl(engine.m_epoll, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
    return 0;
}

int HttpFetcher::Engine::closeSocket(void* self, curl_socket_t socket)
{
    auto& engine = *static_cast<Engine*>(self);
    if (engine.m_watched.erase(socket) > 0)
        epoll_ctl(engine.m_epoll, EPOLL_CTL_DEL, socket, nullptr);
    return close(socket);
}

int HttpFetcher::Engine::setTimer(CURLM*, long milliseconds, void* self)
{
    auto& engine = *static_cast<Engine*>(self);
    if (milliseconds < 0)
        engine.m_timer.reset();
    else
        engine.m_timer = Clock::now() + std::chrono::milliseconds(milliseconds);
    return 0;
}

void HttpFetcher::Engine::run()
{
    std::array<epoll_event, 256> events;
    for (;;) {
        const int count = epoll_wait(m_epoll, events.data(), int(events.size()), pollTimeout());
        int running = 0;
        for (int i = 0; i < count; ++i) {
            const auto& event = events[size_t(i)];
            if (event.data.fd == m_wake) {
                uint64_t ignored = 0;
                [[maybe_unused]] const auto got = read(m_wake, &ignored, sizeof ignored);
                continue;
            }
            const int what = (event.events & EPOLLIN ? CURL_CSELECT_IN : 0) |
                             (event.events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                             (event.events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
            curl_multi_socket_action(m_multi, event.data.fd, what, &running);
        }
        if (m_timer && *m_timer <= Clock::now()) {
            m_timer.reset();
            curl_multi_socket_action(m_multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        finishDone();
        {
            const std::lock_guard lock(m_mutex);
            if (m_stopping)
                return;
        }
        takeIncoming();
    }
}

int HttpFetcher::Engine::pollTimeout() const
{
    auto until = Clock::now() + std::chrono::seconds(10);
    if (m_timer)
        until = std::min(until, *m_timer);
    if (!m_retries.empty())
        until = std::min(until, m_retries.begin()->first);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    return int(std::max<std::chrono::milliseconds::rep>(0, left.count()));
}

void HttpFetcher::Engine::takeIncoming()
{
    std::vector<std::unique_ptr<Transfer>> fresh;
    {
        const std::lock_guard lock(m_mutex);
        fresh.swap(m_incoming);
    }
    while (!m_retries.empty() && m_retries.begin()->first <= Clock::now()) {
        fresh.push_back(std::move(m_retries.begin()->second));
        m_retries.erase(m_retries.begin());
    }
    for (auto& transfer : fresh)
        start(std::move(transfer));
}

void HttpFetcher::Engine::start(std::unique_ptr<Transfer> transfer)
{
    if (transfer->deadline.passed()) {
        transfer->done(deadlineStatus({transfer->request, transfer->allowed}));
        return;
    }
    if (m_idle.empty()) {
        transfer->easy = curl_easy_init();
    } else {
        transfer->easy = m_idle.back();
        m_idle.pop_back();
    }
    prepare(*transfer);
    CURL* easy = transfer->easy;
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, &closeSocket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, this);
    m_running.emplace(easy, std::move(transfer));
    curl_multi_add_handle(m_multi, easy);
}

void HttpFetcher::Engine::finishDone()
{
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(m_multi, &left)) {
        if (message->msg == CURLMSG_DONE)
            finish(message->easy_handle, message->data.result);
    }
}

void HttpFetcher::Engine::finish(CURL* easy, CURLcode code)
{
    auto node = m_running.extract(easy);
    if (node.empty())
        return;
    std::unique_ptr<Transfer> transfer = std::move(node.mapped());
    StatusOr<HttpReply> result = HttpReply{};
    if (code != CURLE_OK) {
        result = failureStatus(failed(*transfer, code), code);
    } else {
        long status = 0;
        char* type = nullptr;
        char* location = nullptr;
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type);
        curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &location);
        transfer->reply.status = int(status);
        transfer->reply.contentType = type ? type : "";
        transfer->reply.location = location ? location : "";
        result = std::move(transfer->reply);
    }
    giveBack(*transfer);
    if (!retryLater(transfer, result))
        transfer->done(std::move(result));
}

bool HttpFetcher::Engine::retryLater(std::unique_ptr<Transfer>& transfer,
                                     const StatusOr<HttpReply>& result)
{
    const bool passing =
        result.ok() ? mayPass(result->status) : absl::IsUnavailable(result.status());
    if (!passing || transfer->request.retries <= 0 || transfer->deadline.left() <= kRetryPause)
        return false;
    --transfer->request.retries;
    m_retries.emplace(Clock::now() + kRetryPause, std::move(transfer));
    return true;
}

void HttpFetcher::Engine::giveBack(Transfer& transfer)
{
    curl_multi_remove_handle(m_multi, transfer.easy);
    curl_easy_reset(transfer.easy);
    curl_slist_free_all(std::exchange(transfer.headers, nullptr));
    if (m_idle.size() < kIdleHandles)
        m_idle.push_back(transfer.easy);
    else
        curl_easy_cleanup(transfer.easy);
    transfer.easy = nullptr;
}

void HttpFetcher::Engine::cancelAll()
{
    std::vector<std::unique_ptr<Transfer>> open = std::move(m_incoming);
    for (auto& [easy, transfer] : m_running) {
        giveBack(*transfer);
        open.push_back(std::move(transfer));
    }
    m_running.clear();
    for (auto& [when, transfer] : m_retries)
        open.push_back(std::move(transfer));
    m_retries.clear();
    for (auto& transfer : open)
        transfer->done(absl::CancelledError(
            absl::StrCat("The read of ", transfer->request.target, " was ended by the stop.")));
}

HttpFetcher::HttpFetcher()
    : m_engine(std::make_unique<Engine>())
{
}

HttpFetcher::~HttpFetcher() = default;

void HttpFetcher::get(HttpRequest request, Deadline deadline, Done done)
{
    const auto allowed = deadline.left();
    m_engine->add(std::unique_ptr<Transfer>(new Transfer{.request = std::move(request),
                                                         .deadline = deadline,
                                                         .done = std::move(done),
                                                         .allowed = allowed,
                                                         .reply = {}}));
}

StatusOr<HttpReply> httpGet(const HttpRequest& request, Deadline deadline)
{
    HttpFetcher fetcher;
    std::mutex mutex;
    std::condition_variable ready;
    std::optional<StatusOr<HttpReply>> result;
    fetcher.get(request, deadline, [&](StatusOr<HttpReply> reply) {
        const std::lock_guard lock(mutex);
        result = std::move(reply);
        ready.notify_one();
    });
    std::unique_lock lock(mutex);
    ready.wait(lock, [&] { return result.has_value(); });
    return *std::move(result);
}

}  // namespace yard::telemetry
