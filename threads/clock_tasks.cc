#include "threads/clock_tasks.h"

#include "threads/cards/commands.h"
#include "threads/entry.h"
#include "threads/idempotency.h"
#include "threads/meetings.h"

namespace parley::threads {
namespace {

constexpr const char* kSafetyTip =
    "You meet for the first time tomorrow. Meet in a public place, tell somebody where you are, and keep "
    "payments and agreements in this thread.";

constexpr size_t kForgottenAtOnce = 500;

Result<Decision> EndSnooze(Stage& stage, const TenantId& tenant, const ThreadRow& head, const UserId& user) {
  PARLEY_TRY(row, stage.Participant(tenant, head.item.thread_id, user));
  const Moment moment = stage.moment();
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

// Nothing is deleted and the thread stays open: each member's own flag is set, and a message or his own hand
// takes it back. Somebody who snoozed it has said when it shall be back, and is left alone. Looked at again
// when as much time has passed after whatever was last said.
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
      if (!row.active() || IsArchived(head, row) || IsSnoozed(head, row)) continue;
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

// Whether it is the first meeting is decided now: another may have been moved in front of it, or called off.
Result<Decision> PostTip(Stage& stage, const TenantId& tenant, const ThreadRow& head) {
  const Moment moment = stage.moment();
  const auto& due = head.hidden.tip_due_at.value;
  if (!due || *due > moment.now) return AnswerOnly({});
  Draft draft(head, moment.now);
  draft.head().hidden.tip_due_at = {};
  draft.HeadKept();
  PARLEY_TRY(meetings, ReadMeetings(stage, tenant, head.item));
  const auto& meeting = head.item.meeting_at;
  if (meeting && *meeting > moment.now && IsFirstMeeting(meetings, *meeting)) {
    meetings.own.tipped = true;
    WriteMeeting(stage, tenant, head.item, meetings.own);
    draft.head().hidden.tip_posted.value = true;
    draft.AppendSystem(kSafetyTip, moment.ids);
  }
  Decision decision = draft.Finish({});
  decision.changed |= kTimersChange;
  return decision;
}

struct TooOld {
  std::vector<storage::SortKey> rows;
  bool more = false;
  std::optional<protocol::Time> next;  // the first to become too old of those that are not
};
Result<TooOld> FindTooOld(const RowReader& rows, const ThreadId& thread, protocol::Time now) {
  TooOld out;
  bool sound = true;
  const auto status = rows.raw().Scan(ThreadPartition(rows.tenant(), thread),
                                      RangeOf(storage::ThreadTag::kIdempotency), storage::Direction::kForward,
                                      SIZE_MAX, [&](std::string_view sort, storage::RowView row) {
                                        protocol::Time expires;
                                        sound = DecodeExpiry(row.payload, &expires);
                                        if (!sound) return false;
                                        if (expires > now) {
                                          out.next = out.next ? std::min(*out.next, expires) : expires;
                                          return true;
                                        }
                                        out.more = out.rows.size() == kForgottenAtOnce;
                                        if (!out.more) out.rows.emplace_back(std::string(sort));
                                        return !out.more;
                                      });
  if (!status.ok()) return FromStorage(status);
  if (!sound) return Error(ErrorCode::kInternal, "stored data can not be read");
  return out;
}

Result<Decision> ForgetAnswers(Stage& stage, const TenantId& tenant, const ThreadRow& head) {
  const Moment moment = stage.moment();
  auto due = head.hidden.forget_due_at.value;
  if (!due || *due > moment.now) return AnswerOnly({});
  PARLEY_TRY(found, FindTooOld(stage.Rows(tenant), head.item.thread_id, moment.now));
  Draft draft(head, moment.now);
  for (storage::SortKey& row : found.rows) draft.Erase(std::move(row));
  due.reset();
  if (found.more) {
    due = moment.now;
  } else if (found.next) {
    due = protocol::Time{found.next->ms + kForgetTogetherMs};
  }
  draft.head().hidden.forget_due_at.value = due;
  draft.HeadKept();
  Decision decision = draft.Finish({});
  decision.changed |= kTimersChange;
  return decision;
}

}  // namespace

Result<Decision> RunClockTask(Stage& stage, const TenantId& tenant, ClockTask task, const ThreadId& thread,
                              const UserId& user) {
  PARLEY_TRY(head, stage.Thread(tenant, thread));
  if (!head) return AnswerOnly({});
  switch (task) {
    case ClockTask::kSnooze:
      return EndSnooze(stage, tenant, *head, user);
    case ClockTask::kIdle:
      return ArchiveIdle(stage, tenant, *head);
    case ClockTask::kTip:
      return PostTip(stage, tenant, *head);
    case ClockTask::kCards:
      return LapseCards(stage, tenant, thread);
    case ClockTask::kForget:
      return ForgetAnswers(stage, tenant, *head);
  }
  return AnswerOnly({});
}

}  // namespace parley::threads
