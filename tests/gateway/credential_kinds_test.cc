// Each kind of credential opens only what it is meant for, in every place that accepts one.
#include <gmock/gmock.h>

#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CredentialKinds : public TenantScene {
 protected:
  void SetUp() override {
    TenantScene::SetUp();
    MakeUser("ann");
  }
  std::string KeyUntil(int64_t ms_from_now) {
    const protocol::Time end{world_.clock().Now().ms + ms_from_now};
    return Secret(back_end_, "/v1/users/ann/api-keys", Args({{"expiresAt", protocol::FormatTime(end)}}));
  }
  // Keeps the connection, so that only the credential can end it.
  void Pass(FakeClient& client, int64_t ms) {
    for (; ms > 0; ms -= 10'000) {
      client.connection().Pong();
      world_->Advance(std::min<int64_t>(ms, 10'000));
    }
  }
};

TEST_F(CredentialKinds, a_session_is_refreshed_only_with_an_access_token) {
  const Tokens tokens = Issue("ann");
  const std::string endless = MakeApiKey("ann"), ending = KeyUntil(3'600'000);
  for (const std::string& opened_by : {tokens.token, endless, ending}) {
    FakeClient ann = Connect(opened_by);
    ann.TakeAll();
    const auto refresh = [&](const std::string& token) {
      return ann.Ask("session.refresh", Args({{"token", token}})).error();
    };
    EXPECT_EQ(refresh(endless), "FORBIDDEN");
    EXPECT_EQ(refresh(ending), "FORBIDDEN");
    EXPECT_EQ(refresh(back_end_), "FORBIDDEN");
    EXPECT_EQ(refresh(FakeServer::operator_key()), "UNAUTHENTICATED") << "it names no tenant";
    EXPECT_EQ(refresh(tokens.refresh), "UNAUTHENTICATED");
    EXPECT_TRUE(ann.Ask("session.ping").ok());
    EXPECT_EQ(refresh(Issue("ann").token), "");
    EXPECT_EQ(ann.close_code(), 0);
  }
}

TEST_F(CredentialKinds, a_session_ends_with_the_key_that_opened_it) {
  FakeClient ann = Connect(KeyUntil(120'000));
  ann.TakeAll();
  Pass(ann, 60'000);
  EXPECT_THAT(Lines(ann.TakeAll()), ElementsAre("session.expiring"));
  Pass(ann, 59'999);
  EXPECT_EQ(ann.close_code(), 0);
  Pass(ann, 1);
  EXPECT_EQ(ann.close_code(), 4401);
}

TEST_F(CredentialKinds, a_session_of_a_key_without_expiry_does_not_expire) {
  FakeClient ann = Connect(MakeApiKey("ann"));
  ann.TakeAll();
  Pass(ann, 3 * 24 * 3'600'000);
  EXPECT_EQ(ann.close_code(), 0);
  EXPECT_THAT(ann.TakeAll(), IsEmpty());
}

}  // namespace
}  // namespace parley::gateway_test
