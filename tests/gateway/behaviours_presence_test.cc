// Typing and presence, and the sessions that receive them.
#include <gtest/gtest.h>

#include "gateway/app/node.h"
#include "tests/gateway/behaviours_scene.h"

namespace parley::gateway_test {
namespace {

TEST_F(Behaviours, typing_reaches_the_others_and_lapses_by_itself) {
  const std::string thread = Inquiry();
  for (FakeClient* who : {&ann_, &bob_}) who->Ask("thread.open", In(thread));
  for (FakeClient* who : {&ann_, &bob_, &eve_}) who->TakeEvents();
  ann_.Ask("typing.set", In(thread, R"(,"typing":true)"));
  const auto shown = bob_.TakeEvents();
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].Json("userIds"), R"(["ann"])");
  for (const Frame& event : ann_.TakeEvents()) EXPECT_EQ(event.Json("userIds"), "[]");
  world_->Advance(DemoConfig().typing_ttl_ms + 1000);
  const auto lapsed = bob_.TakeEvents();
  ASSERT_EQ(lapsed.size(), 1u);
  EXPECT_EQ(lapsed[0].Json("userIds"), "[]");
  EXPECT_TRUE(eve_.TakeEvents().empty());
}

TEST_F(Behaviours, two_devices_of_one_user_type_as_one) {
  const std::string thread = Inquiry();
  FakeClient phone = world_->Join("ann");
  bob_.Ask("thread.open", In(thread));
  bob_.TakeEvents();
  ann_.Ask("typing.set", In(thread, R"(,"typing":true)"));
  phone.Ask("typing.set", In(thread, R"(,"typing":true)"));
  const auto shown = bob_.TakeEvents();
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].Json("userIds"), R"(["ann"])");
}

TEST_F(Behaviours, typing_ends_with_the_session_that_typed) {
  const std::string thread = Inquiry();
  FakeClient phone = world_->Join("ann");
  bob_.Ask("thread.open", In(thread));
  bob_.TakeEvents();
  phone.Ask("typing.set", In(thread, R"(,"typing":true)"));
  phone.connection().HangUp();
  world_->Settle();
  std::vector<std::string> reported;
  for (const Frame& event : bob_.TakeEvents()) reported.push_back(event.ev() + " " + event.Json("userIds"));
  EXPECT_EQ(reported, (std::vector<std::string>{R"(typing ["ann"])", "typing []"}));
}

TEST_F(Behaviours, quick_reconnects_make_no_presence_event_and_going_offline_is_reported_after_the_grace) {
  const std::string thread = Inquiry();
  bob_.Ask("thread.open", In(thread));
  bob_.TakeEvents();
  ann_.connection().HangUp();
  for (int i = 0; i < 15; ++i) {
    FakeClient again = world_->Join("ann");
    again.connection().HangUp();
    world_->Advance(300);
  }
  EXPECT_TRUE(bob_.TakeEvents().empty());
  world_->Advance(6'000);
  const auto reported = bob_.TakeEvents();
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].ev(), "presence");
  EXPECT_FALSE(reported[0].Bool("online"));
}

TEST_F(Behaviours, presence_lapses_after_the_ttl_that_hello_announces) {
  FakeClient device = world_->Connect();
  const Frame hello = device.Hello(world_->Token("dan"));
  world_.NewThread(ann_, "ann", "dan");
  const int64_t ttl = hello.Int("ok.presenceTtlMs");
  EXPECT_EQ(ttl, DemoConfig().presence_ttl_ms);
  const auto online = [&] {
    return ann_.Ask("presence.get", R"({"userIds":["dan"]})").Bool("ok.presence.0.online");
  };
  // The sockets are alive and answer pings; the user sends nothing.
  const auto pass = [&](int64_t ms) {
    for (; ms > 0; ms -= 10'000) {
      for (FakeClient* who : {&device, &ann_}) who->connection().Pong();
      world_->Advance(std::min<int64_t>(ms, 10'000));
    }
  };
  EXPECT_TRUE(online());
  pass(ttl - 1000);
  device.Ask("session.ping");
  pass(ttl - 1000);
  EXPECT_TRUE(online());
  pass(2000);
  EXPECT_FALSE(online());
}

TEST_F(Behaviours, floods_of_typing_are_coalesced_and_never_reach_the_log) {
  const std::string thread = Inquiry();
  bob_.Ask("thread.open", In(thread));
  bob_.TakeEvents();
  const auto position = world_.table().LastPosition();
  for (int i = 0; i < 50; ++i)
    ann_.Ask("typing.set", In(thread, R"(,"typing":)" + std::string(i % 2 ? "false" : "true")));
  const std::vector<Frame> received = bob_.TakeEvents();
  ASSERT_EQ(received.size(), 2u);
  EXPECT_EQ(received[0].Size("userIds"), 1u) << "told at once that somebody types";
  EXPECT_EQ(received[1].Size("userIds"), 0u) << "and that they stopped; the rest is noise";
  EXPECT_EQ(world_.table().LastPosition(), position);
}

// Events come only from the log: while the fan-out is stopped a send is acknowledged, but no session receives
// it.
TEST_F(Behaviours, no_session_receives_events_while_the_fan_out_is_stopped_not_even_the_sender) {
  const std::string thread = Inquiry();
  ann_.TakeEvents();
  bob_.TakeEvents();
  world_->node().io().live().Stop();
  EXPECT_EQ(Code(Send(ann_, thread, "m1", "hello")), "ok");
  EXPECT_TRUE(ann_.TakeEvents().empty());
  EXPECT_TRUE(bob_.TakeEvents().empty());
  world_->node().io().live().Start();
  world_->Settle();
  EXPECT_EQ(Names(ann_), std::vector<std::string>{"message.created"});
  EXPECT_EQ(Names(bob_), std::vector<std::string>{"message.created"});
}

}  // namespace
}  // namespace parley::gateway_test
