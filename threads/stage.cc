#include "threads/stage.h"

namespace parley::threads {

Result<Standing> Stage::StandingOf(const Caller& caller, const ThreadId& thread) {
  PARLEY_TRY(head, Thread(caller.tenant, thread));
  std::optional<ParticipantRow> me;
  if (head && caller.user) {
    PARLEY_TRY(row, Participant(caller.tenant, thread, *caller.user));
    me = std::move(row);
  }
  return RequireStanding(caller, std::move(head), std::move(me));
}

}  // namespace parley::threads
