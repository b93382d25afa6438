#include "threads/engine/transaction.h"

#include "threads/model/thread_kinds.h"

namespace parley::threads {

Result<bool> Transaction::AreBlocked(const TenantId& tenant, const UserId& a, const UserId& b) {
  if (a == b) return false;
  PARLEY_TRY(one, Blocks(tenant, a, b));
  if (one) return true;
  return Blocks(tenant, b, a);
}

Result<bool> Transaction::PairBlocked(const TenantId& tenant, const ThreadRow& head) {
  const auto parties = PartiesOf(head.item);
  if (!parties || !BlocksHoldIn(head)) return false;
  return AreBlocked(tenant, parties->one, parties->other);
}

protocol::Status Transaction::GatherOwn(const Caller& caller, const ThreadId& thread,
                                        const std::optional<std::string>& city, Barriers* barriers) {
  if (!caller.user) return protocol::Ok();
  PARLEY_TRY(sanction, SanctionOf(caller.tenant, thread, *caller.user));
  const protocol::Time now = moment().now;
  barriers->state = sanction.StateAt(now);
  if (barriers->state != protocol::UserState::kOk && sanction.until)
    barriers->ends_in_ms = sanction.until->ms - now.ms;
  barriers->messaging = MessagingIn(caller.tenant, city);
  return protocol::Ok();
}

Result<Standing> Transaction::StandingOf(const Caller& caller, const ThreadId& thread) {
  PARLEY_TRY(standing, StandingAtDoor(caller, thread));
  PARLEY_CHECK_OK(RequireLetIn(caller, standing.head));
  return std::move(standing);
}

Result<Standing> Transaction::StandingAtDoor(const Caller& caller, const ThreadId& thread) {
  PARLEY_TRY(head, Thread(caller.tenant, thread));
  std::optional<ParticipantRow> me;
  if (head && caller.user) {
    PARLEY_TRY(row, Participant(caller.tenant, thread, *caller.user));
    me = std::move(row);
  }
  PARLEY_TRY(standing, RequireStanding(caller, std::move(head), std::move(me), moment().now));
  if (!standing.me) return std::move(standing);
  Barriers& barriers = standing.barriers;
  const auto& request = standing.head.hidden.request.value;
  barriers.request_over = request && request->expires_at <= moment().now;
  PARLEY_CHECK_OK(GatherOwn(caller, thread, standing.head.item.city, &barriers));
  if (IsParty(standing.head, caller.user)) {
    PARLEY_TRY(reported, PairReported(caller.tenant, standing.head));
    PARLEY_TRY(blocked, PairBlocked(caller.tenant, standing.head));
    barriers.reported = reported;
    barriers.blocked = blocked;
  }
  return std::move(standing);
}

}  // namespace parley::threads
