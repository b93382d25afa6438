// Runs a write whose texts the text policy judges. Everything else that may refuse the write comes first, and
// so does the answer to a repeat: only a write that would have an effect is refused for its texts.
//
// Thread contract: an executor's thread.
#pragma once

#include <optional>

#include "threads/run/operation.h"

namespace parley::threads {

inline bool HasEffect(const Decision& decision) {
  return decision.changes_something() || decision.reserves_only || decision.onward;
}

struct Outcome {
  std::optional<Error> refusal;  // the answer, in place of the decision's
  // The verdict on the first text of a thread that does not begin. It is committed by a command of its own
  // (Refused), because this one must not commit what it reserved.
  std::optional<Judged> later;
};

Result<Decision> RunJudged(Transaction& tx, const Caller& caller, const Operation& op, const void* args,
                           const ExaminedPtr& examined, Outcome* outcome);

}  // namespace parley::threads
