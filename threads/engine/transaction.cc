#include "threads/engine/transaction.h"

namespace parley::threads {

Result<Barriers> Transaction::BarriersTo(const Caller& caller, const ThreadId& thread,
                                         const std::optional<std::string>& city) {
  if (!caller.user) return Barriers{};
  return AskIn(caller.tenant, thread, WriteBarriers{caller.user, city});
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
  const ThreadRow& row = standing.head;
  PARLEY_TRY(barriers, AskIn(caller.tenant, thread, WriteBarriers{caller.user, row.item.city, &row}));
  const auto& request = row.hidden.request.value;
  barriers.request_over = request && request->expires_at <= moment().now;
  if (IsParty(row, caller.user)) {
    PARLEY_TRY(reported, PairReported(caller.tenant, row));
    barriers.reported = reported;
  }
  standing.barriers = barriers;
  return std::move(standing);
}

}  // namespace parley::threads
