#include "threads/model/barriers.h"

#include "protocol/base/reason.h"
#include "threads/model/access.h"
#include "threads/model/card_kinds.h"
#include "threads/model/pair_reports.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {
namespace {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Ok;
using protocol::Reason;
using protocol::UserState;

Error SwitchedOff(const char* what) {
  return ErrorFor(Reason::kMessagingPaused, what);
}

protocol::Status RequireNotSilenced(const Barriers& barriers) {
  if (!barriers.silenced()) return Ok();
  Error error = ErrorFor(barriers.ends_in_ms ? Reason::kMutedForNow : Reason::kMuted,
                         "a moderator has taken the right to write away");
  error.retry_after_ms = barriers.ends_in_ms;
  return error;
}

protocol::Status RequireNoReport(const Standing& standing, const Caller& caller) {
  const bool reported = standing.barriers.reported || HoldsReport(standing.head);
  if (!reported || !IsParty(standing.head, caller.user)) return Ok();
  return ErrorFor(Reason::kSafetyReport, "a safety report is open");
}

}  // namespace

void Barriers::Add(const Sanction& sanction, protocol::Time now) {
  state = sanction.StateAt(now);
  if (state != UserState::kOk && sanction.until) ends_in_ms = sanction.until->ms - now.ms;
  strikes_reset_at = sanction.strikes_reset_at;
}

Error BlockedByUser() {
  return Error(ErrorCode::kMsgBlockedByUser, "the two do not write to each other");
}

// A project that is bound to a booking counts as live until the back end reports otherwise.
bool BlocksHoldIn(const ThreadRow& head) {
  const BlocksHold holds = TraitsOf(head.item.kind).blocks_hold;
  if (holds != BlocksHold::kUnlessBooked) return holds == BlocksHold::kAlways;
  const bool bound = head.is_booking() && (head.item.lbg_id || head.item.leg_id);
  const auto otherwise = bound ? protocol::BookingState::kLive : protocol::BookingState::kClosed;
  return head.hidden.booking.value.value_or(otherwise) == protocol::BookingState::kClosed;
}

protocol::Status RequireReadable(Messaging messaging) {
  if (messaging != Messaging::kDisabled) return Ok();
  return SwitchedOff("messaging is switched off");
}

protocol::Status RequireSwitchedOn(Messaging messaging) {
  PARLEY_CHECK_OK(RequireReadable(messaging));
  if (messaging == Messaging::kReadOnly) return SwitchedOff("messaging is read-only");
  return Ok();
}

protocol::Status RequireMayStart(const Barriers& barriers) {
  PARLEY_CHECK_OK(RequireSwitchedOn(barriers.messaging));
  return RequireNotSilenced(barriers);
}

protocol::Status RequireMayWrite(const Standing& standing, const Caller& caller, Writing what) {
  const Barriers& barriers = standing.barriers;
  PARLEY_CHECK_OK(RequireSwitchedOn(barriers.messaging));
  const bool content = what == Writing::kContent || what == Writing::kMessage;
  if (content || what == Writing::kMembers) PARLEY_CHECK_OK(RequireNotSilenced(barriers));
  PARLEY_CHECK_OK(RequireOpen(standing.head));
  if (!content) return Ok();
  // Before the check for blocks, so that the requester cannot tell a block from a declined request.
  PARLEY_CHECK_OK(RequireAccepted(standing, caller, what));
  if (barriers.blocked) return BlockedByUser();
  return RequireNoReport(standing, caller);
}

}  // namespace parley::threads
