#include "threads/judge/reset_strikes.h"

#include "protocol/base/reason.h"
#include "protocol/ops/base.h"
#include "threads/judge/strikes.h"
#include "threads/model/record_act.h"

namespace parley::threads {

Result<Decision> ResetStrikes(Transaction& tx, const Caller& caller, const ThreadId& thread,
                              const UserId& user, StaffAct act) {
  PARLEY_TRY(standing, tx.StandingOf(caller, thread));
  if (!caller.is_staff() || !caller.user)
    return ErrorFor(protocol::Reason::kOnlyStaff, "only staff may do this");
  if (user == *caller.user)
    return ErrorFor(protocol::Reason::kAboutOneself, "a decision about oneself is not allowed");
  PARLEY_TRY(row, ReadStrikes(tx.Rows(caller.tenant), user, thread));
  const std::string answer = protocol::Encode(protocol::Empty{});
  if (!row) return AnswerOnly(answer);
  tx.Release(UserPartition(caller.tenant, user), StrikesKey(thread));
  const Moment moment = tx.moment();
  act.user_id = user;
  act.before = protocol::StatesOf({{"points", std::to_string(PointsOf(*row, moment.now, StrikeRules()))}});
  act.after = protocol::StatesOf({{"points", "0"}});
  Draft draft(std::move(standing.head), moment.now);
  RecordAct(&draft, caller, std::move(act), moment.ids);
  return draft.Finish(answer);
}

}  // namespace parley::threads
