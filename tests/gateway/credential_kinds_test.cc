// What each kind of credential opens, and that none of them, wherever it is given, does more than it may.
#include <gmock/gmock.h>

#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using testing::IsEmpty;

class CredentialKinds : public TenantScene {
 protected:
  void SetUp() override {
    TenantScene::SetUp();
    MakeUser("ann");
  }
  // Keeps the connection, so that only the credential can end it.
  void Pass(FakeClient& client, int64_t ms) {
    for (; ms > 0; ms -= 10'000) {
      client.connection().Pong();
      world_->Advance(std::min<int64_t>(ms, 10'000));
    }
  }
};

TEST_F(CredentialKinds, a_session_is_refreshed_with_an_access_token_and_with_nothing_else) {
  const Tokens tokens = Issue("ann");
  const std::string key = MakeApiKey("ann");
  for (const std::string& opened_by : {tokens.token, key}) {
    FakeClient ann = Connect(opened_by);
    ann.TakeAll();
    const auto refresh = [&](const std::string& token) {
      return ann.Ask("session.refresh", Args({{"token", token}})).error();
    };
    EXPECT_EQ(refresh(key), "FORBIDDEN");
    EXPECT_EQ(refresh(back_end_), "FORBIDDEN");
    EXPECT_EQ(refresh(tokens.refresh), "UNAUTHENTICATED");
    EXPECT_TRUE(ann.Ask("session.ping").ok());
    EXPECT_EQ(refresh(Issue("ann").token), "");
    EXPECT_EQ(ann.close_code(), 0);
  }
}

TEST_F(CredentialKinds, a_session_of_a_key_without_an_end_has_none) {
  FakeClient ann = Connect(MakeApiKey("ann"));
  ann.TakeAll();
  Pass(ann, 3 * 24 * 3'600'000);
  EXPECT_EQ(ann.close_code(), 0);
  EXPECT_THAT(ann.TakeAll(), IsEmpty());
}

}  // namespace
}  // namespace parley::gateway_test
