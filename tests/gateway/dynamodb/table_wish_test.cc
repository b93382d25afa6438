// Faults of CreateTable and UpdateTable, each with DynamoDB's message.
#include <gmock/gmock.h>

#include "tests/gateway/dynamodb/table_api.h"

namespace parley::gateway_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kInvalid[] = "ValidationException: One or more parameter values were invalid: ";

// A request with defaults for all members that a case does not set.
struct Wish {
  std::string attributes = "a S", keys = "a HASH";
  std::string more = {};
  std::string billing = "'BillingMode':'PAY_PER_REQUEST'";
};
std::string Pairs(const std::string& text, const char* second) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(", ", at), text.size());
    const size_t space = text.find(' ', at);
    out += (out.empty() ? "" : ",") + std::string("{'AttributeName':'") + text.substr(at, space - at) +
           "','" + second + "':'" + text.substr(space + 1, end - space - 1) + "'}";
    at = end + 2;
  }
  return "[" + out + "]";
}
std::string Schema(const std::string& keys) {
  return "'KeySchema':" + Pairs(keys, "KeyType");
}
std::string Index(const std::string& name, const std::string& keys,
                  const std::string& projection = "{'ProjectionType':'ALL'}", const std::string& more = "") {
  return "{'IndexName':'" + name + "'," + Schema(keys) + ",'Projection':" + projection + more + "}";
}
std::string Globals(const std::string& indexes) {
  return "'GlobalSecondaryIndexes':[" + indexes + "]";
}
std::string Locals(const std::string& indexes) {
  return "'LocalSecondaryIndexes':[" + indexes + "]";
}

class TableWishes : public testing::Test {
 protected:
  std::string Create(const Wish& wish) {
    return api_.Ask("CreateTable", "{'TableName':'notes','AttributeDefinitions':" +
                                       Pairs(wish.attributes, "AttributeType") + "," + Schema(wish.keys) +
                                       "," + wish.billing + (wish.more.empty() ? "" : "," + wish.more) + "}");
  }
  std::string Update(const std::string& members) {
    return api_.Ask("UpdateTable", "{'TableName':'notes'," + members + "}");
  }

  TableApi api_;
};

TEST_F(TableWishes, all_violated_constraints_of_members_are_reported_at_once) {
  EXPECT_EQ(api_.Ask("CreateTable", "{}"),
            "ValidationException: The parameter 'TableName' is required but was not present in the request");
  EXPECT_THAT(api_.Ask("CreateTable", "{'TableName':'ab'}"),
              HasSubstr("Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length "
                        "greater than or equal to 3"));
  EXPECT_EQ(
      api_.Ask("CreateTable", "{'TableName':'a;c','KeySchema':[]}"),
      "ValidationException: 3 validation errors detected: Value null at 'attributeDefinitions' failed to "
      "satisfy constraint: Member must not be null; Value 'a;c' at 'tableName' failed to satisfy "
      "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value '[]' at "
      "'keySchema' failed to satisfy constraint: Member must have length greater than or equal to 1");
  EXPECT_THAT(api_.Ask("CreateTable", "{'TableName':5}"),
              StartsWith("SerializationException: NUMBER_VALUE cannot be converted to String"));
  EXPECT_THAT(api_.Ask("CreateTable", "{'KeySchema':{}}"), StartsWith("SerializationException"));
  EXPECT_THAT(api_.Ask("CreateTable", "{'KeySchema':['a']}"), StartsWith("SerializationException"));
  EXPECT_THAT(Create({.attributes = "a X"}),
              HasSubstr("Value 'X' at 'attributeDefinitions.1.member.attributeType' failed to satisfy "
                        "constraint: Member must satisfy enum value set: [B, N, S]"));
  EXPECT_THAT(Create({.keys = "a HASHED"}), HasSubstr("at 'keySchema.1.member.keyType' failed"));
  EXPECT_THAT(Create({.attributes = "a S, b S, c S", .keys = "a HASH, b RANGE, c RANGE"}),
              HasSubstr("at 'keySchema' failed to satisfy constraint: Member must have length less than or "
                        "equal to 2"));
  EXPECT_THAT(Create({.billing = "'BillingMode':'FREE'"}), HasSubstr("at 'billingMode' failed"));
  EXPECT_THAT(Create({.more = Globals(Index("ab", "a HASH"))}),
              HasSubstr("at 'globalSecondaryIndexes.1.member.indexName' failed"));
  EXPECT_THAT(Create({.billing = "'ProvisionedThroughput':{'ReadCapacityUnits':0,'WriteCapacityUnits':1}"}),
              HasSubstr("Value '0' at 'provisionedThroughput.readCapacityUnits' failed"));
  EXPECT_THAT(api_.Ask("DescribeTable", "{'TableName':'notes'}"), StartsWith("ResourceNotFoundException"));
}

TEST_F(TableWishes, billing_and_throughput_must_agree) {
  EXPECT_EQ(Create({.billing = "'BillingMode':'PROVISIONED'"}),
            std::string(kInvalid) +
                "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
                "PROVISIONED");
  EXPECT_THAT(Create({.billing = "'BillingMode':'PAY_PER_REQUEST','ProvisionedThroughput':"
                                 "{'ReadCapacityUnits':1,'WriteCapacityUnits':1}"}),
              HasSubstr("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified"));
  EXPECT_EQ(Create({.billing = "'ProvisionedThroughput':{'ReadCapacityUnits':1000000000001,"
                               "'WriteCapacityUnits':1}"}),
            "ValidationException: Given value 1000000000001 for ReadCapacityUnits is out of bounds");
}

TEST_F(TableWishes, keys_must_be_defined_and_definitions_must_be_used) {
  const auto fault = [&](const std::string& attributes, const std::string& keys) {
    return Create({.attributes = attributes, .keys = keys});
  };
  EXPECT_EQ(fault("a S", "a HASH, b RANGE"),
            "ValidationException: Invalid KeySchema: Some index key attribute have no definition");
  EXPECT_EQ(fault("a S, c S", "a HASH, b RANGE"),
            std::string(kInvalid) +
                "Some index key attributes are not defined in AttributeDefinitions. Keys: [a, b], "
                "AttributeDefinitions: [a, c]");
  EXPECT_EQ(fault("a S, b S", "a HASH, a RANGE"),
            "ValidationException: Both the Hash Key and the Range Key element in the KeySchema have the same "
            "name");
  EXPECT_EQ(fault("a S", "a RANGE"),
            "ValidationException: Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  EXPECT_EQ(fault("a S, b S", "a HASH, b HASH"),
            "ValidationException: Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  EXPECT_EQ(fault("a S, a N", "a HASH"), "ValidationException: Attribute Name is duplicated: a");
  EXPECT_EQ(fault("a S, b S", "a HASH"),
            std::string(kInvalid) +
                "Number of attributes in KeySchema does not exactly match number of attributes defined in "
                "AttributeDefinitions");
  EXPECT_EQ(Create({.attributes = "a S, b S, c S", .more = Globals(Index("by-b", "b HASH"))}),
            std::string(kInvalid) +
                "Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]");
}

TEST_F(TableWishes, global_indexes_have_keys_of_up_to_four_attributes_each) {
  const auto made = [&](const std::string& keys) {
    const std::string answer = Create({.attributes = "a S, b S, c N, d S, e S, f B, g S, h S, i S",
                                       .more = Globals(Index("first", keys) + "," +
                                                       Index("rest",
                                                             "b HASH, c HASH, d HASH, e HASH, "
                                                             "f RANGE, g RANGE, h RANGE, i "
                                                             "RANGE"))});
    api_.Ask("DeleteTable", "{'TableName':'notes'}");
    return answer;
  };
  EXPECT_THAT(made("a HASH, b HASH"), HasSubstr(R"([{"AttributeName":"a","KeyType":"HASH"},)"
                                                R"({"AttributeName":"b","KeyType":"HASH"}])"));
  EXPECT_THAT(
      made("i HASH, h HASH, a RANGE, b RANGE"),
      HasSubstr(R"([{"AttributeName":"i","KeyType":"HASH"},{"AttributeName":"h","KeyType":"HASH"},)"
                R"({"AttributeName":"a","KeyType":"RANGE"},{"AttributeName":"b","KeyType":"RANGE"}])"));
  const std::string schema = "ValidationException: Invalid KeySchema: ";
  EXPECT_EQ(made("a RANGE, b HASH"), schema + "The first KeySchemaElement is not a HASH key type");
  EXPECT_EQ(made("a HASH, b RANGE, c HASH"), schema + "A HASH key type comes after a RANGE key type");
  EXPECT_EQ(made("a HASH, b HASH, c HASH, d HASH, e HASH"),
            schema + "More than 4 KeySchemaElements are a HASH key type");
  EXPECT_EQ(made("a HASH, b RANGE, c RANGE, d RANGE, e RANGE, f RANGE"),
            schema + "More than 4 KeySchemaElements are a RANGE key type");
  EXPECT_EQ(made("a HASH, b RANGE, a RANGE"),
            schema + "More than one KeySchemaElement names the attribute a");
  EXPECT_EQ(made("a HASH, a RANGE"),
            "ValidationException: Both the Hash Key and the Range Key element in the KeySchema have the same "
            "name");
  EXPECT_THAT(made("a HASH, b HASH, c HASH, d HASH, e RANGE, f RANGE, g RANGE, h RANGE, i RANGE"),
              HasSubstr("at 'globalSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: Member "
                        "must have length less than or equal to 8"));
  EXPECT_THAT(Create({.attributes = "a S, b S, c S, d S",
                      .keys = "a HASH, b RANGE",
                      .more = Locals(Index("local", "a HASH, c RANGE, d RANGE"))}),
              HasSubstr("at 'localSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: Member "
                        "must have length less than or equal to 2"));
}

TEST_F(TableWishes, local_indexes_share_the_tables_hash_key) {
  const auto fault = [&](const std::string& locals, const std::string& keys = "a HASH, b RANGE") {
    return Create({.attributes = "a S, b S, c S", .keys = keys, .more = Locals(locals)});
  };
  EXPECT_EQ(fault(""), std::string(kInvalid) + "List of LocalSecondaryIndexes is empty");
  EXPECT_THAT(fault(Index("by-c", "a HASH, c RANGE"), "a HASH"),
              HasSubstr("Table KeySchema does not have a range key"));
  EXPECT_THAT(fault(Index("by-c", "a HASH")), HasSubstr("does not have a range key for index: by-c"));
  EXPECT_THAT(fault(Index("by-c", "b HASH, c RANGE")),
              HasSubstr("for index: by-c. index hash key: b, table hash key: a"));
  EXPECT_THAT(fault(Index("by-c", "a HASH, c RANGE") + "," + Index("by-c", "a HASH, c RANGE")),
              HasSubstr("Duplicate index name: by-c"));
  std::string six;
  for (int i = 0; i < 6; ++i) six += (i ? "," : "") + Index("by-" + std::to_string(i), "a HASH, c RANGE");
  EXPECT_THAT(fault(six), HasSubstr("Number of LocalSecondaryIndexes exceeds per-table limit of 5"));
  EXPECT_THAT(fault(Index("by-c", "a HASH, c RANGE")), StartsWith("{"));
}

TEST_F(TableWishes, global_indexes_are_bounded_and_project_the_named_attributes) {
  const auto fault = [&](const std::string& globals) {
    return Create({.attributes = "a S, b S", .more = Globals(globals)});
  };
  EXPECT_EQ(fault(""), std::string(kInvalid) + "List of GlobalSecondaryIndexes is empty");
  EXPECT_EQ(fault(Index("by-b", "b HASH", "{}")), std::string(kInvalid) + "Unknown ProjectionType: null");
  EXPECT_EQ(fault(Index("by-b", "b HASH", "{'ProjectionType':'ALL','NonKeyAttributes':['x']}")),
            std::string(kInvalid) + "ProjectionType is ALL, but NonKeyAttributes is specified");
  EXPECT_EQ(fault(Index("by-b", "b HASH", "{'ProjectionType':'INCLUDE'}")),
            std::string(kInvalid) + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  EXPECT_THAT(fault(Index("by-b", "b HASH", "{'ProjectionType':'INCLUDE','NonKeyAttributes':[]}")),
              HasSubstr("at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed"));
  EXPECT_THAT(fault(Index("by-b", "b HASH", "{'ProjectionType':'ALL'}",
                          ",'ProvisionedThroughput':{'ReadCapacityUnits':1,'WriteCapacityUnits':1}")),
              HasSubstr("ProvisionedThroughput should not be specified for index: by-b"));
  std::string many, wide;
  for (int i = 0; i < 21; ++i) many += (i ? "," : "") + Index("by-" + std::to_string(i), "b HASH");
  EXPECT_THAT(fault(many), HasSubstr("GlobalSecondaryIndex count exceeds the per-table limit of 20"));
  for (int i = 0; i < 6; ++i) {
    std::string names;
    for (int n = 0; n < 17; ++n)
      names += (n ? ",'" : "'") + std::string("n") + std::to_string(100 * i + n) + "'";
    wide += (i ? "," : "") + Index("by-" + std::to_string(i), "b HASH",
                                   "{'ProjectionType':'INCLUDE','NonKeyAttributes':[" + names + "]}");
  }
  EXPECT_THAT(fault(wide), HasSubstr("exceeds per-table limit of 100"));
}

TEST_F(TableWishes, streams_are_refused_and_tags_bounded) {
  EXPECT_THAT(Create({.more = "'StreamSpecification':{'StreamEnabled':true}"}),
              HasSubstr("Streams are not available"));
  EXPECT_THAT(Create({.more = "'Tags':[{'Key':'','Value':'x'}]"}),
              HasSubstr("at 'tags.1.member.key' failed"));
  std::string tags;
  for (int i = 0; i < 51; ++i) tags += (i ? "," : "") + std::string("{'Key':'k','Value':'v'}");
  EXPECT_THAT(Create({.more = "'Tags':[" + tags + "]"}), HasSubstr("at 'tags' failed"));
}

TEST_F(TableWishes, an_update_must_request_one_possible_change) {
  Create({.attributes = "a S"});
  EXPECT_THAT(api_.Ask("UpdateTable", "{'TableName':'notes'}"),
              StartsWith("ValidationException: At least one of ProvisionedThroughput, BillingMode"));
  EXPECT_THAT(Update("'BillingMode':'PROVISIONED'"), HasSubstr("ProvisionedThroughput must be specified"));
  EXPECT_THAT(Update("'ProvisionedThroughput':{'ReadCapacityUnits':1,'WriteCapacityUnits':1}"),
              HasSubstr("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified"));
  EXPECT_THAT(Update("'GlobalSecondaryIndexUpdates':[{}]"), HasSubstr("must not be null"));
  const auto create = [](const std::string& name, const std::string& keys) {
    return "{'Create':" + Index(name, keys) + "}";
  };
  const auto updates = [&](const std::string& attributes, const std::string& all) {
    return Update("'AttributeDefinitions':" + Pairs(attributes, "AttributeType") +
                  ",'GlobalSecondaryIndexUpdates':[" + all + "]");
  };
  EXPECT_THAT(updates("b S", create("by-c", "c HASH")), HasSubstr("not defined in AttributeDefinitions"));
  EXPECT_THAT(updates("b S", create("by-b", "b HASH") + "," + create("by-b", "b HASH")),
              HasSubstr("Only one global secondary index update per index"));
  EXPECT_THAT(updates("b S, c S", create("by-b", "b HASH") + "," + create("by-c", "c HASH")),
              StartsWith("LimitExceededException: Subscriber limit exceeded: Only 1 online index"));
  EXPECT_THAT(updates("a N", create("by-a", "a HASH")), HasSubstr("has another type"));
  EXPECT_THAT(Update("'GlobalSecondaryIndexUpdates':[{'Delete':{'IndexName':'none'}}]"),
              StartsWith("ResourceNotFoundException"));
  EXPECT_THAT(api_.Ask("UpdateTable", "{'TableName':'other','DeletionProtectionEnabled':true}"),
              StartsWith("ResourceNotFoundException: Requested resource not found: Table: other not found"));
}

}  // namespace
}  // namespace parley::gateway_test
