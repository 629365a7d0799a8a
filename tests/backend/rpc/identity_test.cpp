#include "backend/rpc/identity.h"

#include <grp.h>
#include <unistd.h>

#include <QTest>

using namespace yard;
using namespace yard::rpc;
using domain::Role;

namespace {

// Numbers that no user database has.
constexpr uid_t kStranger = 3'999'999'001;
constexpr gid_t kStrangersGroup = 3'999'999'002;

Role roleOf(const AccessOptions& options, uid_t uid, gid_t gid = kStrangersGroup)
{
    const auto rules = IdentityRules::make(options);
    return rules.ok() ? rules->identify({1, uid, gid}).role : Role(99);
}

}  // namespace

class IdentityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void strangersAreRefusedUnlessADefaultIsGiven();
    void rootAndOwnUserAreAdmins();
    void aNamedUserHasThatRoleEvenRoot();
    void theHighestListCounts();
    void deniedOutranksAll();
    void groupsCountBeforeTheDefault();
    void supplementaryGroupsCount();
    void identitySaysWhoAndWhere();
    void unknownNamesAreRefused();
};

void IdentityTest::strangersAreRefusedUnlessADefaultIsGiven()
{
    AccessOptions options;
    QCOMPARE(roleOf(options, kStranger), Role::None);
    options.defaultRole = Role::Viewer;
    QCOMPARE(roleOf(options, kStranger), Role::Viewer);
}

void IdentityTest::rootAndOwnUserAreAdmins()
{
    QCOMPARE(roleOf({}, 0), Role::Admin);
    QCOMPARE(roleOf({}, geteuid()), Role::Admin);
}

void IdentityTest::aNamedUserHasThatRoleEvenRoot()
{
    AccessOptions options;
    options.viewerUsers = {"0"};
    options.operatorUsers = {std::to_string(kStranger)};
    QCOMPARE(roleOf(options, 0), Role::Viewer);
    QCOMPARE(roleOf(options, kStranger), Role::Operator);
}

void IdentityTest::theHighestListCounts()
{
    AccessOptions options;
    options.adminUsers = options.viewerUsers = options.operatorUsers = {std::to_string(kStranger)};
    QCOMPARE(roleOf(options, kStranger), Role::Admin);
}

void IdentityTest::deniedOutranksAll()
{
    AccessOptions options;
    options.defaultRole = Role::Viewer;
    options.adminUsers = options.deniedUsers = {std::to_string(kStranger)};
    QCOMPARE(roleOf(options, kStranger), Role::None);
}

void IdentityTest::groupsCountBeforeTheDefault()
{
    AccessOptions options;
    options.defaultRole = Role::Viewer;
    options.operatorGroups = {std::to_string(kStrangersGroup)};
    QCOMPARE(roleOf(options, kStranger), Role::Operator);
    QCOMPARE(roleOf(options, kStranger, kStrangersGroup + 1), Role::Viewer);
}

void IdentityTest::supplementaryGroupsCount()
{
    // Any group that lists a member will do; a system without one has nothing to test.
    std::string group, member;
    setgrent();
    while (const ::group* entry = getgrent()) {
        if (entry->gr_mem && entry->gr_mem[0] && std::string(entry->gr_mem[0]) != "root") {
            group = entry->gr_name;
            member = entry->gr_mem[0];
            break;
        }
    }
    endgrent();
    if (group.empty())
        QSKIP("no group of this system has a member");
    AccessOptions options, byUser;
    options.operatorGroups = {group};
    byUser.operatorUsers = {member};
    if (!IdentityRules::make(byUser).ok())
        QSKIP("the member has no entry of its own");
    // The uid through the rules themselves: name it, then ask by group alone.
    const auto rules = IdentityRules::make(options);
    QVERIFY(rules.ok());
    bool found = false;
    for (uid_t uid = 1; uid < 70'000 && !found; ++uid) {
        const domain::Identity identity = rules->identify({1, uid, kStrangersGroup});
        if (identity.user == member) {
            QCOMPARE(identity.role, Role::Operator);
            found = true;
        }
    }
    if (!found)
        QSKIP("the member's number is out of reach");
}

void IdentityTest::identitySaysWhoAndWhere()
{
    const auto rules = IdentityRules::make({});
    QVERIFY(rules.ok());
    const domain::Identity root = rules->identify({4711, 0, 0});
    QCOMPARE(root.user, std::string("root"));
    QCOMPARE(root.from, std::string("unix pid 4711"));
    QCOMPARE(rules->identify({1, kStranger, kStrangersGroup}).user, std::string("uid 3999999001"));
}

void IdentityTest::unknownNamesAreRefused()
{
    AccessOptions options;
    options.adminGroups = {"no-such-group-here"};
    const auto rules = IdentityRules::make(options);
    QVERIFY(absl::IsNotFound(rules.status()));
    QVERIFY(QString::fromStdString(std::string(rules.status().message()))
                .contains(QStringLiteral("no-such-group-here")));
}

QTEST_GUILESS_MAIN(IdentityTest)
#include "identity_test.moc"
