// Direct threads and groups over the whole server, and the wire form of every kind of thread.
#include <gmock/gmock.h>

#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Create(const std::string& kind, const std::vector<std::string>& others,
                   const std::string& more = "") {
  std::string list;
  for (const std::string& user : others) list += (list.empty() ? "" : ",") + Args({{"userId", user}});
  return R"({"kind":")" + kind + R"(","participants":[)" + list + "]" + more + "}";
}

class Kinds : public testing::TestWithParam<int> {
 protected:
  static gateway::Config With(int executors) {
    gateway::Config config = DemoConfig();
    config.executor_threads = executors;
    config.heartbeat_ms = 3'600'000;  // fake connections do not pong
    return config;
  }
  std::string In(const std::string& thread, const std::string& more = "") {
    return "{\"threadId\":\"" + thread + "\"" + more + "}";
  }
  World world_{With(GetParam())};
  FakeClient ann_ = world_->Join("ann"), bob_ = world_->Join("bob"), carol_ = world_->Join("carol");
};
INSTANTIATE_TEST_SUITE_P(Executors, Kinds, testing::Values(1, 2));

TEST_P(Kinds, two_users_who_create_their_direct_thread_at_once_get_the_same_one) {
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    FakeClient one = world_->Join("one" + n), two = world_->Join("two" + n);
    const uint32_t a =
        one.Send("thread.create", Create("direct", {"two" + n}, R"(,"firstMessage":"a","clientId":"c")"));
    const uint32_t b =
        two.Send("thread.create", Create("direct", {"one" + n}, R"(,"firstMessage":"b","clientId":"c")"));
    world_->Settle();
    const Frame first = *one.TakeReply(a), second = *two.TakeReply(b);
    ASSERT_TRUE(first.ok() && second.ok()) << first.Json() << second.Json();
    EXPECT_EQ(first.Text("ok.thread.threadId"), second.Text("ok.thread.threadId"));
    const std::vector<std::string> all = {"thread.created 1", "participant.added 2", "participant.added 3",
                                          "message.created 4", "message.created 5"};
    for (FakeClient* who : {&one, &two}) {
      std::vector<std::string> received;
      for (const Frame& event : who->TakeEvents()) {
        if (event.Has("seq")) received.push_back(event.Line());
      }
      EXPECT_EQ(received, all);
    }
    const Frame again =
        two.Ask("thread.create", Create("direct", {"one" + n}, R"(,"firstMessage":"b","clientId":"c")"));
    EXPECT_EQ(again.Int("ok.thread.lastMsgNo"), 2) << "a repeat says nothing twice";
  }
}

TEST_P(Kinds, a_direct_thread_has_null_for_fields_of_the_sides) {
  const Frame made = ann_.Ask("thread.create", Create("direct", {"bob"}));
  for (const char* none : {"buyerUserId", "sellerUserId", "lbgId", "legId", "subject"})
    EXPECT_EQ(made.Json(std::string("ok.thread.") + none), "null") << none;
  EXPECT_EQ(made.Json("ok.thread.participants"), R"(["ann","bob"])");
  EXPECT_EQ(made.Text("ok.participants.0.roleContext") + made.Text("ok.participants.1.permission"),
            "memberwrite");
  const std::string thread = made.Text("ok.thread.threadId");
  for (const char* op : {"participant.add", "participant.remove"})
    EXPECT_EQ(bob_.Ask(op, In(thread, R"(,"userId":"bob")")).error(), "FORBIDDEN") << op;
}

TEST_P(Kinds, when_the_last_owner_leaves_the_longest_member_becomes_owner) {
  const std::string thread =
      ann_.Ask("thread.create", Create("group", {"bob", "carol"})).Text("ok.thread.threadId");
  for (FakeClient* who : {&ann_, &bob_, &carol_}) who->TakeEvents();
  ASSERT_TRUE(ann_.Ask("participant.remove", In(thread, R"(,"userId":"ann")")).ok());
  EXPECT_THAT(Lines(ann_.TakeEvents()), ElementsAre("participant.updated 5", "participant.removed 6"));
  EXPECT_TRUE(bob_.Ask("participant.add", In(thread, R"(,"userId":"dan")")).ok());
  EXPECT_EQ(carol_.Ask("participant.add", In(thread, R"(,"userId":"eve")")).error(), "FORBIDDEN");
  EXPECT_EQ(ann_.Ask("thread.get", In(thread)).error(), "THREAD_NOT_MEMBER");
}

TEST_P(Kinds, lists_of_cards_and_tabs_are_empty_if_the_kind_has_none) {
  std::vector<std::string> threads = {world_.NewThread(ann_, "ann", "bob")};
  threads.push_back(ann_.Ask("thread.create", Create("direct", {"bob"})).Text("ok.thread.threadId"));
  threads.push_back(ann_.Ask("thread.create", Create("group", {"bob"})).Text("ok.thread.threadId"));
  threads[0] = ann_.Ask("thread.create", R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"bob"})")
                   .Text("ok.thread.threadId");
  for (const std::string& thread : threads) {
    for (const char* open : {"", R"(,"open":true)", R"(,"open":false)"})
      EXPECT_EQ(ann_.Ask("card.list", In(thread, open)).Json("ok"), R"({"cards":[],"cursor":null})");
    const Frame opened = ann_.Ask("thread.open", In(thread));
    EXPECT_EQ(opened.Json("ok.cards") + opened.Json("ok.tabs"), "[][]");
    EXPECT_EQ(ann_.Ask("tab.get", In(thread, R"(,"tab":"moodboard")")).Int("ok.tab.version"), 0);
    EXPECT_EQ(ann_.Ask("tab.get", In(thread, R"(,"tab":"actions")")).Json("ok.tab.content"),
              R"({"cards":[]})");
    EXPECT_EQ(
        ann_.Ask("tab.put", In(thread, R"(,"tab":"moodboard","version":0,"content":{"pins":[]})")).error(),
        "FORBIDDEN");
    EXPECT_EQ(ann_.Ask("card.create",
                       In(thread, R"(,"clientId":"k","type":"CANCEL_REQUEST","payload":{"reason":"r"})"))
                  .error(),
              "FORBIDDEN");
  }
}

TEST_P(Kinds, entries_and_memberships_show_how_far_their_owner_has_read) {
  const std::string thread =
      ann_.Ask("thread.create", Create("group", {"bob"}, R"(,"safeModeRequired":true)"))
          .Text("ok.thread.threadId");
  const Frame said = world_.Say(ann_, thread, "one");
  world_.Say(ann_, thread, "two");
  ASSERT_TRUE(bob_.Ask("read.mark", In(thread, R"(,"messageId":")" + said.Text("ok.messageId") + "\"")).ok());
  const Frame head = bob_.Ask("thread.get", In(thread)), list = bob_.Ask("inbox.list");
  EXPECT_EQ(head.Int("ok.me.readNo"), 1);
  EXPECT_EQ(list.Int("ok.entries.0.readNo"), 1);
  EXPECT_EQ(bob_.Ask("inbox.explain", In(thread)).Int("ok.readNo"), 1);
  EXPECT_EQ(ann_.Ask("inbox.list").Int("ok.entries.0.readNo"), 2) << "what one wrote one has read";
  EXPECT_TRUE(list.Bool("ok.entries.0.safeModeRequired"));
  EXPECT_EQ(list.Text("ok.entries.0.createdAt"), head.Text("ok.thread.createdAt"));
}

TEST_P(Kinds, unread_messages_are_counted_over_the_folder_all) {
  std::string last;
  for (int i = 1; i <= 3; ++i) {
    last = ann_.Ask("thread.create", Create("group", {"bob"})).Text("ok.thread.threadId");
    for (int n = 0; n < i; ++n) world_.Say(ann_, last, "x");
  }
  EXPECT_EQ(bob_.Ask("inbox.counts").Int("ok.unreadMessages"), 6);
  bob_.Ask("participant.mute", In(last, R"(,"muted":true)"));
  EXPECT_EQ(bob_.Ask("inbox.counts").Int("ok.unreadMessages"), 6) << "a mute only silences";
  bob_.Ask("inbox.set", In(last, R"(,"archived":true)"));
  EXPECT_EQ(bob_.Ask("inbox.counts").Int("ok.unreadMessages"), 3);
  EXPECT_EQ(ann_.Ask("inbox.counts").Int("ok.unreadMessages"), 0);
}

TEST_P(Kinds, an_expired_mute_leaves_its_filter) {
  const std::string thread = ann_.Ask("thread.create", Create("group", {"bob"})).Text("ok.thread.threadId");
  const auto muted = [&](bool on) {
    return bob_.Ask("inbox.list", Args({{"muted", on}})).Size("ok.entries");
  };
  EXPECT_EQ(muted(true), 0u);
  const auto until = protocol::FormatTime({world_.clock().Now().ms + 60'000});
  ASSERT_TRUE(bob_.Ask("participant.mute", In(thread, R"(,"muted":true,"until":")" + until + "\"")).ok());
  EXPECT_EQ(muted(true), 1u);
  EXPECT_EQ(muted(false), 0u);
  bob_.TakeEvents();
  world_->Advance(61'000);
  EXPECT_EQ(muted(true), 0u);
  EXPECT_EQ(muted(false), 1u);
  const auto reported = bob_.TakeEvents();
  ASSERT_FALSE(reported.empty());
  EXPECT_EQ(reported.back().ev() + " " + reported.back().Json("entry.muted"), "inbox.updated false");
}

TEST_P(Kinds, opening_a_thread_shows_its_open_cards_with_the_actions_of_the_caller) {
  const std::string thread =
      ann_.Ask("thread.create", R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob"})")
          .Text("ok.thread.threadId");
  const auto ask = [&](const char* key) {
    return ann_
        .Ask("card.create", In(thread, std::string(R"(,"clientId":")") + key +
                                           R"(","type":"CANCEL_REQUEST","payload":{"reason":"r"})"))
        .Text("ok.messageId");
  };
  const std::string first = ask("a"), second = ask("b");
  const auto act = R"(,"messageId":")" + first + R"(","intent":"decline","version":1,"clientId":"d")";
  const Frame declined = bob_.Ask("card.act", In(thread, act));
  EXPECT_EQ(declined.Json("ok.card.open"), "false");
  const Frame opened = bob_.Ask("thread.open", In(thread));
  ASSERT_EQ(opened.Size("ok.cards"), 1u);
  EXPECT_EQ(opened.Json("ok.cards"), bob_.Ask("card.list", In(thread, R"(,"open":true)")).Json("ok.cards"));
  EXPECT_EQ(opened.Text("ok.cards.0.messageId"), second);
  EXPECT_TRUE(opened.Bool("ok.cards.0.open"));
  EXPECT_GT(opened.Size("ok.cards.0.allowed"), 0u);
}

TEST_P(Kinds, a_message_ends_its_authors_typing_and_users_do_not_receive_their_own_typing) {
  const std::string thread =
      ann_.Ask("thread.create", Create("group", {"bob", "carol"})).Text("ok.thread.threadId");
  for (FakeClient* who : {&ann_, &bob_, &carol_}) {
    who->Ask("thread.open", In(thread));
    who->TakeEvents();
  }
  ann_.Ask("typing.set", In(thread, R"(,"typing":true)"));
  carol_.Ask("typing.set", In(thread, R"(,"typing":true)"));
  const auto typing = [](FakeClient& who) {
    std::vector<std::string> out;
    for (const Frame& event : who.TakeEvents()) {
      if (event.ev() == "typing") out.push_back(event.Json("userIds"));
    }
    return out;
  };
  EXPECT_THAT(typing(bob_), ElementsAre(R"(["ann"])", R"(["ann","carol"])"));
  EXPECT_THAT(typing(ann_), ElementsAre(R"(["carol"])"));
  EXPECT_THAT(typing(carol_), ElementsAre(R"(["ann"])"));
  world_.Say(ann_, thread, "said");
  EXPECT_THAT(typing(bob_), ElementsAre(R"(["carol"])"));
  EXPECT_THAT(typing(carol_), ElementsAre("[]"));
  EXPECT_THAT(typing(ann_), IsEmpty());
}

TEST_P(Kinds, only_staff_see_why_a_thread_is_locked) {
  const std::string thread = ann_.Ask("thread.create", Create("direct", {"bob"})).Text("ok.thread.threadId");
  FakeClient sue = world_->Connect();
  sue.Hello(world_->Token("sue", "moderator"));
  EXPECT_FALSE(sue.Ask("thread.get", In(thread)).Has("ok.thread.statusReason"));
  ann_.TakeEvents();
  const Frame locked =
      sue.Ask("thread.setStatus", In(thread, R"(,"status":"locked","reason":"secret words")"));
  for (const Frame& shown : {locked, sue.Ask("thread.get", In(thread)), sue.Ask("thread.open", In(thread))}) {
    EXPECT_EQ(shown.Text("ok.thread.statusReason") + " " + shown.Text("ok.thread.statusBy"),
              "secret words sue");
    EXPECT_EQ(shown.Text("ok.thread.lockedAt"), locked.Text("ok.thread.updatedAt"));
  }
  std::string received =
      ann_.Ask("thread.get", In(thread)).Json() + ann_.Ask("thread.open", In(thread)).Json() +
      ann_.Ask("thread.changes", In(thread, R"(,"afterSeq":0)")).Json() + ann_.Ask("inbox.list").Json();
  for (const Frame& event : ann_.TakeEvents()) received += event.Json();
  for (const char* word : {"secret words", "statusBy", "lockedAt", "sue"})
    EXPECT_EQ(received.find(word), std::string::npos) << word;
  const Frame open = sue.Ask("thread.setStatus", In(thread, R"(,"status":"open","reason":"settled")"));
  EXPECT_FALSE(open.Has("ok.thread.lockedAt"));
  EXPECT_EQ(open.Text("ok.thread.statusReason"), "settled");
}

TEST_P(Kinds, demo_tokens_carry_the_requested_claims) {
  const auto token = [&](const std::string& attrs) {
    return world_->Http("POST", "/v1/demo/token", R"({"userId":"dan","attrs":)" + attrs + "}");
  };
  const std::string body = token(R"({"adult":true,"idVerified":true,"level":3,"from":"here"})").body;
  const std::string text = body.substr(10, body.rfind('"') - 10);
  const auto claims = accounts::VerifyToken(text, world_->node().tenants().Find("demo")->token_keys,
                                            world_.clock().Now().ms / 1000, accounts::TokenRules{false});
  ASSERT_TRUE(std::holds_alternative<accounts::Claims>(claims));
  const auto& attrs = std::get<accounts::Claims>(claims).attrs;
  EXPECT_EQ(attrs.size(), 4u);
  EXPECT_EQ(attrs.at("adult"), accounts::AttrValue(true));
  EXPECT_EQ(attrs.at("level"), accounts::AttrValue(int64_t{3}));
  EXPECT_EQ(attrs.at("from"), accounts::AttrValue(std::string("here")));
  for (const std::string& bad :
       {std::string("[]"), std::string(R"({"a b":true})"), std::string(R"({"a":{}})"),
        std::string(R"({"a":null})"), R"({"a":")" + std::string(1025, 'x') + "\"}"})
    EXPECT_EQ(token(bad).status, 400) << bad;
}

}  // namespace
}  // namespace parley::gateway_test
