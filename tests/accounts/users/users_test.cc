// Users: T3-U1 to T3-U6 of docs/tables.md, and the validation of records.
#include "accounts/records/item_fields.h"
#include "accounts/users/user_keys.h"
#include "tests/accounts/account_scene.h"
#include "tests/accounts/suspension.h"

namespace parley::accounts {
namespace {

using protocol::TenantId;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class UsersTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_THAT(world_.scene.Check(), IsEmpty()); }

  std::vector<std::string> List(const UserListing& listing) {
    std::vector<std::string> out;
    UserListing next = listing;
    do {
      const auto page = ListUsers(world_.Reads(), next);
      EXPECT_TRUE(page.ok() && page->users.size() <= listing.limit);
      for (const User& user : page->users) out.push_back(user.id.ToText());
      next.after = page->last;
    } while (next.after);
    return out;
  }
  std::string IdOf(const protocol::Result<MaybeUser>& found) {
    if (!found.ok()) return TextOf(found);
    return *found ? (*found)->id.ToText() : "-";
  }
  std::string ByEmail(const std::string& email) { return IdOf(FindUserByEmail(world_.Reads(), email)); }
  std::string ByIdentity(const std::string& text) { return IdOf(FindUserByIdentity(world_.Reads(), text)); }

  AccountScene world_;
  const Editor admin_{Editor::Kind::kAdmin, UserNamed("boss")};
  const Editor ann_{Editor::Kind::kSelf, UserNamed("ann")};
};

TEST_F(UsersTest, T3_U1_lists_only_users_in_order_of_their_ids) {
  for (const char* id : {"bob", "ann", "anna", "zoe"})
    EXPECT_EQ(world_.Make(R"({"userId":")" + std::string(id) + R"(","channelIdentities":{"slack":")" + id +
                          R"("}})"),
              id);
  EXPECT_TRUE(world_
                  .Decide<SessionsToEnd>(
                      [](RecordTransaction& records) { return SuspendUser(records, UserNamed("ann")); })
                  .ok());
  world_.tenant = TenantId{"bolt"};
  world_.Make(R"({"userId":"eve"})");
  world_.tenant = TenantId{"acme"};
  for (size_t limit = 1; limit <= 5; ++limit)
    EXPECT_THAT(List({"", {}, limit}), ElementsAre("ann", "anna", "bob", "zoe")) << limit;
  EXPECT_THAT(List({"ann", {}, 1}), ElementsAre("ann", "anna"));
  EXPECT_THAT(List({"c", {}, 1}), IsEmpty());
}

TEST_F(UsersTest, T3_U2_finds_a_user_by_their_address_in_any_spelling) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann","email":" Ann@Example.COM "})"), "ann");
  EXPECT_EQ(world_.Find("ann")->email, "ann@example.com");
  EXPECT_EQ(ByEmail("ANN@example.com"), "ann");
  EXPECT_EQ(ByEmail("\tann@example.com\n"), "ann");
  EXPECT_EQ(ByEmail("bob@example.com"), "-");
  EXPECT_EQ(ByEmail("ann"), "-");
  world_.tenant = TenantId{"bolt"};
  EXPECT_EQ(ByEmail("ann@example.com"), "-");
}

TEST_F(UsersTest, an_address_belongs_to_one_user_of_the_tenant) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann","email":"a@x.test"})"), "ann");
  EXPECT_EQ(world_.Make(R"({"userId":"bob","email":"A@X.test"})"), "ALREADY_EXISTS email");
  EXPECT_EQ(world_.Make(R"({"userId":"bob"})"), "bob");
  EXPECT_EQ(world_.Change("bob", R"({"version":1,"email":"A@X.TEST"})"), "ALREADY_EXISTS email");
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"email":"A@x.test","displayName":"Ann"})"), "ok");
  EXPECT_EQ(world_.Change("ann", R"({"version":2,"email":null})"), "ok");
  EXPECT_EQ(world_.Change("bob", R"({"version":1,"email":"a@x.test"})"), "ok");
  EXPECT_EQ(ByEmail("a@x.test"), "bob");
  world_.tenant = TenantId{"bolt"};
  EXPECT_EQ(world_.Make(R"({"userId":"eve","email":"a@x.test"})"), "eve");
}

TEST_F(UsersTest, of_two_users_who_take_one_address_at_once_one_gets_it) {
  const auto made = world_.DecideTogether<User>(20, [](RecordTransaction& records, size_t i) {
    return MakeUser(records, {},
                    NewUserFrom(R"({"userId":"u)" + std::to_string(i) + R"(","email":"a@x.test"})"), {});
  });
  EXPECT_EQ(std::count_if(made.begin(), made.end(), [](const auto& one) { return one.ok(); }), 1);
  EXPECT_EQ(ByEmail("a@x.test"), "u0");
}

TEST_F(UsersTest, T3_U3_a_user_is_found_only_in_their_tenant) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann"})"), "ann");
  EXPECT_EQ(world_.Make(R"({"userId":"ann"})"), "ALREADY_EXISTS userId");
  world_.tenant = TenantId{"bolt"};
  EXPECT_EQ(world_.Show("ann"), "-");
  EXPECT_EQ(world_.Change("ann", R"({"version":1})"), "NOT_FOUND");
  EXPECT_EQ(world_.Delete("ann"), "NOT_FOUND");
}

TEST_F(UsersTest, T3_U4_finds_a_user_by_their_channel_identity) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann","channelIdentities":{"teams":"29:1a/b","sms":"+49123"}})"), "ann");
  EXPECT_EQ(ByIdentity("teams:29:1a/b"), "ann");
  EXPECT_EQ(ByIdentity("sms:+49123"), "ann");
  EXPECT_EQ(ByIdentity("slack:29:1a/b"), "-");
  EXPECT_EQ(ByIdentity("teams:a#b"), "-");
  EXPECT_EQ(ByIdentity("teams"), "BAD_REQUEST identity");
  EXPECT_EQ(world_.Make(R"({"userId":"bob","channelIdentities":{"sms":"+49123"}})"),
            "ALREADY_EXISTS channelIdentities");
  EXPECT_EQ(world_.Show("bob"), "-");
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"channelIdentities":{"sms":null,"teams":"T2"}})"), "ok");
  EXPECT_EQ(ByIdentity("sms:+49123"), "-");
  EXPECT_EQ(ByIdentity("teams:29:1a/b"), "-");
  EXPECT_EQ(ByIdentity("teams:T2"), "ann");
  EXPECT_EQ(world_.Make(R"({"userId":"bob","channelIdentities":{"sms":"+49123"}})"), "bob");
}

TEST_F(UsersTest, a_change_keeps_members_of_the_record_that_it_does_not_name) {
  const auto put = world_.Decide<protocol::Unit>([](RecordTransaction& records) {
    records.Put("tenants", "user", {{"tenant_id", "acme"}, {"user_id", "ann"}, {"cognito_sub", "s-1"}});
    return records.Commit();
  });
  ASSERT_TRUE(put.ok());
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"displayName":"Ann"})"), "ok");
  const auto found = world_.Reads().Find("tenants", TenantHash(world_.tenant), UserRange("ann"));
  ASSERT_TRUE(found.ok() && *found);
  EXPECT_EQ(TextOf(**found, "cognito_sub"), "s-1");
}

TEST_F(UsersTest, T3_U6_deleting_a_user_keeps_the_same_id_in_another_tenant) {
  const std::string ann =
      R"({"userId":"ann","email":"a@x.test","channelIdentities":{"sms":"1","slack":"2"}})";
  EXPECT_EQ(world_.Make(ann), "ann");
  world_.tenant = TenantId{"bolt"};
  EXPECT_EQ(world_.Make(ann), "ann");
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(world_.Delete("ann"), "NOT_FOUND");
  EXPECT_EQ(world_.Show("ann"), "-");
  EXPECT_EQ(ByEmail("a@x.test") + ByIdentity("sms:1") + ByIdentity("slack:2"), "---");
  world_.tenant = TenantId{"acme"};
  EXPECT_EQ(ByEmail("a@x.test") + ByIdentity("sms:1") + ByIdentity("slack:2"), "annannann");
}

TEST_F(UsersTest, a_user_reads_as_in_the_reply_and_survives_a_restart) {
  EXPECT_EQ(
      world_.Make(R"({"userId":"ann","email":"a@x.test","displayName":"Ann \"B\"","role":"support",)"
                  R"("channelIdentities":{"sms":"1"},"attributes":{"adult":true,"level":-3,"from":"here"}})"),
      "ann");
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"preferences":{"theme":{"dark":true,"size":[1,2]}}})"),
            "ok");
  world_.scene.Restart();
  EXPECT_EQ(world_.Show("ann"),
            R"({"userId":"ann","email":"a@x.test","displayName":"Ann \"B\"","role":"support",)"
            R"("channelIdentities":{"sms":"1"},"attributes":{"adult":true,"from":"here","level":-3},)"
            R"("preferences":{"theme":{"dark":true,"size":[1,2]}},)"
            R"("createdAt":"2025-11-05T14:12:07.123Z","updatedAt":"2025-11-05T14:12:07.123Z","version":2})");
}

TEST_F(UsersTest, an_id_is_generated_if_none_is_given) {
  EXPECT_EQ(world_.Make("{}"), "usr_" + protocol::Ulid::FromBytes("0123456789abcdef")->ToText());
}

TEST_F(UsersTest, a_change_of_an_outdated_version_gets_the_current_record) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann"})"), "ann");
  world_.scene.clock.Advance(1000);
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"displayName":"Ann"})"), "ok");
  const auto late = world_.Decide<ChangedUser>([](RecordTransaction& records) {
    return ChangeUser(records, {}, UserNamed("ann"), ChangeFrom(R"({"version":1,"displayName":"Bo"})"));
  });
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(TextOf(late), "VERSION_CONFLICT");
  EXPECT_EQ(protocol::MsgpackToJson(late.error().current), world_.Show("ann"));
  EXPECT_THAT(world_.Show("ann"), HasSubstr(R"("displayName":"Ann")"));
  EXPECT_THAT(world_.Show("ann"), HasSubstr(R"("updatedAt":"2025-11-05T14:12:08.123Z","version":2)"));
}

TEST_F(UsersTest, of_concurrent_changes_of_one_version_one_is_made) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann"})"), "ann");
  const auto done = world_.DecideTogether<ChangedUser>(10, [](RecordTransaction& records, size_t i) {
    return ChangeUser(records, {}, UserNamed("ann"),
                      ChangeFrom(R"({"version":1,"displayName":"A)" + std::to_string(i) + R"("})"));
  });
  EXPECT_EQ(std::count_if(done.begin(), done.end(), [](const auto& one) { return one.ok(); }), 1);
  EXPECT_EQ(world_.Find("ann")->display_name, "A0");
}

TEST_F(UsersTest, maps_are_changed_member_by_member) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann","attributes":{"a":1,"b":true}})"), "ann");
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"attributes":{"a":null,"c":"x"},)"
                                 R"("preferences":{"p":{"q":1,"r":{"s":2}}}})"),
            "ok");
  EXPECT_EQ(world_.Change("ann", R"({"version":2,"preferences":{"p":{"q":null,"r":{"t":[null]}}}})"), "ok");
  EXPECT_THAT(world_.Show("ann"), HasSubstr(R"("attributes":{"b":true,"c":"x"},)"
                                            R"("preferences":{"p":{"r":{"s":2,"t":[null]}}})"));
}

TEST_F(UsersTest, invalid_fields_of_a_record_are_refused_by_field) {
  const auto text = [](size_t size) { return std::string(size, 'x'); };
  std::string many, attributes;
  for (size_t i = 0; i <= kIdentitiesMax; ++i) many += (i ? ",\"c" : "\"c") + std::to_string(i) + "\":\"1\"";
  for (size_t i = 0; i <= kUserAttributesMax; ++i)
    attributes += (i ? ",\"c" : "\"c") + std::to_string(i) + "\":1";
  std::string wide;
  for (size_t i = 0; i < 5; ++i)
    wide += (i ? ",\"c" : "\"c") + std::to_string(i) + "\":\"" + text(1000) + "\"";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"email", R"("ann")"},
      {"email", R"("a b@x.test")"},
      {"email", R"("")"},
      {"email", "\"" + text(65) + "@x.test\""},
      {"displayName", R"("")"},
      {"displayName", R"("  ")"},
      {"displayName", R"("\u200b\u202e")"},
      {"channelIdentities", R"({"Slack":"1"})"},
      {"channelIdentities", R"({"":"1"})"},
      {"channelIdentities", R"({"a#b":"1"})"},
      {"channelIdentities", R"({"slack":"a#b"})"},
      {"channelIdentities", R"({"slack":""})"},
      {"channelIdentities", R"({"slack":1})"},
      {"channelIdentities", R"([1])"},
      {"channelIdentities", R"({"slack":")" + text(kIdentityBytesMax + 1) + R"("})"},
      {"channelIdentities", "{" + many + "}"},
      {"attributes", R"({"a":{}})"},
      {"attributes", R"({"a b":1})"},
      {"attributes", R"({"a":")" + text(kTokenStringBytesMax + 1) + R"("})"},
      {"attributes", "{" + attributes + "}"},
      {"attributes", "{" + wide + "}"},
      {"attributes", R"("x")"},
  };
  for (const auto& [field, value] : bad)
    EXPECT_EQ(world_.Make(R"({"userId":"ann",")" + field + "\":" + value + "}"), "BAD_REQUEST " + field)
        << value;
  EXPECT_EQ(world_.Make(R"({"userId":"ann"})"), "ann");
  const std::vector<std::string> preferences = {"[]", R"({"a":")" + text(kPreferencesBytesMax) + R"("})",
                                                R"({"a":[[[[[[[[1]]]]]]]]})"};
  for (const std::string& value : preferences)
    EXPECT_EQ(world_.Change("ann", R"({"version":1,"preferences":)" + value + "}"),
              "BAD_REQUEST preferences");
}

TEST_F(UsersTest, safe_mode_is_a_preference_with_two_values) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann"})"), "ann");
  EXPECT_FALSE(PrefersNoSafeMode(*world_.Find("ann")));
  for (const char* value : {"true", "1", R"("OFF")", R"("")", "{}"})
    EXPECT_EQ(world_.Change("ann", R"({"version":1,"preferences":{"safeMode":)" + std::string(value) + "}}"),
              "BAD_REQUEST preferences.safeMode")
        << value;
  const auto prefers = [&](int version, const std::string& value) {
    EXPECT_EQ(world_.Change("ann", R"({"version":)" + std::to_string(version) +
                                       R"(,"preferences":{"safeMode":)" + value + "}}"),
              "ok");
    return PrefersNoSafeMode(*world_.Find("ann"));
  };
  EXPECT_TRUE(prefers(1, R"("off")"));
  EXPECT_FALSE(prefers(2, R"("on")"));
  EXPECT_TRUE(prefers(3, R"("off")"));
  EXPECT_FALSE(prefers(4, "null"));
}

TEST_F(UsersTest, an_admin_cannot_set_attributes_and_only_two_roles) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann","role":"moderator","email":"a@x.test"})", admin_), "ann");
  for (const char* role : {"admin", "support", "bot"}) {
    const std::string asked = R"("role":")" + std::string(role) + "\"";
    EXPECT_EQ(world_.Make(R"({"userId":"bob",)" + asked + "}", admin_), "FORBIDDEN role");
    EXPECT_EQ(world_.Change("ann", R"({"version":1,)" + asked + "}", admin_), "FORBIDDEN role");
  }
  EXPECT_EQ(world_.Make(R"({"userId":"bob","attributes":{"adult":true}})", admin_), "FORBIDDEN attributes");
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"attributes":{}})", admin_), "FORBIDDEN attributes");
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"role":"member","email":null})", admin_), "ok");
  EXPECT_EQ(world_.Delete("ann", admin_), "ok");
}

TEST_F(UsersTest, users_change_only_their_own_name_and_preferences) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann"})"), "ann");
  EXPECT_EQ(world_.Make(R"({"userId":"bob"})"), "bob");
  EXPECT_EQ(world_.Change("ann", R"({"version":1,"displayName":"A","preferences":{"a":1}})", ann_), "ok");
  EXPECT_EQ(world_.Change("ann", R"({"version":2,"role":"member"})", ann_), "FORBIDDEN role");
  EXPECT_EQ(world_.Change("ann", R"({"version":2,"email":null})", ann_), "FORBIDDEN email");
  EXPECT_EQ(world_.Change("ann", R"({"version":2,"channelIdentities":{}})", ann_),
            "FORBIDDEN channelIdentities");
  EXPECT_EQ(world_.Change("ann", R"({"version":2,"attributes":{}})", ann_), "FORBIDDEN attributes");
  EXPECT_EQ(world_.Change("bob", R"({"version":1,"displayName":"B"})", ann_), "FORBIDDEN");
  EXPECT_EQ(world_.Change("nobody", R"({"version":1,"displayName":"B"})", ann_), "FORBIDDEN");
  EXPECT_EQ(world_.Delete("ann", ann_), "FORBIDDEN");
  EXPECT_EQ(world_.Make(R"({"userId":"eve"})", ann_), "FORBIDDEN");
}

TEST_F(UsersTest, sessions_end_when_their_users_permissions_change) {
  EXPECT_EQ(world_.Make(R"({"userId":"ann"})"), "ann");
  const auto change = [&](const std::string& json) {
    return world_
        .Decide<ChangedUser>([&](RecordTransaction& records) {
          return ChangeUser(records, {}, UserNamed("ann"), ChangeFrom(json));
        })
        ->ends;
  };
  const SessionsToEnd ends{UserNamed("ann"), SessionsToEnd::Why::kChanged};
  EXPECT_EQ(change(R"({"version":1,"displayName":"A"})"), std::nullopt);
  EXPECT_EQ(change(R"({"version":2,"role":"admin"})"), ends);
  EXPECT_EQ(change(R"({"version":3,"role":"admin","attributes":{"adult":true}})"), ends);
  EXPECT_EQ(change(R"({"version":4,"role":"admin","attributes":{"adult":true}})"), std::nullopt);
}

TEST_F(UsersTest, a_first_sign_in_creates_a_record_if_the_tenant_allows_it) {
  Claims claims;
  claims.sub = "ann";
  claims.role = "support";
  claims.iat_s = world_.scene.clock.now_ms / 1000;
  claims.attrs = {{"adult", true}};
  const auto ensure = [&](bool provisions) {
    const auto found = world_.Decide<MaybeUser>(
        [&](RecordTransaction& records) { return EnsureUser(records, claims, provisions); });
    if (!found.ok()) return TextOf(found);
    return *found ? std::string(protocol::NameOf((*found)->role)) : "-";
  };
  EXPECT_EQ(ensure(false), "-");
  EXPECT_EQ(ensure(true), "support");
  claims.role = "member";
  EXPECT_EQ(ensure(true), "support");  // the record exists
  EXPECT_EQ(world_.Find("ann")->attributes, claims.attrs);
  EXPECT_EQ(world_.Delete("ann"), "ok");
  EXPECT_EQ(ensure(true), "UNAUTHENTICATED");
  claims.iat_s = *claims.iat_s + 1;
  EXPECT_EQ(ensure(true), "member");
  claims.sub = "bob";
  claims.attrs = {{"far", int64_t{1} << 60}};  // not a JSON number
  EXPECT_EQ(ensure(true), "member");
  EXPECT_TRUE(world_.Find("bob")->attributes.empty());
}

}  // namespace
}  // namespace parley::accounts
