// Faults in declarations: each is rejected, and the message names its place.
#include "storage/declarations/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parley::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A declaration without faults; each test breaks it in one place.
const std::string kGood = R"({
  "system": "shop",
  "about": "A shop.",
  "tables": [{
    "name": "orders",
    "about": "Its orders.",
    "owner": "services",
    "keys": {"hash": {"name": "pk", "type": "S"}, "range": {"name": "sk", "type": "S"}},
    "indexes": [
      {"number": 1, "name": "by-state", "kind": "global", "hash": {"name": "state", "type": "S"}, "range": {"name": "total", "type": "N"}, "projection": "ALL"},
      {"number": 2, "name": "by-total", "kind": "local", "hash": {"name": "pk", "type": "S"}, "range": {"name": "total", "type": "N"}, "projection": "ALL"}
    ],
    "ttl": "expires",
    "items": [{
      "kind": "order",
      "hash": "SHOP#{shop}",
      "range": "ORDER#{id}",
      "parts": ["shop"],
      "attributes": [
        {"name": "id", "type": "S", "required": true},
        {"name": "state", "type": "S", "enum": ["open", "paid"], "default": "open"},
        {"name": "total", "type": "N", "min": 0, "max": "99.5"},
        {"name": "secret", "type": "S", "secret": true},
        {"name": "expires", "type": "N"}
      ],
      "derived": [{"name": "label", "pattern": "{state}#{id}", "when": {"attribute": "state", "is": ["paid"]}}]
    }],
    "unique": [{"number": 1, "attributes": ["label"]}],
    "patterns": [{"id": "SH-1", "what": "Read one", "how": "GetItem"}]
  }]
})";

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::vector<std::string> FaultsOf(const std::string& text) {
  SystemDef system;
  return LoadSystem("shop.json", text, &system);
}
std::vector<std::string> FaultsWith(const std::string& from, const std::string& to) {
  return FaultsOf(Replaced(kGood, from, to));
}

TEST(LoadSystem, reads_a_declaration) {
  SystemDef system;
  ASSERT_THAT(LoadSystem("shop.json", kGood, &system), IsEmpty());
  const TableDef& table = *system.tables.at(0);
  EXPECT_EQ(table.system, "shop");
  EXPECT_EQ(table.owner, TableDef::Owner::kServices);
  EXPECT_EQ(table.keys.range->name, "sk");
  ASSERT_EQ(table.indexes.size(), 2u);
  EXPECT_EQ(table.indexes[1].kind, IndexKind::kLocal);
  EXPECT_EQ(table.indexes[1].keys.range->type, AttributeType::kNumber);
  const ItemKind& kind = table.kinds.at(0);
  EXPECT_EQ(kind.attributes[1].fallback, AttributeValue("open"));
  EXPECT_EQ(kind.attributes[2].max, Number::Must("99.5"));
  EXPECT_EQ(kind.derived[0].when->one_of, std::vector<std::string>{"paid"});
  EXPECT_TRUE(table.IsSecret("secret"));
}

TEST(LoadSystem, gives_common_attributes_to_every_kind) {
  SystemDef system;
  ASSERT_THAT(LoadSystem("shop.json",
                         Replaced(kGood, "\"tables\"",
                                  "\"common\": [{\"name\": \"by\", \"type\": \"S\"}], \"tables\""),
                         &system),
              IsEmpty());
  EXPECT_EQ(system.tables.at(0)->kinds.at(0).attributes.back().name, "by");
}

TEST(LoadSystem, names_the_place_of_a_fault_of_form) {
  const std::string table = "shop.json: tables[0]: ";
  EXPECT_THAT(FaultsOf("{"), ElementsAre(HasSubstr("shop.json: ")));
  EXPECT_THAT(FaultsOf("[]"), ElementsAre("shop.json: must be an object"));
  EXPECT_THAT(FaultsWith("\"ttl\"", "\"tll\""), ElementsAre(table + "unknown member \"tll\""));
  EXPECT_THAT(FaultsWith("{\"name\": \"pk\", \"type\": \"S\"}", "{\"name\": \"pk\"}"),
              ElementsAre(table + "keys: hash: \"type\" must be one of B, N, S"));
  EXPECT_THAT(FaultsWith("\"number\": 2, ", ""), ElementsAre(table + "indexes[1]: no \"number\""));
  EXPECT_THAT(FaultsWith("\"number\": 2", "\"number\": 65536"),
              ElementsAre(table + "indexes[1]: \"number\" must be an integer from 1 to 65535",
                          table + "indexes[1]: no \"number\""));
  EXPECT_THAT(FaultsWith("\"owner\": \"services\"", "\"owner\": \"me\""),
              ElementsAre(table + "\"owner\" must be one of peripheral, services, tenant, view"));
  EXPECT_THAT(
      FaultsWith("\"max\": \"99.5\"", "\"max\": 99.5"),
      ElementsAre(table + "items[0]: attributes[2]: \"max\" must be an integer, or a number as text"));
  EXPECT_THAT(FaultsWith("\"how\": \"GetItem\"", "\"how\": \"\""),
              ElementsAre(table + "patterns[0]: \"how\" must be text, and not empty"));
}

TEST(LoadSystem, reports_every_fault_at_once) {
  std::string text = Replaced(kGood, "\"ttl\"", "\"tll\"");
  text = Replaced(text, "\"owner\": \"services\"", "\"owner\": \"me\"");
  EXPECT_EQ(FaultsOf(text).size(), 2u);
}

TEST(LoadSystem, refuses_duplicate_names_and_numbers) {
  const std::string table = "shop.json: tables[0] (orders): ";
  EXPECT_THAT(FaultsWith("by-total", "by-state"), ElementsAre(table + "index by-state is there twice"));
  EXPECT_THAT(FaultsWith("\"number\": 2", "\"number\": 1"),
              ElementsAre(table + "index number 1 is there twice"));
  EXPECT_THAT(FaultsWith("{\"name\": \"secret\"", "{\"name\": \"id\""),
              ElementsAre(table + "order: attribute id is there twice"));
  EXPECT_THAT(
      FaultsWith("{\"number\": 1, \"attributes\": [\"label\"]}",
                 "{\"number\": 1, \"attributes\": [\"label\"]}, {\"number\": 1, \"attributes\": [\"id\"]}"),
      ElementsAre(table + "unique rule number 1 is there twice"));
  EXPECT_THAT(
      FaultsWith("\"how\": \"GetItem\"}",
                 "\"how\": \"GetItem\"}, {\"id\": \"SH-1\", \"what\": \"Again\", \"how\": \"GetItem\"}"),
      ElementsAre("shop.json: pattern SH-1 is there twice"));
}

TEST(LoadSystem, refuses_impossible_indexes) {
  const std::string table = "shop.json: tables[0] (orders): ";
  EXPECT_THAT(FaultsWith("\"kind\": \"local\", \"hash\": {\"name\": \"pk\"",
                         "\"kind\": \"local\", \"hash\": {\"name\": \"id\""),
              ElementsAre(table + "index by-total: a local index has the table's hash key"));
  EXPECT_THAT(FaultsWith("\"hash\": {\"name\": \"state\"", "\"hash\": {\"name\": \"stat\""),
              ElementsAre(table + "index by-state: no item has the attribute stat"));
  EXPECT_THAT(FaultsWith("\"range\": {\"name\": \"total\", \"type\": \"N\"}",
                         "\"range\": {\"name\": \"total\", \"type\": \"S\"}"),
              ElementsAre(table + "index by-total: the key total has another type elsewhere",
                          table + "order: total has another type as a key"));
  EXPECT_THAT(FaultsWith("\"hash\": {\"name\": \"state\"", "\"hash\": {\"name\": \"secret\""),
              ElementsAre(table + "order: secret is a key and cannot be secret"));
}

TEST(LoadSystem, refuses_templates_with_unknown_names) {
  const std::string table = "shop.json: tables[0] (orders): ";
  EXPECT_THAT(FaultsWith("ORDER#{id}", "ORDER#{di}"),
              ElementsAre(table + "order: \"ORDER#{di}\" names no attribute and no part: di"));
  EXPECT_THAT(FaultsWith("ORDER#{id}", "ORDER#{id"),
              ElementsAre(table + "order: \"ORDER#{id\" is no template"));
  EXPECT_THAT(FaultsWith("ORDER#{id}", "{id}{state}"),
              ElementsAre(table + "order: \"{id}{state}\" is no template"));
  EXPECT_THAT(FaultsWith("SHOP#{shop}", "SHOP"), ElementsAre(table + "order: no key has the part shop"));
  EXPECT_THAT(FaultsWith("{state}#{id}", "{label}#{id}"),
              ElementsAre(table + "order: label is derived from itself"));
  EXPECT_THAT(FaultsWith("\"is\": [\"paid\"]", "\"is\": [\"lost\"]"),
              ElementsAre(table + "order: state is never lost"));
}

TEST(LoadSystem, refuses_rules_that_contradict_themselves) {
  const std::string table = "shop.json: tables[0] (orders): ";
  EXPECT_THAT(FaultsWith("\"default\": \"open\"", "\"default\": \"shut\""),
              ElementsAre(table + "order: state: \"default\" is not in \"enum\""));
  EXPECT_THAT(FaultsWith("\"default\": \"open\"", "\"default\": 1"),
              ElementsAre(table + "order: state: \"default\" is of another type"));
  EXPECT_THAT(FaultsWith("\"min\": 0", "\"min\": 100"),
              ElementsAre(table + "order: total: \"max\" is below \"min\""));
  EXPECT_THAT(FaultsWith("\"ttl\": \"expires\"", "\"ttl\": \"id\""),
              ElementsAre(table + "ttl: id must be N"));
  EXPECT_THAT(FaultsWith("\"ttl\": \"expires\"", "\"ttl\": \"gone\""),
              ElementsAre(table + "ttl: no item has the attribute gone"));
  EXPECT_THAT(FaultsWith("\"attributes\": [\"label\"]", "\"attributes\": [\"secret\"]"),
              ElementsAre(table + "unique rule 1: secret is secret"));
}

TEST(LoadSystem, refuses_ambiguous_kinds) {
  const std::string second =
      R"(, {"kind": "other", "hash": "SHOP#{id}", "range": "ORDER#{state}", "attributes": [
    {"name": "id", "type": "S"}, {"name": "state", "type": "S", "enum": ["lost"]}]})";
  const std::string end = "\"is\": [\"paid\"]}}]\n    }";
  EXPECT_THAT(FaultsWith(end, end + second), IsEmpty());
  EXPECT_THAT(FaultsWith(end, end + Replaced(second, "lost", "paid")),
              ElementsAre("shop.json: tables[0] (orders): items order and other cannot be distinguished"));
}

}  // namespace
}  // namespace parley::storage
