// Runs a write whose texts the text policy judges. Every other check comes first, and so does the answer to a
// repeat: only a write that would have an effect is rejected for its texts.
//
// Thread contract: an executor's thread.
#pragma once

#include <functional>
#include <optional>

#include "threads/judge/judge.h"
#include "threads/model/decision.h"

namespace parley::threads {

inline bool HasEffect(const Decision& decision) {
  return decision.changes_something() || decision.reserves_only || decision.onward;
}

struct Outcome {
  std::optional<Error> refusal;  // replaces the decision's answer
  // The verdict on the first text of a thread that is not created. A second command commits it (Refused),
  // because this one must not commit its reservations.
  std::optional<Judged> later;
};

// Decides a write; `judged`: the verdict on its texts; nullptr: they are not judged.
using DecideJudged = std::function<Result<Decision>(Transaction& tx, const Judged* judged)>;

Result<Decision> RunJudged(Transaction& tx, const Caller& caller, const DecideJudged& decide,
                           const ExaminedPtr& examined, Outcome* outcome);

}  // namespace parley::threads
