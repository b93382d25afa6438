// Requests to tables are bounded: the I/O loop does not work for them, and the bytes of their answers are
// counted.
#include <gmock/gmock.h>

#include "gateway/app/node.h"
#include "tests/gateway/dynamodb/table_api.h"

namespace parley::gateway_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class TableBudget : public testing::Test {
 protected:
  // Puts items whose attribute `a` repeats `letter`, which may be an escape sequence, `bytes` times.
  void PutLarge(int count, size_t bytes, const std::string& letter = "x") {
    std::string text;
    for (size_t i = 0; i < bytes; ++i) text += letter;
    for (int i = 0; i < count; ++i)
      ASSERT_EQ(api_.Put("tab", "{'pk':{'S':'" + std::to_string(i) + "'},'a':{'S':'" + text + "'}}"), "{}");
  }
  std::string Keys(int count) {
    std::string keys;
    for (int i = 0; i < count; ++i)
      keys += (i == 0 ? "" : ",") + ("{'pk':{'S':'" + std::to_string(i) + "'}}");
    return keys;
  }
  std::string Many(int count) {
    std::string text = "contains(a,:v)";
    for (int i = 1; i < count; ++i) text += " OR contains(a,:v)";
    return text;
  }
  size_t held() { return api_.server().node().readers()->held(); }

  TableApi api_;
};

TEST_F(TableBudget, programs_and_pages_wait_for_a_reader_thread_while_the_loop_continues) {
  api_.Create("tab");
  PutLarge(2, 1'000);
  FakeClient ana = api_.server().Join("ana");
  const std::string filter =
      "'FilterExpression':'" + Many(227) + "','ExpressionAttributeValues':{':v':{'S':'y'}}";
  const std::vector<std::pair<const char*, std::string>> asks = {
      {"Scan", "{'TableName':'tab'," + filter + "}"},
      {"Scan", "{'TableName':'tab'}"},
      {"Query",
       "{'TableName':'tab','KeyConditionExpression':'pk = :p','ExpressionAttributeValues':{':p':{'S':'1'}}}"},
      {"GetItem", "{'TableName':'tab','Key':{'pk':{'S':'1'}},'ProjectionExpression':'pk'}"},
      {"BatchGetItem", "{'RequestItems':{'tab':{'Keys':[" + Keys(2) + "]}}}"},
      {"TransactGetItems", "{'TransactItems':[{'Get':{'TableName':'tab','Key':{'pk':{'S':'1'}}}}]}"}};
  for (const auto& [operation, body] : asks) {
    api_.server().HoldReaders(true);
    const auto answer = api_.Send(operation, body);
    api_.server().Settle();
    EXPECT_FALSE(answer->has_value()) << operation;
    EXPECT_EQ(api_.server().node().read_pool().waiting(), 1u) << operation;
    EXPECT_TRUE(ana.Ask("session.ping").ok()) << operation;
    api_.server().HoldReaders(false);
    api_.server().Settle();
    ASSERT_TRUE(answer->has_value()) << operation;
    EXPECT_EQ((*answer)->status, 200) << operation;
  }
}

TEST_F(TableBudget, a_small_item_is_answered_from_memory_and_a_large_one_by_a_reader) {
  api_.Create("tab");
  PutLarge(1, 1'000);
  api_.Put("tab", "{'pk':{'S':'large'},'a':{'S':'" + std::string(100'000, 'x') + "'}}");
  api_.server().HoldReaders(true);
  const auto small = api_.Send("GetItem", "{'TableName':'tab','Key':{'pk':{'S':'0'}}}");
  const auto large = api_.Send("GetItem", "{'TableName':'tab','Key':{'pk':{'S':'large'}}}");
  api_.server().Settle();
  EXPECT_TRUE(small->has_value());
  EXPECT_FALSE(large->has_value());
  api_.server().HoldReaders(false);
  api_.server().Settle();
  EXPECT_TRUE(large->has_value());
}

TEST_F(TableBudget, a_page_that_needs_too_much_work_ends_early_and_the_next_continues) {
  api_.Create("tab");
  PutLarge(3, 390'000);
  const std::string ask = "{'TableName':'tab','FilterExpression':'" + Many(227) +
                          "','ExpressionAttributeValues':{':v':{'S':'y'}}";
  std::string start;
  int64_t scanned = 0;
  for (int page = 0; page < 5; ++page) {
    const Frame answer = api_.Get("Scan", ask + start + "}");
    EXPECT_LE(answer.Int("ScannedCount"), 1);
    scanned += answer.Int("ScannedCount");
    if (!answer.Has("LastEvaluatedKey")) break;
    start = ",'ExclusiveStartKey':" + answer.Json("LastEvaluatedKey");
  }
  EXPECT_EQ(scanned, 3);
}

TEST_F(TableBudget, a_write_that_needs_too_much_work_is_refused) {
  api_.Create("tab");
  PutLarge(3, 390'000);
  const std::string values = "'ExpressionAttributeValues':{':v':{'S':'y'}}";
  EXPECT_THAT(api_.Ask("PutItem", "{'TableName':'tab','Item':{'pk':{'S':'1'}},'ConditionExpression':'" +
                                      Many(227) + "'," + values + "}"),
              StartsWith("LimitExceededException: The items and conditions of the request take more work"));
  std::string checks;
  for (int i = 0; i < 3; ++i)
    checks +=
        (i == 0 ? "" : ",") + ("{'ConditionCheck':{'TableName':'tab','Key':{'pk':{'S':'" + std::to_string(i) +
                               "'}},'ConditionExpression':'NOT (" + Many(50) + ")'," + values + "}}");
  EXPECT_THAT(api_.Ask("TransactWriteItems", "{'TransactItems':[" + checks + "]}"),
              StartsWith("LimitExceededException: "));
}

// Each byte becomes six in JSON: a small request would have an answer of 230 MB.
TEST_F(TableBudget, a_batch_is_bounded_by_the_bytes_of_its_answer) {
  api_.Create("tab");
  constexpr int kItems = 10;
  PutLarge(kItems, 390'000, "\\u0001");
  std::string keys = Keys(kItems);
  size_t reported = 0;
  for (int round = 0; round < 3 && !keys.empty(); ++round) {
    const std::string answer = api_.Ask("BatchGetItem", "{'RequestItems':{'tab':{'Keys':[" + keys + "]}}}");
    ASSERT_THAT(answer, StartsWith("{\"Responses\""));
    EXPECT_LE(answer.size(), (size_t{16} << 20) + 6 * 390'000 + 1'000);
    const size_t left = answer.find("\"UnprocessedKeys\":{");
    ASSERT_NE(left, std::string::npos);
    for (size_t at = answer.find("\"a\":"); at < left; at = answer.find("\"a\":", at + 1)) ++reported;
    const size_t from = answer.find("\"Keys\":[", left);
    keys = from == std::string::npos ? "" : answer.substr(from + 8, answer.find(']', from) - from - 8);
  }
  EXPECT_EQ(reported, kItems);
  EXPECT_EQ(keys, "");
}

TEST_F(TableBudget, the_bytes_of_an_answer_are_counted_from_its_creation) {
  api_.Create("tab");
  PutLarge(2, 390'000, "\\u0001");
  const size_t before = held();
  auto& pool = api_.server().node().read_pool();
  for (const auto& [operation, body] : std::vector<std::pair<const char*, std::string>>{
           {"BatchGetItem", "{'RequestItems':{'tab':{'Keys':[" + Keys(2) + "]}}}"},
           {"Scan", "{'TableName':'tab'}"},
           {"GetItem", "{'TableName':'tab','Key':{'pk':{'S':'1'}}}"},
           {"TransactGetItems", "{'TransactItems':[{'Get':{'TableName':'tab','Key':{'pk':{'S':'1'}}}}]}"}}) {
    api_.server().HoldReaders(true);
    const auto answer = api_.Send(operation, body);
    api_.server().Settle();
    auto job = pool.Take();
    ASSERT_TRUE(job && pool.Read(*job)) << operation;
    EXPECT_GE(held(), before + 6 * 390'000) << operation;
    gateway::ReadPool::Finish(std::move(*job));
    api_.server().HoldReaders(false);
    api_.server().Settle();
    ASSERT_TRUE(answer->has_value()) << operation;
    answer->reset();
    EXPECT_EQ(held(), before) << operation << ": it is the socket's now";
  }
}

TEST_F(TableBudget, an_answer_without_room_in_the_budget_is_throttled) {
  api_.Create("tab");
  PutLarge(2, 390'000);
  auto& readers = *api_.server().node().readers();
  readers.Add(readers.capacity());
  for (const auto& [operation, body] : std::vector<std::pair<const char*, std::string>>{
           {"BatchGetItem", "{'RequestItems':{'tab':{'Keys':[" + Keys(2) + "]}}}"},
           {"Scan", "{'TableName':'tab'}"},
           {"GetItem", "{'TableName':'tab','Key':{'pk':{'S':'1'}}}"},
           {"TransactGetItems", "{'TransactItems':[{'Get':{'TableName':'tab','Key':{'pk':{'S':'1'}}}}]}"}})
    EXPECT_THAT(api_.Ask(operation, body), StartsWith("ThrottlingException: The answers to other readers"));
  EXPECT_EQ(api_.Put("tab", "{'pk':{'S':'1'}}"), "{}") << "writes go on";
  readers.Remove(readers.capacity());
}

TEST_F(TableBudget, a_reader_encodes_the_answer_of_a_write_once_it_is_on_disk) {
  api_.Create("tab");
  PutLarge(1, 1'000);
  api_.server().HoldReaders(true);
  const auto reported =
      api_.Send("PutItem", "{'TableName':'tab','Item':{'pk':{'S':'0'}},'ReturnValues':'ALL_OLD'}");
  const auto refused =
      api_.Send("PutItem",
                "{'TableName':'tab','Item':{'pk':{'S':'0'}},'ConditionExpression':'attribute_not_exists(pk)',"
                "'ReturnValuesOnConditionCheckFailure':'ALL_OLD'}");
  api_.server().Settle();
  EXPECT_FALSE(reported->has_value() || refused->has_value());
  api_.server().HoldReaders(false);
  api_.server().Settle();
  ASSERT_TRUE(reported->has_value() && refused->has_value());
  EXPECT_THAT((*reported)->body, HasSubstr("xxx"));
  EXPECT_EQ((*refused)->status, 400);
  EXPECT_THAT((*refused)->body, HasSubstr("\"Item\":{\"pk\":{\"S\":\"0\"}}"));
}

}  // namespace
}  // namespace parley::gateway_test
