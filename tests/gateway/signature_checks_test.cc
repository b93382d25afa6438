// Checks of tokens against a public key: off the loop, once for each token, and charged to the address that
// sends bad ones.
#include <gmock/gmock.h>

#include "gateway/app/node.h"
#include "tests/accounts/key_pair.h"
#include "tests/gateway/log_capture.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using accounts::JwtAlg;
using accounts::KeyPair;

class SignatureChecks : public TenantScene {
 protected:
  void SetUp() override {
    TenantScene::SetUp();
    PutKey("k", pair_);
  }
  void PutKey(const std::string& kid, const KeyPair& pair) {
    EXPECT_EQ(Verdict(Ask("PUT", "/v1/tenants/acme/signing-keys/" + kid,
                          Args({{"alg", "EdDSA"}, {"publicKey", pair.PublicPem()}}))),
              "200");
  }
  std::string TokenOf(const KeyPair& pair, const std::string& user, const std::string& kid = "k") {
    const int64_t now_s = world_.clock().Now().ms / 1000;
    const std::string header = kid.empty() ? R"({"alg":"EdDSA"})" : R"({"alg":"EdDSA","kid":")" + kid + "\"}";
    return pair.Token(header, Args({{"sub", user}, {"tid", "acme"}, {"iat", now_s}, {"exp", now_s + 600}}));
  }
  auto Begin(const std::string& token) {
    return world_->transport().Http(
        {"POST", "/v1/ops/inbox.list", "{}", "192.0.2.7", {{"Authorization", "Bearer " + token}}});
  }
  size_t Waiting() { return world_->node().signature_check_pool().waiting(); }

  const KeyPair pair_{JwtAlg::kEdDsa};
  const KeyPair other_{JwtAlg::kEdDsa};
};

TEST_F(SignatureChecks, run_off_the_loop_and_once_for_each_token) {
  world_->HoldProofs(true);
  const std::string token = TokenOf(pair_, "ann");
  const auto first = Begin(token);
  world_->Settle();
  EXPECT_FALSE(first->has_value()) << "the loop does not make it";
  EXPECT_EQ(Waiting(), 1u);
  EXPECT_EQ(Verdict(Ask("GET", "/v1/users")), "200") << "nor does anybody wait for it";
  world_->HoldProofs(false);
  world_->Settle();
  EXPECT_EQ(Verdict(**first), "200");
  world_->HoldProofs(true);
  EXPECT_EQ(Opens(token), "200") << "it is known";
  FakeClient session = world_->Connect();
  EXPECT_TRUE(session.Hello(token).ok());
  EXPECT_EQ(Waiting(), 0u);
  Begin(TokenOf(pair_, "bob"));
  EXPECT_EQ(Waiting(), 1u) << "another token";
}

TEST_F(SignatureChecks, are_forgotten_with_their_key) {
  const std::string token = TokenOf(pair_, "ann");
  EXPECT_EQ(Opens(token), "200");
  PutKey("k", other_);
  EXPECT_EQ(Opens(token), "401 UNAUTHENTICATED");
  EXPECT_EQ(Opens(TokenOf(other_, "ann")), "200");
  EXPECT_EQ(Verdict(Ask("DELETE", "/v1/tenants/acme/signing-keys/k")), "204");
  EXPECT_EQ(Opens(TokenOf(other_, "ann")), "401 UNAUTHENTICATED");
}

TEST_F(SignatureChecks, are_skipped_if_no_key_matches) {
  world_->HoldProofs(true);
  EXPECT_EQ(Opens(TokenOf(other_, "ann", "gone")), "401 UNAUTHENTICATED");
  EXPECT_EQ(Waiting(), 0u);
  world_->HoldProofs(false);
  EXPECT_EQ(Opens(TokenOf(pair_, "ann", "")), "200") << "the only key of its algorithm";
  PutKey("k2", other_);
  world_->HoldProofs(true);
  EXPECT_EQ(Opens(TokenOf(pair_, "bob", "")), "401 UNAUTHENTICATED") << "which of the two is not said";
  EXPECT_EQ(Waiting(), 0u);
}

TEST_F(SignatureChecks, that_fail_are_charged_to_their_address_in_advance) {
  world_->HoldProofs(true);
  const std::string bad = TokenOf(other_, "ann"), good = TokenOf(pair_, "ann");
  std::vector<decltype(Begin(bad))> answers;
  for (int i = 0; i < 310; ++i) answers.push_back(Begin(bad));
  world_->Settle();
  EXPECT_EQ(Waiting(), 300u) << "not one more, though none has failed yet";
  EXPECT_EQ(Verdict(**answers.back()), "429 RATE_LIMITED");
  world_->HoldProofs(false);
  world_->Settle();
  EXPECT_EQ(Verdict(**answers.front()), "401 UNAUTHENTICATED");
  EXPECT_EQ(Opens(good), "429 RATE_LIMITED") << "no credential from there is looked at";
  world_->Advance(60'000);
  EXPECT_EQ(Opens(good), "200");
}

TEST_F(SignatureChecks, of_good_tokens_are_not_charged) {
  for (int i = 0; i < 400; ++i) ASSERT_EQ(Opens(TokenOf(pair_, "user-" + std::to_string(i))), "200") << i;
}

// --- refused origins

TEST_F(SignatureChecks, a_refused_origin_is_logged_with_the_allowed_ones) {
  ASSERT_EQ(Verdict(Ask(
                "PATCH", "/v1/tenants/acme",
                R"({"version":2,"settings":{"allowedOrigins":["https://a.example","https://b.example"]}})")),
            "200");
  const FakeServer::Headers evil = {{"Origin", "https://evil.example"}, {"Host", "chat.example"}};
  const Tokens ann = Issue("ann");
  LogCapture log;
  EXPECT_EQ(world_->transport().Connect({"GET", "/v1/ws", "", "192.0.2.7", evil}, {}).refusal.status, 403);
  EXPECT_EQ(Send(ann.token, "POST", "/v1/ops/inbox.list", "{}", evil).status, 403);
  const std::string text = log.Take();
  const std::string line =
      "info gateway a page's origin is not allowed origin=https://evil.example "
      "allowed=\"https://a.example https://b.example\"\n";
  const size_t first = text.find(line);
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_NE(text.find(line, first + 1), std::string::npos) << "of the upgrade, and of the call: " << text;
}

}  // namespace
}  // namespace parley::gateway_test
