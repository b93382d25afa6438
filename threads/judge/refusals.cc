#include "threads/judge/refusals.h"

#include <utility>

#include "protocol/writer.h"
#include "threads/model/record_act.h"

namespace parley::threads {

std::string_view ActionOf(const Judged& judged) {
  return judged.stopped ? kPolicyStop : kPolicyBlock;
}

std::string HashOf(const Judged& judged) {
  const Texts& texts = judged.examined->texts;
  return protocol::AuditHash(texts.body.empty() ? texts.others : texts.body);
}

SubscribedEvent BlockedEvent(const Caller& caller, const Judged& judged, const protocol::AuditId& act) {
  protocol::Writer w;
  w.BeginMap(5);
  w.Text("auditId");
  w.Text(act.ToText());
  w.Text("userId");
  w.Text(caller.user->ToText());
  w.Text("rules");
  w.Text(judged.rules);
  w.Text("content");
  w.Text(HashOf(judged));
  w.Text("stopped");
  w.Bool(judged.stopped);
  SubscribedEvent event{protocol::EventKind::kMessageBlocked, 0, {w.Take()}};
  event.act.value = act;
  return event;
}

void RecordRefusal(Moment moment, const Caller& caller, const Judged& judged, Decision* decision) {
  if (judged.rules.empty()) return;
  StaffAct act{std::string(ActionOf(judged)), judged.rules};
  act.user_id = caller.user;
  act.after = protocol::StatesOf({{"content", HashOf(judged)}});
  // The thread itself does not change, so its head is not written.
  Draft draft(ThreadRow(), moment.now);
  draft.head().item.thread_id = judged.thread;
  const protocol::AuditId id = RecordAct(&draft, caller, std::move(act), moment.ids);
  Decision record = draft.Finish({});
  decision->writes = std::move(record.writes);
  decision->acts = std::move(record.acts);
  decision->at = record.at;
  decision->back_end_events = {BlockedEvent(caller, judged, id)};
  decision->cases = judged.stopped;
}

}  // namespace parley::threads
