// Outsiders learn nothing about a thread. Callers who are not members ask every op about it over WebSocket
// and HTTP, and listen while something of each kind happens in it. Nothing that they receive contains its
// ids, names or texts.
#include <gmock/gmock.h>

#include "features/ops.h"
#include "tests/gateway/every_op.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using testing::IsEmpty;

gateway::Config ByCaseWithCards() {
  gateway::Config config = DemoConfig();
  config.staff_access = "cases";
  config.card_ports = "events";
  return config;
}

class Outsiders : public testing::Test {
 protected:
  Outsiders() {
    const Frame made = alice_.Ask(
        "thread.create",
        R"({"kind":"project","buyerUserId":"alice-x","sellerUserId":"bernd-x","clientId":"t","lbgId":"lbg_1",)"
        R"("legId":"leg_1","subject":"subject-x","city":"city-x","participants":[{"userId":"rex"}]})");
    thread_ = made.Text("ok.thread.threadId");
    removed_ = Listen("rex", "member");
    ForEachSaid();
    EXPECT_TRUE(alice_.Ask("participant.remove", In(R"(,"userId":"rex")")).ok());
    removed_->TakeAll();
    strangers_.emplace("a stranger", *Listen("stranger", "member"));
    strangers_.emplace("a removed member", *removed_);
    strangers_.emplace("staff without a case", *Listen("staff", "support"));
    ForEachSaid();
  }

  std::optional<FakeClient> Listen(const std::string& user, std::string_view role) {
    FakeClient client = world_->Connect();
    EXPECT_TRUE(client.Hello(world_->Token(user, role)).ok());
    return client;
  }
  std::string In(const std::string& more = "") const {
    return "{\"threadId\":\"" + thread_ + "\"" + more + "}";
  }
  // Does one of everything that can happen in a thread.
  void ForEachSaid() {
    const std::string n = std::to_string(++said_);
    message_ =
        alice_.Ask("message.send", In(R"(,"clientId":"client-x)" + n + R"(","type":"text","body":"body-x")"))
            .Text("ok.messageId");
    const auto with = [&](const std::string& more) {
      return In(R"(,"messageId":")" + message_ + "\"" + more);
    };
    for (const auto& [op, args] : std::vector<std::pair<const char*, std::string>>{
             {"thread.open", In()},
             {"typing.set", In(R"(,"typing":true)")},
             {"message.edit", with(R"(,"body":"edited-x")")},
             {"message.pin", with(R"(,"pinned":true)")},
             {"read.mark", with("")},
             {"inbox.set", In(R"(,"label":"label-x")")},
             {"tab.put", In(R"(,"tab":"brief","version":)" + std::to_string(said_ - 1) +
                            R"(,"content":{"title":"title-x)" + n + R"("})")},
             {"card.create", In(R"(,"clientId":"card-x)" + n +
                                R"(","type":"CANCEL_REQUEST","payload":{"reason":"reason-x"})")}}) {
      const Frame reply = alice_.Ask(op, args);
      EXPECT_TRUE(reply.ok()) << op << reply.Json();
    }
  }
  void ExpectNothing(const std::string& text, const std::string& where) {
    for (const std::string& word :
         {thread_.substr(5), message_.substr(4), std::string("alice-x"), std::string("bernd-x"),
          std::string("subject-x"), std::string("city-x"), std::string("body-x"), std::string("edited-x"),
          std::string("label-x"), std::string("title-x"), std::string("reason-x"), std::string("client-x")})
      EXPECT_EQ(text.find(word), std::string::npos) << where << " says " << word << ": " << text;
  }
  std::map<std::string, std::string> EveryOp() const {
    return EveryOpAbout({thread_, message_, "lbg_1", "bernd-x"});
  }

  World world_{ByCaseWithCards()};
  FakeClient alice_ = world_->Join("alice-x");
  std::string thread_, message_;
  std::optional<FakeClient> removed_;
  std::map<std::string, FakeClient> strangers_;
  int said_ = 0;
};

TEST_F(Outsiders, ask_every_op) {
  const auto known = EveryOp();
  protocol::ForEachOp(features::AllOps{}, [&]<class Op>() {
    const std::string op(Op::kName);
    // Ops of sessions, ops that create, and ops about people whom the caller names.
    const bool names_none = op.starts_with("session.") || op == "thread.create" || op == "presence.get" ||
                            (op.starts_with("user.") && op != "user.report") || op == "moderation.user" ||
                            op.starts_with("contact.");
    EXPECT_EQ(known.contains(op), !names_none) << op << " belongs in the table of every_op.h";
  });
}

TEST_F(Outsiders, read_nothing_by_any_op) {
  for (auto& [who, client] : strangers_) {
    for (const auto& [op, args] : EveryOp()) {
      const Frame reply = client.Ask(op, args);
      ExpectNothing(reply.Json(), who + ": " + op);
      const bool names_thread = args.find("threadId") != std::string::npos;
      EXPECT_EQ(reply.error() == "THREAD_NOT_MEMBER", names_thread) << who << ": " << op << reply.Json();
    }
  }
}

TEST_F(Outsiders, read_nothing_over_http_or_through_a_service_that_acts_for_them) {
  using Headers = FakeServer::Headers;
  const std::map<std::string, Headers> callers = {
      {"a token", {{"Authorization", "Bearer " + world_->Token("stranger")}}},
      {"a service", {{"Authorization", "Bearer " + world_->service_key()}, {"Parley-User", "rex"}}}};
  for (const auto& [who, headers] : callers) {
    for (const auto& [op, args] : EveryOp()) {
      if (op == "outbox.list" && who == "a service") continue;  // the back end's own feed
      const auto response = world_->Http("POST", "/v1/ops/" + op, args, headers);
      ExpectNothing(response.body, who + ": " + op);
    }
  }
}

TEST_F(Outsiders, receive_no_events) {
  for (auto& [who, client] : strangers_) client.TakeAll();
  ForEachSaid();
  world_->Advance(30'000);
  for (auto& [who, client] : strangers_) EXPECT_THAT(Lines(client.TakeAll()), IsEmpty()) << who;
}

TEST_F(Outsiders, learn_nothing_by_creating_a_thread_that_exists) {
  for (auto& [who, client] : strangers_) {
    const std::string inquiry =
        R"({"kind":"inquiry","buyerUserId":"alice-x","sellerUserId":"bernd-x","role":"r"})";
    alice_.Ask("thread.create", inquiry);  // the first call creates it, the second finds it
    const Frame reply = client.Ask("thread.create", inquiry);
    EXPECT_EQ(reply.Json().find("current"), std::string::npos) << who << reply.Json();
  }
}

// A page of a project contains only threads that the caller may see, and its cursor only serves to continue.
TEST_F(Outsiders, find_nothing_in_a_cursor) {
  for (int i = 0; i < 1002; ++i)
    alice_.Send("thread.create",
                R"({"kind":"project","buyerUserId":"alice-x","sellerUserId":"bernd-x","lbgId":)"
                R"("lbg_1"})");
  world_->Settle();
  const Frame page = strangers_.at("a stranger").Ask("thread.byProject", R"({"lbgId":"lbg_1","limit":1})");
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page.Size("ok.threads"), 0u);
  ExpectNothing(page.Json(), "the page");
  EXPECT_EQ(page.Json("ok.cursor"), "null") << "nor how many there are";
}

}  // namespace
}  // namespace parley::gateway_test
