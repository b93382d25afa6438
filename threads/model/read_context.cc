#include "threads/model/read_context.h"

namespace parley::threads {

Result<Standing> StandingOf(const ReadContext& context, const ThreadId& thread) {
  const RowReader rows = context.rows();
  PARLEY_TRY(head, rows.Thread(thread));
  std::optional<ParticipantRow> me;
  if (head && context.caller.user) {
    PARLEY_TRY(row, rows.Participant(thread, *context.caller.user));
    me = std::move(row);
  }
  return RequireStanding(context.caller, std::move(head), std::move(me));
}

}  // namespace parley::threads
