// A projection keeps rows that are a pure function of threads' rows. The change log only names the threads to
// examine again; the projection computes from their current rows, so repeating it changes nothing. The
// exception is a count: the number of entries in each cell of an inbox is adjusted by the seats that the same
// pass moved (inbox_projection.h). That is safe because seats and counts are written together: a repeated
// pass finds the seat moved and changes nothing.
//
// Guarantee: a projection's rows and its cursor are applied in one atomic write, so after a crash it
// continues exactly after the entries that its rows include, except for rows written ahead
// (Projected::ahead), which are written again. Entries may be examined again; none is skipped.
//
// Thread contract: every method on the worker's thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fanout/projection_id.h"
#include "fanout/upkeep.h"
#include "storage/table.h"
#include "threads/model/change.h"
#include "threads/model/row_reader.h"

namespace parley::fanout {

using protocol::TenantId;
using protocol::ThreadId;
using protocol::UserId;

// The changes of one thread within a pass, merged from all log entries, so that a busy thread is examined
// once.
struct Dirty {
  threads::ChangeFlags changed = 0;
  std::set<UserId> personal;  // users with personal changes
  bool Has(threads::ChangeFlags any) const { return (changed & any) != 0; }
};
inline constexpr threads::ChangeFlags kEverything = ~threads::ChangeFlags{0};
using DirtyThreads = std::map<std::pair<TenantId, ThreadId>, Dirty>;

// An inbox entry that changed, on its way to its owner's sessions.
struct EntryNotice {
  TenantId tenant;
  UserId user;
  ThreadId thread;
  int64_t seq = 0;    // the thread's seq when it was computed
  std::string entry;  // wire bytes
  bool announced =
      false;  // no thread event implies it: a personal change, or a thread that is new to the user
};

struct Projected {
  // Writes that may precede the rest, piece by piece, so that commits need not wait for all of them.
  // Repeating the pass after a crash between any two pieces must lead to the same rows.
  std::vector<std::vector<storage::DerivedWrite>> ahead;
  std::vector<storage::DerivedWrite> writes;  // applied together with the cursor
  size_t rows() const {
    size_t count = writes.size();
    for (const auto& piece : ahead) count += piece.size();
    return count;
  }
  std::vector<EntryNotice> notices;
  std::optional<protocol::Time> wake;  // the earliest time among new rows that wait for the clock
};

class Projection {
 public:
  virtual ~Projection() = default;
  virtual ProjectionId id() const = 0;
  std::string_view name() const { return protocol::NameOf(id()); }  // names the cursor
  // The version of its rows. Increment it to have the rows of older releases rewritten (renewal.h).
  virtual int64_t version() const { return 1; }
  virtual bool notifies() const {
    return false;
  }  // true if its passes produce notices; only one projection's may
  // A pass: Begin, then Project once for each thread, then Finish, all over one snapshot that shows
  // everything applied before. A failed pass is repeated from Begin.
  virtual void Begin() {}
  // Adds to *out the writes that the rows in `snapshot` require. Returns INTERNAL if one of the thread's rows
  // cannot be read; the caller then discards *out and skips the thread, so nothing else may have changed.
  virtual protocol::Status Project(const storage::Reader& snapshot, const TenantId& tenant,
                                   const ThreadId& thread, const Dirty& dirty, Projected* out) = 0;
  // Rewrites the rows of the thread in `order`, regardless of their current places. This is a pass by itself.
  virtual protocol::Status Rebuild(const storage::Reader&, const RepairOrder&, Projected*) {
    return protocol::Ok();
  }
  // Adds the writes that depend on the whole pass.
  virtual protocol::Status Finish(const storage::Reader&, Projected*) { return protocol::Ok(); }
};

}  // namespace parley::fanout
