#pragma once

#include <deque>
#include <mutex>

#include "backend/base/task_loop.h"
#include "backend/store/journal.h"
#include "backend/store/sqlite.h"

namespace yard::store {

/// The one writing connection. An entry that fails waits at the head of a backlog and is tried
/// again, so the order of history holds; intents are refused meanwhile, and a refused one that may
/// have reached the disk after all is withdrawn before anything else is written.
class Journal::Writer {
public:
    explicit Writer(Database database);
    ~Writer();

    void write(JournalEntry entry, std::function<void(Status)> done);
    void probe(Time now);
    void onHealth(std::function<void(JournalHealth)> changed);

private:
    struct Pending {
        JournalEntry entry;
        std::function<void(Status)> done;
        uint64_t withdraw = 0;  ///< an operation to take back; 0: write `entry`
    };

    void accept(Pending pending);
    void refuse(Pending& pending, const Status& why);
    void keep(Pending pending);
    void retry();
    Status commit(Pending& pending);
    Status writeAll(JournalEntry& entry);
    Status writeOperations(const JournalEntry& entry);
    Status writeAudit(JournalEntry& entry);
    Status writeChanges(const JournalEntry& entry);
    Status writeFaults(const JournalEntry& entry);
    Status writeIncidents(const JournalEntry& entry);
    Status writeStates(const JournalEntry& entry);
    Status withdraw(uint64_t operationId);
    Status loadChainEnd();
    void report(const Status& status);

    Database m_database;
    std::deque<Pending> m_backlog;
    bool m_chainKnown = false;
    uint64_t m_lastSequence = 0;
    std::string m_lastHash;

    std::mutex m_healthMutex;
    JournalHealth m_health;
    std::function<void(JournalHealth)> m_changed;
    TaskLoop m_loop;  ///< last: ends before what its tasks use
};

}  // namespace yard::store
