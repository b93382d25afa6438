// Table keys in the store: the places of their rows, and their survival of the process.
#include "accounts/stored_table_keys.h"

#include <gmock/gmock.h>

#include "storage/engine/item_keys.h"
#include "storage/memory_table.h"

namespace parley::accounts {
namespace {

using storage::Status;
using testing::ElementsAre;
using testing::IsEmpty;

const protocol::TenantId kTenant{"acme"};

class FixedClock final : public protocol::Clock {
 public:
  protocol::Time Now() const override { return {1'795'348'800'000}; }
  int64_t MonotonicMs() const override { return 1; }
};

class StoredTableKeysTest : public testing::Test, private storage::ItemAnswerSink {
 protected:
  StoredTableKeysTest() { Restart(); }

  void Restart(size_t max_queued = 100) {
    keys_.reset();
    writer_.reset();
    committer_.reset();
    table_ = storage::OpenMemoryTable(disk_);
    metrics_ = std::make_unique<protocol::Metrics>();
    committer_ = std::make_unique<storage::Committer>(*table_);
    storage::ItemWriterSettings settings;
    settings.max_queued = max_queued;
    writer_ = std::make_unique<storage::ItemWriter>(*table_, *committer_, catalog_, clock_, settings,
                                                    static_cast<storage::ItemAnswerSink&>(*this), *metrics_);
    keys_ = std::make_unique<StoredTableKeys>(*table_, *writer_);
  }
  static AccessKeyId Id(char last) {
    return *AccessKeyId::FromText(std::string("PKTAAAAAAAAAAAAAAAA") + last);
  }
  TableKeyStore::Then Note(std::string what) {
    return [this, what](const Status& status) { said_.push_back(what + (status.ok() ? " ok" : " failed")); };
  }
  std::vector<std::string> List() {
    std::vector<std::string> out;
    const Status status = keys_->List([&](const TableKeyRow& row) {
      out.push_back(row.tenant.ToText() + " " + row.id.ToText().back() + " " + row.record);
    });
    EXPECT_TRUE(status.ok()) << status.detail;
    return out;
  }

  FixedClock clock_;
  std::shared_ptr<storage::MemoryDisk> disk_ = storage::NewMemoryDisk({"epoch-1", std::string(32, 's')});
  storage::Catalog catalog_{{}};
  std::unique_ptr<storage::MemoryTable> table_;
  std::unique_ptr<protocol::Metrics> metrics_;
  std::unique_ptr<storage::Committer> committer_;
  std::unique_ptr<storage::ItemWriter> writer_;
  std::unique_ptr<StoredTableKeys> keys_;
  std::vector<std::string> said_;

 private:
  void OnItemAnswers(std::vector<storage::ItemJob> done, const Status& status) override {
    for (storage::ItemJob& job : done) job.done(status);
  }
};

TEST_F(StoredTableKeysTest, exist_once_the_write_was_acknowledged) {
  keys_->Put({kTenant, Id('A'), "first"}, Note("A"));
  keys_->Put({kTenant, Id('B'), "b"}, Note("B"));
  keys_->Put({kTenant, Id('A'), "second"}, Note("A again"));
  EXPECT_THAT(said_, IsEmpty());
  EXPECT_THAT(List(), IsEmpty());
  writer_->Step();
  EXPECT_THAT(said_, ElementsAre("A ok", "B ok", "A again ok"));
  keys_->Put({protocol::TenantId{"other"}, Id('C'), "c"}, Note("C"));
  keys_->Remove(kTenant, Id('B'), Note("no B"));
  writer_->Step();
  Restart();
  EXPECT_THAT(List(), ElementsAre("acme A second", "other C c"));
  keys_->Remove(kTenant, Id('A'), Note("lost"));
  Restart();  // before the writer's turn
  EXPECT_THAT(List(), ElementsAre("acme A second", "other C c"));
}

TEST_F(StoredTableKeysTest, have_their_places_in_the_format) {
  keys_->Put({kTenant, Id('A'), "record"}, Note("A"));
  writer_->Step();
  std::vector<std::string> rows;
  ASSERT_TRUE(table_
                  ->ScanAll(storage::TableTag::kItems,
                            [&](const storage::PartitionKey& partition, const storage::SortKey& sort,
                                storage::RowView row) {
                              EXPECT_EQ(partition, storage::RecordPartition("keys"));
                              rows.push_back(sort.bytes() + "=" + std::string(row.payload));
                              return true;
                            })
                  .ok());
  EXPECT_THAT(rows, ElementsAre(std::string("\7acme\0PKTAAAAAAAAAAAAAAAAA\0=record", 34)));
}

TEST_F(StoredTableKeysTest, are_refused_at_once_if_too_many_writes_wait) {
  Restart(1);
  keys_->Put({kTenant, Id('A'), "a"}, Note("A"));
  keys_->Put({kTenant, Id('B'), "b"}, Note("B"));
  EXPECT_THAT(said_, ElementsAre("B failed"));
  writer_->Step();
  EXPECT_THAT(List(), ElementsAre("acme A a"));
}

TEST_F(StoredTableKeysTest, an_invalid_row_fails_the_list) {
  storage::CommitRequest request;
  request.partition = storage::TableKeyRecords();
  request.writes.push_back({storage::RecordKey("acme"), storage::Row{1, "x"}});
  std::vector<storage::CommitResult> results;
  ASSERT_TRUE(table_->Commit({&request, 1}, &results).ok());
  EXPECT_EQ(keys_->List([](const TableKeyRow&) {}).code, storage::StatusCode::kCorrupt);
}

}  // namespace
}  // namespace parley::accounts
