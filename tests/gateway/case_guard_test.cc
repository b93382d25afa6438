// While a case is open, no op bypasses it by acting on its subject.
#include <set>

#include "tests/gateway/moderation_scene.h"

namespace parley::gateway_test {
namespace {

using testing::HasSubstr;

using CaseGuard = ModerationScene;

TEST_F(CaseGuard, no_op_does_to_a_message_what_needs_two_decisions) {
  const std::string id = ReportGrave(ann_);
  for (const auto& [op, more] : std::vector<std::pair<const char*, const char*>>{
           {"moderation.message", R"(,"moderation":"redacted","reason":"r")"},
           {"moderation.message", R"(,"moderation":"blocked","reason":"r")"},
           {"message.delete", R"(,"reason":"r")"},
           {"message.edit", R"(,"reason":"r","body":"something else")"}}) {
    const Frame refused = sue_.Ask(op, On(more));
    EXPECT_EQ(refused.error(), "FORBIDDEN") << op;
    EXPECT_EQ(refused.Text("error.fields.caseId"), id) << op;
  }
  EXPECT_EQ(Shown(ann_), std::string(kBody) + " / clean");
  EXPECT_TRUE(bob_.Ask("message.edit", On(R"(,"body":"mine to change")")).ok()) << "its author goes on";
  EXPECT_EQ(Decide(tom_, id, R"("decision":"reject","notes":"n")"), "rejected");
  EXPECT_TRUE(sue_.Ask("message.delete", On(R"(,"reason":"r")")).ok());
}

TEST_F(CaseGuard, no_op_does_to_a_thread_what_needs_two_decisions) {
  const std::string id = ann_.Ask("thread.report", In(R"(,"reason":"spam")")).Text("ok.caseId");
  const Frame refused = sue_.Ask("thread.setStatus", In(R"(,"reason":"r","status":"archived")"));
  EXPECT_EQ(refused.error() + " " + refused.Text("error.fields.caseId"), "FORBIDDEN " + id);
  EXPECT_EQ(ann_.Ask("thread.get", In()).Text("ok.thread.status"), "open");
  EXPECT_TRUE(sue_.Ask("thread.setStatus", In(R"(,"reason":"r","status":"locked")")).ok())
      << "one person may stop the talk at once";
  EXPECT_EQ(ann_.Ask("thread.get", In()).Text("ok.thread.status"), "locked");
  EXPECT_EQ(sue_.Ask("thread.setStatus", In(R"(,"reason":"r","status":"open")")).error(), "FORBIDDEN")
      << "until the case is decided";
  EXPECT_EQ(Decide(tom_, id, R"("decision":"reject","notes":"n")"), "rejected");
  EXPECT_EQ(ann_.Ask("thread.get", In()).Text("ok.thread.status"), "open");
  EXPECT_TRUE(sue_.Ask("thread.setStatus", In(R"(,"reason":"r","status":"locked")")).ok());
}

TEST_F(CaseGuard, staff_cannot_act_on_their_own_message_while_its_case_is_open) {
  thread_ = world_.NewThread(ann_, "ann", "sue");
  message_ = world_.Say(sue_, thread_, "buy this").Text("ok.messageId");
  Report(ann_);
  EXPECT_EQ(sue_.Ask("moderation.message", On(R"(,"moderation":"clean","reason":"r")")).error(), "FORBIDDEN");
  EXPECT_EQ(Shown(tom_), "buy this / flagged");
  EXPECT_TRUE(tom_.Ask("moderation.message", On(R"(,"moderation":"clean","reason":"r")")).ok());
  EXPECT_EQ(Shown(tom_), "buy this / clean");
}

TEST_F(CaseGuard, callers_who_may_not_moderate_learn_nothing_of_cases) {
  ReportGrave(ann_);
  const Frame refused = ann_.Ask("moderation.message", On(R"(,"moderation":"redacted","reason":"r")"));
  EXPECT_EQ(refused.error(), "FORBIDDEN");
  EXPECT_FALSE(refused.Has("error.fields"));
  FakeClient eve = world_->Join("eve");
  EXPECT_EQ(eve.Ask("thread.setStatus", In(R"(,"reason":"r","status":"locked")")).error(),
            "THREAD_NOT_MEMBER");
}

TEST_F(CaseGuard, a_decision_may_only_name_redactable_messages_of_the_thread) {
  const std::string id = Report(ann_);
  const auto redact = [&](const std::string& message) {
    return Decide(
        sue_, id,
        R"("decision":"approve","notes":"n","actions":[{"action":"redact","messageId":")" + message + "\"}]");
  };
  EXPECT_EQ(redact("msg_00000000000000000000000000"), "BAD_REQUEST");
  const std::string elsewhere =
      world_.Say(ann_, world_.NewThread(ann_, "ann", "cy"), "x").Text("ok.messageId");
  EXPECT_EQ(redact(elsewhere), "BAD_REQUEST");
  EXPECT_EQ(sue_.Ask("moderation.queue").Text("ok.cases.0.status"), "pending");
  EXPECT_EQ(redact(message_), "resolved");
  EXPECT_EQ(Shown(ann_), "[redacted] / redacted");
}

// A second approver who omits the actions approves those of the version that they name.
TEST_F(CaseGuard, an_approval_that_names_a_version_does_not_cover_newer_ones) {
  const std::string id = ReportGrave(ann_);
  Decide(sue_, id, R"("decision":"approve","notes":"n","actions":[{"action":"lock"}])");
  const int64_t seen = tom_.Ask("moderation.case", OfCase(id)).Int("ok.case.version");
  Decide(sue_, id, R"("decision":"approve","notes":"n","actions":[{"action":"suspend"}])");
  const std::string approve = R"("decision":"approve","notes":"n","version":)";
  const Frame stale = tom_.Ask("moderation.decide", OfCase(id, "," + approve + std::to_string(seen)));
  EXPECT_EQ(stale.error(), "VERSION_CONFLICT");
  EXPECT_EQ(stale.Text("error.current.actions.0.action"), "suspend") << stale.Json();
  EXPECT_TRUE(bob_.Ask("thread.get", In()).ok()) << "not suspended";
  EXPECT_EQ(Decide(tom_, id, approve + std::to_string(seen + 1)), "resolved");
}

TEST_F(CaseGuard, a_page_of_the_queue_is_bounded_like_other_pages) {
  gateway::Config config = DemoConfig();
  config.max_page_bytes = 16 * 1024;
  World world(config);
  FakeClient ann = world->Join("ann"), sue = world->Connect();
  ASSERT_TRUE(sue.Hello(world->Token("sue", "moderator")).ok());
  constexpr size_t kCases = 40;
  for (size_t i = 0; i < kCases; ++i)
    ASSERT_TRUE(ann.Ask("user.report", R"({"userId":"u)" + std::to_string(i) + R"(","reason":")" +
                                           std::string(200, 'x') + "\"}")
                    .ok());
  std::set<std::string> users;
  size_t pages = 0;
  std::string cursor;
  do {
    const Frame page = sue.Ask("moderation.queue", "{\"limit\":200" + cursor + "}");
    EXPECT_LE(page.Json("ok").size(), size_t{16} * 1024);
    for (size_t i = 0; i < page.Size("ok.cases"); ++i)
      users.insert(page.Text("ok.cases." + std::to_string(i) + ".userId"));
    cursor = page.Json("ok.cursor") == "null" ? "" : ",\"cursor\":" + page.Json("ok.cursor");
  } while (!cursor.empty() && ++pages < kCases);
  EXPECT_GT(pages, 0u);
  EXPECT_EQ(users.size(), kCases) << "each of them, once over all pages";
}

}  // namespace
}  // namespace parley::gateway_test
