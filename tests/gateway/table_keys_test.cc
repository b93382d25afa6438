// Table keys over HTTP: a tenant's back end creates, lists and revokes them; a demo hands them out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gateway/app/node.h"
#include "gateway/dynamodb/credentials.h"
#include "tests/accounts/signed_support.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/response_text.h"

namespace parley::gateway_test {
namespace {

using gateway::HttpResponse;
using testing::HasSubstr;
using testing::Not;

const std::string kKeys = "/v1/tenants/demo/table-keys";
const std::string kDemo = "/v1/demo/table-key";

class TableKeyRoutesTest : public testing::Test {
 protected:
  HttpResponse Ask(const std::string& method, const std::string& target, const std::string& body = "",
                   FakeServer::Headers headers = {}) {
    headers.emplace_back("Authorization", "Bearer " + credential_);
    return world_->Http(method, target, body, std::move(headers));
  }
  // "404 NOT_FOUND", or the status alone.
  static std::string Verdict(const HttpResponse& response) {
    const std::string code = response.status < 300 ? "" : " " + Body(response).error();
    return std::to_string(response.status) + code;
  }
  std::string MakeKey(const std::string& args = "") {
    return Body(Ask("POST", kKeys, args)).Text("accessKeyId");
  }
  // The name of the error of a request signed with this key; empty if it was accepted.
  std::string SignedWith(const std::string& id, const std::string& secret) {
    accounts::Signed request{"", "POST", "/", {}, "{}"};
    accounts::SignNow(&request, world_.clock().Now().ms / 1000, id, secret);
    const auto caller =
        authenticator_.Authenticate({request.method, request.target, request.body, "", request.headers});
    world_->Settle();  // records the use
    return caller.ok() ? "" : std::string(Describe(caller.error().type).name);
  }

  World world_{DemoConfig()};
  gateway::TableAuthenticator authenticator_{world_->node().table_keys(), world_->node().tenants(),
                                             world_.clock()};
  std::string credential_ = world_->service_key();
};

TEST_F(TableKeyRoutesTest, a_key_signs_until_it_is_revoked) {
  const HttpResponse made = Ask("POST", kKeys, R"({"name":"back end","tables":["notes"],"readOnly":true})");
  ASSERT_EQ(Verdict(made), "201");
  const std::string id = Body(made).Text("accessKeyId"), secret = Body(made).Text("secretAccessKey");
  EXPECT_EQ(id.size(), 20u);
  EXPECT_EQ(secret.size(), 40u);
  EXPECT_EQ(SignedWith(id, secret), "");

  const HttpResponse revoked = Ask("POST", kKeys + "/" + id + "/revoke");
  EXPECT_EQ(Verdict(revoked), "200");
  EXPECT_EQ(Body(revoked).Text("status"), "revoked");
  EXPECT_EQ(SignedWith(id, secret), "UnrecognizedClientException");
  EXPECT_EQ(Verdict(Ask("POST", kKeys + "/" + id + "/revoke", "{}")), "200") << "again";
}

TEST_F(TableKeyRoutesTest, the_list_shows_everything_but_the_secret) {
  const HttpResponse made = Ask("POST", kKeys, R"({"name":"back end","tables":["notes"],"readOnly":true})");
  const std::string id = Body(made).Text("accessKeyId");
  SignedWith(id, Body(made).Text("secretAccessKey"));
  const HttpResponse list = Ask("GET", kKeys);
  EXPECT_EQ(Verdict(list), "200");
  const std::string now = protocol::FormatTime(world_.clock().Now());
  EXPECT_EQ(list.body,
            R"({"items":[{"accessKeyId":")" + id +
                R"(","name":"back end","tables":["notes"],"readOnly":true,"status":"active","createdAt":")" +
                now + R"(","lastUsedAt":")" + now + R"("}],"cursor":null})");
  EXPECT_THAT(list.body, Not(HasSubstr(Body(made).Text("secretAccessKey"))));
}

TEST_F(TableKeyRoutesTest, a_key_without_options_opens_everything) {
  MakeKey();
  const Frame list = Body(Ask("GET", kKeys));
  EXPECT_EQ(list.Json("items.0.tables"), "null");
  EXPECT_FALSE(list.Bool("items.0.readOnly"));
  EXPECT_EQ(list.Text("items.0.name"), "");
  EXPECT_EQ(list.Json("items.0.lastUsedAt"), "null");
}

TEST_F(TableKeyRoutesTest, long_lists_are_paged) {
  std::set<std::string> made, seen;
  for (int i = 0; i < 7; ++i) {
    made.insert(MakeKey());
    if (i % 2 == 0) world_->Advance(1);
  }
  std::string cursor;
  for (int pages = 1;; ++pages) {
    const Frame page = Body(Ask("GET", kKeys + "?limit=3" + (cursor.empty() ? "" : "&cursor=" + cursor)));
    for (size_t i = 0; i < page.Size("items"); ++i)
      EXPECT_TRUE(seen.insert(page.Text("items." + std::to_string(i) + ".accessKeyId")).second);
    if (page.Json("cursor") == "null") {
      EXPECT_EQ(pages, 3);
      break;
    }
    cursor = page.Text("cursor");
  }
  EXPECT_EQ(seen, made);
  for (const char* query :
       {"?limit=0", "?limit=201", "?limit=x", "?limit=", "?cursor=x", "?colour=red", "?limit=%"})
    EXPECT_EQ(Verdict(Ask("GET", kKeys + query)), "400 BAD_REQUEST") << query;
  EXPECT_EQ(Verdict(Ask("GET", kKeys + "?limit=200")), "200");
}

TEST_F(TableKeyRoutesTest, malformed_requests_are_refused) {
  for (const char* body : {"[]", "{", R"({"name":1})", R"({"tables":[]})", R"({"tables":["ab"]})",
                           R"({"tables":["a b c"]})", R"({"tables":"notes"})", R"({"readOnly":"yes"})",
                           R"({"tenantId":"demo"})", R"({"secretAccessKey":"x"})"}) {
    EXPECT_EQ(Verdict(Ask("POST", kKeys, body)), "400 BAD_REQUEST") << body;
    EXPECT_EQ(Verdict(Ask("POST", kDemo, body)), "400 BAD_REQUEST") << body;
  }
  EXPECT_EQ(Verdict(Ask("POST", kKeys, "{\"name\":\"" + std::string(101, 'x') + "\"}")), "400 BAD_REQUEST");
  EXPECT_EQ(Verdict(Ask("POST", kKeys, "{}", {{"Idempotency-Key", ""}})), "400 BAD_REQUEST");
  EXPECT_EQ(Verdict(Ask("POST", kKeys + "/" + MakeKey() + "/revoke", R"({"why":"x"})")), "400 BAD_REQUEST");
  EXPECT_EQ(Body(Ask("GET", kKeys)).Size("items"), 1u);
}

TEST_F(TableKeyRoutesTest, a_repeat_creates_no_second_key) {
  const auto make = [&](const std::string& args) {
    return Ask("POST", kKeys, args, {{"Idempotency-Key", "k1"}});
  };
  const HttpResponse first = make(R"({"name":"a"})"), again = make(R"({"name":"a"})");
  EXPECT_EQ(Verdict(again), "201");
  EXPECT_EQ(Body(again).Text("accessKeyId"), Body(first).Text("accessKeyId"));
  EXPECT_FALSE(Body(again).Has("secretAccessKey"));
  EXPECT_EQ(Verdict(make(R"({"name":"b"})")), "409 IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(Body(Ask("GET", kKeys)).Size("items"), 1u);
}

TEST_F(TableKeyRoutesTest, only_the_tenants_own_back_end_manages_keys) {
  const std::string id = MakeKey();
  const auto verdicts = [&](const std::string& tenant) {
    const std::string keys = "/v1/tenants/" + tenant + "/table-keys";
    return std::vector<std::string>{Verdict(Ask("POST", keys, "{}")), Verdict(Ask("GET", keys)),
                                    Verdict(Ask("POST", keys + "/" + id + "/revoke"))};
  };
  EXPECT_THAT(verdicts("other"), testing::Each("404 NOT_FOUND"));
  EXPECT_THAT(verdicts("has%20space"), testing::Each("400 BAD_REQUEST"));
  credential_ = world_->Token("ana", "admin");
  EXPECT_THAT(verdicts("demo"), testing::Each("403 FORBIDDEN"));
  EXPECT_THAT(verdicts("other"), testing::Each("403 FORBIDDEN"));
  credential_ = "nonsense";
  EXPECT_THAT(verdicts("demo"), testing::Each("401 UNAUTHENTICATED"));
  credential_ = world_->service_key();
  EXPECT_EQ(Body(Ask("GET", kKeys)).Text("items.0.status"), "active");
}

TEST_F(TableKeyRoutesTest, an_unknown_key_cannot_be_revoked) {
  EXPECT_EQ(Verdict(Ask("POST", kKeys + "/PKTABCDEFGHIJKLMNOP7/revoke")), "404 NOT_FOUND");
  EXPECT_EQ(Verdict(Ask("POST", kKeys + "/nonsense/revoke")), "400 BAD_REQUEST");
  EXPECT_EQ(Verdict(Ask("POST", kKeys + "//revoke")), "404 NOT_FOUND");
}

TEST_F(TableKeyRoutesTest, other_methods_and_paths_are_refused) {
  for (const auto& [method, path, allow] : {std::tuple{"DELETE", kKeys, "GET, HEAD, POST"},
                                            {"GET", kKeys + "/x/revoke", "POST"},
                                            {"GET", kDemo, "POST"}}) {
    const HttpResponse response = Ask(method, path);
    EXPECT_EQ(response.status, 405) << path;
    EXPECT_THAT(response.headers, testing::Contains(testing::Pair("Allow", allow)));
  }
  for (const std::string& path :
       {kKeys + "/", kKeys + "/x", kKeys + "x", kKeys + "/revoke", kKeys + "/a/b/revoke",
        std::string("/v1/tenants/demo/"), std::string("/v1/tenants/"), kDemo + "s"})
    EXPECT_EQ(Verdict(Ask("POST", path)), "404 NOT_FOUND") << path;
}

TEST_F(TableKeyRoutesTest, a_draining_server_creates_no_keys) {
  world_->node().SetDraining();
  EXPECT_EQ(Verdict(Ask("POST", kKeys, "{}")), "503 UNAVAILABLE");
  EXPECT_EQ(Verdict(Ask("GET", kKeys)), "200");
}

TEST_F(TableKeyRoutesTest, a_demo_hands_out_keys_of_its_tenant) {
  credential_ = "nobody asks for it";
  const HttpResponse made = world_->Http("POST", kDemo, R"({"tables":["notes"]})");
  ASSERT_EQ(Verdict(made), "201");
  EXPECT_EQ(SignedWith(Body(made).Text("accessKeyId"), Body(made).Text("secretAccessKey")), "");
  credential_ = world_->service_key();
  EXPECT_EQ(Body(Ask("GET", kKeys)).Text("items.0.accessKeyId"), Body(made).Text("accessKeyId"));
}

TEST_F(TableKeyRoutesTest, without_a_demo_no_keys_are_handed_out) {
  World world{gateway::Config{}};
  EXPECT_EQ(Verdict(world->Http("POST", kDemo, "{}")), "404 NOT_FOUND");
}

}  // namespace
}  // namespace parley::gateway_test
