// Creating and dropping indexes of a table in use, billing, and expiry of items.
#include <gmock/gmock.h>

#include "gateway/app/node.h"
#include "tests/gateway/dynamodb/table_api.h"

namespace parley::gateway_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class TableChanges : public testing::Test {
 protected:
  std::string Ask(std::string_view operation, const std::string& body) { return api_.Ask(operation, body); }
  std::string AddIndex(const std::string& name) {
    return Ask("UpdateTable",
               "{'TableName':'notes','AttributeDefinitions':[{'AttributeName':'city','AttributeType':'S'}],"
               "'GlobalSecondaryIndexUpdates':[{'Create':{'IndexName':'" +
                   name +
                   "','KeySchema':[{'AttributeName':'city','KeyType':'HASH'}],"
                   "'Projection':{'ProjectionType':'ALL'}}}]}");
  }
  static std::string DropOf(const std::string& index) {
    return "{'TableName':'notes','GlobalSecondaryIndexUpdates':[{'Delete':{'IndexName':'" + index + "'}}]}";
  }
  std::string DropIndex(const std::string& name) { return Ask("UpdateTable", DropOf(name)); }
  // "CREATING 200 items", "ACTIVE", or "" if the index does not exist.
  std::string Index() {
    const Frame reported = api_.Get("DescribeTable", "{'TableName':'notes'}");
    const std::string at = "Table.GlobalSecondaryIndexes.0.";
    if (!reported.Has(at + "IndexStatus")) return "";
    std::string out = reported.Text(at + "IndexStatus");
    if (reported.Has(at + "Backfilling"))
      out += " " + std::to_string(reported.Int(at + "ItemCount")) + " of it";
    return out;
  }
  std::string CountIn(const std::string& city) {
    const std::string answer =
        Ask("Query",
            "{'TableName':'notes','IndexName':'by-city','KeyConditionExpression':'city = :c',"
            "'ExpressionAttributeValues':{':c':{'S':'" +
                city + "'}},'Select':'COUNT'}");
    if (answer[0] != '{') return answer;
    return std::to_string(Frame(protocol::Encoding::kJson, answer).Int("Count"));
  }
  // Runs one slice of upkeep, then holds the writer.
  void StepUpkeep() {
    api_.server().HoldExecutor(true);
    api_.server().Advance(1000);
    EXPECT_TRUE(api_.server().node().item_writer().Step());
  }
  // Runs upkeep until it has no work left.
  void Rest() { api_.server().Advance(1000); }

  TableApi api_;
};

TEST_F(TableChanges, an_index_is_filled_while_the_table_is_in_use) {
  api_.Create("notes");
  api_.Fill("notes", 500, ",'city':{'S':'Oslo'}");
  api_.Put("notes", "{'pk':{'S':'without'}}");
  const std::string added = AddIndex("by-city");
  EXPECT_THAT(added, HasSubstr(Json("'IndexStatus':'CREATING','Backfilling':true")));
  EXPECT_THAT(added, HasSubstr(Json("'ItemCount':501,'TableArn'"))) << "of the table";
  EXPECT_EQ(Index(), "CREATING 0 of it");
  EXPECT_EQ(CountIn("Oslo"),
            "ValidationException: Cannot read from backfilling global secondary index: by-city");
  EXPECT_THAT(AddIndex("by-town"), StartsWith("LimitExceededException: Subscriber limit exceeded: Only 1"));
  StepUpkeep();
  EXPECT_EQ(Index(), "CREATING 200 of it");
  // Writes during the backfill, before and after the position that it has reached.
  for (const char* key : {"1", "100", "200", "300", "499"})
    api_.AskInOneTurn("PutItem", std::string("{'TableName':'notes','Item':{'pk':{'S':'") + key +
                                     "'},'city':{'S':'Rome'}}}");
  for (const char* key : {"77", "401"})
    api_.AskInOneTurn("DeleteItem", std::string("{'TableName':'notes','Key':{'pk':{'S':'") + key + "'}}}");
  EXPECT_EQ(Index(), "CREATING 200 of it");
  api_.world().Restart();
  Rest();
  EXPECT_EQ(Index(), "ACTIVE");
  EXPECT_EQ(CountIn("Oslo"), "493");
  EXPECT_EQ(CountIn("Rome"), "5");
  EXPECT_THAT(AddIndex("by-city"), HasSubstr("Attempting to create an index which already exists"));
}

TEST_F(TableChanges, a_dropped_index_frees_its_name) {
  api_.Create("notes");
  api_.Fill("notes", 300, ",'city':{'S':'Oslo'}");
  AddIndex("by-city");
  Rest();
  EXPECT_EQ(CountIn("Oslo"), "300");
  EXPECT_THAT(DropIndex("by-city"), HasSubstr(Json("'IndexStatus':'DELETING'")));
  EXPECT_THAT(CountIn("Oslo"), HasSubstr("The table does not have the specified index"));
  EXPECT_THAT(DropIndex("by-city"), StartsWith("ResourceInUseException"));
  Rest();
  EXPECT_EQ(Index(), "");
  api_.Put("notes", "{'pk':{'S':'5'},'city':{'S':'Rome'}}");
  AddIndex("by-city");
  Rest();
  EXPECT_EQ(CountIn("Oslo"), "299") << "no entry of the first one is left";
  EXPECT_EQ(CountIn("Rome"), "1");
}

TEST_F(TableChanges, an_index_can_be_dropped_during_its_backfill) {
  api_.Create("notes");
  api_.Fill("notes", 500, ",'city':{'S':'Oslo'}");
  AddIndex("by-city");
  StepUpkeep();
  EXPECT_EQ(Index(), "CREATING 200 of it");
  EXPECT_THAT(api_.AskInOneTurn("UpdateTable", DropOf("by-city")),
              HasSubstr(Json("'IndexStatus':'DELETING'")));
  api_.server().HoldExecutor(false);
  Rest();
  EXPECT_EQ(Index(), "");
  AddIndex("by-city");
  EXPECT_EQ(Index(), "CREATING 0 of it") << "it begins anew";
  Rest();
  EXPECT_EQ(CountIn("Oslo"), "500");
}

TEST_F(TableChanges, describe_table_returns_the_requested_billing) {
  api_.Create("notes");
  const auto provision = [&](int read, int write) {
    return Ask("UpdateTable",
               "{'TableName':'notes','BillingMode':'PROVISIONED','ProvisionedThroughput':"
               "{'ReadCapacityUnits':" +
                   std::to_string(read) + ",'WriteCapacityUnits':" + std::to_string(write) + "}}");
  };
  EXPECT_THAT(provision(7, 8), HasSubstr(Json("'ReadCapacityUnits':7,'WriteCapacityUnits':8")));
  EXPECT_THAT(provision(7, 8), HasSubstr("The provisioned throughput for the table will not change"));
  EXPECT_THAT(provision(7, 9), HasSubstr(Json("'BillingModeSummary':{'BillingMode':'PROVISIONED'")));
  const std::string back = Ask("UpdateTable", "{'TableName':'notes','BillingMode':'PAY_PER_REQUEST'}");
  EXPECT_THAT(back, HasSubstr(Json("'ReadCapacityUnits':0,'WriteCapacityUnits':0")));
  EXPECT_THAT(back, HasSubstr(Json("'BillingModeSummary':{'BillingMode':'PAY_PER_REQUEST'")));
}

class TimeToLive : public TableChanges {
 protected:
  std::string Set(bool enabled, const std::string& attribute = "ends") {
    return Ask("UpdateTimeToLive", std::string("{'TableName':'notes','TimeToLiveSpecification':{'Enabled':") +
                                       (enabled ? "true" : "false") + ",'AttributeName':'" + attribute +
                                       "'}}");
  }
  std::string Reported() { return Ask("DescribeTimeToLive", "{'TableName':'notes'}"); }
  std::string Seconds(int64_t from_now) {
    return std::to_string(api_.world().clock().Now().ms / 1000 + from_now);
  }
};

TEST_F(TimeToLive, enabling_twice_or_disabling_twice_is_refused) {
  api_.Create("notes");
  EXPECT_EQ(Reported(), Json("{'TimeToLiveDescription':{'TimeToLiveStatus':'DISABLED'}}"));
  EXPECT_EQ(Set(false), "ValidationException: TimeToLive is already disabled");
  EXPECT_EQ(Set(true), Json("{'TimeToLiveSpecification':{'AttributeName':'ends','Enabled':true}}"));
  EXPECT_EQ(Set(true), "ValidationException: TimeToLive is already enabled");
  const std::string other =
      "ValidationException: TimeToLive is active on a different AttributeName: current AttributeName is ends";
  EXPECT_EQ(Set(true, "other"), other);
  EXPECT_EQ(Set(false, "other"), other);
  api_.world().Restart();
  EXPECT_EQ(Reported(),
            Json("{'TimeToLiveDescription':{'TimeToLiveStatus':'ENABLED','AttributeName':'ends'}}"));
  EXPECT_EQ(Set(false), Json("{'TimeToLiveSpecification':{'AttributeName':'ends','Enabled':false}}"));
  EXPECT_EQ(Reported(), Json("{'TimeToLiveDescription':{'TimeToLiveStatus':'DISABLED'}}"));
  EXPECT_THAT(Ask("DescribeTimeToLive", "{'TableName':'conversations'}"),
              HasSubstr(Json("'TimeToLiveStatus':'ENABLED','AttributeName':'ttl'")));
  EXPECT_THAT(Ask("DescribeTimeToLive", "{'TableName':'none'}"), StartsWith("ResourceNotFoundException"));
  EXPECT_THAT(Ask("UpdateTimeToLive", "{'TableName':'notes'}"),
              HasSubstr("'timeToLiveSpecification' failed"));
}

TEST_F(TimeToLive, applies_to_items_written_before_it_was_enabled) {
  api_.Create("notes");
  api_.Fill("notes", 250, ",'ends':{'N':'" + Seconds(100) + "'}");
  api_.Put("notes", "{'pk':{'S':'stays'}}");
  Set(true);
  for (int i = 0; i < 3; ++i) Rest();
  EXPECT_EQ(api_.Count("notes"), 251u);
  api_.server().Advance(100'000);
  EXPECT_EQ(api_.Count("notes"), 1u);
  const Frame reported = api_.Get("DescribeTable", "{'TableName':'notes'}");
  EXPECT_EQ(reported.Int("Table.ItemCount"), 1) << "they were removed, not only hidden";
}

TEST_F(TimeToLive, of_a_dropped_table_does_not_touch_its_successor) {
  api_.Create("notes");
  api_.Fill("notes", 30, ",'ends':{'N':'" + Seconds(100) + "'}");
  Set(true);
  Ask("DeleteTable", "{'TableName':'notes'}");
  api_.Create("notes", "N");
  for (int i = 0; i < 30; ++i)
    api_.Put("notes",
             "{'pk':{'S':'" + std::to_string(i) + "'},'sk':{'N':'1'},'ends':{'N':'" + Seconds(100) + "'}}");
  Rest();
  api_.server().Advance(200'000);
  EXPECT_EQ(api_.Count("notes"), 30u);
  AddIndex("by-city");
  Rest();
  EXPECT_EQ(Index(), "ACTIVE") << "upkeep goes on";
}

}  // namespace
}  // namespace parley::gateway_test
