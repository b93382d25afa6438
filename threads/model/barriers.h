// What keeps somebody from writing in a thread, as a value that is gathered before the decision, and the one
// question that every command asks which writes. Pure.
//
// A block holds between the two parties of a thread, both ways, and not in groups, nor while a booking of the
// two is live. A safety report holds wherever both are parties. What moderators decided about a user, and the
// tenant's switches, hold everywhere.
#pragma once

#include <optional>

#include "protocol/base/result.h"
#include "protocol/ops/blocks.h"
#include "threads/model/caller.h"

namespace parley::threads {

struct Standing;
struct ThreadRow;

// What the tenant's switches leave of messaging.
enum class Messaging : uint8_t { kOpen, kReadOnly, kDisabled };

// What moderators decided about a user.
struct Sanction {
  protocol::UserState state = protocol::UserState::kOk;
  std::optional<protocol::Time> until;  // none: until somebody ends it
  // What the text policy found in their texts until then counts no more.
  std::optional<protocol::Time> strikes_reset_at = {};

  protocol::UserState StateAt(protocol::Time now) const {
    return until && *until <= now ? protocol::UserState::kOk : state;
  }
};

struct Barriers {
  bool reported = false;      // the caller is a party, and a safety report is open between the two somewhere
  bool blocked = false;       // the caller is a party, one of the two blocks the other, and that holds here
  bool request_over = false;  // the time of the thread's request is over, whether or not the clock has come
  Messaging messaging = Messaging::kOpen;
  protocol::UserState state = protocol::UserState::kOk;  // of the caller, now
  std::optional<int64_t> ends_in_ms;                     // when that ends by itself

  bool silenced() const {
    return state == protocol::UserState::kMuted || state == protocol::UserState::kSuspended;
  }
  // What they write reaches nobody else, and they are not told.
  bool shadowed() const { return state == protocol::UserState::kShadow; }
};

// Whether blocks between the two parties hold in the thread. It may have none.
bool BlocksHoldIn(const ThreadRow& head);

enum class Writing : uint8_t {
  kContent,  // something for the other side to see
  kMessage,  // the same: a new message, of which a request may have one
  kReport,   // the same, of a kind that nobody is kept from: a safety report, a dispute
  kMembers,  // who takes part
  kRemoval,  // what takes away one's own
};

// UNAVAILABLE while the tenant's switches say so, FORBIDDEN for whoever is muted or suspended, THREAD_LOCKED
// or THREAD_ARCHIVED, MSG_BLOCKED_BY_USER (the same for either of the two), SAFETY_SOFT_BLOCK.
protocol::Status RequireMayWrite(const Standing& standing, const Caller& caller,
                                 Writing what = Writing::kContent);
// The parts of it that do not depend on a thread: for those who start one.
protocol::Status RequireMayStart(const Barriers& barriers);
protocol::Error BlockedByUser();
// UNAVAILABLE where messaging is switched off, so that nothing is read either; or where it is read-only, too.
protocol::Status RequireReadable(Messaging messaging);
protocol::Status RequireSwitchedOn(Messaging messaging);

}  // namespace parley::threads
