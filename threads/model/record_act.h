// What staff did in a thread goes on record in the command's own batch: a row ACT#{auditId}, which is there
// if and only if what was done is. Fan-out makes of each such row one entry of the tenant's audit chain
// (features/moderation/audit_relay.h), which moderation.audit reads. Looks are recorded likewise
// (staff/looks.h).
#pragma once

#include <optional>
#include <string>

#include "protocol/audit.h"
#include "threads/model/caller.h"
#include "threads/model/decision.h"

namespace parley::threads {

struct StaffAct {
  std::string action;  // the op, or what was decided: "message.delete"
  std::string reason = {};
  std::optional<MessageId> message_id = {};
  std::optional<UserId> user_id = {};  // about whom
  std::optional<std::string> case_id = {};
  // States and hashes (protocol::AuditHash), never bodies.
  std::optional<protocol::AuditStates> before = {}, after = {};
};

// Call once for each act, before Finish. It is cut to what the audit holds, never refused.
protocol::AuditId RecordAct(Draft* draft, const Caller& caller, StaffAct act, protocol::IdSource* ids);

// A row of ACT#: the facts of the entry, whose number in the chain is not known yet.
using ActRow = protocol::AuditFacts;

}  // namespace parley::threads
