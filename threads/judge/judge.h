// Judges the texts of a request by the tenant's text policy, in two steps. Examine searches for patterns on
// any thread, before the command reaches its executor. Judge weighs the findings by the author's strikes and
// the thread. It keeps precedence: every other check of the command comes first, and a repeat gets the first
// answer.
//
// Staff, and services that act for no user, are not judged.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "storage/sealing/sealer.h"
#include "threads/engine/transaction.h"
#include "threads/judge/strikes.h"
#include "threads/judge/texts.h"
#include "threads/text/policy.h"

namespace parley::threads {

// The findings in the texts of a request. Immutable.
struct Examined {
  text::PolicyPtr policy;
  storage::Sealer sealer;  // seals originals
  Texts texts;
  text::Scan body, others;
  bool too_long = false;  // not searched; the request is rejected
};
using ExaminedPtr = std::shared_ptr<const Examined>;
// The maximum number of bytes that are searched in a body, and in all other texts of a request together.
// Requests with longer texts are rejected.
struct ExamineLimits {
  size_t body = 0, others = 0;
};
// Returns nullptr if the caller is exempt or there is no policy.
ExaminedPtr Examine(const text::PolicyPtr& policy, const storage::Sealer& sealer, const Caller& caller,
                    Texts texts, const ExamineLimits& limits);

struct Judged {
  ThreadId thread;                    // the thread of the text; zeros: a new one
  std::optional<Error> refusal;       // replaces the command's effect
  std::optional<StrikesRow> strikes;  // the author's new row
  bool stopped = false;               // this text led to a stop
  // The rules for which it is rejected now; empty if it is accepted or is a repeat of a rejected request.
  std::string rules;
  std::vector<ThreadId> worn;                     // threads whose strikes of the author have worn off
  std::vector<text::Finding> redacted;            // findings to redact in the body
  protocol::List<protocol::Text<200>, 16> hints;  // names of the sets that matched
  std::string message;                            // hint to show to the author; empty if nothing matched
  ExaminedPtr examined;
};
// `thread`: one of several threads that the text is sent to.
Result<Judged> Judge(Transaction& tx, const Caller& caller, const ExaminedPtr& examined);
Result<Judged> Judge(Transaction& tx, const Caller& caller, const ExaminedPtr& examined,
                     const ThreadId& thread);

// Returns the body with its findings redacted, and adds the names of the sets to the message's flags.
std::string BodyFor(const Judged& judged, const std::string& text, protocol::MessageFlags* flags);
// The hint to the author in the answer; left out if nothing matched.
protocol::Omit<protocol::Json> NudgeFor(const Judged& judged);
// Stores the sealed original of a redacted body beside its message, which was just appended or changed.
void KeepOriginal(Draft* draft, const Judged& judged, const Caller& caller, const protocol::Message& message,
                  std::string_view original);

// PutStrikes writes the author's strikes in the commit of this command. Refused is the decision for a
// rejected text, which commits them and the audit's record (refusals.h); the command's answer is `refusal`.
void PutStrikes(Transaction& tx, const Caller& caller, const Judged& judged);
Decision Refused(Transaction& tx, const Caller& caller, const Judged& judged);

}  // namespace parley::threads
