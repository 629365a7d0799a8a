#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "app/ctl/exit_codes.h"
#include "yard/v1/yard.grpc.pb.h"

namespace yard::ctl {

/// What every online verb is told.
struct CommonOptions {
    std::string socket;  ///< empty: looked for where a daemon would be
    bool json = false;
    int timeoutSeconds = 30;
};

/// A channel to the daemon. Every call has a deadline; what fails is told on standard error.
class Connection {
public:
    /// `socket` as in CommonOptions.
    explicit Connection(const CommonOptions& options);

    v1::Yard::Stub& stub() { return *m_stub; }
    const std::string& socketPath() const { return m_path; }
    std::chrono::seconds timeout() const { return m_timeout; }

    /// Done if the path can be that of a daemon; else the exit code after a sentence. call() asks
    /// it itself.
    ExitCode check() const;

    /// One unary call: `connection.call(&v1::Yard::Stub::GetJob, request, reply)`. Done, or the
    /// exit code after the sentence has been printed.
    template <typename Request, typename Reply>
    ExitCode call(grpc::Status (v1::Yard::Stub::*method)(grpc::ClientContext*, const Request&,
                                                         Reply*),
                  const Request& request, Reply& reply)
    {
        if (const ExitCode code = check(); code != Done)
            return code;
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + m_timeout);
        return report((m_stub.get()->*method)(&context, request, &reply));
    }

    /// One call that prints nothing; at most `patience`.
    template <typename Request, typename Reply>
    grpc::Status tryOnce(grpc::Status (v1::Yard::Stub::*method)(grpc::ClientContext*,
                                                                const Request&, Reply*),
                         const Request& request, Reply& reply, std::chrono::milliseconds patience)
    {
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + patience);
        return (m_stub.get()->*method)(&context, request, &reply);
    }

    /// For what may be asked again without harm: while the daemon is lost, waits for it to come
    /// back and asks again, until the timeout. The last status; nothing is printed.
    template <typename Request, typename Reply>
    grpc::Status callAgain(grpc::Status (v1::Yard::Stub::*method)(grpc::ClientContext*,
                                                                  const Request&, Reply*),
                           const Request& request, Reply& reply)
    {
        const auto until = std::chrono::system_clock::now() + m_timeout;
        for (;;) {
            grpc::ClientContext context;
            context.set_deadline(until);
            context.set_wait_for_ready(true);
            const grpc::Status status = (m_stub.get()->*method)(&context, request, &reply);
            if (!isLost(status) || std::chrono::system_clock::now() >= until)
                return status;
            pauseBeforeRetry();
        }
    }

    /// The daemon itself has not answered: whether it has heard the call is not known.
    static bool isLost(const grpc::Status& status);
    ExitCode report(const grpc::Status& status) const;
    /// Why the daemon does not answer, and what to do.
    std::string whyLost(const grpc::Status& status, std::chrono::seconds waited) const;

private:
    static void pauseBeforeRetry();

    std::string m_path;
    std::chrono::seconds m_timeout;
    std::unique_ptr<v1::Yard::Stub> m_stub;
};

/// One line to standard error.
ExitCode complain(ExitCode code, const std::string& sentence);

}  // namespace yard::ctl
