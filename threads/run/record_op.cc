#include "threads/run/record_op.h"

#include <algorithm>

#include "threads/model/record_act.h"

namespace parley::threads {

protocol::Status RecordStaffOp(Transaction& tx, const Caller& caller, std::string_view op,
                               std::string_view reason, Decision* decision) {
  const bool shared = (decision->changed & kSharedChange) != 0;
  if (!shared || !decision->acts.empty() || !decision->head || !caller.user) return protocol::Ok();
  const auto& changed = decision->participants;
  const auto is_caller = [&](const ParticipantRow& row) { return row.item.user_id == caller.user; };
  if (std::any_of(changed.begin(), changed.end(), is_caller)) return protocol::Ok();
  const ThreadId thread = decision->head->item.thread_id;
  PARLEY_TRY(own, tx.Participant(caller.tenant, thread, *caller.user));
  if (own && own->active()) return protocol::Ok();
  StaffAct act{.action = std::string(op), .reason = std::string(reason)};
  if (changed.size() == 1) act.user_id = changed.front().item.user_id;
  const Moment moment = tx.moment();
  Draft draft(ThreadRow(), moment.now);
  draft.head().item.thread_id = thread;
  RecordAct(&draft, caller, std::move(act), moment.ids);
  Decision record = draft.Finish({});
  std::move(record.writes.begin(), record.writes.end(), std::back_inserter(decision->writes));
  decision->acts = std::move(record.acts);
  return protocol::Ok();
}

}  // namespace parley::threads
