// Creating, describing, listing and dropping tables over the DynamoDB API.
#include <gmock/gmock.h>

#include "tests/gateway/dynamodb/table_api.h"

namespace parley::gateway_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class TableOperations : public testing::Test {
 protected:
  std::string Ask(std::string_view operation, const std::string& body) { return api_.Ask(operation, body); }
  std::vector<std::string> List(const std::string& body) {
    const Frame list = api_.Get("ListTables", body);
    std::vector<std::string> names;
    for (size_t i = 0; i < list.Size("TableNames"); ++i)
      names.push_back(list.Text("TableNames." + std::to_string(i)));
    if (list.Has("LastEvaluatedTableName")) names.push_back("… " + list.Text("LastEvaluatedTableName"));
    return names;
  }

  TableApi api_;
};

constexpr char kOrders[] = R"({
  'TableName': 'orders', 'BillingMode': 'PROVISIONED',
  'ProvisionedThroughput': {'ReadCapacityUnits': 5, 'WriteCapacityUnits': 3},
  'AttributeDefinitions': [
    {'AttributeName': 'who', 'AttributeType': 'S'}, {'AttributeName': 'at', 'AttributeType': 'N'},
    {'AttributeName': 'price', 'AttributeType': 'N'}, {'AttributeName': 'raw', 'AttributeType': 'B'}],
  'KeySchema': [{'AttributeName': 'who', 'KeyType': 'HASH'}, {'AttributeName': 'at', 'KeyType': 'RANGE'}],
  'LocalSecondaryIndexes': [{'IndexName': 'by-price', 'Projection': {'ProjectionType': 'KEYS_ONLY'},
    'KeySchema': [{'AttributeName': 'who', 'KeyType': 'HASH'}, {'AttributeName': 'price', 'KeyType': 'RANGE'}]}],
  'GlobalSecondaryIndexes': [{'IndexName': 'by-raw',
    'ProvisionedThroughput': {'ReadCapacityUnits': 2, 'WriteCapacityUnits': 1},
    'Projection': {'ProjectionType': 'INCLUDE', 'NonKeyAttributes': ['note', 'city']},
    'KeySchema': [{'AttributeName': 'raw', 'KeyType': 'HASH'}]}],
  'DeletionProtectionEnabled': true, 'SSESpecification': {'Enabled': true},
  'StreamSpecification': {'StreamEnabled': false}, 'Tags': [{'Key': 'team', 'Value': ''}]})";

TEST_F(TableOperations, a_table_is_active_at_once_and_described_as_requested) {
  const Frame made = api_.Get("CreateTable", kOrders);
  const Frame reported = api_.Get("DescribeTable", "{'TableName':'orders'}");
  EXPECT_EQ(made.Json("TableDescription"), reported.Json("Table"));
  const std::string id = reported.Text("Table.TableId");
  EXPECT_EQ(id.size(), 36u);
  const int64_t now_ms = api_.world().clock().Now().ms;
  char created[32];
  std::snprintf(created, sizeof created, "%lld.%03d", static_cast<long long>(now_ms / 1000),
                static_cast<int>(now_ms % 1000));
  const std::string raw = Ask("DescribeTable", "{'TableName':'orders'}");
  EXPECT_EQ(
      raw,
      Json("{'Table':{'AttributeDefinitions':[{'AttributeName':'at','AttributeType':'N'},"
           "{'AttributeName':'price','AttributeType':'N'},{'AttributeName':'raw','AttributeType':'B'},"
           "{'AttributeName':'who','AttributeType':'S'}],'TableName':'orders',"
           "'KeySchema':[{'AttributeName':'who','KeyType':'HASH'},{'AttributeName':'at','KeyType':'RANGE'}],"
           "'TableStatus':'ACTIVE','CreationDateTime':") +
          created +
          Json(
              ",'ProvisionedThroughput':{'NumberOfDecreasesToday':0,'ReadCapacityUnits':5,"
              "'WriteCapacityUnits':3},'TableSizeBytes':0,'ItemCount':0,"
              "'TableArn':'arn:aws:dynamodb:parley:000000000000:table/orders','TableId':'" +
              id +
              "','LocalSecondaryIndexes':[{'IndexName':'by-price',"
              "'KeySchema':[{'AttributeName':'who','KeyType':'HASH'},{'AttributeName':'price','KeyType':"
              "'RANGE'}],"
              "'Projection':{'ProjectionType':'KEYS_ONLY'},"
              "'IndexArn':'arn:aws:dynamodb:parley:000000000000:table/orders/index/by-price'}],"
              "'GlobalSecondaryIndexes':[{'IndexName':'by-raw','KeySchema':[{'AttributeName':'raw','KeyType':"
              "'HASH'}],"
              "'Projection':{'ProjectionType':'INCLUDE','NonKeyAttributes':['city','note']},"
              "'IndexStatus':'ACTIVE',"
              "'ProvisionedThroughput':{'NumberOfDecreasesToday':0,'ReadCapacityUnits':2,"
              "'WriteCapacityUnits':1},"
              "'IndexArn':'arn:aws:dynamodb:parley:000000000000:table/orders/index/by-raw'}],"
              "'SSEDescription':{'Status':'ENABLED','SSEType':'KMS'},'DeletionProtectionEnabled':true}}"));
}

TEST_F(TableOperations, a_table_is_the_same_after_a_restart) {
  Ask("CreateTable", kOrders);
  api_.Create("paid-per-request", "N");
  const std::string orders = Ask("DescribeTable", "{'TableName':'orders'}");
  const std::string other = Ask("DescribeTable", "{'TableName':'paid-per-request'}");
  EXPECT_THAT(other, HasSubstr(Json("'BillingModeSummary':{'BillingMode':'PAY_PER_REQUEST',"
                                    "'LastUpdateToPayPerRequestDateTime':")));
  api_.world().Restart();
  EXPECT_EQ(Ask("DescribeTable", "{'TableName':'orders'}"), orders);
  EXPECT_EQ(Ask("DescribeTable", "{'TableName':'paid-per-request'}"), other);
}

TEST_F(TableOperations, items_and_their_sizes_are_counted) {
  api_.Create("notes");
  api_.Put("notes", "{'pk':{'S':'ab'},'n':{'N':'1'}}");  // 2 + 2 + 1 + 2
  api_.Put("notes", "{'pk':{'S':'abc'}}");               // 2 + 3
  const auto figures = [&] {
    const Frame reported = api_.Get("DescribeTable", "{'TableName':'notes'}");
    return std::pair(reported.Int("Table.ItemCount"), reported.Int("Table.TableSizeBytes"));
  };
  EXPECT_EQ(figures(), std::pair(int64_t{2}, int64_t{12}));
  Ask("DeleteItem", "{'TableName':'notes','Key':{'pk':{'S':'ab'}}}");
  EXPECT_EQ(figures(), std::pair(int64_t{1}, int64_t{5}));
  api_.world().Restart();
  EXPECT_EQ(figures(), std::pair(int64_t{1}, int64_t{5}));
}

TEST_F(TableOperations, a_dropped_table_disappears_at_once_and_frees_its_name) {
  api_.Create("notes");
  api_.Fill("notes", 300);
  const Frame dropped = api_.Get("DeleteTable", "{'TableName':'notes'}");
  EXPECT_EQ(dropped.Text("TableDescription.TableStatus"), "DELETING");
  EXPECT_EQ(dropped.Int("TableDescription.ItemCount"), 300);
  const std::string gone = "ResourceNotFoundException: Requested resource not found";
  EXPECT_EQ(Ask("DescribeTable", "{'TableName':'notes'}"), gone + ": Table: notes not found");
  EXPECT_EQ(Ask("DeleteTable", "{'TableName':'notes'}"), gone + ": Table: notes not found");
  EXPECT_EQ(api_.Put("notes", "{'pk':{'S':'a'}}"), gone);

  EXPECT_THAT(api_.Create("notes", "N"), StartsWith("{"));
  EXPECT_EQ(api_.Count("notes"), 0u) << "none of the old items is there, though they may not be erased yet";
  api_.Put("notes", "{'pk':{'S':'1'},'sk':{'N':'7'}}");
  for (int i = 0; i < 3; ++i) api_.server().Advance(1000);  // erases its items
  EXPECT_EQ(api_.Count("notes"), 1u);
}

TEST_F(TableOperations, a_protected_table_cannot_be_dropped) {
  Ask("CreateTable", kOrders);
  EXPECT_THAT(Ask("DeleteTable", "{'TableName':'orders'}"),
              StartsWith("ValidationException: Resource cannot be deleted as it is currently protected"));
  Ask("UpdateTable", "{'TableName':'orders','DeletionProtectionEnabled':false}");
  EXPECT_THAT(Ask("DeleteTable", "{'TableName':'orders'}"), StartsWith("{"));
}

TEST_F(TableOperations, a_name_can_be_used_once) {
  EXPECT_THAT(api_.Create("notes"), StartsWith("{"));
  EXPECT_EQ(api_.Create("notes"), "ResourceInUseException: Table already exists: notes");
  EXPECT_EQ(api_.Create("workspace"), "ResourceInUseException: Table already exists: workspace");
}

TEST_F(TableOperations, the_servers_own_tables_are_listed_and_cannot_be_dropped) {
  const Frame reported = api_.Get("DescribeTable", "{'TableName':'workspace'}");
  EXPECT_EQ(reported.Text("Table.TableStatus"), "ACTIVE");
  EXPECT_EQ(reported.Text("Table.GlobalSecondaryIndexes.0.IndexName"), "bySubscriptionId");
  EXPECT_TRUE(reported.Bool("Table.DeletionProtectionEnabled"));
  EXPECT_FALSE(reported.Has("Table.CreationDateTime"));
  EXPECT_EQ(reported.Text("Table.TableId").size(), 36u);
  EXPECT_THAT(Ask("DeleteTable", "{'TableName':'workspace'}"), HasSubstr("is part of the server"));
  EXPECT_EQ(Ask("UpdateTable", "{'TableName':'workspace','DeletionProtectionEnabled':false}"),
            "ResourceInUseException: Table workspace is part of the server: only its indexes and its time to "
            "live can be changed");
  const std::string expiry = ",'TimeToLiveSpecification':{'Enabled':true,'AttributeName':'x'}}";
  EXPECT_THAT(Ask("UpdateTimeToLive", "{'TableName':'workspace'" + expiry), StartsWith("{"))
      << "the back end writes it";
  EXPECT_THAT(Ask("UpdateTimeToLive", "{'TableName':'tenants'" + expiry),
              StartsWith("ResourceInUseException: Table tenants is part of the server"));
}

TEST_F(TableOperations, the_list_is_paged_and_in_order) {
  for (const char* name : {"aaa", "aab", "aac", "zzz"}) api_.Create(name);
  const std::vector<std::string> all = List("{}");
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  EXPECT_THAT(all, testing::IsSupersetOf({"aaa", "aab", "aac", "zzz", "workspace"}));
  EXPECT_THAT(List("{'Limit':2,'ExclusiveStartTableName':'aa.'}"),
              testing::ElementsAre("aaa", "aab", "… aab"));
  EXPECT_THAT(List("{'Limit':1,'ExclusiveStartTableName':'aab'}"), testing::ElementsAre("aac", "… aac"));
  EXPECT_THAT(List("{'Limit':1,'ExclusiveStartTableName':'yyy'}"), testing::ElementsAre("zzz")) << "the last";
  for (const char* body : {"{'Limit':0}", "{'Limit':101}", "{'ExclusiveStartTableName':'a'}"})
    EXPECT_THAT(Ask("ListTables", body), StartsWith("ValidationException: 1 validation error detected"))
        << body;
}

TEST_F(TableOperations, a_key_lists_and_uses_only_its_tables) {
  api_.Create("mine");
  api_.Create("theirs");
  api_.Use(api_.MakeKey(R"({"tables":["mine","later"]})"));
  EXPECT_THAT(List("{}"), testing::ElementsAre("mine"));
  EXPECT_THAT(Ask("DescribeTable", "{'TableName':'mine'}"), StartsWith("{"));
  for (const char* operation : {"DescribeTable", "DeleteTable", "DescribeTimeToLive"})
    EXPECT_THAT(Ask(operation, "{'TableName':'theirs'}"), StartsWith("AccessDeniedException")) << operation;
  EXPECT_THAT(api_.Create("another"), StartsWith("AccessDeniedException"));
  EXPECT_THAT(api_.Create("later"), StartsWith("{"));

  api_.Use(api_.MakeKey(R"({"readOnly":true})"));
  EXPECT_THAT(Ask("DescribeTable", "{'TableName':'theirs'}"), StartsWith("{"));
  EXPECT_THAT(Ask("DeleteTable", "{'TableName':'theirs'}"), StartsWith("AccessDeniedException"));
  EXPECT_THAT(Ask("UpdateTable", "{'TableName':'theirs','DeletionProtectionEnabled':true}"),
              StartsWith("AccessDeniedException"));
  EXPECT_THAT(Ask("UpdateTimeToLive",
                  "{'TableName':'theirs','TimeToLiveSpecification':{'Enabled':true,'AttributeName':'x'}}"),
              StartsWith("AccessDeniedException"));
  EXPECT_THAT(api_.Create("fourth"), StartsWith("AccessDeniedException"));
}

TEST_F(TableOperations, describe_limits_returns_numbers) {
  EXPECT_EQ(Ask("DescribeLimits", "{}"),
            Json("{'AccountMaxReadCapacityUnits':80000,'AccountMaxWriteCapacityUnits':80000,"
                 "'TableMaxReadCapacityUnits':40000,'TableMaxWriteCapacityUnits':40000}"));
}

TEST(TableBounds, a_tenant_cannot_exceed_its_number_of_tables) {
  gateway::Config config = DemoConfig();
  config.tables_per_tenant = 2;
  TableApi api(config);
  api.Create("one");
  api.Create("two");
  const std::string full = "LimitExceededException: Subscriber limit exceeded: There is a limit of 2 tables";
  EXPECT_EQ(api.Create("three"), full);
  api.world().Restart();
  EXPECT_EQ(api.Create("three"), full);
  api.Ask("DeleteTable", "{'TableName':'one'}");
  EXPECT_THAT(api.Create("three"), StartsWith("{"));
}

TEST(TableBounds, table_keys_outlive_the_process) {
  TableApi api;
  api.Create("notes");
  api.world().Restart();
  EXPECT_THAT(api.Ask("DescribeTable", "{'TableName':'notes'}"), StartsWith("{")) << "with the same key";
}

// --- operations that infrastructure tools use

constexpr char kOrdersArn[] = "'arn:aws:dynamodb:parley:000000000000:table/orders'";

TEST_F(TableOperations, tags_are_stored_with_the_table_and_deleted_with_it) {
  Ask("CreateTable", kOrders);
  const auto list = [&] {
    return Ask("ListTagsOfResource", std::string("{'ResourceArn':") + kOrdersArn + "}");
  };
  const auto tag = [&](const std::string& tags) {
    return Ask("TagResource", std::string("{'ResourceArn':") + kOrdersArn + ",'Tags':[" + tags + "]}");
  };
  EXPECT_EQ(list(), Json("{'Tags':[{'Key':'team','Value':''}]}"));
  EXPECT_EQ(tag("{'Key':'env','Value':'test'},{'Key':'team','Value':'a'}"), "{}");
  EXPECT_EQ(list(), Json("{'Tags':[{'Key':'env','Value':'test'},{'Key':'team','Value':'a'}]}"));
  EXPECT_EQ(Ask("UntagResource", std::string("{'ResourceArn':") + kOrdersArn + ",'TagKeys':['team','none']}"),
            "{}");
  api_.world().Restart();
  EXPECT_EQ(list(), Json("{'Tags':[{'Key':'env','Value':'test'}]}"));
  EXPECT_THAT(tag("{'Key':'aws:x','Value':''}"), StartsWith("ValidationException"));
  EXPECT_THAT(tag("{'Key':'x','Value':''},{'Key':'x','Value':'1'}"), StartsWith("ValidationException"));
  EXPECT_THAT(tag("{'Key':'','Value':''}"), StartsWith("ValidationException"));
  std::string many;
  for (int i = 0; i < 50; ++i)
    many += (i > 0 ? "," : "") + ("{'Key':'" + std::to_string(i) + "','Value':''}");
  EXPECT_THAT(tag(many), HasSubstr("at most 50")) << "with the one that is there";
  EXPECT_EQ(list(), Json("{'Tags':[{'Key':'env','Value':'test'}]}")) << "refused as a whole";
  Ask("UpdateTable", "{'TableName':'orders','DeletionProtectionEnabled':false}");
  Ask("DeleteTable", "{'TableName':'orders'}");
  EXPECT_THAT(list(), StartsWith("AccessDeniedException"));
  EXPECT_THAT(tag("{'Key':'x','Value':''}"), StartsWith("ResourceNotFoundException"));
  EXPECT_THAT(Ask("TagResource", "{'ResourceArn':'orders','Tags':[]}"), StartsWith("ValidationException"));
}

TEST_F(TableOperations, a_read_only_key_lists_tags_and_cannot_change_them) {
  Ask("CreateTable", kOrders);
  api_.Use(api_.MakeKey(R"({"tables":["orders"],"readOnly":true})"));
  EXPECT_THAT(Ask("ListTagsOfResource", std::string("{'ResourceArn':") + kOrdersArn + "}"),
              HasSubstr("team"));
  EXPECT_THAT(Ask("TagResource", std::string("{'ResourceArn':") + kOrdersArn + ",'Tags':[]}"),
              StartsWith("AccessDeniedException"));
}

TEST_F(TableOperations, tables_can_be_named_by_their_arns) {
  Ask("CreateTable", kOrders);
  const std::string item = "{'who':{'S':'a'},'at':{'N':'1'}}", arn = kOrdersArn;
  EXPECT_EQ(Ask("PutItem", "{'TableName':" + arn + ",'Item':" + item + "}"), "{}");
  EXPECT_THAT(Ask("GetItem", "{'TableName':" + arn + ",'Key':" + item + "}"), HasSubstr("Item"));
  EXPECT_THAT(Ask("BatchGetItem", "{'RequestItems':{" + arn + ":{'Keys':[" + item + "]}}}"),
              HasSubstr(Json(arn) + ":[{"));
  EXPECT_EQ(Ask("BatchWriteItem", "{'RequestItems':{" + arn + ":[{'DeleteRequest':{'Key':" + item + "}}]}}"),
            Json("{'UnprocessedItems':{}}"));
  EXPECT_THAT(Ask("DescribeTable", "{'TableName':" + arn + "}"), HasSubstr("orders"));
  for (const char* bad : {"arn:", "arn:aws:s3:a:b:table/orders", "arn:aws:dynamodb:a:b:orders",
                          "arn:aws:dynamodb:a:b:table/orders/index/by-raw"})
    EXPECT_THAT(Ask("DescribeTable", std::string("{'TableName':'") + bad + "'}"),
                StartsWith("ValidationException"))
        << bad;
}

TEST_F(TableOperations, backups_endpoints_and_the_table_class_are_described) {
  Ask("CreateTable", kOrders);
  EXPECT_THAT(Ask("DescribeContinuousBackups", "{'TableName':'orders'}"),
              HasSubstr(Json("'PointInTimeRecoveryStatus':'DISABLED'")));
  EXPECT_THAT(Ask("DescribeContinuousBackups", "{'TableName':'others'}"),
              StartsWith("TableNotFoundException"));
  EXPECT_THAT(Ask("DescribeEndpoints", "{}"), HasSubstr(Json("'CachePeriodInMinutes':1440")));
  Ask("UpdateTable", "{'TableName':'orders','TableClass':'STANDARD_INFREQUENT_ACCESS'}");
  const std::string reported = Ask("DescribeTable", "{'TableName':'orders'}");
  EXPECT_THAT(reported, HasSubstr(Json("'TableClassSummary':{'TableClass':'STANDARD_INFREQUENT_ACCESS'}")));
  EXPECT_THAT(reported, HasSubstr(Json("'SSEDescription':{'Status':'ENABLED','SSEType':'KMS'}")));
  Ask("UpdateTable", "{'TableName':'orders','TableClass':'STANDARD','SSESpecification':{'Enabled':false}}");
  EXPECT_THAT(Ask("DescribeTable", "{'TableName':'orders'}"), Not(HasSubstr("SSEDescription")));
}

}  // namespace
}  // namespace parley::gateway_test
