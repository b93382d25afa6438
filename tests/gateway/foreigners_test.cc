// Users of another tenant learn nothing by ops: each reply about an existing thing equals the reply about a
// missing one, byte for byte except corrId, cursors included. tests/e2e/isolation.test.mjs checks HTTP and
// its routes from outside.
#include <gmock/gmock.h>

#include <regex>

#include "tests/gateway/every_op.h"
#include "tests/gateway/tenant_scene.h"

namespace parley::gateway_test {
namespace {

gateway::Config Busy() {
  gateway::Config config = DemoConfig();
  config.staff_access = "cases";
  config.card_ports = "events";
  return config;
}

// Ids of the same lengths that name nothing.
const OpIds kNowhere = {"thrd_01k9zzzzzzzzzzzzzzzzzzzzzz", "msg_01k9zzzzzzzzzzzzzzzzzzzzzz", "lbg_9",
                        "nobo-x"};

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

class Foreigners : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* subject : {"one", "two"}) {
      const Frame made = alice_.Ask("thread.create", Args({{"kind", "project"},
                                                           {"buyerUserId", "alic-x"},
                                                           {"sellerUserId", "bern-x"},
                                                           {"lbgId", "lbg_1"},
                                                           {"legId", std::string("leg_") + subject},
                                                           {"subject", subject},
                                                           {"clientId", subject}}));
      there_ = {made.Text("ok.thread.threadId"), "", "lbg_1", "bern-x"};
    }
    for (int i = 0; i < 3; ++i) {
      const Frame sent = alice_.Ask("message.send", Args({{"threadId", there_.thread},
                                                          {"type", "text"},
                                                          {"clientId", std::to_string(i)},
                                                          {"body", "b"}}));
      there_.message = sent.Text("ok.messageId");
    }
    ASSERT_TRUE(alice_
                    .Ask("tab.put", Args({{"threadId", there_.thread},
                                          {"tab", "brief"},
                                          {"version", 0},
                                          {"content", JsonArg::Raw("{}")}}))
                    .ok());
    ASSERT_TRUE(alice_
                    .Ask("card.create", Args({{"threadId", there_.thread},
                                              {"clientId", "card"},
                                              {"type", "CANCEL_REQUEST"},
                                              {"payload", JsonArg::Raw(R"({"reason":"r"})")}}))
                    .ok());
    MakeTenant();
  }
  HttpResponse As(const std::string& credential, const std::string& target, const std::string& body) {
    return world_->Http("POST", target, body, {{"Authorization", "Bearer " + credential}});
  }
  void MakeTenant() {
    const std::string boss = FakeServer::operator_key();
    ASSERT_EQ(
        As(boss, "/v1/tenants",
           R"({"tenantId":"bolt","name":"B","settings":{"knownUsersOnly":false,"userProjects":true,"limits":{"enabled":false},"messageRequests":{"enabled":false},"safety":{"textPolicy":"off"}}})")
            .status,
        201);
    back_end_ = Body(As(boss, "/v1/tenants/bolt/keys", "{}")).Text("secret");
    ASSERT_EQ(As(boss, "/v1/tenants/bolt/activate", "").status, 200);
  }
  // Connects a user of the other tenant, who may have the id of a user of the first.
  FakeClient Join(const std::string& user, const std::string& role) {
    const HttpResponse issued = As(back_end_, "/v1/tokens", Args({{"userId", user}, {"role", role}}));
    FakeClient client = world_->Connect();
    EXPECT_TRUE(client.Hello(Body(issued).Text("token")).ok()) << issued.body;
    return client;
  }
  // The reply without corrId and without the caller's own input.
  static std::string Reported(FakeClient& client, const std::string& op, const std::string& args,
                              const OpIds& ids) {
    Frame reply = client.Ask(op, args);
    std::string out = reply.ok() ? reply.Json("ok") : reply.Json("error");
    out = std::regex_replace(out, std::regex(R"("corrId":"[^"]*")"), R"("corrId":"")");
    for (const auto& [id, name] : {std::pair{ids.thread, "<thread>"},
                                   {ids.message, "<message>"},
                                   {ids.project, "<project>"},
                                   {ids.seller, "<seller>"}})
      out = Replaced(out, id, name);
    return (reply.ok() ? "ok " : "error ") + out;
  }

  World world_{Busy()};
  FakeClient alice_ = world_->Join("alic-x");
  OpIds there_;
  std::string back_end_;
};

TEST_F(Foreigners, get_the_same_reply_about_existing_and_missing_things_from_every_op) {
  for (const char* role : {"member", "admin", "moderator", "support", "bot"}) {
    // Two users, since an op may leave traces for its caller; one has the id of the thread's buyer.
    FakeClient one = Join("alic-x", role), other = Join("alic-y", role);
    const auto there = EveryOpAbout(there_), nowhere = EveryOpAbout(kNowhere);
    size_t refused = 0;
    for (const auto& [op, args] : there) {
      const std::string reported = Reported(one, op, args, there_);
      EXPECT_EQ(reported, Reported(other, op, nowhere.at(op), kNowhere)) << role << " by " << op;
      refused += reported.starts_with("error") ? 1 : 0;
    }
    EXPECT_GE(refused, there.size() - 6) << "the rest names nothing: their own inbox and feeds";
  }
}

// Otherwise the test above would prove nothing.
TEST_F(Foreigners, get_other_replies_than_members) {
  const auto there = EveryOpAbout(there_), nowhere = EveryOpAbout(kNowhere);
  for (const char* op :
       {"thread.get", "thread.open", "thread.changes", "thread.byProject", "participant.list", "message.list",
        "message.history", "tab.get", "card.list", "inbox.explain"})
    EXPECT_NE(Reported(alice_, op, there.at(op), there_), Reported(alice_, op, nowhere.at(op), kNowhere))
        << op;
}

TEST_F(Foreigners, receive_no_events) {
  FakeClient namesake = Join("alic-x", "admin");
  namesake.TakeAll();
  ASSERT_TRUE(alice_
                  .Ask("message.edit",
                       Args({{"threadId", there_.thread}, {"messageId", there_.message}, {"body", "edited"}}))
                  .ok());
  ASSERT_TRUE(alice_.Ask("typing.set", Args({{"threadId", there_.thread}, {"typing", true}})).ok());
  world_->Advance(30'000);
  EXPECT_THAT(Lines(namesake.TakeAll()), testing::IsEmpty());
}

// A cursor is bound to its receiver: for others any cursor is invalid in the same way, genuine or not.
TEST_F(Foreigners, cannot_use_cursors_of_others) {
  FakeClient namesake = Join("alic-x", "member");
  const std::tuple<const char*, std::string, const char*> lists[] = {
      {"inbox.list", R"({"limit":1)", "cursor"},
      {"thread.byProject", R"({"lbgId":"lbg_1","limit":1)", "cursor"},
      {"participant.list", R"({"threadId":")" + there_.thread + R"(","limit":1)", "cursor"},
      {"message.list", R"({"threadId":")" + there_.thread + R"(","limit":1)", "before"}};
  for (const auto& [op, args, name] : lists) {
    const Frame page = alice_.Ask(op, args + "}");
    ASSERT_TRUE(page.ok()) << op << page.Json();
    const std::string cursor = page.Text("ok.cursor");
    std::string spoilt = cursor;
    spoilt[8] = spoilt[8] == 'A' ? 'B' : 'A';
    const auto with = [&](const std::string& text) { return args + ",\"" + name + "\":\"" + text + "\"}"; };
    EXPECT_TRUE(alice_.Ask(op, with(cursor)).ok()) << op << " goes on with it";
    const std::string reported = Reported(namesake, op, with(cursor), there_);
    EXPECT_EQ(reported, Reported(namesake, op, with(spoilt), there_)) << op;
    EXPECT_TRUE(reported.starts_with("error")) << op << reported;
  }
}

}  // namespace
}  // namespace parley::gateway_test
