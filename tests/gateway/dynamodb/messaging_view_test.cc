// The table `messaging` over the whole server: a thread as rows, by its own keys and by both indexes, in
// pages of every size, and its absence for callers who may not read it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/gateway/dynamodb/messaging_view_scene.h"

namespace parley::gateway_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(MessagingView, a_thread_has_the_rows_of_the_table_declaration) {
  Furnish();
  Do(bob_, "read.mark", R"(,"messageId":")" + first_ + "\"");
  Do(bob_, "participant.mute", R"(,"muted":true)");
  const Frame page = Ask("Query", OfThread());
  const auto sorts = Texts(page, "sk");
  EXPECT_TRUE(std::is_sorted(sorts.begin(), sorts.end()));
  std::map<std::string, std::string> items;
  for (size_t i = 0; i < sorts.size(); ++i) items[sorts[i]] = page.Json("Items." + std::to_string(i));
  const Frame get = ann_.Ask("thread.get", In());
  const std::string created = get.Text("ok.thread.createdAt"), last = get.Text("ok.thread.lastMessageAt");
  const std::string pk = R"("pk":{"S":"THR#)" + thread_ + "\"}";
  EXPECT_EQ(items["THR"],
            R"({"GSI2PK":{"S":"LBG#lbg_1"},"GSI2SK":{"S":")" + created + R"("},"buyerUserId":{"S":"ann"},)" +
                R"("city":{"S":"Houston"},"createdAt":{"S":")" + created + R"("},"kind":{"S":"project"},)" +
                R"("lastMessageAt":{"S":")" + last + R"("},"lbgId":{"S":"lbg_1"},"legId":{"S":"leg_1"},)" +
                R"("participants":{"L":[{"S":"ann"},{"S":"bob"},{"S":"carol"}]},)" + pk +
                R"(,"safeModeRequired":{"BOOL":false},"sellerUserId":{"S":"bob"},"sk":{"S":"THR"},)" +
                R"("status":{"S":"open"},"updatedAt":{"S":")" + get.Text("ok.thread.updatedAt") + "\"}}");
  const int64_t left = 253'402'300'799'999 - protocol::ParseTime(last)->ms;
  EXPECT_EQ(items["PART#bob"], R"({"GSI1PK":{"S":"PARTICIPANT#bob"},"GSI1SK":{"S":")" + std::to_string(left) +
                                   "#" + last + R"("},"blockedUntil":{"NULL":true},"lastReadAt":{"S":")" +
                                   get.Text("ok.participants.1.lastReadAt") + R"("},"lastReadMsgId":{"S":")" +
                                   get.Text("ok.participants.1.lastReadMsgId") +
                                   R"("},"muted":{"BOOL":true},)" + pk +
                                   R"(,"roleContext":{"S":"seller"},"sk":{"S":"PART#bob"}})");
  EXPECT_EQ(
      items[MessageSort(first_)],
      R"({"action":{"NULL":true},"attachments":{"L":[]},"authorUserId":{"S":"ann"},"body":{"S":"one"},)"
      R"("createdAt":{"S":")" +
          MessageSort(first_).substr(4, 24) +
          R"("},"flags":{"M":{"moderation":{"S":"clean"},"policyHints":{"L":[]}}},"nsfwBand":{"N":"0"},)" +
          pk + R"(,"sk":{"S":")" + MessageSort(first_) + R"("},"type":{"S":"text"}})");
  const std::string payload =
      R"({"M":{"newEnd":{"S":"2026-01-02T12:00:00.000Z"},"newStart":{"S":"2026-01-02T10:00:00.000Z"}}})";
  EXPECT_THAT(items["CARD#" + card_],
              HasSubstr(R"("state":{"S":"PENDING"},"type":{"S":"RESCHEDULE"},"version":{"N":"1"}})"));
  EXPECT_THAT(items["CARD#" + card_], HasSubstr(R"("payload":)" + payload.substr(0, payload.size() - 2)));
  EXPECT_THAT(items[MessageSort(card_)], HasSubstr(R"("action":{"M":{"payload":{"M":)"));
  EXPECT_THAT(items["TAB#brief"], HasSubstr(R"("snapshot":{"M":{"title":{"S":"x"}}})"));
  EXPECT_THAT(items["TAB#actions"], HasSubstr(card_));
}

TEST_F(MessagingView, attachments_keep_their_format_and_omit_missing_members) {
  Furnish();
  const Frame page = Ask("Query", OfThread("begins_with(sk, :m)", Value("m", "MSG#") + R"(,":b":{"N":"1"})") +
                                      R"(,"FilterExpression":"nsfwBand = :b")");
  ASSERT_EQ(page.Size("Items"), 1u);
  EXPECT_EQ(
      page.Json("Items.0.attachments"),
      R"({"L":[{"M":{"h":{"N":"4"},"kind":{"S":"preview"},"mime":{"S":"image/png"},"s3Key":{"S":"k/1"},"w":{"N":"3"}}}]})");
}

// Compared with the sort keys as texts, for bounds equal to, beside and between them.
TEST_F(MessagingView, every_condition_on_the_sort_key_compares_as_text) {
  Furnish();
  const auto all = Sorts(OfThread());
  ASSERT_EQ(all.size(), 11u);  // a card, four messages, three participants, two tabs, the thread
  std::vector<std::string> bounds = {"A",     "CARD#", "MSG",    "MSG#",      "MSG#2025-11", "MSG#2",
                                     "MSG#9", "MSG#~", "PART#b", "PART#bob ", "PART#~",      "TAB#b",
                                     "TAB#~", "THR",   "THR#",   "~"};
  for (const std::string& sort : all) {
    bounds.push_back(sort);
    bounds.push_back(sort.substr(0, sort.size() - 1));
    bounds.push_back(sort.substr(0, sort.size() - 3) + "~");
    bounds.push_back(sort + "0");
    bounds.push_back(sort.substr(0, sort.size() / 2));
  }
  const auto expect = [&](const std::string& condition, const std::string& values, auto holds) {
    std::vector<std::string> wanted;
    std::copy_if(all.begin(), all.end(), std::back_inserter(wanted), holds);
    EXPECT_EQ(Sorts(OfThread(condition, values)), wanted) << condition << values;
    std::reverse(wanted.begin(), wanted.end());
    EXPECT_EQ(Sorts(OfThread(condition, values) + R"(,"ScanIndexForward":false)"), wanted)
        << condition << values;
  };
  for (size_t i = 0; i < bounds.size(); ++i) {
    const std::string& b = bounds[i];
    const std::string value = Value("b", b);
    expect("sk = :b", value, [&](const auto& sort) { return sort == b; });
    expect("sk < :b", value, [&](const auto& sort) { return sort < b; });
    expect("sk <= :b", value, [&](const auto& sort) { return sort <= b; });
    expect("sk > :b", value, [&](const auto& sort) { return sort > b; });
    expect("sk >= :b", value, [&](const auto& sort) { return sort >= b; });
    expect("begins_with(sk, :b)", value, [&](const auto& sort) { return sort.starts_with(b); });
    const std::string& c = bounds[(i * 7 + 3) % bounds.size()];
    if (b <= c)
      expect("sk BETWEEN :b AND :c", value + Value("c", c),
             [&](const auto& sort) { return b <= sort && sort <= c; });
  }
}

TEST_F(MessagingView, pages_of_every_size_neither_skip_nor_repeat) {
  Furnish();
  for (const char* user : {"aaron", "bill", "zoe"}) {  // their rows exist but are not shown
    Do(ann_, "participant.add", R"(,"userId":")" + std::string(user) + "\"");
    Do(ann_, "participant.remove", R"(,"userId":")" + std::string(user) + "\"");
  }
  for (int i = 0; i < 4; ++i) Project("P" + std::to_string(i), R"(,"lbgId":"lbg_1")");
  for (const std::string& query : {OfThread(), OfInbox("ann"), OfProject("LBG#lbg_1"),
                                   OfThread("begins_with(sk, :m)", Value("m", "MSG#"))}) {
    for (const std::string& direction : {std::string(), std::string(R"(,"ScanIndexForward":false)")}) {
      const auto whole = Paged(query + direction, 100);
      EXPECT_EQ(std::set(whole.begin(), whole.end()).size(), whole.size());
      EXPECT_GE(whole.size(), 4u);
      for (size_t limit = 1; limit <= whole.size() + 1; ++limit)
        EXPECT_EQ(Paged(query + direction, limit), whole) << query << direction << " by " << limit;
    }
    auto forward = Paged(query, 100), backward = Paged(query + R"(,"ScanIndexForward":false)", 100);
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(forward, backward);
  }
}

TEST_F(MessagingView, an_inbox_lists_the_newest_first_across_folders) {
  for (const char* name : {"A", "B", "C", "D"}) thread_ = Project(name);
  for (const auto& [id, name] : names_) {
    thread_ = id;
    if (name == "A") Do(ann_, "inbox.set", R"(,"archived":true)");
    if (name == "B") Do(ann_, "inbox.set", R"(,"label":"x","pinned":true)");
    if (name == "C") Do(bob_, "message.send", R"(,"type":"text","clientId":"m","body":"up")");
  }
  EXPECT_THAT(Threads(OfInbox("ann")), ElementsAre("C", "D", "B", "A"));
  EXPECT_THAT(Threads(OfInbox("ann") + R"(,"ScanIndexForward":false)"), ElementsAre("A", "B", "D", "C"));
  const Frame page = Ask("Query", OfInbox("ann"));
  const auto sorts = Texts(page, "GSI1SK");
  EXPECT_TRUE(std::is_sorted(sorts.begin(), sorts.end()));
  EXPECT_THAT(Texts(page, "sk"), ElementsAre("PART#ann", "PART#ann", "PART#ann", "PART#ann"));
  const std::string from =
      "\"IndexName\":\"GSI1\"," + Of("GSI1PK", "PARTICIPANT#ann", "GSI1SK > :s", Value("s", sorts[1]));
  EXPECT_THAT(Threads(from), ElementsAre("B", "A"));
  const Frame get = Ask("GetItem", KeyMember("PART#ann"));
  EXPECT_THAT(sorts, testing::Contains(get.Text("Item.GSI1SK.S"))) << "the row and its entry agree";
}

TEST_F(MessagingView, a_removed_member_is_absent_from_the_thread_and_its_inbox) {
  Furnish();
  EXPECT_THAT(Threads(OfInbox("carol")), ElementsAre("T"));
  Do(ann_, "participant.remove", R"(,"userId":"carol")");
  EXPECT_THAT(Threads(OfInbox("carol")), IsEmpty());
  EXPECT_THAT(Sorts(OfThread("begins_with(sk, :p)", Value("p", "PART#"))),
              ElementsAre("PART#ann", "PART#bob"));
  EXPECT_EQ(Ask("GetItem", KeyMember("PART#carol")).Json(), "{}");
}

TEST_F(MessagingView, threads_of_a_project_are_found_by_lbg_and_by_leg) {
  Project("A", R"(,"lbgId":"lbg_1")");
  Project("B", R"(,"legId":"leg_1")");
  Project("C", R"(,"lbgId":"lbg_1","legId":"leg_1")");
  EXPECT_THAT(Threads(OfProject("LBG#lbg_1")), ElementsAre("A", "C"));
  EXPECT_THAT(Threads(OfProject("LEG#leg_1")), ElementsAre("B", "C"));
  EXPECT_THAT(Threads(OfProject("LEG#leg_1") + R"(,"ScanIndexForward":false)"), ElementsAre("C", "B"));
  EXPECT_THAT(Texts(Ask("Query", OfProject("LEG#leg_1")), "GSI2PK"), ElementsAre("LEG#leg_1", "LEG#leg_1"));
  const auto made = Texts(Ask("Query", OfProject("LBG#lbg_1")), "GSI2SK");
  const std::string later =
      "\"IndexName\":\"GSI2\"," + Of("GSI2PK", "LBG#lbg_1", "GSI2SK > :s", Value("s", made[0]));
  EXPECT_THAT(Threads(later), ElementsAre("C"));
  for (const char* none : {"LBG#", "LBG#lbg_2", "lbg_1", "LEG#leg 1"})
    EXPECT_THAT(Threads(OfProject(none)), IsEmpty());
}

TEST_F(MessagingView, is_empty_for_another_tenant) {
  Furnish();
  ASSERT_THAT(Sorts(OfThread()), Not(IsEmpty()));
  own_ = KeyOf("acme");
  for (const std::string& query :
       {OfThread(), OfInbox("ann"), OfProject("LBG#lbg_1"), OfProject("LEG#leg_1")})
    EXPECT_EQ(Ask("Query", query).Json(), R"({"Items":[],"Count":0,"ScannedCount":0})");
  for (const std::string& sort :
       {std::string("THR"), std::string("PART#ann"), MessageSort(first_), "CARD#" + card_})
    EXPECT_EQ(Ask("GetItem", KeyMember(sort)).Json(), "{}");
}

TEST_F(MessagingView, shows_the_view_of_a_service_without_deleted_bodies_and_with_reports) {
  Furnish();
  Do(ann_, "message.delete", R"(,"messageId":")" + first_ + "\"");
  EXPECT_EQ(Ask("GetItem", KeyMember(MessageSort(first_))).Text("Item.body.S"), "");
  const std::string report = CardOf(bob_, "SAFETY", R"({"reason":"he-followed-me","severity":"high"})");
  EXPECT_EQ(Ask("GetItem", KeyMember("CARD#" + report)).Text("Item.type.S"), "SAFETY");
  EXPECT_THAT(Sorts(OfThread()), testing::Contains(MessageSort(report)));
  EXPECT_THAT(ann_.Ask("card.list", In()).Json(), Not(HasSubstr("SAFETY")));
  world_->HoldExecutor(true);  // so the expiry is not written
  world_->Advance(kCardMs);
  EXPECT_EQ(Ask("GetItem", KeyMember("CARD#" + card_)).Text("Item.state.S"), "EXPIRED");
}

TEST_F(MessagingView, single_rows_are_read_by_their_exact_keys) {
  Furnish();
  const auto all = Sorts(OfThread());
  std::string keys, gets;
  for (const std::string& sort : all) {
    EXPECT_EQ(Ask("GetItem", KeyMember(sort)).Text("Item.sk.S"), sort);
    keys += (keys.empty() ? "" : ",") + KeyOfRow(sort);
    gets += (gets.empty() ? "" : ",") + (R"({"Get":{"TableName":"messaging",)" + KeyMember(sort) + "}}");
  }
  const Frame batch(protocol::Encoding::kJson,
                    Call("BatchGetItem", R"({"RequestItems":{"messaging":{"Keys":[)" + keys + "]}}}").body);
  const Frame transaction(protocol::Encoding::kJson,
                          Call("TransactGetItems", R"({"TransactItems":[)" + gets + "]}").body);
  ASSERT_EQ(batch.Size("Responses.messaging"), all.size());
  ASSERT_EQ(transaction.Size("Responses"), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(batch.Text("Responses.messaging." + std::to_string(i) + ".sk.S"), all[i]);
    EXPECT_EQ(transaction.Text("Responses." + std::to_string(i) + ".Item.sk.S"), all[i]);
  }
  std::string earlier = MessageSort(first_);
  earlier[7] = '0';
  for (const std::string& none :
       {earlier, "MSG#" + first_, "CARD#" + first_, std::string("PART#dan"), std::string("TAB#docs"),
        std::string("TAB#x"), std::string("THR#"), std::string("LOG#1")})
    EXPECT_EQ(Ask("GetItem", KeyMember(none)).Json(), "{}") << none;
}

TEST_F(MessagingView, filters_projections_counts_and_costs_work_as_in_any_table) {
  Furnish();
  const std::string texts = OfThread("begins_with(sk, :m)", Value("m", "MSG#") + Value("a", "bob"));
  const std::string by_bob = texts + R"(,"FilterExpression":"authorUserId = :a")";
  const Frame page =
      Ask("Query", by_bob + R"(,"ProjectionExpression":"body","ReturnConsumedCapacity":"TOTAL")");
  EXPECT_EQ(page.Json("Items"), R"([{"body":{"S":"two"}}])");
  const int64_t looked_at = page.Int("ScannedCount");
  EXPECT_GE(looked_at, 4);
  EXPECT_TRUE(page.Has("ConsumedCapacity.CapacityUnits"));
  const Frame count = Ask("Query", by_bob + R"(,"Select":"COUNT")");
  EXPECT_EQ(count.Json(), R"({"Count":1,"ScannedCount":)" + std::to_string(looked_at) + "}");
  const Frame index = Ask("Query", OfInbox("ann") + R"(,"ReturnConsumedCapacity":"INDEXES")");
  EXPECT_TRUE(index.Has("ConsumedCapacity.GlobalSecondaryIndexes.GSI1"));
}

TEST_F(MessagingView, cannot_be_scanned_or_written) {
  Furnish();
  EXPECT_THAT(Refusal("Scan", R"("Limit":1)"), HasSubstr("is a view and cannot be scanned: Query it by pk"));
  EXPECT_THAT(Refusal("Scan", R"("IndexName":"GSI1")"), HasSubstr("ValidationException"));
  EXPECT_THAT(Refusal("PutItem", R"("Item":)" + KeyOfRow("THR")), HasSubstr("AccessDeniedException"));
  EXPECT_THAT(Refusal("DeleteItem", KeyMember("THR")), HasSubstr("AccessDeniedException"));
}

TEST_F(MessagingView, continues_only_after_a_key_of_the_same_query) {
  Furnish();
  const auto from = [&](const std::string& query, const std::string& start) {
    return Refusal("Query", query + ",\"ExclusiveStartKey\":" + start);
  };
  const std::string own = KeyOfRow("THR").substr(0, KeyOfRow("THR").size() - 1);
  EXPECT_THAT(from(OfThread(), R"({"pk":{"S":"THR#x"},"sk":{"S":"THR"}})"), HasSubstr("ValidationException"));
  EXPECT_THAT(from(Of("pk", "THR#other"), KeyOfRow("THR")), HasSubstr("ValidationException"));
  EXPECT_THAT(from(OfInbox("ann"), KeyOfRow("PART#ann")), HasSubstr("ValidationException"));
  for (const char* place : {"x", "000#2025-11-05T14:12:07.123Z", "251639948872876", ""})
    EXPECT_THAT(from(OfInbox("ann"),
                     own + R"(,"GSI1PK":{"S":"PARTICIPANT#ann"},"GSI1SK":)" + Args({{"S", place}}) + "}"),
                HasSubstr("ValidationException"))
        << place;
  EXPECT_THAT(
      from(
          OfInbox("ann"),
          own +
              R"(,"GSI1PK":{"S":"PARTICIPANT#bob"},"GSI1SK":{"S":"251639948872876#2025-11-05T14:12:07.123Z"}})"),
      HasSubstr("outside query boundaries"));
}

// A query waits until the index contains all acknowledged writes, or it is refused.
TEST_F(MessagingView, an_index_query_never_misses_an_acknowledged_write) {
  Furnish();
  world_->HoldWorker(true);
  ASSERT_TRUE(
      ann_.Ask(
              "thread.create",
              R"({"kind":"project","buyerUserId":"ann","sellerUserId":"bob","lbgId":"lbg_1","clientId":"late"})")
          .ok());
  for (const std::string& query : {OfInbox("ann"), OfProject("LBG#lbg_1")}) {
    const std::string body = R"({"TableName":"messaging",)" + query + "}";
    accounts::Signed request{"", "POST", "/", {{"X-Amz-Target", "DynamoDB_20120810.Query"}}, body};
    accounts::SignNow(&request, world_.clock().Now().ms / 1000, own_.id, own_.secret);
    const auto answer =
        world_->transport().Http({request.method, request.target, body, "192.0.2.7", request.headers});
    world_->Settle();
    EXPECT_FALSE(answer->has_value()) << "it waits";
    world_->Advance(gateway::Config().inbox_wait_ms);
    ASSERT_TRUE(answer->has_value());
    EXPECT_EQ((*answer)->status, 503) << (*answer)->body;
  }
  EXPECT_THAT(Sorts(OfThread()), Not(IsEmpty())) << "the table itself waits for nothing";
  world_->HoldWorker(false);
  world_->Settle();
  EXPECT_EQ(Threads(OfInbox("ann")).size(), 2u);
  EXPECT_EQ(Threads(OfProject("LBG#lbg_1")).size(), 2u);
}

}  // namespace
}  // namespace parley::gateway_test
