#include "threads/model/access.h"

#include "threads/model/card_kinds.h"
#include "threads/model/open_cards.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Ok;

Error NotMember() {
  return {ErrorCode::kThreadNotMember, "no such thread, or not one of its participants"};
}

bool MaySee(const Caller& caller, const protocol::Omit<UserId>& only_for) {
  if (!only_for.value || caller.is_staff() || caller.sees_all()) return true;
  return caller.user == only_for.value;
}

protocol::Result<Standing> RequireStanding(const Caller& caller, std::optional<ThreadRow> head,
                                           std::optional<ParticipantRow> me) {
  if (me && !me->active()) me.reset();
  if (!head) return NotMember();
  const bool case_lets_in = caller.is_staff() && caller.by_case && FindCase(*head);
  if (!me && !caller.sees_all() && !case_lets_in) return NotMember();
  return Standing{std::move(*head), std::move(me), false};
}

protocol::Status RequireParticipant(const Standing& standing) {
  if (standing.me) return Ok();
  return Error(ErrorCode::kForbidden, "only participants may do this");
}

protocol::Status RequirePermission(const Standing& standing, protocol::Permission needed) {
  PARLEY_CHECK_OK(RequireParticipant(standing));
  if (standing.me->item.permission >= needed) return Ok();
  return Error(ErrorCode::kForbidden, "the participant's permission does not reach that far");
}

protocol::Status RequireOpen(const ThreadRow& head) {
  switch (head.item.status) {
    case protocol::ThreadStatus::kOpen:
      return Ok();
    case protocol::ThreadStatus::kLocked:
      return Error(ErrorCode::kThreadLocked, "the thread is locked");
    case protocol::ThreadStatus::kArchived:
      return Error(ErrorCode::kThreadArchived, "the thread was archived by staff");
  }
  return Ok();
}

protocol::Status RequireProject(const ThreadRow& head) {
  if (TraitsOf(head.item.kind).panel) return Ok();
  return Error(ErrorCode::kForbidden, "only a project has cards and a panel");
}

bool MayManage(const Caller& caller, const Standing& standing) {
  if (caller.is_staff() || caller.is_service()) return true;
  if (!standing.me) return false;
  const KindTraits& traits = TraitsOf(standing.head.item.kind);
  if (traits.fixed) return false;
  const UserId& user = standing.me->item.user_id;
  if (standing.me->item.permission == protocol::Permission::kOwner) return true;
  // A group belongs to its owners; its creator may have been replaced.
  return traits.sides && (IsParty(standing.head, user) || user == standing.head.hidden.creator);
}

bool IsParty(const ThreadRow& head, const std::optional<UserId>& user) {
  const auto parties = PartiesOf(head.item);
  return user && parties && (*user == parties->one || *user == parties->other);
}

protocol::Status RequireNoSafetyReport(const Standing& standing, const Caller& caller,
                                       std::string_view type) {
  if (type == kSafety || type == kDispute) return Ok();
  const bool reported = standing.pair_reported || FindOpen(standing.head, kSafety);
  if (!reported || !IsParty(standing.head, caller.user)) return Ok();
  return Error(ErrorCode::kSafetySoftBlock, "a safety report is open");
}

}  // namespace parley::threads
