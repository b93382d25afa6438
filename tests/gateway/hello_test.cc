// The first request of a session, and requests that arrive before it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using protocol::Encoding;
using testing::ElementsAre;

class HelloTest : public testing::TestWithParam<Encoding> {
 protected:
  FakeClient Connect(std::string authorization = "") {
    return world_->Connect({GetParam(), std::move(authorization)});
  }
  World world_{DemoConfig()};
};

INSTANTIATE_TEST_SUITE_P(Encodings, HelloTest, testing::Values(Encoding::kJson, Encoding::kMsgpack),
                         EncodingName);

TEST_P(HelloTest, a_token_opens_the_session_and_the_reply_contains_its_terms) {
  FakeClient client = Connect();
  const Frame reply = client.Hello(world_->Token("ana"));
  EXPECT_EQ(reply.Text("ok.userId"), "ana");
  EXPECT_EQ(reply.Text("ok.tenantId"), "demo");
  EXPECT_EQ(reply.Text("ok.role"), "member");
  EXPECT_EQ(reply.Text("ok.epoch"), "epoch-1");
  EXPECT_EQ(reply.Text("ok.serverTime"), "2025-11-05T14:12:07.123Z");
  EXPECT_EQ(reply.Int("ok.heartbeatMs"), 25'000);
  EXPECT_EQ(reply.Int("ok.presenceTtlMs"), 60'000);
  EXPECT_EQ(reply.Int("ok.typingTtlMs"), 10'000);
  EXPECT_EQ(reply.Int("ok.limits.maxFrameBytes"), 256 * 1024);
  EXPECT_EQ(reply.Int("ok.limits.maxBodyBytes"), 8 * 1024);
  EXPECT_EQ(reply.Int("ok.limits.maxInFlight"), 256);
  EXPECT_EQ(reply.Int("ok.limits.outboxBytes"), 4 * 1024 * 1024);
  EXPECT_EQ(reply.Int("ok.limits.editWindowMs"), 15 * 60 * 1000);
  EXPECT_EQ(reply.Int("ok.limits.maxOpenThreads"), 1000);
  EXPECT_EQ(reply.Int("ok.limits.maxPageBytes"), 1 << 20);
  EXPECT_EQ(reply.Int("ok.limits.maxSessions"), gateway::Config().max_sessions_per_user);
  EXPECT_EQ(reply.Json("ok.resumed"), "{}");
  EXPECT_NE(reply.Text("ok.sessionId"), "");
}

TEST_P(HelloTest, every_session_has_a_unique_id) {
  FakeClient one = Connect(), two = Connect();
  EXPECT_NE(one.Hello(world_->Token("ana")).Text("ok.sessionId"),
            two.Hello(world_->Token("ana")).Text("ok.sessionId"));
}

TEST_P(HelloTest, another_op_first_is_refused_once_and_ends_the_session) {
  FakeClient client = Connect();
  client.Send("session.ping");
  client.Send("session.hello", Args({{"token", world_->Token("ana")}}));
  client.Send("session.ping");
  world_->Settle();
  EXPECT_THAT(Lines(client.TakeAll()), ElementsAre("reply 1 UNAUTHENTICATED"));
  EXPECT_EQ(client.close_code(), 4401);
}

TEST_P(HelloTest, an_unknown_op_first_is_unauthenticated_too) {
  FakeClient client = Connect();
  EXPECT_EQ(client.Ask("no.such.op").error(), "UNAUTHENTICATED");
  EXPECT_EQ(client.close_code(), 4401);
}

TEST_P(HelloTest, a_refused_request_without_id_ends_the_session_silently) {
  FakeClient client = Connect();
  client.SendMap(R"({"op":"session.ping"})");
  world_->Settle();
  EXPECT_THAT(client.TakeAll(), testing::IsEmpty());
  EXPECT_EQ(client.close_code(), 4401);
}

TEST_P(HelloTest, a_missing_or_bad_token_is_unauthenticated_and_ends_the_session) {
  const std::string good = world_->Token("ana");
  for (const std::string& args : {std::string("{}"), Args({{"token", ""}}), Args({{"token", "nonsense"}}),
                                  Args({{"token", good.substr(0, good.size() - 2)}}),
                                  Args({{"token", good + "x"}}), Args({{"token", "psk_nobody"}})}) {
    FakeClient client = Connect();
    EXPECT_EQ(client.Ask("session.hello", args).error(), "UNAUTHENTICATED") << args;
    EXPECT_EQ(client.close_code(), 4401) << args;
  }
}

TEST_P(HelloTest, a_tenant_key_opens_no_session) {
  FakeClient client = Connect();
  EXPECT_EQ(client.Hello(world_->service_key()).error(), "UNAUTHENTICATED");
  EXPECT_EQ(client.close_code(), 4401);
}

TEST_P(HelloTest, an_expired_token_has_its_own_code) {
  FakeClient client = Connect();
  const std::string token = world_->Token("ana", "member", 5);
  world_->Advance(5'000);
  EXPECT_EQ(client.Hello(token).error(), "AUTH_EXPIRED");
  EXPECT_EQ(client.close_code(), 4401);
}

TEST_P(HelloTest, malformed_args_are_bad_and_end_the_session) {
  const std::string token = "no token at all";  // never checked
  std::string many = "{";
  for (int i = 0; i < 501; ++i) many += (i ? "," : "") + ("\"thrd_" + std::to_string(i)) + "\":0";
  many += "}";
  const auto with = [&](const std::string& name, const std::string& json) {
    return Args({{"token", token}, {name, JsonArg::Raw(json)}});
  };
  for (const std::string& args :
       {Args({{"token", 7}}), with("nonsense", "1"), with("deliver", "\"some\""), with("resume", "3"),
        with("resume", R"({"epoch":"e"})"), with("resume", R"({"epoch":"e","threads":{"nonsense":0}})"),
        with("resume", R"({"epoch":"e","threads":{"thrd_00000000000000000000000000":-1}})"),
        with("resume", R"({"epoch":"e","threads":{"thrd_00000000000000000000000000":"x"}})"),
        with("resume", R"({"epoch":"e","threads":)" + many + "}"), std::string("[]"), std::string("7")}) {
    FakeClient client = Connect();
    EXPECT_EQ(client.Ask("session.hello", args).error(), "BAD_REQUEST") << args.substr(0, 300);
    EXPECT_EQ(client.close_code(), 4401) << args.substr(0, 300);
  }
}

TEST_P(HelloTest, framing_errors_are_checked_first) {
  FakeClient wrong_kind = Connect(), undecodable = Connect(), no_map = Connect();
  wrong_kind.connection().Type("{}", wrong_kind.encoding() == Encoding::kJson);
  undecodable.SendRaw("\xc1");
  no_map.SendMap("[]");
  world_->Settle();
  EXPECT_EQ(wrong_kind.close_code(), 1003);
  EXPECT_EQ(undecodable.close_code(), 1007);
  EXPECT_EQ(no_map.close_code(), 4400);
  EXPECT_THAT(no_map.TakeAll(), testing::IsEmpty());
}

TEST_P(HelloTest, silence_is_closed_with_4408_after_ten_seconds) {
  FakeClient client = Connect();
  world_->Advance(9'999);
  EXPECT_EQ(client.close_code(), 0);
  world_->Advance(1);
  EXPECT_EQ(client.close_code(), 4408);
}

TEST_P(HelloTest, a_session_past_its_hello_is_not_closed_by_the_hello_time_out) {
  FakeClient client = Connect();
  world_->Advance(9'000);
  EXPECT_TRUE(client.Hello(world_->Token("ana")).ok());
  world_->Advance(5'000);
  EXPECT_EQ(client.close_code(), 0);
}

TEST_P(HelloTest, a_second_hello_is_bad_and_changes_nothing) {
  FakeClient client = Connect();
  client.Hello(world_->Token("ana"));
  EXPECT_EQ(client.Hello(world_->Token("bob")).error(), "BAD_REQUEST");
  EXPECT_EQ(client.close_code(), 0);
  EXPECT_TRUE(client.Ask("session.ping").ok());
  world_.NewThread(client, "ana", "carl");  // still ana; another user could not create it
}

TEST_P(HelloTest, frames_after_the_hello_wait_for_it) {
  FakeClient client = Connect();
  client.Send("session.hello", Args({{"token", world_->Token("ana")}}));
  client.Send("inbox.list");
  client.Send("session.ping");
  world_->Settle();
  EXPECT_THAT(Lines(client.TakeAll()), ElementsAre("reply 1 ok", "reply 2 ok", "reply 3 ok"));
}

TEST_P(HelloTest, the_authorization_header_authenticates_a_hello_without_a_token) {
  FakeClient client = Connect("Bearer " + world_->Token("ana"));
  EXPECT_EQ(client.Ask("session.hello").Text("ok.userId"), "ana");
}

TEST_P(HelloTest, the_token_in_args_wins_over_the_header) {
  FakeClient client = Connect("bearer " + world_->Token("ana"));
  EXPECT_EQ(client.Hello(world_->Token("bob")).Text("ok.userId"), "bob");
}

TEST_P(HelloTest, a_bad_token_in_args_is_refused_despite_a_good_header) {
  FakeClient client = Connect("Bearer " + world_->Token("ana"));
  EXPECT_EQ(client.Hello("nonsense").error(), "UNAUTHENTICATED");
  EXPECT_EQ(client.close_code(), 4401);
}

TEST_P(HelloTest, a_header_that_expires_before_the_hello_is_expired) {
  FakeClient client = Connect("Bearer " + world_->Token("ana", "member", 5));
  world_->Advance(5'000);
  EXPECT_EQ(client.Ask("session.hello").error(), "AUTH_EXPIRED");
}

TEST_P(HelloTest, the_reply_comes_before_every_event) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  world_->HoldExecutor(true);
  for (int i = 0; i < 5; ++i) {
    ana.Send("message.send",
             Args({{"threadId", thread}, {"clientId", std::to_string(i)}, {"type", "text"}, {"body", "x"}}));
  }
  FakeClient bob = Connect();
  bob.Send("session.hello", Args({{"token", world_->Token("bob")}}));
  world_->HoldExecutor(false);
  world_->Settle();
  const std::vector<std::string> lines = Lines(bob.TakeAll());
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0], "reply 1 ok");
  EXPECT_EQ(lines[5], "message.created 8");
}

TEST_P(HelloTest, a_user_has_no_more_sessions_than_configured) {
  gateway::Config config = DemoConfig();
  config.max_sessions_per_user = 2;
  World small(config);
  FakeClient one = small->Join("ana"), two = small->Join("ana"), other = small->Join("bob");
  FakeClient three = small->Connect({GetParam(), ""});
  const Frame refused = three.Hello(small->Token("ana"));
  EXPECT_EQ(refused.error(), "RATE_LIMITED");
  EXPECT_GT(refused.Int("error.retryAfterMs"), 0);
  EXPECT_EQ(three.close_code(), 4401) << "as every hello that failed";
  one.connection().HangUp();
  FakeClient four = small->Connect({GetParam(), ""});
  EXPECT_TRUE(four.Hello(small->Token("ana")).ok());
}

}  // namespace
}  // namespace parley::gateway_test
