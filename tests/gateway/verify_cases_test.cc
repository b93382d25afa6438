// Faults that verify reports in cases and redacted items.
#include "gateway/app/node.h"
#include "storage/declarations/load.h"
#include "storage/engine/item_keys.h"
#include "storage/items/item_codec.h"
#include "tests/gateway/moderation_scene.h"
#include "threads/model/message_row.h"
#include "threads/model/row_reader.h"

namespace parley::gateway_test {
namespace {

using protocol::TenantId;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class VerifyCases : public ModerationScene {
 protected:
  std::vector<std::string> Verify() { return world_.Verify(); }
  // Changes a text in the item with this sk.
  void Plant(const std::string& sk, const std::string& attribute, const std::string& from,
             const std::string& to) {
    const auto& seeds = storage::SeedTables();
    const auto def = std::find_if(seeds.begin(), seeds.end(),
                                  [](const auto& one) { return one->name == "moderation-cases"; });
    const auto partition = storage::TablePartition(TenantId{"demo"}, **def);
    std::optional<std::pair<storage::SortKey, storage::Item>> found;
    ASSERT_TRUE(world_.table()
                    .NewSnapshot()
                    ->ScanAll(storage::TableTag::kItems,
                              [&](const storage::PartitionKey& at, const storage::SortKey& sort,
                                  storage::RowView row) {
                                storage::Item item;
                                if (at == partition &&
                                    sort.bytes().front() == static_cast<char>(storage::ItemTag::kItem) &&
                                    storage::DecodeItem(row.payload, &item) && *item.Find("sk")->text() == sk)
                                  found.emplace(sort, std::move(item));
                                return true;
                              })
                    .ok());
    ASSERT_TRUE(found) << sk;
    std::string text = *found->second.Find(attribute)->text();
    ASSERT_NE(text.find(from), std::string::npos) << text;
    text.replace(text.find(from), from.size(), to);
    found->second.Set(attribute, text);
    world_.Plant(partition, found->first, storage::EncodeItem(found->second));
  }
  threads::MessageRow MessageOf() {
    return **threads::RowReader(world_.table(), TenantId{"demo"})
                 .Message(*protocol::ThreadId::FromText(thread_), *protocol::MessageId::FromText(message_));
  }
  void PlantMessage(const threads::MessageRow& row) {
    world_.Plant(threads::ThreadPartition(TenantId{"demo"}, *protocol::ThreadId::FromText(thread_)),
                 threads::MessageKey(row.item.message_id), threads::EncodeItem(row));
  }
};

TEST_F(VerifyCases, accepts_the_servers_own_rows) {
  const std::string first = ReportGrave(ann_);
  EXPECT_THAT(Verify(), IsEmpty());
  Decide(sue_, first, R"("decision":"approve","actions":[{"action":"redact"}])");
  EXPECT_THAT(Verify(), IsEmpty());
  Decide(tom_, first, R"("decision":"approve")");
  EXPECT_EQ(Shown(ann_), "[redacted] / redacted");
  ann_.Ask("user.report", R"({"userId":"bob","reason":"spam"})");
  EXPECT_THAT(Verify(), IsEmpty());
}

TEST_F(VerifyCases, accepts_items_withheld_and_deleted_in_either_order) {
  sue_.Ask("moderation.message", On(R"(,"moderation":"blocked","reason":"r")"));
  EXPECT_TRUE(bob_.Ask("message.delete", On()).ok());
  EXPECT_THAT(Verify(), IsEmpty());
  EXPECT_THAT(tom_.Ask("message.history", On()).Json(), HasSubstr("call me on"))
      << "who deletes what was withheld does not delete what they are judged by";
  EXPECT_THAT(ann_.Ask("thread.open", In(R"(,"afterSeq":0)")).Json(), testing::Not(HasSubstr("call me on")));
  message_ = world_.Say(bob_, thread_, "one more").Text("ok.messageId");
  bob_.Ask("message.delete", On());
  EXPECT_TRUE(sue_.Ask("moderation.message", On(R"(,"moderation":"blocked","reason":"r")")).ok());
  EXPECT_THAT(Verify(), IsEmpty());
  EXPECT_TRUE(sue_.Ask("moderation.message", On(R"(,"moderation":"redacted","reason":"r")")).ok());
  EXPECT_THAT(Verify(), IsEmpty());
  EXPECT_THAT(tom_.Ask("message.history", On()).Json(), testing::Not(HasSubstr("one more")));
}

TEST_F(VerifyCases, finds_a_case_missing_from_the_audit) {
  const std::string id = Report(ann_);
  ASSERT_THAT(Verify(), IsEmpty());
  Plant("case", "details", "\"auditId\":\"aud_", "\"auditId\":\"aud_0");
  EXPECT_THAT(Verify(), Contains(HasSubstr("cases/" + id + ": its entry is not in the audit")));
}

TEST_F(VerifyCases, finds_a_decision_by_the_reporter) {
  const std::string id = ReportGrave(ann_);
  Decide(sue_, id, R"("decision":"approve")");
  ASSERT_THAT(Verify(), IsEmpty());
  Plant("case", "details", "\"actorId\":\"sue\"", "\"actorId\":\"ann\"");
  EXPECT_THAT(Verify(), Contains(HasSubstr("ann approved a decision on their own report")));
}

TEST_F(VerifyCases, finds_wrong_counts) {
  Report(ann_);
  Plant("stats", "counts", "\"pending\":1", "\"pending\":2");
  EXPECT_THAT(Verify(), Contains(HasSubstr("counts 2 pending cases instead of 1")));
}

TEST_F(VerifyCases, finds_a_case_whose_list_row_differs) {
  Report(ann_);
  Plant("case", "details", "\"status\":\"pending\"", "\"status\":\"rejected\"");
  const auto said = Verify();
  EXPECT_THAT(said, Contains(HasSubstr("is listed under another status")));
  EXPECT_THAT(said, Contains(HasSubstr("has a wrong openSubject")));
  EXPECT_THAT(said, Contains(HasSubstr("ended without a resolution")));
}

TEST_F(VerifyCases, finds_a_missing_report) {
  Report(ann_);
  Plant("case", "details", "\"reportCount\":1", "\"reportCount\":2");
  EXPECT_THAT(Verify(), Contains(HasSubstr("does not have the 2 reports that it counts")));
}

TEST_F(VerifyCases, finds_a_case_with_one_approval_instead_of_two) {
  const std::string id = ReportGrave(ann_);
  Decide(sue_, id, R"("decision":"approve")");
  Decide(tom_, id, R"("decision":"approve")");
  Plant("case", "details", "\"actorId\":\"tom\"", "\"actorId\":\"sue\"");
  const auto said = Verify();
  EXPECT_THAT(said, Contains(HasSubstr("one user approved twice")));
  EXPECT_THAT(said, Contains(HasSubstr("needs two approvers to be resolved, but has fewer")));
}

TEST_F(VerifyCases, finds_remaining_redacted_text) {
  const threads::MessageRow said = MessageOf();
  bob_.Ask("message.edit", On(R"(,"body":"changed")"));
  sue_.Ask("moderation.message", On(R"(,"moderation":"redacted","reason":"r")"));
  ASSERT_THAT(Verify(), IsEmpty());
  threads::MessageRow row = MessageOf();
  row.item.body = said.item.body;
  PlantMessage(row);
  EXPECT_THAT(Verify(), Contains(HasSubstr("is redacted, but still has content")));
  row = MessageOf();
  row.item.body = "[redacted]";
  PlantMessage(row);
  world_.Plant(threads::ThreadPartition(TenantId{"demo"}, *protocol::ThreadId::FromText(thread_)),
               threads::HistoryKey(row.item.message_id, row.item.seq),
               protocol::Encode(threads::HistoryRow{said.item, {}, {}, row.item.created_at}));
  EXPECT_THAT(Verify(), Contains(HasSubstr("HIST# still has its content")));
}

TEST_F(VerifyCases, finds_a_flag_visible_to_all_members) {
  threads::MessageRow row = MessageOf();
  row.item.flags.moderation = protocol::Moderation::kFlagged;
  PlantMessage(row);
  EXPECT_THAT(Verify(), Contains(HasSubstr("shows all members that it is flagged")));
}

}  // namespace
}  // namespace parley::gateway_test
