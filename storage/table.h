// Table: ordered rows in partitions, atomic conditional commits, idempotent applies, and the store-wide
// change log.
//
// Operation:   a partition is the unit of atomicity. Commit() changes partitions under preconditions and
//              appends one change-log entry per commit; Apply() writes derived rows (projections) together
//              with the projection's cursor.
// Durability:  when Commit() returns kOk, everything in it is on disk (synced) and survives a power cut.
//              Apply() has no sync of its own: after a crash its rows and its cursor are lost together or
//              kept together, never one without the other, and never while a commit that came before it is
//              lost.
// Visibility:  readers see a commit only after it is durable.
// Concurrency: reads from any thread; Commit(), Apply() and TrimLog() from any thread, serialised inside.
// Backends:    memory_table.h (first class, most tests), rocksdb_table.h (the default). One contract test
//              runs on both.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/key.h"

namespace parley::storage {

enum class StatusCode : uint8_t {
  kOk,
  kConditionFailed,  // a precondition failed; nothing was changed
  kThrottled,        // not now, nothing was changed; try again
  kUnknown,          // may or may not have happened: stop writing, reopen, check
  kUnavailable,      // did not happen: disk full, I/O error, closed; writes stay rejected until reopened
  kCorrupt,          // stored bytes are damaged
  kNotInMemory,      // the answer needs the disk; only from Reader::InMemory()
};
struct [[nodiscard]] Status {
  StatusCode code = StatusCode::kOk;
  std::string detail;  // for the log, never for a client
  bool ok() const { return code == StatusCode::kOk; }
};

// Place in the store-wide change log: 1, 2, 3 … without gaps; 0 is "before the first".
using Position = uint64_t;

// `version` counts the rewrites of a row, as its writer numbers them (for kVersionIs); `payload` is opaque at
// this level.
struct Row {
  uint64_t version = 1;
  std::string payload;
};
struct RowView {
  uint64_t version;
  std::string_view payload;  // valid during the visit only
};

struct RowKey {
  PartitionKey partition;
  SortKey sort;
};

enum class Direction : uint8_t { kForward, kReverse };

// Returns false to stop.
using RowVisitor = std::function<bool(std::string_view sort, RowView row)>;
using FullVisitor = std::function<bool(const PartitionKey& partition, const SortKey& sort, RowView row)>;
using LogVisitor = std::function<bool(Position position, std::string_view entry)>;

class Reader {
 public:
  virtual ~Reader() = default;
  // A missing row is nullopt, not an error.
  virtual Status Get(const PartitionKey& partition, const SortKey& sort, std::optional<Row>* out) const = 0;
  // out[i] belongs to keys[i].
  virtual Status MultiGet(std::span<const RowKey> keys, std::vector<std::optional<Row>>* out) const = 0;
  // At most `limit` rows of `range`, in order of the sort key or backwards.
  virtual Status Scan(const PartitionKey& partition, const SortRange& range, Direction direction,
                      size_t limit, const RowVisitor& visit) const = 0;
  // Every row of one table (across tenants) in key order, or of all tables except the store's own. For
  // verification.
  virtual Status ScanAll(std::optional<TableTag> table, const FullVisitor& visit) const = 0;
  // The same rows for callers that must not wait: a read that needs the disk or the network is kNotInMemory,
  // and rows visited before that are meaningless. Lives as long as this reader. A backend that is entirely in
  // memory returns itself.
  virtual const Reader& InMemory() const { return *this; }
};

// A frozen view of the whole store. Cheap; do not keep it for long. Must be destroyed before its table.
using Snapshot = std::unique_ptr<Reader>;

struct Precondition {
  enum class Kind : uint8_t { kAbsent, kPresent, kVersionIs };
  SortKey sort;
  Kind kind = Kind::kAbsent;
  uint64_t version = 0;  // for kVersionIs
};

struct RowWrite {
  SortKey sort;
  std::optional<Row> row;  // nullopt deletes
};

// One partition's changes, all or nothing.
struct CommitRequest {
  PartitionKey partition;
  std::vector<Precondition> preconditions;
  std::vector<RowWrite> writes;
  std::string log_entry;  // empty: not logged
};
struct CommitResult {
  StatusCode code = StatusCode::kOk;  // kOk or kConditionFailed
  Position position = 0;              // the log entry's, if any
  std::optional<Row> current;         // for kConditionFailed: the conflicting row
};

struct DerivedWrite {
  PartitionKey partition;
  SortKey sort;
  std::optional<Row> row;  // nullopt deletes
};

// Distinguishes this store from every other; made once when it is created.
struct StoreIdentity {
  std::string epoch;   // names the history; changes when a backup is restored
  std::string secret;  // 32 random bytes; other keys are derived from it
};

class Table : public Reader {
 public:
  virtual const StoreIdentity& identity() const = 0;
  virtual Snapshot NewSnapshot() const = 0;

  // Commits a group in order with one sync. Later requests see earlier ones (preconditions included). On kOk
  // results[i] is the result of requests[i]; otherwise treat no request as done (on kUnknown, some may be),
  // and from then on the table rejects writes with kUnavailable.
  virtual Status Commit(std::span<const CommitRequest> requests, std::vector<CommitResult>* results) = 0;

  // Writes derived rows and moves `projection`'s cursor to `cursor`, atomically.
  virtual Status Apply(std::span<const DerivedWrite> writes, std::string_view projection,
                       Position cursor) = 0;
  virtual Status ReadCursor(std::string_view projection, Position* out) const = 0;

  // Entries after `after`, oldest first, at most `limit`. Trimmed positions no longer exist: a read from
  // there starts at the first entry that is left.
  virtual Status ReadLog(Position after, size_t limit, const LogVisitor& visit) const = 0;
  virtual Position LastPosition() const = 0;  // durable
  // Removes entries up to and including `through`. REQUIRES: every projection's cursor is at or beyond it.
  virtual Status TrimLog(Position through) = 0;

  // No other process can write to this store while it is open. A writer may then omit a precondition that
  // guards only against other writers and that it knows to be true.
  virtual bool sole_writer() const { return false; }

  // The reason why writes are rejected; empty while they are accepted.
  virtual std::string WriteFault() const = 0;
};

}  // namespace parley::storage
