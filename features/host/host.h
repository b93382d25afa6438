// The server as features see it: one I/O thread's access to the store, the writers, the indexes and the
// clock. The gateway implements it. Features start here; they know no socket and no session.
//
// Thread contract: the first group of functions on any thread, the others on the host's thread, on which
// every callback runs, too.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "accounts/tenants/tenant.h"
#include "accounts/users/user_standing.h"
#include "protocol/ops/inbox.h"
#include "storage/engine/item_writer.h"
#include "storage/sealing/sealer.h"
#include "threads/engine/executor.h"
#include "threads/model/cursor.h"
#include "threads/model/read_context.h"
#include "threads/model/thread_kinds.h"
#include "threads/run/operation.h"

namespace parley::features {

struct ReadRoad;
class Service;

// The caller of reads that memory cannot answer. It gives each of them its turn.
class ColdReads {
 public:
  virtual ~ColdReads() = default;
  // Runs `read` on a thread of the pool and then `then` on the loop, or `then` alone if too many reads wait.
  // Runs neither if the caller disconnects.
  virtual void ReadCold(std::function<void(const storage::Reader&)> read, std::function<void()> then,
                        const ReadRoad& road) = 0;
  // Whether earlier reads of the same caller wait, so that this one must not overtake them.
  virtual bool MustWait() const = 0;
};

// Where a read waits if memory cannot answer it.
struct ReadRoad {
  std::weak_ptr<ColdReads> reads;
  bool has_turn = false;   // the caller's turn is taken already
  std::string owner = {};  // the tenant, for fairness; empty: unknown as yet
};

// A block between two users that begins or ends. Decisions are ordered by `order`, because different threads
// report them.
struct PairChange {
  protocol::TenantId tenant;
  threads::Parties pair;
  bool blocked = false;  // one of the two blocks the other
  uint64_t order = 0;
};

class Host {
 public:
  virtual ~Host() = default;

  // --- any thread
  virtual const protocol::Clock& clock() const = 0;
  virtual const storage::Sealer& sealer() const = 0;  // for secret attributes
  virtual accounts::TenantPtr FindTenant(const protocol::TenantId& tenant) const = 0;
  virtual threads::ReadContext ContextOf(const storage::Reader& reader,
                                         const threads::Caller& caller) const = 0;
  virtual const threads::CursorCodec& cursors() const = 0;
  // The service of the feature of this name; nullptr: the server has none. It outlives the host.
  virtual Service* FindService(std::string_view feature) const = 0;
  // Calls `done` on the host's thread.
  virtual void Post(std::function<void()> done) = 0;
  virtual size_t max_body_bytes() const = 0;
  // The tenant's rules, with the server's for those that it does not set.
  virtual threads::TenantRules RulesOf(const protocol::TenantId& tenant) const = 0;
  // The starts that inbox.counts reports; nullopt: they are not limited.
  virtual protocol::Result<std::optional<protocol::StartCount>> StartsOf(
      const threads::ReadContext& context) const = 0;
  // Numbers decisions about pairs; on the item writer's thread.
  virtual uint64_t NextPairChange() = 0;

  // --- the host's thread
  virtual protocol::IdSource& ids() = 0;
  virtual ReadRoad road(const protocol::TenantId& tenant) const = 0;
  // Runs `read` on a snapshot that is no older than this call, and then `then`: at once if memory has the
  // rows, otherwise later by `road`. `read` may run twice, and runs on a thread of the pool if it has to
  // wait; it has not run at all when `then` does if too many reads wait. `answers`: its result is an answer,
  // whose bytes count as held until `then` returns. Does not call `then` if the caller disconnects.
  virtual void Read(const ReadRoad& road, bool answers, std::function<void(const storage::Reader&)> read,
                    std::function<void()> then) = 0;
  // Writes a long answer, on a thread of the pool if it is `large`. `write` calls the function that it is
  // given after each part: the bytes so far then count against the budget of slow readers. Calls `then` with
  // the text, or with UNAVAILABLE if too many wait.
  using WriteText = std::function<void(std::string* text, const std::function<void()>& count)>;
  virtual void Compose(const protocol::TenantId& owner, bool large, WriteText write,
                       std::function<void(protocol::Result<std::string>)> then) = 0;
  // The server stops: it begins nothing new.
  virtual bool draining() const = 0;
  // Whether there is room for one more answer. If not, bytes held for slow readers are freed.
  virtual bool MakeRoom() = 0;
  virtual void Submit(threads::Job job) = 0;
  // Hands a decision to the item writer. Returns false, and leaves the job as it was, if too many wait.
  virtual bool SubmitItems(storage::ItemJob& job) = 0;
  // Calls `done` once every decision that an executor made before this call is committed.
  virtual void AfterDecisions(const protocol::TenantId& tenant, std::function<void()> done) = 0;
  // Calls `done(true)` once the indexes include everything acknowledged by now, and `done(false)` if one of
  // them is too late or has stopped.
  virtual void Await(threads::Waits indexes, std::function<void(bool)> done) = 0;
  virtual void Revoke(const protocol::TenantId& tenant, const accounts::SessionsToEnd& ends) = 0;
  // Blocks or sanctions have changed on disk: later decisions read them again.
  virtual void NotePeopleChanged() = 0;
  virtual void PublishPairChange(const PairChange& change) = 0;
  // Returns those of the tenant's `users` who are online.
  virtual std::set<protocol::UserId> OnlineOf(const protocol::TenantId& tenant,
                                              const std::vector<protocol::UserId>& users) const = 0;
};

}  // namespace parley::features
