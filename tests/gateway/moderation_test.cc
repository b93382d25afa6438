// Reports, cases and decisions over the whole server: their visibility, and that each decision takes effect
// once.
#include "gateway/app/io_thread.h"
#include "gateway/app/node.h"
#include "tests/gateway/moderation_scene.h"
#include "threads/staff/case_steps.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Moderation = ModerationScene;

TEST_F(Moderation, a_report_opens_a_case_and_only_staff_see_the_flag) {
  const Frame reply = ann_.Ask("message.report", On(R"(,"reason":"harassment","notes":"again")"));
  ASSERT_TRUE(reply.ok()) << reply.Json();
  EXPECT_EQ(reply.Text("ok.status") + " " + reply.Text("ok.severity"), "pending medium");
  EXPECT_THAT(reply.Text("ok.auditId"), HasSubstr("aud_"));
  EXPECT_EQ(Report(ann_), reply.Text("ok.caseId")) << "a repeat";
  EXPECT_EQ(Shown(sue_), std::string(kBody) + " / flagged");
  for (FakeClient* who : {&ann_, &bob_}) {
    EXPECT_EQ(Shown(*who), std::string(kBody) + " / clean");
    EXPECT_THAT(who->TakeEvents(), IsEmpty()) << "nobody is told";
  }
  EXPECT_EQ(ann_.Ask("thread.get", In()).Int("ok.lastSeq"), 4) << "nor could they count";
  const Frame changes = sue_.Ask("thread.changes", In(R"(,"afterSeq":3)"));
  EXPECT_EQ(changes.Text("ok.changes.0.item.flags.moderation"), "flagged");

  const Frame queue = sue_.Ask("moderation.queue", In(R"(,"status":"pending","type":"message")"));
  ASSERT_EQ(queue.Size("ok.cases"), 1u) << queue.Json();
  EXPECT_EQ(queue.Text("ok.cases.0.userId"), "bob");
  EXPECT_EQ(queue.Text("ok.cases.0.reportedBy.0"), "ann");
  EXPECT_EQ(queue.Int("ok.stats.pending"), 1);
}

TEST_F(Moderation, only_staff_read_the_queue_and_the_cases) {
  const std::string id = Report(ann_);
  for (const auto& [op, args] : std::vector<std::pair<const char*, std::string>>{
           {"moderation.queue", "{}"},
           {"moderation.case", OfCase(id)},
           {"moderation.decide", OfCase(id, R"(,"decision":"reject")")},
           {"moderation.threads", "{}"},
           {"moderation.message", On(R"(,"moderation":"redacted","reason":"r")")}}) {
    EXPECT_EQ(ann_.Ask(op, args).error(), "FORBIDDEN") << op;
    EXPECT_EQ(bob_.Ask(op, args).error(), "FORBIDDEN") << op;
  }
  EXPECT_EQ(Shown(bob_), std::string(kBody) + " / clean");
}

TEST_F(Moderation, a_non_member_cannot_report_in_a_thread) {
  FakeClient eve = world_->Join("eve");
  EXPECT_EQ(eve.Ask("message.report", On(R"(,"reason":"spam")")).error(), "THREAD_NOT_MEMBER");
  EXPECT_EQ(eve.Ask("thread.report", In(R"(,"reason":"spam")")).error(), "THREAD_NOT_MEMBER");
  EXPECT_EQ(eve.Ask("user.report", In(R"(,"userId":"bob","reason":"spam")")).error(), "THREAD_NOT_MEMBER");
  EXPECT_TRUE(eve.Ask("user.report", R"({"userId":"bob","reason":"spam"})").ok());
  EXPECT_EQ(eve.Ask("user.report", R"({"userId":"eve","reason":"spam"})").error(), "BAD_REQUEST");
  EXPECT_EQ(
      ann_.Ask("message.report", In(R"(,"messageId":"msg_00000000000000000000000000","reason":"r")")).error(),
      "NOT_FOUND");
  EXPECT_EQ(sue_.Ask("moderation.queue").Size("ok.cases"), 1u);
}

TEST_F(Moderation, redacted_text_is_removed_for_every_reader) {
  bob_.Ask("message.edit", On(R"(,"body":"or by mail: bob@example.com")"));
  ann_.Ask("message.pin", On(R"(,"pinned":true)"));
  Forget();
  const Frame reply =
      sue_.Ask("moderation.message", On(R"(,"moderation":"redacted","reason":"private data")"));
  ASSERT_TRUE(reply.ok()) << reply.Json();
  for (FakeClient* who : {&ann_, &bob_, &sue_}) EXPECT_EQ(Shown(*who), "[redacted] / redacted");
  const auto received = ann_.TakeEvents();
  ASSERT_FALSE(received.empty());
  EXPECT_EQ(received.front().ev() + " " + received.front().Text("item.body"), "message.updated [redacted]");
  EXPECT_EQ(EntryPreview(ann_), "[redacted]");
  for (const auto& [op, args] :
       std::vector<std::pair<const char*, std::string>>{{"message.history", On()},
                                                        {"thread.changes", In(R"(,"afterSeq":0)")},
                                                        {"thread.open", In(R"(,"afterSeq":0)")},
                                                        {"thread.get", In()},
                                                        {"inbox.list", "{}"}}) {
    for (const char* word : {"example.com", "555"})
      EXPECT_THAT(sue_.Ask(op, args).Json(), Not(HasSubstr(word))) << op;
  }
  EXPECT_EQ(ann_.Ask("thread.get", In()).Json("ok.thread.pins"), "null");
  const std::string audit = sue_.Ask("moderation.audit", In()).Json();
  EXPECT_THAT(audit, HasSubstr("sha256:"));
  EXPECT_THAT(audit, HasSubstr("private data"));
  EXPECT_THAT(audit, Not(HasSubstr("example.com")));

  EXPECT_EQ(sue_.Ask("moderation.message", On(R"(,"moderation":"clean","reason":"r")")).error(), "FORBIDDEN")
      << "it does not come back";
  EXPECT_EQ(bob_.Ask("message.edit", On(R"(,"body":"again")")).error(), "FORBIDDEN");
}

TEST_F(Moderation, a_blocked_message_is_withheld_until_staff_restore_it) {
  sue_.Ask("moderation.message", On(R"(,"moderation":"blocked","reason":"r")"));
  EXPECT_EQ(Shown(ann_), "[withheld] / blocked");
  EXPECT_EQ(EntryPreview(ann_), "[withheld]");
  sue_.Ask("moderation.message", On(R"(,"moderation":"clean","reason":"r")"));
  EXPECT_EQ(Shown(ann_), std::string(kBody) + " / clean");
  sue_.Ask("moderation.message", On(R"(,"moderation":"flagged","reason":"r")"));
  Forget();
  EXPECT_EQ(Shown(ann_), std::string(kBody) + " / clean");
  EXPECT_EQ(Shown(sue_), std::string(kBody) + " / flagged");
}

TEST_F(Moderation, actions_take_effect_with_the_second_approval_and_cannot_bypass_it) {
  const std::string id = ReportGrave(ann_);
  const std::string redact =
      R"("decision":"approve","notes":"n","actions":[{"action":"redact"},{"action":"lock"}])";
  EXPECT_EQ(Decide(sue_, id, redact), "awaiting_second_approval");
  EXPECT_EQ(Decide(sue_, id, redact), "awaiting_second_approval") << "the same person again";
  EXPECT_EQ(sue_.Ask("moderation.message", On(R"(,"moderation":"redacted","reason":"r")")).error(),
            "FORBIDDEN");
  EXPECT_EQ(Shown(ann_), std::string(kBody) + " / clean");
  EXPECT_EQ(Decide(tom_, id, R"("decision":"approve")"), "resolved");
  EXPECT_EQ(Shown(ann_), "[redacted] / redacted") << "done when it is answered";
  EXPECT_EQ(ann_.Ask("thread.get", In()).Text("ok.thread.status"), "locked");
  EXPECT_EQ(Decide(tom_, id, R"("decision":"reject")"), "ACTION_INVALID_STATE");
  EXPECT_EQ(ann_.Ask("message.report", On(R"(,"reason":"harassment")")).Text("ok.status"), "resolved");
}

TEST_F(Moderation, a_dismissed_report_removes_the_flag) {
  EXPECT_EQ(Decide(sue_, Report(ann_), R"("decision":"reject","notes":"harmless")"), "rejected");
  EXPECT_EQ(Shown(sue_), std::string(kBody) + " / clean");
}

TEST_F(Moderation, a_decision_interrupted_by_a_crash_takes_effect_once_after_the_restart) {
  const std::string id = Report(ann_);
  world_->HoldExecutor(true);  // the decision reaches the disk, its effects do not
  sue_.Send("moderation.decide", OfCase(id, R"(,"decision":"approve","actions":[{"action":"lock"}])"));
  world_->Settle();
  world_->node().item_writer().Step();
  world_->Settle();
  world_.Restart();
  ann_ = world_->Join("ann");
  sue_ = Staff("sue");
  world_->Settle();
  EXPECT_EQ(ann_.Ask("thread.get", In()).Text("ok.thread.status"), "locked");
  sue_.Ask("thread.setStatus", In(R"(,"status":"open","reason":"r")"));
  world_->Advance(2 * 3'600'000);
  world_.Restart();
  ann_ = world_->Join("ann");
  EXPECT_EQ(ann_.Ask("thread.get", In()).Text("ok.thread.status"), "open") << "not a second time";
}

TEST_F(Moderation, a_repeated_step_of_a_case_is_taken_once) {
  const auto lock = [&](int64_t number) {
    threads::Job job;
    job.tenant = protocol::TenantId{"demo"};
    job.thread = *protocol::ThreadId::FromText(thread_);
    threads::CaseStepWish wish{threads::CaseStep::kLock, "case_00000000000000000000000000", number,
                               *job.thread};
    job.decide = [wish](threads::Transaction& tx) {
      return threads::TakeCaseStep(tx, protocol::TenantId{"demo"}, wish);
    };
    job.done = [](const threads::Answer& answer) { EXPECT_TRUE(answer.ok()); };
    world_->node().io().Submit(std::move(job));
    world_->Settle();
    return ann_.Ask("thread.get", In()).Text("ok.thread.status");
  };
  EXPECT_EQ(lock(1), "locked");
  sue_.Ask("thread.setStatus", In(R"(,"status":"open","reason":"r")"));
  EXPECT_EQ(lock(1), "open");
  EXPECT_EQ(lock(2), "locked");
}

TEST_F(Moderation, private_data_is_masked_for_staff_unless_the_case_is_escalated) {
  const std::string id = Report(ann_);
  const Frame masked = sue_.Ask("moderation.case", OfCase(id));
  ASSERT_TRUE(masked.ok()) << masked.Json();
  EXPECT_TRUE(masked.Bool("ok.masked"));
  EXPECT_EQ(masked.Text("ok.context.messages.0.body"), "call me on [phone]");
  EXPECT_EQ(masked.Size("ok.context.participants"), 2u);
  EXPECT_EQ(masked.Text("ok.reports.0.userId"), "ann");
  EXPECT_EQ(Decide(sue_, id, R"("decision":"escalate","notes":"n")"), "escalated");
  EXPECT_EQ(tom_.Ask("moderation.case", OfCase(id)).Text("ok.context.messages.0.body"), kBody);
  const std::string audit = sue_.Ask("moderation.audit", OfCase(id)).Json();
  EXPECT_THAT(audit, HasSubstr("look.moderation.case"));
  EXPECT_THAT(audit, HasSubstr("moderation.decide"));
}

TEST_F(Moderation, staff_find_threads_without_knowing_an_id) {
  FakeClient cy = world_->Join("cy");
  const std::string second = world_.NewThread(cy, "cy", "ann");
  const auto ids = [&](const std::string& args) {
    std::vector<std::string> out;
    std::string cursor;
    do {
      const Frame page = sue_.Ask("moderation.threads", "{\"limit\":1" + args + cursor + "}");
      EXPECT_TRUE(page.ok()) << page.Json();
      for (size_t i = 0; i < page.Size("ok.threads"); ++i)
        out.push_back(page.Text("ok.threads." + std::to_string(i) + ".threadId"));
      cursor = page.Json("ok.cursor") == "null" ? "" : ",\"cursor\":" + page.Json("ok.cursor");
    } while (!cursor.empty() && out.size() < 9);
    return out;
  };
  EXPECT_THAT(ids(""), ElementsAre(second, thread_)) << "newest first";
  EXPECT_THAT(ids(R"(,"userId":"cy")"), ElementsAre(second));
  EXPECT_THAT(ids(R"(,"flagged":true)"), IsEmpty());
  Report(ann_);
  EXPECT_THAT(ids(R"(,"flagged":true)"), ElementsAre(thread_));
  EXPECT_THAT(ids(R"(,"flagged":true,"userId":"cy")"), IsEmpty());
  EXPECT_THAT(ids(R"(,"status":"locked")"), IsEmpty());
  EXPECT_THAT(sue_.Ask("moderation.audit", R"({"actor":"sue"})").Json(),
              HasSubstr("look.moderation.threads"));
}

class ByCases : public ModerationScene {
 protected:
  ByCases() : ModerationScene(ByCase()) {}
};

TEST_F(ByCases, a_case_gives_access_for_two_hours_or_until_its_status_changes) {
  EXPECT_EQ(sue_.Ask("message.list", In()).error(), "THREAD_NOT_MEMBER");
  EXPECT_THAT(sue_.Ask("moderation.threads").Json("ok.threads"), "[]");
  const std::string id = Report(ann_);
  EXPECT_EQ(sue_.Ask("message.list", In()).error(), "THREAD_NOT_MEMBER") << "they have not opened it";
  const Frame opened = sue_.Ask("moderation.case", OfCase(id));
  ASSERT_TRUE(opened.ok()) << opened.Json();
  EXPECT_TRUE(opened.Has("ok.accessUntil"));
  EXPECT_EQ(Shown(sue_), "call me on [phone] / flagged") << "and shows what is needed";
  EXPECT_EQ(tom_.Ask("message.list", In()).error(), "THREAD_NOT_MEMBER") << "it lets in who opened it";
  world_->Advance(2 * 3'600'000 + 1);
  sue_ = Staff("sue");
  EXPECT_EQ(sue_.Ask("message.list", In()).error(), "THREAD_NOT_MEMBER") << "two hours are over";

  ASSERT_TRUE(sue_.Ask("moderation.case", OfCase(id)).ok());
  EXPECT_TRUE(sue_.Ask("message.list", In()).ok());
  tom_ = Staff("tom", "admin");
  EXPECT_EQ(Decide(tom_, id, R"("decision":"escalate")"), "escalated");
  EXPECT_EQ(sue_.Ask("message.list", In()).error(), "THREAD_NOT_MEMBER") << "its status changed";
  ASSERT_TRUE(tom_.Ask("moderation.case", OfCase(id)).ok());
  const Frame audit = tom_.Ask("moderation.audit", In(",\"caseId\":\"" + id + "\""));
  EXPECT_THAT(audit.Json(), HasSubstr("look.moderation.case"));
}

TEST_F(Moderation, a_safety_card_opens_a_case_that_is_closed_with_it) {
  const std::string project =
      ann_.Ask("thread.create", R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob"})")
          .Text("ok.thread.threadId");
  const auto in = [&](const std::string& more) { return "{\"threadId\":\"" + project + "\"" + more + "}"; };
  const std::string card =
      ann_.Ask("card.create",
               in(R"(,"clientId":"s","type":"SAFETY","payload":{"reason":"harassment","severity":"high"})"))
          .Text("ok.messageId");
  const Frame queue = sue_.Ask("moderation.queue", in(""));
  ASSERT_EQ(queue.Size("ok.cases"), 1u) << queue.Json();
  EXPECT_EQ(queue.Text("ok.cases.0.origin") + " " + queue.Text("ok.cases.0.severity"), "safety high");
  EXPECT_EQ(queue.Text("ok.cases.0.userId"), "bob");
  EXPECT_EQ(queue.Text("ok.cases.0.messageId"), card);
  const std::string id = queue.Text("ok.cases.0.caseId");
  EXPECT_THAT(bob_.Ask("message.report", in(R"(,"messageId":")" + card + R"(","reason":"r")")).error(),
              "NOT_FOUND");
  FakeClient sam = Staff("sam", "support");
  const Frame resolved = sam.Ask(
      "card.act",
      in(R"(,"messageId":")" + card + R"(","intent":"resolve","version":1,"clientId":"r","reason":"r")"));
  ASSERT_TRUE(resolved.ok()) << resolved.Json();
  EXPECT_EQ(sue_.Ask("moderation.queue", in("")).Text("ok.cases.0.status"), "resolved");
  EXPECT_EQ(sue_.Ask("moderation.queue", in("")).Text("ok.cases.0.caseId"), id);
}

TEST_F(Moderation, a_dispute_opens_a_case) {
  const std::string project =
      ann_.Ask("thread.create", R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob"})")
          .Text("ok.thread.threadId");
  const auto in = [&](const std::string& more) { return "{\"threadId\":\"" + project + "\"" + more + "}"; };
  const Frame made =
      ann_.Ask("card.create",
               in(R"(,"clientId":"d","type":"DISPUTE_OPEN","payload":{"reason":"no show","details":"d"})"));
  ASSERT_TRUE(made.ok()) << made.Json();
  const Frame queue = sue_.Ask("moderation.queue", in(R"(,"status":"pending")"));
  ASSERT_EQ(queue.Size("ok.cases"), 1u) << queue.Json();
  EXPECT_EQ(queue.Text("ok.cases.0.origin"), "dispute");
}

}  // namespace
}  // namespace parley::gateway_test
