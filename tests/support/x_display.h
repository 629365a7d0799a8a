#pragma once

#include <QByteArray>
#include <QProcess>

namespace yard::test {

/// A private X server without a screen (Xvfb), for tests that need a real window. Make one before
/// the QApplication: it sets DISPLAY and QT_QPA_PLATFORM. The server ends with the object, and with
/// the process.
class XDisplay {
public:
    explicit XDisplay(const QByteArray& geometry = "1920x1080x24");
    ~XDisplay();
    /// Empty if the server runs, else why not.
    QString error() const { return m_error; }

private:
    QProcess m_server;
    QString m_error;
};

}  // namespace yard::test
