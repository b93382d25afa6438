// After any sequence of ops by members and staff on a message, verify reports no fault.
#include <gmock/gmock.h>

#include <array>

#include "fanout/verify/thread_facts.h"
#include "gateway/app/node.h"
#include "tests/gateway/fake_server_support.h"
#include "tests/nightly.h"
#include "threads/model/keys.h"

namespace parley::gateway_test {
namespace {

using testing::IsEmpty;

// "as the author": the message is bob's. The other actors are ann, a member, and staff.
struct Act {
  const char* name;
  const char* by;
  const char* op;
  const char* more;
};
constexpr Act kActs[] = {
    {"pin", "ann", "message.pin", R"(,"pinned":true)"},
    {"unpin", "ann", "message.pin", R"(,"pinned":false)"},
    {"react", "ann", "message.react", R"(,"emoji":"👍","on":true)"},
    {"take back", "ann", "message.react", R"(,"emoji":"👍","on":false)"},
    {"pin one's own", "bob", "message.pin", R"(,"pinned":true)"},
    {"react to one's own", "bob", "message.react", R"(,"emoji":"🎉","on":true)"},
    {"edit", "bob", "message.edit", R"(,"body":"changed")"},
    {"delete", "bob", "message.delete", ""},
    {"answer", "ann", "answer", ""},
    {"answer oneself", "bob", "answer", ""},
    {"read", "ann", "read.mark", ""},
    {"report", "ann", "message.report", R"(,"reason":"spam")"},
    {"flag", "sue", "moderation.message", R"(,"moderation":"flagged","reason":"r")"},
    {"clear", "sue", "moderation.message", R"(,"moderation":"clean","reason":"r")"},
    {"withhold", "sue", "moderation.message", R"(,"moderation":"blocked","reason":"r")"},
    {"redact", "sue", "moderation.message", R"(,"moderation":"redacted","reason":"r")"},
    {"staff edit", "sue", "message.edit", R"(,"body":"edited by staff","reason":"r")"},
    {"remove", "sue", "message.delete", R"(,"reason":"r")"},
    {"act", "ann", "card.act", ""},
    {"shadow", "sue", "moderation.user", R"("state":"shadow","reason":"r")"},
    {"mute", "sue", "moderation.user", R"("state":"muted","reason":"r")"},
    {"pardon", "sue", "moderation.user", R"("state":"ok","reason":"r")"},
    {"decide", "sue", "moderation.decide", ""},
};

enum class Kind { kText, kShadowed, kCard, kDispute, kSafety, kSystem };
constexpr std::pair<Kind, const char*> kKinds[] = {
    {Kind::kText, "a text"},       {Kind::kShadowed, "a shadowed text"}, {Kind::kCard, "a card"},
    {Kind::kDispute, "a dispute"}, {Kind::kSafety, "a safety report"},   {Kind::kSystem, "a system message"}};

class MessageActs : public testing::Test {
 protected:
  static gateway::Config Config() {
    gateway::Config config = DemoConfig();
    config.heartbeat_ms = 3'600'000;
    return config;
  }
  MessageActs() {
    EXPECT_TRUE(sue_.Hello(world_->Token("sue", "admin")).ok());
    world_.SetDemoSettings(R"({"safety":{"dualApproval":["critical"]}})");
  }
  FakeClient& By(std::string_view who) { return who == "ann" ? ann_ : who == "bob" ? bob_ : sue_; }
  std::string Fresh() { return "k" + std::to_string(++made_); }
  std::string In(const std::string& more) { return "{\"threadId\":\"" + thread_ + "\"" + more + "}"; }

  std::string Card(const char* type, const char* payload) {
    return bob_
        .Ask("card.create",
             In(R"(,"clientId":")" + Fresh() + R"(","type":")" + type + R"(","payload":)" + payload))
        .Text("ok.messageId");
  }
  // Creates the message in a new thread, so that earlier acts do not matter.
  void Make(Kind kind) {
    if (kind == Kind::kSafety) {  // an open report would block the pair in other threads too
      buyer_ = "ann" + Fresh();
      seller_ = "bob" + Fresh();
      ann_ = world_->Join(buyer_);
      bob_ = world_->Join(seller_);
    }
    Sanction("ok");
    thread_ =
        ann_.Ask("thread.create", R"({"kind":"project","buyerUserId":")" + buyer_ + R"(","sellerUserId":")" +
                                      seller_ + R"(","clientId":")" + Fresh() + "\"}")
            .Text("ok.thread.threadId");
    switch (kind) {
      case Kind::kText:
        message_ = world_.Say(bob_, thread_, "hello").Text("ok.messageId");
        break;
      case Kind::kShadowed:
        Sanction("shadow");
        message_ = world_.Say(bob_, thread_, "hello").Text("ok.messageId");
        break;
      case Kind::kCard:
        message_ = Card("REQUEST_EXTRA", R"({"name":"album","priceCents":5000})");
        break;
      case Kind::kDispute:
        message_ = Card("DISPUTE_OPEN", R"({"reason":"late"})");
        break;
      case Kind::kSafety:
        message_ = Card("SAFETY", R"({"reason":"r","severity":"low"})");
        break;
      case Kind::kSystem: {
        const std::string card = Card("REQUEST_EXTRA", R"({"name":"album","priceCents":5000})");
        ann_.Ask("card.act", In(R"(,"messageId":")" + card +
                                R"(","intent":"decline","version":1,"clientId":")" + Fresh() + "\""));
        const Frame page = ann_.Ask("message.list", In(""));
        message_ = page.Text("ok.messages.0.messageId");
        EXPECT_EQ(page.Text("ok.messages.0.type"), "system");
      }
    }
    ASSERT_FALSE(message_.empty());
  }
  void Sanction(const char* state) {
    EXPECT_TRUE(sue_.Ask("moderation.user",
                         R"({"userId":")" + seller_ + R"(","reason":"r","state":")" + state + "\"}")
                    .ok());
  }
  // Does the act and ignores the outcome: a refusal must change nothing, and a success must leave no fault.
  std::string Do(const Act& act) {
    FakeClient& who = By(act.by);
    const std::string op = act.op, on = R"(,"messageId":")" + message_ + "\"";
    Frame reply;
    if (op == "answer") {
      reply = who.Ask("message.send", In(R"(,"type":"text","body":"re","replyTo":")" + message_ +
                                         R"(","clientId":")" + Fresh() + "\""));
    } else if (op == "card.act") {
      reply = who.Ask(op, In(on + R"(,"intent":"decline","version":1,"clientId":")" + Fresh() + "\""));
    } else if (op == "moderation.user") {
      reply = who.Ask(op, R"({"userId":")" + seller_ + "\"," + act.more + "}");
    } else if (op == "moderation.decide") {
      const Frame queue = who.Ask("moderation.queue", In(R"(,"status":"pending")"));
      if (queue.Size("ok.cases") == 0) return "nothing to decide";
      reply = who.Ask(op, R"({"caseId":")" + queue.Text("ok.cases.0.caseId") +
                              R"(","decision":"approve","actions":[{"action":"redact","messageId":")" +
                              message_ + "\"}]}");
    } else {
      reply = who.Ask(op, In(on + act.more));
    }
    world_->Settle();
    return reply.ok() ? "ok" : reply.error();
  }
  // The faults that verify reports for the thread.
  std::vector<std::string> Faults() {
    fanout::ThreadFacts facts;
    facts.tenant = protocol::TenantId{"demo"};
    facts.thread = *protocol::ThreadId::FromText(thread_);
    std::vector<std::string> out;
    EXPECT_TRUE(world_.table()
                    .Scan(threads::ThreadPartition(facts.tenant, facts.thread), storage::SortRange::All(),
                          storage::Direction::kForward, SIZE_MAX,
                          [&](std::string_view sort, storage::RowView row) {
                            AddRow(std::string(sort), row.payload, &facts);
                            return true;
                          })
                    .ok());
    Arrange(&facts);
    CheckThread(facts, [&](const std::string& what) { out.push_back(what); });
    return out;
  }
  std::vector<std::string> FaultsOfStore() { return world_.Verify(); }
  // Does the acts in order on a new message; returns false if a fault was reported.
  bool Walk(std::pair<Kind, const char*> kind, const std::vector<const Act*>& acts) {
    Make(kind.first);
    std::string answered = kind.second;
    for (const Act* act : acts) {
      answered += std::string(", ") + act->name + " (" + Do(*act) + ")";
      const auto faults = Faults();
      EXPECT_THAT(faults, IsEmpty()) << answered;
      if (!faults.empty()) return false;
    }
    done_ += acts.size();
    return true;
  }

  World world_{Config()};
  FakeClient ann_ = world_->Join("ann"), bob_ = world_->Join("bob"), sue_ = world_->Connect();
  std::string thread_, message_, buyer_ = "ann", seller_ = "bob";
  size_t made_ = 0, done_ = 0;
};

class PairsOfActs : public MessageActs, public testing::WithParamInterface<size_t> {};

TEST_P(PairsOfActs, leave_no_fault) {
  const auto& kind = kKinds[GetParam()];
  for (const Act& first : kActs) {
    for (const Act& second : kActs) {
      if (!Walk(kind, {&first, &second})) return;
    }
  }
  EXPECT_EQ(done_, 2 * std::size(kActs) * std::size(kActs));
  EXPECT_THAT(FaultsOfStore(), IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(Kinds, PairsOfActs, testing::Range<size_t>(0, std::size(kKinds)));

// All triples of acts that change a message's state; in daily runs on a plain text only.
TEST_F(MessageActs, triples_leave_no_fault) {
  std::vector<const Act*> states;
  for (const Act& act : kActs) {
    for (const char* name :
         {"pin", "react", "edit", "delete", "withhold", "clear", "redact", "remove", "shadow"})
      if (std::string_view(act.name) == name) states.push_back(&act);
  }
  for (size_t kind = 0; kind < (tests::IsNightly() ? 3 : 1); ++kind) {
    for (const Act* a : states)
      for (const Act* b : states)
        for (const Act* c : states)
          if (!Walk(kKinds[kind], {a, b, c})) return;
  }
  EXPECT_THAT(FaultsOfStore(), IsEmpty());
}

TEST_F(MessageActs, a_redacted_message_cannot_be_pinned_edited_or_reacted_to) {
  Make(Kind::kText);
  const auto named = [](std::string_view name) {
    return *std::find_if(std::begin(kActs), std::end(kActs),
                         [&](const Act& act) { return act.name == name; });
  };
  EXPECT_EQ(Do(named("react")), "ok");
  EXPECT_EQ(Do(named("redact")), "ok");
  for (const char* name : {"pin", "react to one's own", "edit", "staff edit", "clear", "withhold"})
    EXPECT_EQ(Do(named(name)), "FORBIDDEN") << name;
  for (const char* name : {"take back", "unpin", "answer", "report", "redact", "delete"})
    EXPECT_EQ(Do(named(name)), "ok") << name;
}

// A shadowed user must not notice it: replying to their own message works as always.
TEST_F(MessageActs, a_shadowed_user_can_reply_to_their_own_hidden_message_and_others_cannot) {
  Make(Kind::kShadowed);
  const auto answer = [&](FakeClient& who) {
    return who
        .Ask("message.send", In(R"(,"type":"text","body":"re","replyTo":")" + message_ + R"(","clientId":")" +
                                Fresh() + "\""))
        .error();
  };
  EXPECT_EQ(answer(bob_), "");
  EXPECT_EQ(answer(ann_), "NOT_FOUND");
  EXPECT_EQ(Do(kActs[7]), "ok") << "deletes it";
  EXPECT_EQ(ann_.Ask("inbox.explain", In("")).Json("ok.excluded.deleted"), "2");
  EXPECT_THAT(FaultsOfStore(), IsEmpty());
}

}  // namespace
}  // namespace parley::gateway_test
