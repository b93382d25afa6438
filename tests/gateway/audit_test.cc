// moderation.audit on the wire: every filter, paging, and permission to read.
#include <gmock/gmock.h>

#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "tests/gateway/fake_server_support.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class Audit : public testing::Test {
 protected:
  explicit Audit(gateway::Config config = DemoConfig())
      : world_(std::move(config)), ann_(world_->Join("ann")), bob_(world_->Join("bob")) {}

  FakeClient Staff(const std::string& who, const std::string& role = "moderator") {
    FakeClient staff = world_->Connect();
    staff.Hello(world_->Token(who, role));
    return staff;
  }
  std::string Inquiry(const std::string& role = "model") {
    return ann_
        .Ask("thread.create",
             R"({"kind":"inquiry","buyerUserId":"ann","sellerUserId":"bob","role":)" + Quoted(role) + "}")
        .Text("ok.thread.threadId");
  }
  std::string In(const std::string& thread, const std::string& more = "") {
    return "{\"threadId\":" + Quoted(thread) + more + "}";
  }
  void SetStatus(FakeClient& staff, const std::string& thread, const std::string& status,
                 const std::string& reason) {
    const Frame done = staff.Ask(
        "thread.setStatus", In(thread, R"(,"status":)" + Quoted(status) + R"(,"reason":)" + Quoted(reason)));
    EXPECT_TRUE(done.ok()) << done.Json();
    world_->Advance(1000);
  }
  static std::vector<std::string> Actions(const Frame& page) {
    std::vector<std::string> out;
    for (size_t i = 0; i < page.Size("ok.entries"); ++i)
      out.push_back(page.Text("ok.entries." + std::to_string(i) + ".action"));
    return out;
  }
  static std::vector<std::string> Reasons(const Frame& page) {
    std::vector<std::string> out;
    for (size_t i = 0; i < page.Size("ok.entries"); ++i) {
      const std::string reason = page.Text("ok.entries." + std::to_string(i) + ".reason");
      if (!reason.empty()) out.push_back(reason);
    }
    return out;
  }
  std::vector<std::string> ReasonsBy(FakeClient& staff, const std::string& filter) {
    return Reasons(staff.Ask("moderation.audit", "{" + filter + "}"));
  }

  World world_;
  FakeClient ann_, bob_;
};

TEST_F(Audit, acts_in_all_threads_are_one_chain_newest_first) {
  const std::string one = Inquiry("model"), other = Inquiry("stylist");
  FakeClient mod = Staff("mod");
  SetStatus(mod, one, "locked", "first");
  SetStatus(mod, other, "locked", "second");
  const Frame page = mod.Ask("moderation.audit");
  EXPECT_THAT(Actions(page), ElementsAre("look.moderation.audit", "thread.setStatus", "thread.setStatus"));
  EXPECT_THAT(Reasons(page), ElementsAre("second", "first"));
  EXPECT_EQ(page.Text("ok.entries.1.threadId"), other);
  EXPECT_EQ(page.Text("ok.entries.1.actor"), "mod");
  EXPECT_EQ(page.Text("ok.entries.1.actorRole"), "moderator");
  EXPECT_EQ(page.Json("ok.entries.1.before"), R"({"status":"open"})");
  EXPECT_EQ(page.Json("ok.entries.1.after"), R"({"status":"locked"})");
  EXPECT_EQ(page.Text("ok.entries.1.prevHash"), page.Text("ok.entries.2.hash"));
  EXPECT_EQ(page.Text("ok.entries.0.prevHash"), page.Text("ok.entries.1.hash"));
  EXPECT_EQ(page.Json("ok.cursor"), "null");
}

// Any reader can check an entry: remove both hashes and hash the rest.
TEST_F(Audit, readers_can_check_the_hash_of_an_entry) {
  FakeClient mod = Staff("mod");
  SetStatus(mod, Inquiry(), "locked", "a \\\"word\\\"");
  const Frame page = mod.Ask("moderation.audit");
  ASSERT_EQ(page.Size("ok.entries"), 2u);
  for (const std::string at : {"ok.entries.0", "ok.entries.1"}) {
    std::string json = page.Json(at);
    for (const std::string name : {"prevHash", "hash"}) {
      const std::string member = R"(,")" + name + R"(":")" + page.Text(at + "." + name) + "\"";
      const size_t found = json.find(member);
      ASSERT_NE(found, std::string::npos) << json;
      json.erase(found, member.size());
    }
    EXPECT_EQ(page.Text(at + ".hash"), protocol::Hex(protocol::Sha256(page.Text(at + ".prevHash") + json)));
  }
}

TEST_F(Audit, is_filtered_by_thread_actor_user_and_time) {
  const std::string one = Inquiry("model"), other = Inquiry("stylist");
  FakeClient mod = Staff("mod"), sue = Staff("sue", "support");
  const std::string message =
      bob_.Ask("message.send", In(one, R"(,"type":"text","clientId":"c","body":"hi")")).Text("ok.messageId");
  SetStatus(mod, one, "locked", "m1");
  const std::string between = protocol::FormatTime(world_.clock().Now());
  SetStatus(sue, other, "locked", "s1");
  EXPECT_TRUE(
      sue.Ask("message.delete", In(one, R"(,"messageId":)" + Quoted(message) + R"(,"reason":"s2")")).ok());
  world_->Advance(1000);

  EXPECT_THAT(ReasonsBy(mod, R"("threadId":)" + Quoted(one)), ElementsAre("s2", "m1"));
  EXPECT_THAT(ReasonsBy(mod, R"("threadId":)" + Quoted(other)), ElementsAre("s1"));
  EXPECT_THAT(ReasonsBy(mod, R"("actor":"sue")"), ElementsAre("s2", "s1"));
  EXPECT_THAT(ReasonsBy(mod, R"("actor":"sue","threadId":)" + Quoted(one)), ElementsAre("s2"));
  EXPECT_THAT(ReasonsBy(mod, R"("userId":"bob")"), ElementsAre("s2"));
  EXPECT_THAT(ReasonsBy(mod, R"("userId":"ann")"), IsEmpty());
  EXPECT_THAT(ReasonsBy(mod, R"("caseId":"case_x")"), IsEmpty());
  EXPECT_THAT(ReasonsBy(mod, R"("from":)" + Quoted(between)), ElementsAre("s2", "s1"));
  EXPECT_THAT(ReasonsBy(mod, R"("to":)" + Quoted(between)), ElementsAre("m1"));
  EXPECT_THAT(ReasonsBy(mod, R"("actor":"sue","to":)" + Quoted(between)), IsEmpty());
}

TEST_F(Audit, pages_have_no_gap_and_no_repeat_while_acts_are_added) {
  const std::string thread = Inquiry();
  FakeClient mod = Staff("mod");
  std::vector<std::string> expected;
  for (int n = 0; n < 7; ++n) {
    SetStatus(mod, thread, n % 2 == 0 ? "locked" : "open", "r" + std::to_string(n));
    expected.insert(expected.begin(), "r" + std::to_string(n));
  }
  std::vector<std::string> reported;
  std::string cursor;
  int pages = 0;
  do {
    const Frame page = mod.Ask("moderation.audit", R"({"limit":2)" + cursor + "}");
    ASSERT_LE(page.Size("ok.entries"), 2u);
    for (const std::string& reason : Reasons(page)) reported.push_back(reason);
    cursor = page.Json("ok.cursor") == "null" ? "" : R"(,"cursor":)" + Quoted(page.Text("ok.cursor"));
    if (++pages == 2) SetStatus(mod, thread, "open", "later");
    ASSERT_LE(pages, 10);
  } while (!cursor.empty());
  EXPECT_EQ(reported, expected);
}

TEST_F(Audit, a_query_is_recorded_as_one_look_for_all_its_pages) {
  const std::string thread = Inquiry();
  FakeClient mod = Staff("mod"), sue = Staff("sue", "support");
  for (int n = 0; n < 3; ++n) SetStatus(mod, thread, n % 2 == 0 ? "locked" : "open", "r");
  std::string cursor;
  do {
    const Frame page =
        sue.Ask("moderation.audit", R"({"userId":"nobody","actor":"mod","limit":1)" + cursor + "}");
    cursor = page.Json("ok.cursor") == "null" ? "" : R"(,"cursor":)" + Quoted(page.Text("ok.cursor"));
  } while (!cursor.empty());
  const Frame looks = mod.Ask("moderation.audit", R"({"actor":"sue"})");
  ASSERT_EQ(looks.Size("ok.entries"), 1u) << looks.Json();
  EXPECT_EQ(looks.Text("ok.entries.0.action"), "look.moderation.audit");
  EXPECT_EQ(looks.Text("ok.entries.0.userId"), "nobody");
  EXPECT_EQ(looks.Json("ok.entries.0.after"), R"({"actor":"mod"})");
}

// Looks of staff who are members are recorded, too: the audit contains more than members may see.
TEST_F(Audit, a_look_at_one_thread_is_recorded_there_even_for_a_member) {
  const std::string thread = Inquiry();
  FakeClient bob = Staff("bob");
  EXPECT_THAT(Actions(bob.Ask("moderation.audit", In(thread))), ElementsAre("look.moderation.audit"));
}

TEST_F(Audit, waits_until_acknowledged_acts_are_chained) {
  const std::string thread = Inquiry();
  FakeClient mod = Staff("mod");
  world_->HoldWorker(true);
  SetStatus(mod, thread, "locked", "r");
  const uint32_t asked = mod.Send("moderation.audit");
  world_->Settle();
  EXPECT_FALSE(mod.TakeReply(asked));
  world_->HoldWorker(false);
  world_->Settle();
  const auto reply = mod.TakeReply(asked);
  ASSERT_TRUE(reply);
  EXPECT_THAT(Reasons(*reply), ElementsAre("r"));
}

TEST_F(Audit, is_only_for_staff_and_the_tenants_back_end) {
  const std::string thread = Inquiry();
  for (const std::string& args : {std::string("{}"), In(thread)}) {
    EXPECT_EQ(ann_.Ask("moderation.audit", args).error(), "FORBIDDEN");
    const auto served = world_->Http("POST", "/v1/ops/moderation.audit", args,
                                     {{"Authorization", "Bearer " + world_->service_key()}});
    EXPECT_EQ(served.status, 200) << served.body;
  }
}

TEST_F(Audit, malformed_queries_are_refused) {
  FakeClient mod = Staff("mod");
  const auto code = [&](const std::string& args) { return mod.Ask("moderation.audit", args).error(); };
  EXPECT_EQ(code(R"({"cursor":"x"})"), "BAD_REQUEST");
  EXPECT_EQ(code(R"({"from":"2030-01-01T00:00:00.000Z","to":"2029-01-01T00:00:00.000Z"})"), "BAD_REQUEST");
  EXPECT_EQ(code(R"({"limit":0})"), "BAD_REQUEST");
  EXPECT_EQ(code(R"({"threadId":"thrd_01h00000000000000000000000"})"), "THREAD_NOT_MEMBER");
  const std::string thread = Inquiry();
  for (int n = 0; n < 3; ++n) SetStatus(mod, thread, n % 2 == 0 ? "locked" : "open", "r");
  const Frame page = mod.Ask("moderation.audit", R"({"limit":1})");
  const std::string cursor = R"("cursor":)" + Quoted(page.Text("ok.cursor"));
  EXPECT_EQ(code("{" + cursor + R"(,"actor":"mod"})"), "BAD_REQUEST") << "a cursor of another query";
  EXPECT_EQ(Staff("sue").Ask("moderation.audit", "{" + cursor + "}").error(), "BAD_REQUEST");
}

class CaseBoundAudit : public Audit {
 protected:
  CaseBoundAudit() : Audit(ByCase()) {}
};

TEST_F(CaseBoundAudit, staff_bound_to_cases_see_entries_of_the_threads_they_may_see) {
  const auto made = world_->Http(
      "POST", "/v1/ops/thread.create",
      R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob","lbgId":"lbg_1","clientId":"b1"})",
      {{"Authorization", "Bearer " + world_->service_key()}});
  const std::string thread = Frame(protocol::Encoding::kJson, made.body).Text("thread.threadId");
  FakeClient sue = Staff("sue", "support");
  EXPECT_EQ(sue.Ask("moderation.audit").error(), "FORBIDDEN");
  EXPECT_EQ(sue.Ask("moderation.audit", R"({"actor":"sue"})").error(), "FORBIDDEN");
  EXPECT_EQ(sue.Ask("moderation.audit", In(thread)).error(), "THREAD_NOT_MEMBER");
  EXPECT_TRUE(bob_.Ask("card.create", In(thread, R"(,"clientId":"s","type":"SAFETY","payload":)"
                                                 R"({"reason":"r","severity":"low"})"))
                  .ok());
  EXPECT_THAT(Actions(sue.Ask("moderation.audit", In(thread))),
              UnorderedElementsAre("look.moderation.audit", "case.open"));
}

// The chain is on disk: after a restart the same entries have the same hashes.
TEST_F(Audit, the_chain_continues_after_a_restart) {
  const std::string thread = Inquiry();
  FakeClient mod = Staff("mod");
  SetStatus(mod, thread, "locked", "before");
  const std::string hash = mod.Ask("moderation.audit", R"({"limit":1})").Text("ok.entries.0.hash");
  world_.Restart();
  FakeClient again = Staff("mod");
  const Frame page = again.Ask("moderation.audit");
  EXPECT_EQ(page.Text("ok.entries.0.prevHash"), hash);
  EXPECT_THAT(Reasons(page), ElementsAre("before"));
}

}  // namespace
}  // namespace parley::gateway_test
