// The rows of the table engine, against storage/FORMAT.md, "Items": a vector for each key and value, and
// every possible truncation of a key.
#include "storage/engine/item_keys.h"

#include <gtest/gtest.h>

#include "protocol/base/encoding.h"
#include "storage/engine/expiry_upgrade.h"
#include "storage/engine/item_change.h"
#include "storage/engine/table_facts.h"
#include "storage/items/item_codec.h"
#include "tests/storage/engine/item_scene.h"

namespace parley::storage {
namespace {

const TenantId kAcme{"acme"};

using protocol::Hex;

std::string HexOfPart(const AttributeValue& value) {
  std::string part;
  AppendKeyPart(value, &part);
  return Hex(part);
}

const TableDefPtr kDef =
    TableFrom({.range = "sk N", .indexes = {"by-city: city S, age N"}, .unique = {"mail", "team"}});
const KeyValues kKey{AttributeValue("a"), AttributeValue::OfInt(10)};
const char kItemHex[] = "0111f36100018101020b00";

TEST(ItemKeyVectors, parts) {
  EXPECT_EQ(HexOfPart(AttributeValue(Number::Must("0"))), "80");
  EXPECT_EQ(HexOfPart(AttributeValue(Number::Must("1"))), "8101010b00");
  EXPECT_EQ(HexOfPart(AttributeValue(Number::Must("10"))), "8101020b00");
  EXPECT_EQ(HexOfPart(AttributeValue(Number::Must("-10"))), "7ffefdf4ff");
  EXPECT_EQ(HexOfPart(AttributeValue(Number::Must("0.5"))), "8101003300");
  EXPECT_EQ(HexOfPart(AttributeValue(Number::Must("12345"))), "8101050d233300");
  EXPECT_EQ(HexOfPart(AttributeValue(Number::Must("-0.001"))), "7fff01f4ff");
  EXPECT_EQ(HexOfPart(AttributeValue("a")), "610001");
  EXPECT_EQ(HexOfPart(Binary{std::string("a\0b", 3)}), "6100ff620001");
}

TEST(ItemKeyVectors, partitions) {
  EXPECT_EQ(Hex(TablePartition(kAcme, *kDef).bytes()), "61636d65000a542f3000");
  EXPECT_EQ(Hex(TokenPartition(kAcme).bytes()), "61636d65000a2f746f6b656e7300");
  EXPECT_EQ(Hex(DefinitionPartition().bytes()), "20656e67696e65000a2f7461626c657300");
  EXPECT_EQ(Hex(Erasures().bytes()), "20656e67696e65000a2f657261736500");
  EXPECT_EQ(Hex(Backfills().bytes()), "20656e67696e65000a2f6261636b66696c6c00");
  EXPECT_EQ(Hex(Retimings().bytes()), "20656e67696e65000a2f726574696d6500");
  EXPECT_EQ(Hex(RecordPartition("store").bytes()), "20656e67696e65000a2f73746f726500");
  EXPECT_EQ(Hex(FactsRecords().bytes()), "20656e67696e65000a2f666163747300");
  EXPECT_EQ(Hex(TableKeyRecords().bytes()), "20656e67696e65000a2f6b65797300");
  EXPECT_EQ(Hex(ExpiryPartition().bytes()), "20656e67696e65000b");
}

TEST(ItemKeyVectors, rows_of_a_table) {
  EXPECT_EQ(Hex(ItemKey(*kDef, kKey).bytes()), kItemHex);
  const KeyValues entry{AttributeValue("Rome"), AttributeValue::OfInt(-1)};
  EXPECT_EQ(Hex(EntryKey(*kDef, kDef->indexes[0], entry, kKey).bytes()),
            "020001e225526f6d6500017ffefef4ff6100018101020b00");
  const IndexDef several = IndexFrom("by-place: land S + city S, age N + name S", 1);
  KeyValues place{AttributeValue("IT"), AttributeValue::OfInt(-1)};
  place.more_hash = {"Rome"};
  place.more_range = {"x"};
  EXPECT_EQ(Hex(EntryKey(*kDef, several, place, kKey).bytes()),
            "020001e31549540001526f6d6500017ffefef4ff7800016100018101020b00");
  UniqueRule rule = kDef->unique[1];
  rule.attributes = {"mail", "team"};
  const auto guard = GuardOf(kAcme, *kDef, rule, ItemFrom(R"(mail: "m", team: 3)"));
  ASSERT_TRUE(guard);
  EXPECT_EQ(Hex(guard->sort.bytes()), "0300026d00018101011f00");
  EXPECT_EQ(Hex(StatsKey().bytes()), "04");
}

TEST(ItemKeyVectors, the_engines_own_rows) {
  const PartitionKey table = TablePartition(kAcme, *kDef);
  EXPECT_EQ(Hex(DefinitionKey(kAcme, "T").bytes()), "0561636d65005400");
  EXPECT_EQ(Hex(TokenKey("t-1").bytes()), "06742d3100");
  EXPECT_EQ(Hex(RecordKey("generation").bytes()), "0767656e65726174696f6e00");
  EXPECT_EQ(Hex(RecordKey("place").bytes()), "07706c61636500");
  EXPECT_EQ(Hex(FractionPlacesKey().bytes()), "076672616374696f6e2d706c6163657300");
  EXPECT_EQ(Hex(FactsKey(kAcme, "T").bytes()), "0761636d65005400");
  EXPECT_EQ(Hex(TableKeyRecordKey(kAcme, protocol::KeyText::UpToNul("PKAB")).bytes()),
            "0761636d6500504b414200");
  EXPECT_EQ(Hex(ErasureKey(table, "").bytes()), "0761636d6500ff0a542f3000ff0001");
  EXPECT_EQ(Hex(ErasureKey(table, IndexPrefix(kDef->indexes[0])).bytes()),
            "0761636d6500ff0a542f3000ff0001020001");
  EXPECT_EQ(Hex(BackfillKey(table, kDef->indexes[0]).bytes()), "0761636d6500ff0a542f3000ff000131");
  EXPECT_EQ(Hex(RetimingKey(table).bytes()), "0761636d6500ff0a542f3000ff0001");
  EXPECT_EQ(Hex(ExpiryKey(1'762'351'927, table, ItemKey(*kDef, kKey)).bytes()),
            "00000000690b5b3761636d6500ff0a542f3000ff0001" + std::string(kItemHex));
}

TEST(ItemKeyVectors, values) {
  EXPECT_EQ(Hex(EncodeItem(ItemFrom(R"(n: 5, s: "x", l: [true, null], set: ss("b", "a"))"))),
            "04016c060204010501"
            "6e02810101330001730101780373657408020161"
            "0162");
  EXPECT_EQ(Hex(EncodeStats({3, 300})), "03ac02");
  ItemChange change{kAcme, kDef, kKey, {}, ItemFrom(R"(pk: "a", sk: 10)"), ChangeReason::kUser};
  EXPECT_EQ(Hex(EncodeItemEntry({change})), "c1010a61636d65000a542f30000b" + std::string(kItemHex) +
                                                "010200100202706b01016102736b028101020b00");
}

TEST(ItemKeys, a_truncated_key_is_no_key) {
  const IndexDef& index = kDef->indexes[0];
  const PartitionKey table = TablePartition(kAcme, *kDef);
  const std::string item = ItemKey(*kDef, kKey).bytes();
  const std::string entry =
      EntryKey(*kDef, index, {AttributeValue("Rome"), AttributeValue::OfInt(-1)}, kKey).bytes();
  const std::string work = RetimingKey(table).bytes();
  KeyValues a, b;
  PartitionKey partition;
  std::string rest;
  for (size_t size = 0; size <= entry.size(); ++size) {
    const bool whole_item = size == item.size(), whole_entry = size == entry.size();
    EXPECT_EQ(ParseItemKey(*kDef, std::string_view(item).substr(0, size), &a),
              whole_item || size > item.size())
        << size;
    EXPECT_EQ(ParseEntryKey(*kDef, index, entry.substr(0, size), &a, &b), whole_entry) << size;
    EXPECT_EQ(ParseWorkKey(std::string_view(work).substr(0, size), &partition, &rest), size >= work.size())
        << size;
  }
  EXPECT_EQ(b, kKey);
  EXPECT_TRUE(ParseWorkKey(work + "1", &partition, &rest));
  EXPECT_EQ(partition, table);
  EXPECT_EQ(rest, "1");
  EXPECT_FALSE(ParseItemKey(*kDef, item + "x", &a));
  const std::string place = ExpiryKey(7, table, SortKey("x")).bytes();
  ExpiryEntry expiry;
  for (size_t size = 0; size < place.size(); ++size)
    EXPECT_FALSE(ParseExpiryKey(place.substr(0, size), &expiry)) << size;
  EXPECT_TRUE(ParseExpiryKey(place, &expiry));
  EXPECT_EQ(expiry.at_s, 7);
  EXPECT_EQ(expiry.partition, table.bytes());
}

}  // namespace
}  // namespace parley::storage
