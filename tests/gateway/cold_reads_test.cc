// Reads that memory cannot answer: reader threads make them, here one step at a time, while the loop
// continues.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/storage/cold_table.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ColdReads : public testing::Test {
 protected:
  explicit ColdReads(gateway::Config config = DemoConfig()) : server_(clock_, loop_, table_, config, 1) {}

  void MakeAllCold() {
    table_.SetCold([](const auto&, const auto*) { return true; });
  }
  std::string NewThread() {
    return ana_
        .Ask("thread.create", Args({{"kind", "project"}, {"buyerUserId", "ana"}, {"sellerUserId", "bob"}}))
        .Text("ok.thread.threadId");
  }
  void Say(FakeClient& client, const std::string& body) {
    EXPECT_TRUE(client
                    .Ask("message.send", Args({{"threadId", thread_},
                                               {"clientId", "say-" + body.substr(0, 40)},
                                               {"type", "text"},
                                               {"body", body}}))
                    .ok());
  }
  std::string OfThread() const { return Args({{"threadId", thread_}}); }
  std::string Resume(int64_t held) const {
    return R"("resume":{"epoch":")" + table_.identity().epoch + R"(","threads":{")" + thread_ +
           "\":" + std::to_string(held) + "}}";
  }
  gateway::ReadPool& pool() { return server_.node().read_pool(); }
  // A reader thread reads the first waiting job; its answer is not back yet.
  gateway::ReadJob TakeAndRead() {
    auto job = pool().Take();
    EXPECT_TRUE(job && pool().Read(*job));
    return std::move(*job);
  }
  void GoBack(gateway::ReadJob job) {
    gateway::ReadPool::Finish(std::move(job));
    server_.Settle();
  }
  size_t Metric(const std::string& name) {
    const std::string text = "\n" + server_.metrics().Render();
    const size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? 0 : std::stoul(text.substr(at + name.size() + 2));
  }

  FakeClock clock_;
  FakeLoop loop_{clock_};
  const std::unique_ptr<storage::MemoryTable> memory_ = storage::NewMemoryTable();
  storage::ColdTable table_{memory_.get()};
  FakeServer server_;
  FakeClient ana_ = server_.Join("ana"), bob_ = server_.Join("bob");
  std::string thread_ = NewThread();
};

TEST_F(ColdReads, every_read_returns_the_same_as_from_memory) {
  Say(bob_, "hello");
  FakeClient staff = server_.Connect();
  ASSERT_TRUE(staff.Hello(server_.Token("sue", "support")).ok());
  const std::vector<std::pair<std::string, std::string>> reads = {
      {"thread.get", OfThread()},
      {"thread.changes", Args({{"threadId", thread_}, {"afterSeq", 0}})},
      {"message.list", OfThread()},
      {"participant.list", OfThread()},
      {"card.list", OfThread()},
      {"inbox.explain", OfThread()},
      {"inbox.list", "{}"},
      {"inbox.counts", "{}"},
      {"presence.get", R"({"userIds":["ana","bob","eve"]})"},
      {"thread.open", OfThread()},
      {"thread.close", OfThread()},
      {"thread.get", R"({"threadId":"thrd_00000000000000000000000000"})"}};
  const auto ask = [&](FakeClient& client) {
    std::vector<std::string> answers;
    for (const auto& [op, args] : reads) {
      const Frame answer = client.Ask(op, args);
      answers.push_back(op + " " + (answer.ok() ? answer.Json("ok") : answer.error()));
    }
    return answers;
  };
  const auto anas = ask(ana_), staffs = ask(staff);
  EXPECT_EQ(Metric("parley_reads_from_storage_total"), 1u) << "what is due, at the start";
  MakeAllCold();
  EXPECT_EQ(ask(ana_), anas);
  EXPECT_EQ(ask(staff), staffs);
  EXPECT_EQ(Metric("parley_reads_from_storage_total"), 2 * reads.size());
  const auto http = server_.Http("POST", "/v1/ops/message.list", OfThread(),
                                 {{"Authorization", "Bearer " + server_.Token("ana")}});
  EXPECT_EQ(http.status, 200) << http.body;
}

TEST_F(ColdReads, block_neither_other_sessions_nor_other_requests) {
  MakeAllCold();
  server_.HoldReaders(true);
  const uint32_t page = ana_.Send("message.list", OfThread());
  server_.Settle();
  EXPECT_FALSE(ana_.TakeReply(page));
  EXPECT_TRUE(bob_.Ask("session.ping").ok());
  EXPECT_TRUE(ana_.Ask("session.ping").ok());
  Say(ana_, "goes on");
  EXPECT_FALSE(ana_.TakeReply(page));
  server_.HoldReaders(false);
  server_.Settle();
  EXPECT_EQ(ana_.TakeReply(page)->Size("ok.messages"), 1u);
}

TEST_F(ColdReads, an_answer_contains_every_change_delivered_before_it) {
  ana_.TakeAll();
  MakeAllCold();
  server_.HoldReaders(true);
  ana_.Send("message.list", OfThread());
  server_.Settle();
  auto job = TakeAndRead();
  Say(bob_, "too late for the page");
  EXPECT_THAT(ana_.TakeAll(), IsEmpty()) << "held behind the answer, which does not contain it";
  GoBack(std::move(job));
  const auto frames = ana_.TakeAll();
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].Size("ok.messages"), 0u);
  EXPECT_EQ(frames[1].Line(), "message.created 4");
}

TEST_F(ColdReads, opening_a_thread_leaves_no_gap_between_its_reply_and_live_events) {
  FakeClient late = server_.Join("ana", protocol::Encoding::kJson, R"("deliver":"open")");
  MakeAllCold();
  server_.HoldReaders(true);
  late.Send("thread.open", OfThread());
  server_.Settle();
  Say(bob_, "in the answer");
  auto job = TakeAndRead();
  Say(bob_, "behind it");
  EXPECT_THAT(late.TakeAll(), IsEmpty());
  GoBack(std::move(job));
  const auto frames = late.TakeAll();
  ASSERT_GE(frames.size(), 2u);
  EXPECT_EQ(frames[0].Int("ok.lastSeq"), 4);
  EXPECT_EQ(frames[1].Line(), "message.created 5");
}

TEST_F(ColdReads, a_user_who_may_not_open_a_thread_receives_none_of_its_events) {
  FakeClient eve = server_.Join("eve", protocol::Encoding::kJson, R"("deliver":"open")");
  ASSERT_TRUE(bob_.Ask("thread.open", OfThread()).ok());
  MakeAllCold();
  server_.HoldReaders(true);
  eve.Send("thread.open", OfThread());
  server_.Settle();
  Say(ana_, "secret");
  bob_.Send("typing.set", Args({{"threadId", thread_}, {"typing", true}}));
  server_.HoldReaders(false);
  server_.Settle();
  EXPECT_THAT(Lines(eve.TakeAll()), ElementsAre("reply 2 THREAD_NOT_MEMBER"));
}

TEST_F(ColdReads, a_user_removed_during_an_open_is_not_subscribed) {
  FakeClient carl = server_.Join("carl");
  ASSERT_TRUE(ana_.Ask("participant.add", Args({{"threadId", thread_}, {"userId", "carl"}})).ok());
  carl.TakeAll();
  table_.SetCold([](const auto&, const auto* sort) { return sort == nullptr; });  // ranges
  server_.HoldReaders(true);
  carl.Send("thread.open", OfThread());
  server_.Settle();
  auto job = TakeAndRead();
  ASSERT_TRUE(ana_.Ask("participant.remove", Args({{"threadId", thread_}, {"userId", "carl"}})).ok());
  GoBack(std::move(job));
  EXPECT_TRUE(bob_.Ask("typing.set", Args({{"threadId", thread_}, {"typing", true}})).ok());
  EXPECT_THAT(Lines(carl.TakeAll()), ElementsAre("reply 2 ok", "participant.removed 5"));
}

TEST_F(ColdReads, catch_up_delivers_changes_made_after_reading_a_page_once_and_in_order) {
  Say(bob_, "one");
  MakeAllCold();
  server_.HoldReaders(true);
  FakeClient back = server_.Connect();
  back.Send("session.hello", R"({"token":")" + server_.Token("ana") + "\"," + Resume(0) + "}");
  server_.Settle();
  EXPECT_THAT(back.TakeAll(), IsEmpty());
  GoBack(TakeAndRead());  // the session's user
  GoBack(TakeAndRead());  // the changes that they missed
  EXPECT_THAT(Lines(back.TakeAll()), ElementsAre("reply 1 ok"));
  Say(bob_, "two");
  auto job = TakeAndRead();
  Say(bob_, "three");
  EXPECT_THAT(back.TakeAll(), IsEmpty());
  GoBack(std::move(job));
  EXPECT_THAT(Lines(back.TakeEvents()),
              ElementsAre("thread.created 1", "participant.added 2", "participant.added 3",
                          "message.created 4", "message.created 5", "thread.synced 5", "message.created 6"));
}

TEST_F(ColdReads, a_session_has_one_read_in_progress_and_others_take_turns) {
  MakeAllCold();
  server_.HoldReaders(true);
  std::vector<uint32_t> pages;
  for (int i = 0; i < 5; ++i) pages.push_back(ana_.Send("message.list", OfThread()));
  server_.Settle();
  EXPECT_EQ(pool().waiting(), 1u);
  const uint32_t bobs = bob_.Send("message.list", OfThread());
  server_.Settle();
  EXPECT_EQ(pool().waiting(), 2u);
  pool().Step();
  pool().Step();
  server_.Settle();
  EXPECT_TRUE(bob_.TakeReply(bobs));
  EXPECT_TRUE(ana_.TakeReply(pages[0]));
  EXPECT_FALSE(ana_.TakeReply(pages[1]));
  server_.HoldReaders(false);
  server_.Settle();
  for (size_t i = 1; i < pages.size(); ++i) EXPECT_TRUE(ana_.TakeReply(pages[i]));
}

TEST_F(ColdReads, a_later_read_does_not_overtake_an_earlier_one_with_older_data) {
  MakeAllCold();
  server_.HoldReaders(true);
  const uint32_t first = ana_.Send("message.list", OfThread());
  server_.Settle();
  auto job = TakeAndRead();
  Say(bob_, "news");
  table_.SetCold([](const auto&, const auto*) { return false; });
  const uint32_t second = ana_.Send("message.list", OfThread());
  server_.Settle();
  EXPECT_FALSE(ana_.TakeReply(second));
  GoBack(std::move(job));
  EXPECT_EQ(ana_.TakeReply(first)->Size("ok.messages"), 0u);
  EXPECT_EQ(ana_.TakeReply(second)->Size("ok.messages"), 1u) << "from memory, without a reader";
}

TEST_F(ColdReads, a_thread_closed_after_its_opening_stays_closed) {
  FakeClient late = server_.Join("ana", protocol::Encoding::kJson, R"("deliver":"open")");
  MakeAllCold();
  server_.HoldReaders(true);
  late.Send("thread.open", OfThread());
  late.Send("thread.close", OfThread());
  server_.Settle();
  server_.HoldReaders(false);
  server_.Settle();
  EXPECT_THAT(Lines(late.TakeAll()), ElementsAre("reply 2 ok", "reply 3 ok"));
  EXPECT_TRUE(bob_.Ask("typing.set", Args({{"threadId", thread_}, {"typing", true}})).ok());
  EXPECT_THAT(late.TakeAll(), IsEmpty());
}

TEST_F(ColdReads, of_a_closed_session_are_skipped) {
  MakeAllCold();
  server_.HoldReaders(true);
  const size_t made = Metric("parley_reads_from_storage_total");
  for (int i = 0; i < 3; ++i) ana_.Send("message.list", OfThread());
  bob_.Send("message.list", OfThread());
  server_.Settle();
  auto running = pool().Take();
  ana_.connection().HangUp();
  bob_.connection().HangUp();
  server_.Settle();
  EXPECT_FALSE(pool().Read(*running));
  server_.HoldReaders(false);
  EXPECT_TRUE(pool().Step());
  EXPECT_EQ(loop_.tasks(), 0u) << "nothing is posted to who is gone";
  EXPECT_EQ(Metric("parley_reads_given_up_total"), 2u);
  EXPECT_EQ(Metric("parley_reads_from_storage_total"), made);
}

TEST_F(ColdReads, requests_after_a_hello_wait_for_it_and_run_even_if_the_client_has_left) {
  MakeAllCold();
  server_.HoldReaders(true);
  FakeClient back = server_.Connect();
  back.Send("session.hello", R"({"token":")" + server_.Token("ana") + "\"," + Resume(0) + "}");
  back.Send("message.send",
            Args({{"threadId", thread_}, {"clientId", "m"}, {"type", "text"}, {"body", "said in time"}}));
  server_.Settle();
  GoBack(TakeAndRead());  // the session's user
  EXPECT_THAT(back.TakeAll(), IsEmpty());
  ana_.TakeAll();
  back.connection().HangUp();
  server_.Settle();
  EXPECT_THAT(Lines(ana_.TakeEvents()), ElementsAre("message.created 4"));
}

TEST_F(ColdReads, requests_of_a_client_that_hangs_up_during_its_hello_still_run) {
  MakeAllCold();
  server_.HoldReaders(true);
  FakeClient back = server_.Connect();
  back.Send("session.hello", R"({"token":")" + server_.Token("ana") + "\"," + Resume(0) + "}");
  back.Send("message.send",
            Args({{"threadId", thread_}, {"clientId", "m"}, {"type", "text"}, {"body", "said in time"}}));
  server_.Settle();
  EXPECT_THAT(back.TakeAll(), IsEmpty());
  ana_.TakeAll();
  back.connection().HangUp();
  server_.Settle();
  EXPECT_THAT(ana_.TakeEvents(), IsEmpty());
  server_.HoldReaders(false);
  server_.Settle();
  EXPECT_THAT(Lines(ana_.TakeEvents()), ElementsAre("message.created 4"));
}

TEST_F(ColdReads, typing_and_a_token_of_lesser_scope_wait_for_the_disk_too) {
  FakeClient sue = server_.Connect();
  ASSERT_TRUE(sue.Hello(server_.Token("sue", "support")).ok());
  ASSERT_TRUE(sue.Ask("thread.open", OfThread()).ok());
  ASSERT_TRUE(ana_.Ask("thread.open", OfThread()).ok());
  MakeAllCold();
  EXPECT_TRUE(bob_.Ask("typing.set", Args({{"threadId", thread_}, {"typing", true}})).ok());
  EXPECT_EQ(Lines(ana_.TakeEvents()).back(), "typing");
  EXPECT_EQ(Lines(sue.TakeEvents()).back(), "typing");
  EXPECT_TRUE(sue.Ask("session.refresh", Args({{"token", server_.Token("sue")}})).ok());
  EXPECT_TRUE(ana_.Ask("typing.set", Args({{"threadId", thread_}, {"typing", true}})).ok());
  EXPECT_THAT(sue.TakeEvents(), IsEmpty());
}

TEST_F(ColdReads, a_broadcast_runs_even_if_its_client_has_left) {
  const std::string leg = ana_.Ask("thread.create", Args({{"kind", "project"},
                                                          {"buyerUserId", "ana"},
                                                          {"sellerUserId", "bob"},
                                                          {"legId", "leg_1"},
                                                          {"lbgId", "lbg_1"}}))
                              .Text("ok.thread.threadId");
  bob_.TakeAll();
  MakeAllCold();
  server_.HoldReaders(true);
  ana_.Send("thread.broadcast", Args({{"lbgId", "lbg_1"}, {"clientId", "b"}, {"body", "to all"}}));
  server_.Settle();
  ana_.connection().HangUp();
  server_.HoldReaders(false);
  server_.Settle();
  EXPECT_EQ(Lines(bob_.TakeEvents()).back(), "message.created 4");
}

TEST_F(ColdReads, large_reads_go_to_a_reader_even_if_they_are_in_memory) {
  Say(ana_, "short");
  server_.HoldReaders(true);
  EXPECT_TRUE(ana_.Ask("message.list", OfThread()).ok()) << "a usual page is answered at once";
  for (int i = 0; i < 40; ++i) Say(ana_, std::to_string(i) + std::string(4'000, 'x'));
  const uint32_t large = ana_.Send("message.list", OfThread());
  server_.Settle();
  EXPECT_FALSE(ana_.TakeReply(large));
  EXPECT_TRUE(bob_.Ask("session.ping").ok());
  server_.HoldReaders(false);
  server_.Settle();
  EXPECT_EQ(ana_.TakeReply(large)->Size("ok.messages"), 41u);
}

TEST_F(ColdReads, tenants_take_turns) {
  std::string order;
  for (const char* owner : {"a", "a", "a", "b", "b"}) {
    gateway::ReadJob job{
        [&order, owner](const storage::Reader&) { order += owner; }, [] {}, &loop_, {}, owner};
    EXPECT_TRUE(pool().Submit(job));
  }
  server_.Settle();
  EXPECT_EQ(order, "ababa");
}

class FewReads : public ColdReads {
 protected:
  FewReads()
      : ColdReads([] {
          gateway::Config config = DemoConfig();
          config.reader_queue = 1;
          return config;
        }()) {}
};

TEST_F(FewReads, sessions_wait_when_the_queue_is_full_and_http_is_asked_to_retry) {
  MakeAllCold();
  server_.HoldReaders(true);
  const uint32_t anas = ana_.Send("message.list", OfThread()), bobs = bob_.Send("message.list", OfThread());
  server_.Settle();
  EXPECT_EQ(pool().waiting(), 1u);
  const auto http = server_.Http("POST", "/v1/ops/message.list", OfThread(),
                                 {{"Authorization", "Bearer " + server_.Token("ana")}});
  EXPECT_EQ(http.status, 503) << http.body;
  EXPECT_EQ(Metric("parley_reads_refused_total"), 2u);
  server_.HoldReaders(false);
  server_.Settle();
  EXPECT_TRUE(ana_.TakeReply(anas));
  EXPECT_FALSE(bob_.TakeReply(bobs));
  server_.Advance(200);
  EXPECT_TRUE(bob_.TakeReply(bobs)->ok());
}

}  // namespace
}  // namespace parley::gateway_test
