#pragma once

#include <future>
#include <memory>
#include <string>

#include "backend/control/desk.h"
#include "tests/support/small_scheduler.h"

namespace yard::testing {

/// A desk with a real journal over a small scheduler, and blocking calls for tests.
class DeskHarness {
public:
    explicit DeskHarness(std::string folder, std::chrono::seconds settle = std::chrono::seconds(0),
                         int nodes = 12, std::string schedulerFile = {})
        : folder(std::move(folder))
        , scheduler(nodes, std::move(schedulerFile))
        , clock(Time(std::chrono::seconds(1'790'010'000)))
    {
        options.pollInterval = std::chrono::milliseconds(10);
        options.pollAfterAction = std::chrono::milliseconds(10);
        options.settle = settle;
        options.version = "test";
    }
    ~DeskHarness() { close(); }

    void open(store::SeriesKeeper* history = nullptr)
    {
        journal = std::move(store::Journal::open(folder + "/journal.db").value());
        desk = std::make_unique<control::Desk>(scheduler, *journal, clock, options);
        if (history)
            desk->record(*history);
        desk->start();
    }
    void close()
    {
        desk.reset();
        journal.reset();
    }

    StatusOr<control::Preview> preview(domain::Action action, std::string expression = {},
                                       std::string user = "op")
    {
        return wait<control::Preview>([&](auto answer) {
            desk->operations().preview(who(user),
                                       {.action = std::move(action),
                                        .nodesExpression = std::move(expression),
                                        .excludedExpression = {}},
                                       answer);
        });
    }
    StatusOr<control::Preview> previewUndo(uint64_t id)
    {
        return wait<control::Preview>(
            [&](auto answer) { desk->operations().previewUndo(who("op"), id, answer); });
    }
    StatusOr<domain::Operation> execute(control::ExecuteRequest request, std::string user = "op")
    {
        return wait<domain::Operation>([&](auto answer) {
            desk->operations().execute(who(user), std::move(request), answer);
        });
    }
    StatusOr<store::AuditPage> audit()
    {
        return wait<store::AuditPage>(
            [&](auto answer) { desk->operations().audit(0, 100'000, answer); });
    }
    StatusOr<std::vector<control::JobAttempt>> attempts(const std::string& job)
    {
        return wait<std::vector<control::JobAttempt>>(
            [&](auto answer) { desk->operations().attempts(job, answer); });
    }
    domain::Operation operation(uint64_t id)
    {
        const auto list = wait<std::vector<domain::Operation>>(
            [&](auto answer) { desk->operations().operations(100'000, 0, answer); });
        for (const domain::Operation& operation : list.value())
            if (operation.id == id)
                return operation;
        return {};
    }
    std::shared_ptr<const control::ClusterDelta> snapshot()
    {
        std::promise<std::shared_ptr<const control::ClusterDelta>> promise;
        desk->hub().snapshot({}, [&](auto delta) { promise.set_value(delta); });
        return promise.get_future().get();
    }

    static domain::Identity who(const std::string& user)
    {
        return {.user = user, .uid = 1000, .role = domain::Role::Operator, .from = "test"};
    }

    const std::string folder;
    SmallScheduler scheduler;
    ManualClock clock;
    control::DeskOptions options;
    std::unique_ptr<store::Journal> journal;
    std::unique_ptr<control::Desk> desk;

private:
    template <typename T, typename Call>
    StatusOr<T> wait(Call call)
    {
        auto promise = std::make_shared<std::promise<StatusOr<T>>>();
        call([promise](StatusOr<T> result) { promise->set_value(std::move(result)); });
        return promise->get_future().get();
    }
};

}  // namespace yard::testing
