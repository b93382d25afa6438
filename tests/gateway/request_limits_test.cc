// Limits on writing to strangers: the lines 55 to 57 of the domain's checklist, on the whole server with a
// fake network.
#include "tests/gateway/requests_scene.h"

namespace parley::gateway_test {
namespace {

class RequestsAndLimits : public Requests {
 protected:
  RequestsAndLimits() : Requests(Both()) {}
  static gateway::Config Both() {
    gateway::Config config = Asking();
    config.rate_limits = true;
    return config;
  }
};

TEST_F(RequestsAndLimits, and_057_starts_are_limited_and_the_inbox_shows_the_limit) {
  const Frame before = ann_.Ask("inbox.counts");
  EXPECT_EQ(before.Int("ok.rateLimit.maxConversations"), 3) << "of a new user in an hour";
  EXPECT_EQ(before.Int("ok.rateLimit.windowMs"), 3'600'000);
  EXPECT_EQ(before.Int("ok.rateLimit.initiations"), 0);
  EXPECT_EQ(before.Int("ok.credits.costPerRequest"), 1);
  EXPECT_EQ(before.Int("ok.credits.floor"), 0);
  const char* texts[] = {"I like your pictures of birds", "could you come to our wedding?",
                         "what does a portrait cost", "one more question about lamps"};
  for (int i = 0; i < 4; ++i) {
    const std::string to = "u" + std::to_string(i);
    const Frame made =
        ann_.Ask("thread.create", Direct(to, std::string(R"(,"firstMessage":")") + texts[i] + "\""));
    EXPECT_EQ(Code(made), i < 3 ? "ok" : "RATE_LIMITED");
    if (i == 3) {
      EXPECT_GT(made.Int("error.retryAfterMs"), 3'000'000);
    }
  }
  const Frame after = ann_.Ask("inbox.counts");
  EXPECT_EQ(after.Int("ok.rateLimit.initiations"), 3);
  EXPECT_EQ(after.Int("ok.credits.available"), 37) << "what was refused cost nothing";
  ExpectSound();
}

TEST_F(RequestsAndLimits, the_third_near_identical_first_message_within_a_minute_is_refused) {
  Set(R"({"messageRequests":{"enabled":true},"limits":{"enabled":true,"newUserStartsPerHour":100}})");
  const auto start = [&](const std::string& to, const std::string& text) {
    return ann_.Ask("thread.create", Direct(to, R"(,"firstMessage":")" + text + "\""));
  };
  const std::string offer = " I offer the very best pictures of weddings, birthdays and babies. Answer soon!";
  EXPECT_EQ(Code(start("u1", "Hello Anna," + offer)), "ok");
  EXPECT_EQ(Code(start("u2", "Hello Berta," + offer)), "ok");
  const Frame third = start("u3", "HELLO Carl," + offer);
  EXPECT_EQ(Code(third), "RATE_LIMITED");
  EXPECT_GT(third.Int("error.retryAfterMs"), 50'000);
  EXPECT_LE(third.Int("error.retryAfterMs"), 60'000);
  EXPECT_EQ(Code(start("u4", "Do you have time on Saturday?")), "ok") << "another text is another text";
  world_->Advance(third.Int("error.retryAfterMs"));
  ann_ = world_->Join("ann");
  EXPECT_EQ(Code(start("u3", "Hello Carl," + offer)), "ok");
}

TEST_F(RequestsAndLimits, verified_users_do_not_have_the_limits_of_new_ones) {
  FakeClient vera = JoinWith("vera", R"({"idVerified":true})");
  EXPECT_EQ(vera.Ask("inbox.counts").Int("ok.rateLimit.maxConversations"), 10);
  for (int i = 0; i < 11; ++i) {
    const Frame made = vera.Ask("thread.create", Direct("u" + std::to_string(i)));
    EXPECT_EQ(Code(made), i < 10 ? "ok" : "RATE_LIMITED") << i;
  }
}

TEST_F(RequestsAndLimits, each_stranger_invited_into_a_group_counts_as_a_start) {
  const auto group = [&](int strangers) {
    std::string named;
    for (int i = 0; i < strangers; ++i)
      named += (i ? "," : "") + std::string(R"({"userId":"u)") + std::to_string(i) + "\"}";
    return Code(ann_.Ask("thread.create", R"({"kind":"group","participants":[)" + named + "]}"));
  };
  EXPECT_EQ(group(3), "RATE_LIMITED");
  EXPECT_EQ(ann_.Ask("inbox.counts").Int("ok.rateLimit.initiations"), 0) << "given back";
  EXPECT_EQ(group(2), "ok");
  EXPECT_EQ(ann_.Ask("inbox.counts").Int("ok.rateLimit.initiations"), 3);
  ExpectSound();
}

TEST_F(RequestsAndLimits, asking_again_counts_as_a_start) {
  Set(R"({"messageRequests":{"enabled":true,"ttlSeconds":30},"limits":{"enabled":true,"newUserStartsPerHour":2}})");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Code(ann_.Ask("thread.create", Direct("bob"))), i < 2 ? "ok" : "RATE_LIMITED");
    world_->Advance(31'000);
  }
}

TEST_F(RequestsAndLimits, look_alike_letters_and_a_later_first_message_do_not_hide_a_repeat) {
  Set(R"({"messageRequests":{"enabled":true},"limits":{"enabled":true,"newUserStartsPerHour":100}})");
  int number = 0;
  const auto start = [&](const std::string& text, bool later) {
    const std::string to = "u" + std::to_string(++number);
    if (!later) return Code(ann_.Ask("thread.create", Direct(to, R"(,"firstMessage":")" + text + "\"")));
    const std::string thread = ann_.Ask("thread.create", Direct(to)).Text("ok.thread.threadId");
    return Say(ann_, thread, text);
  };
  EXPECT_EQ(start("I offer the very best pictures of weddings and babies. Answer soon!", true), "ok");
  // Cyrillic letters that look like Latin ones; then zero-width spaces and dashes.
  EXPECT_EQ(start("I оffer thе vеry bеst piсturеs of wеddings and bаbies. Answеr sоon!", false), "ok");
  EXPECT_EQ(
      start(
          "I of​fer t​he ve​ry b​est pi​ctures o​f w e d d i n g s and b-a-b-i-e-s. Answer soon!",
          true),
      "RATE_LIMITED");
  EXPECT_EQ(start("Do you have time on Saturday?", true), "ok");
}

}  // namespace
}  // namespace parley::gateway_test
