#include <rocksdb/listener.h>

#include <atomic>
#include <filesystem>

#include "storage/epoch.h"
#include "storage/origin.h"
#include "storage/rocksdb_probe.h"
#include "storage/rocksdb_table_impl.h"
#include "storage/rocksdb_testing.h"
#include "storage/row_format.h"
#include "storage/store_modes.h"
#include "storage/store_rows.h"

namespace parley::storage {
namespace {

// Stops writes after a failed flush or compaction; RocksDB would queue them until it stalls permanently.
class BackgroundFaults final : public rocksdb::EventListener {
 public:
  explicit BackgroundFaults(std::shared_ptr<WriteFaultLatch> fault) : fault_(std::move(fault)) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override {
    using Reason = rocksdb::BackgroundErrorReason;
    if (reason == Reason::kWriteCallback || reason == Reason::kMemTable)
      return;  // the writer sees this
               // error directly
    fault_->Set("RocksDB's background work failed: " + error->ToString());
  }
  // Prevents automatic retries. If the disk was full, RocksDB retries in spite of
  // max_bgerror_resume_count.
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason, rocksdb::Status, bool* auto_recovery) override {
    *auto_recovery = false;
  }

 private:
  const std::shared_ptr<WriteFaultLatch> fault_;
};

// Keeps the WAL's files in order on the disk. A full memtable begins a new file, and of two files with
// unsynced writes the newer one may reach the disk first: after a power cut, the cursor of a later apply
// would be on disk without the rows of an earlier one. RocksDB syncs the older file when it flushes the
// memtable, which is later.
class WalOrder final : public rocksdb::EventListener {
 public:
  explicit WalOrder(std::shared_ptr<WriteFaultLatch> fault) : fault_(std::move(fault)) {}

  void Watch(rocksdb::DB* db) { db_.store(db); }
  // On the writer's thread, after the new file was created and before anything is written to it.
  void OnMemTableSealed(const rocksdb::MemTableInfo&) override {
    rocksdb::DB* const db = db_.load();
    if (db == nullptr) return;  // the store is being opened: there are no writes
    const rocksdb::Status synced = db->SyncWAL();
    if (!synced.ok()) fault_->Set("a sync failed: " + synced.ToString());
  }

 private:
  const std::shared_ptr<WriteFaultLatch> fault_;
  std::atomic<rocksdb::DB*> db_ = nullptr;
};

// One opening, step by step; each step returns an error or nothing.
class Opening {
 public:
  Opening(const RocksdbSettings& settings, rocksdb::Env* env)
      : settings_(settings), env_(env), lock_(std::make_shared<StoreLock>(settings.dir, env)) {}

  std::optional<OpenError> Run() {
    if (auto error = Look()) return error;
    if (auto error = settings_.read_only ? OpenToRead() : OpenToWrite()) return error;
    if (auto error = ReadMeta()) return error;
    if (const Status status = ReadLogState(*database_, &log_); !status.ok()) {
      return DamagedStore(settings_.dir, status.detail);
    }
    return std::nullopt;
  }
  const StoreIdentity& identity() const { return meta_->identity; }
  // Replaces the epoch that was read.
  std::optional<OpenError> ChangeEpoch(const std::string& epoch) {
    meta_->identity.epoch = epoch;
    return WriteMeta();
  }
  std::unique_ptr<Table> TakeTable() {
    return std::make_unique<RocksdbTable>(std::move(database_), std::move(fault_), meta_->identity, log_);
  }

 private:
  std::optional<OpenError> Look();
  std::optional<OpenError> OpenToRead();
  std::optional<OpenError> OpenToWrite();
  std::optional<OpenError> ReadMeta();
  std::optional<OpenError> WriteMeta();

  const RocksdbSettings& settings_;
  rocksdb::Env* const env_;
  const std::shared_ptr<StoreLock> lock_;
  std::optional<StoreMeta> meta_;
  std::unique_ptr<Database> database_ = std::make_unique<Database>();
  std::shared_ptr<WriteFaultLatch> fault_ = std::make_shared<WriteFaultLatch>();
  RocksdbTable::LogState log_;
};

std::optional<OpenError> Opening::Look() {
  DirectoryState state = DirectoryState::kFresh;
  if (auto error = InspectDirectory(settings_, &state)) return error;
  if (state == DirectoryState::kStore) {
    if (auto error = lock_->Take(settings_.read_only)) return error;
    if (auto error = ProbeStore(settings_.dir, env_, &meta_)) return error;
  }
  if (meta_ || (settings_.create_if_missing && !settings_.read_only)) return std::nullopt;
  return OpenError{OpenFault::kMissing, "there is no store in " + settings_.dir + "."};
}

// Keeps the lock while the table is open, otherwise a writer would delete files that the reader uses.
std::optional<OpenError> Opening::OpenToRead() {
  rocksdb::DBOptions options = DatabaseOptions(settings_, env_);
  options.create_if_missing = options.create_missing_column_families = false;
  database_->lock = lock_;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened = rocksdb::DB::OpenForReadOnly(
      options, settings_.dir, FamilyDescriptors(settings_), &database_->handles, &db);
  database_->db.reset(db);
  if (!opened.ok()) return DescribeOpenFailure(settings_.dir, opened);
  fault_->Set("the store was opened to be read");
  return std::nullopt;
}

std::optional<OpenError> Opening::OpenToWrite() {
  if (auto error = MakePrivate(settings_.dir)) return error;
  const LeftoverTables leftovers(settings_.dir);
  lock_->Release();  // RocksDB takes it itself
  rocksdb::DBOptions options = DatabaseOptions(settings_, env_);
  const auto order = std::make_shared<WalOrder>(fault_);
  options.listeners = {std::make_shared<BackgroundFaults>(fault_), order};
  rocksdb::DB* db = nullptr;
  const rocksdb::Status opened =
      rocksdb::DB::Open(options, settings_.dir, FamilyDescriptors(settings_), &database_->handles, &db);
  database_->db.reset(db);
  if (!opened.ok()) {
    if (!lock_->Take(/*read_only=*/false)) leftovers.Remove();
    return DescribeOpenFailure(settings_.dir, opened);
  }
  order->Watch(db);
  if (meta_) return std::nullopt;
  meta_ = NewStoreMeta();
  return WriteMeta();
}

// The inspection before the opening read the files only; a change of epoch may be in the WAL.
std::optional<OpenError> Opening::ReadMeta() {
  std::optional<Row> row;
  const Status status = ReadRow(*database_, {}, Family::kRows, MetaKey(), &row);
  const auto meta = row ? DecodeMeta(row->payload) : std::nullopt;
  if (!status.ok() || !meta) return DamagedStore(settings_.dir, "META cannot be read");
  meta_ = meta;
  return std::nullopt;
}

// In one synced batch, then flushed: ProbeStore() searches META in the files before it replays a WAL for it.
std::optional<OpenError> Opening::WriteMeta() {
  rocksdb::WriteOptions synced;
  synced.sync = true;
  rocksdb::ColumnFamilyHandle* const family = database_->family(Family::kRows);
  rocksdb::Status written =
      database_->db->Put(synced, family, MetaKey(), EncodeRowHead(1) + EncodeMeta(*meta_));
  if (written.ok()) written = database_->db->Flush(rocksdb::FlushOptions(), family);
  if (!written.ok()) return DescribeOpenFailure(settings_.dir, written);
  return std::nullopt;
}

}  // namespace

std::variant<std::unique_ptr<Table>, OpenError> OpenRocksdbOn(const RocksdbSettings& settings,
                                                              rocksdb::Env* env) {
  Opening opening(settings, env);
  if (auto error = opening.Run()) return *std::move(error);
  return opening.TakeTable();
}

std::variant<std::unique_ptr<Table>, OpenError> OpenRocksdb(const RocksdbSettings& settings) {
  return OpenRocksdbOn(settings, rocksdb::Env::Default());
}

std::variant<EpochChange, OpenError> RenewEpoch(const std::string& dir) {
  const RocksdbSettings settings{.dir = dir, .create_if_missing = false};
  EpochChange change;
  {
    Opening opening(settings, rocksdb::Env::Default());
    if (auto error = opening.Run()) return *std::move(error);
    change = {opening.identity().epoch, NewStoreMeta().identity.epoch};
    if (auto error = opening.ChangeEpoch(change.after)) return *std::move(error);
  }
  if (const std::string why = WriteOrigin(dir, change.after); !why.empty())
    return OpenError{OpenFault::kOther, "the epoch is " + change.after + " now, but " + why};
  return change;
}

}  // namespace parley::storage
