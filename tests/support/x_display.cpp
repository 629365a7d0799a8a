#include "tests/support/x_display.h"

#include <sys/prctl.h>

#include <csignal>

namespace yard::test {

XDisplay::XDisplay(const QByteArray& geometry)
{
    m_server.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGTERM); });
    m_server.setProcessChannelMode(QProcess::SeparateChannels);
    // The server picks a free display itself and writes its number to standard output.
    m_server.start("Xvfb", {"-displayfd", "1", "-screen", "0", geometry, "-nolisten", "tcp"});
    if (!m_server.waitForStarted(10'000)) {
        m_error = "Xvfb does not start: " + m_server.errorString() + ". Install the package xvfb.";
        return;
    }
    QByteArray number;
    while (!number.endsWith('\n')) {
        if (!m_server.waitForReadyRead(20'000)) {
            m_error = "Xvfb does not say its display: " + m_server.readAllStandardError();
            return;
        }
        number += m_server.readAllStandardOutput();
    }
    qputenv("DISPLAY", ":" + number.trimmed());
    qputenv("QT_QPA_PLATFORM", "xcb");
}

XDisplay::~XDisplay()
{
    m_server.terminate();
    if (!m_server.waitForFinished(5'000))
        m_server.kill();
}

}  // namespace yard::test
