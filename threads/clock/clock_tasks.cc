#include "threads/clock/clock_tasks.h"

#include "protocol/message_items.h"
#include "threads/cards/lapse_cards.h"
#include "threads/clock/meetings.h"
#include "threads/engine/forget.h"
#include "threads/inbox/entry.h"
#include "threads/requests/answer_request.h"

namespace parley::threads {
namespace {

constexpr const char* kSafetyTip =
    "You meet for the first time tomorrow. Meet in a public place, tell somebody where you are, and keep "
    "payments and agreements in this thread.";

constexpr size_t kPutAwayAtOnce = 256;  // participant rows read; the next command continues from there
static_assert(kPutAwayAtOnce <= ChangeEntry::kSeveralMax);

Result<Decision> EndSnooze(Transaction& tx, const TenantId& tenant, const ThreadRow& head,
                           const UserId& user) {
  PARLEY_TRY(row, tx.Participant(tenant, head.item.thread_id, user));
  const Moment moment = tx.moment();
  if (!row || !row->hidden.snoozed_until.value || *row->hidden.snoozed_until.value > moment.now)
    return AnswerOnly({});
  ParticipantRow awake = *row;
  WakeUp(&awake);
  Draft draft(head, moment.now);
  draft.ParticipantPersonal(std::move(awake));
  Decision decision = draft.Finish({});
  decision.personal = user;
  return decision;
}

Result<Decision> EndMute(Transaction& tx, const TenantId& tenant, const ThreadRow& head, const UserId& user) {
  PARLEY_TRY(row, tx.Participant(tenant, head.item.thread_id, user));
  const Moment moment = tx.moment();
  if (!row || !row->hidden.muted || IsMuted(*row, moment.now)) return AnswerOnly({});
  ParticipantRow unmuted = *row;
  unmuted.hidden.muted = false;
  unmuted.hidden.muted_until.reset();
  Draft draft(head, moment.now);
  draft.ParticipantPersonal(std::move(unmuted));
  Decision decision = draft.Finish({});
  decision.personal = user;
  return decision;
}

// Archives an idle thread in slices, so that no command waits for thousands of rows. Nothing is deleted and
// the thread stays open: this sets each member's own flag, which a message or the member clears. Members who
// snoozed the thread chose when it returns, so this skips them. The thread is checked again when the same
// time has passed after its newest message.
Result<Decision> ArchiveIdle(Transaction& tx, const TenantId& tenant, const ThreadRow& head) {
  const Moment moment = tx.moment();
  const auto& due = head.hidden.idle_due_at.value;
  if (!due || *due > moment.now) return AnswerOnly({});
  const int64_t period_ms = tx.limits().idle_archive_ms;
  const int64_t spoken_ms = InboxPlace(head).ms;
  Draft draft(head, moment.now);
  auto& next_due = draft.head().hidden.idle_due_at.value;
  auto& idle_after = draft.head().hidden.idle_after.value;
  std::vector<UserId> archived;
  if (spoken_ms + period_ms <= moment.now.ms) {
    PARLEY_TRY(rows, tx.Rows(tenant).Participants(head.item.thread_id, idle_after, kPutAwayAtOnce));
    const bool last = rows.size() < kPutAwayAtOnce;
    next_due = last ? protocol::Time{moment.now.ms + period_ms} : moment.now;
    idle_after = last ? std::nullopt : std::optional(rows.back().item.user_id);
    for (ParticipantRow& row : rows) {
      if (!row.active() || IsArchived(head, row) || IsSnoozed(head, row)) continue;
      row.hidden.archived_at_no = head.item.last_msg_no;
      archived.push_back(row.item.user_id);
      draft.ParticipantPersonal(std::move(row));
    }
  } else {
    next_due = protocol::Time{spoken_ms + period_ms};
    idle_after.reset();
  }
  draft.HeadKept();
  Decision decision = draft.Finish({});
  decision.several = std::move(archived);
  decision.changed |= kTimersChange;
  return decision;
}

// Decides only now whether it is the first meeting, since another one may have moved to an earlier time or
// been cancelled.
Result<Decision> PostTip(Transaction& tx, const TenantId& tenant, const ThreadRow& head) {
  const Moment moment = tx.moment();
  const auto& due = head.hidden.tip_due_at.value;
  if (!due || *due > moment.now) return AnswerOnly({});
  Draft draft(head, moment.now);
  draft.head().hidden.tip_due_at = {};
  draft.HeadKept();
  PARLEY_TRY(meetings, ReadMeetings(tx, tenant, head.item));
  const auto& meeting = head.item.meeting_at;
  if (meeting && *meeting > moment.now && IsFirstMeeting(meetings, *meeting)) {
    meetings.own.tipped = true;
    WriteMeeting(tx, tenant, head.item, meetings.own);
    draft.head().hidden.tip_posted.value = true;
    draft.AppendSystem(kSafetyTip, moment.ids);
  }
  Decision decision = draft.Finish({});
  decision.changed |= kTimersChange;
  return decision;
}

}  // namespace

Result<Decision> RunClockTask(Transaction& tx, const TenantId& tenant, ClockTask task, const ThreadId& thread,
                              const UserId& user, std::string_view from) {
  PARLEY_TRY(head, tx.Thread(tenant, thread));
  if (!head) return AnswerOnly({});
  switch (task) {
    case ClockTask::kSnooze:
      return EndSnooze(tx, tenant, *head, user);
    case ClockTask::kMute:
      return EndMute(tx, tenant, *head, user);
    case ClockTask::kIdle:
      return ArchiveIdle(tx, tenant, *head);
    case ClockTask::kTip:
      return PostTip(tx, tenant, *head);
    case ClockTask::kCards:
      return LapseCards(tx, tenant, thread);
    case ClockTask::kRequest:
      return ExpireRequest(tx, tenant, *head);
    case ClockTask::kForget:
      return ForgetSlice(tx, tenant, *std::move(head), from);
  }
  return AnswerOnly({});
}

}  // namespace parley::threads
