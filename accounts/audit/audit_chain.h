// A tenant's audit chain: every act and look of staff, each entry bound to the one before it by a hash, so
// that none can be changed, taken out or moved unnoticed. Entries are appended by the item writer alone,
// which therefore knows the last hash; an act that it decides itself becomes an entry in the act's own
// transaction. What happens in threads comes through fan-out (fanout/audit_relay.h).
//
// Thread contract: the writer's thread, for the time of one decision.
#pragma once

#include <optional>
#include <string>

#include "accounts/audit/audit_row.h"
#include "accounts/records/records.h"
#include "protocol/audit.h"

namespace parley::accounts {

// Of one decision. States and hashes (protocol::AuditHash) only, never bodies; what is too large is cut.
struct AuditAct {
  std::optional<protocol::UserId> actor = {};  // none: a tenant key, or whoever runs the server
  std::string actor_role;                      // admin, support, moderator, service, operator
  std::string action;                          // the op, or what was decided: "moderation.user"
  std::string reason = {};
  std::optional<protocol::ThreadId> thread_id = {};
  std::optional<protocol::MessageId> message_id = {};
  std::optional<protocol::UserId> user_id = {};
  std::optional<std::string> case_id = {};
  std::optional<protocol::AuditStates> before = {}, after = {};
};

// The act joins the chain when the decision commits, and not if it does not. Several acts of one decision are
// chained in order. Call before Commit. UNAVAILABLE or INTERNAL: the chain cannot be read; decide nothing
// then.
protocol::Result<protocol::AuditId> RecordAct(RecordStage& stage, AuditAct act);

// Appends what is on record elsewhere, under its own id and time.
protocol::Status AppendFacts(RecordStage& stage, protocol::AuditFacts facts);

}  // namespace parley::accounts
