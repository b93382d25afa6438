#include "threads/model/record_act.h"

#include "threads/model/keys.h"

namespace parley::threads {

protocol::AuditId RecordAct(Draft* draft, const Caller& caller, StaffAct act, protocol::IdSource* ids) {
  ActRow row;
  row.audit_id = protocol::AuditId{ids->Make(draft->now())};
  row.at = draft->now();
  row.actor = caller.user;
  row.actor_role = std::string(protocol::NameOf(caller.role));
  row.action = std::move(act.action);
  row.reason = std::move(act.reason);
  row.thread_id = draft->head().item.thread_id;
  row.message_id = act.message_id;
  row.user_id = act.user_id;
  row.case_id = std::move(act.case_id);
  row.before = std::move(act.before);
  row.after = std::move(act.after);
  protocol::BoundFacts(&row);
  draft->Write(ActKey(row.audit_id), protocol::Encode(row));
  draft->ActRecorded(row.audit_id);
  return row.audit_id;
}

}  // namespace parley::threads
