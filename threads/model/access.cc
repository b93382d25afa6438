#include "threads/model/access.h"

#include "protocol/base/reason.h"
#include "threads/model/open_cards.h"
#include "threads/model/requests.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Ok;
using protocol::Reason;

Error NotMember() {
  return {ErrorCode::kThreadNotMember, "no such thread, or not one of its participants"};
}

bool MaySee(const Caller& caller, const protocol::Omit<UserId>& only_for) {
  if (!only_for.value || caller.is_staff() || caller.sees_all()) return true;
  return caller.user == only_for.value;
}

protocol::Omit<UserId> OnlyForShadowed(const Barriers& barriers, const Caller& caller) {
  protocol::Omit<UserId> out;
  if (barriers.shadowed()) out.value = caller.user;
  return out;
}

protocol::Result<Standing> RequireStanding(const Caller& caller, std::optional<ThreadRow> head,
                                           std::optional<ParticipantRow> me, Time now) {
  if (me && !me->active()) me.reset();
  if (!head) return NotMember();
  Standing standing{std::move(*head), std::move(me), {}, false};
  if (standing.me || caller.sees_all()) return standing;
  if (!caller.is_staff() || !caller.by_case) return NotMember();
  const CaseAccess* access = FindCaseAccess(standing.head, caller.user, now);
  if (!access && !FindCase(standing.head)) return NotMember();
  standing.masked = !access || !access->escalated.value.value_or(false);
  return standing;
}

const CaseAccess* FindCaseAccess(const ThreadRow& head, const std::optional<UserId>& user, Time now) {
  const auto& list = head.hidden.case_access.value;
  if (!list || !user) return nullptr;
  const CaseAccess* found = nullptr;
  for (const CaseAccess& one : list->items) {
    if (one.user != *user || one.until <= now) continue;
    if (!found || one.escalated.value.value_or(false)) found = &one;
  }
  return found;
}

Caller ViewerOf(const Caller& caller, const Standing& standing) {
  Caller viewer = caller;
  viewer.masked = standing.masked;
  return viewer;
}

protocol::Status RequireParticipant(const Standing& standing) {
  if (standing.me) return Ok();
  return ErrorFor(Reason::kOnlyParticipants, "only participants may do this");
}

protocol::Status RequirePermission(const Standing& standing, protocol::Permission needed) {
  PARLEY_CHECK_OK(RequireParticipant(standing));
  if (standing.me->item.permission >= needed) return Ok();
  return ErrorFor(Reason::kPermissionTooLow, "the participant's permission does not reach that far");
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

protocol::Status RequireLetIn(const Caller& caller, const ThreadRow& head) {
  if (!caller.user || caller.is_staff() || !IsGated(head, *caller.user)) return Ok();
  return ErrorFor(Reason::kAnswerFirst, "accept the message request first");
}

protocol::Status RequireAccepted(const Standing& standing, const Caller& caller, Writing what) {
  const auto& request = standing.head.hidden.request.value;
  if (!request || request->state == protocol::RequestState::kAccepted) return Ok();
  const bool asks = caller.user == request->from;
  if (caller.is_staff() && !asks) return Ok();
  const bool waits = request->state == protocol::RequestState::kPending && !standing.barriers.request_over;
  if (asks && waits && what == Writing::kMessage && standing.head.item.last_msg_no == 0) return Ok();
  return ErrorFor(Reason::kNotAccepted, "the message request was not accepted");
}

protocol::Status RequireProject(const ThreadRow& head) {
  if (TraitsOf(head.item.kind).panel) return Ok();
  return ErrorFor(Reason::kOnlyProjects, "only a project has cards and a panel");
}

bool MayManage(const Caller& caller, const Standing& standing) {
  if (caller.is_staff() || caller.is_service()) return true;
  if (!standing.me) return false;
  const KindTraits& traits = TraitsOf(standing.head.item.kind);
  if (traits.fixed) return false;
  const UserId& user = standing.me->item.user_id;
  if (standing.me->item.permission == protocol::Permission::kOwner) return true;
  // Only owners manage a group; its creator may have been replaced.
  return traits.sides && (IsParty(standing.head, user) || user == standing.head.hidden.creator);
}

bool IsParty(const ThreadRow& head, const std::optional<UserId>& user) {
  const auto parties = PartiesOf(head.item);
  return user && parties && (*user == parties->one || *user == parties->other);
}

}  // namespace parley::threads
