// CORS: pages of other origins, and HEAD and OPTIONS of each kind of route.
#include <gmock/gmock.h>

#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kAllowedHeaders =
    "Authorization, Content-Type, Idempotency-Key, Parley-User, Tus-Resumable, Upload-Checksum, "
    "Upload-Length, "
    "Upload-Metadata, Upload-Offset";
constexpr char kAcmePage[] = "https://app.acme.example";
constexpr char kOtherPage[] = "https://app.other.example";

std::vector<std::string> Values(const HttpResponse& response, const std::string& name) {
  std::vector<std::string> out;
  for (const auto& [known, value] : response.headers) {
    if (known == name) out.push_back(value);
  }
  return out;
}
std::string Value(const HttpResponse& response, const std::string& name) {
  const auto all = Values(response, name);
  return all.empty() ? "-" : all.front();
}
// Returns "200", "403", or "200 read" if the page may read the answer.
std::string Reported(const HttpResponse& response, const std::string& origin) {
  EXPECT_THAT(Values(response, "Vary"), ElementsAre("Origin")) << "caches must tell pages apart";
  EXPECT_THAT(Values(response, "Access-Control-Allow-Credentials"), IsEmpty()) << "there are no cookies";
  const std::string reader = Value(response, "Access-Control-Allow-Origin");
  EXPECT_TRUE(reader == "-" || reader == origin) << reader;
  return std::to_string(response.status) + (reader == "-" ? "" : " read");
}

class Cors : public TenantScene {
 protected:
  void SetUp() override {
    TenantScene::SetUp();
    Allow("acme", 2, kAcmePage);
    EXPECT_EQ(As(FakeServer::operator_key(), "POST", "/v1/tenants", R"({"tenantId":"other","name":"O"})"),
              "201");
    Allow("other", 1, kOtherPage);
    token_ = Issue("ann").token;
  }
  void Allow(const std::string& tenant, int version, const std::string& origin) {
    EXPECT_EQ(AllowAnswer(tenant, version, origin), "200");
  }
  std::string AllowAnswer(const std::string& tenant, int version, const std::string& origin) {
    return As(FakeServer::operator_key(), "PATCH", "/v1/tenants/" + tenant,
              R"({"version":)" + std::to_string(version) + R"(,"settings":{"allowedOrigins":[")" + origin +
                  R"("]}})");
  }
  HttpResponse From(const std::string& origin, const std::string& credential, const std::string& method,
                    const std::string& target, const std::string& body = "") {
    FakeServer::Headers headers;
    if (!origin.empty()) headers.emplace_back("Origin", origin);
    return Send(credential, method, target, body, std::move(headers));
  }
  // Asks an op as a user of acme from a page.
  std::string OpFrom(const std::string& origin) {
    return Reported(From(origin, token_, "POST", "/v1/ops/inbox.list", "{}"), origin);
  }
  HttpResponse Preflight(const std::string& origin, const std::string& target, const std::string& method,
                         const std::string& headers = "authorization, content-type") {
    return world_->Http("OPTIONS", target, "",
                        {{"Origin", origin},
                         {"Access-Control-Request-Method", method},
                         {"Access-Control-Request-Headers", headers}});
  }

  std::string token_;
};

TEST_F(Cors, only_pages_of_the_tenants_own_origins_read_answers) {
  EXPECT_EQ(OpFrom(kAcmePage), "200 read");
  for (const char* foreign :
       {kOtherPage, "https://evil.example", "http://app.acme.example", "null", "*",
        "https://app.acme.example:8443", "https://app.acme.example.evil", "https://APP.acme.example"})
    EXPECT_EQ(OpFrom(foreign), "403") << foreign;
  EXPECT_EQ(OpFrom(""), "200") << "a program";
  EXPECT_EQ(OpFrom("http://localhost:8080"), "200") << "the server's own page";
}

TEST_F(Cors, every_kind_of_route_checks_the_origin) {
  for (const auto& [method, target, body, mine, others] :
       {std::tuple{"GET", "/healthz", "", "200 read", "200 read"},
        {"GET", "/v1/openapi.json", "", "200 read", "200 read"},
        {"GET", "/v1/asyncapi.json", "", "200 read", "200 read"},
        {"GET", "/v1/users/ann", "", "404 read", "403"},
        {"POST", "/v1/ops/inbox.list", "{}", "200 read", "403"},
        {"POST", "/v1/tokens", "{}", "403 read", "403"}}) {
    EXPECT_EQ(Reported(From(kAcmePage, token_, method, target, body), kAcmePage), mine) << target;
    EXPECT_EQ(Reported(From(kOtherPage, token_, method, target, body), kOtherPage), others) << target;
    const std::string evil = Reported(From("https://evil.example", token_, method, target, body), "");
    EXPECT_EQ(evil, std::string(others).substr(0, 3)) << target;
  }
  const auto refresh = [&](const std::string& origin) {
    const std::string args = Args({{"refreshToken", Issue("ann").refresh}});
    return Reported(From(origin, "", "POST", "/v1/tokens/refresh", args), origin);
  };
  EXPECT_EQ(refresh(kAcmePage), "200 read");
  EXPECT_EQ(refresh(kOtherPage), "403");
}

TEST_F(Cors, pages_read_errors_except_the_refusal_of_their_origin) {
  const auto reported = [&](const std::string& credential, const char* method, const char* target,
                            const std::string& body = "") {
    return Reported(From(kAcmePage, credential, method, target, body), kAcmePage);
  };
  EXPECT_EQ(reported("", "POST", "/v1/ops/inbox.list", "{}"), "401 read");
  EXPECT_EQ(reported("ptk_x", "POST", "/v1/ops/inbox.list", "{}"), "401 read");
  EXPECT_EQ(reported(token_, "POST", "/v1/ops/inbox.list", "[]"), "400 read");
  EXPECT_EQ(reported(token_, "POST", "/v1/ops/none"), "400 read");
  EXPECT_EQ(reported(token_, "GET", "/v1/tenants"), "403 read")
      << "for others to call, and that may be known";
  EXPECT_EQ(reported(token_, "GET", "/v1/nowhere"), "404 read");
  EXPECT_EQ(reported(token_, "PUT", "/v1/users"), "405 read");
  const HttpResponse answer = From(kAcmePage, token_, "POST", "/v1/ops/inbox.list", "{}");
  EXPECT_EQ(Value(answer, "Access-Control-Expose-Headers"),
            "Location, Retry-After, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, "
            "Tus-Version, Upload-Expires, Upload-Length, Upload-Offset, X-RateLimit-Limit, "
            "X-RateLimit-Remaining, X-RateLimit-Reset");
}

TEST_F(Cors, an_origin_must_match_in_full) {
  for (const char* origin : {"*", "null", "https://*.acme.example", "app.acme.example", "https://a.example/",
                             "https://", "file://", ""})
    EXPECT_EQ(AllowAnswer("acme", 3, origin), "400 BAD_REQUEST") << origin;
}

TEST_F(Cors, a_preflight_is_answered_for_the_origins_of_all_tenants) {
  for (const char* page : {kAcmePage, kOtherPage}) {
    const HttpResponse answer = Preflight(page, "/v1/users/ann", "PATCH");
    EXPECT_EQ(Reported(answer, page), "204 read") << "it names no tenant";
    EXPECT_EQ(Value(answer, "Access-Control-Allow-Methods"), "GET, HEAD, PATCH, DELETE");
    EXPECT_EQ(Value(answer, "Access-Control-Allow-Headers"), kAllowedHeaders);
    EXPECT_EQ(Value(answer, "Access-Control-Max-Age"), "600");
  }
  for (const char* foreign : {"https://evil.example", "null", "*", "http://localhost:8080"}) {
    const HttpResponse answer = Preflight(foreign, "/v1/users/ann", "PATCH");
    EXPECT_EQ(Reported(answer, foreign), "204") << foreign;
    EXPECT_EQ(Value(answer, "Access-Control-Allow-Methods"), "-") << foreign;
    EXPECT_EQ(Value(answer, "Access-Control-Allow-Headers"), "-") << foreign;
  }
}

// The browser compares the lists and does not send a request that they do not allow.
TEST_F(Cors, a_preflight_does_not_echo_the_requested_method_and_headers) {
  const HttpResponse answer = Preflight(kAcmePage, "/v1/ops/inbox.list", "DELETE", "x-amz-target, cookie");
  EXPECT_EQ(Value(answer, "Access-Control-Allow-Methods"), "POST");
  EXPECT_EQ(Value(answer, "Access-Control-Allow-Headers"), kAllowedHeaders);
}

TEST_F(Cors, an_origin_that_is_removed_is_foreign_from_the_next_request_on) {
  Allow("acme", 3, "https://new.acme.example");
  EXPECT_EQ(OpFrom(kAcmePage), "403");
  EXPECT_EQ(Reported(Preflight(kAcmePage, "/v1/users", "GET"), kAcmePage), "204");
  EXPECT_EQ(OpFrom("https://new.acme.example"), "200 read");
}

// --- HEAD and OPTIONS

TEST_F(Cors, options_list_the_methods_of_each_kind_of_path) {
  for (const auto& [target, methods] : {std::pair{"/healthz", "GET, HEAD, OPTIONS"},
                                        {"/readyz", "GET, HEAD, OPTIONS"},
                                        {"/metrics", "GET, HEAD, OPTIONS"},
                                        {"/v1/openapi.json", "GET, HEAD, OPTIONS"},
                                        {"/v1/asyncapi.json", "GET, HEAD, OPTIONS"},
                                        {"/v1/ws", "GET, HEAD, OPTIONS"},
                                        {"/v1/dynamodb", "POST, OPTIONS"},
                                        {"/", "GET, HEAD, POST, OPTIONS"},
                                        {"/style.css", "GET, HEAD, OPTIONS"},
                                        {"/v1/ops/message.send", "POST, OPTIONS"},
                                        {"/v1/tokens", "POST, OPTIONS"},
                                        {"/v1/users", "GET, HEAD, POST, OPTIONS"},
                                        {"/v1/permissions", "GET, HEAD, PUT, DELETE, OPTIONS"}}) {
    const HttpResponse answer = world_->Http("OPTIONS", target);
    EXPECT_EQ(answer.status, 204) << target;
    EXPECT_EQ(Value(answer, "Allow"), methods) << target;
    EXPECT_EQ(answer.body, "");
  }
}

TEST_F(Cors, head_is_answered_like_get) {
  MakeUser("ann");
  for (const char* target :
       {"/healthz", "/readyz", "/metrics", "/v1/openapi.json", "/v1/asyncapi.json", "/v1/users",
        "/v1/users/ann", "/v1/users/none", "/v1/nowhere", "/v1/events?limit=0"}) {
    const HttpResponse head = Send(back_end_, "HEAD", target), get = Send(back_end_, "GET", target);
    EXPECT_EQ(head.status, get.status) << target;
    EXPECT_EQ(Value(head, "Content-Type"), Value(get, "Content-Type")) << target;
  }
  for (const char* target : {"/v1/tokens", "/v1/ops/inbox.list", "/v1/dynamodb"}) {
    const HttpResponse head = Send(back_end_, "HEAD", target);
    EXPECT_EQ(head.status, 405) << target;
    EXPECT_EQ(Value(head, "Allow"), "POST") << target;
  }
}

}  // namespace
}  // namespace parley::gateway_test
