#include "threads/clock_tasks.h"

#include "threads/cards/commands.h"
#include "threads/entry.h"
#include "threads/forget.h"

namespace parley::threads {
namespace {

constexpr const char* kSafetyTip =
    "You meet for the first time tomorrow. Meet in a public place, tell somebody where you are, and keep "
    "payments and agreements in this thread.";

Result<Decision> EndSnooze(Stage& stage, const TenantId& tenant, const ThreadRow& head, const UserId& user) {
  PARLEY_TRY(row, stage.Participant(tenant, head.item.thread_id, user));
  const Moment moment = stage.moment();
  if (!row || !row->hidden.snoozed_until.value || *row->hidden.snoozed_until.value > moment.now)
    return AnswerOnly({});
  ParticipantRow awake = *row;
  awake.hidden.snoozed_until = {};
  awake.hidden.snoozed_at_no = {};
  Draft draft(head, moment.now);
  draft.ParticipantPersonal(std::move(awake));
  Decision decision = draft.Finish({});
  decision.personal = user;
  return decision;
}

// Nothing is deleted and the thread stays open: each member's own flag is set, and a message or his own hand
// takes it back. Looked at again when as much time has passed after whatever was last said.
Result<Decision> ArchiveIdle(Stage& stage, const TenantId& tenant, const ThreadRow& head) {
  const Moment moment = stage.moment();
  const auto& due = head.hidden.idle_due_at.value;
  if (!due || *due > moment.now) return AnswerOnly({});
  const int64_t period_ms = stage.limits().idle_archive_ms;
  const int64_t spoken_ms = InboxPlace(head).ms;
  Draft draft(head, moment.now);
  bool archived = false;
  if (spoken_ms + period_ms <= moment.now.ms) {
    PARLEY_TRY(rows, stage.Rows(tenant).Participants(head.item.thread_id));
    for (ParticipantRow& row : rows) {
      if (!row.active() || IsArchived(head, row)) continue;
      row.hidden.archived_at_no = head.item.last_msg_no;
      draft.ParticipantPersonal(std::move(row));
      archived = true;
    }
    draft.head().hidden.idle_due_at.value = protocol::Time{moment.now.ms + period_ms};
  } else {
    draft.head().hidden.idle_due_at.value = protocol::Time{spoken_ms + period_ms};
  }
  draft.HeadKept();
  Decision decision = draft.Finish({});
  decision.changed |= archived ? kInboxChange | kTimersChange : kTimersChange;
  return decision;
}

Result<Decision> PostTip(Stage& stage, const ThreadRow& head) {
  const Moment moment = stage.moment();
  const auto& due = head.hidden.tip_due_at.value;
  if (!due || *due > moment.now) return AnswerOnly({});
  Draft draft(head, moment.now);
  draft.head().hidden.tip_due_at = {};
  draft.HeadKept();
  const bool in_time = head.item.meeting_at && *head.item.meeting_at > moment.now;
  if (in_time) {
    draft.head().hidden.tip_posted.value = true;
    draft.AppendSystem(kSafetyTip, moment.ids);
  }
  Decision decision = draft.Finish({});
  decision.changed |= kTimersChange;
  return decision;
}

}  // namespace

Result<Decision> RunClockTask(Stage& stage, const TenantId& tenant, ClockTask task, const ThreadId& thread,
                              const UserId& user, std::string_view from) {
  PARLEY_TRY(head, stage.Thread(tenant, thread));
  if (!head) return AnswerOnly({});
  switch (task) {
    case ClockTask::kSnooze:
      return EndSnooze(stage, tenant, *head, user);
    case ClockTask::kIdle:
      return ArchiveIdle(stage, tenant, *head);
    case ClockTask::kTip:
      return PostTip(stage, *head);
    case ClockTask::kCards:
      return LapseCards(stage, tenant, thread);
    case ClockTask::kForget:
      return ForgetSlice(stage, tenant, *std::move(head), from);
  }
  return AnswerOnly({});
}

}  // namespace parley::threads
