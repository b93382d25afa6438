// Limits as clients experience them: refusals, their codes, and clients that are unaffected.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accounts/tenants/demo.h"
#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

class LimitsTest : public testing::Test {
 protected:
  explicit LimitsTest(const gateway::Config& config = LimitedDemoConfig()) : world_(config) {}
  // "ok", or the error with its time to wait.
  static std::string Outcome(const Frame& reply) {
    if (reply.ok()) return "ok";
    const bool waits = reply.error() == "RATE_LIMITED";
    return reply.error() + (waits ? " " + std::to_string(reply.Int("error.retryAfterMs")) : "");
  }
  std::string Send(FakeClient& client, const std::string& thread, const std::string& id) {
    return Outcome(client.Ask(
        "message.send", Args({{"threadId", thread}, {"clientId", id}, {"type", "text"}, {"body", "x"}})));
  }
  // Calls `one` until it is refused; returns how often it succeeded.
  int Row(const std::function<std::string()>& one, int most = 300) {
    int out = 0;
    while (out < most && one() == "ok") ++out;
    return out;
  }
  int Pings(FakeClient& client) {
    return Row([&] { return Outcome(client.Ask("session.ping")); });
  }
  void Set(const std::string& settings) {
    accounts::TenantDirectory& tenants = world_->node().tenants();
    auto tenant = std::make_shared<accounts::Tenant>(*tenants.Find(accounts::kDemoTenant));
    auto read = accounts::ParseSettings(settings);
    ASSERT_TRUE(read.ok()) << settings;
    tenant->settings = *std::move(read);
    tenants.Publish(std::move(tenant), ++changes_);
  }
  std::string Group(FakeClient& client, const std::string& id) {
    return Outcome(client.Ask("thread.create", Args({{"kind", "group"}, {"clientId", id}})));
  }

  World world_;
  uint64_t changes_ = 1000;
};

// --- requests

TEST_F(LimitsTest, a_user_may_make_20_requests_at_once_and_then_20_a_second) {
  FakeClient anna = world_->Join("usr_anna");
  EXPECT_EQ(Pings(anna), 20);
  EXPECT_EQ(Outcome(anna.Ask("session.ping")), "RATE_LIMITED 50");
  EXPECT_EQ(Outcome(anna.Ask("inbox.counts")), "RATE_LIMITED 50");
  FakeClient again = world_->Join("usr_anna");
  EXPECT_EQ(Pings(again), 0) << "a session more is not a request more";
  FakeClient bob = world_->Join("usr_bob");
  EXPECT_EQ(Pings(bob), 20);
  world_->Advance(49);
  EXPECT_EQ(Pings(anna), 0);
  world_->Advance(1);
  EXPECT_EQ(Pings(anna), 1);
}

TEST_F(LimitsTest, catch_up_is_never_charged) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = world_.NewThread(anna, "usr_anna", "usr_bob");
  Pings(anna);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(Outcome(anna.Ask("thread.changes", Args({{"threadId", thread}, {"afterSeq", 0}}))), "ok");
    ASSERT_EQ(Outcome(anna.Ask("message.list", Args({{"threadId", thread}}))), "ok");
    ASSERT_EQ(Outcome(anna.Ask("thread.open", Args({{"threadId", thread}}))), "ok");
  }
  for (int i = 0; i < 50; ++i) {
    FakeClient session = world_->Connect();
    ASSERT_TRUE(
        session
            .Hello(world_->Token("usr_anna"), R"("resume":{"epoch":"x","threads":{")" + thread + R"(":0}})")
            .ok());
    session.connection().HangUp();
    world_->Settle();
  }
}

TEST_F(LimitsTest, malformed_requests_are_refused_before_any_limit) {
  FakeClient anna = world_->Join("usr_anna");
  Pings(anna);
  EXPECT_EQ(Outcome(anna.Ask("thread.get", Args({{"threadId", "x"}}))), "BAD_REQUEST");
  EXPECT_EQ(Outcome(anna.Ask("thread.destroy")), "UNKNOWN_OP");
}

TEST_F(LimitsTest, a_repeat_is_answered_before_any_limit) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = world_.NewThread(anna, "usr_anna", "usr_bob");
  EXPECT_EQ(Group(anna, "g"), "ok");
  EXPECT_EQ(Send(anna, thread, "m1"), "ok");
  Pings(anna);
  EXPECT_EQ(Send(anna, thread, "m1"), "ok");
  EXPECT_EQ(Group(anna, "g"), "ok");
  EXPECT_EQ(Send(anna, thread, "m2"), "RATE_LIMITED 50");
  EXPECT_EQ(Group(anna, "h"), "RATE_LIMITED 50");
  world_->Advance(1000);
  EXPECT_EQ(anna.Ask("message.list", Args({{"threadId", thread}})).Size("ok.messages"), 1u);
}

TEST_F(LimitsTest, a_client_that_ignores_refusals_is_closed) {
  FakeClient anna = world_->Join("usr_anna");
  EXPECT_EQ(Pings(anna), 20);
  for (int i = 0; i < 200; ++i) ASSERT_EQ(Outcome(anna.Ask("session.ping")), "RATE_LIMITED 50") << i;
  EXPECT_EQ(anna.close_code(), 0);
  EXPECT_EQ(Outcome(anna.Ask("session.ping")), "RATE_LIMITED 50") << "the last is answered, too";
  EXPECT_EQ(anna.close_code(), 4429);
}

TEST_F(LimitsTest, a_client_that_waits_as_asked_is_never_closed) {
  FakeClient anna = world_->Join("usr_anna");
  for (int i = 0; i < 600; ++i) {
    const Frame reply = anna.Ask("session.ping");
    if (!reply.ok()) world_->Advance(reply.Int("error.retryAfterMs"));
  }
  EXPECT_EQ(anna.close_code(), 0);
}

// --- messages

TEST_F(LimitsTest, the_41st_message_to_one_user_is_refused_while_another_conversation_works) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  const std::string thread = world_.NewThread(anna, "usr_anna", "usr_bob");
  const std::string other = world_.NewThread(anna, "usr_anna", "usr_carla");
  int sent = 0;
  EXPECT_EQ(Row([&] { return Send(anna, thread, "m" + std::to_string(sent++)); }), 40);
  EXPECT_EQ(Send(anna, thread, "again"), "RATE_LIMITED 3000");
  EXPECT_EQ(Send(anna, other, "m"), "ok");
  EXPECT_EQ(Send(bob, thread, "m"), "ok");
  world_->Advance(2999);
  EXPECT_EQ(Send(anna, thread, "again"), "RATE_LIMITED 1");
  world_->Advance(1);
  EXPECT_EQ(Send(anna, thread, "again"), "ok");
}

TEST_F(LimitsTest, failed_sends_count_as_requests) {
  FakeClient anna = world_->Join("usr_anna");
  FakeClient bob = world_->Join("usr_bob");
  const std::string thread = world_.NewThread(bob, "usr_bob", "usr_carla");
  for (int i = 0; i < 20; ++i) ASSERT_EQ(Send(anna, thread, "m"), "THREAD_NOT_MEMBER");
  EXPECT_EQ(Outcome(anna.Ask("session.ping")), "RATE_LIMITED 50");
}

TEST_F(LimitsTest, the_61st_message_of_a_user_is_refused_in_any_thread) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string one = world_.NewThread(anna, "usr_anna", "usr_bob");
  const std::string other = world_.NewThread(anna, "usr_anna", "usr_carla");
  int sent = 0;
  const auto send = [&] { return Send(anna, sent % 2 ? one : other, "m" + std::to_string(sent)); };
  EXPECT_EQ(Row([&] { return ++sent, send(); }), 60);
  EXPECT_EQ(send(), "RATE_LIMITED 1000");
}

TEST_F(LimitsTest, bots_of_a_tenant_share_a_daily_limit_across_a_restart) {
  const std::string few = R"({"limits":{"messagesPerDay":3}})";
  Set(few);
  std::string thread;
  {
    FakeClient anna = world_->Join("usr_anna"), bot = world_->Connect();
    ASSERT_TRUE(bot.Hello(world_->Token("bot_1", "bot")).ok());
    thread = world_.NewThread(anna, "usr_anna", "bot_1");
    int sent = 0;
    EXPECT_EQ(Row([&] { return Send(bot, thread, "m" + std::to_string(sent++)); }), 3);
    EXPECT_EQ(Send(anna, thread, "m"), "ok") << "people are no bots";
  }
  world_.Restart();
  Set(few);
  FakeClient bot = world_->Connect();
  ASSERT_TRUE(bot.Hello(world_->Token("bot_1", "bot")).ok());
  EXPECT_THAT(Send(bot, thread, "more"), testing::StartsWith("RATE_LIMITED"));
  EXPECT_EQ(Send(bot, thread, "m0"), "ok") << "a repeat";
  Set(R"({"messagesPerDay":4})");
  EXPECT_EQ(Send(bot, thread, "more"), "ok") << "its older name counts where limits say nothing";
  EXPECT_THAT(Send(bot, thread, "yet more"), testing::StartsWith("RATE_LIMITED"));
}

// --- settings of a tenant

TEST_F(LimitsTest, a_tenants_limits_apply_from_the_next_request_on) {
  FakeClient anna = world_->Join("usr_anna");
  EXPECT_EQ(Pings(anna), 20);
  Set(R"({"limits":{"requestsPerSecond":5}})");
  FakeClient bob = world_->Join("usr_bob");
  EXPECT_EQ(Pings(bob), 5);
  Set(R"({"limits":{"enabled":false}})");
  EXPECT_EQ(Outcome(anna.Ask("session.ping")), "ok");
}

// --- starts

TEST_F(LimitsTest, a_new_user_may_start_3_threads_an_hour_across_a_restart) {
  {
    FakeClient anna = world_->Join("usr_anna");
    for (const char* id : {"a", "b", "c"}) EXPECT_EQ(Group(anna, id), "ok");
    EXPECT_THAT(Group(anna, "d"), testing::StartsWith("RATE_LIMITED"));
    EXPECT_EQ(Group(anna, "c"), "ok") << "a repeat";
  }
  world_.Restart();
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob");
  EXPECT_THAT(Group(anna, "d"), testing::StartsWith("RATE_LIMITED"));
  EXPECT_EQ(Group(bob, "d"), "ok");
  world_.clock().Advance(3600 * 1000);
  FakeClient later = world_->Join("usr_anna");
  EXPECT_EQ(Group(later, "d"), "ok");
}

TEST_F(LimitsTest, adding_strangers_is_a_start_and_adding_colleagues_is_not) {
  FakeClient anna = world_->Join("usr_anna");
  world_.NewThread(anna, "usr_anna", "usr_dora");  // not a booking: she created it herself
  const std::string booking =
      Args({{"kind", "project"},
            {"buyerUserId", "usr_anna"},
            {"sellerUserId", "usr_bob"},
            {"participants", JsonArg::Raw("[" + Args({{"userId", "usr_carla"}}) + "]")}});
  const auto booked = world_->Http("POST", "/v1/ops/thread.create", booking,
                                   {{"Authorization", "Bearer " + world_->service_key()}});
  ASSERT_EQ(booked.status, 200) << booked.body;
  const Frame group = anna.Ask("thread.create", Args({{"kind", "group"}, {"clientId", "g"}}));
  const std::string thread = group.Text("ok.thread.threadId");
  const auto add = [&](const char* user) {
    return Outcome(anna.Ask("participant.add", Args({{"threadId", thread}, {"userId", user}})));
  };
  EXPECT_EQ(add("usr_bob"), "ok");
  EXPECT_EQ(add("usr_carla"), "ok");
  EXPECT_EQ(add("usr_dora"), "ok");
  EXPECT_THAT(add("usr_emil"), testing::StartsWith("RATE_LIMITED"));
  EXPECT_EQ(add("usr_dora"), "ok") << "is there already";
}

// --- credentials

class GuessesTest : public LimitsTest {
 protected:
  GuessesTest() : LimitsTest(Few()) {}
  static gateway::Config Few() {
    gateway::Config config = LimitedDemoConfig();
    config.failed_credentials_per_minute = 5;
    return config;
  }
  std::string Hello(const std::string& token, int* close_code) {
    FakeClient client = world_->Connect();
    const std::string outcome = Outcome(client.Hello(token));
    *close_code = client.close_code();
    client.connection().HangUp();
    world_->Settle();
    return outcome;
  }
};

TEST_F(GuessesTest, from_one_address_are_limited) {
  int code = 0;
  const std::string good = world_->Token("usr_anna"), bad = good.substr(0, good.size() - 3) + "abc";
  for (int i = 0; i < 100; ++i) ASSERT_EQ(Hello(good, &code), "ok");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Hello(bad, &code), "UNAUTHENTICATED");
    EXPECT_EQ(code, 4401);
  }
  EXPECT_EQ(Hello(bad, &code), "RATE_LIMITED 12000");
  EXPECT_EQ(code, 4429);
  EXPECT_EQ(Hello(good, &code), "RATE_LIMITED 12000");
  world_->Advance(12'000);
  EXPECT_EQ(Hello(good, &code), "ok");
}

TEST_F(GuessesTest, expired_tokens_do_not_count) {
  int code = 0;
  const std::string old = world_->Token("usr_anna", "member", -10);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(Hello(old, &code), "AUTH_EXPIRED");
}

// --- the sum of a tenant

class TenantSumTest : public LimitsTest {
 protected:
  TenantSumTest() : LimitsTest(Small()) {}
  static gateway::Config Small() {
    gateway::Config config = LimitedDemoConfig();
    config.tenant_requests_per_second = 50;
    return config;
  }
};

TEST_F(TenantSumTest, is_shared_and_new_sessions_are_refused_first) {
  FakeClient anna = world_->Join("usr_anna"), bob = world_->Join("usr_bob"),
             carla = world_->Join("usr_carla");
  EXPECT_EQ(Pings(anna) + Pings(bob) + Pings(carla), 50);
  EXPECT_EQ(Outcome(carla.Ask("session.ping")), "RATE_LIMITED 20");
  FakeClient dora = world_->Connect();
  EXPECT_EQ(Outcome(dora.Hello(world_->Token("usr_dora"))), "UNAVAILABLE");
  EXPECT_EQ(dora.close_code(), 1013);
  world_->Advance(20);
  EXPECT_EQ(Outcome(carla.Ask("session.ping")), "ok");
}

// --- over HTTP

class HttpLimitsTest : public LimitsTest {
 protected:
  gateway::HttpResponse Op(const std::string& op, const std::string& args, const std::string& credential,
                           FakeServer::Headers headers = {}) {
    headers.emplace_back("Authorization", "Bearer " + credential);
    return world_->Http("POST", "/v1/ops/" + op, args, std::move(headers));
  }
  static std::string Header(const gateway::HttpResponse& response, const std::string& name) {
    for (const auto& [known, value] : response.headers) {
      if (known == name) return value;
    }
    return "-";
  }
  // "200 20 19 +1": status, X-RateLimit-Limit, -Remaining, and the seconds until -Reset.
  std::string Rate(const gateway::HttpResponse& response) {
    const std::string reset = Header(response, "X-RateLimit-Reset");
    const int64_t now_s = world_.clock().Now().ms / 1000;
    return std::to_string(response.status) + " " + Header(response, "X-RateLimit-Limit") + " " +
           Header(response, "X-RateLimit-Remaining") +
           (reset == "-" ? "" : " +" + std::to_string(std::stoll(reset) - now_s));
  }
  const std::string token_ = world_->Token("usr_anna");
};

TEST_F(HttpLimitsTest, answers_contain_the_remaining_requests) {
  EXPECT_EQ(Rate(Op("inbox.counts", "{}", token_)), "200 20 19 +1");
  EXPECT_EQ(Rate(Op("inbox.counts", "{}", token_)), "200 20 18 +1");
  EXPECT_EQ(Rate(Op("thread.get", Args({{"threadId", "thrd_01m7yrf2sj68a1mp3h0c8degyz"}}), token_)),
            "404 20 17 +1");
  for (int i = 0; i < 17; ++i) Op("inbox.counts", "{}", token_);
  const gateway::HttpResponse refused = Op("inbox.counts", "{}", token_);
  EXPECT_EQ(Rate(refused), "429 20 0 +1");
  EXPECT_EQ(Header(refused, "Retry-After"), "1");
  EXPECT_EQ(Frame(protocol::Encoding::kJson, refused.body).Int("error.retryAfterMs"), 50);
  EXPECT_EQ(Rate(Op("inbox.counts", "{}", world_->Token("usr_bob"))), "200 20 19 +1");
  world_->Advance(50);
  EXPECT_EQ(Op("inbox.counts", "{}", token_).status, 200);
  EXPECT_EQ(Op("inbox.counts", "{}", token_).status, 429);
}

TEST_F(HttpLimitsTest, sessions_and_http_share_a_users_limit) {
  FakeClient anna = world_->Join("usr_anna");
  EXPECT_EQ(Pings(anna), 20);
  EXPECT_EQ(Op("inbox.counts", "{}", token_).status, 429);
}

TEST_F(HttpLimitsTest, the_41st_message_to_one_user_is_refused_with_the_limit) {
  const auto create =
      Op("thread.create", R"({"kind":"direct","participants":[{"userId":"usr_bob"}]})", token_);
  const std::string thread = Frame(protocol::Encoding::kJson, create.body).Text("thread.threadId");
  const auto send = [&](int i) {
    return Op("message.send", Args({{"threadId", thread}, {"type", "text"}, {"body", "x"}}), token_,
              {{"Idempotency-Key", std::to_string(i)}});
  };
  for (int i = 0; i < 40; ++i) ASSERT_EQ(send(i).status, 200) << i;
  const gateway::HttpResponse refused = send(40);
  EXPECT_EQ(Rate(refused), "429 40 0 +4");
  EXPECT_EQ(Header(refused, "Retry-After"), "3");
  EXPECT_EQ(send(39).status, 200) << "a repeat";
}

TEST_F(HttpLimitsTest, routes_count_as_requests_like_ops) {
  const auto list = [&] {
    return world_->Http("GET", "/v1/tenants/demo/keys", "",
                        {{"Authorization", "Bearer " + world_->service_key()}});
  };
  EXPECT_EQ(Rate(list()), "200 1000 999 +1");
  Set(R"({"limits":{"keyRequestsPerSecond":2}})");
  world_->Advance(1000);
  EXPECT_EQ(list().status, 200);
  EXPECT_EQ(list().status, 200);
  EXPECT_EQ(Rate(list()), "429 2 0 +1");
}

TEST_F(HttpLimitsTest, catch_up_is_never_charged) {
  FakeClient anna = world_->Join("usr_anna");
  const std::string thread = world_.NewThread(anna, "usr_anna", "usr_bob");
  Pings(anna);
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(Rate(Op("thread.changes", Args({{"threadId", thread}, {"afterSeq", 0}}), token_)), "200 - -");
}

TEST_F(HttpLimitsTest, a_tenants_key_has_its_own_limit_of_a_thousand_for_all_users_together) {
  Pings(*std::make_unique<FakeClient>(world_->Join("usr_anna")));
  EXPECT_EQ(Rate(Op("inbox.counts", "{}", world_->service_key(), {{"Parley-User", "usr_anna"}})),
            "200 1000 999 +1");
}

TEST_F(HttpLimitsTest, guesses_from_one_address_are_limited) {
  for (int i = 0; i < 300; ++i)
    ASSERT_EQ(Op("inbox.counts", "{}", "psk_guess" + std::to_string(i)).status, 401);
  EXPECT_EQ(Rate(Op("inbox.counts", "{}", "psk_guess")), "429 300 0 +1");
  EXPECT_EQ(Op("inbox.counts", "{}", token_).status, 429);
  EXPECT_EQ(world_->Http("GET", "/healthz").status, 200) << "who needs no credential is not asked for one";
  world_->Advance(200);
  EXPECT_EQ(Op("inbox.counts", "{}", token_).status, 200);
}

// --- without limits

TEST(WithoutLimits, a_demo_has_only_the_limits_that_it_sets) {
  World world(DemoConfig());
  accounts::TenantDirectory& tenants = world->node().tenants();
  auto tenant = std::make_shared<accounts::Tenant>(*tenants.Find(accounts::kDemoTenant));
  tenant->settings = *accounts::ParseSettings(R"({"limits":{"enabled":true,"requestsPerSecond":2}})");
  tenants.Publish(std::move(tenant), 1000);
  FakeClient anna = world->Join("usr_anna");
  EXPECT_TRUE(anna.Ask("session.ping").ok());
  EXPECT_TRUE(anna.Ask("session.ping").ok());
  EXPECT_EQ(anna.Ask("session.ping").error(), "RATE_LIMITED");
}

TEST(WithoutLimits, a_demo_is_as_fast_as_its_machine) {
  World world(DemoConfig());
  FakeClient anna = world->Join("usr_anna");
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(anna.Ask("session.ping").ok());
  for (int i = 0; i < 20; ++i)
    ASSERT_TRUE(anna.Ask("thread.create", Args({{"kind", "group"}, {"clientId", std::to_string(i)}})).ok());
}

}  // namespace
}  // namespace parley::gateway_test
