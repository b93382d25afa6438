#include <memory>
#include <utility>

#include "features/text_policy/asks.h"

namespace parley::features {

void SubmitJudged(Host& host, JudgedWrite write, std::function<void(threads::Answer)> done) {
  threads::Job job = std::move(write.job);
  if (!write.examined) {
    job.decide = [decide = std::move(write.decide)](threads::Transaction& tx) { return decide(tx, nullptr); };
    job.done = std::move(done);
    return host.Submit(std::move(job));
  }
  // The answer can be an error although the author's strikes are committed.
  auto outcome = std::make_shared<threads::Outcome>();
  job.decide = [caller = write.caller, decide = std::move(write.decide), examined = std::move(write.examined),
                outcome](threads::Transaction& tx) {
    return threads::RunJudged(tx, caller, decide, examined, outcome.get());
  };
  job.done = [&host, caller = write.caller, outcome, done = std::move(done)](threads::Answer answer) {
    if (answer.ok() && outcome->refusal) answer = *outcome->refusal;
    if (!outcome->later) return done(std::move(answer));
    KeepRefusedStart(host, caller, *std::move(outcome->later), [answer, done] { done(answer); });
  };
  host.Submit(std::move(job));
}

}  // namespace parley::features
