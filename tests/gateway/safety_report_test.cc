// A safety report over the whole server: only its creator and staff receive and read it; the others skip its
// seq, and no reply mentions it.
#include <gmock/gmock.h>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kSecret = "he-followed-me";

class SafetyReportOnTheWire : public testing::Test {
 protected:
  SafetyReportOnTheWire() {
    thread_ = world_.NewThread(ann_, "ann", "bob", {"carol", "sue"});
    world_.Say(carol_, thread_, "hello");
    Forget();
  }
  FakeClient Staff(const std::string& user) {
    FakeClient staff = world_->Connect();
    EXPECT_TRUE(staff.Hello(world_->Token(user, "support")).ok());
    return staff;
  }
  void Forget() {
    for (FakeClient* who : {&ann_, &bob_, &carol_, &sue_}) who->TakeEvents();
  }
  std::string In(const std::string& more = "") { return "{\"threadId\":\"" + thread_ + "\"" + more + "}"; }
  std::string ReportArgs(const std::string& key) {
    return In(R"(,"clientId":")" + key + R"(","type":"SAFETY","payload":{"reason":")" + kSecret +
              R"(","severity":"high"})");
  }
  std::string Report(FakeClient& who) {
    return who.Ask("card.create", ReportArgs("report")).Text("ok.messageId");
  }
  void Resolve(const std::string& report) {
    ASSERT_TRUE(sue_.Ask("card.act", In(R"(,"messageId":")" + report +
                                        R"(","intent":"resolve","version":1,"clientId":"r","reason":"r")"))
                    .ok());
  }
  // Checks that the reply does not mention the report.
  void ExpectSilent(const Frame& reply, const std::string& report, const std::string& what) {
    for (const std::string& word :
         {report, std::string(kSecret), std::string("SAFETY"), std::string("Safety")})
      EXPECT_EQ(reply.Json().find(word), std::string::npos)
          << what << " says " << word << ": " << reply.Json();
  }

  World world_{DemoConfig()};
  FakeClient ann_ = world_->Join("ann"), bob_ = world_->Join("bob"), carol_ = world_->Join("carol"),
             sue_ = Staff("sue");
  std::string thread_;
};

TEST_F(SafetyReportOnTheWire, only_its_creator_and_staff_receive_it_and_the_others_skip_its_seq) {
  Report(bob_);
  for (FakeClient* who : {&bob_, &sue_})
    EXPECT_THAT(Lines(who->TakeEvents()), ElementsAre("message.created 7", "card.updated 8"));
  for (FakeClient* who : {&ann_, &carol_}) {
    const auto received = who->TakeEvents();
    ASSERT_THAT(Lines(received), ElementsAre("skip 7", "skip 8"));
    EXPECT_EQ(received[0].Json(), R"({"ev":"skip","threadId":")" + thread_ + R"(","seq":7})");
  }
}

TEST_F(SafetyReportOnTheWire, two_of_them_in_one_batch_reach_only_their_own_creators) {
  world_->HoldExecutor(true);
  const auto say = [&](const std::string& body) {
    carol_.Send("message.send", In(R"(,"clientId":")" + body + R"(","type":"text","body":")" + body + "\""));
  };
  say("x");
  world_->Settle();
  bob_.Send("card.create", ReportArgs("b"));
  world_->Settle();
  say("y");
  world_->Settle();
  ann_.Send("card.create", ReportArgs("a"));
  world_->Settle();
  say("z");
  world_->Settle();
  world_->HoldExecutor(false);
  world_->Settle();
  const std::string x = "message.created 7", y = "message.created 10", z = "message.created 13";
  EXPECT_THAT(Lines(carol_.TakeEvents()), ElementsAre(x, "skip 8", "skip 9", y, "skip 11", "skip 12", z));
  EXPECT_THAT(Lines(bob_.TakeEvents()),
              ElementsAre(x, "message.created 8", "card.updated 9", y, "skip 11", "skip 12", z));
  EXPECT_THAT(Lines(ann_.TakeEvents()),
              ElementsAre(x, "skip 8", "skip 9", y, "message.created 11", "card.updated 12", z));
  EXPECT_THAT(Lines(sue_.TakeEvents()), ElementsAre(x, "message.created 8", "card.updated 9", y,
                                                    "message.created 11", "card.updated 12", z));
}

TEST_F(SafetyReportOnTheWire, no_read_by_others_mentions_it) {
  const std::string report = Report(bob_);
  Resolve(report);
  const std::string open = Report(ann_);  // an open one by another user
  const std::vector<std::pair<const char*, std::string>> reads = {{"thread.get", In()},
                                                                  {"thread.open", In(R"(,"afterSeq":0)")},
                                                                  {"thread.open", In(R"(,"limit":1)")},
                                                                  {"thread.changes", In(R"(,"afterSeq":0)")},
                                                                  {"message.list", In()},
                                                                  {"message.list", In(R"(,"limit":1)")},
                                                                  {"card.list", In()},
                                                                  {"card.list", In(R"(,"open":true)")},
                                                                  {"card.list", In(R"(,"open":false)")},
                                                                  {"tab.get", In(R"(,"tab":"actions")")},
                                                                  {"participant.list", In()},
                                                                  {"inbox.list", "{}"},
                                                                  {"inbox.list", R"({"folder":"action"})"},
                                                                  {"inbox.counts", "{}"},
                                                                  {"inbox.explain", In()}};
  for (const auto& [op, args] : reads) {
    const Frame reply = carol_.Ask(op, args);
    ASSERT_TRUE(reply.ok()) << op << reply.Json();
    ExpectSilent(reply, report, op);
    ExpectSilent(reply, open, op);
  }
  EXPECT_EQ(carol_.Ask("inbox.list", R"({"folder":"action"})").Size("ok.entries"), 0u);
  EXPECT_EQ(ann_.Ask("inbox.list", R"({"folder":"action"})").Size("ok.entries"), 1u);
  for (FakeClient* who : {&ann_, &sue_})
    EXPECT_NE(who->Ask("message.list", In()).Json().find(open), std::string::npos);
  EXPECT_EQ(bob_.Ask("message.list", In()).Json().find(open), std::string::npos) << "whom it is about";
  EXPECT_NE(Staff("dora").Ask("card.list", In()).Json().find(open), std::string::npos) << "staff that looks";
}

TEST_F(SafetyReportOnTheWire, pages_skip_it) {
  Resolve(Report(bob_));
  world_.Say(carol_, thread_, "later");
  std::vector<std::string> seen;
  std::string before;
  for (int page = 0; page < 9 && before != "null"; ++page) {
    const Frame list =
        ann_.Ask("message.list", In(R"(,"limit":1)" + (before.empty() ? "" : ",\"before\":" + before)));
    for (size_t i = 0; i < list.Size("ok.messages"); ++i)
      seen.push_back(list.Text("ok.messages." + std::to_string(i) + ".body"));
    before = list.Json("ok.cursor");
  }
  EXPECT_THAT(seen, ElementsAre("later", "hello"));
  int64_t after = 6;
  std::vector<int64_t> changed;
  for (bool more = true; more && changed.size() < 9;) {
    const Frame page = ann_.Ask("thread.changes", In(R"(,"limit":1,"afterSeq":)" + std::to_string(after)));
    more = page.Bool("ok.more");
    ASSERT_EQ(page.Size("ok.changes"), 1u) << "a page that is empty while there is more leads nowhere";
    changed.push_back(after = page.Int("ok.changes.0.seq"));
  }
  EXPECT_THAT(changed, ElementsAre(11));
}

TEST_F(SafetyReportOnTheWire, items_around_it_are_read_as_if_it_did_not_exist) {
  const std::string report = Report(bob_);
  Resolve(report);
  world_.Say(carol_, thread_, "later");
  const auto bodies = [&](FakeClient& who, const std::string& more) {
    const Frame list = who.Ask("message.list", In(more));
    ExpectSilent(list, report, more);
    std::string out;
    for (size_t i = 0; i < list.Size("ok.messages"); ++i)
      out += list.Text("ok.messages." + std::to_string(i) + ".body") + " ";
    return out;
  };
  const std::string hello = ann_.Ask("message.list", In()).Text("ok.messages.1.messageId");
  EXPECT_EQ(bodies(ann_, R"(,"after":")" + hello + R"(","limit":1)"), "later ");
  EXPECT_EQ(bodies(ann_, R"(,"before":")" + report + R"(","limit":1)"), "hello ");
  EXPECT_EQ(bodies(ann_, R"(,"after":")" + report + R"(","limit":1)"), "later ");
  const Frame explained = ann_.Ask("inbox.explain", In());
  EXPECT_EQ(explained.Int("ok.unread"), 2);
}

TEST_F(SafetyReportOnTheWire, changes_nothing_in_inboxes_and_project_lists_of_the_others) {
  const std::string bound = R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob","lbgId":"lbg_1"})";
  const std::string first = ann_.Ask("thread.create", bound).Text("ok.thread.threadId");
  world_->Advance(1'000);
  world_.Say(carol_, thread_, "newer");
  const auto seen = [&] {
    std::string out = ann_.Ask("inbox.counts").Json("ok");
    const Frame inbox = ann_.Ask("inbox.list"),
                projects = ann_.Ask("thread.byProject", R"({"lbgId":"lbg_1"})");
    for (const char* i : {"0", "1"}) {
      const std::string entry = std::string("ok.entries.") + i;
      for (const char* field : {".threadId", ".lastMessageAt", ".lastMessage", ".unread", ".openCards"})
        out += inbox.Json(entry + field) + " ";
    }
    for (const char* field : {"threadId", "lastMessageAt", "pins", "disputeMessageId", "version", "status"})
      out += projects.Json(std::string("ok.threads.0.") + field) + " ";
    return out;
  };
  const std::string before = seen();
  world_->Advance(1'000);
  thread_ = first;
  const std::string report = Report(bob_);
  EXPECT_EQ(seen(), before);
  ExpectSilent(ann_.Ask("inbox.list"), report, "inbox.list");
  ExpectSilent(ann_.Ask("thread.byProject", R"({"lbgId":"lbg_1"})"), report, "thread.byProject");
  Resolve(report);
  EXPECT_EQ(seen(), before);
}

TEST_F(SafetyReportOnTheWire, inbox_events_of_others_do_not_mention_it) {
  FakeClient ann = world_->Connect();
  ASSERT_TRUE(ann.Hello(world_->Token("ann"), R"("deliver":"open")").ok());
  const std::string before = ann.Ask("inbox.list").Json("ok.entries.0.lastMessage");
  ann.TakeEvents();
  const std::string report = Report(bob_);
  world_->Settle();
  for (const Frame& event : ann.TakeEvents()) {
    ExpectSilent(event, report, event.ev());
    ASSERT_EQ(event.ev(), "inbox.updated");
    EXPECT_EQ(event.Json("entry.lastMessage"), before);
    EXPECT_EQ(event.Int("entry.openCards"), 0);
  }
}

TEST_F(SafetyReportOnTheWire, leaves_the_others_entries_unchanged) {
  const auto entry = [&](FakeClient& who) {
    const Frame list = who.Ask("inbox.list");
    std::string out;
    for (const char* field : {"lastMessageAt", "lastMessage", "unread", "openCards"})
      out += list.Json(std::string("ok.entries.0.") + field) + " ";
    return out;
  };
  const std::string ann = entry(ann_), carol = entry(carol_);
  world_->Advance(1'000);
  const std::string report = Report(bob_);
  EXPECT_EQ(entry(ann_), ann);
  EXPECT_EQ(entry(carol_), carol);
  Resolve(report);
  EXPECT_EQ(entry(ann_), ann);
  const Frame explained = ann_.Ask("inbox.explain", In());
  EXPECT_EQ(explained.Int("ok.unread"), 1);
  EXPECT_EQ(explained.Int("ok.excluded.deleted"), 2);
  EXPECT_EQ(explained.Int("ok.lastMsgNo"), 3);
}

TEST_F(SafetyReportOnTheWire, catch_up_omits_it_and_ends_at_the_threads_seq) {
  const std::string report = Report(bob_);
  world_.Say(carol_, thread_, "later");
  const std::string resume = R"("resume":{"epoch":"epoch-1","threads":{")" + thread_ + R"(":6}})";
  FakeClient bob = world_->Connect(), ann = world_->Connect();
  bob.Hello(world_->Token("bob"), resume);
  EXPECT_THAT(Lines(bob.TakeEvents()),
              ElementsAre("message.created 7", "card.updated 8", "message.created 9", "thread.synced 9"));
  ann.Hello(world_->Token("ann"), resume);
  const auto reported = ann.TakeEvents();
  EXPECT_THAT(Lines(reported), ElementsAre("message.created 9", "thread.synced 9"));
  for (const Frame& event : reported) ExpectSilent(event, report, "catch-up");
  Resolve(report);
  EXPECT_THAT(Lines(ann.TakeEvents()), ElementsAre("skip 10", "skip 11"));
}

TEST_F(SafetyReportOnTheWire, marking_it_read_sends_the_others_no_event_about_it) {
  const std::string report = Report(bob_);
  Forget();
  ASSERT_TRUE(bob_.Ask("read.mark", In(R"(,"messageId":")" + report + "\"")).ok());
  for (FakeClient* who : {&ann_, &carol_}) {
    for (const Frame& event : who->TakeEvents()) ExpectSilent(event, report, "a receipt");
  }
}

}  // namespace
}  // namespace parley::gateway_test
