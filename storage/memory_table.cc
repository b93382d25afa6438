#include "storage/memory_table.h"

#include <cassert>

#include "storage/memory_reader.h"

namespace parley::storage {
namespace {

using protocol::MutexLock;

bool Holds(const Precondition& condition, const Row* row) {
  switch (condition.kind) {
    case Precondition::Kind::kAbsent:
      return row == nullptr;
    case Precondition::Kind::kPresent:
      return row != nullptr;
    case Precondition::Kind::kVersionIs:
      return row != nullptr && row->version == condition.version;
  }
  return false;
}

class MemoryTableImpl final : public MemoryTable {
 public:
  explicit MemoryTableImpl(std::shared_ptr<MemoryDisk> disk)
      : disk_(*disk), session_(std::make_shared<MemorySession>(disk)) {
    MutexLock lock(&disk_.mutex);
    session_->generation = ++disk_.generation;
    // The previous owner of the disk is fenced off, and so are its snapshots. All that remains of it
    // survived, so it is on disk.
    disk_.pins.clear();
    disk_.MarkSynced();
  }

  const StoreIdentity& identity() const override { return disk_.identity; }

  Snapshot NewSnapshot() const override {
    MutexLock lock(&disk_.mutex);
    return std::make_unique<MemoryReader>(session_, Visible());
  }
  Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const override {
    return NewSnapshot()->Get(partition, sort, out);
  }
  Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const override {
    return NewSnapshot()->MultiGet(keys, out);
  }
  Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction, size_t limit,
              const RowVisitor& visit) const override {
    return NewSnapshot()->Scan(partition, range, direction, limit, visit);
  }
  Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const override {
    return NewSnapshot()->ScanAll(table, visit);
  }

  Status Commit(std::span<const CommitRequest> requests, std::vector<CommitResult>* results) override;
  Status Apply(std::span<const DerivedWrite> writes, std::string_view projection, Position cursor) override;
  Status ReadCursor(std::string_view projection, Position* out) const override;
  Status ReadLog(Position after, size_t limit, const LogVisitor& visit) const override;
  Position LastPosition() const override;
  Status TrimLog(Position through) override;
  std::string WriteFault() const override;

  void InjectFault(MemoryFault fault) override;
  void Crash(size_t kept_applies) override;
  size_t UnsyncedApplies() const override;
  size_t TakeRowsRead() override { return session_->rows_read.exchange(0); }

 private:
  // The visible state of a writer when its outcome became unknown.
  struct Frozen {
    std::string why;
    Sequence visible;
    Position last_position;
  };

  Sequence Visible() const REQUIRES(disk_.mutex) { return frozen_ ? frozen_->visible : disk_.last; }
  Position VisibleLast() const REQUIRES(disk_.mutex) {
    return frozen_ ? frozen_->last_position : disk_.LastPosition();
  }
  Status Writable() const REQUIRES(disk_.mutex);
  Status FailWith(MemoryFault fault, std::span<const CommitRequest> requests) REQUIRES(disk_.mutex);
  std::vector<CommitResult> CommitGroup(std::span<const CommitRequest> requests) REQUIRES(disk_.mutex);
  CommitResult CommitOne(const CommitRequest& request, Sequence at) REQUIRES(disk_.mutex);

  MemoryDisk& disk_;
  const std::shared_ptr<MemorySession> session_;
  std::optional<Frozen> frozen_ GUARDED_BY(disk_.mutex);
  MemoryFault next_fault_ GUARDED_BY(disk_.mutex) = MemoryFault::kNone;
};

Status MemoryTableImpl::Writable() const {
  if (session_->generation != disk_.generation) return ClosedStatus();
  if (frozen_) return {StatusCode::kUnavailable, frozen_->why};
  return {};
}

CommitResult MemoryTableImpl::CommitOne(const CommitRequest& request, Sequence at) {
  assert(request.partition.table() != TableTag::kStore);
  for (const Precondition& condition : request.preconditions) {
    const SharedRow row = disk_.rows.Find(RowKeyBytes(request.partition, condition.sort), at);
    if (Holds(condition, row.get())) continue;
    return {StatusCode::kConditionFailed, 0, row ? std::optional(*row) : std::nullopt};
  }
  for (const RowWrite& write : request.writes) {
    disk_.rows.Put(RowKeyBytes(request.partition, write.sort), at, write.row, disk_.Horizon());
    disk_.last = at;
  }
  if (request.log_entry.empty()) return {};
  disk_.log.push_back(request.log_entry);
  disk_.last = at;
  return {StatusCode::kOk, disk_.LastPosition(), std::nullopt};
}

std::vector<CommitResult> MemoryTableImpl::CommitGroup(std::span<const CommitRequest> requests) {
  const Sequence at = disk_.last + 1;
  std::vector<CommitResult> results;
  results.reserve(requests.size());
  for (const CommitRequest& request : requests) results.push_back(CommitOne(request, at));
  if (disk_.last == at) disk_.MarkSynced();  // a group that writes nothing syncs nothing
  return results;
}

Status MemoryTableImpl::FailWith(MemoryFault fault, std::span<const CommitRequest> requests) {
  frozen_ = Frozen{"a commit failed (injected)", disk_.last, disk_.LastPosition()};
  disk_.pins.insert(frozen_->visible);
  if (fault == MemoryFault::kCommitFails) return {StatusCode::kUnavailable, frozen_->why};
  frozen_->why = "the outcome of a commit is unknown (injected)";
  if (fault == MemoryFault::kCommitUnknownKept) CommitGroup(requests);
  return {StatusCode::kUnknown, frozen_->why};
}

Status MemoryTableImpl::Commit(std::span<const CommitRequest> requests, std::vector<CommitResult>* results) {
  results->clear();
  MutexLock lock(&disk_.mutex);
  if (Status status = Writable(); !status.ok()) return status;
  if (const MemoryFault fault = std::exchange(next_fault_, MemoryFault::kNone); fault != MemoryFault::kNone) {
    return FailWith(fault, requests);
  }
  *results = CommitGroup(requests);
  return {};
}

Status MemoryTableImpl::Apply(std::span<const DerivedWrite> writes, std::string_view projection,
                              Position cursor) {
  MutexLock lock(&disk_.mutex);
  if (Status status = Writable(); !status.ok()) return status;
  const Sequence at = ++disk_.last;
  for (const DerivedWrite& write : writes) {
    assert(write.partition.table() != TableTag::kStore);
    disk_.rows.Put(RowKeyBytes(write.partition, write.sort), at, write.row, disk_.Horizon());
  }
  disk_.rows.Put(CursorKey(projection), at, Row{1, EncodePosition(cursor)}, disk_.Horizon());
  disk_.unsynced.push_back(at);
  return {};
}

Status MemoryTableImpl::ReadCursor(std::string_view projection, Position* out) const {
  MutexLock lock(&disk_.mutex);
  if (session_->generation != disk_.generation) return ClosedStatus();
  const SharedRow row = disk_.rows.Find(CursorKey(projection), Visible());
  *out = row ? *DecodePosition(row->payload) : 0;
  return {};
}

Status MemoryTableImpl::ReadLog(Position after, size_t limit, const LogVisitor& visit) const {
  constexpr size_t kPortion = 256;
  while (limit > 0) {
    std::vector<std::string> entries;
    Position first = 0;
    {
      MutexLock lock(&disk_.mutex);
      if (session_->generation != disk_.generation) return ClosedStatus();
      first = std::max(after, disk_.trimmed) + 1;
      const size_t portion = std::min(kPortion, limit);
      for (Position at = first; at <= VisibleLast() && entries.size() < portion; ++at) {
        entries.push_back(disk_.log[at - disk_.trimmed - 1]);
      }
    }
    if (entries.empty()) return {};
    for (size_t i = 0; i < entries.size(); ++i) {
      if (!visit(first + i, entries[i])) return {};
    }
    limit -= entries.size();
    after = first + entries.size() - 1;
  }
  return {};
}

Position MemoryTableImpl::LastPosition() const {
  MutexLock lock(&disk_.mutex);
  return VisibleLast();
}

Status MemoryTableImpl::TrimLog(Position through) {
  MutexLock lock(&disk_.mutex);
  if (Status status = Writable(); !status.ok()) return status;
  through = std::min(through, disk_.LastPosition());
  for (; disk_.trimmed < through; ++disk_.trimmed) disk_.log.pop_front();
  // Synced, as in RocksDB: if the entries were removed and the cursors beyond them lost, no projection could
  // catch up.
  disk_.MarkSynced();
  return {};
}

std::string MemoryTableImpl::WriteFault() const {
  MutexLock lock(&disk_.mutex);
  return Writable().detail;
}

void MemoryTableImpl::InjectFault(MemoryFault fault) {
  MutexLock lock(&disk_.mutex);
  next_fault_ = fault;
}

void MemoryTableImpl::Crash(size_t kept_applies) {
  MutexLock lock(&disk_.mutex);
  if (session_->generation != disk_.generation) return;
  if (kept_applies < disk_.unsynced.size()) {
    disk_.last = kept_applies == 0 ? disk_.durable : disk_.unsynced[kept_applies - 1];
    disk_.rows.RollBack(disk_.last);
  }
  disk_.pins.clear();
  disk_.MarkSynced();
  ++disk_.generation;  // ends this table and its snapshots
}

size_t MemoryTableImpl::UnsyncedApplies() const {
  MutexLock lock(&disk_.mutex);
  return disk_.unsynced.size();
}

}  // namespace

std::shared_ptr<MemoryDisk> NewMemoryDisk(StoreIdentity identity) {
  return std::make_shared<MemoryDisk>(std::move(identity));
}

std::unique_ptr<MemoryTable> OpenMemoryTable(std::shared_ptr<MemoryDisk> disk) {
  return std::make_unique<MemoryTableImpl>(std::move(disk));
}

std::unique_ptr<MemoryTable> NewMemoryTable() {
  return OpenMemoryTable(NewMemoryDisk({"ep_memory", std::string(32, 's')}));
}

}  // namespace parley::storage
