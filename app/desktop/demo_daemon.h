#pragma once

#include <QProcess>
#include <QString>
#include <QTemporaryDir>

namespace yard::desktop {

/// Our own yardmasterd with a simulated cluster, on a private socket. It ends with us.
class DemoDaemon {
public:
    DemoDaemon();
    ~DemoDaemon();

    /// A sentence that says what went wrong; empty if it serves.
    QString start(const QString& demoOptions);
    QString address() const;
    void stop();

private:
    QString lastWords();

    QTemporaryDir m_folder;
    QProcess m_process;
};

}  // namespace yard::desktop
