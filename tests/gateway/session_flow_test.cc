// Bounds on a session's work in progress, and the treatment of slow readers.
#include "gateway/app/node.h"
#include "tests/gateway/session_scene.h"

namespace parley::gateway_test {
namespace {

using protocol::Encoding;
using testing::ElementsAre;
using testing::IsEmpty;

class SessionFlow : public SessionScene {};
INSTANTIATE_TEST_SUITE_P(Encodings, SessionFlow, testing::Values(Encoding::kJson, Encoding::kMsgpack),
                         EncodingName);

// --- work in progress

TEST_P(SessionFlow, reading_pauses_at_the_bound_of_unanswered_requests_and_continues_later) {
  gateway::Config config = DemoConfig();
  config.max_in_flight = 4;
  World world(config);
  FakeClient ana = world->Join("ana", GetParam());
  const std::string thread = world.NewThread(ana, "ana", "bob");
  ana.TakeAll();
  world->HoldExecutor(true);
  for (int i = 0; i < 3; ++i) ana.Send("message.send", SendArgs(thread, std::to_string(i)));
  world->Settle();
  EXPECT_FALSE(ana.connection().paused());
  ana.SendMap(R"({"op":"message.send","args":)" + SendArgs(thread, "3") + "}");  // counts even without an id
  world->Settle();
  EXPECT_TRUE(ana.connection().paused());
  for (int i = 4; i < 20; ++i) ana.Send("message.send", SendArgs(thread, std::to_string(i)));
  world->Settle();
  EXPECT_EQ(world->node().executors().queued(), 4u) << "the rest waits outside";
  EXPECT_THAT(ana.TakeAll(), IsEmpty());
  world->HoldExecutor(false);
  world->Settle();
  EXPECT_FALSE(ana.connection().paused());
  size_t replies = 0;
  for (const Frame& frame : ana.TakeAll()) replies += frame.reply_to() ? 1 : 0;
  EXPECT_EQ(replies, 19u);
}

TEST_P(SessionFlow, reading_pauses_at_the_bound_of_unhandled_bytes) {
  World& world = world_;
  FakeClient ana = world->Join("ana", GetParam());
  const std::string thread = world.NewThread(ana, "ana", "bob");
  ana.TakeAll();
  const std::string long_body(100'000, 'x');  // limits.maxFrameBytes is 256 KiB
  for (int i = 0; i < 2; ++i) ana.Send("message.send", SendArgs(thread, std::to_string(i), long_body));
  EXPECT_FALSE(ana.connection().paused());
  ana.Send("message.send", SendArgs(thread, "2", long_body));
  EXPECT_TRUE(ana.connection().paused());
  world->Settle();
  EXPECT_FALSE(ana.connection().paused());
  size_t refused = 0;
  for (const Frame& frame : ana.TakeAll()) refused += frame.error() == "TOO_LARGE" ? 1 : 0;
  EXPECT_EQ(refused, 3u);
}

TEST_P(SessionFlow, a_flood_of_frames_lets_other_sessions_take_turns) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  for (int i = 0; i < 250; ++i) ana.Send("session.ping");
  bob.Send("session.ping");
  int turns = 0;
  for (; bob.TakeAll().empty(); ++turns) ASSERT_TRUE(world_.loop().RunOne());
  EXPECT_LT(ana.TakeAll().size(), 250u);
  world_->Settle();
}

TEST_P(SessionFlow, many_requests_at_once_are_not_slow_reading) {
  FakeClient ana = Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  for (int i = 0; i < 100; ++i) world_.Say(ana, thread, std::string(8000, 'x'));
  ana.TakeAll();
  for (int i = 0; i < 30; ++i) ana.Send("message.list", Args({{"threadId", thread}, {"limit", 100}}));
  world_->Settle();
  EXPECT_EQ(ana.close_code(), 0);
  EXPECT_EQ(ana.TakeAll().size(), 30u);
  EXPECT_LT(ana.connection().most_buffered_bytes(), size_t{4} << 20);
}

TEST_P(SessionFlow, no_reply_is_larger_than_the_outbox_so_a_reading_client_gets_all_pages) {
  gateway::Config config = DemoConfig();
  config.max_page_bytes = 64 * 1024;
  config.outbox_bytes = 4 * config.max_page_bytes;
  World world(config);
  FakeClient ana = world->Join("ana", GetParam());
  const std::string thread = world.NewThread(ana, "ana", "bob");
  for (int i = 0; i < 20; ++i) world.Say(ana, thread, std::string(8000, 'x'));
  size_t messages = 0;
  std::optional<std::string> before;
  do {
    auto args = Args({{"threadId", thread}});
    if (before) args = Args({{"threadId", thread}, {"before", *before}});
    const Frame page = ana.Ask("message.list", args);
    messages += page.Size("ok.messages");
    EXPECT_LE(page.Size("ok.messages"), 7u);
    before.reset();
    if (page.At("ok.cursor")->as_text()) before = page.Text("ok.cursor");
  } while (before);
  EXPECT_EQ(messages, 20u);
  EXPECT_EQ(ana.close_code(), 0);
  EXPECT_LE(ana.connection().most_buffered_bytes(), size_t{64} * 1024);
}

// --- slow readers

TEST_P(SessionFlow, a_client_that_does_not_read_is_closed_with_4508_and_delays_no_other) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  bob.connection().set_reads_itself(false);
  int said = 0;
  for (; bob.close_code() == 0 && said < 2000; ++said) world_.Say(ana, thread, std::string(8000, 'x'));
  EXPECT_EQ(bob.close_code(), 4508);
  EXPECT_TRUE(bob.connection().closed()->discard);
  EXPECT_LE(bob.connection().most_buffered_bytes(), size_t{4} << 20);
  EXPECT_GT(bob.connection().most_buffered_bytes(), (size_t{4} << 20) - 20'000);
  EXPECT_EQ(bob.connection().sends_after_close(), 0u);
  EXPECT_TRUE(world_.Say(ana, thread, "on").ok());
  const auto received = Lines(ana.TakeEvents());
  EXPECT_EQ(received.back(), "message.created " + std::to_string(3 + said + 1));
}

TEST_P(SessionFlow, ephemeral_events_are_dropped_first) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.Ask("thread.open", Args({{"threadId", thread}}));
  bob.TakeAll();
  bob.connection().set_foreign_bytes((size_t{4} << 20) / 4 + 1);
  ana.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}}));
  world_.Say(ana, thread, "hello");
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("message.created 4"));
  bob.connection().set_foreign_bytes(0);
  world_->Advance(6'000);  // longer than the interval in which repeated events are left out
  ana.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}}));
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("typing"));
}

}  // namespace
}  // namespace parley::gateway_test
