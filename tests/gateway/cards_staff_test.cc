// Cards and staff: safety reports as cases, access through a case, and the access log.
#include <gtest/gtest.h>

#include "tests/gateway/cards_scene.h"

namespace parley::gateway_test {
namespace {

TEST(CardsOnTheWire, a_safety_report_opens_a_case_blocks_the_pair_and_is_closed_by_support) {
  Cards cards(With("cases"));
  const std::string asked = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})");
  const std::string report = cards.Create(cards.bob, "SAFETY", R"({"reason":"r","severity":"high"})");
  const Frame feed = cards.Service("outbox.list", "{}");
  ASSERT_EQ(feed.Size("items"), 1u);
  EXPECT_EQ(feed.Text("items.0.effect"), "case.open");
  EXPECT_EQ(feed.Text("items.0.messageId"), report);
  EXPECT_EQ(feed.Text("items.0.payload.severity"), "high");
  for (FakeClient* who : {&cards.ann, &cards.bob}) {
    const std::string send = cards.In(R"(,"clientId":"m","type":"text","body":"x")");
    EXPECT_EQ(who->Ask("message.send", send).Text("error.code"), "SAFETY_SOFT_BLOCK");
    EXPECT_EQ(who->Ask("tab.put", cards.In(R"(,"tab":"brief","version":0,"content":{"title":"x"})"))
                  .Text("error.code"),
              "SAFETY_SOFT_BLOCK");
  }
  EXPECT_EQ(cards.Act(cards.bob, asked, "approve", 1).Text("error.code"), "SAFETY_SOFT_BLOCK");
  FakeClient staff = cards.world->Connect();
  staff.Hello(cards.world->Token("sue", "support"), "");
  cards.world->Settle();
  const std::string resolve = cards.ActArgs(report, "resolve", 1);
  EXPECT_EQ(staff.Ask("card.act", resolve).Text("error.code"), "BAD_REQUEST");
  EXPECT_EQ(staff.Ask("card.act", resolve.substr(0, resolve.size() - 1) + R"(,"reason":"spoke to both"})")
                .Text("ok.card.state"),
            "RESOLVED");
  EXPECT_EQ(cards.Service("outbox.list", "{}").Text("items.1.effect"), "case.close");
  EXPECT_EQ(cards.Act(cards.bob, asked, "approve", 1).Text("ok.card.state"), "APPROVED");
}

gateway::Config WithCases() {
  gateway::Config config = With("cases");
  config.staff_access = "cases";
  return config;
}

TEST(CaseBoundStaff, sees_a_thread_from_the_safety_report_until_the_case_is_closed) {
  Cards cards(WithCases());
  FakeClient sue = Staff(cards, "sue"), mod = Staff(cards, "mod", "moderator");
  const std::vector<std::pair<const char*, std::string>> ways = {
      {"thread.get", cards.In()},
      {"thread.open", cards.In()},
      {"thread.changes", cards.In(R"(,"afterSeq":0)")},
      {"message.list", cards.In()},
      {"card.list", cards.In()},
      {"tab.get", cards.In(R"(,"tab":"brief")")},
      {"participant.list", cards.In()},
      {"thread.audit", cards.In()}};
  const auto all = [&](FakeClient& who, const std::string& expected) {
    for (const auto& [op, args] : ways) EXPECT_EQ(CodeOf(who.Ask(op, args)), expected) << op;
  };
  const std::string lock = cards.In(R"(,"status":"locked","reason":"r")");
  all(sue, "THREAD_NOT_MEMBER");
  EXPECT_EQ(CodeOf(sue.Ask("thread.setStatus", lock)), "THREAD_NOT_MEMBER");
  const std::string asked = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})");
  all(sue, "THREAD_NOT_MEMBER");  // a card that support may not decide gives no access

  const std::string report = cards.Create(cards.bob, "SAFETY", R"({"reason":"r","severity":"high"})");
  all(sue, "ok");
  all(mod, "ok");
  const std::string resolve = cards.ActArgs(report, "resolve", 1);
  EXPECT_EQ(
      CodeOf(sue.Ask("card.act", resolve.substr(0, resolve.size() - 1) + R"(,"reason":"spoke to both"})")),
      "ok");
  all(sue, "THREAD_NOT_MEMBER");
  EXPECT_EQ(CodeOf(cards.bob.Ask("thread.audit", cards.In())), "FORBIDDEN");
  // An escalated card gives access, because support may decide it.
  cards.Act(cards.ann, asked, "escalate", 1);
  all(sue, "ok");
}

TEST(CaseBoundStaff, receives_events_of_the_thread_it_opened_but_lists_no_threads) {
  Cards cards(WithCases());
  const Frame made = cards.ann.Ask(
      "thread.create",
      R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob","legId":"leg_1","clientId":"t2"})");
  ASSERT_EQ(CodeOf(made), "ok");
  cards.Create(cards.bob, "SAFETY", R"({"reason":"r","severity":"low"})");
  FakeClient sue = Staff(cards, "sue");
  EXPECT_EQ(CodeOf(sue.Ask("thread.open", cards.In())), "ok");
  cards.ann.Ask("thread.open", cards.In());
  cards.bob.Ask("thread.open", cards.In());
  cards.bob.Ask("typing.set", cards.In(R"(,"typing":true)"));
  EXPECT_FALSE(cards.ann.TakeEvents().empty());
  EXPECT_FALSE(sue.TakeEvents().empty());
  EXPECT_EQ(sue.Ask("thread.byProject", R"({"legId":"leg_1"})").Size("ok.threads"), 0u);
  EXPECT_EQ(sue.Ask("presence.get", R"({"userIds":["ann"]})").Json("ok.presence.0.online"), "false");
}

TEST(StaffAccesses, every_look_is_recorded_before_anything_is_shown) {
  Cards cards(WithCases());
  const std::string report = cards.Create(cards.bob, "SAFETY", R"({"reason":"r","severity":"low"})");
  const int64_t seq = cards.ann.Ask("thread.get", cards.In()).Int("ok.lastSeq");
  FakeClient sue = Staff(cards, "sue");
  cards.world->HoldExecutor(true);
  const uint32_t asked = sue.Send("message.list", cards.In());
  cards.world->Settle();
  EXPECT_FALSE(sue.TakeReply(asked)) << "what is not on record is not shown";
  cards.world->HoldExecutor(false);
  cards.world->Settle();
  EXPECT_TRUE(sue.TakeReply(asked)->Has("ok"));
  cards.world->Advance(1);
  sue.Ask("thread.open", cards.In());
  cards.world.Restart();
  FakeClient again = Staff(cards, "sue");
  const Frame audit = again.Ask("thread.audit", cards.In(R"(,"actor":"sue")"));
  ASSERT_EQ(audit.Size("ok.entries"), 3u) << audit.Json();
  const std::vector<std::string> ops = {"thread.audit", "thread.open", "message.list"};
  for (size_t i = 0; i < ops.size(); ++i) {
    const std::string at = "ok.entries." + std::to_string(i);
    EXPECT_EQ(audit.Text(at + ".what"), "looked");
    EXPECT_EQ(audit.Text(at + ".op"), ops[i]);
    EXPECT_EQ(audit.Text(at + ".actorUserId"), "sue");
    EXPECT_EQ(audit.Text(at + ".actorRole"), "support");
    EXPECT_EQ(audit.Text(at + ".messageId"), report) << "the case that let her in";
  }
  FakeClient ann = cards.world->Join("ann");
  EXPECT_EQ(ann.Ask("thread.get", cards.In()).Int("ok.lastSeq"), seq) << "the members hear nothing of it";
}

TEST(StaffAccesses, staff_read_the_history_of_a_card_page_by_page) {
  Cards cards(With("cases"));  // here staff may look into every thread, but each look is recorded
  const std::string first = cards.Create(cards.ann, "CANCEL_REQUEST", R"({"reason":"r"})");
  const std::string second = cards.Create(cards.ann, "RESCHEDULE", kTime);
  cards.world->Advance(1);
  cards.Act(cards.bob, second, "decline", 1);
  cards.world->Advance(1);
  FakeClient sue = Staff(cards, "sue");
  const Frame one = sue.Ask("thread.audit", cards.In(R"(,"messageId":")" + second + "\""));
  ASSERT_EQ(one.Size("ok.entries"), 2u) << one.Json();
  EXPECT_EQ(one.Text("ok.entries.0.what"), "transition");
  EXPECT_EQ(one.Text("ok.entries.0.fromState"), "PENDING");
  EXPECT_EQ(one.Text("ok.entries.0.toState"), "DECLINED");
  EXPECT_EQ(one.Text("ok.entries.0.actorUserId"), "bob");
  EXPECT_EQ(one.Int("ok.entries.0.version"), 2);
  EXPECT_EQ(one.Text("ok.entries.1.what"), "opened");
  EXPECT_EQ(one.Json("ok.cursor"), "null");

  std::vector<std::string> reported;
  std::string cursor;
  do {
    const Frame page = sue.Ask("thread.audit", cards.In(R"(,"limit":1)" + cursor));
    ASSERT_EQ(page.Size("ok.entries"), 1u) << page.Json();
    reported.push_back(page.Text("ok.entries.0.what") + " " + page.Json("ok.entries.0.messageId"));
    cursor = page.Json("ok.cursor") == "null" ? "" : R"(,"cursor":")" + page.Text("ok.cursor") + "\"";
    ASSERT_LE(reported.size(), 8u);
  } while (!cursor.empty());
  // The two looks before the first page, then the cards.
  EXPECT_EQ(reported, (std::vector<std::string>{"looked null", "looked null", "transition \"" + second + "\"",
                                                "opened \"" + second + "\"", "opened \"" + first + "\""}));
}

TEST(StaffAccesses, a_member_who_is_staff_reads_their_own_thread_without_a_record) {
  Cards cards(With(""));
  FakeClient bob = Staff(cards, "bob");
  EXPECT_EQ(CodeOf(bob.Ask("message.list", cards.In())), "ok");
  EXPECT_EQ(bob.Ask("thread.audit", cards.In()).Size("ok.entries"), 0u);
}

}  // namespace
}  // namespace parley::gateway_test
