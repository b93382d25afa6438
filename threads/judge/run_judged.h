// A command whose texts are judged. Everything that may refuse it otherwise comes first, and so does the
// answer to a repeat: only what would have an effect is refused.
//
// A command that can redact a body, and keep its original, has a `judged` among what it loads.
//
// Thread contract: the executor's thread.
#pragma once

#include <optional>
#include <utility>

#include "threads/judge/judge.h"

namespace parley::threads {

inline bool HasEffect(const Decision& decision) {
  return decision.changes_something() || decision.reserves_only || decision.onward;
}

struct Outcome {
  std::optional<Error> refusal;  // the answer, in place of the decision's
  // Of a thread that was not begun: what remains to be committed by a command of its own (Refused), as what
  // this one reserved is not to be.
  std::optional<Judged> later;
};

template <class Command>
Result<Decision> RunJudged(Transaction& tx, const Caller& caller, const typename Command::Op::Args& args,
                           const ExaminedPtr& examined, Outcome* outcome) {
  PARLEY_TRY(judged, Judge(tx, caller, examined));
  PARLEY_TRY(loaded, Command::Load(tx, caller, args));
  if constexpr (requires { loaded.judged; }) loaded.judged = judged;
  PARLEY_TRY(decision, Command::Decide(std::move(loaded), caller, args, tx.limits(), tx.moment()));
  if (!HasEffect(decision)) return std::move(decision);
  if (judged.refusal) {
    outcome->refusal = judged.refusal;
    if (judged.thread == ThreadId{}) {
      if (judged.strikes) outcome->later = std::move(judged);
      return AnswerOnly({});
    }
    return Refused(tx, caller, judged);
  }
  PutStrikes(tx, caller, judged);
  if (judged.strikes && !decision.changes_something()) decision.reserves_only = true;
  return std::move(decision);
}

}  // namespace parley::threads
