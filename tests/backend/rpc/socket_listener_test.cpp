#include "backend/rpc/socket_listener.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <cstring>

#include "backend/rpc/identity.h"
#include "backend/rpc/peer_registry.h"

using namespace yard;
using namespace yard::rpc;

namespace {

sockaddr_un addressOf(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

int connectTo(const std::string& path)
{
    const sockaddr_un address = addressOf(path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return fd;
    close(fd);
    return -1;
}

/// What a daemon that died leaves behind: a socket file that nobody serves.
void leaveSocket(const std::string& path)
{
    const sockaddr_un address = addressOf(path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    QCOMPARE(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(fd);
}

QString words(const Status& status)
{
    return QString::fromStdString(std::string(status.message()));
}

}  // namespace

class SocketListenerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void connectionsAreHandedOver();
    void theFileGoesWithTheListener();
    void permissionsFollowTheGroup();
    void aRemovedPathIsMadeAgain();
    void aDeadDaemonsSocketIsReplaced();
    void aLiveSocketIsNotStolen();
    void aStrangersSocketIsNotStolen();
    void anythingElseInThePlaceIsLeftAlone();
    void badPathsAreSentences();
    void credentialsAreThoseOfThePeer();
    void connectionsAreNumberedApartAndBounded();
    void closedConnectionsMakeRoom();

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    std::string m_path;
};

void SocketListenerTest::init()
{
    m_directory = std::make_unique<QTemporaryDir>(QStringLiteral("/tmp/yard-test-XXXXXX"));
    m_path = m_directory->filePath(QStringLiteral("yard.sock")).toStdString();
}

void SocketListenerTest::connectionsAreHandedOver()
{
    std::atomic<int> accepted = 0;
    auto listener = SocketListener::open(m_path, "");
    QVERIFY2(listener.ok(), qPrintable(words(listener.status())));
    (*listener)->start([&](int fd) {
        close(fd);
        ++accepted;
    });
    for (int i = 0; i < 5; ++i)
        close(connectTo(m_path));
    QTRY_COMPARE_WITH_TIMEOUT(accepted.load(), 5, 5000);
    (*listener)->stop();
}

void SocketListenerTest::theFileGoesWithTheListener()
{
    {
        auto listener = SocketListener::open(m_path, "");
        QVERIFY(listener.ok());
        QVERIFY(QFile::exists(QString::fromStdString(m_path)));
    }
    QVERIFY(!QFile::exists(QString::fromStdString(m_path)));
    QVERIFY(SocketListener::open(m_path, "").ok());
}

void SocketListenerTest::permissionsFollowTheGroup()
{
    struct stat found {};
    {
        auto everybody = SocketListener::open(m_path, "");
        QCOMPARE(stat(m_path.c_str(), &found), 0);
        QCOMPARE(int(found.st_mode & 0777), 0666);
    }
    auto group = SocketListener::open(m_path, std::to_string(getegid()));
    QVERIFY2(group.ok(), qPrintable(words(group.status())));
    QCOMPARE(stat(m_path.c_str(), &found), 0);
    QCOMPARE(int(found.st_mode & 0777), 0660);
    QCOMPARE(found.st_gid, getegid());
    const auto unknown = SocketListener::open(
        m_directory->filePath(QStringLiteral("b")).toStdString(), "no-such-group");
    QVERIFY(words(unknown.status()).contains(QStringLiteral("no-such-group")));
}

void SocketListenerTest::aRemovedPathIsMadeAgain()
{
    std::atomic<int> accepted = 0;
    auto listener = SocketListener::open(m_path, std::to_string(getegid()));
    QVERIFY2(listener.ok(), qPrintable(words(listener.status())));
    (*listener)->start([&](int fd) {
        close(fd);
        ++accepted;
    });
    QCOMPARE(unlink(m_path.c_str()), 0);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(QString::fromStdString(m_path)), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT((close(connectTo(m_path)), accepted > 0), 10'000);
    struct stat found {};
    QCOMPARE(stat(m_path.c_str(), &found), 0);
    QCOMPARE(int(found.st_mode & 0777), 0660);

    // What somebody else puts there is theirs.
    QCOMPARE(unlink(m_path.c_str()), 0);
    QFile strange(QString::fromStdString(m_path));
    const bool taken = strange.open(QIODevice::NewOnly);
    if (taken)
        QVERIFY(strange.write("mine") == 4);
    strange.close();
    listener->reset();
    if (taken)
        QVERIFY(QFile::exists(QString::fromStdString(m_path)));
}

void SocketListenerTest::aDeadDaemonsSocketIsReplaced()
{
    leaveSocket(m_path);
    auto listener = SocketListener::open(m_path, "");
    QVERIFY2(listener.ok(), qPrintable(words(listener.status())));
    const int fd = connectTo(m_path);
    QVERIFY(fd >= 0);
    close(fd);
}

void SocketListenerTest::aLiveSocketIsNotStolen()
{
    auto first = SocketListener::open(m_path, "");
    QVERIFY(first.ok());
    const auto second = SocketListener::open(m_path, "");
    QVERIFY(absl::IsAlreadyExists(second.status()));
    QVERIFY(words(second.status()).contains(QString::fromStdString(m_path)));
    const int fd = connectTo(m_path);
    QVERIFY(fd >= 0);
    close(fd);
}

void SocketListenerTest::aStrangersSocketIsNotStolen()
{
    const sockaddr_un address = addressOf(m_path);
    const int stranger = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    QCOMPARE(bind(stranger, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    QCOMPARE(listen(stranger, 4), 0);
    QVERIFY(absl::IsAlreadyExists(SocketListener::open(m_path, "").status()));
    QVERIFY(QFile::exists(QString::fromStdString(m_path)));
    close(stranger);
}

void SocketListenerTest::anythingElseInThePlaceIsLeftAlone()
{
    QFile file(QString::fromStdString(m_path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("precious");
    file.close();
    const auto refused = SocketListener::open(m_path, "");
    QVERIFY(words(refused.status()).contains(QStringLiteral("not a socket")));
    QCOMPARE(file.size(), qint64(8));
}

void SocketListenerTest::badPathsAreSentences()
{
    const auto tooLong = SocketListener::open("/tmp/" + std::string(200, 'x'), "");
    QVERIFY(words(tooLong.status()).contains(QStringLiteral("the system allows 107")));
    QVERIFY(words(SocketListener::open("yard.sock", "").status())
                .contains(QStringLiteral("not absolute")));
    const auto nowhere = SocketListener::open("/tmp/no-such-folder-of-ours/yard.sock", "");
    QVERIFY(words(nowhere.status()).contains(QStringLiteral("No such file or directory")));
}

void SocketListenerTest::credentialsAreThoseOfThePeer()
{
    int pair[2];
    QCOMPARE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    const auto peer = peerCredentials(pair[0]);
    QVERIFY(peer.ok());
    QCOMPARE(peer->pid, getpid());
    QCOMPARE(peer->uid, getuid());
    close(pair[0]);
    close(pair[1]);
    QVERIFY(!peerCredentials(pair[0]).ok());
}

void SocketListenerTest::connectionsAreNumberedApartAndBounded()
{
    PeerRegistry registry({.connections = 3, .connectionsPerUser = 2});
    std::vector<int> others, numbers;
    const auto admit = [&](uint32_t uid) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
            return false;
        others.push_back(pair[1]);
        const auto number =
            registry.admit(pair[0], {"u" + std::to_string(uid), uid, domain::Role::Viewer, "here"});
        if (number)
            numbers.push_back(*number);
        return number.has_value();
    };
    QVERIFY(admit(1));
    QVERIFY(admit(1));
    QVERIFY(!admit(1));
    QVERIFY(admit(2));
    QVERIFY(!admit(3));
    QCOMPARE(registry.find("fd:" + std::to_string(numbers[2]))->user, std::string("u2"));
    QVERIFY(numbers[1] > numbers[0] && numbers[2] > numbers[1]);
    for (const char* peer : {"fd:3", "unix:", "ipv4:127.0.0.1:80", "fd:", "fd:1x", ""})
        QVERIFY(!registry.find(peer));
    for (const int fd : others)
        close(fd);
    for (const int fd : numbers)
        close(fd);
}

void SocketListenerTest::closedConnectionsMakeRoom()
{
    PeerRegistry registry({.connections = 1, .connectionsPerUser = 1});
    int first[2], second[2];
    QCOMPARE(socketpair(AF_UNIX, SOCK_STREAM, 0, first), 0);
    QCOMPARE(socketpair(AF_UNIX, SOCK_STREAM, 0, second), 0);
    const auto number = registry.admit(first[0], {"a", 1, domain::Role::Viewer, "here"});
    QVERIFY(number);
    close(first[1]);
    const auto next = registry.admit(second[0], {"b", 2, domain::Role::Viewer, "here"});
    QVERIFY(next);
    // The number of a connection that is gone is not given to the next one.
    QVERIFY(*next != *number);
    QVERIFY(!registry.find("fd:" + std::to_string(*number)));
    close(*number);
    close(*next);
    close(second[1]);
}

QTEST_GUILESS_MAIN(SocketListenerTest)
#include "socket_listener_test.moc"
