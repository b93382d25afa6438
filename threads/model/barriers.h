// Collects the reasons that keep a caller from writing in a thread into one value, before the decision, and
// provides the one check that every writing command calls. Pure.
//
// A block applies between the two parties of a thread, in both directions, but not in groups and not while a
// booking of the two is live. A safety report applies in every thread of its two parties. Sanctions and the
// tenant's switches apply everywhere.
#pragma once

#include <optional>

#include "protocol/base/result.h"
#include "protocol/states.h"
#include "threads/model/caller.h"

namespace parley::threads {

struct Standing;
struct ThreadRow;

// The level of messaging that the tenant's switches allow.
enum class Messaging : uint8_t { kOpen, kReadOnly, kDisabled };

// A moderator's decision about a user.
struct Sanction {
  protocol::UserState state = protocol::UserState::kOk;
  std::optional<protocol::Time> until;  // null: until a moderator ends it
  // Strikes from before this time no longer count.
  std::optional<protocol::Time> strikes_reset_at = {};

  protocol::UserState StateAt(protocol::Time now) const {
    return until && *until <= now ? protocol::UserState::kOk : state;
  }
};

struct Barriers {
  bool reported = false;  // the caller is a party, and a safety report between the two is open in some thread
  bool blocked = false;   // the caller is a party, and a block between the two applies here
  bool request_over = false;  // the thread's request has expired, even if the clock has not yet written it
  Messaging messaging = Messaging::kOpen;
  protocol::UserState state = protocol::UserState::kOk;  // the caller's sanction, now
  std::optional<int64_t> ends_in_ms;                     // until the sanction ends by itself
  std::optional<protocol::Time> strikes_reset_at;        // the caller's strikes from before no longer count

  void Add(const Sanction& sanction, protocol::Time now);
  bool silenced() const {
    return state == protocol::UserState::kMuted || state == protocol::UserState::kSuspended;
  }
  // Only they and staff see the messages of a shadowed user, who does not notice.
  bool shadowed() const { return state == protocol::UserState::kShadow; }
};

// Whether blocks between the two parties apply in the thread; there may be no block.
bool BlocksHoldIn(const ThreadRow& head);

enum class Writing : uint8_t {
  kContent,  // content that the other side sees
  kMessage,  // a new message; a pending request allows one
  kReport,   // a safety report or a dispute, which no block or sanction prevents
  kMembers,  // adding or removing members
  kRemoval,  // removing one's own content
};

// UNAVAILABLE while the tenant's switches forbid writing, FORBIDDEN for a muted or suspended user,
// THREAD_LOCKED or THREAD_ARCHIVED, MSG_GATE_REQUIRED, MSG_BLOCKED_BY_USER (the same for both parties),
// SAFETY_SOFT_BLOCK.
protocol::Status RequireMayWrite(const Standing& standing, const Caller& caller,
                                 Writing what = Writing::kContent);
// The part of RequireMayWrite that does not depend on a thread, for a caller who starts one.
protocol::Status RequireMayStart(const Barriers& barriers);
protocol::Error BlockedByUser();
// RequireReadable: UNAVAILABLE if messaging is disabled, so that even reads fail. RequireSwitchedOn: also if
// it is read-only.
protocol::Status RequireReadable(Messaging messaging);
protocol::Status RequireSwitchedOn(Messaging messaging);

}  // namespace parley::threads
