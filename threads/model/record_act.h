// Records an act of staff in the command's own batch: a row ACT#{auditId}, which exists if and only if the
// act took effect. Fan-out turns each such row into one entry of the tenant's audit chain
// (features/moderation/audit_relay.h), which moderation.audit reads. Accesses are recorded likewise
// (staff/access_log.h).
#pragma once

#include <optional>
#include <string>

#include "protocol/audit.h"
#include "threads/model/caller.h"
#include "threads/model/decision.h"

namespace parley::threads {

struct StaffAct {
  std::string action;  // the op or the decision: "message.delete"
  std::string reason = {};
  std::optional<MessageId> message_id = {};
  std::optional<UserId> user_id = {};  // the user whom the act concerns
  std::optional<std::string> case_id = {};
  // States and hashes (protocol::AuditHash), never bodies.
  std::optional<protocol::AuditStates> before = {}, after = {};
};

// Call once for each act, before Finish. The act is cut to the sizes that the audit accepts, never rejected.
protocol::AuditId RecordAct(Draft* draft, const Caller& caller, StaffAct act, protocol::IdSource* ids);

// A row of ACT#: the entry's fields except its number in the chain, which is not known yet.
using ActRow = protocol::AuditFacts;

}  // namespace parley::threads
