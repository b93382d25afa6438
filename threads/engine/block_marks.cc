#include "threads/engine/block_marks.h"

#include "threads/model/thread_kinds.h"

namespace parley::threads {

Result<std::vector<ParticipantRow>> WrongMarks(Stage& stage, const TenantId& tenant, const ThreadRow& head) {
  std::vector<ParticipantRow> out;
  const auto parties = PartiesOf(head.item);
  if (!parties || parties->one == parties->other) return out;
  for (const auto& [user, other] :
       {std::pair(&parties->one, &parties->other), std::pair(&parties->other, &parties->one)}) {
    PARLEY_TRY(row, stage.Participant(tenant, head.item.thread_id, *user));
    if (!row || !row->active()) continue;
    PARLEY_TRY(blocks, stage.Blocks(tenant, *user, *other));
    const auto mark = blocks && BlocksHoldIn(head) ? std::optional(kBlockedForGood) : std::nullopt;
    if (row->hidden.blocked_until == mark) continue;
    row->hidden.blocked_until = mark;
    out.push_back(std::move(*row));
  }
  return out;
}

Result<Decision> PutMarksRight(Stage& stage, const TenantId& tenant, const ThreadId& thread) {
  PARLEY_TRY(head, stage.Thread(tenant, thread));
  if (!head) return AnswerOnly({});
  PARLEY_TRY(wrong, WrongMarks(stage, tenant, *head));
  if (wrong.empty()) return AnswerOnly({});
  Draft draft(*head, stage.moment().now);
  std::vector<UserId> whose;
  for (ParticipantRow& row : wrong) {
    whose.push_back(row.item.user_id);
    draft.ParticipantPersonal(std::move(row));
  }
  Decision decision = draft.Finish({});
  if (whose.size() == 1) {
    decision.personal = whose.front();
  } else {
    decision.several = std::move(whose);
    decision.changed |= kInboxChange;
  }
  return decision;
}

}  // namespace parley::threads
