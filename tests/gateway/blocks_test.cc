// Blocks and sanctions over the whole server, with one executor and with several.
#include <gmock/gmock.h>

#include "accounts/tenants/demo.h"
#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using testing::IsEmpty;

constexpr const char* kBlocked = "MSG_BLOCKED_BY_USER";

std::string Create(const std::string& kind, const std::vector<std::string>& others) {
  std::string list;
  for (const std::string& user : others) list += (list.empty() ? "" : ",") + Args({{"userId", user}});
  return R"({"kind":")" + kind + R"(","participants":[)" + list + "]}";
}

class Blocks : public testing::TestWithParam<int> {
 protected:
  static gateway::Config With(int executors) {
    gateway::Config config = DemoConfig();
    config.executor_threads = executors;
    config.heartbeat_ms = 3'600'000;  // fake connections do not pong
    return config;
  }
  FakeClient Staff(const std::string& user) {
    FakeClient staff = world_->Connect();
    EXPECT_TRUE(staff.Hello(world_->Token(user, "moderator")).ok());
    return staff;
  }
  std::string Start(FakeClient& who, const std::string& kind, const std::vector<std::string>& others) {
    return who.Ask("thread.create", Create(kind, others)).Text("ok.thread.threadId");
  }
  static std::string To(const std::string& thread, const std::string& more = "") {
    return "{\"threadId\":\"" + thread + "\"" + more + "}";
  }
  // Sends a message; returns "ok" or the error code.
  std::string Say(FakeClient& who, const std::string& thread) {
    const std::string id = "c" + std::to_string(++said_);
    const Frame reply =
        who.Ask("message.send", To(thread, R"(,"type":"text","body":"x","clientId":")" + id + "\""));
    return reply.ok() ? "ok" : reply.error();
  }
  static bool Ok(const Frame& reply) {
    EXPECT_TRUE(reply.ok()) << reply.Json();
    return reply.ok();
  }
  // Asks as the tenant's back end.
  Frame Serve(const std::string& op, const std::string& args) {
    const auto reply =
        world_->Http("POST", "/v1/ops/" + op, args, {{"Authorization", "Bearer " + world_->service_key()}});
    EXPECT_EQ(reply.status, 200) << reply.body;
    return Frame(protocol::Encoding::kJson, reply.body);
  }
  std::string Book(const std::string& more = "") {
    return Serve("thread.create",
                 R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob")" + more + "}")
        .Text("thread.threadId");
  }
  void SetBooking(const std::string& thread, const std::string& state) {
    Serve("thread.setBooking", To(thread, R"(,"state":")" + state + "\""));
  }
  static std::string Received(FakeClient& who) {
    std::string out;
    for (const Frame& event : who.TakeEvents()) out += event.Json() + "\n";
    return out;
  }
  static testing::Matcher<std::string> Says(const std::string& user, bool online) {
    return testing::HasSubstr(R"("userId":")" + user + R"(","online":)" + (online ? "true" : "false"));
  }
  static testing::Matcher<std::string> Types(const std::string& users) {
    return testing::HasSubstr(R"("userIds":[)" + users + "]");
  }
  bool Block(FakeClient& who, const std::string& whom) {
    return Ok(who.Ask("user.block", Args({{"userId", whom}})));
  }
  bool Decide(const std::string& user, const std::string& state, const std::string& more = "") {
    return Ok(sue_.Ask("moderation.user", R"({"userId":")" + user + R"(","state":")" + state +
                                              R"(","reason":"r")" + more + "}"));
  }
  int said_ = 0;
  World world_{With(GetParam())};
  FakeClient ann_ = world_->Join("ann"), bob_ = world_->Join("bob"), carol_ = world_->Join("carol"),
             sue_ = Staff("sue");
};
INSTANTIATE_TEST_SUITE_P(Executors, Blocks, testing::Values(1, 3));

TEST_P(Blocks, an_acknowledged_block_holds_in_every_shared_thread_and_stays_secret) {
  std::vector<std::string> threads = {Start(ann_, "direct", {"bob"})};
  for (int i = 0; i < 6; ++i) {
    threads.push_back(
        ann_.Ask("thread.create", R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"bob"})")
            .Text("ok.thread.threadId"));
  }
  for (const std::string& thread : threads) EXPECT_EQ(Say(bob_, thread), "ok");
  ann_.TakeEvents(), bob_.TakeEvents(), carol_.TakeEvents();
  ASSERT_TRUE(Block(ann_, "bob"));
  for (const std::string& thread : threads) {
    EXPECT_EQ(Say(bob_, thread), kBlocked);
    EXPECT_EQ(Say(ann_, thread), kBlocked);
  }
  EXPECT_EQ(bob_.Ask("thread.create", Create("group", {"ann"})).error(), kBlocked);
  for (FakeClient* who : {&bob_, &carol_}) EXPECT_THAT(who->TakeEvents(), IsEmpty());
  EXPECT_EQ(bob_.Ask("user.blocks").Size("ok.items"), 0u) << "only the one who blocks sees it";
  EXPECT_EQ(ann_.Ask("user.blocks").Text("ok.items.0.userId"), "bob");
  ASSERT_TRUE(Ok(bob_.Ask("user.unblock", R"({"userId":"ann"})")));
  EXPECT_EQ(Say(bob_, threads[0]), kBlocked) << "it is not theirs to take back";
  ASSERT_TRUE(Ok(ann_.Ask("user.unblock", R"({"userId":"bob"})")));
  for (const std::string& thread : threads) EXPECT_EQ(Say(bob_, thread), "ok");
}

TEST_P(Blocks, staff_find_blocks_and_sanctions_in_the_audit) {
  ASSERT_TRUE(Block(ann_, "bob"));
  ASSERT_TRUE(Decide("bob", "muted"));
  ASSERT_TRUE(Ok(sue_.Ask("moderation.user", R"({"userId":"bob"})")));
  const Frame audit = sue_.Ask("moderation.audit", R"({"userId":"bob"})");
  std::string actions;
  for (size_t i = 0; i < audit.Size("ok.entries"); ++i) {
    const std::string entry = "ok.entries." + std::to_string(i);
    actions += audit.Text(entry + ".actor") + " " + audit.Text(entry + ".action") + ", ";
  }
  EXPECT_THAT(actions, testing::HasSubstr("sue look.moderation.user, sue moderation.user, ann user.block, "));
  EXPECT_EQ(bob_.Ask("moderation.audit", R"({"userId":"bob"})").error(), "FORBIDDEN");
}

TEST_P(Blocks, a_group_continues_and_its_replies_do_not_reveal_the_block) {
  const std::string group = Start(carol_, "group", {"ann", "bob"}), direct = Start(ann_, "direct", {"bob"});
  ASSERT_TRUE(Block(ann_, "bob"));
  for (FakeClient* who : {&ann_, &bob_}) EXPECT_EQ(Say(*who, group), "ok");
  const auto refused = [&](FakeClient& who) {
    Frame reply = who.Ask("message.send", To(direct, R"(,"type":"text","body":"x","clientId":"z")"));
    return reply.error() + reply.Text("error.message") + reply.Text("error.hint");
  };
  EXPECT_EQ(refused(ann_), refused(bob_));
}

TEST_P(Blocks, presence_and_typing_are_hidden_both_ways_except_in_groups) {
  const std::string group = Start(carol_, "group", {"ann", "bob"}), direct = Start(ann_, "direct", {"bob"});
  const auto sees = [&](FakeClient& who, const std::string& whom) {
    return who.Ask("presence.get", R"({"userIds":[")" + whom + "\"]}").Bool("ok.presence.0.online");
  };
  EXPECT_TRUE(sees(ann_, "bob") && sees(bob_, "ann"));
  ASSERT_TRUE(Block(ann_, "bob"));
  EXPECT_FALSE(sees(ann_, "bob") || sees(bob_, "ann"));
  EXPECT_TRUE(sees(carol_, "bob"));
}

TEST_P(Blocks, a_blocked_users_presence_and_typing_are_not_delivered_to_the_other_side) {
  const std::string direct = Start(ann_, "direct", {"bob"}), group = Start(carol_, "group", {"ann", "bob"});
  for (FakeClient* who : {&ann_, &bob_}) {
    for (const std::string& thread : {direct, group}) EXPECT_TRUE(who->Ask("thread.open", To(thread)).ok());
  }
  EXPECT_TRUE(bob_.Ask("typing.set", To(direct, R"(,"typing":true)")).ok());
  ann_.TakeEvents(), bob_.TakeEvents();
  ASSERT_TRUE(Block(ann_, "bob"));
  const auto received = [&](FakeClient& who) {
    std::string out;
    for (const Frame& event : who.TakeEvents()) out += event.Json() + "\n";
    return out;
  };
  const auto gone = [&](const std::string& user) {
    return testing::HasSubstr(R"("userId":")" + user + R"(","online":false)");
  };
  EXPECT_THAT(received(ann_), testing::AllOf(gone("bob"), testing::HasSubstr(R"("userIds":[])")));
  EXPECT_THAT(received(bob_), gone("ann"));
  for (FakeClient* who : {&ann_, &bob_})
    EXPECT_TRUE(who->Ask("typing.set", To(direct, R"(,"typing":true)")).ok());
  world_->Advance(11'000);
  EXPECT_EQ(received(ann_) + received(bob_), "");
  EXPECT_TRUE(bob_.Ask("typing.set", To(group, R"(,"typing":true)")).ok());
  EXPECT_THAT(received(ann_), testing::HasSubstr(R"("userIds":["bob"])")) << "a group goes on";
  const Frame again = ann_.Ask("thread.open", To(direct));
  EXPECT_EQ(again.Json("ok.presence"), R"([{"userId":"ann","online":true},{"userId":"bob","online":false}])");
  ann_.TakeEvents();
  ASSERT_TRUE(Ok(ann_.Ask("user.unblock", R"({"userId":"bob"})")));
  EXPECT_THAT(received(ann_), testing::HasSubstr(R"("userId":"bob","online":true)"));
}

TEST_P(Blocks, presence_and_typing_follow_the_start_and_end_of_a_booking) {
  const std::string booked = Book(R"(,"lbgId":"lbg_1")");
  for (FakeClient* who : {&ann_, &bob_}) ASSERT_TRUE(who->Ask("thread.open", To(booked)).ok());
  const auto type = [&](FakeClient& who) {
    EXPECT_TRUE(who.Ask("typing.set", To(booked, R"(,"typing":true)")).ok());
  };
  ASSERT_TRUE(Block(ann_, "bob"));
  ann_.TakeEvents(), bob_.TakeEvents();
  type(bob_);
  EXPECT_THAT(Received(ann_), Types("\"bob\"")) << "while it is live";
  SetBooking(booked, "closed");
  EXPECT_THAT(Received(ann_), testing::AllOf(Says("bob", false), Types("")));
  EXPECT_THAT(Received(bob_), Says("ann", false));
  world_->Advance(11'000);
  type(bob_), type(ann_);
  EXPECT_EQ(Received(ann_) + Received(bob_), "");
  EXPECT_EQ(ann_.Ask("thread.open", To(booked)).Json("ok.presence.1"), R"({"userId":"bob","online":false})");
  SetBooking(booked, "live");
  EXPECT_THAT(Received(ann_), testing::AllOf(Says("bob", true), Types("\"bob\"")));
  EXPECT_THAT(Received(bob_), testing::AllOf(Says("ann", true), Types("\"ann\"")));
  SetBooking(booked, "closed");
  ASSERT_TRUE(Ok(ann_.Ask("user.unblock", R"({"userId":"bob"})")));
  EXPECT_THAT(Received(ann_), testing::AllOf(Says("bob", false), Says("bob", true)));
  ann_.TakeEvents(), bob_.TakeEvents();
  SetBooking(booked, "live");
  EXPECT_EQ(Received(ann_) + Received(bob_), "") << "without a block it is no news to anybody";
}

TEST_P(Blocks, presence_flows_again_in_an_inquiry_that_becomes_a_booking) {
  const std::string inquiry =
      ann_.Ask("thread.create", R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"bob"})")
          .Text("ok.thread.threadId");
  for (FakeClient* who : {&ann_, &bob_}) ASSERT_TRUE(who->Ask("thread.open", To(inquiry)).ok());
  ASSERT_TRUE(Block(ann_, "bob"));
  ann_.TakeEvents(), bob_.TakeEvents();
  Serve("thread.promote", To(inquiry, R"(,"legId":"leg_1","eventId":"e1")"));
  EXPECT_THAT(Received(ann_), Says("bob", true));
  EXPECT_THAT(Received(bob_), Says("ann", true));
  EXPECT_EQ(Say(bob_, inquiry), "ok");
}

TEST_P(Blocks, changes_of_a_booking_reveal_no_block) {
  const std::string booked = Book(R"(,"lbgId":"lbg_1")");
  ASSERT_TRUE(Block(ann_, "bob"));
  ann_.TakeEvents(), bob_.TakeEvents();
  for (const char* state : {"closed", "live", "closed"}) {
    SetBooking(booked, state);
    const auto own = ann_.TakeEvents();
    ASSERT_THAT(Lines(own), testing::ElementsAre("inbox.updated")) << state;
    EXPECT_EQ(own[0].Json("entry.blockedUntil") == "null", std::string(state) == "live");
    EXPECT_THAT(bob_.TakeEvents(), IsEmpty()) << state;
  }
}

TEST_P(Blocks, a_block_is_in_the_blockers_own_inbox_entry) {
  const std::string direct = Start(ann_, "direct", {"bob"});
  const auto entry = [&](FakeClient& who) { return who.Ask("inbox.list").Json("ok.entries.0.blockedUntil"); };
  EXPECT_EQ(entry(ann_), "null");
  ann_.TakeEvents();
  ASSERT_TRUE(Block(ann_, "bob"));
  EXPECT_EQ(ann_.TakeEvents().at(0).Text("entry.blockedUntil"), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(entry(ann_), R"("9999-12-31T23:59:59.999Z")");
  EXPECT_EQ(entry(bob_), "null");
  ASSERT_TRUE(Block(bob_, "ann"));
  EXPECT_EQ(entry(bob_), R"("9999-12-31T23:59:59.999Z")");
  ASSERT_TRUE(Ok(ann_.Ask("user.unblock", R"({"userId":"bob"})")));
  EXPECT_EQ(entry(ann_), "null");
  EXPECT_EQ(entry(bob_), R"("9999-12-31T23:59:59.999Z")");
}

// Reads cannot see the decisions of a batch before its commit. So a block is answered only after the
// executors have committed the batches that they had decided; otherwise a thread created at the same moment
// would never show the block.
TEST_P(Blocks, a_block_is_answered_after_the_batches_that_were_decided_before_it) {
  world_->HoldExecutor(true);
  const uint32_t asked = ann_.Send("user.block", R"({"userId":"bob"})");
  world_->Settle();
  ASSERT_TRUE(world_->node().item_writer().Step());
  world_->Settle();
  EXPECT_FALSE(ann_.TakeReply(asked)) << "though it is on disk";
  world_->HoldExecutor(false);
  world_->Settle();
  const auto reply = ann_.TakeReply(asked);
  ASSERT_TRUE(reply && reply->ok());
  EXPECT_EQ(bob_.Ask("thread.create", Create("direct", {"ann"})).error(), kBlocked);
}

TEST_P(Blocks, only_the_blocker_sees_blocked_until_and_only_in_threads_where_it_holds) {
  const std::string direct = Start(ann_, "direct", {"bob"}), group = Start(ann_, "group", {"bob"});
  const auto until = [&](FakeClient& who, const std::string& thread) {
    return who.Ask("thread.get", To(thread)).Json("ok.me.blockedUntil");
  };
  ann_.TakeEvents(), bob_.TakeEvents();
  ASSERT_TRUE(Block(ann_, "bob"));
  EXPECT_EQ(until(ann_, direct), R"("9999-12-31T23:59:59.999Z")");
  EXPECT_THAT(Lines(ann_.TakeEvents()), testing::ElementsAre("inbox.updated"));
  EXPECT_THAT(bob_.TakeEvents(), IsEmpty());
  EXPECT_EQ(until(ann_, group), "null");
  EXPECT_EQ(until(bob_, direct), "null");
  EXPECT_EQ(ann_.Ask("participant.list", To(direct)).Json().find("9999"), std::string::npos);
  ASSERT_TRUE(Ok(ann_.Ask("user.unblock", R"({"userId":"bob"})")));
  EXPECT_EQ(until(ann_, direct), "null");
}

TEST_P(Blocks, blocking_an_unknown_user_is_answered_like_blocking_a_known_one) {
  EXPECT_EQ(ann_.Ask("user.block", R"({"userId":"nobody"})").Json("ok"),
            ann_.Ask("user.block", R"({"userId":"bob"})").Json("ok"));
  EXPECT_EQ(ann_.Ask("user.block", R"({"userId":"ann"})").error(), "BAD_REQUEST");
  EXPECT_EQ(ann_.Ask("user.blocks", R"({"limit":1})").Size("ok.items"), 1u);
  const std::string cursor = ann_.Ask("user.blocks", R"({"limit":1})").Text("ok.cursor");
  EXPECT_EQ(ann_.Ask("user.blocks", Args({{"cursor", cursor}})).Text("ok.items.0.userId"), "nobody");
  EXPECT_EQ(bob_.Ask("user.blocks", Args({{"cursor", cursor}})).error(), "BAD_REQUEST");
}

TEST_P(Blocks, a_muted_user_cannot_write_anywhere_until_the_mute_ends) {
  const std::string direct = Start(ann_, "direct", {"bob"});
  ASSERT_TRUE(Decide("ann", "muted",
                     R"(,"until":")" +
                         protocol::FormatTime(protocol::Time{world_->node().clock().Now().ms + 60'000}) +
                         "\""));
  const Frame refused = ann_.Ask("message.send", To(direct, R"(,"type":"text","body":"x","clientId":"z")"));
  EXPECT_EQ(refused.error(), "FORBIDDEN");
  EXPECT_EQ(refused.Int("error.retryAfterMs"), 60'000);
  EXPECT_EQ(Say(bob_, direct), "ok");
  world_->Advance(60'000);
  EXPECT_EQ(Say(ann_, direct), "ok");
}

TEST_P(Blocks, only_a_shadowed_sender_sees_their_own_messages) {
  const std::string direct = Start(ann_, "direct", {"bob"});
  EXPECT_EQ(Say(ann_, direct), "ok");
  ASSERT_TRUE(Decide("ann", "shadow",
                     R"(,"until":")" +
                         protocol::FormatTime(protocol::Time{world_->node().clock().Now().ms + 60'000}) +
                         "\""));
  ann_.TakeEvents(), bob_.TakeEvents();
  EXPECT_EQ(Say(ann_, direct), "ok");
  EXPECT_THAT(Lines(ann_.TakeEvents()), testing::Contains("message.created 5"));
  EXPECT_THAT(Lines(bob_.TakeEvents()), testing::ElementsAre("skip 5"));
  EXPECT_EQ(ann_.Ask("message.list", To(direct)).Size("ok.messages"), 2u);
  EXPECT_EQ(bob_.Ask("message.list", To(direct)).Size("ok.messages"), 1u);
  EXPECT_EQ(sue_.Ask("message.list", To(direct)).Size("ok.messages"), 2u) << "staff see them";
  EXPECT_EQ(bob_.Ask("inbox.list").Int("ok.entries.0.unread"), 1);
  world_->Advance(60'000);
  EXPECT_EQ(Say(ann_, direct), "ok");
  EXPECT_EQ(bob_.Ask("message.list", To(direct)).Size("ok.messages"), 2u) << "what was hidden stays so";
}

TEST_P(Blocks, a_suspended_user_is_disconnected_and_returns_when_the_suspension_ends) {
  ASSERT_TRUE(Decide("ann", "suspended"));
  EXPECT_EQ(ann_.close_code(), 4403);
  FakeClient again = world_->Connect();
  EXPECT_FALSE(again.Hello(world_->Token("ann")).ok());
  EXPECT_EQ(sue_.Ask("moderation.user", R"({"userId":"ann"})").Text("ok.user.state"), "suspended");
  ASSERT_TRUE(Decide("ann", "ok"));
  FakeClient back = world_->Connect();
  EXPECT_TRUE(back.Hello(world_->Token("ann")).ok());
}

TEST_P(Blocks, switches_take_effect_on_open_sessions_without_a_restart) {
  const auto in = [&](const std::string& city) {
    return ann_
        .Ask("thread.create", R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"bob","role":")" +
                                  city + R"(","city":")" + city + "\"}")
        .Text("ok.thread.threadId");
  };
  const std::string bonn = in("Bonn"), ulm = in("Ulm");
  EXPECT_EQ(Say(ann_, bonn) + Say(ann_, ulm), "okok");
  uint64_t order = 1000;
  const auto switch_to = [&](const std::string& safety) {
    gateway::Node& node = world_->node();
    auto tenant = accounts::MakeDemoTenant(node.table().identity().secret);
    tenant.settings = *accounts::ParseSettings(R"({"safety":)" + safety + "}");
    node.tenants().Publish(std::make_shared<const accounts::Tenant>(std::move(tenant)), ++order);
  };
  switch_to(R"({"requireIdentityForStarts":true})");
  EXPECT_EQ(Say(ann_, ulm), "ok") << "what began goes on";
  const Frame refused = ann_.Ask("thread.create", R"({"kind":"group"})");
  EXPECT_EQ(refused.error() + " " + refused.Text("error.fields.idVerified"), "FORBIDDEN is required");
  switch_to(R"({"readOnly":true})");
  EXPECT_EQ(Say(ann_, ulm), "UNAVAILABLE");
  EXPECT_TRUE(bob_.Ask("message.list", To(ulm)).ok());
  switch_to(R"({"messagingDisabled":true})");
  for (const char* read : {"message.list", "thread.get", "thread.open", "card.list"})
    EXPECT_EQ(bob_.Ask(read, To(ulm)).error(), "UNAVAILABLE") << read;
  EXPECT_EQ(bob_.Ask("inbox.list").error(), "UNAVAILABLE");
  EXPECT_TRUE(sue_.Ask("message.list", To(ulm)).ok()) << "staff go on";
  FakeClient back = world_->Connect();
  const Frame hello =
      back.Hello(world_->Token("bob"), R"("resume":{"epoch":"epoch-1","threads":{")" + ulm + R"(":1}})");
  EXPECT_EQ(hello.Json("ok.resumed"), "{\"" + ulm + "\":\"reset\"}");
  EXPECT_THAT(back.TakeEvents(), IsEmpty()) << "nor is anything told of it by catch-up";
  switch_to(R"({"cities":{"Bonn":{"messagingDisabled":true}}})");
  EXPECT_EQ(Say(ann_, bonn), "UNAVAILABLE");
  EXPECT_EQ(bob_.Ask("message.list", To(bonn)).error(), "UNAVAILABLE");
  EXPECT_EQ(Say(ann_, ulm), "ok");
  std::string previews;
  for (const char* i : {"0", "1"})
    previews += bob_.Ask("inbox.list").Text(std::string("ok.entries.") + i + ".lastMessage.preview") + ",";
  EXPECT_EQ(previews, "x,,");
  switch_to("{}");
  EXPECT_EQ(Say(ann_, bonn) + Say(bob_, ulm), "okok");
}

TEST_P(Blocks, only_staff_read_sanctions_and_never_the_sanctioned_user) {
  const char* mute = R"({"userId":"bob","state":"muted","reason":"r"})";
  EXPECT_EQ(ann_.Ask("moderation.user", mute).error(), "FORBIDDEN");
  EXPECT_EQ(ann_.Ask("moderation.user", R"({"userId":"bob"})").error(), "FORBIDDEN");
  EXPECT_EQ(sue_.Ask("moderation.user", R"({"userId":"sue","state":"muted","reason":"r"})").error(),
            "FORBIDDEN");
  for (const char* bad :
       {R"({"userId":"bob","state":"muted"})", R"({"userId":"bob","reason":"r"})",
        R"({"userId":"bob","state":"gone","reason":"r"})",
        R"({"userId":"bob","state":"muted","reason":"r","until":"2020-01-01T00:00:00.000Z"})"})
    EXPECT_EQ(sue_.Ask("moderation.user", bad).error(), "BAD_REQUEST") << bad;
  EXPECT_EQ(sue_.Ask("moderation.user", R"({"userId":"bob"})").Text("ok.user.state"), "ok");
}

}  // namespace
}  // namespace parley::gateway_test
