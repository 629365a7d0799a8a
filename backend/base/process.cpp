#include "backend/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

extern char** environ;

namespace yard {
namespace {

using std::chrono::milliseconds;

// A grandchild may keep the pipes open after the program has ended: what it writes is not waited
// for.
constexpr milliseconds kAfterExit{200};
constexpr milliseconds kLook{20};

class Descriptor {
public:
    explicit Descriptor(int fd = -1)
        : m_fd(fd)
    {
    }
    Descriptor(Descriptor&& other) noexcept
        : m_fd(std::exchange(other.m_fd, -1))
    {
    }
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_fd, other.m_fd);
        return *this;
    }
    ~Descriptor() { close(); }
    int get() const { return m_fd; }
    bool isOpen() const { return m_fd >= 0; }
    void close()
    {
        if (m_fd >= 0)
            ::close(std::exchange(m_fd, -1));
    }

private:
    int m_fd;
};

struct Pipe {
    Descriptor read;
    Descriptor write;
};

Status systemError(const char* what)
{
    return absl::InternalError(std::string(what) + ": " + std::strerror(errno) + ".");
}

StatusOr<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return systemError("A pipe could not be made");
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Standard input is a socket: writing to one that nobody reads any more need not raise SIGPIPE.
StatusOr<Pipe> makeInput()
{
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return systemError("A socket could not be made");
    return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

/// The vectors that execvpe() wants, made before the fork: the child must not allocate.
struct Vectors {
    explicit Vectors(const ProcessRequest& request)
    {
        std::map<std::string, std::string> all;
        for (char** entry = environ; *entry != nullptr; ++entry) {
            const std::string text = *entry;
            const size_t equals = text.find('=');
            if (equals != std::string::npos)
                all[text.substr(0, equals)] = text.substr(equals + 1);
        }
        for (const auto& [key, value] : request.environment)
            all[key] = value;
        for (const auto& [key, value] : all)
            texts.push_back(key + "=" + value);
        for (auto& text : texts)
            environment.push_back(text.data());
        environment.push_back(nullptr);
        for (const auto& argument : request.arguments)
            arguments.push_back(const_cast<char*>(argument.c_str()));
        arguments.push_back(nullptr);
    }

    std::vector<std::string> texts;
    std::vector<char*> environment;
    std::vector<char*> arguments;
};

/// Only async-signal-safe calls: the parent may have other threads.
[[noreturn]] void becomeProgram(const Vectors& vectors, int in, int out, int err, int failure,
                                pid_t parent)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    if (dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0)
        execvpe(vectors.arguments[0], vectors.arguments.data(), vectors.environment.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
    _exit(127);
}

class Child {
public:
    Child(const ProcessRequest& request, Deadline deadline)
        : m_request(request)
        , m_deadline(deadline)
    {
    }
    ~Child()
    {
        if (m_pid > 0)
            end();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    Status start();
    Status drain();
    ProcessResult take();

private:
    Status readInto(Descriptor& from, std::string& to);
    Status exchange(milliseconds wait);
    void feed();
    bool hasEnded();
    void end();

    const ProcessRequest& m_request;
    const Deadline m_deadline;
    pid_t m_pid = -1;
    int m_waitStatus = 0;
    size_t m_fed = 0;
    Descriptor m_in;
    Descriptor m_out;
    Descriptor m_err;
    Descriptor m_exit;
    ProcessResult m_result;
};

Status Child::start()
{
    auto in = makeInput();
    auto out = makePipe();
    auto err = makePipe();
    auto failure = makePipe();
    for (const auto* made : {&in, &out, &err, &failure})
        if (!made->ok())
            return made->status();

    const Vectors vectors(m_request);
    const pid_t parent = getpid();
    m_pid = fork();
    if (m_pid < 0)
        return systemError("A process could not be started");
    if (m_pid == 0)
        becomeProgram(vectors, in->read.get(), out->write.get(), err->write.get(),
                      failure->write.get(), parent);
    setpgid(m_pid, m_pid);  // both sides do: whoever comes first
    m_exit = Descriptor(int(syscall(SYS_pidfd_open, m_pid, 0)));

    failure->write.close();
    int error = 0;
    ssize_t got = 0;
    do {
        got = read(failure->read.get(), &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    if (got == sizeof error) {
        end();
        const std::string text =
            m_request.arguments[0] + " could not be started: " + std::strerror(error) + ".";
        return error == EACCES ? absl::PermissionDeniedError(text) : absl::NotFoundError(text);
    }
    m_in = std::move(in->write);
    m_out = std::move(out->read);
    m_err = std::move(err->read);
    for (const Descriptor* ours : {&m_in, &m_out, &m_err})
        fcntl(ours->get(), F_SETFL, O_NONBLOCK);
    return absl::OkStatus();
}

Status Child::readInto(Descriptor& from, std::string& to)
{
    std::array<char, 65536> block;
    for (;;) {
        const ssize_t got = read(from.get(), block.data(), block.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return absl::OkStatus();
        if (got <= 0) {
            from.close();
            return absl::OkStatus();
        }
        if (m_result.output.size() + m_result.error.size() + size_t(got) > m_request.outputLimit)
            return absl::ResourceExhaustedError(m_request.arguments[0] + " wrote more than " +
                                                std::to_string(m_request.outputLimit) +
                                                " bytes and was ended.");
        to.append(block.data(), size_t(got));
    }
}

void Child::feed()
{
    const std::string& input = m_request.input;
    while (m_fed < input.size()) {
        const ssize_t sent =
            send(m_in.get(), input.data() + m_fed, input.size() - m_fed, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0 && errno == EAGAIN)
            return;
        if (sent < 0)
            break;  // it does not want to read more
        m_fed += size_t(sent);
    }
    m_in.close();
}

Status Child::exchange(milliseconds wait)
{
    std::array<pollfd, 4> set{{{m_out.get(), POLLIN, 0},
                               {m_err.get(), POLLIN, 0},
                               {m_in.get(), POLLOUT, 0},
                               {m_exit.get(), POLLIN, 0}}};  // poll() passes over -1
    if (poll(set.data(), set.size(), int(wait.count())) <= 0)
        return absl::OkStatus();
    if (set[2].revents != 0)
        feed();
    if (set[0].revents != 0)
        YARD_RETURN_IF_ERROR(readInto(m_out, m_result.output));
    if (set[1].revents != 0)
        YARD_RETURN_IF_ERROR(readInto(m_err, m_result.error));
    return absl::OkStatus();
}

bool Child::hasEnded()
{
    if (m_pid > 0 && waitpid(m_pid, &m_waitStatus, WNOHANG) == m_pid) {
        m_pid = -1;
        m_exit.close();
    }
    return m_pid <= 0;
}

Status Child::drain()
{
    if (m_request.input.empty())
        m_in.close();
    std::optional<Deadline> afterExit;
    for (;;) {
        const bool drained = !m_out.isOpen() && !m_err.isOpen();
        if (hasEnded()) {
            if (!afterExit)
                afterExit = Deadline::in(std::min(kAfterExit, m_deadline.left()));
            if (drained || afterExit->passed())
                return absl::OkStatus();
        } else if (m_deadline.passed()) {
            return absl::DeadlineExceededError(
                m_request.arguments[0] +
                " did not answer in time and was ended; whether it had its effect is not known.");
        }
        YARD_RETURN_IF_ERROR(exchange(std::min(kLook, m_deadline.left())));
    }
}

ProcessResult Child::take()
{
    m_result.exitCode =
        WIFSIGNALED(m_waitStatus) ? 128 + WTERMSIG(m_waitStatus) : WEXITSTATUS(m_waitStatus);
    return std::move(m_result);
}

void Child::end()
{
    kill(-m_pid, SIGKILL);
    kill(m_pid, SIGKILL);
    while (waitpid(m_pid, &m_waitStatus, 0) < 0 && errno == EINTR) {
    }
    m_pid = -1;
}

}  // namespace

StatusOr<ProcessResult> runProcess(const ProcessRequest& request, Deadline deadline)
{
    if (request.arguments.empty() || request.arguments[0].empty())
        return absl::InvalidArgumentError("No program was named.");
    Child child(request, deadline);
    YARD_RETURN_IF_ERROR(child.start());
    YARD_RETURN_IF_ERROR(child.drain());
    return child.take();
}

}  // namespace yard
