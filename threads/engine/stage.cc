#include "threads/engine/stage.h"

namespace parley::threads {

Result<Standing> Stage::StandingOf(const Caller& caller, const ThreadId& thread) {
  PARLEY_TRY(head, Thread(caller.tenant, thread));
  std::optional<ParticipantRow> me;
  if (head && caller.user) {
    PARLEY_TRY(row, Participant(caller.tenant, thread, *caller.user));
    me = std::move(row);
  }
  PARLEY_TRY(standing, RequireStanding(caller, std::move(head), std::move(me)));
  if (standing.me && IsParty(standing.head, caller.user)) {
    PARLEY_TRY(reported, PairReported(caller.tenant, standing.head));
    standing.pair_reported = reported;
  }
  return std::move(standing);
}

}  // namespace parley::threads
