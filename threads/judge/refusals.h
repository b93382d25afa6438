// Records texts that the text policy rejects in the audit: author, thread, rules, and the SHA-256 of the
// text, so that anyone who has the text can prove it. A text that led to a stop also opens a case
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
// protocol::AuditHash of the rejected text.
std::string HashOf(const Judged& judged);
// The event message.blocked about a rejected text. Its item names the author, the rules, and whether the text
// led to a stop; it has only the hash of the text.
SubscribedEvent BlockedEvent(const Caller& caller, const Judged& judged, const protocol::AuditId& act);
// Adds the act to the decision of a rejected text, unless a repeat of it or another reason was rejected.
void RecordRefusal(Moment moment, const Caller& caller, const Judged& judged, Decision* decision);

}  // namespace parley::threads
