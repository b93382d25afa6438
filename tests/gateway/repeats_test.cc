// Idempotency-Key on every POST that creates something: a repeat gets the first answer without its secret,
// another body under the same key conflicts, and of simultaneous equal requests one creates and all get its
// answer.
#include <gmock/gmock.h>

#include "gateway/http/route.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

// A request that creates: its caller, its secret member, and two bodies.
struct Creating {
  const char* target;
  enum class Who { kOperator, kBackEnd } who;
  const char* secret;  // a member that repeats omit; empty if the answer has no secret
  std::string body, other;
};

class Repeats : public TenantScene {
 protected:
  static std::vector<Creating> All() {
    using enum Creating::Who;
    return {
        {"/v1/tenants", kOperator, "", R"({"tenantId":"bolt","name":"B"})",
         R"({"tenantId":"cask","name":"C"})"},
        {"/v1/tenants/acme/keys", kBackEnd, "secret", R"({"name":"one"})", R"({"name":"two"})"},
        {"/v1/tenants/acme/table-keys", kBackEnd, "secretAccessKey", R"({"name":"one"})",
         R"({"name":"two"})"},
        {"/v1/users", kBackEnd, "", R"({"userId":"bob"})", R"({"userId":"eve"})"},
        {"/v1/users/ann/api-keys", kBackEnd, "secret", R"({"name":"one"})", R"({"name":"two"})"},
        {"/v1/tokens", kBackEnd, "token", R"({"userId":"ann"})", R"({"userId":"bob"})"},
        {"/v1/invites", kBackEnd, "token", R"({"email":"b@x.example","level":"read"})",
         R"({"email":"c@x.example","level":"read"})"},
        {"/v1/events", kBackEnd, "", R"({"type":"one"})", R"({"type":"two"})"},
    };
  }
  std::string Credential(const Creating& call) {
    return call.who == Creating::Who::kOperator ? FakeServer::operator_key() : back_end_;
  }
  HttpResponse Post(const Creating& call, const std::string& body, const std::string& key) {
    return Send(Credential(call), "POST", call.target, body, {{"Idempotency-Key", key}});
  }
  // The answer without the members that are shown once.
  static std::string Kept(const Creating& call, const HttpResponse& answer) {
    if (*call.secret == '\0') return answer.body;
    std::string body = answer.body;
    for (const std::string& name : {std::string(call.secret), std::string("refreshToken")}) {
      const size_t at = body.find("\"" + name + "\":\"");
      if (at == std::string::npos) continue;
      const size_t end = body.find('"', at + name.size() + 4) + 1;
      const bool first = body[at - 1] == '{';
      body.erase(first ? at : at - 1, (end - at) + 1);
    }
    return body;
  }
};

TEST_F(Repeats, get_the_first_answer_without_its_secret) {
  MakeUser("ann");
  for (const Creating& call : All()) {
    const HttpResponse first = Post(call, call.body, "k1"), again = Post(call, call.body, "k1");
    EXPECT_LT(first.status, 300) << call.target << first.body;
    EXPECT_EQ(again.status, first.status) << call.target << again.body;
    EXPECT_EQ(again.body, Kept(call, first)) << call.target;
    if (*call.secret == '\0') continue;
    EXPECT_TRUE(Body(first).Has(call.secret)) << call.target;
    EXPECT_FALSE(Body(again).Has(call.secret)) << call.target;
  }
}

TEST_F(Repeats, with_another_body_conflict_and_create_nothing) {
  MakeUser("ann");
  for (const Creating& call : All()) {
    EXPECT_LT(Post(call, call.body, "k1").status, 300) << call.target;
    EXPECT_EQ(Verdict(Post(call, call.other, "k1")), "409 IDEMPOTENCY_CONFLICT") << call.target;
    EXPECT_LT(Post(call, call.other, "k2").status, 300) << call.target << ": it was not made";
  }
}

TEST_F(Repeats, of_simultaneous_requests_create_one_thing_and_all_get_it) {
  MakeUser("ann");
  for (const Creating& call : All()) {
    world_->HoldExecutor(true);
    const auto ask = [&](const std::string& body) {
      return world_->transport().Http(
          {"POST",
           call.target,
           body,
           "192.0.2.7",
           {{"Authorization", "Bearer " + Credential(call)}, {"Idempotency-Key", "at-once"}}});
    };
    const auto first = ask(call.body), second = ask(call.body), other = ask(call.other);
    world_->Settle();
    world_->HoldExecutor(false);
    world_->Settle();
    ASSERT_TRUE(first->has_value() && second->has_value() && other->has_value()) << call.target;
    EXPECT_LT((*first)->status, 300) << call.target << (*first)->body;
    EXPECT_EQ((*second)->status, (*first)->status) << call.target << (*second)->body;
    EXPECT_EQ((*second)->body, Kept(call, **first)) << call.target;
    EXPECT_EQ(Verdict(**other), "409 IDEMPOTENCY_CONFLICT") << call.target;
  }
}

TEST_F(Repeats, of_tenants_are_recognized_for_a_day_and_only_for_the_operator) {
  const std::string one = R"({"tenantId":"bolt","name":"B"})", two = R"({"tenantId":"cask","name":"C"})";
  const auto make = [&](const std::string& body) {
    return Verdict(
        Send(FakeServer::operator_key(), "POST", "/v1/tenants", body, {{"Idempotency-Key", "k1"}}));
  };
  EXPECT_EQ(make(one), "201");
  world_.Restart();
  EXPECT_EQ(make(two), "409 IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(As(FakeServer::operator_key(), "GET", "/v1/tenants/cask"), "404 NOT_FOUND");
  EXPECT_EQ(make(one), "201");
  world_->Advance(24 * 3600 * 1000 + 1000);
  EXPECT_EQ(make(two), "201");
}

}  // namespace
}  // namespace parley::gateway_test
