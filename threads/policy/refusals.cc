#include "threads/policy/refusals.h"

#include <utility>

#include "threads/model/record_act.h"

namespace parley::threads {

std::string_view ActionOf(const Judged& judged) {
  return judged.stopped ? kPolicyStop : kPolicyBlock;
}

std::string HashOf(const Judged& judged) {
  const Texts& texts = judged.examined->texts;
  return protocol::AuditHash(texts.body.empty() ? texts.others : texts.body);
}

void RecordRefusal(Moment moment, const Caller& caller, const Judged& judged, Decision* decision) {
  if (judged.rules.empty()) return;
  StaffAct act{std::string(ActionOf(judged)), judged.rules};
  act.user_id = caller.user;
  act.after = protocol::StatesOf({{"content", HashOf(judged)}});
  // Nothing of the thread itself changes, so its head is none of what is written.
  Draft draft(ThreadRow(), moment.now);
  draft.head().item.thread_id = judged.thread;
  RecordAct(&draft, caller, std::move(act), moment.ids);
  Decision record = draft.Finish({});
  decision->writes = std::move(record.writes);
  decision->acts = std::move(record.acts);
  decision->cases = judged.stopped;
}

}  // namespace parley::threads
