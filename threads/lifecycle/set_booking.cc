#include "threads/lifecycle/set_booking.h"

#include "protocol/base/reason.h"
#include "threads/contacts/block_marks.h"
#include "threads/model/replies.h"

namespace parley::threads {

namespace {}  // namespace

Result<SetBooking::Loaded> SetBooking::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  PARLEY_TRY(standing, tx.StandingOf(caller, args.thread_id));
  ThreadRow then = standing.head;
  then.hidden.booking.value = args.state;
  PARLEY_TRY(marks, WrongMarks(tx, caller.tenant, then));
  return Loaded{std::move(standing), std::move(marks)};
}

Result<Decision> SetBooking::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                    const SizeLimits&, Moment moment) {
  const ThreadRow& head = loaded.standing.head;
  if (!caller.is_service())
    return ErrorFor(protocol::Reason::kOnlyServices, "bookings are the back end's to tell of");
  PARLEY_CHECK_OK(RequireProject(head));
  if (head.hidden.booking.value == args.state) return AnswerOnly(ThreadReplyOf(caller, head));
  Draft draft(head, moment.now);
  draft.head().hidden.booking.value = args.state;
  draft.HeadKept();
  std::vector<UserId> marked;
  for (const ParticipantRow& row : loaded.marks) {
    marked.push_back(row.item.user_id);
    draft.ParticipantPersonal(row);
  }
  Decision decision = draft.Finish(ThreadReplyOf(caller, draft.head()));
  decision.several = std::move(marked);
  return decision;
}

}  // namespace parley::threads
