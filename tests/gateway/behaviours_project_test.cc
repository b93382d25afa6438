// Projects: the life of a thread, snoozes, folders, permissions, broadcasts and system messages. Cards, the
// panel and marks on messages have separate files.
#include <gtest/gtest.h>

#include "tests/gateway/project_scene.h"

namespace parley::gateway_test {
namespace {

TEST_F(ProjectBehaviours, a_replayed_checkout_changes_nothing_not_even_after_a_rebinding) {
  const std::string thread = Create("inquiry");
  const auto promote = [&](const std::string& leg, const std::string& event) {
    return Service("thread.promote",
                   In(thread, R"(,"legId":)" + Quoted(leg) + R"(,"eventId":)" + Quoted(event)));
  };
  ASSERT_EQ(promote("leg_1", "e1").Text("thread.kind"), "project");
  const int64_t seq = promote("leg_2", "e2").Int("thread.lastSeq");
  EXPECT_GT(seq, 0);
  const Frame replayed = promote("leg_1", "e1");
  EXPECT_EQ(replayed.Text("thread.legId"), "leg_2");
  EXPECT_EQ(replayed.Int("thread.lastSeq"), seq);
}

TEST_F(ProjectBehaviours, the_panel_is_closed_on_an_inquiry_and_open_on_a_project) {
  const std::string inquiry = Create("inquiry", R"(,"brief":{"title":"Saturday"})");
  EXPECT_EQ(Code(Put(ann_, inquiry, "moodboard", 0, R"({"pins":[]})")), "FORBIDDEN");
  EXPECT_EQ(Code(Put(ann_, inquiry, "brief", 1, R"({"title":"x"})")), "FORBIDDEN");
  Service("thread.promote", In(inquiry, R"(,"legId":"leg_1","eventId":"e1")"));
  EXPECT_EQ(Code(Put(ann_, inquiry, "moodboard", 0, R"({"pins":[]})")), "ok");
  EXPECT_EQ(Code(Put(ann_, inquiry, "brief", 1, R"({"title":"x"})")), "ok");
}

TEST_F(ProjectBehaviours, a_broadcast_goes_once_into_each_leg_thread_and_replies_stay_there) {
  const std::string talent = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_1")");
  world_.clock().Advance(10);
  const std::string studio = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_2")");
  const std::string group = Create("project", R"(,"lbgId":"lbg_1")");  // belongs to no leg
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

TEST_F(ProjectBehaviours, a_broadcast_reports_how_many_bookings_it_reached) {
  const std::string talent = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_1")");
  const auto banner = [&](const std::string& client) {
    ann_.Ask("thread.broadcast", R"({"lbgId":"lbg_1","body":"hello","clientId":)" + Quoted(client) + "}");
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
  const std::string answer = R"(,"type":"text","clientId":"r","body":"fine","replyTo":)" + Quoted(sent);
  EXPECT_EQ(Code(bob_.Ask("message.send", In(studio, answer))), "NOT_FOUND")
      << "each thread has its own copy";
  EXPECT_EQ(Code(bob_.Ask("message.send", In(talent, answer))), "ok");
  EXPECT_EQ(bob_.Ask("message.list", In(studio)).Size("ok.messages"), 2u);
}

TEST_F(ProjectBehaviours, a_repeated_broadcast_completes_the_missing_sends) {
  const std::string talent = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_1")");
  world_.clock().Advance(10);
  const std::string studio = Create("project", R"(,"lbgId":"lbg_1","legId":"leg_2")");
  FakeClient staff = Staff();
  staff.Ask("thread.setStatus", In(studio, R"(,"status":"locked","reason":"r")"));
  const std::string args = R"({"lbgId":"lbg_1","clientId":"b1","body":"hello"})";
  EXPECT_EQ(ann_.Ask("thread.broadcast", args).Text("ok.sent.1.error"), "THREAD_LOCKED");
  staff.Ask("thread.setStatus", In(studio, R"(,"status":"open","reason":"r")"));
  Create("project",
         R"(,"lbgId":"lbg_1","legId":"leg_3")");  // created later, so it was not among the reserved ones
  const Frame completed = ann_.Ask("thread.broadcast", args);
  ASSERT_EQ(completed.Size("ok.sent"), 2u);
  EXPECT_FALSE(completed.Bool("ok.duplicate"));
  EXPECT_EQ(ann_.Ask("message.list", In(talent)).Size("ok.messages"), 1u);
  EXPECT_EQ(ann_.Ask("message.list", In(studio)).Size("ok.messages"), 1u);
}

TEST_F(ProjectBehaviours, only_owners_and_services_on_their_behalf_broadcast) {
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

TEST_F(ProjectBehaviours, a_locked_thread_refuses_changes_of_the_panel_and_of_marks) {
  const std::string thread = Create("project");
  const std::string message = Send(ann_, thread, "hello").Text("ok.messageId");
  FakeClient staff = Staff();
  staff.Ask("thread.setStatus", In(thread, R"(,"status":"locked","reason":"review")"));
  EXPECT_EQ(Code(Put(ann_, thread, "brief", 0, R"({"title":"x"})")), "THREAD_LOCKED");
  EXPECT_EQ(Code(ann_.Ask("message.pin", In(thread, R"(,"pinned":true,"messageId":)" + Quoted(message)))),
            "THREAD_LOCKED");
  EXPECT_EQ(Code(ann_.Ask("tab.get", In(thread, R"(,"tab":"brief")"))), "ok");
  staff.Ask("thread.setStatus", In(thread, R"(,"status":"open","reason":"done")"));
  EXPECT_EQ(Code(Put(ann_, thread, "brief", 0, R"({"title":"x"})")), "ok");
}

TEST_F(ProjectBehaviours, a_thread_idle_for_180_days_is_archived_and_can_be_restored) {
  const std::string idle = Create("project"), busy = Create("project");
  Send(ann_, idle, "hello");
  world_->Advance(100 * kDay);  // the devices do not ping, so they reconnect each time
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

TEST_F(ProjectBehaviours, a_snoozed_thread_returns_when_its_time_comes) {
  const std::string thread = Create("project");
  Send(bob_, thread, "hello");
  const std::string until = protocol::FormatTime({world_.clock().Now().ms + kHour / 2});
  EXPECT_EQ(
      ann_.Ask("inbox.set", In(thread, R"(,"snoozedUntil":)" + Quoted(until))).Text("ok.entry.snoozedUntil"),
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
  const auto reported = Events(ann_, "inbox.updated");
  ASSERT_EQ(reported.size(), 1u) << "the owner's devices hear of it";
  EXPECT_EQ(reported[0].Json("entry.snoozedUntil"), "null");
  EXPECT_TRUE(Has(ann_, thread, "all"));
  EXPECT_EQ(Count(ann_, "all"), 1);
}

TEST_F(ProjectBehaviours, a_snooze_that_ends_while_the_server_is_down_ends_at_its_start) {
  const std::string thread = Create("project");
  const std::string until = protocol::FormatTime({world_.clock().Now().ms + kHour});
  ann_.Ask("inbox.set", In(thread, R"(,"snoozedUntil":)" + Quoted(until)));
  world_.clock().Advance(3 * kHour);
  world_.Restart();
  world_->Settle();
  FakeClient ann = world_->Join("ann");
  EXPECT_TRUE(Has(ann, thread, "all"));
}

TEST_F(ProjectBehaviours, a_thread_snoozed_until_an_event_returns_only_at_that_event) {
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
  EXPECT_EQ(snooze(other, R"(,"snoozedUntilEvent":"status","snoozedUntil":)" + Quoted(until)), "status");
  world_.clock().Advance(kHour);
  world_.Restart();
  world_->Settle();
  FakeClient ann = world_->Join("ann");
  EXPECT_TRUE(Has(ann, other, "all")) << "its time came first";
}

TEST_F(ProjectBehaviours, a_snoozed_thread_that_returns_is_not_archived_as_idle) {
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

TEST_F(ProjectBehaviours, buyer_and_seller_cannot_demote_each_other) {
  const std::string thread = Create("project");
  const auto change = [&](FakeClient& who, const std::string& of, const std::string& more) {
    return Code(who.Ask("participant.update", In(thread, R"(,"userId":)" + Quoted(of) + more)));
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

TEST_F(ProjectBehaviours, secondary_participants_only_read_and_those_with_files_only_send_files) {
  const std::string thread = Create("project");
  for (const char* who : {"read", "files"}) {
    ann_.Ask("participant.add",
             In(thread, R"(,"userId":)" + Quoted(who) + R"(,"permission":)" + Quoted(who)));
  }
  FakeClient reader = world_->Join("read"), files = world_->Join("files");
  const std::string asset =
      R"(,"clientId":"a","type":"asset","body":"","attachments":[{"manifestRef":"https://x.example/k"}])";
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
    EXPECT_EQ(Code(who->Ask("message.pin", In(thread, R"(,"pinned":true,"messageId":)" + Quoted(message)))),
              "FORBIDDEN");
    EXPECT_EQ(Code(who->Ask("participant.add", In(thread, R"(,"userId":"x")"))), "FORBIDDEN");
    const std::string react = R"(,"emoji":"👍","on":true,"messageId":)" + Quoted(message);
    EXPECT_EQ(Code(who->Ask("message.react", In(thread, react))), "FORBIDDEN");
    EXPECT_EQ(Code(who->Ask("thread.update", In(thread, R"(,"version":1,"subject":"x")"))), "FORBIDDEN");
    EXPECT_EQ(Code(Put(*who, thread, "files", 0, R"({"finals":[]})")), "FORBIDDEN");
    EXPECT_EQ(who->Ask("message.list", In(thread)).Size("ok.messages"), 1u);
  }
  EXPECT_EQ(Code(reader.Ask("message.send", In(thread, asset))), "FORBIDDEN");
  EXPECT_EQ(Code(files.Ask("message.send", In(thread, asset))), "ok");
  const std::string caption =
      R"(,"clientId":"b","type":"asset","body":"call me","attachments":[{"manifestRef":"https://x.example/k"}])";
  EXPECT_EQ(Code(files.Ask("message.send", In(thread, caption))), "FORBIDDEN");
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages"), 2u);
}

TEST_F(ProjectBehaviours, system_messages_report_signed_documents_receipts_and_deliveries) {
  const std::string thread = Create("project");
  const auto feed = [&](const std::string& tab, int version, const std::string& content) {
    return Service("tab.put", In(thread, R"(,"tab":)" + Quoted(tab) + R"(,"version":)" +
                                             std::to_string(version) + R"(,"content":)" + content));
  };
  feed("docs", 0, R"({"envelopes":[{"docId":"doc_1","title":"Contract","status":"sent"}]})");
  EXPECT_EQ(ann_.Ask("message.list", In(thread)).Size("ok.messages"), 0u);
  feed("docs", 1,
       R"({"envelopes":[{"docId":"doc_1","title":"Contract","status":"signed","sha256":"ab12"}]})");
  feed("expenses", 0,
       R"({"lines":[{"lineId":"l1","kind":"payment","amountCents":5000,"receiptRef":"rcp_1"}]})");
  Put(bob_, thread, "files", 0, R"({"finals":[{"manifestRef":"https://m.example/mf_1","name":"Album"}]})");
  const Frame page = ann_.Ask("message.list", In(thread));
  ASSERT_EQ(page.Size("ok.messages"), 3u);
  EXPECT_EQ(page.Text("ok.messages.2.body"), "Document signed: Contract (doc_1, sha256 ab12)");
  EXPECT_EQ(page.Text("ok.messages.1.body"), "Payment received: l1 (receipt rcp_1)");
  EXPECT_EQ(page.Text("ok.messages.0.body"), "Finals delivered: Album (manifest https: m.example/mf_1)");
  EXPECT_EQ(page.Text("ok.messages.0.type"), "system");
  EXPECT_EQ(page.Json("ok.messages.0.authorUserId"), "null");
}

TEST_F(ProjectBehaviours, a_safety_tip_comes_once_a_day_before_a_first_meeting) {
  const std::string thread = Create("project");
  const auto schedule = [&](int64_t in_ms, bool first) {
    const std::string at = protocol::FormatTime({world_.clock().Now().ms + in_ms});
    return Service("thread.schedule", In(thread, R"(,"meetingAt":)" + Quoted(at) + R"(,"firstMeeting":)" +
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

TEST_F(ProjectBehaviours, a_pair_with_several_threads_gets_one_tip_before_its_first_meeting) {
  const std::string first = Create("project"), second = Create("project", R"(,"legId":"leg_2")"),
                    third = Create("project", R"(,"legId":"leg_3")");
  const std::string others =
      Service("thread.create", R"({"kind":"project","buyerUserId":"ann","sellerUserId":"carl"})")
          .Text("thread.threadId");
  const auto schedule = [&](const std::string& thread, int64_t in_ms) {
    const std::string at = Quoted(protocol::FormatTime({world_.clock().Now().ms + in_ms}));
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

TEST_F(ProjectBehaviours, later_meetings_bring_no_tip) {
  const std::string thread = Create("project");
  const std::string at = protocol::FormatTime({world_.clock().Now().ms + 2 * kDay});
  Service("thread.schedule", In(thread, R"(,"firstMeeting":false,"meetingAt":)" + Quoted(at)));
  world_->Advance(3 * kDay);
  FakeClient ann = world_->Join("ann");
  EXPECT_EQ(ann.Ask("message.list", In(thread)).Size("ok.messages"), 0u);
  EXPECT_EQ(ann.Ask("thread.get", In(thread)).Text("ok.thread.meetingAt"), at);
}

TEST_F(ProjectBehaviours, a_folder_that_is_not_configured_is_not_offered) {
  Create("inquiry");
  EXPECT_EQ(Count(ann_, "inquiries"), 1);
  EXPECT_EQ(Count(ann_, "bookings"), 0);
  EXPECT_EQ(Count(ann_, "disputes"), -1);
  EXPECT_EQ(Code(ann_.Ask("inbox.list", R"({"folder":"disputes"})")), "BAD_REQUEST");
  EXPECT_EQ(Listed(ann_, R"({"folder":"inquiries"})").size(), 1u);
}

TEST(FolderSets, a_set_of_folders_is_selected_by_name) {
  const auto offered = [](const std::string& folders) {
    gateway::Config config = DemoConfig();
    config.folders = folders;
    World world(config);
    FakeClient ann = world->Join("ann");
    const Frame counts = ann.Ask("inbox.counts");
    std::string out;
    for (size_t i = 0; i < counts.Size("ok.folders"); ++i) {
      const std::string folder = counts.Text("ok.folders." + std::to_string(i) + ".folder");
      EXPECT_EQ(ann.Ask("inbox.list", R"({"folder":)" + Quoted(folder) + "}").Size("ok.entries"), 0u);
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
