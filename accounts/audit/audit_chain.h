// A tenant's audit chain: every act and read of staff. A hash binds each entry to the one before it, so that
// changing, removing or moving an entry is detected. Only the item writer appends entries, so it knows the
// last hash; an act that it decides itself becomes an entry in the act's own transaction. Acts in threads
// arrive through fan-out (features/moderation/audit_relay.h).
//
// Thread contract: the writer's thread, for the time of one decision.
#pragma once

#include <optional>
#include <string>

#include "accounts/audit/audit_row.h"
#include "accounts/records/records.h"
#include "protocol/audit.h"

namespace parley::accounts {

// Contains states and hashes (protocol::AuditHash) only, never bodies; texts that are too long are cut.
struct AuditAct {
  std::optional<protocol::UserId> actor = {};  // none: a tenant key or the operator
  std::string actor_role;                      // admin, support, moderator, service, operator
  std::string action;                          // the op, or the decision: "moderation.user"
  std::string reason = {};
  std::optional<protocol::ThreadId> thread_id = {};
  std::optional<protocol::MessageId> message_id = {};
  std::optional<protocol::UserId> user_id = {};
  std::optional<std::string> case_id = {};
  std::optional<protocol::AuditStates> before = {}, after = {};
};

// Adds the act to the chain if and when the decision commits. Several acts of one decision are chained in
// order. Call before Commit. On UNAVAILABLE or INTERNAL the chain cannot be read: the caller must not decide
// anything.
protocol::Result<protocol::AuditId> RecordAct(RecordTransaction& tx, AuditAct act);

// Appends an act that is recorded elsewhere, under its own id and time.
protocol::Status AppendFacts(RecordTransaction& tx, protocol::AuditFacts facts);

}  // namespace parley::accounts
