// Message requests, credits and contact filters between two strangers: the lines 43 to 54 of the domain's
// checklist, on the whole server with a fake network.
#include "protocol/message_items.h"
#include "tests/gateway/requests_scene.h"

namespace parley::gateway_test {
namespace {

TEST_F(Requests, a_first_contact_is_pending_and_shows_only_a_preview) {
  Set(R"({"messageRequests":{"enabled":true,"previewCharacters":5}})");
  bob_.TakeEvents();
  const Frame made = ann_.Ask("thread.create", Direct("bob", kHello));
  const std::string thread = made.Text("ok.thread.threadId");
  EXPECT_EQ(made.Text("ok.request.state"), "pending");
  EXPECT_EQ(made.Text("ok.request.fromUserId"), "ann");
  EXPECT_LT(made.Text("ok.request.createdAt"), made.Text("ok.request.expiresAt"));
  const std::vector<Frame> received = bob_.TakeEvents();
  EXPECT_EQ(Of(received, "skip").size(), 4u) << "thread, two participants, message";
  const auto reported = Of(received, "request.updated");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].Text("threadId"), thread);
  EXPECT_EQ(reported[0].Text("request.state"), "pending");
  const auto entries = Of(received, "inbox.updated");
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].Text("entry.lastMessage.preview"), "hello");
  EXPECT_EQ(received.size(), 6u) << "and nothing else";
  EXPECT_EQ(Of(ann_.TakeEvents(), "request.updated").size(), 1u);
  EXPECT_EQ(Threads(bob_, "requests"), thread);
  EXPECT_EQ(Threads(bob_, "all") + Threads(bob_, "unread"), "");
  EXPECT_EQ(bob_.Ask("inbox.counts").Int("ok.unreadMessages"), 0);
  EXPECT_EQ(Threads(ann_, "all"), thread);
  for (const char* op : {"thread.get", "thread.open", "message.list", "participant.list", "inbox.explain"})
    EXPECT_EQ(Code(bob_.Ask(op, In(thread))), "MSG_GATE_REQUIRED") << op;
  EXPECT_EQ(Code(bob_.Ask("thread.changes", In(thread, R"(,"afterSeq":0)"))), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Code(bob_.Ask("typing.set", In(thread, R"(,"typing":true)"))), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Say(bob_, thread, "who are you?"), "MSG_GATE_REQUIRED");
  const std::string message = ann_.Ask("message.list", In(thread)).Text("ok.messages.0.messageId");
  EXPECT_EQ(Code(bob_.Ask("read.mark", In(thread, R"(,"messageId":")" + message + "\""))),
            "MSG_GATE_REQUIRED");
  EXPECT_EQ(Code(world_->Join("eve").Ask("request.accept", In(thread))), "THREAD_NOT_MEMBER");
  ExpectSound();
}

TEST_F(Requests, a_recipient_who_resumes_gets_only_the_seq_of_the_thread) {
  const std::string thread = Ask();
  FakeClient again = world_->Connect();
  const Frame hello = again.Hello(world_->Token("bob"));
  FakeClient resumed = world_->Connect();
  ASSERT_TRUE(resumed
                  .Hello(world_->Token("bob"), R"("resume":{"epoch":")" + hello.Text("ok.epoch") +
                                                   R"(","threads":{")" + thread + R"(":0}})")
                  .ok());
  EXPECT_THAT(Lines(resumed.TakeEvents()), testing::ElementsAre("thread.synced 4"));
}

TEST_F(Requests, a_requester_cannot_write_more_before_acceptance) {
  const std::string thread = Ask();
  EXPECT_EQ(Say(ann_, thread, "are you there?"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", kHello))), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Inquiry("ann", "bob"))), "MSG_GATE_REQUIRED");
  // A request that was made without a message may send one.
  const std::string other = ann_.Ask("thread.create", Direct("carl")).Text("ok.thread.threadId");
  EXPECT_EQ(Say(ann_, other, "hello"), "ok");
  EXPECT_EQ(Say(ann_, other, "hello?"), "MSG_GATE_REQUIRED");
  ExpectSound();
}

TEST_F(Requests, users_who_share_a_booking_need_no_request) {
  ASSERT_TRUE(Service("thread.create", Project("ann", "bob")).Has("thread"));
  const Frame made = ann_.Ask("thread.create", Direct("bob", kHello));
  EXPECT_FALSE(made.Has("ok.request"));
  EXPECT_EQ(Say(ann_, made.Text("ok.thread.threadId"), "and more"), "ok");
  EXPECT_EQ(Credits(ann_), 40);
  ExpectSound();
}

TEST_F(Requests, a_users_own_project_is_between_strangers_until_a_service_binds_it) {
  Set(R"({"messageRequests":{"enabled":true},"safety":{"textPolicy":"default"},"userProjects":true})");
  bob_.TakeEvents();
  const Frame made =
      ann_.Ask("thread.create", Project("ann", "bob", R"(,"firstMessage":"call me: +49 170 1234567")"));
  const std::string thread = made.Text("ok.thread.threadId");
  EXPECT_EQ(made.Text("ok.request.state"), "pending");
  EXPECT_EQ(Credits(ann_), 39);
  EXPECT_THAT(ann_.Ask("message.list", In(thread)).Text("ok.messages.0.body"),
              testing::Not(testing::HasSubstr("1234567")));
  EXPECT_EQ(Of(bob_.TakeEvents(), "message.created").size(), 0u);
  EXPECT_EQ(Code(bob_.Ask("message.list", In(thread))), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Say(ann_, thread, "hello?"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", kHello))), "MSG_GATE_REQUIRED") << "not acquainted";
  EXPECT_EQ(Code(ann_.Ask("thread.create", Project("bob", "ann"))), "MSG_GATE_REQUIRED");
  const std::string bind = In(thread, R"(,"lbgId":"lbg_1","eventId":"e1")");
  ASSERT_TRUE(Service("thread.promote", bind).Has("thread"));
  EXPECT_EQ(Threads(bob_, "all"), thread) << "whoever books has accepted";
  EXPECT_EQ(Say(ann_, thread, "it is +49 170 1234567"), "ok");
  EXPECT_THAT(bob_.Ask("message.list", In(thread)).Json(), testing::HasSubstr("1234567"));
  EXPECT_FALSE(ann_.Ask("thread.create", Direct("bob", kHello)).Has("ok.request"));
  ExpectSound();
}

TEST_F(Requests, strangers_are_invited_into_a_users_own_project_by_request) {
  Set(R"({"messageRequests":{"enabled":true},"userProjects":true})");
  const Frame made =
      ann_.Ask("thread.create", Project("ann", "bob", R"(,"participants":[{"userId":"carl"}])"));
  const std::string thread = made.Text("ok.thread.threadId");
  EXPECT_EQ(made.Size("ok.participants"), 2u);
  FakeClient carl = world_->Join("carl");
  EXPECT_EQ(Threads(carl, "requests"), thread);
  EXPECT_EQ(Code(carl.Ask("message.list", In(thread))), "THREAD_NOT_MEMBER");
  EXPECT_EQ(ann_.Ask("participant.add", In(thread, R"(,"userId":"dora")")).Text("ok.request.state"),
            "pending");
  ASSERT_TRUE(Service("thread.promote", In(thread, R"(,"lbgId":"lbg_1","eventId":"e1")")).Has("thread"));
  EXPECT_FALSE(ann_.Ask("participant.add", In(thread, R"(,"userId":"emil")")).Has("ok.request"));
  ExpectSound();
}

TEST_F(Requests, users_create_projects_only_if_the_tenant_allows_it) {
  Set(R"({"messageRequests":{"enabled":true},"userProjects":false})");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Project("ann", "bob"))), "FORBIDDEN");
  EXPECT_TRUE(Service("thread.create", Project("ann", "bob")).Has("thread"));
}

TEST_F(Requests, accepting_moves_the_thread_to_all_and_notifies_the_requester) {
  const std::string thread = Ask();
  ann_.TakeEvents();
  bob_.TakeEvents();
  const Frame accepted = bob_.Ask("request.accept", In(thread));
  EXPECT_EQ(accepted.Text("ok.entry.request.state"), "accepted");
  EXPECT_EQ(accepted.Int("ok.creditsRemaining"), 40) << "of the one who answers";
  EXPECT_EQ(accepted.Text("ok.entry.lastMessage.preview"), "hello there");
  EXPECT_EQ(accepted.Int("ok.entry.unread"), 1);
  const auto reported = Of(ann_.TakeEvents(), "request.updated");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].Text("request.state"), "accepted");
  EXPECT_EQ(Of(bob_.TakeEvents(), "inbox.updated").size(), 1u);
  EXPECT_EQ(Threads(bob_, "requests"), "");
  EXPECT_EQ(Threads(bob_, "all"), thread);
  EXPECT_EQ(bob_.Ask("message.list", In(thread)).Text("ok.messages.0.body"), "hello there");
  EXPECT_EQ(Say(bob_, thread, "hello"), "ok");
  EXPECT_EQ(Say(ann_, thread, "how are you?"), "ok");
  EXPECT_EQ(bob_.Ask("request.accept", In(thread)).Text("ok.entry.request.state"), "accepted") << "again";
  EXPECT_EQ(Code(bob_.Ask("request.decline", In(thread))), "ACTION_INVALID_STATE");
  EXPECT_EQ(Code(ann_.Ask("request.accept", In(thread))), "FORBIDDEN") << "only who was asked answers";
  EXPECT_FALSE(ann_.Ask("thread.create", Inquiry("ann", "bob")).Has("ok.request")) << "no stranger any more";
  ExpectSound();
}

TEST_F(Requests, a_request_can_be_answered_by_its_own_id) {
  const Frame made = ann_.Ask("thread.create", Direct("bob", kHello));
  const std::string request = R"({"requestId":")" + made.Text("ok.request.requestId") + "\"}";
  EXPECT_EQ(Code(ann_.Ask("request.accept", request)), "NOT_FOUND");
  EXPECT_EQ(Code(bob_.Ask("request.accept", R"({"requestId":"req_00000000000000000000000000"})")),
            "NOT_FOUND");
  EXPECT_EQ(Code(bob_.Ask("request.accept")), "BAD_REQUEST");
  EXPECT_EQ(bob_.Ask("request.accept", request).Text("ok.entry.request.state"), "accepted");
  EXPECT_EQ(Threads(bob_, "all"), made.Text("ok.thread.threadId"));
}

TEST_F(Requests, declining_hides_the_thread_and_a_second_request_is_refused) {
  const std::string thread = Ask();
  ann_.TakeEvents();
  const Frame declined = bob_.Ask("request.decline", In(thread));
  EXPECT_EQ(declined.Text("ok.entry.request.state"), "declined");
  EXPECT_EQ(declined.Json("ok.entry.lastMessage"), "null") << "no preview stays";
  EXPECT_EQ(Of(ann_.TakeEvents(), "request.updated").front().Text("request.state"), "declined");
  EXPECT_EQ(Threads(bob_, "requests"), thread) << "a passive entry";
  EXPECT_EQ(Threads(bob_, "all"), "");
  EXPECT_EQ(Code(bob_.Ask("message.list", In(thread))), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Say(ann_, thread, "please"), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Inquiry("ann", "bob", kHello))), "MSG_GATE_REQUIRED");
  EXPECT_EQ(Code(bob_.Ask("request.accept", In(thread))), "ACTION_INVALID_STATE");
  EXPECT_EQ(Code(bob_.Ask("request.decline", In(thread))), "ok") << "again";
  ExpectSound();
}

TEST_F(Requests, a_block_looks_declined_to_the_requester) {
  const std::string thread = Ask();
  ann_.TakeEvents();
  EXPECT_EQ(bob_.Ask("request.block", In(thread)).Text("ok.entry.request.state"), "blocked");
  const std::vector<Frame> received = ann_.TakeEvents();
  EXPECT_EQ(Of(received, "request.updated").front().Text("request.state"), "declined");
  for (const Frame& event : received) {
    std::string json = event.Json();
    constexpr std::string_view kNotBlocking = "\"blockedUntil\":null";  // the requester blocks no one
    if (const size_t at = json.find(kNotBlocking); at != std::string::npos)
      json.erase(at, kNotBlocking.size());
    EXPECT_THAT(json, testing::Not(testing::HasSubstr("block")));
  }
  EXPECT_EQ(ann_.Ask("inbox.list").Text("ok.entries.0.request.state"), "declined");
  EXPECT_EQ(bob_.Ask("user.blocks").Text("ok.items.0.userId"), "ann");
  EXPECT_EQ(ann_.Ask("user.blocks").Size("ok.items"), 0u);
  EXPECT_EQ(Code(bob_.Ask("request.block", In(thread))), "ok") << "again";
  EXPECT_EQ(Code(ann_.Ask("thread.create", Inquiry("ann", "bob", kHello))), "MSG_GATE_REQUIRED");
  ExpectSound();
}

TEST_F(Requests, a_request_of_a_pair_with_a_block_cannot_be_accepted) {
  const std::string thread = Ask();
  for (FakeClient* who : {&ann_, &bob_}) {
    const std::string whom = who == &ann_ ? "bob" : "ann";
    ASSERT_TRUE(who->Ask("user.block", R"({"userId":")" + whom + "\"}").ok());
    ann_.TakeEvents();
    EXPECT_EQ(Code(bob_.Ask("request.accept", In(thread))), "MSG_BLOCKED_BY_USER");
    EXPECT_THAT(Of(ann_.TakeEvents(), "request.updated"), testing::IsEmpty());
    EXPECT_EQ(Threads(bob_, "requests"), thread) << "it waits";
    ASSERT_TRUE(who->Ask("user.unblock", R"({"userId":")" + whom + "\"}").ok());
  }
  ASSERT_TRUE(ann_.Ask("user.block", R"({"userId":"bob"})").ok());
  EXPECT_EQ(Code(bob_.Ask("request.decline", In(thread))), "ok") << "turning it away brings nobody together";
  ExpectSound();
}

TEST_F(Requests, a_request_can_be_accepted_until_the_moment_it_expires) {
  Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30}})");
  const std::string thread = Ask();
  const std::string other = bob_.Ask("thread.create", Direct("carl", kHello)).Text("ok.thread.threadId");
  FakeClient carl = world_->Join("carl");
  world_.clock().Advance(29'999);
  EXPECT_EQ(bob_.Ask("request.accept", In(thread)).Text("ok.entry.request.state"), "accepted");
  world_.clock().Advance(1);
  for (const char* op : {"request.accept", "request.decline", "request.block"})
    EXPECT_EQ(Code(carl.Ask(op, In(other))), "ACTION_INVALID_STATE") << op;
  EXPECT_EQ(carl.Ask("user.blocks").Size("ok.items"), 0u) << "what is refused blocks nobody";
  ExpectSound();
}

TEST_F(Requests, only_the_recipient_answers_and_refusals_to_others_change_nothing) {
  const std::string thread = Ask();
  FakeClient eve = world_->Join("eve"), staff = world_->Connect();
  ASSERT_TRUE(staff.Hello(world_->Token("sue", "admin")).ok());
  for (const char* op : {"request.accept", "request.decline", "request.block"}) {
    EXPECT_EQ(Code(ann_.Ask(op, In(thread))), "FORBIDDEN") << op;
    EXPECT_EQ(Code(staff.Ask(op, In(thread))), "FORBIDDEN") << op;
    EXPECT_EQ(Code(eve.Ask(op, In(thread))), "THREAD_NOT_MEMBER") << op;
  }
  EXPECT_EQ(ann_.Ask("user.blocks").Size("ok.items"), 0u);
  EXPECT_EQ(Code(bob_.Ask("request.decline", In(thread))), "ok");
  EXPECT_EQ(Code(bob_.Ask("request.block", In(thread))), "ok") << "what was declined can be blocked";
  EXPECT_EQ(Code(bob_.Ask("request.decline", In(thread))), "ACTION_INVALID_STATE");
  EXPECT_EQ(bob_.Ask("user.blocks").Text("ok.items.0.userId"), "ann");
  ExpectSound();
}

TEST_F(Requests, a_request_expires_by_the_clock_and_leaves_the_folder) {
  Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30}})");
  const std::string thread = Ask();
  ann_.TakeEvents();
  world_->Advance(29'000);
  EXPECT_EQ(Threads(bob_, "requests"), thread);
  world_->Advance(2000);
  EXPECT_EQ(Threads(bob_, "requests") + Threads(bob_, "all"), "");
  const auto reported = Of(ann_.TakeEvents(), "request.updated");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].Text("request.state"), "expired");
  EXPECT_EQ(Code(bob_.Ask("request.accept", In(thread))), "ACTION_INVALID_STATE");
  EXPECT_EQ(Say(ann_, thread, "still there?"), "MSG_GATE_REQUIRED");
  ExpectSound();
}

TEST_F(Requests, a_new_conversation_costs_one_credit_and_a_reply_none) {
  EXPECT_EQ(Credits(ann_), 40);
  const std::string thread = Ask();
  EXPECT_EQ(Credits(ann_), 39);
  bob_.Ask("request.accept", In(thread));
  Say(bob_, thread, "yes?");
  Say(ann_, thread, "well");
  EXPECT_EQ(Credits(ann_), 39);
  EXPECT_EQ(Credits(bob_), 40);
  const std::string silent = ann_.Ask("thread.create", Direct("carl")).Text("ok.thread.threadId");
  Say(ann_, silent, "hello");
  EXPECT_EQ(Credits(ann_), 38);
  ExpectSound();
}

TEST_F(Requests, a_repeated_start_costs_one_credit_restarts_included) {
  const std::string start = Inquiry("ann", "bob", R"(,"firstMessage":"hi","clientId":"c1")");
  const std::string thread = ann_.Ask("thread.create", start).Text("ok.thread.threadId");
  EXPECT_EQ(ann_.Ask("thread.create", start).Text("ok.thread.threadId"), thread);
  world_.Restart();
  FakeClient ann = world_->Join("ann");
  EXPECT_EQ(ann.Ask("thread.create", start).Text("ok.thread.threadId"), thread);
  EXPECT_EQ(Credits(ann), 39);
  ExpectSound();
}

TEST_F(Requests, without_credits_no_stranger_can_be_contacted_until_the_monthly_grant) {
  Set(R"({"messageRequests":{"enabled":true,"monthlyCredits":2,"bonusVerified":1,"creditsCap":3}})");
  const auto start = [&](const std::string& to) {
    return Code(ann_.Ask("thread.create", Direct(to, R"(,"firstMessage":"hi )" + to + "\"")));
  };
  EXPECT_EQ(start("u1"), "ok");
  EXPECT_EQ(start("u2"), "ok");
  EXPECT_EQ(start("u3"), "CREDITS_EXHAUSTED");
  EXPECT_EQ(Credits(ann_), 0);
  EXPECT_EQ(Threads(ann_, "all").find(' ') == std::string::npos, false) << "what was refused left nothing";
  FakeClient verified = JoinWith("ann", R"({"idVerified":true})");
  EXPECT_EQ(Credits(verified), 1);
  EXPECT_EQ(Code(verified.Ask("thread.create", Direct("u3", R"(,"firstMessage":"hi u3")"))), "ok");
  EXPECT_EQ(Credits(verified), 0);
  world_->Advance(int64_t{30} * 24 * 3600 * 1000);
  EXPECT_EQ(Credits(world_->Join("ann")), 2);
  ExpectSound();
}

TEST_F(Requests, the_default_grants_are_40_and_20_and_20_and_80_at_most) {
  EXPECT_EQ(Credits(JoinWith("v", R"({"idVerified":true})")), 60);
  EXPECT_EQ(Credits(JoinWith("t", R"({"idVerified":true,"trustedPro":true})")), 80);
  Set(R"({"messageRequests":{"enabled":true,"monthlyCredits":70}})");
  EXPECT_EQ(Credits(JoinWith("t", R"({"idVerified":true,"trustedPro":true})")), 80);
}

TEST_F(Requests, a_freeze_and_a_lower_cap_apply_from_the_next_start_on) {
  Set(R"({"messageRequests":{"enabled":true,"creditsFrozen":true}})");
  EXPECT_EQ(Credits(ann_), 0);
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", kHello))), "CREDITS_EXHAUSTED");
  Set(R"({"messageRequests":{"enabled":true,"creditsCap":1}})");
  EXPECT_EQ(Credits(ann_), 1);
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", kHello))), "ok");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("carl", kHello))), "CREDITS_EXHAUSTED");
}

TEST_F(Requests, missing_filter_fields_are_listed_and_supplying_them_sends_the_request) {
  ASSERT_TRUE(bob_.Ask("contact.filterSet", R"({"fields":["budget","date"]})").ok());
  EXPECT_EQ(bob_.Ask("contact.filter").Json("ok.fields"), R"(["budget","date"])");
  Frame refused = ann_.Ask("thread.create", Direct("bob", kHello));
  EXPECT_EQ(Code(refused), "CONTACT_FILTER_UNMET");
  EXPECT_TRUE(refused.Has("error.fields.budget"));
  EXPECT_TRUE(refused.Has("error.fields.date"));
  EXPECT_EQ(Credits(ann_), 40) << "it cost nothing";
  refused = ann_.Ask("thread.create", Direct("bob", R"(,"firstMessage":"hi","contact":{"budget":500})"));
  EXPECT_EQ(Code(refused), "CONTACT_FILTER_UNMET");
  EXPECT_FALSE(refused.Has("error.fields.budget"));
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", R"(,"firstMessage":"hi","contact":)"
                                                         R"({"budget":500,"date":"2026-01-02"})"))),
            "ok");
  ASSERT_TRUE(bob_.Ask("contact.filterSet", "{}").ok());
  EXPECT_EQ(bob_.Ask("contact.filter").Json("ok.fields"), "[]");
  ExpectSound();
}

TEST_F(Requests, the_tenants_filter_applies_to_users_without_one) {
  Set(R"({"messageRequests":{"enabled":true,"contactFilters":{"verifiedOnly":true}}})");
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", kHello))), "CONTACT_FILTER_UNMET");
  FakeClient verified = JoinWith("vera", R"({"idVerified":true})");
  const Frame made = verified.Ask("thread.create", Direct("bob", kHello));
  EXPECT_EQ(made.Text("ok.request.state"), "pending") << "the tenant's lets nobody in";
}

TEST_F(Requests, a_user_who_meets_the_filter_needs_no_request) {
  ASSERT_TRUE(bob_.Ask("contact.filterSet", R"({"verifiedOnly":true,"minAge":18})").ok());
  EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob", kHello))), "CONTACT_FILTER_UNMET");
  FakeClient vera = JoinWith("vera", R"({"idVerified":true,"age":30})");
  bob_.TakeEvents();
  const Frame made = vera.Ask("thread.create", Direct("bob", kHello));
  EXPECT_FALSE(made.Has("ok.request"));
  EXPECT_EQ(Of(bob_.TakeEvents(), "message.created").size(), 1u);
  EXPECT_EQ(Threads(bob_, "all"), made.Text("ok.thread.threadId"));
  EXPECT_EQ(Credits(vera), 59) << "a conversation with a stranger it is";
  ExpectSound();
}

TEST_F(Requests, presence_of_a_stranger_is_hidden_before_they_accept) {
  const std::string thread = Ask();
  const std::string about = R"({"userIds":["bob"]})";
  EXPECT_FALSE(ann_.Ask("presence.get", about).Bool("ok.presence.0.online"));
  bob_.Ask("request.accept", In(thread));
  EXPECT_TRUE(ann_.Ask("presence.get", about).Bool("ok.presence.0.online"));
}

TEST_F(Requests, presence_begins_in_open_threads_on_acceptance) {
  const std::string thread = Ask();
  EXPECT_EQ(ann_.Ask("thread.open", In(thread)).Json("ok.presence"), R"([{"userId":"ann","online":true}])");
  ann_.TakeEvents();
  bob_.Ask("request.accept", In(thread));
  const auto reported = Of(ann_.TakeEvents(), "presence");
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].Text("userId"), "bob");
  EXPECT_TRUE(reported[0].Bool("online"));
}

TEST_F(Requests, a_promotion_accepts_the_request) {
  const std::string thread =
      ann_.Ask("thread.create", Inquiry("ann", "bob", kHello)).Text("ok.thread.threadId");
  const auto promoted =
      world_->Http("POST", "/v1/ops/thread.promote", In(thread, R"(,"legId":"leg_1","eventId":"e1")"),
                   {{"Authorization", "Bearer " + world_->service_key()}});
  ASSERT_EQ(promoted.status, 200) << promoted.body;
  EXPECT_EQ(Threads(bob_, "all"), thread);
  EXPECT_EQ(Say(bob_, thread, "welcome"), "ok");
  ExpectSound();
}

}  // namespace
}  // namespace parley::gateway_test
