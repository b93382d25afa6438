#include "threads/model/read_context.h"

#include "threads/model/thread_kinds.h"

namespace parley::threads {

Result<Standing> StandingOf(const ReadContext& context, const ThreadId& thread) {
  const RowReader rows = context.rows();
  PARLEY_TRY(head, rows.Thread(thread));
  std::optional<ParticipantRow> me;
  if (head && context.caller.user) {
    PARLEY_TRY(row, rows.Participant(thread, *context.caller.user));
    me = std::move(row);
  }
  PARLEY_TRY(standing, RequireStanding(context.caller, std::move(head), std::move(me), context.now));
  PARLEY_CHECK_OK(RequireLetIn(context.caller, standing.head));
  if (standing.me && context.people)
    PARLEY_CHECK_OK(
        RequireReadable(context.people->MessagingIn(context.caller.tenant, standing.head.item.city)));
  return std::move(standing);
}

Result<bool> AreBlocked(const ReadContext& context, const UserId& a, const UserId& b) {
  if (!context.people || a == b) return false;
  return context.people->AreBlocked({context.snapshot, context.caller.tenant, context.now}, a, b);
}

Result<protocol::UserState> OwnState(const ReadContext& context) {
  if (!context.people || !context.caller.user) return protocol::UserState::kOk;
  PARLEY_TRY(sanction, context.people->SanctionOf({context.snapshot, context.caller.tenant, context.now},
                                                  *context.caller.user));
  return sanction.StateAt(context.now);
}

Result<bool> PairBlocked(const ReadContext& context, const ThreadRow& head) {
  const auto parties = PartiesOf(head.item);
  if (!parties || !BlocksHoldIn(head)) return false;
  return AreBlocked(context, parties->one, parties->other);
}

}  // namespace parley::threads
