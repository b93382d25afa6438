// The policy judges every text that another person reads; a text too long to judge is refused.
#include "tests/gateway/policy_scene.h"

namespace parley::gateway_test {
namespace {

using ::testing::HasSubstr;

class PolicyTexts : public PolicyStop {
 protected:
  explicit PolicyTexts(const gateway::Config& config = DemoConfig()) : PolicyStop(config) {}
  // The answer to each of `ask`, by a user whom the policy has not judged before.
  std::string Judged(const std::string& op, const std::string& args) {
    const std::string who = "u" + std::to_string(++asked_);
    FakeClient user = world_->Join(who);
    const Frame made = user.Ask("thread.create",
                                R"({"kind":"project","buyerUserId":")" + who + R"(","sellerUserId":"bob"})");
    std::string with = args;
    if (const size_t at = with.find("THREAD"); at != std::string::npos)
      with.replace(at, 6, made.Text("ok.thread.threadId"));
    if (const size_t at = with.find("WHO"); at != std::string::npos) with.replace(at, 3, who);
    return Code(user.Ask(op, with));
  }
  int asked_ = 0;
};

TEST_F(PolicyTexts, a_link_is_refused_in_every_text_that_others_read) {
  const std::string send = R"({"threadId":"THREAD","clientId":"c","type":"asset","body":"","attachments":[)";
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"message.send", R"({"threadId":"THREAD","clientId":"c","type":"text","body":"https://paypal.me/x"})"},
      {"message.send",
       send + R"({"kind":"manifest","manifestRef":"https://paypal.me/x","mime":"image/png"}]})"},
      {"message.send",
       send + R"({"kind":"manifest","manifestRef":"https://m.example/1","mime":"paypal.me/x"}]})"},
      {"card.create",
       R"({"threadId":"THREAD","clientId":"c","type":"CUSTOM","payload":{"a":["paypal.me/x"]},"allowedTransitions":[{"intent":"ok","toState":"DONE"}]})"},
      {"card.create",
       R"({"threadId":"THREAD","clientId":"c","type":"CUSTOM","payload":{"by paypal":1},"allowedTransitions":[{"intent":"ok","toState":"DONE"}]})"},
      {"card.create",
       R"({"threadId":"THREAD","clientId":"c","type":"PAYPAL","payload":{},"allowedTransitions":[{"intent":"ok","toState":"DONE"}]})"},
      {"card.create",
       R"({"threadId":"THREAD","clientId":"c","type":"CUSTOM","payload":{},"allowedTransitions":[{"intent":"ok","toState":"PAYPAL"}]})"},
      {"thread.update", R"({"threadId":"THREAD","version":1,"subject":"paypal.me/x"})"},
      {"thread.update", R"({"threadId":"THREAD","version":1,"city":"paypal"})"},
      {"tab.put",
       R"({"threadId":"THREAD","tab":"brief","version":0,"content":{"styleRefs":[{"url":"https://paypal.me/x"}]}})"},
      {"tab.put",
       R"({"threadId":"THREAD","tab":"moodboard","version":0,"content":{"pins":[{"id":"p","url":"https://paypal.me/x","attribution":"me","nsfwBand":0}]}})"},
      {"contact.filterSet", R"({"fields":["your paypal"]})"},
      {"thread.create",
       R"({"kind":"inquiry","buyerUserId":"WHO","sellerUserId":"cy","brief":{"title":"paypal"}})"},
      {"thread.create", R"({"kind":"inquiry","buyerUserId":"WHO","sellerUserId":"cy","role":"paypal"})"},
      {"thread.create", R"({"kind":"group","subject":"paypal"})"}};
  for (const auto& [op, args] : texts) {
    const std::string code = Judged(op, args);
    EXPECT_EQ(code, "MSG_POLICY_BLOCKED") << op << " " << args;
  }
}

TEST_F(PolicyTexts, names_and_links_of_finals_are_judged) {
  FakeClient ann = world_->Join("ann");
  const std::string thread = world_.NewThread(ann, "ann", "bob");
  const auto deliver = [&](const std::string& final) {
    world_->Advance(kMinute);  // a refusal slows its author down, and a silent session ends
    FakeClient bob = world_->Join("bob");
    return Code(bob.Ask("tab.put", R"({"threadId":")" + thread +
                                       R"(","tab":"files","version":0,"content":{"finals":[)" + final +
                                       "]}}"));
  };
  EXPECT_EQ(deliver(R"({"name":"by paypal","manifestRef":"https://m.example/1"})"), "MSG_POLICY_BLOCKED");
  EXPECT_EQ(deliver(R"({"name":"album","manifestRef":"https://paypal.me/x"})"), "MSG_POLICY_BLOCKED");
}

TEST_F(PolicyTexts, a_display_name_that_users_give_themselves_is_judged) {
  const auto patch = [&](const std::string& name, int version) {
    return world_->Http("PATCH", "/v1/users/ann",
                        R"({"version":)" + std::to_string(version) + R"(,"displayName":")" + name + "\"}",
                        {{"Authorization", "Bearer " + world_->Token("ann")}});
  };
  ASSERT_EQ(world_
                ->Http("POST", "/v1/users", R"({"userId":"ann","displayName":"Ann"})",
                       {{"Authorization", "Bearer " + world_->service_key()}})
                .status,
            201);
  const auto refused = patch("Ann paypal.me/ann", 1);
  EXPECT_EQ(refused.status, 422) << refused.body;
  EXPECT_THAT(refused.body, HasSubstr("MSG_POLICY_BLOCKED"));
  world_->Advance(kMinute);
  EXPECT_EQ(patch("Ann B.", 1).status, 200);
}

TEST_F(PolicyTexts, ids_and_private_labels_are_not_judged) {
  EXPECT_EQ(
      Judged("message.send", R"({"threadId":"THREAD","clientId":"paypal","type":"text","body":"hello"})"),
      "ok");
  EXPECT_EQ(Judged("inbox.set", R"({"threadId":"THREAD","label":"paypal"})"), "ok");
}

// --- texts that are too long to judge

TEST_F(PolicyTexts, a_tab_that_is_too_long_to_judge_is_refused) {
  // The server sets the author of a comment, so `by` is stored short.
  const std::string comment = R"({"by":")" + std::string(64, 'a') + R"(","text":"x"})";
  std::string comments = R"({"text":"by paypal"})", pins;
  for (int i = 0; i < 49; ++i) comments += "," + comment;
  for (int i = 0; i < 14; ++i) {
    pins += (i ? "," : "") + std::string(R"({"id":"p)") + std::to_string(i) +
            R"(","attribution":"me","nsfwBand":0,"comments":[)" + comments + "]}";
  }
  const std::string put = R"({"threadId":"THREAD","tab":"moodboard","version":0,"content":{"pins":[)";
  EXPECT_GT(pins.size(), 50'000u);
  EXPECT_EQ(Judged("tab.put", put + pins + "]}}"), "TOO_LARGE");
  world_.SetDemoSettings("{}");
  EXPECT_EQ(Judged("tab.put", put + pins + "]}}"), "ok") << "what is kept is not too large";
}

class PolicyOfShortBodies : public PolicyTexts {
 protected:
  PolicyOfShortBodies() : PolicyTexts(Short()) {}
  static gateway::Config Short() {
    gateway::Config config = DemoConfig();
    config.max_body_bytes = 4000;
    return config;
  }
};

TEST_F(PolicyOfShortBodies, a_brief_of_the_largest_tab_size_is_judged) {
  std::string shots;
  for (int i = 0; i < 60; ++i) shots += (i ? ",\"" : "\"") + std::string(450, 'a') + "\"";
  const std::string brief = R"({"mustHaveShots":[)" + shots + R"(],"goals":"by paypal"})";
  EXPECT_EQ(Judged("tab.put", R"({"threadId":"THREAD","tab":"brief","version":0,"content":)" + brief + "}"),
            "MSG_POLICY_BLOCKED");
}

}  // namespace
}  // namespace parley::gateway_test
