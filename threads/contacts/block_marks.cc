#include "threads/contacts/block_marks.h"

#include "threads/contacts/questions.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

std::optional<protocol::Time> MarkIn(const ThreadRow& head) {
  return BlocksHoldIn(head) ? std::optional(kBlockedForGood) : std::nullopt;
}

Result<std::optional<protocol::Time>> MarkOf(Transaction& tx, const TenantId& tenant, const ThreadRow& head,
                                             const UserId& user) {
  const auto parties = PartiesOf(head.item);
  std::optional<protocol::Time> none;
  if (!parties || parties->one == parties->other || !IsParty(head, user)) return none;
  PARLEY_TRY(blocks, tx.Ask(tenant, Blocking{user, user == parties->one ? parties->other : parties->one}));
  return blocks ? MarkIn(head) : none;
}

Result<std::vector<ParticipantRow>> WrongMarks(Transaction& tx, const TenantId& tenant,
                                               const ThreadRow& head) {
  std::vector<ParticipantRow> out;
  const auto parties = PartiesOf(head.item);
  if (!parties || parties->one == parties->other) return out;
  for (const UserId& user : {parties->one, parties->other}) {
    PARLEY_TRY(row, tx.Participant(tenant, head.item.thread_id, user));
    if (!row || !row->active()) continue;
    PARLEY_TRY(mark, MarkOf(tx, tenant, head, user));
    if (row->hidden.blocked_until == mark) continue;
    row->hidden.blocked_until = mark;
    out.push_back(std::move(*row));
  }
  return out;
}

Result<Decision> PutMarksRight(Transaction& tx, const TenantId& tenant, const ThreadId& thread) {
  PARLEY_TRY(head, tx.Thread(tenant, thread));
  if (!head) return AnswerOnly({});
  PARLEY_TRY(wrong, WrongMarks(tx, tenant, *head));
  if (wrong.empty()) return AnswerOnly({});
  Draft draft(*head, tx.moment().now);
  std::vector<UserId> whose;
  for (ParticipantRow& row : wrong) {
    whose.push_back(row.item.user_id);
    draft.ParticipantPersonal(std::move(row));
  }
  Decision decision = draft.Finish({});
  decision.several = std::move(whose);
  return decision;
}

}  // namespace parley::threads
