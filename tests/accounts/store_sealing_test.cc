// The keys that seal a store's secrets: wrong and missing key files, rotation, and stores of earlier
// versions. The tests fill every place that contains a sealed secret; add new places here.
#include "accounts/store_sealing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "accounts/table_key.h"
#include "protocol/base/crypto.h"
#include "protocol/base/encoding.h"
#include "storage/declarations/load.h"
#include "storage/declarations/sealing.h"
#include "storage/engine/item_check.h"
#include "storage/engine/item_keys.h"
#include "storage/engine/item_transaction.h"
#include "storage/engine/sealing_record.h"
#include "storage/forwarding_table.h"
#include "storage/items/item_codec.h"
#include "storage/sealing/key_file.h"
#include "tests/storage/backends.h"
#include "tests/storage/temp_dir.h"

namespace parley::accounts {
namespace {

using storage::Binary;
using storage::Item;
using storage::Row;
using storage::Sealer;
using storage::SealingKey;
using storage::SealingKeyId;
using storage::TableDef;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const protocol::TenantId kSealedTenant{"acme"}, kOtherTenant{"other"};
constexpr size_t kItemsEach = 600;  // more than a batch

struct SecretPlace {
  const TableDef* def;
  std::string attribute;
};
std::vector<SecretPlace> AttributePlaces() {
  std::vector<SecretPlace> places;
  std::set<std::string> seen;  // several kinds of one table may have this attribute
  for (const storage::TableDefPtr& def : storage::SeedTables()) {
    for (const storage::ItemKind& kind : def->kinds) {
      for (const storage::AttributeRule& rule : kind.attributes) {
        if (rule.secret && seen.insert(def->name + "." + rule.name).second)
          places.push_back({&*def, rule.name});
      }
    }
  }
  return places;
}

// Seals a value like an earlier version, under the secret in the store.
Binary OfEarlierVersion(const SecretPlace& place, const std::string& store_secret, const std::string& value) {
  std::string plain = place.def->name + '\0' + place.attribute + '\0';
  storage::AppendValue(value, &plain);
  return {std::string("\xff"
                      "sealed\x01") +
          protocol::SealBytes(protocol::HmacSha256(store_secret, "secret attributes"), plain)};
}

// Fails every commit after the first few, like a power cut.
class CutTable final : public storage::ForwardingTable {
 public:
  CutTable(storage::Table& table, size_t commits) : ForwardingTable(&table), left_(commits) {}
  storage::Status Commit(std::span<const storage::CommitRequest> requests,
                         std::vector<storage::CommitResult>* results) override {
    if (left_ == 0) return {storage::StatusCode::kUnavailable, "the power is gone"};
    --left_;
    return ForwardingTable::Commit(requests, results);
  }
  bool is_cut() const { return left_ == 0; }

 private:
  size_t left_;
};

// Counts scans over all threads.
class WatchedTable final : public storage::ForwardingTable {
 public:
  explicit WatchedTable(storage::Table& table) : ForwardingTable(&table) {}
  storage::Status ScanAll(std::optional<storage::TableTag> tag,
                          const storage::FullVisitor& visit) const override {
    if (tag != storage::TableTag::kItems) ++searches_;
    return ForwardingTable::ScanAll(tag, visit);
  }
  size_t searches() const { return searches_; }

 private:
  mutable size_t searches_ = 0;
};

class StoreSealing : public testing::TestWithParam<std::string> {
 protected:
  storage::Table& table() { return store_->table(); }
  const std::string& secret() { return table().identity().secret; }

  void Write(const storage::PartitionKey& partition, std::vector<storage::RowWrite> writes) {
    storage::CommitRequest request{partition, {}, std::move(writes), {}};
    std::vector<storage::CommitResult> results;
    ASSERT_TRUE(table().Commit({&request, 1}, &results).ok());
  }

  // Fills every place with values of an earlier version; returns their number.
  size_t FillAsBefore(size_t each = 1) {
    size_t count = 0;
    std::map<storage::PartitionKey, std::vector<Item>> items;
    std::map<storage::PartitionKey, const TableDef*> defs;
    for (const SecretPlace& place : AttributePlaces()) {
      for (size_t i = 0; i < each; ++i) {
        Item item;
        item.Set(place.def->keys.hash.name, "p" + place.attribute + std::to_string(i));
        if (place.def->keys.range) item.Set(place.def->keys.range->name, "s");
        item.Set(place.attribute, OfEarlierVersion(place, secret(), "secret-of-" + place.attribute));
        const auto partition = storage::TablePartition(kSealedTenant, *place.def);
        items[partition].push_back(std::move(item));
        defs[partition] = place.def;
        ++count;
      }
    }
    for (auto& [partition, all] : items) WriteItems(partition, *defs[partition], all);
    return count + FillTableKeys();
  }
  void WriteItems(const storage::PartitionKey& partition, const TableDef& def, const std::vector<Item>& all) {
    std::vector<storage::RowWrite> writes;
    storage::TableStats stats;
    for (const Item& item : all) {
      writes.push_back(
          {storage::ItemKey(def, *storage::KeyOf(def.keys, item)), Row{1, storage::EncodeItem(item)}});
      stats = {stats.items + 1, stats.bytes + static_cast<int64_t>(storage::ItemSize(item))};
    }
    writes.push_back({storage::StatsKey(), Row{1, storage::EncodeStats(stats)}});
    Write(partition, std::move(writes));
  }
  size_t FillTableKeys() {
    TableKey key;
    key.tenant = kSealedTenant;
    key.id = *AccessKeyId::FromText("PKTABCDEFGHIJKLMNOP7");
    const std::string derived = protocol::HmacSha256(protocol::HmacSha256(secret(), "table key secrets"),
                                                     "acme/PKTABCDEFGHIJKLMNOP7");
    key.sealed_secret = protocol::SealBytes(derived, "the table secret");
    Write(storage::TableKeyRecords(),
          {{storage::TableKeyRecordKey(kSealedTenant, key.id.value), Row{1, EncodeTableKey(key)}}});
    return 1;
  }

  // The original of a redacted message: its whole row is sealed.
  void PutOriginal(const Sealer& sealer, const std::string& said) {
    const std::string place = kThread.bytes() + kOriginal.bytes();
    Write(kThread, {{kOriginal, Row{1, sealer.Seal(storage::SealPurpose::kAttributes, place, said)}}});
  }
  std::optional<std::string> OriginalOf(const Sealer& sealer) {
    std::optional<Row> row;
    EXPECT_TRUE(table().Get(kThread, kOriginal, &row).ok());
    return sealer.Open(storage::SealPurpose::kAttributes, kThread.bytes() + kOriginal.bytes(), row->payload);
  }
  const storage::PartitionKey kThread =
      storage::PartitionKey::OfUlid(kSealedTenant, storage::TableTag::kThreads, protocol::Ulid{});
  const storage::SortKey kOriginal{std::string(1, static_cast<char>(storage::ThreadTag::kOriginal)) + "m"};

  // "key count" of all sealed values, then the faults.
  std::vector<std::string> Counts(const Sealer& sealer) {
    SealedValues values;
    EXPECT_TRUE(CountSealedValues(table(), sealer, &values).ok());
    std::vector<std::string> out;
    for (const auto& [key, count] : values.by_key) out.push_back(key.ToText() + " " + std::to_string(count));
    if (values.open > 0) out.push_back("open " + std::to_string(values.open));
    if (values.damaged > 0) out.push_back("damaged " + std::to_string(values.damaged));
    return out;
  }
  std::vector<std::string> InUse() {
    std::vector<SealingKeyId> ids;
    EXPECT_TRUE(storage::ReadSealingRecord(table(), &ids).ok());
    std::vector<std::string> out;
    for (const SealingKeyId& id : ids) out.push_back(id.ToText());
    return out;
  }
  // Checks that every value opens to the original, and that the statistics agree.
  void ExpectAllThere(const Sealer& sealer) {
    for (const SecretPlace& place : AttributePlaces()) {
      Item key;
      key.Set(place.def->keys.hash.name, "p" + place.attribute + "0");
      if (place.def->keys.range) key.Set(place.def->keys.range->name, "s");
      std::optional<Row> row;
      ASSERT_TRUE(table()
                      .Get(storage::TablePartition(kSealedTenant, *place.def),
                           storage::ItemKey(*place.def, *storage::KeyOf(place.def->keys, key)), &row)
                      .ok());
      ASSERT_TRUE(row) << place.attribute;
      EXPECT_EQ(row->payload.find("secret-of"), std::string::npos);
      Item item;
      ASSERT_TRUE(storage::DecodeItem(row->payload, &item));
      EXPECT_TRUE(storage::OpenSecrets(*place.def, kSealedTenant, sealer, &item)) << place.attribute;
      EXPECT_EQ(*item.Find(place.attribute), storage::AttributeValue("secret-of-" + place.attribute));
    }
    for (const storage::TableDefPtr& def : storage::SeedTables()) ExpectStatistics(*def);
  }
  void ExpectStatistics(const TableDef& def) {
    storage::TableStats said, counted;
    ASSERT_TRUE(table()
                    .Scan(storage::TablePartition(kSealedTenant, def), storage::SortRange::All(),
                          storage::Direction::kForward, SIZE_MAX,
                          [&](std::string_view sort, storage::RowView row) {
                            Item item;
                            if (sort == storage::StatsKey().bytes()) {
                              EXPECT_TRUE(storage::DecodeStats(row.payload, &said));
                            } else if (storage::DecodeItem(row.payload, &item)) {
                              counted.bytes += static_cast<int64_t>(storage::ItemSize(item));
                            }
                            return true;
                          })
                    .ok());
    EXPECT_EQ(said.bytes, counted.bytes) << def.name;
  }
  void PutKeys(const std::vector<SealingKey>& keys) {
    std::ofstream out(path_, std::ios::trunc);
    for (const SealingKey& key : keys) out << "psk_" << protocol::Hex(key.bytes) << "\n";
    out.close();
    std::filesystem::permissions(path_, std::filesystem::perms(0600));
  }
  std::string WhyNot() {
    const auto opened = OpenSealing(table(), path_);
    const auto found = FindSealer(table(), path_);
    EXPECT_EQ(opened.ok(), found.ok());
    return opened.ok() ? "" : opened.error().message;
  }

  std::unique_ptr<storage::StoreUnderTest> store_ = storage::MakeStore(GetParam());
  storage::TempDir dir_;
  const std::string path_ = dir_.path() + "/sealing.key";
};
INSTANTIATE_TEST_SUITE_P(Backends, StoreSealing, testing::ValuesIn(storage::BackendNames()),
                         [](const auto& one) { return one.param; });

TEST_P(StoreSealing, a_new_store_gets_a_key_file_and_keeps_it) {
  const auto first = OpenSealing(table(), path_);
  ASSERT_TRUE(first.ok());
  EXPECT_TRUE(first->made_file);
  EXPECT_THAT(InUse(), ElementsAre(first->sealer.newest().ToText()));
  store_->Reopen();
  const auto second = OpenSealing(table(), path_);
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(second->made_file);
  EXPECT_EQ(second->sealer.newest(), first->sealer.newest());
}

TEST_P(StoreSealing, values_sealed_by_an_earlier_version_are_resealed_in_every_place) {
  const size_t count = FillAsBefore(GetParam() == "memory" ? kItemsEach : 3);
  EXPECT_THAT(AttributePlaces(), SizeIs(11)) << "and table keys";
  ASSERT_TRUE(FindSealer(table(), path_).ok()) << "it is readable without a file, as it was";
  EXPECT_THAT(Counts(*FindSealer(table(), path_)), ElementsAre("store " + std::to_string(count)));
  const auto opened = OpenSealing(table(), path_);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->values.resealed, count);
  const std::string id = opened->sealer.newest().ToText();
  EXPECT_THAT(Counts(opened->sealer), ElementsAre(id + " " + std::to_string(count)));
  EXPECT_THAT(InUse(), ElementsAre(id));
  ExpectAllThere(opened->sealer);
  EXPECT_TRUE(opened->sealer.StoreKey(storage::SealPurpose::kAttributes).empty())
      << "whoever has the store cannot seal for us any more";
}

TEST_P(StoreSealing, a_missing_file_is_refused_and_not_replaced) {
  const std::string id = OpenSealing(table(), path_)->sealer.newest().ToText();
  std::filesystem::remove(path_);
  EXPECT_THAT(WhyNot(), testing::AllOf(HasSubstr(path_), HasSubstr(id), HasSubstr("no file")));
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_FALSE(RotateSealing(table(), path_).ok());
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_THAT(InUse(), ElementsAre(id));
}

TEST_P(StoreSealing, the_file_of_another_store_is_refused_without_changes) {
  FillAsBefore();
  const auto opened = OpenSealing(table(), path_);
  const auto before = Counts(opened->sealer);
  const SealingKey other = SealingKey::Random();
  PutKeys({other});
  EXPECT_THAT(WhyNot(), testing::AllOf(HasSubstr(opened->sealer.newest().ToText()), HasSubstr(path_),
                                       HasSubstr("only " + other.id.ToText())));
  EXPECT_FALSE(RotateSealing(table(), path_).ok());
  EXPECT_EQ(Counts(opened->sealer), before);
  EXPECT_THAT(InUse(), ElementsAre(opened->sealer.newest().ToText()));
  EXPECT_EQ((*storage::ReadKeyFile(path_))->size(), 1u);
}

TEST_P(StoreSealing, rotation_reseals_everything_and_then_the_old_key_can_be_removed) {
  const size_t count = FillAsBefore();
  const auto first = OpenSealing(table(), path_);
  const auto rotated = RotateSealing(table(), path_);
  ASSERT_TRUE(rotated.ok());
  EXPECT_NE(rotated->sealer.newest(), first->sealer.newest());
  EXPECT_EQ(rotated->values.resealed, count);
  EXPECT_THAT(InUse(), ElementsAre(rotated->sealer.newest().ToText()));
  auto keys = **storage::ReadKeyFile(path_);
  ASSERT_EQ(keys.size(), 2u);
  PutKeys({keys[0]});
  store_->Reopen();
  const auto again = OpenSealing(table(), path_);
  ASSERT_TRUE(again.ok());
  ExpectAllThere(again->sealer);
  PutKeys({keys[1]});
  EXPECT_THAT(WhyNot(), HasSubstr(keys[0].id.ToText())) << "an older file, as with an old backup of it";
}

TEST_P(StoreSealing, originals_of_messages_are_resealed_too) {
  const auto first = OpenSealing(table(), path_);
  PutOriginal(first->sealer, "as it was said");
  EXPECT_THAT(Counts(first->sealer), ElementsAre(first->sealer.newest().ToText() + " 1"));
  const auto rotated = RotateSealing(table(), path_);
  ASSERT_TRUE(rotated.ok());
  EXPECT_EQ(rotated->values.resealed, 1u);
  PutKeys({(**storage::ReadKeyFile(path_))[0]});
  const auto again = OpenSealing(table(), path_);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(OriginalOf(again->sealer), "as it was said");
}

// Such a store has no originals, and the search would read all threads at the start.
TEST_P(StoreSealing, a_store_without_a_record_is_not_searched_for_originals) {
  FillAsBefore();
  WatchedTable watched(table());
  ASSERT_TRUE(OpenSealing(watched, path_).ok());
  EXPECT_EQ(watched.searches(), 0u);
  ASSERT_TRUE(RotateSealing(watched, path_).ok());
  EXPECT_GT(watched.searches(), 0u);
}

TEST_P(StoreSealing, a_first_key_installed_by_an_operator_is_used_at_the_next_start) {
  const size_t count = FillAsBefore();
  ASSERT_TRUE(OpenSealing(table(), path_).ok());
  const SealingKey old = (*storage::ReadKeyFile(path_))->front(), mine = SealingKey::Random();
  PutKeys({mine, old});
  const auto opened = OpenSealing(table(), path_);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->values.resealed, count);
  EXPECT_THAT(InUse(), ElementsAre(mine.id.ToText()));
}

// Cuts the rotation at every commit: the values open with the key file of that moment, the old key is
// required, and the next start continues.
TEST_P(StoreSealing, an_interrupted_rotation_is_finished_and_loses_nothing) {
  const size_t count = FillAsBefore(2);
  ASSERT_TRUE(OpenSealing(table(), path_).ok());
  for (size_t commits = 0;; ++commits) {
    const auto old = (*storage::ReadKeyFile(path_))->front();
    CutTable cut(table(), commits);
    const bool done = RotateSealing(cut, path_).ok();
    const auto keys = **storage::ReadKeyFile(path_);
    if (!done) {
      ASSERT_NE(keys.front().id, old.id);
      ExpectAllThere(*FindSealer(table(), path_));
      PutKeys({keys.front()});
      EXPECT_THAT(WhyNot(), HasSubstr(old.id.ToText())) << "after " << commits << " commits";
      PutKeys(keys);
    }
    store_->Reopen();
    const auto opened = OpenSealing(table(), path_);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    EXPECT_THAT(InUse(), ElementsAre(keys.front().id.ToText()));
    EXPECT_THAT(Counts(opened->sealer), ElementsAre(keys.front().id.ToText() + " " + std::to_string(count)));
    ExpectAllThere(opened->sealer);
    PutKeys({keys.front()});
    if (done) {
      EXPECT_GT(commits, 4u) << "it was cut in between, too";
      return;
    }
  }
}

TEST_P(StoreSealing, a_damaged_value_stays_and_retains_its_key) {
  const size_t count = FillAsBefore();
  const SecretPlace place = AttributePlaces().front();
  Item item;
  item.Set(place.def->keys.hash.name, "damaged");
  if (place.def->keys.range) item.Set(place.def->keys.range->name, "s");
  Binary sealed = OfEarlierVersion(place, secret(), "x");
  sealed.bytes.back() = static_cast<char>(sealed.bytes.back() ^ 1);
  item.Set(place.attribute, sealed);
  Write(storage::TablePartition(kOtherTenant, *place.def),
        {{storage::ItemKey(*place.def, *storage::KeyOf(place.def->keys, item)),
          Row{1, storage::EncodeItem(item)}}});
  const auto opened = OpenSealing(table(), path_);
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->values.damaged, 1u);
  const std::string id = opened->sealer.newest().ToText();
  EXPECT_THAT(Counts(opened->sealer),
              testing::UnorderedElementsAre("store 1", id + " " + std::to_string(count), "damaged 1"));
  EXPECT_THAT(InUse(), ElementsAre(id, "store"));
  const auto rotated = RotateSealing(table(), path_);
  ASSERT_TRUE(rotated.ok()) << "and is in no rotation's way";
  EXPECT_NE(rotated->sealer.newest().ToText(), id);
}

// A secret that was stored unsealed, in case that ever happened.
TEST_P(StoreSealing, an_unsealed_secret_is_counted_and_sealed) {
  const SecretPlace place = AttributePlaces().front();
  ASSERT_TRUE(OpenSealing(table(), path_).ok());
  Item item;
  item.Set(place.def->keys.hash.name, "p" + place.attribute + "0");
  if (place.def->keys.range) item.Set(place.def->keys.range->name, "s");
  item.Set(place.attribute, "secret-of-" + place.attribute);
  WriteItems(storage::TablePartition(kSealedTenant, *place.def), *place.def, {item});
  EXPECT_THAT(Counts(*FindSealer(table(), path_)), ElementsAre("open 1"));
  const auto rotated = RotateSealing(table(), path_);
  ASSERT_TRUE(rotated.ok());
  EXPECT_THAT(Counts(rotated->sealer), ElementsAre(rotated->sealer.newest().ToText() + " 1"));
}

}  // namespace
}  // namespace parley::accounts
