// A projection keeps rows that are a pure function of threads' rows. The change log only says which threads
// to look at again; what is written is computed from the rows as they stand, never counted up, so doing it
// twice changes nothing.
//
// Guarantee (written here because this is where the cursor is): a projection's rows and its cursor are
// applied in one atomic write, so after a crash it goes on exactly where its rows are. Entries may be looked
// at again; none is skipped.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "storage/table.h"
#include "threads/change.h"
#include "threads/row_reader.h"

namespace parley::fanout {

using protocol::TenantId;
using protocol::ThreadId;
using protocol::UserId;

// What happened to one thread within a pass, all entries taken together: a hot thread is looked at once.
struct Dirty {
  threads::ChangeFlags changed = 0;
  std::set<UserId> personal;  // users with personal changes
  bool Has(threads::ChangeFlags any) const { return (changed & any) != 0; }
};
using DirtyThreads = std::map<std::pair<TenantId, ThreadId>, Dirty>;

// An inbox entry that changed, on its way to its owner's sessions.
struct EntryNotice {
  TenantId tenant;
  UserId user;
  ThreadId thread;
  std::string entry;       // wire bytes
  bool announced = false;  // personal, or a thread that is new to the user: no thread event implies it
};

struct Projected {
  std::vector<storage::DerivedWrite> writes;
  std::vector<EntryNotice> notices;
  std::optional<protocol::Time> wake;  // the earliest time among new rows that wait for the clock
};

class Projection {
 public:
  virtual ~Projection() = default;
  virtual std::string_view name() const = 0;  // names the cursor; on disk, never changes
  // A pass: Begin, then Project once for each thread, then Finish, all over one snapshot that shows
  // everything applied before. A pass that fails is begun again.
  virtual void Begin() {}
  // Adds to *out what the rows in `snapshot` ask for.
  virtual protocol::Status Project(const storage::Reader& snapshot, const TenantId& tenant,
                                   const ThreadId& thread, const Dirty& dirty, Projected* out) = 0;
  // Adds what only the whole pass tells.
  virtual protocol::Status Finish(const storage::Reader&, Projected*) { return protocol::Ok(); }
};

}  // namespace parley::fanout
