// The end of a session by either side, and the effects of its earlier requests.
#include "gateway/app/node.h"
#include "tests/gateway/session_scene.h"

namespace parley::gateway_test {
namespace {

using protocol::Encoding;
using testing::IsEmpty;

class SessionEnd : public SessionScene {};
INSTANTIATE_TEST_SUITE_P(Encodings, SessionEnd, testing::Values(Encoding::kJson, Encoding::kMsgpack),
                         EncodingName);

// --- the end

TEST_P(SessionEnd, a_session_that_ends_leaves_nothing) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.Ask("thread.open", Args({{"threadId", thread}}));
  world_->HoldExecutor(true);
  bob.Send("message.send", SendArgs(thread, "late"));
  world_->Settle();
  bob.connection().HangUp();
  EXPECT_EQ(world_->node().io().hub().sessions(), 1u);
  EXPECT_THAT(world_->node().io().hub().Openers({"demo"}, *protocol::ThreadId::FromText(thread)), IsEmpty());
  world_->HoldExecutor(false);
  world_->Settle();  // the answer has no receiver
  EXPECT_EQ(ana.TakeEvents().back().Line(), "message.created 4") << "what was asked for is done";
  world_->Advance(6'000);  // bob could have reconnected within five seconds
  EXPECT_FALSE(world_->node().io().ephemera().IsOnline({"demo"}, {"bob"}));
}

TEST_P(SessionEnd, a_closed_session_answers_and_receives_nothing_more) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  bob.TakeAll();
  bob.connection().set_reads_itself(false);  // does not answer the close either
  world_->HoldExecutor(true);
  bob.Send("message.send", SendArgs(thread, "late"));
  bob.SendMap("[]");
  world_->Settle();
  EXPECT_EQ(bob.close_code(), 4400);
  world_->HoldExecutor(false);
  world_->Settle();
  world_.Say(ana, thread, "x");
  EXPECT_EQ(bob.connection().sends_after_close(), 0u);
  EXPECT_THAT(bob.TakeAll(), IsEmpty());
}

// --- a close by the peer

TEST_P(SessionEnd, requests_before_a_close_are_stored_and_answered_before_it) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.TakeAll();
  world_->HoldExecutor(true);
  std::vector<uint32_t> ids;
  for (int i = 0; i < 300; ++i)  // more than may be in progress
    ids.push_back(ana.Send("message.send", SendArgs(thread, std::to_string(i))));
  ana.connection().SayGoodbye();
  world_->Settle();
  EXPECT_EQ(ana.close_code(), 0);
  world_->HoldExecutor(false);
  world_->Settle();
  for (const uint32_t id : ids) EXPECT_TRUE(ana.TakeReply(id)) << id;
  EXPECT_EQ(ana.close_code(), 1000);
  EXPECT_EQ(ana.connection().sends_after_close(), 0u);
  EXPECT_EQ(bob.Ask("thread.get", Args({{"threadId", thread}})).Int("ok.thread.lastMsgNo"), 300);
}

TEST_P(SessionEnd, a_whole_session_sent_at_once_is_carried_out) {
  FakeClient bob = Join("bob");
  const std::string thread = world_.NewThread(bob, "bob", "ana");
  FakeClient ana = world_->Connect({GetParam()});
  ana.Send("session.hello", Args({{"token", world_->Token("ana")}}));
  ana.Send("message.send", SendArgs(thread, "a"));
  ana.connection().SayGoodbye();
  world_->Settle();
  EXPECT_EQ(ana.close_code(), 1000);
  EXPECT_EQ(bob.Ask("thread.get", Args({{"threadId", thread}})).Int("ok.thread.lastMsgNo"), 1);
}

TEST_P(SessionEnd, a_fault_before_the_close_is_answered_with_its_own_code) {
  FakeClient ana = Join("ana");
  ana.SendMap("[]");
  ana.connection().SayGoodbye();
  world_->Settle();
  EXPECT_EQ(ana.close_code(), 4400);
}

TEST_P(SessionEnd, a_broken_connection_loses_no_received_request) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  for (int i = 0; i < 100; ++i) {  // more than the session handles in one turn
    ana.Send("message.send", SendArgs(thread, std::to_string(i)));
    ana.Send("message.list", Args({{"threadId", thread}}));
  }
  ana.connection().HangUp();
  world_->Settle();
  EXPECT_EQ(bob.Ask("thread.get", Args({{"threadId", thread}})).Int("ok.thread.lastMsgNo"), 100);
}

TEST_P(SessionEnd, a_peer_that_closes_and_does_not_read_is_not_closed_as_a_slow_reader) {
  FakeClient ana = Join("ana"), bob = Join("bob");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  ana.connection().set_reads_itself(false);
  ana.connection().set_foreign_bytes(4 << 20);  // its outbox is full
  for (int i = 0; i < 10; ++i) ana.Send("message.send", SendArgs(thread, std::to_string(i)));
  ana.connection().SayGoodbye();
  world_->Settle();
  EXPECT_EQ(ana.close_code(), 1000);
  EXPECT_EQ(bob.Ask("thread.get", Args({{"threadId", thread}})).Int("ok.thread.lastMsgNo"), 10);
}

}  // namespace
}  // namespace parley::gateway_test
