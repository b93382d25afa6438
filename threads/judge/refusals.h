// What the audit is told of a text that the text policy refuses: by whom, where, for which rules, and the
// SHA-256 of the text, so that whoever has it can prove it. Of a text that led to a stop, a case is opened
// (features/moderation/case_relay.h).
//
// Contract: RecordRefusal runs on the executor's thread; the others are pure.
#pragma once

#include <string>

#include "threads/judge/judge.h"
#include "threads/model/change.h"
#include "threads/model/decision.h"

namespace parley::threads {

// WARNING: on disk, in the audit.
inline constexpr std::string_view kPolicyBlock = "policy.block", kPolicyStop = "policy.stop";

std::string_view ActionOf(const Judged& judged);
// protocol::AuditHash of what was to be written.
std::string HashOf(const Judged& judged);
// The event message.blocked about a refused text. Its item says who wrote it, for which rules it was refused,
// and whether it led to a stop; of the text it has the hash only.
ToldEvent BlockedEvent(const Caller& caller, const Judged& judged, const protocol::AuditId& act);
// Adds the act to the decision of a refused text; nothing where it was refused before, or for other reasons.
void RecordRefusal(Moment moment, const Caller& caller, const Judged& judged, Decision* decision);

}  // namespace parley::threads
