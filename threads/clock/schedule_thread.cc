// The op thread.schedule: the back end sets when the parties meet. The head shows the time; before the pair's
// first meeting the clock posts the safety tip, once.
#include "threads/clock/schedule_thread.h"

#include "protocol/base/reason.h"
#include "threads/clock/meetings.h"
#include "threads/model/staff_view.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {

Result<ScheduleThread::Loaded> ScheduleThread::Load(Transaction& tx, const Caller& caller,
                                                    const Op::Args& args) {
  if (!args.meeting_at.present) return Error::BadField("meetingAt", "is required");
  PARLEY_TRY(standing, tx.StandingOf(caller, args.thread_id));
  const protocol::Thread& thread = standing.head.item;
  if (!TraitsOf(thread.kind).panel) return Loaded{std::move(standing), false};
  PARLEY_TRY(meetings, ReadMeetings(tx, caller.tenant, thread));
  // A meeting in the past took place; any other counts at the time it was moved to.
  const protocol::Time now = tx.moment().now;
  MeetingRow row = meetings.own;
  const bool met = row.at && *row.at <= now;
  if (!met) row.at = args.meeting_at.value;
  WriteMeeting(tx, caller.tenant, thread, row);
  const bool met_elsewhere = meetings.earliest && *meetings.earliest <= now;
  return Loaded{std::move(standing), met || met_elsewhere || meetings.tipped};
}

Result<Decision> ScheduleThread::Decide(const Loaded& scheduled, const Caller& caller, const Op::Args& args,
                                        const SizeLimits& limits, Moment moment) {
  const Standing& loaded = scheduled.standing;
  const auto reply_for = [&caller](const ThreadRow& head) {
    protocol::ThreadReply reply;
    reply.thread.msgpack = WireFor(caller, head);
    return protocol::Encode(reply);
  };
  if (!caller.is_staff() && !caller.is_service())
    return ErrorFor(protocol::Reason::kOnlyServicesAndStaff, "meetings are scheduled by services and staff");
  if (!TraitsOf(loaded.head.item.kind).panel)
    return ErrorFor(protocol::Reason::kOnlyProjects, "only the parties of a project meet");
  Draft draft(loaded.head, moment.now);
  ThreadRow& head = draft.head();
  head.item.meeting_at = args.meeting_at.value;
  head.hidden.tip_due_at = {};
  const bool first = args.first_meeting.value_or(true) && !scheduled.met_before &&
                     !head.hidden.tip_posted.value.value_or(false);
  if (first && head.item.meeting_at && *head.item.meeting_at > moment.now)
    head.hidden.tip_due_at.value = protocol::Time{head.item.meeting_at->ms - limits.tip_lead_ms};
  if (head.item.meeting_at == loaded.head.item.meeting_at &&
      head.hidden.tip_due_at.value == loaded.head.hidden.tip_due_at.value)
    return AnswerOnly(reply_for(loaded.head));
  draft.ThreadChanged(protocol::EventKind::kThreadUpdated);
  Decision decision = draft.Finish({});
  decision.reply = reply_for(*decision.head);
  return decision;
}

}  // namespace parley::threads
