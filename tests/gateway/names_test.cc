// Every op and route that takes a name cleans it by the same rule; blank names are refused or count as
// missing. U+202E reverses the text after it; U+200B is invisible.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

constexpr const char* kGiven = "\"\\u202e Caf\\u0065\\u0301\\u200b \"";
constexpr const char* kKept = "Caf\u00e9";
constexpr const char* kBlank = R"(" \u200b\u2066\u3164")";

std::string With(const std::string& around, const std::string& name) {
  std::string out = around;
  return out.replace(out.find('$'), 1, name);
}

TEST(Names, of_conversations_and_labels_are_cleaned_and_a_blank_one_counts_as_missing) {
  World world{DemoConfig()};
  FakeClient ann = world->Join("ann");
  const std::string create = R"({"kind":"direct","participants":[{"userId":"bob"}],"subject":$)";
  const Frame made = ann.Ask("thread.create", With(create, kGiven) + With(R"(,"city":$})", kGiven));
  EXPECT_EQ(made.Text("ok.thread.subject"), kKept);
  EXPECT_EQ(made.Text("ok.thread.city"), kKept);
  const std::string in = "{\"threadId\":\"" + made.Text("ok.thread.threadId") + "\",";
  const Frame same = ann.Ask("thread.update", in + With(R"("version":1,"subject":$})", kGiven));
  EXPECT_EQ(same.Int("ok.thread.version"), 1) << "nothing changed";
  const Frame cleared = ann.Ask(
      "thread.update", in + With(R"("version":1,"subject":$,)", kBlank) + With(R"("city":$})", kBlank));
  EXPECT_EQ(cleared.Json("ok.thread.subject"), "null");
  EXPECT_EQ(cleared.Json("ok.thread.city"), "null");

  EXPECT_EQ(ann.Ask("inbox.set", in + With(R"("label":$})", kGiven)).Text("ok.entry.label"), kKept);
  EXPECT_EQ(ann.Ask("inbox.list", With(R"({"label":$})", kGiven)).Size("ok.entries"), 1u);
  EXPECT_EQ(ann.Ask("inbox.set", in + With(R"("label":$})", kBlank)).Json("ok.entry.label"), "null");
  const Frame other = ann.Ask(
      "thread.create", With(R"({"kind":"group","participants":[{"userId":"bob"}],"subject":$})", kBlank));
  EXPECT_EQ(other.Json("ok.thread.subject"), "null");
}

class TenantNames : public TenantScene {
 protected:
  void ExpectBlankRefused(const HttpResponse& answer, const std::string& field) {
    EXPECT_EQ(Verdict(answer), "400 BAD_REQUEST") << field;
    EXPECT_THAT(Body(answer).Text("error.fields." + field), testing::HasSubstr("blank"));
  }
  HttpResponse Operator(const std::string& method, const std::string& target, const std::string& body) {
    return Send(FakeServer::operator_key(), method, target, body);
  }
};

TEST_F(TenantNames, of_users_are_cleaned_and_never_blank) {
  const HttpResponse made = Ask("POST", "/v1/users", With(R"({"userId":"ann","displayName":$})", kGiven));
  EXPECT_EQ(Body(made).Text("user.displayName"), kKept);
  ExpectBlankRefused(Ask("POST", "/v1/users", With(R"({"userId":"bob","displayName":$})", kBlank)),
                     "displayName");
  ExpectBlankRefused(Ask("PATCH", "/v1/users/ann", With(R"({"version":1,"displayName":$})", kBlank)),
                     "displayName");
  EXPECT_EQ(Body(Ask("PATCH", "/v1/users/ann", With(R"({"version":1,"displayName":$})", R"("A\u202db")")))
                .Text("user.displayName"),
            "Ab");
  EXPECT_EQ(
      Body(Ask("PATCH", "/v1/users/ann", R"({"version":2,"displayName":null})")).Json("user.displayName"),
      "null");
}

TEST_F(TenantNames, of_tenants_and_keys_are_cleaned) {
  ExpectBlankRefused(Operator("POST", "/v1/tenants", With(R"({"tenantId":"bolt","name":$})", kBlank)),
                     "name");
  const HttpResponse made = Operator("POST", "/v1/tenants", With(R"({"tenantId":"bolt","name":$})", kGiven));
  EXPECT_EQ(Verdict(made), "201");
  EXPECT_EQ(Body(Operator("GET", "/v1/tenants/bolt", "")).Text("tenant.name"), kKept);
  ExpectBlankRefused(Operator("PATCH", "/v1/tenants/bolt", With(R"({"version":1,"name":$})", kBlank)),
                     "name");

  const auto listed = [&](const std::string& target, const std::string& name) {
    EXPECT_EQ(Verdict(Ask("POST", target, With(R"({"name":$})", name))), "201") << target;
    return Ask("GET", target).body;
  };
  MakeUser("ann");
  for (const std::string target :
       {"/v1/tenants/acme/keys", "/v1/tenants/acme/table-keys", "/v1/users/ann/api-keys"}) {
    const std::string all = listed(target, kGiven);
    EXPECT_THAT(all, testing::HasSubstr("\"name\":\"" + std::string(kKept) + "\"")) << target;
  }
  for (const std::string target : {"/v1/tenants/acme/keys", "/v1/tenants/acme/table-keys"})
    EXPECT_THAT(listed(target, kBlank), testing::Not(testing::HasSubstr("\u200b"))) << target;
  ExpectBlankRefused(Ask("POST", "/v1/users/ann/api-keys", With(R"({"name":$})", kBlank)), "name");
}

}  // namespace
}  // namespace parley::gateway_test
