// Drives the table engine in tests: a writer that is stepped, on a store that can be restarted, with a clock
// that only tests advance. Requests and results are short texts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/engine/item_check.h"
#include "storage/engine/item_reads.h"
#include "storage/engine/item_writer.h"
#include "storage/engine/item_writes.h"
#include "storage/engine/table_admin.h"
#include "tests/storage/backends.h"
#include "tests/storage/expressions/item_text.h"

namespace parley::storage {

class SceneClock final : public protocol::Clock {
 public:
  protocol::Time Now() const override { return {now_ms}; }
  int64_t MonotonicMs() const override { return monotonic_ms; }
  void Advance(int64_t ms) {
    now_ms += ms;
    monotonic_ms += ms;
  }
  int64_t now_ms = 1'762'351'927'123;  // 2025-11-05T14:12:07.123Z
  int64_t monotonic_ms = 5'000;
};

// Describes a table: "hash: pk S, range: sk N".
struct TableText {
  std::string name = "T";
  std::string hash = "pk S", range = "sk S";
  // "by-city: city S, age N"; local ones with the table's hash; "by-place: land S + city S, street S + n N"
  std::vector<std::string> indexes = {};
  std::string ttl = "ttl";
  std::vector<std::string> unique = {};  // attributes
  bool global_unique = false;
  TableDef::Owner owner = TableDef::Owner::kServices;
  bool images = true;
};
TableDefPtr TableFrom(const TableText& text);
IndexDef IndexFrom(std::string_view text, uint16_t number);

// A write as text: Put("T", `pk: "a"`).If("attribute_not_exists(pk)").
class WriteText {
 public:
  WriteText(WriteRequest::Kind kind, std::string table, std::string_view item);
  WriteText& Set(std::string_view update, std::string_view values = "", std::string_view names = "");
  WriteText& If(std::string_view condition, std::string_view values = "");
  WriteText& TellItem();
  WriteText& WithItem(Item item) {
    request_.item = std::move(item);
    return *this;
  }
  const WriteRequest& request() const { return request_; }

 private:
  WriteRequest request_;
};
WriteText Put(std::string table, std::string_view item);
WriteText Change(std::string table, std::string_view key, std::string_view update,
                 std::string_view values = "", std::string_view names = "");
WriteText Delete(std::string table, std::string_view key);
WriteText Check(std::string table, std::string_view key, std::string_view condition,
                std::string_view values = "");

// "ok", or the fault: "ConditionFailed", "TransactionCanceled [None, ConditionalCheckFailed]".
std::string TextOf(const MaybeFault& fault);

struct PageText {
  std::string table = "T", index = {};
  std::string key = {}, values = {};  // `pk = :p AND sk > :s`
  std::string filter = {}, filter_values = {};
  size_t limit = 0;
  bool forward = true;
  uint32_t segment = 0, segments = 1;
};

class ItemScene : public ItemAnswerSink {
 public:
  // `tables`: those that every tenant has.
  ItemScene(std::unique_ptr<StoreUnderTest> store, std::vector<TableDefPtr> tables);
  ItemScene(std::string_view backend, std::vector<TableDefPtr> tables)
      : ItemScene(MakeStore(backend), std::move(tables)) {}
  ~ItemScene() override;

  void Restart();

  // Decides and commits in a batch of its own.
  std::string Do(const WriteText& write);
  std::string Transact(const std::vector<WriteText>& writes, std::string_view token = "",
                       std::string_view digest = "d");
  std::string DoBatch(const std::vector<WriteText>& writes);
  // Decides all in one batch; returns the result of each.
  std::vector<std::string> DoTogether(const std::vector<WriteText>& writes);
  std::string Decide(std::function<MaybeFault(ItemTransaction&)> decide);
  // For tests of the batch itself: *answer is set when the answer is sent.
  void Submit(std::function<MaybeFault(ItemTransaction&)> decide, std::string* answer);
  void Submit(const WriteText& write, std::string* answer);
  size_t StepUntilIdle(size_t most = 1000);  // upkeep included, at most `most` steps

  // Returns "-" if the item is missing.
  std::string Get(std::string_view table, std::string_view key);
  // Returns one page, an item per element; `ask` describes the read.
  std::vector<std::string> Read(const PageText& ask, std::optional<Item> start = {}, ItemPage* page = {});
  // Returns all pages of `limit` items each, in order.
  std::vector<std::string> ReadAll(const PageText& ask);
  std::vector<std::string> Check(ItemCheckReport* report = nullptr);
  TableStats StatsOf(std::string_view table);
  // Log entries of items since the last call: "user T insert", with images `before -> after`.
  std::vector<std::string> TakeLog();
  // Writes a row that no engine would write.
  void Plant(const PartitionKey& partition, const SortKey& sort, std::optional<Row> row);
  std::vector<RowKey> Rows(TableTag tag);

  const TableDef& Def(std::string_view table);
  Table& table() { return store_->table(); }
  ItemWriter& writer() { return *writer_; }
  StoreUnderTest& store() { return *store_; }
  Catalog& catalog() { return *catalog_; }
  std::vector<std::string> expired;  // tables of the items that upkeep removed since the start
  SceneClock clock;
  TenantId tenant{"acme"};
  const std::vector<TableDefPtr> seeds;

 private:
  void OnItemAnswers(std::vector<ItemJob> done, const Status& status) override;

  std::unique_ptr<StoreUnderTest> store_;
  std::unique_ptr<protocol::Metrics> metrics_;
  std::unique_ptr<Committer> committer_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<ItemWriter> writer_;
  Position log_at_ = 0;
};

}  // namespace parley::storage
