// Staff who are bound to cases: the view that a case opens, and the end of their access.
#include "tests/gateway/moderation_scene.h"

namespace parley::gateway_test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class CaseAccess : public ModerationScene {
 protected:
  CaseAccess() : ModerationScene(ByCase()) {}
  // A project of ann and bob, with a phone number or a door code in every text that members can write.
  void MakeProject() {
    thread_ = ann_.Ask("thread.create", R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob",)"
                                        R"("subject":"ring 555 010 9999"})")
                  .Text("ok.thread.threadId");
    message_ = world_.Say(bob_, thread_, "the door code is 4711").Text("ok.messageId");
    Must(bob_, "card.create",
         R"(,"clientId":"c","type":"EXPENSE","payload":{"amountCents":5550109999,"currency":"EUR",)"
         R"("merchant":"M","date":"2026-01-02T03:04:05.000Z","receiptImage":"k","note":"555 010 9999"})");
    Must(ann_, "tab.put", R"(,"tab":"brief","version":0,"content":{"title":"door code 4711"})");
  }
  void Must(FakeClient& who, const char* op, const std::string& more) {
    const Frame reply = who.Ask(op, In(more));
    ASSERT_TRUE(reply.ok()) << op << reply.Json();
  }
  std::string ReportThread() { return ann_.Ask("thread.report", In(R"(,"reason":"r")")).Text("ok.caseId"); }
};

const char* const kReads[] = {"thread.get", "message.list", "card.list", "thread.audit"};

TEST_F(CaseAccess, masks_all_texts_that_members_write) {
  MakeProject();
  const std::string id = ReportThread();
  const auto everything = [&] {
    std::string out = sue_.Ask("moderation.case", OfCase(id)).Json();
    for (const char* op : kReads) out += sue_.Ask(op, In()).Json();
    for (const char* op : {"thread.open", "thread.changes"})
      out += sue_.Ask(op, In(R"(,"afterSeq":0)")).Json();
    out += sue_.Ask("tab.get", In(R"(,"tab":"brief")")).Json();
    out += sue_.Ask("message.history", On()).Json() + sue_.Ask("moderation.threads").Json();
    out += sue_.Ask("moderation.message", On(R"(,"moderation":"flagged","reason":"r")")).Json();
    sue_.TakeEvents();
    EXPECT_TRUE(ann_.Ask("thread.update",
                         In(R"(,"version":)" + ann_.Ask("thread.get", In()).Json("ok.thread.version") +
                            R"(,"subject":"or ring 555 010 9999")"))
                    .ok());
    for (const Frame& event : sue_.TakeEvents()) out += event.Json();
    return out;
  };
  const std::string masked = everything();
  for (const char* word : {"555 010", "4711"}) EXPECT_THAT(masked, Not(HasSubstr(word)));
  EXPECT_THAT(masked, HasSubstr("\"amountCents\":5550109999")) << "an amount is an amount";
  EXPECT_THAT(masked, HasSubstr("2026-01-02T03:04:05.000Z")) << "and a time is a time";
  EXPECT_EQ(Decide(tom_, id, R"("decision":"escalate","notes":"n")"), "escalated");
  const std::string whole = everything();
  for (const char* word : {"555 010", "4711"})
    EXPECT_THAT(whole, HasSubstr(word)) << "the case was escalated";
}

TEST_F(CaseAccess, masks_the_quotes_of_reporters) {
  const std::string id =
      ann_.Ask("message.report", On(R"(,"reason":"wants 555 010 9999","notes":"the gate code 4711")"))
          .Text("ok.caseId");
  const std::string masked = sue_.Ask("moderation.case", OfCase(id)).Json();
  EXPECT_THAT(masked, Not(HasSubstr("555 010")));
  EXPECT_THAT(masked, Not(HasSubstr("4711")));
}

TEST_F(CaseAccess, an_open_report_gives_access_and_masks_as_well) {
  MakeProject();
  Must(ann_, "card.create",
       R"(,"clientId":"s","type":"SAFETY","payload":{"reason":"harassment","severity":"low"})");
  EXPECT_EQ(Shown(sue_), "the door code is [code] / clean");
  const Frame queue = sue_.Ask("moderation.queue", In());
  EXPECT_EQ(queue.Text("ok.cases.0.severity"), "high") << "what the reporter says never lowers the default";
  EXPECT_TRUE(queue.Bool("ok.cases.0.requiresDualApproval"));
}

TEST_F(CaseAccess, one_escalated_case_is_enough_to_see_everything) {
  const std::string escalated = Report(ann_);
  EXPECT_EQ(Decide(tom_, escalated, R"("decision":"escalate","notes":"n")"), "escalated");
  const std::string other = ReportThread();
  for (const std::string& id : {other, escalated}) ASSERT_TRUE(sue_.Ask("moderation.case", OfCase(id)).ok());
  EXPECT_THAT(Shown(sue_), HasSubstr("555"));
  ASSERT_TRUE(sue_.Ask("moderation.case", OfCase(other)).ok());
  EXPECT_THAT(Shown(sue_), HasSubstr("555")) << "in whichever order they opened them";
}

TEST_F(CaseAccess, ephemeral_events_stop_with_the_access) {
  const std::string id = Report(ann_);
  ASSERT_TRUE(sue_.Ask("moderation.case", OfCase(id)).ok());
  ASSERT_TRUE(sue_.Ask("thread.open", In()).ok());
  ASSERT_TRUE(bob_.Ask("thread.open", In()).ok());
  Forget();
  bob_.Ask("typing.set", In(R"(,"typing":true)"));
  EXPECT_THAT(sue_.TakeEvents(), Not(IsEmpty()));
  EXPECT_EQ(Decide(tom_, id, R"("decision":"escalate","notes":"n")"), "escalated");
  Forget();
  bob_.Ask("typing.set", In(R"(,"typing":false)"));
  ann_.Ask("thread.open", In());
  ann_.Ask("typing.set", In(R"(,"typing":true)"));
  EXPECT_THAT(sue_.TakeEvents(), IsEmpty());
}

TEST_F(CaseAccess, a_closed_case_shows_nothing_of_its_thread) {
  const std::string id = Report(ann_);
  ASSERT_EQ(sue_.Ask("moderation.case", OfCase(id)).Size("ok.context.messages"), 1u);
  EXPECT_EQ(Decide(tom_, id, R"("decision":"reject","notes":"n")"), "rejected");
  const Frame ended = sue_.Ask("moderation.case", OfCase(id));
  ASSERT_TRUE(ended.ok()) << ended.Json();
  EXPECT_EQ(ended.Text("ok.case.status"), "rejected");
  EXPECT_EQ(ended.Json("ok.context.thread") + ended.Json("ok.context.messages"), "null[]");
}

// The case changes status between its lookup and the use of the access.
TEST_F(CaseAccess, a_case_that_changes_during_the_lookup_gives_no_access) {
  const std::string id = Report(ann_);
  world_->HoldExecutor(true);
  const uint32_t look = sue_.Send("moderation.case", OfCase(id));
  world_->Settle();
  const uint32_t decide = tom_.Send("moderation.decide", OfCase(id, R"(,"decision":"escalate","notes":"n")"));
  world_->Settle();
  world_->HoldExecutor(false);
  world_->Settle();
  const auto looked = sue_.TakeReply(look), decided = tom_.TakeReply(decide);
  ASSERT_TRUE(looked && decided && decided->ok());
  EXPECT_EQ(looked->error(), "ACTION_INVALID_STATE") << looked->Json();
  EXPECT_EQ(sue_.Ask("message.list", In()).error(), "THREAD_NOT_MEMBER");
}

TEST_F(CaseAccess, looks_are_recorded_with_the_case_that_gave_access) {
  const std::string id = Report(ann_);
  ASSERT_TRUE(sue_.Ask("moderation.case", OfCase(id)).ok());
  ASSERT_TRUE(sue_.Ask("message.list", In()).ok());
  ASSERT_TRUE(sue_.Ask("message.history", On()).ok());
  const std::string audit = sue_.Ask("moderation.audit", In(",\"caseId\":\"" + id + "\"")).Json();
  EXPECT_THAT(audit, HasSubstr("look.message.list"));
  EXPECT_THAT(audit, HasSubstr("look.message.history"));
}

using Looks = ModerationScene;

TEST_F(Looks, staff_who_list_the_threads_of_a_project_are_recorded) {
  ASSERT_TRUE(sue_.Ask("thread.byProject", R"({"lbgId":"lbg_1"})").ok());
  EXPECT_THAT(tom_.Ask("moderation.audit", R"({"actor":"sue"})").Json(), HasSubstr("look.thread.byProject"));
}

}  // namespace
}  // namespace parley::gateway_test
