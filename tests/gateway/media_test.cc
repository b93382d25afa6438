// Media types and gzip of bodies, and refusals with the complete error format.
#include <gmock/gmock.h>

#include "gateway/app/node.h"
#include "gateway/net/compression.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using gateway::GzipEffort;
using testing::Contains;
using testing::Pair;

class Media : public TenantScene {
 protected:
  HttpResponse Typed(const std::string& type, const std::string& target, const std::string& body) {
    return Send(back_end_, "POST", target, body, {{"Content-Type", type}});
  }
  HttpResponse Coded(const std::string& coding, const std::string& target, const std::string& body) {
    return Send(back_end_, "POST", target, body,
                {{"Content-Type", "application/json"}, {"Content-Encoding", coding}});
  }
  static void ExpectWhole(const HttpResponse& refusal, int status, const std::string& code) {
    EXPECT_EQ(refusal.status, status);
    const Frame body = Body(refusal);
    EXPECT_EQ(body.error(), code);
    for (const char* field : {"error.message", "error.hint", "error.corrId"})
      EXPECT_NE(body.Text(field), "") << status << field;
    EXPECT_THAT(refusal.headers, Contains(Pair("Content-Type", "application/json"))) << status;
  }
};

TEST_F(Media, bodies_are_json_under_any_json_type_or_curls_default) {
  for (const char* type :
       {"application/json", "application/json; charset=utf-8", "APPLICATION/JSON", "text/json",
        "application/cloudevents+json", "application/merge-patch+json;charset=utf-8",
        "application/x-www-form-urlencoded", ""}) {
    EXPECT_EQ(Typed(type, "/v1/users", "{}").status, 201) << type;
    EXPECT_EQ(Typed(type, "/v1/ops/thread.get", "{}").status, 400) << type << ": the args";
    EXPECT_EQ(Typed(type, "/v1/events", R"({"type":"x"})").status, 201) << type;
  }
  EXPECT_EQ(Verdict(Ask("POST", "/v1/users", "{}")), "201") << "of no type";
}

TEST_F(Media, another_type_is_refused_before_the_body_is_read_and_changes_nothing) {
  for (const char* type : {"text/plain", "application/xml", "multipart/form-data; boundary=x",
                           "application/jsonp", "+json", "application/x-amz-json-1.0", "json"}) {
    for (const char* target : {"/v1/users", "/v1/ops/inbox.list", "/v1/events", "/v1/tokens/refresh"}) {
      const HttpResponse refused = Typed(type, target, "{");
      ExpectWhole(refused, 415, "BAD_REQUEST");
      EXPECT_THAT(refused.headers, Contains(Pair("Accept-Post", "application/json")));
    }
  }
  EXPECT_EQ(Typed("text/plain", "/v1/users", "").status, 201) << "there is no body whose type it could be";
  EXPECT_EQ(Send(back_end_, "GET", "/v1/users", "", {{"Content-Type", "text/plain"}}).status, 200);
}

TEST_F(Media, gzip_is_accepted_and_no_other_coding) {
  const std::string user = Args({{"userId", "gus"}, {"displayName", std::string(1000, 'n').substr(0, 60)}});
  const std::string text = user + std::string(2000, ' ');
  const std::string packed = *gateway::Gzip(text, GzipEffort::kUsual);
  EXPECT_EQ(Verdict(Coded("gzip", "/v1/users", packed)), "201");
  EXPECT_EQ(Verdict(Ask("GET", "/v1/users/gus")), "200");
  EXPECT_EQ(Verdict(Coded("identity", "/v1/users", R"({"userId":"ida"})")), "201");
  for (const char* coding : {"br", "deflate", "zstd", "gzip, gzip", "gzip, br"}) {
    const HttpResponse refused = Coded(coding, "/v1/users", packed);
    ExpectWhole(refused, 415, "BAD_REQUEST");
    EXPECT_THAT(refused.headers, Contains(Pair("Accept-Encoding", "gzip"))) << coding;
  }
  ExpectWhole(Coded("gzip", "/v1/users", "{}"), 400, "BAD_REQUEST");
  ExpectWhole(Coded("gzip", "/v1/users", packed.substr(0, packed.size() - 1)), 400, "BAD_REQUEST");
}

TEST_F(Media, an_unpacked_body_has_the_same_bound) {
  const std::string bomb = *gateway::Gzip(std::string(10 << 20, ' '), GzipEffort::kBest);
  for (const char* target : {"/v1/users", "/v1/ops/inbox.list", "/v1/events"})
    ExpectWhole(Coded("gzip", target, bomb), 413, "TOO_LARGE");
}

TEST_F(Media, a_repeat_is_recognized_packed_or_not) {
  const std::string body = R"({"userId":"rep"})" + std::string(2000, ' ');
  const auto post = [&](const std::string& bytes, FakeServer::Headers headers) {
    headers.emplace_back("Idempotency-Key", "k1");
    return Send(back_end_, "POST", "/v1/users", bytes, std::move(headers));
  };
  EXPECT_EQ(Verdict(post(body, {})), "201");
  EXPECT_EQ(Verdict(post(*gateway::Gzip(body, GzipEffort::kQuick), {{"Content-Encoding", "gzip"}})), "201");
}

TEST_F(Media, refusals_of_methods_and_of_a_missing_upgrade_are_complete_errors) {
  for (const auto& [method, target, allow] : {std::tuple{"GET", "/v1/ops/inbox.list", "POST"},
                                              {"PUT", "/v1/ops/inbox.list", "POST"},
                                              {"GET", "/v1/dynamodb", "POST"},
                                              {"DELETE", "/v1/users", "GET, HEAD, POST"},
                                              {"PATCH", "/healthz", "GET, HEAD"}}) {
    const HttpResponse refused = Send(back_end_, method, target);
    ExpectWhole(refused, 405, "BAD_REQUEST");
    EXPECT_THAT(refused.headers, Contains(Pair("Allow", allow))) << target;
  }
  const HttpResponse plain = Send(back_end_, "GET", "/v1/ws");
  ExpectWhole(plain, 426, "BAD_REQUEST");
  EXPECT_THAT(plain.headers, Contains(Pair("Sec-WebSocket-Version", "13")));
  EXPECT_THAT(plain.headers, Contains(Pair("Upgrade", "websocket")));
  ExpectWhole(Send(back_end_, "GET", "/v1/nowhere"), 404, "NOT_FOUND");
}

TEST_F(Media, refusals_of_upgrades_are_complete_errors) {
  const auto refused = [&](const std::string& target, const std::vector<std::string>& offered,
                           FakeServer::Headers headers, bool admin = false) {
    gateway::HttpRequest request{"GET", target, "", "192.0.2.7", std::move(headers)};
    request.admin = admin;
    return world_->transport().Connect(request, offered).refusal;
  };
  ExpectWhole(refused("/v1/ws", {"chat"}, {}), 400, "BAD_REQUEST");
  ExpectWhole(refused("/v1/ws", {}, {{"Authorization", "Bearer no"}}), 401, "UNAUTHENTICATED");
  ExpectWhole(refused("/v1/ws", {}, {{"Origin", "https://evil.example"}}), 403, "FORBIDDEN");
  ExpectWhole(refused("/elsewhere", {}, {}), 404, "NOT_FOUND");
  ExpectWhole(refused("/v1/ws", {}, {}, true), 404, "NOT_FOUND");
  world_->node().SetDraining();
  ExpectWhole(refused("/v1/ws", {}, {}), 503, "UNAVAILABLE");
}

TEST_F(Media, without_a_demo_its_paths_answer_404_to_any_body) {
  for (const char* target : {"/v1/demo/token", "/v1/demo/table-key"}) {
    for (const char* body : {"", "{}", "{", "[]", R"({"userId":"ann"})", R"({"userId":7})"})
      ExpectWhole(Send("", "POST", target, body), 404, "NOT_FOUND");
    for (const char* method : {"GET", "PUT", "DELETE", "OPTIONS"})
      ExpectWhole(Send("", method, target), 404, "NOT_FOUND");
    ExpectWhole(Send("", "POST", target, "x", {{"Content-Type", "text/plain"}}), 404, "NOT_FOUND");
  }
}

}  // namespace
}  // namespace parley::gateway_test
