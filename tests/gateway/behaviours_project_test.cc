// The checklist's lines on projects, over the whole server on a fake network: the panel, the life of a
// thread, folders, marks and broadcasts. Cards have a separate file.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

constexpr int64_t kHour = 3'600'000, kDay = 24 * kHour;

std::string Q(const std::string& text) {
  return "\"" + text + "\"";
}

class ProjectBehaviours : public testing::Test {
 protected:
  ProjectBehaviours() : ann_(world_->Join("ann")), bob_(world_->Join("bob")) {}

  std::string Create(const std::string& kind, const std::string& more = "") {
    return ann_
        .Ask("thread.create", R"({"buyerUserId":"ann","sellerUserId":"bob","kind":)" + Q(kind) + more + "}")
        .Text("ok.thread.threadId");
  }
  static std::string In(const std::string& thread, const std::string& more = "") {
    return "{\"threadId\":" + Q(thread) + more + "}";
  }
  static Frame Send(FakeClient& who, const std::string& thread, const std::string& body) {
    return who.Ask("message.send",
                   In(thread, R"(,"type":"text","clientId":)" + Q(body) + R"(,"body":)" + Q(body)));
  }
  static Frame Put(FakeClient& who, const std::string& thread, const std::string& tab, int version,
                   const std::string& content) {
    return who.Ask("tab.put", In(thread, R"(,"tab":)" + Q(tab) + R"(,"version":)" + std::to_string(version) +
                                             R"(,"content":)" + content));
  }
  static std::vector<std::string> Listed(FakeClient& who, const std::string& args) {
    const Frame page = who.Ask("inbox.list", args);
    std::vector<std::string> out;
    for (size_t i = 0; i < page.Size("ok.entries"); ++i)
      out.push_back(page.Text("ok.entries." + std::to_string(i) + ".threadId"));
    return out;
  }
  static bool Has(FakeClient& who, const std::string& thread, const std::string& folder) {
    const auto listed = Listed(who, R"({"folder":)" + Q(folder) + "}");
    return std::find(listed.begin(), listed.end(), thread) != listed.end();
  }
  static int64_t Count(FakeClient& who, const std::string& folder) {
    const Frame counts = who.Ask("inbox.counts");
    for (size_t i = 0; i < counts.Size("ok.folders"); ++i) {
      const std::string at = "ok.folders." + std::to_string(i);
      if (counts.Text(at + ".folder") == folder) return counts.Int(at + ".threads");
    }
    return -1;
  }
  static std::string Code(const Frame& reply) { return reply.Has("error") ? reply.Text("error.code") : "ok"; }
  FakeClient Staff() {
    FakeClient staff = world_->Connect();
    staff.Hello(world_->Token("mod", "moderator"));
    return staff;
  }
  // As the tenant's back end; the ok map itself, or {"error": …}.
  Frame Service(const std::string& op, const std::string& args, const std::string& user = "") {
    std::vector<std::pair<std::string, std::string>> headers = {
        {"Authorization", "Bearer " + world_->service_key()}};
    if (!user.empty()) headers.emplace_back("Parley-User", user);
    return Frame(protocol::Encoding::kJson, world_->Http("POST", "/v1/ops/" + op, args, headers).body);
  }
  std::vector<Frame> Events(FakeClient& who, const std::string& name) {
    std::vector<Frame> out;
    for (const Frame& event : who.TakeEvents()) {
      if (event.Text("ev") == name) out.push_back(event);
    }
    return out;
  }

  static gateway::Config Settings() {
    gateway::Config config = DemoConfig();
    config.folders = "starred,inquiries,bookings,offers";
    return config;
  }
  World world_{Settings()};
  FakeClient ann_, bob_;
};

TEST_F(ProjectBehaviours, behaviour_003_a_replayed_checkout_changes_nothing_not_even_after_a_rebinding) {
  const std::string thread = Create("inquiry");
  const auto promote = [&](const std::string& leg, const std::string& event) {
    return Service("thread.promote", In(thread, R"(,"legId":)" + Q(leg) + R"(,"eventId":)" + Q(event)));
  };
  ASSERT_EQ(promote("leg_1", "e1").Text("thread.kind"), "project");
  const int64_t seq = promote("leg_2", "e2").Int("thread.lastSeq");
  EXPECT_GT(seq, 0);
  const Frame replayed = promote("leg_1", "e1");
  EXPECT_EQ(replayed.Text("thread.legId"), "leg_2");
  EXPECT_EQ(replayed.Int("thread.lastSeq"), seq);
}

TEST_F(ProjectBehaviours, behaviour_005_the_panel_is_closed_on_an_inquiry_and_open_on_a_project) {
  const std::string inquiry = Create("inquiry", R"(,"brief":{"title":"Saturday"})");
  EXPECT_EQ(Code(Put(ann_, inquiry, "moodboard", 0, R"({"pins":[]})")), "FORBIDDEN");
  EXPECT_EQ(Code(Put(ann_, inquiry, "brief", 1, R"({"title":"x"})")), "FORBIDDEN");
  Service("thread.promote", In(inquiry, R"(,"legId":"leg_1","eventId":"e1")"));
  EXPECT_EQ(Code(Put(ann_, inquiry, "moodboard", 0, R"({"pins":[]})")), "ok");
  EXPECT_EQ(Code(Put(ann_, inquiry, "brief", 1, R"({"title":"x"})")), "ok");
}

TEST_F(ProjectBehaviours, behaviour_007_a_broadcast_goes_once_into_each_leg_thread_and_replies_stay_there) {
  const std::string talent = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_1")");
  world_.clock().Advance(10);
  const std::string studio = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_2")");
  const std::string group = Create("project", R"(,"lbgId":"lbg_1")");  // no leg's
  const std::string args = R"({"lbgId":"lbg_1","clientId":"b1","body":"We start at ten."})";
  const Frame sent = ann_.Ask("thread.broadcast", args);
  ASSERT_EQ(sent.Size("ok.sent"), 2u);
  EXPECT_EQ(sent.Text("ok.sent.0.threadId"), talent);
  EXPECT_EQ(sent.Text("ok.sent.1.threadId"), studio);
  EXPECT_FALSE(sent.Bool("ok.duplicate"));
  for (const std::string& thread : {talent, studio}) {
    const Frame page = bob_.Ask("message.list", In(thread));
    ASSERT_EQ(page.Size("ok.messages"), 1u);
    EXPECT_EQ(page.Text("ok.messages.0.body"), "We start at ten.");
    EXPECT_EQ(page.Text("ok.messages.0.broadcast.banner"), "Sent to both bookings");
    EXPECT_EQ(page.Text("ok.messages.0.clientId"), "b1");
  }
  EXPECT_EQ(bob_.Ask("message.list", In(group)).Size("ok.messages"), 0u);

  const Frame again = ann_.Ask("thread.broadcast", args);
  EXPECT_TRUE(again.Bool("ok.duplicate"));
  EXPECT_EQ(again.Text("ok.sent.0.messageId"), sent.Text("ok.sent.0.messageId"));
  EXPECT_EQ(Code(ann_.Ask("thread.broadcast", R"({"lbgId":"lbg_1","clientId":"b1","body":"At nine."})")),
            "IDEMPOTENCY_CONFLICT");

  Send(bob_, studio, "fine");
  EXPECT_EQ(ann_.Ask("message.list", In(talent)).Size("ok.messages"), 1u);
  EXPECT_EQ(ann_.Ask("message.list", In(studio)).Size("ok.messages"), 2u);
}

TEST_F(ProjectBehaviours, behaviour_007_a_broadcast_says_to_how_many_bookings_it_went) {
  const std::string talent = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_1")");
  const auto banner = [&](const std::string& client) {
    ann_.Ask("thread.broadcast", R"({"lbgId":"lbg_1","body":"hello","clientId":)" + Q(client) + "}");
    const Frame page = bob_.Ask("message.list", In(talent));
    EXPECT_EQ(page.Text("ok.messages.0.clientId"), client);
    const std::string at = "ok.messages.0.broadcast.banner";
    return page.Has(at) ? page.Text(at) : "";
  };
  EXPECT_EQ(banner("b1"), "") << "it is the only one";
  const std::string studio = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_2")");
  EXPECT_EQ(banner("b2"), "Sent to both bookings");
  Create("project", R"(,"lbgId":"lbg_1","legId":"leg_3")");
  EXPECT_EQ(banner("b3"), "Sent to all 3 bookings");
  const std::string sent = bob_.Ask("message.list", In(talent)).Text("ok.messages.0.messageId");
  const std::string answer = R"(,"type":"text","clientId":"r","body":"fine","replyTo":)" + Q(sent);
  EXPECT_EQ(Code(bob_.Ask("message.send", In(studio, answer))), "NOT_FOUND")
      << "each thread has its own copy";
  EXPECT_EQ(Code(bob_.Ask("message.send", In(talent, answer))), "ok");
  EXPECT_EQ(bob_.Ask("message.list", In(studio)).Size("ok.messages"), 2u);
}

TEST_F(ProjectBehaviours, behaviour_007_a_repeated_broadcast_completes_what_was_missing) {
  const std::string talent = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_1")");
  world_.clock().Advance(10);
  const std::string studio = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_2")");
  FakeClient staff = Staff();
  staff.Ask("thread.setStatus", In(studio, R"(,"status":"locked","reason":"r")"));
  const std::string args = R"({"lbgId":"lbg_1","clientId":"b1","body":"hello"})";
  EXPECT_EQ(ann_.Ask("thread.broadcast", args).Text("ok.sent.1.error"), "THREAD_LOCKED");
  staff.Ask("thread.setStatus", In(studio, R"(,"status":"open","reason":"r")"));
  Create("project", R"(,"lbgId":"lbg_1","legId":"leg_3")");  // came later: not among those that were reserved
  const Frame completed = ann_.Ask("thread.broadcast", args);
  ASSERT_EQ(completed.Size("ok.sent"), 2u);
  EXPECT_FALSE(completed.Bool("ok.duplicate"));
  EXPECT_EQ(ann_.Ask("message.list", In(talent)).Size("ok.messages"), 1u);
  EXPECT_EQ(ann_.Ask("message.list", In(studio)).Size("ok.messages"), 1u);
}

TEST_F(ProjectBehaviours, behaviour_007_only_owners_broadcast_and_services_for_them) {
  const std::string talent =
      Create("project", R"(,"lbgId":"lbg_1","legId":"leg_1","participants":[{"userId":"mua"}])");
  FakeClient mua = world_->Join("mua"), eve = world_->Join("eve");
  const std::string args = R"({"lbgId":"lbg_1","clientId":"b1","body":"hello"})";
  EXPECT_EQ(Code(mua.Ask("thread.broadcast", args)), "FORBIDDEN");
  EXPECT_EQ(Code(eve.Ask("thread.broadcast", args)), "NOT_FOUND");
  EXPECT_EQ(Code(ann_.Ask("thread.broadcast", R"({"lbgId":"lbg_2","clientId":"b1","body":"x"})")),
            "NOT_FOUND");
  EXPECT_EQ(Code(ann_.Ask("thread.broadcast", R"({"lbgId":"lbg_1","clientId":"b2","body":""})")),
            "BAD_REQUEST");
  EXPECT_EQ(Code(Service("thread.broadcast", args)), "FORBIDDEN") << "it has an author";
  EXPECT_EQ(Service("thread.broadcast", args, "bob").Size("sent"), 1u);
  EXPECT_EQ(ann_.Ask("message.list", In(talent)).Text("ok.messages.0.authorUserId"), "bob");
}

TEST_F(ProjectBehaviours, behaviour_008_a_locked_thread_refuses_changes_of_the_panel_and_marks) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "hello").Text("ok.messageId");
  FakeClient staff = Staff();
  staff.Ask("thread.setStatus", In(thread, R"(,"status":"locked","reason":"review")"));
  EXPECT_EQ(Code(Put(ann_, thread, "brief", 0, R"({"title":"x"})")), "THREAD_LOCKED");
  EXPECT_EQ(Code(ann_.Ask("message.pin", In(thread, R"(,"pinned":true,"messageId":)" + Q(message)))),
            "THREAD_LOCKED");
  EXPECT_EQ(Code(ann_.Ask("tab.get", In(thread, R"(,"tab":"brief")"))), "ok");
  staff.Ask("thread.setStatus", In(thread, R"(,"status":"open","reason":"done")"));
  EXPECT_EQ(Code(Put(ann_, thread, "brief", 0, R"({"title":"x"})")), "ok");
}

TEST_F(ProjectBehaviours, behaviour_010_a_thread_idle_for_180_days_is_put_away_and_can_be_taken_back) {
  const std::string idle = Create("project"), busy = Create("project");
  Send(ann_, idle, "hello");
  world_->Advance(100 * kDay);  // nobody pings meanwhile: the devices reconnect each time
  ann_ = world_->Join("ann");
  Send(ann_, busy, "still here");
  world_->Advance(80 * kDay - kHour);
  FakeClient ann = world_->Join("ann"), bob = world_->Join("bob");
  EXPECT_TRUE(Has(ann, idle, "all"));
  world_->Advance(2 * kHour);
  ann = world_->Join("ann");
  bob = world_->Join("bob");
  for (FakeClient* who : {&ann, &bob}) {
    EXPECT_FALSE(Has(*who, idle, "all"));
    EXPECT_TRUE(Has(*who, idle, "archived"));
    EXPECT_TRUE(Has(*who, busy, "all"));
  }
  EXPECT_EQ(ann.Ask("thread.get", In(idle)).Text("ok.thread.status"), "open") << "only the inbox flag";
  EXPECT_EQ(ann.Ask("message.list", In(idle)).Size("ok.messages"), 1u) << "nothing is deleted";
  ann.Ask("inbox.set", In(idle, R"(,"archived":false)"));
  EXPECT_TRUE(Has(ann, idle, "all"));
  Send(ann, idle, "anybody?");
  EXPECT_TRUE(Has(bob, idle, "all"));
}

TEST_F(ProjectBehaviours, behaviour_011_a_snoozed_thread_returns_when_its_time_has_come_without_being_asked) {
  const std::string thread = Create("project");
  Send(bob_, thread, "hello");
  const std::string until = protocol::FormatTime({world_.clock().Now().ms + kHour / 2});
  EXPECT_EQ(ann_.Ask("inbox.set", In(thread, R"(,"snoozedUntil":)" + Q(until))).Text("ok.entry.snoozedUntil"),
            until);
  EXPECT_FALSE(Has(ann_, thread, "all"));
  EXPECT_TRUE(Has(ann_, thread, "snoozed"));
  EXPECT_EQ(Count(ann_, "all"), 0);
  EXPECT_TRUE(Has(bob_, thread, "all"));
  const auto pass = [&](int64_t ms) {
    for (; ms > 0; ms -= 10'000) {
      ann_.connection().Pong();
      world_->Advance(std::min<int64_t>(ms, 10'000));
    }
  };
  pass(kHour / 2 - 1000);
  EXPECT_TRUE(Has(ann_, thread, "snoozed"));
  ann_.TakeEvents();
  pass(1000);
  const auto told = Events(ann_, "inbox.updated");
  ASSERT_EQ(told.size(), 1u) << "the owner's devices hear of it";
  EXPECT_EQ(told[0].Json("entry.snoozedUntil"), "null");
  EXPECT_TRUE(Has(ann_, thread, "all"));
  EXPECT_EQ(Count(ann_, "all"), 1);
}

TEST_F(ProjectBehaviours, behaviour_011_a_snooze_ends_though_the_server_was_away_when_its_time_came) {
  const std::string thread = Create("project");
  const std::string until = protocol::FormatTime({world_.clock().Now().ms + kHour});
  ann_.Ask("inbox.set", In(thread, R"(,"snoozedUntil":)" + Q(until)));
  world_.clock().Advance(3 * kHour);
  world_.Restart();
  world_->Settle();
  FakeClient ann = world_->Join("ann");
  EXPECT_TRUE(Has(ann, thread, "all"));
}

TEST_F(ProjectBehaviours, behaviour_011_a_thread_snoozed_until_an_event_returns_at_that_event_and_no_other) {
  const std::string thread = Create("project"), other = Create("project", R"(,"legId":"leg_2")");
  const auto snooze = [&](const std::string& in, const std::string& more) {
    const Frame set = ann_.Ask("inbox.set", In(in, more));
    const std::string at = "ok.entry.snoozedUntilEvent";
    return set.Has(at) ? set.Text(at) : "";
  };
  const std::string cancel = R"(,"clientId":"k","type":"CANCEL_REQUEST","payload":{"reason":"r"})";
  EXPECT_EQ(snooze(thread, R"(,"snoozedUntilEvent":"card")"), "card");
  EXPECT_TRUE(Has(ann_, thread, "snoozed"));
  Send(bob_, thread, "hello");
  EXPECT_TRUE(Has(ann_, thread, "snoozed")) << "a message is not what it waits for";
  EXPECT_FALSE(Has(ann_, thread, "all"));
  bob_.Ask("card.create", In(thread, cancel));
  EXPECT_TRUE(Has(ann_, thread, "all"));
  EXPECT_FALSE(Has(ann_, thread, "snoozed"));

  EXPECT_EQ(snooze(thread, R"(,"snoozedUntilEvent":"status")"), "status");
  Send(bob_, thread, "again");
  EXPECT_TRUE(Has(ann_, thread, "snoozed"));
  Staff().Ask("thread.setStatus", In(thread, R"(,"status":"locked","reason":"r")"));
  EXPECT_TRUE(Has(ann_, thread, "all"));

  EXPECT_EQ(snooze(other, R"(,"snoozedUntilEvent":"card")"), "card");
  bob_.Ask("card.create",
           In(other, R"(,"clientId":"s","type":"SAFETY","payload":{"reason":"r","severity":"low"})"));
  EXPECT_TRUE(Has(ann_, other, "snoozed")) << "nobody learns of a safety report that way";
  EXPECT_EQ(snooze(other, R"(,"snoozedUntil":null)"), "");
  EXPECT_TRUE(Has(ann_, other, "all"));

  EXPECT_EQ(snooze(other, R"(,"snoozedUntilEvent":"message")"), "message");
  EXPECT_TRUE(Has(ann_, other, "snoozed")) << "without an end in time";
  const std::string until = protocol::FormatTime({world_.clock().Now().ms + kHour});
  EXPECT_EQ(snooze(other, R"(,"snoozedUntilEvent":"status","snoozedUntil":)" + Q(until)), "status");
  world_.clock().Advance(kHour);
  world_.Restart();
  world_->Settle();
  FakeClient ann = world_->Join("ann");
  EXPECT_TRUE(Has(ann, other, "all")) << "its time came first";
}

TEST_F(ProjectBehaviours, behaviour_011_who_snoozed_a_thread_finds_it_there_and_not_put_away_as_idle) {
  const std::string thread = Create("project");
  Send(bob_, thread, "hello");
  ann_.Ask("inbox.set", In(thread, R"(,"snoozedUntilEvent":"card")"));
  world_->Advance(180 * kDay + kHour);
  FakeClient ann = world_->Join("ann"), bob = world_->Join("bob");
  EXPECT_TRUE(Has(bob, thread, "archived"));
  EXPECT_FALSE(Has(ann, thread, "archived"));
  EXPECT_TRUE(Has(ann, thread, "snoozed"));
  bob.Ask("card.create", In(thread, R"(,"clientId":"k","type":"CANCEL_REQUEST","payload":{"reason":"r"})"));
  EXPECT_TRUE(Has(ann, thread, "all"));
}

TEST_F(ProjectBehaviours, behaviour_012_buyer_and_seller_can_not_be_demoted_by_each_other) {
  const std::string thread = Create("project");
  const auto change = [&](FakeClient& who, const std::string& of, const std::string& more) {
    return Code(who.Ask("participant.update", In(thread, R"(,"userId":)" + Q(of) + more)));
  };
  EXPECT_EQ(change(ann_, "bob", R"(,"permission":"read")"), "FORBIDDEN");
  EXPECT_EQ(change(bob_, "ann", R"(,"roleContext":"admin")"), "FORBIDDEN");
  ann_.Ask("participant.add", In(thread, R"(,"userId":"mua","permission":"owner")"));
  FakeClient mua = world_->Join("mua");
  EXPECT_EQ(change(mua, "bob", R"(,"permission":"files")"), "FORBIDDEN") << "nor through somebody else";
  EXPECT_EQ(Code(Send(bob_, thread, "still here")), "ok");
  ann_.Ask("participant.remove", In(thread, R"(,"userId":"bob")"));
  ann_.Ask("participant.add", In(thread, R"(,"userId":"bob","permission":"read")"));
  EXPECT_EQ(bob_.Ask("thread.get", In(thread)).Text("ok.me.permission"), "owner") << "nor by that detour";
  EXPECT_EQ(Service("participant.update", In(thread, R"(,"userId":"bob","permission":"read")"))
                .Text("participant.permission"),
            "read");
  EXPECT_EQ(Code(Send(bob_, thread, "and now?")), "FORBIDDEN");
}

TEST_F(ProjectBehaviours, behaviour_012_secondary_participants_read_and_those_with_files_send_only_files) {
  const std::string thread = Create("project");
  for (const char* who : {"read", "files"}) {
    ann_.Ask("participant.add", In(thread, R"(,"userId":)" + Q(who) + R"(,"permission":)" + Q(who)));
  }
  FakeClient reader = world_->Join("read"), files = world_->Join("files");
  const std::string asset =
      R"(,"clientId":"a","type":"asset","body":"","attachments":[{"kind":"preview","s3Key":"k"}])";
  const std::string message = Send(ann_, thread, "hello").Text("ok.messageId");
  for (FakeClient* who : {&reader, &files}) {
    EXPECT_EQ(Code(Send(*who, thread, "hi")), "FORBIDDEN");
    EXPECT_EQ(Code(Put(*who, thread, "brief", 0, R"({"title":"x"})")), "FORBIDDEN");
    EXPECT_EQ(Code(who->Ask("card.create",
                            In(thread, R"(,"clientId":"k","type":"SHARE_LOCATION","payload":)"
                                       R"({"latE6":1,"lonE6":2,"until":"2030-01-01T00:00:00.000Z"})"))),
              "FORBIDDEN");
    EXPECT_EQ(
        Code(who->Ask("card.create", In(thread, R"(,"clientId":"k2","type":"CUSTOM","payload":{},)"
                                                R"("allowedTransitions":[{"intent":"a","toState":"B"}])"))),
        "FORBIDDEN");
    EXPECT_EQ(Code(who->Ask("message.pin", In(thread, R"(,"pinned":true,"messageId":)" + Q(message)))),
              "FORBIDDEN");
    EXPECT_EQ(Code(who->Ask("participant.add", In(thread, R"(,"userId":"x")"))), "FORBIDDEN");
    const std::string react = R"(,"emoji":"👍","on":true,"messageId":)" + Q(message);
    EXPECT_EQ(Code(who->Ask("message.react", In(thread, react))), "FORBIDDEN");
    EXPECT_EQ(Code(who->Ask("thread.update", In(thread, R"(,"version":1,"subject":"x")"))), "FORBIDDEN");
    EXPECT_EQ(Code(Put(*who, thread, "files", 0, R"({"finals":[]})")), "FORBIDDEN");
    EXPECT_EQ(who->Ask("message.list", In(thread)).Size("ok.messages"), 1u);
  }
  EXPECT_EQ(Code(reader.Ask("message.send", In(thread, asset))), "FORBIDDEN");
  EXPECT_EQ(Code(files.Ask("message.send", In(thread, asset))), "ok");
  const std::string caption =
      R"(,"clientId":"b","type":"asset","body":"call me","attachments":[{"kind":"preview","s3Key":"k"}])";
  EXPECT_EQ(Code(files.Ask("message.send", In(thread, caption))), "FORBIDDEN");
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages"), 2u);
}

TEST_F(ProjectBehaviours, behaviour_014_system_messages_tell_of_signed_documents_receipts_and_deliveries) {
  const std::string thread = Create("project");
  const auto feed = [&](const std::string& tab, int version, const std::string& content) {
    return Service("tab.put", In(thread, R"(,"tab":)" + Q(tab) + R"(,"version":)" + std::to_string(version) +
                                             R"(,"content":)" + content));
  };
  feed("docs", 0, R"({"envelopes":[{"docId":"doc_1","title":"Contract","status":"sent"}]})");
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages"), 0u);
  feed("docs", 1,
       R"({"envelopes":[{"docId":"doc_1","title":"Contract","status":"signed","sha256":"ab12"}]})");
  feed("expenses", 0,
       R"({"lines":[{"lineId":"l1","kind":"payment","amountCents":5000,"receiptRef":"rcp_1"}]})");
  Put(bob_, thread, "files", 0, R"({"finals":[{"manifestRef":"mf_1","name":"Album"}]})");
  const Frame page = ann_.Ask("message.list", In(thread));
  ASSERT_EQ(page.Size("ok.messages"), 3u);
  EXPECT_EQ(page.Text("ok.messages.2.body"), "Document signed: Contract (doc_1, sha256 ab12)");
  EXPECT_EQ(page.Text("ok.messages.1.body"), "Payment received: l1 (receipt rcp_1)");
  EXPECT_EQ(page.Text("ok.messages.0.body"), "Finals delivered: Album (manifest mf_1)");
  EXPECT_EQ(page.Text("ok.messages.0.type"), "system");
  EXPECT_EQ(page.Json("ok.messages.0.authorUserId"), "null");
}

TEST_F(ProjectBehaviours, behaviour_015_a_safety_tip_comes_once_a_day_before_a_first_meeting) {
  const std::string thread = Create("project");
  const auto schedule = [&](int64_t in_ms, bool first) {
    const std::string at = protocol::FormatTime({world_.clock().Now().ms + in_ms});
    return Service("thread.schedule", In(thread, R"(,"meetingAt":)" + Q(at) + R"(,"firstMeeting":)" +
                                                     (first ? "true" : "false")));
  };
  const auto messages = [&] { return Service("message.list", In(thread)).Size("messages"); };
  EXPECT_EQ(Code(ann_.Ask("thread.schedule", In(thread, R"(,"meetingAt":null)"))), "FORBIDDEN");
  EXPECT_EQ(Code(schedule(3 * kDay, true)), "ok");
  world_->Advance(2 * kDay - kHour);
  EXPECT_EQ(messages(), 0u);
  schedule(3 * kDay, true);  // moved
  world_->Advance(2 * kDay - kHour);
  EXPECT_EQ(messages(), 0u);
  world_->Advance(2 * kHour);
  EXPECT_EQ(messages(), 1u);
  world_.Restart();
  schedule(3 * kDay, true);  // moved again, after the tip
  world_->Advance(3 * kDay);
  EXPECT_EQ(messages(), 1u);
  EXPECT_EQ(Service("message.list", In(thread)).Text("messages.0.type"), "system");
}

TEST_F(ProjectBehaviours,
       behaviour_015_two_who_meet_by_several_threads_get_one_tip_before_the_first_meeting) {
  const std::string first = Create("project"), second = Create("project", R"(,"legId":"leg_2")"),
                    third = Create("project", R"(,"legId":"leg_3")");
  const std::string others =
      Service("thread.create", R"({"kind":"project","buyerUserId":"ann","sellerUserId":"carl"})")
          .Text("thread.threadId");
  const auto schedule = [&](const std::string& thread, int64_t in_ms) {
    const std::string at = Q(protocol::FormatTime({world_.clock().Now().ms + in_ms}));
    EXPECT_EQ(Code(Service("thread.schedule", In(thread, R"(,"meetingAt":)" + at))), "ok");
  };
  const auto messages = [&](const std::string& thread) {
    return Service("message.list", In(thread)).Size("messages");
  };
  schedule(second, 5 * kDay);
  schedule(first, 3 * kDay);
  schedule(others, 5 * kDay);
  schedule(third, 2 * kDay);
  Service("thread.schedule", In(third, R"(,"meetingAt":null)"));  // cancelled
  world_->Advance(2 * kDay + kHour);
  EXPECT_EQ(messages(first), 1u);
  world_.Restart();
  world_->Advance(2 * kDay);
  EXPECT_EQ(messages(second), 0u) << "they have met by the other thread";
  EXPECT_EQ(messages(others), 1u) << "these two have not";
  schedule(third, 2 * kDay);
  world_->Advance(2 * kDay);
  EXPECT_EQ(messages(third), 0u);
}

TEST_F(ProjectBehaviours, behaviour_015_a_later_meeting_brings_no_tip) {
  const std::string thread = Create("project");
  const std::string at = protocol::FormatTime({world_.clock().Now().ms + 2 * kDay});
  Service("thread.schedule", In(thread, R"(,"firstMeeting":false,"meetingAt":)" + Q(at)));
  world_->Advance(3 * kDay);
  FakeClient ann = world_->Join("ann");
  EXPECT_EQ(ann.Ask("message.list", In(thread)).Size("ok.messages"), 0u);
  EXPECT_EQ(ann.Ask("thread.get", In(thread)).Text("ok.thread.meetingAt"), at);
}

TEST_F(ProjectBehaviours, behaviour_028_a_reply_keeps_what_it_answers) {
  const std::string thread = Create("project");
  const std::string quoted = Send(ann_, thread, "ten o'clock?").Text("ok.messageId");
  bob_.TakeEvents();
  bob_.Ask("message.send",
           In(thread, R"(,"type":"text","clientId":"r","body":"yes","replyTo":)" + Q(quoted)));
  ann_.Ask("message.edit", In(thread, R"(,"body":"eleven?","messageId":)" + Q(quoted)));
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Text("ok.messages.0.replyTo"), quoted);
  EXPECT_EQ(
      Code(bob_.Ask("message.send", In(thread, R"(,"type":"text","clientId":"s","body":"x","replyTo":)" +
                                                   Q("msg_00000000000000000000000000")))),
      "NOT_FOUND");
}

TEST_F(ProjectBehaviours, behaviour_028_a_card_keeps_what_it_answers) {
  const std::string thread = Create("project");
  const std::string quoted = Send(ann_, thread, "two hours more?").Text("ok.messageId");
  const auto extra = [&](const std::string& client, const std::string& reply_to) {
    return bob_.Ask(
        "card.create",
        In(thread, R"(,"type":"REQUEST_EXTRA","payload":{"name":"a","priceCents":1},"clientId":)" +
                       Q(client) + R"(,"replyTo":)" + Q(reply_to)));
  };
  const std::string card = extra("k1", quoted).Text("ok.messageId");
  const Frame page = ann_.Ask("message.list", In(thread));
  EXPECT_EQ(page.Text("ok.messages.0.messageId"), card);
  EXPECT_EQ(page.Text("ok.messages.0.replyTo"), quoted);
  EXPECT_EQ(Code(extra("k2", "msg_00000000000000000000000000")), "NOT_FOUND");
  const std::string elsewhere = Create("project", R"(,"legId":"leg_2")");
  const std::string foreign = Send(ann_, elsewhere, "x").Text("ok.messageId");
  EXPECT_EQ(Code(extra("k3", foreign)), "NOT_FOUND");
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages"), 2u);
}

TEST_F(ProjectBehaviours, behaviour_029_pins_are_everybodys_and_labels_the_owners) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "address: 12 Main St").Text("ok.messageId");
  bob_.TakeEvents();
  const int64_t unread = bob_.Ask("inbox.list").Int("ok.entries.0.unread");
  ann_.Ask("message.pin", In(thread, R"(,"pinned":true,"messageId":)" + Q(message)));
  const auto told = Events(bob_, "message.updated");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].Text("item.pin.by"), "ann");
  EXPECT_EQ(bob_.Ask("thread.get", In(thread)).Text("ok.thread.pins.0"), message);
  EXPECT_EQ(bob_.Ask("inbox.list").Int("ok.entries.0.unread"), unread);

  ann_.Ask("inbox.set", In(thread, R"(,"pinned":true,"label":"VIP")"));
  EXPECT_EQ(Listed(ann_, R"({"label":"VIP"})").size(), 1u);
  EXPECT_TRUE(Has(ann_, thread, "starred"));
  EXPECT_TRUE(bob_.TakeEvents().empty());
  EXPECT_EQ(Listed(bob_, R"({"label":"VIP"})").size(), 0u);
  EXPECT_EQ(bob_.Ask("inbox.list").Json("ok.entries.0.label"), "null");
}

TEST_F(ProjectBehaviours, behaviour_030_an_emoji_is_kept_and_is_no_new_message) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "ten o'clock").Text("ok.messageId");
  const Frame before = ann_.Ask("inbox.list");
  ann_.TakeEvents();
  const Frame reacted =
      bob_.Ask("message.react", In(thread, R"(,"emoji":"👍","on":true,"messageId":)" + Q(message)));
  EXPECT_EQ(reacted.Json("ok.reactions"), R"([{"emoji":"👍","userIds":["bob"]}])");
  EXPECT_EQ(Events(ann_, "message.updated").size(), 1u);
  const Frame after = ann_.Ask("inbox.list");
  EXPECT_EQ(after.Int("ok.entries.0.unread"), before.Int("ok.entries.0.unread"));
  EXPECT_EQ(after.Text("ok.entries.0.lastMessageAt"), before.Text("ok.entries.0.lastMessageAt"));
  EXPECT_EQ(after.Text("ok.entries.0.lastMessage.messageId"), message);
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages"), 1u);
  EXPECT_TRUE(Events(ann_, "inbox.updated").empty()) << "nobody is called for it";
}

TEST_F(ProjectBehaviours, behaviour_030_a_reaction_is_one_emoji_by_unicode_and_nothing_else) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "ten o'clock").Text("ok.messageId");
  const auto react = [&](const std::string& emoji) {
    return Code(bob_.Ask("message.react", In(thread, R"(,"on":true,"messageId":)" + Q(message) +
                                                         R"(,"emoji":)" + JsonArg(emoji).json)));
  };
  for (const char* one : {"👍", "👍🏽", "❤️", "🇩🇪", "1️⃣", "👩🏽‍🚀", "🏳️‍🌈",
                          "👨‍👩‍👧‍👦"})
    EXPECT_EQ(react(one), "ok") << one;
  for (const char* other : {"", "a", "ok", "1", ":+1:", "👍👍", "👍 ", "x👍", "🇩", "\u200d", "<b>", "👍\u0301"})
    EXPECT_EQ(react(other), "BAD_REQUEST") << other;
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages.0.reactions"), 8u);
}

TEST_F(ProjectBehaviours, behaviour_078_a_thread_opens_with_its_panel_and_the_panels_version) {
  const std::string thread = Create("project", R"(,"brief":{"title":"Saturday"})");
  Put(ann_, thread, "shotlist", 0, R"({"shots":[{"id":"1","name":"a","status":"done"}]})");
  for (const char* op : {"thread.open", "thread.get"}) {
    const Frame opened = bob_.Ask(op, In(thread));
    ASSERT_EQ(opened.Size("ok.tabs"), 2u);
    EXPECT_EQ(opened.Text("ok.tabs.0.tab"), "brief");
    EXPECT_EQ(opened.Int("ok.tabs.0.version"), 1);
    EXPECT_EQ(opened.Text("ok.tabs.1.tab"), "shotlist");
    EXPECT_EQ(opened.Int("ok.thread.panelVersion"), 2);
  }
  EXPECT_EQ(bob_.Ask("tab.get", In(thread, R"(,"tab":"moodboard")")).Int("ok.tab.version"), 0);
}

TEST_F(ProjectBehaviours, behaviour_079_of_two_edits_of_one_version_the_second_gets_the_servers_copy) {
  const std::string thread = Create("project", R"(,"brief":{"title":"a"})");
  bob_.TakeEvents();
  EXPECT_EQ(Put(ann_, thread, "brief", 1, R"({"title":"b"})").Int("ok.tab.version"), 2);
  const auto told = Events(bob_, "tab.updated");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].Json("item.content"), R"({"title":"b"})");
  EXPECT_EQ(told[0].Int("item.panelVersion"), 2) << "what the thread's head says now";
  const Frame stale = Put(bob_, thread, "brief", 1, R"({"title":"c"})");
  EXPECT_EQ(Code(stale), "PANEL_VERSION_CONFLICT");
  EXPECT_EQ(stale.Int("error.current.version"), 2);
  EXPECT_EQ(stale.Json("error.current.content"), R"({"title":"b"})");
  EXPECT_EQ(stale.Text("error.current.updatedBy"), "ann");
  EXPECT_NE(stale.Text("error.current.updatedAt"), "");
  EXPECT_EQ(Put(bob_, thread, "brief", 2, R"({"title":"c"})").Int("ok.tab.version"), 3);
}

TEST_F(ProjectBehaviours, behaviour_080_the_moodboards_order_persists_with_attribution_and_band) {
  const std::string thread = Create("project");
  const std::string one = R"({"id":"p1","url":"https://x/1","attribution":"Ann","nsfwBand":0})",
                    two = R"({"id":"p2","assetRef":"ast_2","attribution":"Bob","nsfwBand":2})";
  Put(ann_, thread, "moodboard", 0, "{\"pins\":[" + one + "," + two + "]}");
  Put(bob_, thread, "moodboard", 1, "{\"pins\":[" + two + "," + one + "]}");
  world_.Restart();
  FakeClient ann = world_->Join("ann");
  const Frame tab = ann.Ask("tab.get", In(thread, R"(,"tab":"moodboard")"));
  EXPECT_EQ(tab.Text("ok.tab.content.pins.0.id"), "p2");
  EXPECT_EQ(tab.Text("ok.tab.content.pins.0.attribution"), "Bob");
  EXPECT_EQ(tab.Int("ok.tab.content.pins.0.nsfwBand"), 2);
  EXPECT_EQ(tab.Text("ok.tab.content.pins.1.id"), "p1");
  const std::string unnamed = R"({"pins":[{"id":"p3","url":"https://x/3","nsfwBand":0}]})";
  EXPECT_EQ(Code(Put(ann, thread, "moodboard", 2, unnamed)), "BAD_REQUEST");
}

// A pin above the viewer's band comes without what leads to its picture, wherever a tab is shown.
class Moodboard : public ProjectBehaviours {
 protected:
  void SetUp() override {
    thread_ = Create("project");
    Put(ann_, thread_, "moodboard", 0, "{\"pins\":[" + kSafe + "," + kMature + "]}");
  }
  FakeClient Adult(const std::string& user, const char* safe_mode) {
    FakeClient client = world_->Connect();
    EXPECT_TRUE(client.Hello(world_->AdultToken(user), std::string(R"("safeMode":)") + safe_mode).ok());
    return client;
  }
  std::string Pins(FakeClient& who) {
    return who.Ask("tab.get", In(thread_, R"(,"tab":"moodboard")")).Json("ok.tab.content.pins");
  }
  const std::string kSafe = R"({"id":"p1","url":"https://x/1","attribution":"Ann","nsfwBand":1})",
                    kMature =
                        R"({"id":"p2","assetRef":"ast_2","attribution":"Bob","nsfwBand":2,"caption":"c"})",
                    kWithheld =
                        R"({"id":"p2","attribution":"Bob","nsfwBand":2,"caption":"c","withheld":true})";
  const std::string all_ = "[" + kSafe + "," + kMature + "]", careful_ = "[" + kSafe + "," + kWithheld + "]";
  std::string thread_;
};

TEST_F(Moodboard, behaviour_080_a_pin_over_the_viewers_band_is_withheld) {
  EXPECT_EQ(Pins(bob_), careful_);
  FakeClient wishes = Adult("bob", "false"), wishes_not = Adult("bob", "true");
  EXPECT_EQ(Pins(wishes), all_);
  EXPECT_EQ(Pins(wishes_not), careful_);
  FakeClient minor = world_->Connect();
  minor.Hello(world_->Token("bob"), R"("safeMode":false)");
  EXPECT_EQ(Pins(minor), careful_) << "only an adult lifts it";
  FakeClient staff = Staff();
  EXPECT_EQ(Pins(staff), all_);
  ann_.Ask("thread.update", In(thread_, R"(,"version":1,"safeModeRequired":true)"));
  EXPECT_EQ(Pins(wishes), careful_) << "where it is required nobody lifts it";
}

TEST_F(Moodboard, behaviour_080_no_way_of_reading_a_tab_tells_more) {
  const std::string epoch = world_.table().identity().epoch;
  for (const char* op : {"thread.get", "thread.open", "thread.changes"}) {
    const Frame read =
        bob_.Ask(op, In(thread_, std::string_view(op) == "thread.get" ? "" : R"(,"afterSeq":0)"));
    EXPECT_NE(read.Json().find("p2"), std::string::npos) << op;
    EXPECT_EQ(read.Json().find("ast_2"), std::string::npos) << op;
  }
  FakeClient late = world_->Connect();
  late.Hello(world_->Token("bob"),
             R"("resume":{"epoch":)" + Q(epoch) + R"(,"threads":{)" + Q(thread_) + ":0}}");
  world_->Settle();
  bob_.TakeEvents();
  const Frame put = Put(bob_, thread_, "moodboard", 1, "{\"pins\":[" + kWithheld + "," + kSafe + "]}");
  const Frame stale = Put(bob_, thread_, "moodboard", 1, "{\"pins\":[]}");
  EXPECT_EQ(put.Json("ok.tab.content.pins"), "[" + kWithheld + "," + kSafe + "]");
  EXPECT_EQ(stale.Json("error.current.content.pins"), "[" + kWithheld + "," + kSafe + "]");
  for (FakeClient* who : {&bob_, &late}) {
    const auto told = Events(*who, "tab.updated");
    ASSERT_FALSE(told.empty());
    for (const Frame& event : told) EXPECT_EQ(event.Json().find("ast_2"), std::string::npos);
  }
}

TEST_F(Moodboard, behaviour_080_what_was_withheld_stays_when_somebody_else_moves_the_pins) {
  Put(bob_, thread_, "moodboard", 1, "{\"pins\":[" + kWithheld + "," + kSafe + "]}");
  FakeClient adult = Adult("ann", "false");
  EXPECT_EQ(Pins(adult), "[" + kMature + "," + kSafe + "]");
  const std::string tame = R"({"id":"p2","attribution":"Bob","nsfwBand":0,"caption":"d","withheld":true})";
  Put(bob_, thread_, "moodboard", 2, "{\"pins\":[" + tame + "]}");
  EXPECT_EQ(Pins(adult), R"([{"id":"p2","assetRef":"ast_2","attribution":"Bob","nsfwBand":2,"caption":"d"}])")
      << "its band is not the viewer's to lower, its caption is";
  const std::string forged = R"({"id":"p9","attribution":"x","nsfwBand":0,"withheld":true})";
  EXPECT_EQ(Code(Put(bob_, thread_, "moodboard", 3, "{\"pins\":[" + forged + "]}")), "BAD_REQUEST");
  EXPECT_EQ(Code(Put(bob_, thread_, "moodboard", 3, "{\"pins\":[]}")), "ok") << "a pin may be taken down";
}

TEST_F(Moodboard, behaviour_080_whoever_sees_everything_is_told_to_read_again) {
  FakeClient adult = Adult("bob", "false");
  Put(ann_, thread_, "moodboard", 1, "{\"pins\":[" + kMature + "]}");
  const auto told = Events(adult, "tab.updated");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].Json("item.content.pins"), "[" + kWithheld + "]") << "an event is the same for all";
  EXPECT_EQ(Pins(adult), "[" + kMature + "]");
}

TEST_F(ProjectBehaviours, behaviour_081_shots_come_change_and_go_and_the_head_shows_what_is_done) {
  const std::string thread = Create("project");
  const auto shots = [&](int version, const std::string& list) {
    return Put(ann_, thread, "shotlist", version, "{\"shots\":[" + list + "]}");
  };
  const std::string todo = R"({"id":"1","name":"first","status":"todo"})",
                    done = R"({"id":"1","name":"first","status":"done","owner":"bob"})",
                    other = R"({"id":"2","name":"second","status":"todo"})";
  const auto progress = [&] { return bob_.Ask("thread.get", In(thread)).Json("ok.thread.shotlist"); };
  EXPECT_EQ(progress(), "null");
  shots(0, todo + "," + other);
  EXPECT_EQ(progress(), R"({"done":0,"total":2})");
  bob_.TakeEvents();
  shots(1, done + "," + other);
  EXPECT_EQ(progress(), R"({"done":1,"total":2})");
  const auto told = Events(bob_, "tab.updated");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].Json("item.shotlist"), R"({"done":1,"total":2})") << "the others need not ask";
  EXPECT_EQ(told[0].Int("item.panelVersion"), 2);
  shots(2, done);
  EXPECT_EQ(progress(), R"({"done":1,"total":1})");
}

TEST_F(ProjectBehaviours, behaviour_082_docs_and_expenses_are_fed_by_services_and_told_to_members) {
  const std::string thread = Create("project");
  const std::string docs = R"({"envelopes":[{"docId":"d1","status":"sent"}]})";
  EXPECT_EQ(Code(Put(ann_, thread, "docs", 0, docs)), "FORBIDDEN");
  EXPECT_EQ(Code(Put(bob_, thread, "expenses", 0, R"({"lines":[]})")), "FORBIDDEN");
  ann_.TakeEvents();
  const Frame fed = Service("tab.put", In(thread, R"(,"tab":"docs","version":0,"content":)" + docs));
  EXPECT_EQ(fed.Int("tab.version"), 1);
  EXPECT_EQ(fed.Json("tab.updatedBy"), "null");
  EXPECT_EQ(Events(ann_, "tab.updated").size(), 1u);
  EXPECT_EQ(Code(Service("tab.put", In(thread, R"(,"tab":"docs","version":0,"content":)" + docs))),
            "PANEL_VERSION_CONFLICT");
}

TEST_F(ProjectBehaviours, behaviour_076_open_cards_show_in_the_panel_and_the_inbox_until_they_are_settled) {
  const std::string thread = Create("project");
  const Frame made = ann_.Ask(
      "card.create",
      In(thread, R"(,"clientId":"c1","type":"RESCHEDULE","payload":{"oldStart":"2030-01-01T10:00:00.000Z",)"
                 R"("oldEnd":"2030-01-01T11:00:00.000Z","newStart":"2030-01-02T10:00:00.000Z",)"
                 R"("newEnd":"2030-01-02T11:00:00.000Z","reason":"rain"})"));
  ASSERT_EQ(Code(made), "ok") << made.Json();
  const std::string card = made.Text("ok.messageId");
  const auto actions = [&] { return ann_.Ask("tab.get", In(thread, R"(,"tab":"actions")")); };
  EXPECT_EQ(actions().Text("ok.tab.content.cards.0.messageId"), card);
  EXPECT_EQ(actions().Text("ok.tab.content.cards.0.state"), "PENDING");
  EXPECT_EQ(bob_.Ask("thread.open", In(thread)).Text("ok.tabs.0.tab"), "actions");
  EXPECT_TRUE(Has(bob_, thread, "action"));
  EXPECT_TRUE(Has(bob_, thread, "offers"));
  EXPECT_EQ(Count(bob_, "action"), 1);
  EXPECT_EQ(bob_.Ask("inbox.list").Int("ok.entries.0.openCards"), 1);
  const Frame settled = bob_.Ask(
      "card.act", In(thread, R"(,"clientId":"a1","intent":"decline","version":1,"messageId":)" + Q(card)));
  ASSERT_EQ(Code(settled), "ok") << settled.Json();
  EXPECT_EQ(actions().Size("ok.tab.content.cards"), 0u);
  EXPECT_FALSE(Has(bob_, thread, "action"));
  EXPECT_EQ(Count(bob_, "action"), 0);
  EXPECT_EQ(bob_.Ask("inbox.list").Int("ok.entries.0.openCards"), 0);
}

TEST_F(ProjectBehaviours, behaviour_109_a_folder_that_is_not_configured_is_not_offered) {
  Create("inquiry");
  EXPECT_EQ(Count(ann_, "inquiries"), 1);
  EXPECT_EQ(Count(ann_, "bookings"), 0);
  EXPECT_EQ(Count(ann_, "disputes"), -1);
  EXPECT_EQ(Code(ann_.Ask("inbox.list", R"({"folder":"disputes"})")), "BAD_REQUEST");
  EXPECT_EQ(Listed(ann_, R"({"folder":"inquiries"})").size(), 1u);
}

TEST(FolderSets, behaviour_109_a_set_of_folders_is_offered_by_its_name) {
  const auto offered = [](const std::string& folders) {
    gateway::Config config = DemoConfig();
    config.folders = folders;
    World world(config);
    FakeClient ann = world->Join("ann");
    const Frame counts = ann.Ask("inbox.counts");
    std::string out;
    for (size_t i = 0; i < counts.Size("ok.folders"); ++i) {
      const std::string folder = counts.Text("ok.folders." + std::to_string(i) + ".folder");
      EXPECT_EQ(ann.Ask("inbox.list", R"({"folder":)" + Q(folder) + "}").Size("ok.entries"), 0u);
      out += (i ? " " : "") + folder;
    }
    return out;
  };
  const std::string standard = "all unread pinned archived requests action snoozed spam";
  EXPECT_EQ(offered(""), standard);
  EXPECT_EQ(offered("g2"), standard + " starred inquiries invites bookings disputes");
  EXPECT_EQ(offered("g3"), standard + " bookings offers");
}

}  // namespace
}  // namespace parley::gateway_test
