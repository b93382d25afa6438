// Reconnecting with `resume`: catch-up on the threads that the session held, from rows, at the pace at which
// it reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "gateway/app/node.h"
#include "gateway/ws/catch_up.h"
#include "tests/gateway/fake_server_support.h"
#include "threads/lifecycle/changes.h"

namespace parley::gateway_test {
namespace {

using protocol::Encoding;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kNoThread[] = "thrd_00000000000000000000000000";

std::string Resume(const std::vector<std::pair<std::string, JsonArg>>& threads,
                   const std::string& epoch = "epoch-1") {
  return R"("resume":)" + Args({{"epoch", epoch}, {"threads", JsonArg::Raw(Args(threads))}});
}

class ResumeTest : public testing::TestWithParam<Encoding> {
 protected:
  FakeClient Connect() { return world_->Connect({GetParam(), ""}); }
  // Connects with a hello whose events are not read yet.
  FakeClient Back(const std::string& user, const std::string& resume) {
    FakeClient client = Connect();
    client.Send("session.hello", R"({"token":")" + world_->Token(user) + R"(",)" + resume + "}");
    world_->Settle();
    return client;
  }
  World world_{DemoConfig()};
};
INSTANTIATE_TEST_SUITE_P(Encodings, ResumeTest, testing::Values(Encoding::kJson, Encoding::kMsgpack),
                         EncodingName);

// --- verdicts

TEST_P(ResumeTest, an_unchanged_thread_gets_one_synced) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  FakeClient bob = Back("bob", Resume({{thread, 3}}));
  const auto frames = bob.TakeAll();
  ASSERT_THAT(Lines(frames), ElementsAre("reply 1 ok", "thread.synced 3"));
  EXPECT_EQ(frames[0].Json("ok.resumed"), Args({{thread, "ok"}}));
  EXPECT_EQ(frames[1].Text("threadId"), thread);
  world_.Say(ana, thread, "x");
  EXPECT_THAT(Lines(bob.TakeAll()), ElementsAre("message.created 4"));
}

TEST_P(ResumeTest, a_held_seq_of_0_gets_everything) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  world_.Say(ana, thread, "x");
  FakeClient bob = Back("bob", Resume({{thread, 0}}));
  EXPECT_THAT(Lines(bob.TakeAll()),
              ElementsAre("reply 1 ok", "thread.created 1", "participant.added 2", "participant.added 3",
                          "message.created 4", "thread.synced 4"));
}

TEST_P(ResumeTest, each_item_comes_once_in_its_latest_state_at_the_seq_of_its_last_change) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob", {"carl"});
  const std::string held = world_.Say(ana, thread, "held").Text("ok.messageId");    // 5
  const std::string fresh = world_.Say(ana, thread, "fresh").Text("ok.messageId");  // 6
  world_.Say(ana, thread, "other");                                                 // 7
  const auto edit = [&](const std::string& message, const std::string& body) {
    ASSERT_TRUE(
        ana.Ask("message.edit", Args({{"threadId", thread}, {"messageId", message}, {"body", body}})).ok());
  };
  edit(fresh, "fresh 2");                                                                    // 8
  edit(held, "held 2");                                                                      // 9
  edit(fresh, "fresh 3");                                                                    // 10
  ana.Ask("participant.remove", Args({{"threadId", thread}, {"userId", "carl"}}));           // 11
  ana.Ask("participant.add", Args({{"threadId", thread}, {"userId", "dora"}}));              // 12
  ana.Ask("thread.update", Args({{"threadId", thread}, {"version", 1}, {"subject", "s"}}));  // 13
  FakeClient bob = Back("bob", Resume({{thread, 5}}));
  const auto frames = bob.TakeAll();
  ASSERT_THAT(Lines(frames), ElementsAre("reply 1 ok", "message.created 7", "message.updated 9",
                                         "message.created 10", "participant.removed 11",
                                         "participant.added 12", "thread.updated 13", "thread.synced 13"));
  EXPECT_EQ(frames[2].Text("item.body"), "held 2");
  EXPECT_EQ(frames[3].Text("item.body"), "fresh 3");
  EXPECT_EQ(frames[4].Text("item.userId"), "carl");
  EXPECT_EQ(frames[6].Text("item.subject"), "s");
}

TEST_P(ResumeTest, a_held_seq_above_the_threads_is_reset) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  FakeClient bob = Back("bob", Resume({{thread, 4}}));
  const auto frames = bob.TakeAll();
  ASSERT_THAT(Lines(frames), ElementsAre("reply 1 ok"));
  EXPECT_EQ(frames[0].Json("ok.resumed"), Args({{thread, "reset"}}));
  world_.Say(ana, thread, "x");
  EXPECT_THAT(Lines(bob.TakeAll()), ElementsAre("message.created 4")) << "live all the same";
}

TEST_P(ResumeTest, another_epoch_is_reset_whatever_its_name) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  for (const std::string& epoch : {std::string("epoch-2"), std::string(), std::string(5000, 'e')}) {
    FakeClient bob = Back("bob", Resume({{thread, 1}}, epoch));
    const auto frames = bob.TakeAll();
    ASSERT_THAT(Lines(frames), ElementsAre("reply 1 ok")) << epoch.size();
    EXPECT_EQ(frames[0].Json("ok.resumed"), Args({{thread, "reset"}}));
    EXPECT_EQ(frames[0].Text("ok.epoch"), "epoch-1");
  }
}

TEST_P(ResumeTest, membership_is_decided_before_everything_else) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "carl", {"bob"});
  ana.Ask("participant.remove", Args({{"threadId", thread}, {"userId", "bob"}}));
  for (const char* epoch : {"epoch-1", "another"}) {
    FakeClient bob = Back("bob", Resume({{thread, 1}, {kNoThread, 1}}, epoch));
    FakeClient eve = Back("eve", Resume({{thread, 99}}, epoch));
    const auto frames = bob.TakeAll();
    ASSERT_THAT(Lines(frames), ElementsAre("reply 1 ok"));
    EXPECT_EQ(frames[0].Text("ok.resumed." + thread), "gone");
    EXPECT_EQ(frames[0].Text(std::string("ok.resumed.") + kNoThread), "gone");
    EXPECT_EQ(eve.TakeAll()[0].Text("ok.resumed." + thread), "gone");
  }
}

TEST_P(ResumeTest, a_position_too_far_back_is_reset) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");  // 1 to 3
  for (int i = 0; i < threads::kMaxBehind; ++i) {
    ana.SendMap(
        R"({"op":"message.send","args":)" +
        Args({{"threadId", thread}, {"clientId", std::to_string(i)}, {"type", "text"}, {"body", "x"}}) + "}");
    if (i % 200 == 0) world_->Settle();
  }
  world_->Settle();
  FakeClient just = Back("bob", Resume({{thread, 3}})), beyond = Back("bob", Resume({{thread, 2}}));
  const auto reported = just.TakeAll();
  EXPECT_EQ(reported.size(), 10'002u);
  EXPECT_EQ(reported.back().Line(), "thread.synced 10003");
  EXPECT_EQ(beyond.TakeAll()[0].Text("ok.resumed." + thread), "reset");
}

TEST_P(ResumeTest, catch_up_works_from_rows_after_a_restart) {
  std::string thread;
  {
    FakeClient ana = world_->Join("ana");
    thread = world_.NewThread(ana, "ana", "bob");
    world_.Say(ana, thread, "before");
  }
  world_.Restart();
  FakeClient bob = Back("bob", Resume({{thread, 3}}));
  EXPECT_THAT(Lines(bob.TakeAll()), ElementsAre("reply 1 ok", "message.created 4", "thread.synced 4"));
}

TEST_P(ResumeTest, a_resumed_thread_delivers_every_change_with_deliver_open) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob"), other = world_.NewThread(ana, "ana", "bob");
  FakeClient bob = Back("bob", R"("deliver":"open",)" + Resume({{thread, 3}}));
  bob.TakeAll();
  world_.Say(ana, thread, "x");
  world_.Say(ana, other, "x");
  EXPECT_THAT(Lines(bob.TakeAll()), ElementsAre("message.created 4", "inbox.updated"));
}

TEST_P(ResumeTest, closing_a_resumed_thread_ends_its_delivery_with_deliver_open) {
  FakeClient ana = world_->Join("ana");
  const std::string thread = world_.NewThread(ana, "ana", "bob");
  FakeClient bob = Back("bob", R"("deliver":"open",)" + Resume({{thread, 3}}));
  bob.TakeAll();
  bob.Ask("thread.close", Args({{"threadId", thread}}));
  world_.Say(ana, thread, "x");
  EXPECT_THAT(Lines(bob.TakeEvents()), ElementsAre("inbox.updated"));
}

// --- pace

class Paced : public ResumeTest {
 protected:
  static constexpr size_t kOutbox = 256 * 1024;
  static gateway::Config Small() {
    gateway::Config config = DemoConfig();
    config.outbox_bytes = kOutbox;
    config.max_page_bytes = kOutbox / 4;
    return config;
  }
  // Creates a thread of ana and bob with so many messages (msgNo 1 has seq 4).
  std::string Fill(FakeClient& ana, int messages, const std::string& body) {
    const std::string thread = small_.NewThread(ana, "ana", "bob");
    for (int i = 0; i < messages; ++i) small_.Say(ana, thread, body);
    ana.TakeAll();
    return thread;
  }
  FakeClient SlowBob(const std::string& resume) {
    FakeClient bob = small_->Connect({GetParam(), ""});
    bob.connection().set_reads_itself(false);
    bob.Send("session.hello", R"({"token":")" + small_->Token("bob") + R"(",)" + resume + "}");
    small_->Settle();
    return bob;
  }
  World small_{Small()};
};
INSTANTIATE_TEST_SUITE_P(Encodings, Paced, testing::Values(Encoding::kJson, Encoding::kMsgpack),
                         EncodingName);

TEST_P(Paced, catch_up_is_produced_as_the_client_reads_and_never_overflows_its_outbox) {
  FakeClient ana = small_->Join("ana");
  // A control character takes six bytes in JSON: a page of them is several times the outbox.
  const std::string thread = Fill(ana, 300, std::string(8'000, '\x01'));
  FakeClient bob = SlowBob(Resume({{thread, 3}}));
  std::vector<std::string> lines;
  for (int reads = 0; lines.empty() || lines.back() != "thread.synced 303"; ++reads) {
    ASSERT_LT(reads, 10'000);
    ASSERT_GT(bob.connection().buffered_frames(), 0u) << "nothing to read, and not done";
    EXPECT_LT(bob.connection().BufferedBytes(), kOutbox / 2);
    bob.connection().Read();
    for (const std::string& line : Lines(bob.TakeAll())) lines.push_back(line);
    small_->Settle();
  }
  ASSERT_EQ(lines.size(), 302u);
  for (int i = 0; i < 300; ++i) EXPECT_EQ(lines[i + 1], "message.created " + std::to_string(i + 4));
  EXPECT_EQ(bob.close_code(), 0);
}

TEST_P(Paced, a_client_that_does_not_read_uses_no_further_memory) {
  FakeClient ana = small_->Join("ana");
  const std::string thread = Fill(ana, 300, std::string(8'000, 'x'));
  FakeClient bob = SlowBob(Resume({{thread, 3}}));
  small_.table().TakeRowsRead();
  const size_t held = bob.connection().BufferedBytes();
  for (int i = 0; i < 5; ++i) small_->Advance(1'000);
  EXPECT_EQ(bob.connection().BufferedBytes(), held);
  EXPECT_EQ(small_.table().TakeRowsRead(), 0u);
}

// A client's view of one thread, built from events: its messages by id, and whether the events were
// consistent.
struct Mirror {
  std::map<std::string, std::pair<int64_t, std::string>> messages;  // id → seq, body
  int64_t seq = 0;
  int synced = 0;

  void Take(const Frame& frame) {
    if (frame.reply_to()) return;
    if (frame.ev() == "thread.synced") {
      EXPECT_GE(frame.Int("seq"), seq);
      seq = frame.Int("seq");
      ++synced;
      return;
    }
    ASSERT_TRUE(frame.Has("seq")) << frame.Json();
    const int64_t next = frame.Int("seq");
    EXPECT_GT(next, seq) << "doubled or out of order: " << frame.Json();
    if (synced > 0) {
      EXPECT_EQ(next, seq + 1) << "a hole: " << frame.Json();
    }
    seq = next;
    if (!frame.ev().starts_with("message.")) return;
    const std::string id = frame.Text("item.messageId");
    EXPECT_EQ(messages.contains(id), frame.ev() == "message.updated") << frame.Json();
    messages[id] = {next, frame.Text("item.body")};
  }
};

TEST_P(Paced, a_user_whose_removal_was_found_in_rows_receives_no_typing_afterwards) {
  FakeClient ana = small_->Join("ana");
  const std::string thread = Fill(ana, 2, "x");
  FakeClient bob = small_->Connect({GetParam(), ""});
  // Enough bytes wait to pause catch-up, but not to refuse a reply.
  bob.connection().set_foreign_bytes(kOutbox / 6);
  ASSERT_TRUE(bob.Hello(small_->Token("bob"), Resume({{thread, 3}})).ok());
  ASSERT_TRUE(bob.Ask("thread.open", Args({{"threadId", thread}})).ok());
  ASSERT_THAT(bob.TakeEvents(), testing::IsEmpty());
  bob.connection().set_reads_itself(false);
  bob.Send("session.ping");
  small_->HoldExecutor(true);
  const uint32_t removal = ana.Send("participant.remove", Args({{"threadId", thread}, {"userId", "bob"}}));
  small_->Settle();
  bob.connection().set_foreign_bytes(0);
  bob.connection().Read();            // catch-up may continue at the loop's next turn
  small_->node().executors().Step();  // the removal's event follows it
  small_->HoldExecutor(false);
  small_->Settle();
  bob.connection().set_reads_itself(true);
  bob.connection().Read();
  small_->Settle();
  ASSERT_TRUE(ana.TakeReply(removal)->ok());
  const std::vector<std::string> reported = Lines(bob.TakeEvents());
  ASSERT_FALSE(reported.empty());
  EXPECT_EQ(reported.back(), "participant.removed 6");
  ana.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}}));
  EXPECT_THAT(Lines(bob.TakeEvents()), testing::IsEmpty());
}

TEST_P(Paced, live_changes_during_catch_up_are_neither_lost_nor_duplicated) {
  FakeClient ana = small_->Join("ana");
  const std::string thread = Fill(ana, 250, std::string(2'000, 'x'));
  const auto all = [&] {
    std::map<std::string, std::pair<int64_t, std::string>> out;
    std::string cursor;
    do {
      const Frame page = ana.Ask(
          "message.list", cursor.empty() ? Args({{"threadId", thread}, {"limit", 200}})
                                         : Args({{"threadId", thread}, {"limit", 200}, {"before", cursor}}));
      for (size_t i = 0; i < page.Size("ok.messages"); ++i) {
        const std::string at = "ok.messages." + std::to_string(i);
        out[page.Text(at + ".messageId")] = {page.Int(at + ".seq"), page.Text(at + ".body")};
      }
      cursor = page.Json("ok.cursor") == "null" ? "" : page.Text("ok.cursor");
    } while (!cursor.empty());
    return out;
  };
  std::vector<std::string> ids;
  for (const auto& [id, state] : all()) ids.push_back(id);

  FakeClient bob = SlowBob(Resume({{thread, 3}}));
  Mirror mirror;
  mirror.seq = 3;
  // Between any two reads: a new message, an edit of one already sent, an edit of one still to come.
  for (size_t round = 0; round < 40 || !mirror.synced; ++round) {
    ASSERT_LT(round, 1'000u);
    if (round < 40) {
      small_.Say(ana, thread, "live " + std::to_string(round));
      for (const size_t which : {round % 20, 249 - round}) {
        EXPECT_TRUE(ana.Ask("message.edit", Args({{"threadId", thread},
                                                  {"messageId", ids[which]},
                                                  {"body", "edited " + std::to_string(round)}}))
                        .ok());
      }
    }
    bob.connection().Read();
    for (const Frame& frame : bob.TakeAll()) mirror.Take(frame);
    small_->Settle();
  }
  small_.Say(ana, thread, "last");
  bob.connection().Read();
  for (const Frame& frame : bob.TakeAll()) mirror.Take(frame);
  EXPECT_EQ(mirror.synced, 1);
  EXPECT_EQ(mirror.messages, all());
  EXPECT_EQ(bob.close_code(), 0);
}

TEST_P(Paced, a_user_removed_during_catch_up_receives_the_removal_and_nothing_later) {
  FakeClient ana = small_->Join("ana");
  const std::string thread = Fill(ana, 250, std::string(2'000, 'x'));
  FakeClient bob = SlowBob(Resume({{thread, 3}}));
  bob.Send("thread.open", Args({{"threadId", thread}, {"limit", 1}}));
  small_->Settle();
  ana.Ask("participant.remove", Args({{"threadId", thread}, {"userId", "bob"}}));
  small_.Say(ana, thread, "after");
  ana.Ask("typing.set", Args({{"threadId", thread}, {"typing", true}}));
  std::vector<Frame> frames;
  for (int i = 0; i < 100; ++i) {
    bob.connection().Read();
    for (Frame& frame : bob.TakeAll()) frames.push_back(std::move(frame));
    small_->Settle();
  }
  ASSERT_GE(frames.size(), 3u);
  EXPECT_EQ(frames[frames.size() - 2].Line(), "thread.synced 253");
  EXPECT_EQ(frames.back().Line(), "participant.removed 254");
  EXPECT_EQ(frames.back().Text("item.userId"), "bob");
  for (const Frame& frame : frames) {
    EXPECT_NE(frame.ev(), "typing") << "a removed member hears of nobody's typing";
    EXPECT_EQ(frame.Json().find("after"), std::string::npos);
  }
}

TEST_P(Paced, a_client_that_leaves_during_catch_up_leaves_no_work) {
  FakeClient ana = small_->Join("ana");
  const std::string thread = Fill(ana, 250, std::string(2'000, 'x'));
  {
    FakeClient bob = SlowBob(Resume({{thread, 3}}));
    bob.connection().HangUp();
  }
  small_->Settle();
  EXPECT_EQ(small_->node().io().hub().sessions(), 1u);
}

TEST_P(Paced, catch_up_after_a_read_that_waits_for_an_index_is_paced_too) {
  FakeClient ana = small_->Join("ana");
  const std::string thread = Fill(ana, 250, std::string(2'000, 'x'));
  small_->HoldWorker(true);
  small_.Say(ana, thread, "not in the index yet");
  FakeClient bob = small_->Connect({GetParam(), ""});
  bob.Send("session.hello", R"({"token":")" + small_->Token("bob") + R"(",)" + Resume({{thread, 3}}) + "}");
  bob.Send("inbox.list");
  small_->Settle();
  EXPECT_THAT(Lines(bob.TakeAll()), ElementsAre("reply 1 ok")) << "events wait behind the reply";
  small_->HoldWorker(false);
  small_->Settle();
  const auto lines = Lines(bob.TakeAll());
  EXPECT_EQ(bob.close_code(), 0);
  ASSERT_EQ(lines.size(), 253u);
  EXPECT_EQ(lines.front(), "reply 2 ok");
  EXPECT_EQ(lines.back(), "thread.synced 254");
}

TEST_P(Paced, other_threads_are_live_during_catch_up) {
  FakeClient ana = small_->Join("ana");
  const std::string thread = Fill(ana, 250, std::string(2'000, 'x'));
  const std::string other = small_.NewThread(ana, "ana", "bob");
  FakeClient bob = SlowBob(Resume({{thread, 3}}));
  bob.connection().Read();
  bob.TakeAll();
  small_.Say(ana, other, "elsewhere");
  bob.connection().Read();
  bool received = false;
  for (const Frame& frame : bob.TakeAll())
    received |= frame.Has("threadId") && frame.Text("threadId") == other;
  EXPECT_TRUE(received);
}

TEST(SeqRunsTest, contains_exactly_the_added_seqs) {
  uint64_t state = 7;
  for (int round = 0; round < 50; ++round) {
    gateway::SeqRuns runs;
    std::vector<bool> held(200, false);
    for (int i = 0; i < 120; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const size_t seq = state >> 40 & 127;
      runs.Add(static_cast<int64_t>(seq));
      held[seq] = true;
      for (size_t at = 0; at < held.size(); ++at)
        ASSERT_EQ(runs.Contains(static_cast<int64_t>(at)), held[at]) << round << " " << i << " " << at;
    }
  }
}

}  // namespace
}  // namespace parley::gateway_test
