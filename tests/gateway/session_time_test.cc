// Effects of time on a session: heartbeats, expiring tokens, and the drain of the server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/server.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/gateway/log_capture.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string SendArgs(const std::string& thread, const std::string& client_id) {
  return Args({{"threadId", thread}, {"clientId", client_id}, {"type", "text"}, {"body", "x"}});
}

class SessionTimeTest : public testing::Test {
 protected:
  World world_{DemoConfig()};
};

// --- heartbeats

TEST_F(SessionTimeTest, a_silent_session_is_pinged_after_one_heartbeat_and_closed_after_two) {
  FakeClient ana = world_->Join("ana");
  world_->Advance(24'999);
  EXPECT_EQ(ana.connection().pings(), 0);
  world_->Advance(1);
  EXPECT_EQ(ana.connection().pings(), 1);
  world_->Advance(24'999);
  EXPECT_EQ(ana.close_code(), 0);
  world_->Advance(1);
  EXPECT_EQ(ana.close_code(), 1001);
  EXPECT_EQ(ana.connection().closed()->reason, "nothing received for two heartbeats");
  EXPECT_EQ(ana.connection().pings(), 1);
}

TEST_F(SessionTimeTest, silence_is_measured_from_the_last_received_frame) {
  FakeClient ana = world_->Join("ana");
  world_->Advance(20'000);
  ana.Ask("session.ping");
  world_->Advance(24'999);
  EXPECT_EQ(ana.connection().pings(), 0);
  world_->Advance(1);
  EXPECT_EQ(ana.connection().pings(), 1);
  world_->Advance(25'000);
  EXPECT_EQ(ana.close_code(), 1001);
}

TEST_F(SessionTimeTest, pongs_keep_a_session_alive) {
  FakeClient ana = world_->Join("ana");
  for (int pings = 1; pings <= 10; ++pings) {
    world_->Advance(25'000);
    EXPECT_EQ(ana.connection().pings(), pings);
    ana.connection().Pong();
  }
  EXPECT_EQ(ana.close_code(), 0);
}

TEST_F(SessionTimeTest, a_session_that_sends_is_never_pinged) {
  FakeClient ana = world_->Join("ana");
  for (int i = 0; i < 20; ++i) {
    world_->Advance(20'000);
    ASSERT_TRUE(ana.Ask("session.ping").ok());
  }
  EXPECT_EQ(ana.connection().pings(), 0);
}

// --- tokens

class Expiring : public SessionTimeTest {
 protected:
  // Keeps sending, so that only the token can end it.
  FakeClient JoinFor(int64_t ttl_s) {
    FakeClient client = world_->Connect();
    EXPECT_TRUE(client.Hello(world_->Token("ana", "member", ttl_s)).ok());
    client.TakeAll();
    return client;
  }
  void Pass(FakeClient& client, int64_t ms) {
    for (; ms > 0; ms -= 10'000) {
      client.connection().Pong();
      world_->Advance(std::min<int64_t>(ms, 10'000));
    }
  }
};

// Times in tokens are whole seconds, which drops the fake clock's 123 ms.
constexpr int64_t kPast = 123;

TEST_F(Expiring, the_notice_comes_sixty_seconds_before_exp_and_the_close_at_exp) {
  FakeClient ana = JoinFor(300);
  Pass(ana, 240'000 - kPast - 1);
  EXPECT_THAT(ana.TakeAll(), IsEmpty());
  Pass(ana, 1);
  const auto events = ana.TakeAll();
  ASSERT_THAT(Lines(events), ElementsAre("session.expiring"));
  EXPECT_EQ(events[0].Text("expiresAt"), "2025-11-05T14:17:07.000Z");
  Pass(ana, 59'999);
  EXPECT_EQ(ana.close_code(), 0);
  EXPECT_THAT(ana.TakeAll(), IsEmpty()) << "told once";
  Pass(ana, 1);
  EXPECT_EQ(ana.close_code(), 4401);
}

TEST_F(Expiring, a_short_token_gets_its_notice_at_once) {
  FakeClient ana = world_->Connect();
  ana.Send("session.hello", Args({{"token", world_->Token("ana", "member", 30)}}));
  world_->Settle();
  EXPECT_THAT(Lines(ana.TakeAll()), ElementsAre("reply 1 ok", "session.expiring"));
}

TEST_F(Expiring, a_refreshed_token_prolongs_the_session) {
  FakeClient ana = JoinFor(120);
  Pass(ana, 70'000);
  EXPECT_THAT(Lines(ana.TakeAll()), ElementsAre("session.expiring"));
  const Frame reply = ana.Ask("session.refresh", Args({{"token", world_->Token("ana", "member", 300)}}));
  EXPECT_EQ(reply.Text("ok.expiresAt"), "2025-11-05T14:18:17.000Z");
  Pass(ana, 200'000);
  EXPECT_EQ(ana.close_code(), 0);
  Pass(ana, 41'000);
  EXPECT_THAT(Lines(ana.TakeAll()), ElementsAre("session.expiring")) << "the new one is told of as well";
  Pass(ana, 60'000);
  EXPECT_EQ(ana.close_code(), 4401);
}

TEST_F(Expiring, a_refused_refresh_changes_nothing) {
  FakeClient ana = JoinFor(120);
  const auto refresh = [&](const std::string& token) {
    return ana.Ask("session.refresh", Args({{"token", token}})).error();
  };
  EXPECT_EQ(refresh("nonsense"), "UNAUTHENTICATED");
  EXPECT_EQ(refresh(world_->Token("bob")), "FORBIDDEN");
  EXPECT_EQ(refresh(world_->service_key()), "FORBIDDEN");
  EXPECT_EQ(refresh(world_->Token("ana", "member", 0)), "AUTH_EXPIRED");
  EXPECT_EQ(ana.Ask("session.refresh").error(), "BAD_REQUEST");
  EXPECT_TRUE(ana.Ask("session.ping").ok());
  Pass(ana, 120'000);
  EXPECT_EQ(ana.close_code(), 4401) << "at the first token's end";
}

TEST_F(Expiring, a_clock_set_back_does_not_end_a_session_early) {
  FakeClient ana = JoinFor(120);
  world_.clock().JumpWall(-30'000);
  Pass(ana, 120'000);
  EXPECT_EQ(ana.close_code(), 0);
  Pass(ana, 30'000);
  EXPECT_EQ(ana.close_code(), 4401);
}

TEST_F(Expiring, a_token_of_many_years_does_not_overflow_a_timer) {
  FakeClient ana = JoinFor(int64_t{200} * 365 * 24 * 3600);
  Pass(ana, int64_t{3} * 24 * 3600 * 1000);
  EXPECT_EQ(ana.close_code(), 0);
  EXPECT_THAT(ana.TakeAll(), IsEmpty());
}

// --- a clock that is wrong

TEST_F(SessionTimeTest, a_start_warns_of_a_clock_earlier_than_the_store) {
  FakeClient ana = world_->Join("ana");
  world_.Say(ana, world_.NewThread(ana, "ana", "bob"), "x");
  const auto told_at_start = [&] {
    LogCapture log;
    world_.Restart();
    return log.Take();
  };
  EXPECT_EQ(told_at_start(), "");
  world_.clock().JumpWall(-90'000);
  EXPECT_THAT(told_at_start(),
              testing::HasSubstr("warning gateway the clock is behind the store now=2025-11-05T14:10:37"));
  world_.clock().JumpWall(90'000);
  EXPECT_EQ(told_at_start(), "");
}

// --- drain

TEST_F(SessionTimeTest, a_drain_is_announced_and_closes_answered_sessions_with_1001) {
  FakeClient ana = world_->Join("ana"), bob = world_->Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.TakeAll();
  bob.TakeAll();
  world_->HoldExecutor(true);
  ana.Send("message.send",
           Args({{"threadId", thread}, {"clientId", "last"}, {"type", "text"}, {"body", "x"}}));
  world_->Settle();
  int drained = 0;
  world_->server().Drain([&] { ++drained; });
  world_->Settle();
  const auto notice = bob.TakeAll();
  ASSERT_THAT(Lines(notice), ElementsAre("session.draining"));
  EXPECT_EQ(notice[0].Int("reconnectWithinMs"), 5'000);
  world_->Advance(1'000);
  EXPECT_EQ(bob.close_code(), 1001);
  EXPECT_EQ(ana.close_code(), 0) << "its answer comes first";
  EXPECT_EQ(drained, 0);
  world_->HoldExecutor(false);
  world_->Advance(1'000);
  EXPECT_EQ(ana.close_code(), 1001);
  EXPECT_THAT(Lines(ana.TakeAll()), ElementsAre("session.draining", "message.created 4", "reply 3 ok"));
  world_->Advance(60'000);
  EXPECT_EQ(drained, 1);
}

TEST_F(SessionTimeTest, a_drain_ends_in_time_even_with_unanswered_requests) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  world_->HoldExecutor(true);
  ana.Send("message.send",
           Args({{"threadId", thread}, {"clientId", "last"}, {"type", "text"}, {"body", "x"}}));
  FakeClient silent = world_->Connect();
  ana.connection().set_reads_itself(false);
  bool drained = false;
  world_->server().Drain([&] { drained = true; });
  world_->Advance(10'000);
  EXPECT_TRUE(drained);
  EXPECT_EQ(ana.close_code(), 1001);
  EXPECT_EQ(silent.close_code(), 1001);
  EXPECT_THAT(silent.TakeAll(), IsEmpty()) << "who said no hello is told nothing";
}

TEST_F(SessionTimeTest, a_draining_server_refuses_new_sessions_with_the_reason) {
  FakeClient ana = world_->Join("ana");
  ana.connection().set_reads_itself(false);
  world_->server().Drain([] {});
  EXPECT_TRUE(world_->transport().accepting()) << "or nobody could be told";
  const auto late = world_->transport().Connect({"GET", "/v1/ws", "", "", {}}, {"parley.v1.json"});
  EXPECT_EQ(late.connection, nullptr);
  EXPECT_EQ(late.refusal.status, 503);
  EXPECT_EQ(world_->Http("GET", "/readyz").status, 503);
  EXPECT_EQ(world_->Http("GET", "/readyz").body, "draining\n");
  EXPECT_EQ(world_->Http("GET", "/healthz").status, 200);
}

TEST_F(SessionTimeTest, a_drain_waits_for_answers_to_plain_http_requests) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.connection().HangUp();
  const auto ask = [&](const std::string& op, const std::string& args) {
    return world_->transport().Http(
        {"POST", "/v1/ops/" + op, args, "", {{"Authorization", "Bearer " + world_->Token("ana")}}});
  };
  world_->HoldExecutor(true);
  world_->HoldWorker(true);
  const auto write = ask("message.send", SendArgs(thread, "last"));
  world_->Settle();
  bool drained = false;
  world_->server().Drain([&] { drained = true; });
  const auto late = ask("message.send", SendArgs(thread, "late"));
  world_->Advance(500);
  ASSERT_TRUE(late->has_value());
  EXPECT_EQ((*late)->status, 503);
  EXPECT_FALSE(write->has_value());
  EXPECT_FALSE(drained);
  EXPECT_TRUE(world_->transport().accepting());
  world_->HoldExecutor(false);
  world_->Advance(500);
  ASSERT_TRUE(write->has_value());
  EXPECT_EQ((*write)->status, 200);
  EXPECT_TRUE(drained);
  EXPECT_FALSE(world_->transport().accepting());
}

TEST_F(SessionTimeTest, many_sessions_are_closed_in_waves) {
  std::vector<FakeClient> clients;
  for (int i = 0; i < 1000; ++i) clients.push_back(world_->Join("user" + std::to_string(i)));
  const auto gone = [&] {
    return std::count_if(clients.begin(), clients.end(),
                         [](const auto& c) { return c.close_code() == 1001; });
  };
  bool drained = false;
  world_->server().Drain([&] { drained = true; });
  world_->Advance(100);
  EXPECT_GT(gone(), 0);
  EXPECT_LT(gone(), 500) << "they would all come back at once";
  world_->Advance(5'000);
  EXPECT_EQ(gone(), 1000);
  EXPECT_TRUE(drained);
}

}  // namespace
}  // namespace parley::gateway_test
