// Ops that are possible while a request is pending and after it was not accepted: in the direct thread of a
// pair, in an inquiry, in a group.
#include "tests/gateway/requests_scene.h"

namespace parley::gateway_test {
namespace {

// --- the direct thread of a pair, which exists once

TEST_F(Requests, an_expired_one_is_made_again_in_the_same_direct_thread_without_charge) {
  Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30}})");
  const Frame made = ann_.Ask("thread.create", Direct("bob", kHello));
  const std::string thread = made.Text("ok.thread.threadId");
  world_->Advance(31'000);
  ann_.TakeEvents();
  bob_.TakeEvents();
  const std::string again = Direct("bob", R"(,"firstMessage":"once more","clientId":"again")");
  const Frame renewed = ann_.Ask("thread.create", again);
  EXPECT_EQ(renewed.Text("ok.thread.threadId"), thread);
  EXPECT_EQ(renewed.Text("ok.request.state"), "pending");
  EXPECT_EQ(renewed.Int("ok.request.creditCost"), 0);
  EXPECT_EQ(Credits(ann_), 39) << "it is the same conversation";
  EXPECT_EQ(Of(ann_.TakeEvents(), "request.updated").size(), 1u);
  const std::vector<Frame> received = bob_.TakeEvents();
  EXPECT_EQ(Of(received, "request.updated").size(), 1u);
  EXPECT_EQ(Of(received, "skip").size(), 1u);
  EXPECT_EQ(Of(received, "inbox.updated").front().Text("entry.lastMessage.preview"), "once more");
  EXPECT_EQ(received.size(), 3u);
  EXPECT_EQ(Threads(bob_, "requests"), thread);
  EXPECT_EQ(Code(ann_.Ask("thread.create", again)), "ok") << "a repeat";
  EXPECT_EQ(Say(ann_, thread, "and more"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Code(bob_.Ask("message.list", In(thread))), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Code(bob_.Ask("request.accept", R"({"requestId":")" + made.Text("ok.request.requestId") + "\"}")),
            "NOT_FOUND")
      << "the earlier one is gone";
  ExpectSound();
  world_.Restart();
  FakeClient bob = world_->Join("bob");
  EXPECT_EQ(bob.Ask("request.accept", R"({"requestId":")" + renewed.Text("ok.request.requestId") + "\"}")
                .Text("ok.entry.request.state"),
            "accepted");
  EXPECT_EQ(bob.Ask("message.list", In(thread)).Size("ok.messages"), 2u);
  ExpectSound();
}

TEST_F(Requests, a_repeated_one_expires_again) {
  Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30}})");
  const std::string thread = Ask();
  world_->Advance(31'000);
  ASSERT_EQ(Code(ann_.Ask("thread.create", Direct("bob"))), "ok");
  EXPECT_EQ(Threads(bob_, "requests"), thread);
  world_->Advance(29'000);
  EXPECT_EQ(Threads(bob_, "requests"), thread);
  world_->Advance(1000);
  EXPECT_EQ(Threads(bob_, "requests") + Threads(bob_, "all"), "");
  ExpectSound();
}

TEST_F(Requests, a_freeze_stops_a_repeated_request_that_was_already_paid) {
  Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30}})");
  Ask();
  world_->Advance(31'000);
  Set(R"({"messageRequests":{"enabled":true,"creditsFrozen":true}})");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", kHello))), "CREDITS_EXHAUSTED");
  Set(R"({"messageRequests":{"enabled":true,"monthlyCredits":0}})");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", kHello))), "ok");
  ExpectSound();
}

TEST_F(Requests, repeating_the_original_command_does_not_renew_a_request) {
  Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30}})");
  for (const char* said : {R"(,"clientId":"c1")", R"(,"clientId":"c2","firstMessage":"hello")"}) {
    const std::string to = std::string("to_") + said[14];
    const std::string thread = ann_.Ask("thread.create", Direct(to, said)).Text("ok.thread.threadId");
    world_->Advance(31'000);
    const Frame repeated = ann_.Ask("thread.create", Direct(to, said));
    EXPECT_EQ(repeated.Text("ok.thread.threadId"), thread);
    EXPECT_EQ(repeated.Text("ok.request.state"), "expired") << said;
  }
  ExpectSound();
}

TEST_F(Requests, a_declined_one_cannot_be_made_again) {
  const std::string thread = Ask();
  bob_.Ask("request.decline", In(thread));
  world_->Advance(int64_t{72} * 3600 * 1000);
  ann_ = world_->Join("ann");
  EXPECT_EQ(ann_.Ask("thread.create", Direct("bob")).Text("ok.request.state"), "declined");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", kHello))), "MSG_GATE_REQUIRED");
  ExpectSound();
}

TEST_F(Requests, a_user_who_had_not_accepted_accepts_by_writing_first) {
  for (const char* answer : {"request.decline", "request.block", ""}) {
    Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30}})");
    const std::string asker = std::string("ask_") + (answer[0] ? answer + 8 : "nobody");
    FakeClient who = world_->Join(asker);
    const std::string thread = who.Ask("thread.create", Direct("bob", kHello)).Text("ok.thread.threadId");
    EXPECT_EQ(Code(bob_.Ask("thread.create", Direct(asker, kHello))), "MSG_GATE_REQUIRED")
        << "it waits for an answer";
    if (answer[0]) {
      EXPECT_EQ(Code(bob_.Ask(answer, In(thread))), "ok");
    } else {
      world_->Advance(31'000);
    }
    if (std::string(answer) == "request.block") {
      EXPECT_EQ(Code(bob_.Ask("thread.create", Direct(asker, kHello))), "MSG_BLOCKED_BY_USER");
      bob_.Ask("user.unblock", R"({"userId":")" + asker + "\"}");
    }
    who.TakeEvents();
    const Frame made = bob_.Ask("thread.create", Direct(asker, R"(,"firstMessage":"I thought again")"));
    EXPECT_EQ(made.Text("ok.thread.threadId"), thread);
    EXPECT_EQ(made.Text("ok.request.state"), "accepted") << answer;
    EXPECT_EQ(Of(who.TakeEvents(), "message.created").size(), 1u);
    EXPECT_EQ(Say(who, thread, "good"), "ok");
    EXPECT_EQ(bob_.Ask("message.list", In(thread)).Size("ok.messages"), 3u);
    EXPECT_EQ(Threads(bob_, "requests"), "");
  }
  EXPECT_EQ(Credits(bob_), 40);
  ExpectSound();
}

TEST_F(Requests, users_who_come_to_share_a_booking_need_no_answer) {
  const std::string thread = Ask();
  ASSERT_TRUE(Service("thread.create", Project("ann", "bob")).Has("thread"));
  EXPECT_EQ(
      ann_.Ask("thread.create", Direct("bob", R"(,"firstMessage":"now we have")")).Text("ok.request.state"),
      "accepted");
  EXPECT_EQ(bob_.Ask("message.list", In(thread)).Size("ok.messages"), 2u);
  ExpectSound();
}

TEST_F(Requests, a_role_is_free_again_after_its_request_failed) {
  Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30}})");
  const std::string role = R"(,"role":"photographer")";
  const std::string first = ann_.Ask("thread.create", Inquiry("ann", "bob", role)).Text("ok.thread.threadId");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Inquiry("ann", "bob", role))), "ALREADY_EXISTS");
  world_->Advance(31'000);
  const Frame second = ann_.Ask("thread.create", Inquiry("ann", "bob", role));
  EXPECT_EQ(second.Text("ok.request.state"), "pending");
  EXPECT_NE(second.Text("ok.thread.threadId"), first);
  ExpectSound();
}

// --- ops while a request is pending

TEST_F(Requests, a_service_cannot_write_for_a_requester_before_acceptance) {
  ASSERT_TRUE(Service("thread.create", Project("ann", "carl")).Has("thread"));
  FakeClient carl = world_->Join("carl");
  const std::string thread =
      ann_.Ask("thread.create", Inquiry("ann", "bob", R"(,"participants":[{"userId":"carl"}])"))
          .Text("ok.thread.threadId");
  EXPECT_EQ(Say(carl, thread, "answer her"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Say(ann_, thread, "hello"), "ok");
  EXPECT_EQ(Say(carl, thread, "answer her"), "MSG_GATE_REQUIRED");
  bob_.Ask("request.accept", In(thread));
  EXPECT_EQ(Say(carl, thread, "good"), "ok");
  ExpectSound();
}

TEST_F(Requests, a_requester_writes_one_message_and_changes_nothing_else_visible) {
  const Frame made = ann_.Ask("thread.create", Inquiry("ann", "bob", R"(,"subject":"lamps")"));
  const std::string thread = made.Text("ok.thread.threadId");
  const std::string changed = R"(,"subject":"call me","version":)" + made.Json("ok.thread.version");
  EXPECT_EQ(Code(ann_.Ask("thread.update", In(thread, changed))), "MSG_GATE_REQUIRED");
  EXPECT_EQ(bob_.Ask("inbox.list", R"({"folder":"requests"})").Text("ok.entries.0.subject"), "lamps");
  EXPECT_EQ(Say(ann_, thread, "hello"), "ok");
  ExpectSound();
}

TEST_F(Requests, a_recipient_learns_nothing_of_the_thread_by_any_op_and_may_report_it) {
  const std::string thread =
      ann_.Ask("thread.create", Inquiry("ann", "bob", R"(,"firstMessage":"hello","lbgId":"lbg_9")"))
          .Text("ok.thread.threadId");
  const std::string message = ann_.Ask("message.list", In(thread)).Text("ok.messages.0.messageId");
  const std::string of = R"(,"messageId":")" + message + "\"";
  const std::pair<const char*, std::string> asked[] = {
      {"message.react", of + ",\"emoji\":\"\U0001F44D\",\"on\":true"},
      {"message.pin", of + R"(,"pinned":true)"},
      {"message.edit", of + R"(,"body":"y")"},
      {"message.delete", of},
      {"message.history", of},
      {"tab.get", R"(,"tab":"brief")"},
      {"card.list", ""},
      {"inbox.set", R"(,"pinned":true)"},
      {"participant.mute", R"(,"muted":true)"},
      {"participant.add", R"(,"userId":"eve")"},
      {"participant.remove", R"(,"userId":"ann")"},
      {"thread.update", R"(,"version":1,"subject":"z")"}};
  for (const auto& [op, more] : asked)
    EXPECT_EQ(Code(bob_.Ask(op, In(thread, more))), "MSG_GATE_REQUIRED") << op;
  EXPECT_EQ(bob_.Ask("thread.byProject", R"({"lbgId":"lbg_9"})").Size("ok.threads"), 0u);
  EXPECT_FALSE(bob_.Ask("presence.get", R"({"userIds":["ann"]})").Bool("ok.presence.0.online"));
  const gateway::HttpResponse members = world_->Http("GET", "/v1/permissions?resource=threads/" + thread, "",
                                                     {{"Authorization", "Bearer " + world_->Token("bob")}});
  EXPECT_THAT(members.body, testing::HasSubstr("MSG_GATE_REQUIRED"));
  EXPECT_EQ(members.status, 403);
  EXPECT_EQ(Code(bob_.Ask("message.report", In(thread, of + R"(,"reason":"spam")"))), "ok");
  ExpectSound();
}

TEST_F(Requests, answering_is_refused_while_messaging_is_read_only) {
  const std::string thread = Ask();
  Set(R"({"messageRequests":{"enabled":true},"safety":{"readOnly":true}})");
  EXPECT_EQ(Code(bob_.Ask("request.accept", In(thread))), "UNAVAILABLE");
  Set(R"({"messageRequests":{"enabled":true}})");
  EXPECT_EQ(Code(bob_.Ask("request.accept", In(thread))), "ok");
}

// --- answers to contact filters

TEST_F(Requests, only_the_requested_fields_of_a_request_are_shown) {
  ASSERT_TRUE(bob_.Ask("contact.filterSet", R"({"verifiedOnly":true,"fields":["budget"]})").ok());
  // Verified, so that no field is missing, yet the request is needed: the tenant's filter applies to carl.
  Set(R"({"messageRequests":{"enabled":true,"contactFilters":{"fields":["budget","budget","minAge"]}}})");
  const Frame refused = ann_.Ask("thread.create", Direct("carl", kHello));
  EXPECT_EQ(refused.Json("error.fields"), R"({"budget":"must be answered"})") << "once";
  const Frame made = ann_.Ask(
      "thread.create",
      Direct("carl", R"(,"firstMessage":"hi","contact":{"budget":500,"advert":"cheap lamps","x":1})"));
  EXPECT_EQ(made.Json("ok.request.contact"), R"({"budget":500})");
  EXPECT_EQ(
      world_->Join("carl").Ask("inbox.list", R"({"folder":"requests"})").Json("ok.entries.0.request.contact"),
      R"({"budget":500})");
  ExpectSound();
}

TEST_F(Requests, texts_of_a_request_are_judged_by_the_text_policy) {
  Set(R"({"messageRequests":{"enabled":true,"contactFilters":{"fields":["budget"]}},)"
      R"("safety":{"textPolicy":"default"}})");
  const auto start = [&](const std::string& to, const std::string& budget) {
    return Code(ann_.Ask("thread.create",
                         Direct(to, R"(,"firstMessage":"hi","contact":{"budget":")" + budget + "\"}")));
  };
  EXPECT_EQ(start("carl", "about 500"), "ok");
  EXPECT_EQ(start("bob", "pay me with cashapp"), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(Credits(ann_), 39);
}

TEST_F(Requests, a_field_of_a_filter_cannot_have_the_name_of_a_part_of_the_filter) {
  for (const char* name : {"verifiedOnly", "minAge", ""})
    EXPECT_EQ(Code(bob_.Ask("contact.filterSet", std::string(R"({"fields":["date",")") + name + "\"]}")),
              "BAD_REQUEST");
  EXPECT_EQ(bob_.Ask("contact.filter").Json("ok.fields"), "[]");
}

// --- groups

TEST_F(Requests, a_stranger_is_not_a_member_of_a_group_before_accepting) {
  const Frame made =
      ann_.Ask("thread.create", R"({"kind":"group","subject":"trip","participants":[{"userId":"bob"}],)"
                                R"("firstMessage":"hello all"})");
  const std::string group = made.Text("ok.thread.threadId");
  EXPECT_EQ(made.Json("ok.thread.participants"), R"(["ann"])");
  const std::vector<Frame> received = bob_.TakeEvents();
  EXPECT_EQ(Of(received, "request.updated").size(), 1u);
  EXPECT_EQ(Of(received, "inbox.updated").size(), 1u);
  EXPECT_EQ(received.size(), 2u) << "and nothing of the group";
  EXPECT_EQ(Threads(bob_, "requests"), group);
  const Frame entry = bob_.Ask("inbox.list", R"({"folder":"requests"})");
  EXPECT_EQ(entry.Text("ok.entries.0.subject"), "trip");
  EXPECT_EQ(entry.Json("ok.entries.0.lastMessage"), "null");
  EXPECT_EQ(entry.Int("ok.entries.0.unread"), 0);
  EXPECT_EQ(Code(bob_.Ask("thread.get", In(group))), "THREAD_NOT_MEMBER");
  EXPECT_EQ(Credits(ann_), 40) << "asking somebody into a group costs none";
  Say(ann_, group, "anybody?");
  EXPECT_TRUE(bob_.TakeEvents().empty());
  ExpectSound();
  ann_.TakeEvents();
  EXPECT_EQ(bob_.Ask("request.accept", In(group)).Text("ok.entry.request.state"), "accepted");
  EXPECT_EQ(Of(ann_.TakeEvents(), "participant.added").size(), 1u);
  EXPECT_EQ(Threads(bob_, "all"), group);
  EXPECT_EQ(bob_.Ask("message.list", In(group)).Size("ok.messages"), 2u) << "the whole history";
  EXPECT_EQ(Say(bob_, group, "here"), "ok");
  EXPECT_EQ(Code(bob_.Ask("request.accept", In(group))), "ok") << "again";
  ExpectSound();
}

TEST_F(Requests, adding_a_stranger_to_a_group_sends_one_request) {
  const std::string group = ann_.Ask("thread.create", R"({"kind":"group"})").Text("ok.thread.threadId");
  const Frame added = ann_.Ask("participant.add", In(group, R"(,"userId":"bob")"));
  EXPECT_EQ(added.Text("ok.request.state"), "pending");
  EXPECT_NE(added.Json("ok.participant.removedAt"), "null") << "they are no member";
  const std::string request = added.Text("ok.request.requestId");
  EXPECT_EQ(ann_.Ask("participant.add", In(group, R"(,"userId":"bob")")).Text("ok.request.requestId"),
            request);
  EXPECT_EQ(Code(bob_.Ask("request.decline", R"({"requestId":")" + request + "\"}")), "ok");
  EXPECT_EQ(Code(ann_.Ask("participant.add", In(group, R"(,"userId":"bob")"))), "MSG_GATE_REQUIRED");
  ExpectSound();
}

TEST_F(Requests, declining_a_group_leaves_a_passive_entry_that_can_still_be_blocked) {
  const std::string group =
      ann_.Ask("thread.create", R"({"kind":"group","subject":"trip","participants":[{"userId":"bob"}]})")
          .Text("ok.thread.threadId");
  bob_.TakeEvents();
  EXPECT_EQ(bob_.Ask("request.decline", In(group)).Text("ok.entry.request.state"), "declined");
  EXPECT_EQ(Of(bob_.TakeEvents(), "request.updated").front().Text("request.state"), "declined");
  EXPECT_EQ(Threads(bob_, "requests"), group);
  EXPECT_EQ(Threads(bob_, "all"), "");
  Say(ann_, group, "well");
  EXPECT_THAT(bob_.TakeEvents(), testing::IsEmpty());
  EXPECT_EQ(bob_.Ask("inbox.list", R"({"folder":"requests"})").Json("ok.entries.0.lastMessage"), "null");
  EXPECT_EQ(Code(bob_.Ask("thread.get", In(group))), "THREAD_NOT_MEMBER");
  EXPECT_EQ(Code(bob_.Ask("request.decline", In(group))), "ok") << "again";
  EXPECT_EQ(Code(bob_.Ask("request.accept", In(group))), "ACTION_INVALID_STATE");
  ExpectSound();
  world_->Advance(int64_t{72} * 3600 * 1000);
  ann_ = world_->Join("ann");
  bob_ = world_->Join("bob");
  EXPECT_EQ(Threads(bob_, "requests"), group) << "what was answered does not expire";
  // No other stranger can invite them again; an acquaintance can.
  FakeClient eve = world_->Join("eve");
  ASSERT_TRUE(ann_.Ask("participant.add", In(group, R"(,"userId":"eve")")).ok());
  ASSERT_EQ(Code(eve.Ask("request.accept", In(group))), "ok");
  ASSERT_TRUE(ann_.Ask("participant.update", In(group, R"(,"userId":"eve","permission":"owner")")).ok());
  EXPECT_EQ(Code(eve.Ask("participant.add", In(group, R"(,"userId":"bob")"))), "MSG_GATE_REQUIRED");
  EXPECT_EQ(bob_.Ask("request.block", In(group)).Text("ok.entry.request.state"), "blocked");
  EXPECT_EQ(Code(bob_.Ask("request.block", In(group))), "ok") << "again";
  EXPECT_EQ(bob_.Ask("user.blocks").Text("ok.items.0.userId"), "ann");
  ExpectSound();
  const auto added = world_->Http("POST", "/v1/ops/participant.add", In(group, R"(,"userId":"bob")"),
                                  {{"Authorization", "Bearer " + world_->service_key()}});
  ASSERT_EQ(added.status, 200) << added.body;
  EXPECT_EQ(Threads(bob_, "requests"), "");
  EXPECT_EQ(Threads(bob_, "all"), group);
  ExpectSound();
}

TEST_F(Requests, a_declined_invitation_makes_room_for_others) {
  const std::string group = ann_.Ask("thread.create", R"({"kind":"group"})").Text("ok.thread.threadId");
  const auto ask = [&](int i) {
    return Code(ann_.Ask("participant.add", In(group, R"(,"userId":"u)" + std::to_string(i) + "\"")));
  };
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ask(i), "ok");
  EXPECT_EQ(ask(20), "TOO_LARGE");
  FakeClient declining = world_->Join("u7");
  EXPECT_EQ(Code(declining.Ask("request.decline", In(group))), "ok");
  EXPECT_EQ(ask(20), "ok");
  EXPECT_EQ(Threads(declining, "requests"), "") << "as many as are asked are kept";
  EXPECT_EQ(ask(7), "MSG_GATE_REQUIRED");
  ExpectSound();
}

TEST_F(Requests, a_request_into_a_group_expires) {
  Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30}})");
  const std::string group = ann_.Ask("thread.create", R"({"kind":"group","participants":[{"userId":"bob"}]})")
                                .Text("ok.thread.threadId");
  EXPECT_EQ(Threads(bob_, "requests"), group);
  world_->Advance(31'000);
  EXPECT_EQ(Threads(bob_, "requests"), "");
  EXPECT_EQ(Code(bob_.Ask("request.accept", In(group))), "THREAD_NOT_MEMBER");
  ExpectSound();
}

TEST_F(Requests, a_group_has_a_limit_of_pending_requests) {
  std::string named;
  for (int i = 0; i < 21; ++i)
    named += (i ? "," : "") + std::string(R"({"userId":"u)") + std::to_string(i) + "\"}";
  EXPECT_EQ(Code(ann_.Ask("thread.create", R"({"kind":"group","participants":[)" + named + "]}")),
            "TOO_LARGE");
  EXPECT_EQ(Threads(ann_, "all"), "");
}

}  // namespace
}  // namespace parley::gateway_test
