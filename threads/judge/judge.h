// What the tenant's text policy says to what somebody wants to write. In two steps: Examine looks for the
// patterns, wherever there is time for it, before the command comes to its executor; Judge weighs what was
// found by the author's strikes and the thread, and obeys precedence: everything else that may refuse the
// command does so first, and a repeat is answered as before.
//
// Staff, and services that act for nobody, are not judged.
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

// What was found in the texts of a request. Immutable.
struct Examined {
  text::PolicyPtr policy;
  storage::Sealer sealer;  // of originals
  Texts texts;
  text::Scan body, others;
  bool too_long = false;  // they were not looked through, and are refused
};
using ExaminedPtr = std::shared_ptr<const Examined>;
// How much is looked through, in bytes: of a body, and of what else is in a request (a tab or a card, and
// what stands beside it). Longer texts are refused.
struct ExamineLimits {
  size_t body = 0, others = 0;
};
// Null where nothing is judged: the caller is exempt, or there is no policy.
ExaminedPtr Examine(const text::PolicyPtr& policy, const storage::Sealer& sealer, const Caller& caller,
                    Texts texts, const ExamineLimits& limits);

struct Judged {
  ThreadId thread;                                // where it was to be written; zeros: in a new one
  std::optional<Error> refusal;                   // in place of the command's effect
  std::optional<StrikesRow> strikes;              // the author's afterwards
  bool stopped = false;                           // this text led to a stop
  std::string rules;                              // for which it is refused now; empty: it is not, or was
                                                  // before
  std::vector<ThreadId> worn;                     // where the author's strikes says nothing any more
  std::vector<text::Finding> redacted;            // in the body
  protocol::List<protocol::Text<200>, 16> hints;  // names of the sets that were met
  std::string message;                            // what to show the author; empty: nothing was found
  ExaminedPtr examined;
};
// `thread`: one of several that the text goes to.
Result<Judged> Judge(Transaction& tx, const Caller& caller, const ExaminedPtr& examined);
Result<Judged> Judge(Transaction& tx, const Caller& caller, const ExaminedPtr& examined,
                     const ThreadId& thread);

// The body as everybody gets it; says so in the message's flags.
std::string BodyFor(const Judged& judged, const std::string& text, protocol::MessageFlags* flags);
// What is told of it to the author with the answer; nothing if nothing was found.
protocol::Omit<protocol::Json> NudgeFor(const Judged& judged);
// Keeps the original of a redacted body, sealed, beside its message, which was just appended or changed.
void KeepOriginal(Draft* draft, const Judged& judged, const Caller& caller, const protocol::Message& message,
                  std::string_view original);

// Stages the author's strikes for the commit of this command. The decision of a text that is refused commits
// that, and what the audit is to know of it (refusals.h); its answer is `refusal`.
void PutStrikes(Transaction& tx, const Caller& caller, const Judged& judged);
Decision Refused(Transaction& tx, const Caller& caller, const Judged& judged);

}  // namespace parley::threads
