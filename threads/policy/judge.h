// What the tenant's text policy says to what somebody wants to write. In two steps: Examine looks for the
// patterns, wherever there is time for it, before the command comes to its executor; Judge weighs what was
// found by the author's ladder and the thread, and obeys precedence: everything else that may refuse the
// command does so first, and a repeat is answered as before.
//
// Staff, and services that act for nobody, are not judged.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/ops/cards.h"
#include "protocol/ops/lifecycle.h"
#include "protocol/ops/messages.h"
#include "protocol/ops/panel.h"
#include "storage/sealing/sealer.h"
#include "threads/engine/stage.h"
#include "threads/policy/ladder.h"
#include "threads/text/policy.h"

namespace parley::threads {

// The texts of a request.
struct Texts {
  ThreadId thread;      // zeros: it does not exist yet
  std::string body;     // what is to be redacted in it can be
  std::string others;   // subjects, tabs, cards: what is to be redacted in them is refused instead
  std::string repeat;   // what makes a repeat of the same request recognisable; empty: nothing
  bool booked = false;  // of a thread that does not exist yet
  bool spread = false;  // the same text goes to several threads, which do not count together
  std::optional<MessageId> card = {};  // of one: reports say what was done, and may quote it
};
Texts TextsOf(const protocol::MessageSend::Args& args);
Texts TextsOf(const protocol::MessageEdit::Args& args);
Texts TextsOf(const protocol::ThreadBroadcast::Args& args);
Texts TextsOf(const protocol::ThreadCreate::Args& args);
Texts TextsOf(const protocol::ThreadUpdate::Args& args);
Texts TextsOf(const protocol::TabPut::Args& args);
Texts TextsOf(const protocol::CardCreate::Args& args);
Texts TextsOf(const protocol::CardAct::Args& args);
// The strings in it, one per line.
std::string StringsIn(const protocol::Json& json);

// What was found in them. Immutable.
struct Examined {
  text::PolicyPtr policy;
  storage::Sealer sealer;  // of originals
  Texts texts;
  text::Scan body, others;
};
using ExaminedPtr = std::shared_ptr<const Examined>;
// Null where nothing is judged: the caller is exempt, there is no policy, or the texts are longer than they
// may be, and refused for that.
ExaminedPtr Examine(const text::PolicyPtr& policy, const storage::Sealer& sealer, const Caller& caller,
                    Texts texts, size_t most_bytes);

struct Judged {
  ThreadId thread;                                // where it was to be written; zeros: in a new one
  std::optional<Error> refusal;                   // in place of the command's effect
  std::optional<LadderRow> ladder;                // the author's afterwards
  bool stopped = false;                           // this text led to a stop
  std::string rules;                              // for which it is refused now; empty: it is not, or was
                                                  // before
  std::vector<ThreadId> worn;                     // where the author's ladder says nothing any more
  std::vector<text::Finding> redacted;            // in the body
  protocol::List<protocol::Text<200>, 16> hints;  // names of the sets that were met
  std::string message;                            // what to show the author; empty: nothing was found
  ExaminedPtr examined;
};
// `thread`: one of several that the text goes to.
Result<Judged> Judge(Stage& stage, const Caller& caller, const ExaminedPtr& examined);
Result<Judged> Judge(Stage& stage, const Caller& caller, const ExaminedPtr& examined, const ThreadId& thread);

// The body as everybody gets it; says so in the message's flags.
std::string BodyFor(const Judged& judged, const std::string& text, protocol::MessageFlags* flags);
// What is told of it to the author with the answer; nothing if nothing was found.
protocol::Omit<protocol::Json> NudgeFor(const Judged& judged);
// Keeps the original of a redacted body, sealed, beside its message, which was just appended or changed.
void KeepOriginal(Draft* draft, const Judged& judged, const Caller& caller, const protocol::Message& message,
                  std::string_view original);

// Stages the author's ladder for the commit of this command. The decision of a text that is refused commits
// that, and what the audit is to know of it (refusals.h); its answer is `refusal`.
void StageLadder(Stage& stage, const Caller& caller, const Judged& judged);
Decision Refused(Stage& stage, const Caller& caller, const Judged& judged);

}  // namespace parley::threads
