#include "threads/run/run_judged.h"

#include <utility>

namespace parley::threads {

Result<Decision> RunJudged(Transaction& tx, const Caller& caller, const DecideJudged& decide,
                           const ExaminedPtr& examined, Outcome* outcome) {
  PARLEY_TRY(judged, Judge(tx, caller, examined));
  PARLEY_TRY(decision, decide(tx, &judged));
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
