// A wall clock that is set, and a host that is suspended, while the server runs.
#include <gmock/gmock.h>

#include "tests/gateway/log_capture.h"
#include "tests/gateway/tenant_scene.h"
#include "threads/engine/reservations.h"
#include "threads/model/keys.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class ClockTest : public testing::Test {
 protected:
  void SetUp() override {
    thread_ = world_.NewThread(ann_, "ann", "bob");
    ann_.TakeAll();
  }
  FakeClient Join(const std::string& user, int64_t ttl_s) {
    FakeClient client = world_->Connect();
    EXPECT_TRUE(client.Hello(world_->Token(user, "member", ttl_s)).ok());
    client.TakeAll();
    return client;
  }
  Frame Send(const std::string& client_id, const std::string& body = "x") {
    return ann_.Ask("message.send",
                    Args({{"threadId", thread_}, {"clientId", client_id}, {"type", "text"}, {"body", body}}));
  }
  // Advances time and keeps the connection alive.
  void Pass(int64_t ms) {
    for (; ms > 0; ms -= 10'000) {
      ann_.connection().Pong();
      world_->Advance(std::min<int64_t>(ms, 10'000));
    }
  }
  HttpResponse Operator(const std::string& method, const std::string& target, const std::string& body = "",
                        FakeServer::Headers headers = {}) {
    headers.emplace_back("Authorization", "Bearer " + FakeServer::operator_key());
    return world_->Http(method, target, body, std::move(headers));
  }
  void Snooze(int64_t ms) {
    const std::string until = protocol::FormatTime({world_.clock().Now().ms + ms});
    ASSERT_TRUE(ann_.Ask("inbox.set", Args({{"threadId", thread_}, {"snoozedUntil", until}})).ok());
  }
  size_t Snoozed() { return ann_.Ask("inbox.list", Args({{"folder", "snoozed"}})).Size("ok.entries"); }
  std::string Ready() {
    const HttpResponse ready = world_->Http("GET", "/readyz");
    return std::to_string(ready.status) + " " + ready.body;
  }

  World world_{DemoConfig()};
  FakeClient ann_ = Join("ann", 400 * 24 * 3600);
  std::string thread_;
};

TEST_F(ClockTest, after_a_large_step_ahead_writes_are_refused_with_the_reason_and_reads_continue) {
  ASSERT_TRUE(Send("a").ok());
  world_.clock().JumpWall(301'000);
  const Frame refused = Send("b");
  EXPECT_EQ(refused.error(), "UNAVAILABLE");
  EXPECT_THAT(refused.Text("error.message"), HasSubstr("the clock was set ahead by 301 s"));
  EXPECT_TRUE(refused.Has("error.retryAfterMs"));
  EXPECT_EQ(ann_.Ask("message.list", Args({{"threadId", thread_}})).Size("ok.messages"), 1u);
  EXPECT_TRUE(Send("a").Bool("ok.duplicate")) << "a repeat writes nothing";
  EXPECT_THAT(Ready(), testing::StartsWith("503 the clock was set ahead by 301 s"));
  const HttpResponse made = Operator("POST", "/v1/tenants", R"({"tenantId":"acme","name":"A"})");
  EXPECT_EQ(Verdict(made), "503 UNAVAILABLE");
  EXPECT_THAT(made.body, HasSubstr("the clock was set ahead by 301 s"));
}

TEST_F(ClockTest, a_doubt_ends_when_the_clock_goes_back) {
  world_.clock().JumpWall(kHourMs);
  EXPECT_EQ(Send("a").error(), "UNAVAILABLE");
  world_.clock().JumpWall(-kHourMs);
  EXPECT_TRUE(Send("a").ok());
  EXPECT_EQ(Ready(), "200 ready\n");
}

TEST_F(ClockTest, a_doubt_ends_when_the_operator_confirms_the_time) {
  world_.clock().JumpWall(kHourMs);
  EXPECT_EQ(Send("a").error(), "UNAVAILABLE");
  const Frame doubted = Body(Operator("GET", "/v1/clock"));
  EXPECT_FALSE(doubted.Bool("clock.believed"));
  EXPECT_EQ(doubted.Int("clock.aheadMs"), kHourMs);
  LogCapture log;
  const Frame confirmed = Body(Operator("POST", "/v1/clock/confirm"));
  EXPECT_TRUE(confirmed.Bool("clock.believed"));
  EXPECT_THAT(log.Take(), HasSubstr("the clock was confirmed"));
  EXPECT_TRUE(Send("a").ok());
  EXPECT_EQ(Ready(), "200 ready\n");
}

TEST_F(ClockTest, only_the_operator_can_confirm_the_time) {
  for (const std::string& other :
       {world_->service_key(), world_->Token("ann"), world_->Token("ann", "admin")}) {
    for (const auto& [method, target] :
         {std::pair{"GET", "/v1/clock"}, std::pair{"POST", "/v1/clock/confirm"}})
      EXPECT_EQ(Verdict(world_->Http(method, target, "", {{"Authorization", "Bearer " + other}})),
                "403 FORBIDDEN");
  }
}

TEST_F(ClockTest, nothing_expires_by_a_clock_that_is_in_doubt) {
  Snooze(2 * kHourMs);
  world_.clock().JumpWall(3 * kHourMs);
  Pass(10 * kMinuteMs);
  world_.clock().JumpWall(-3 * kHourMs);
  Pass(kMinuteMs);
  EXPECT_EQ(Snoozed(), 1u);
}

// The process's timers did not run either.
TEST_F(ClockTest, after_a_suspension_overdue_work_is_done_within_a_minute) {
  Snooze(2 * kHourMs);
  world_.clock().Suspend(3 * kHourMs);
  Pass(kMinuteMs);
  EXPECT_EQ(Snoozed(), 0u);
  EXPECT_TRUE(Send("a").ok()) << "a suspension is no step";
}

TEST_F(ClockTest, after_an_accepted_step_overdue_work_is_done_within_a_minute) {
  Snooze(2 * kHourMs);
  Pass(2 * kHourMs - 4 * kMinuteMs);
  EXPECT_EQ(Snoozed(), 1u);
  world_.clock().JumpWall(4 * kMinuteMs);
  Pass(kMinuteMs);
  EXPECT_EQ(Snoozed(), 0u);
}

TEST_F(ClockTest, a_session_whose_token_has_expired_by_the_wall_clock_ends_at_its_next_request) {
  FakeClient bob = Join("bob", 24 * 3600);
  world_.clock().Suspend(23 * kHourMs + 59 * kMinuteMs);
  EXPECT_TRUE(bob.Ask("session.ping").ok());
  world_.clock().Suspend(kMinuteMs);
  EXPECT_EQ(bob.Ask("session.ping").error(), "AUTH_EXPIRED");
  EXPECT_EQ(bob.close_code(), 4401);
}

TEST_F(ClockTest, a_session_whose_token_has_expired_by_the_wall_clock_ends_at_its_next_heartbeat) {
  FakeClient bob = Join("bob", 24 * 3600);
  world_.clock().Suspend(kDayMs);
  world_->Advance(25'000);
  EXPECT_EQ(bob.close_code(), 4401);
}

TEST_F(ClockTest, a_step_does_not_drop_sent_messages) {
  ASSERT_TRUE(Send("a").ok());
  const HttpResponse made =
      Operator("POST", "/v1/tenants", R"({"tenantId":"acme","name":"A"})", {{"Idempotency-Key", "k"}});
  ASSERT_EQ(made.status, 201);
  world_.clock().JumpWall(60 * kHourMs);
  Operator("POST", "/v1/clock/confirm");
  Pass(2 * kHourMs);  // overdue work is done during this time
  EXPECT_TRUE(Send("a").Bool("ok.duplicate"));
  EXPECT_EQ(Send("a", "other").error(), "IDEMPOTENCY_CONFLICT");
  EXPECT_EQ(
      Operator("POST", "/v1/tenants", R"({"tenantId":"acme","name":"A"})", {{"Idempotency-Key", "k"}}).status,
      201);
  Pass(48 * kHourMs);
  EXPECT_FALSE(Send("a").Bool("ok.duplicate")) << "by both clocks it is two days old";
}

TEST_F(ClockTest, rows_that_a_step_keeps_longer_are_postponed_once_and_then_removed) {
  const auto due = [&] {
    size_t count = 0;
    const threads::TenantId demo{"demo"};
    EXPECT_TRUE(world_.table()
                    .Scan(threads::DuePartition(demo), storage::SortRange::All(),
                          storage::Direction::kForward, SIZE_MAX,
                          [&](std::string_view, storage::RowView) { return ++count > 0; })
                    .ok());
    return count;
  };
  ann_.Ask("thread.create", Args({{"kind", "direct"},
                                  {"participants", JsonArg::Raw(R"([{"userId":"carl"}])")},
                                  {"clientId", "c"}}));
  ASSERT_EQ(due(), 1u);
  Pass(10 * kHourMs);
  world_.clock().JumpWall(90'000);
  Pass(threads::kReservedMs - 10 * kHourMs - 90'000 + kMinuteMs);
  EXPECT_EQ(due(), 1u) << "by the wall clock its time is over, and not by the other";
  Pass(2 * kMinuteMs);
  EXPECT_EQ(due(), 0u);
}

TEST_F(ClockTest, a_start_with_a_clock_far_ahead_of_the_store_is_reported) {
  ASSERT_TRUE(Send("a").ok());
  const auto told_at_start = [&] {
    LogCapture log;
    world_.Restart();
    return log.Take();
  };
  world_.clock().JumpWall(31 * kDayMs);
  EXPECT_THAT(told_at_start(),
              HasSubstr("warning gateway the clock was 31 days ahead of the store's last change"));
  EXPECT_THAT(Ready(),
              testing::StartsWith("200 ready\nthe clock was 31 days ahead of the store's last change"));
  world_.clock().JumpWall(-2 * kDayMs);
  EXPECT_EQ(told_at_start(), "");
  EXPECT_EQ(Ready(), "200 ready\n");
}

}  // namespace
}  // namespace parley::gateway_test
