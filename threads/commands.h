// Every command that an op runs. A command is a struct in the header of its own file. It has two steps, kept
// apart so that the second can be tested without I/O:
//
//   Load    reads what the decision needs, checks membership (THREAD_NOT_MEMBER), and finds earlier answers
//   Decide  is pure: (what was loaded, caller, args, limits, moment) → Decision | Error
//
// Run() performs both, and is what the executor calls. Thread contract: all of it on the executor's thread.
#pragma once

#include "threads/cards/act_on_card.h"
#include "threads/cards/create_card.h"
#include "threads/cards/delete_message.h"
#include "threads/cards/outbox.h"
#include "threads/cards/resolve_card.h"
#include "threads/clock/schedule_thread.h"
#include "threads/inbox/own_row.h"
#include "threads/lifecycle/create_thread.h"
#include "threads/lifecycle/set_booking.h"
#include "threads/lifecycle/update_thread.h"
#include "threads/members/manage_participants.h"
#include "threads/messages/change_message.h"
#include "threads/messages/mark_message.h"
#include "threads/messages/send_message.h"
#include "threads/panel/put_tab.h"
#include "threads/requests/answer_request.h"
#include "threads/staff/moderate_message.h"
#include "threads/run/record_op.h"
#include "threads/staff/set_thread_status.h"

namespace parley::threads {

template <class... Commands>
struct CommandList {};
using AllCommands = CommandList<CreateThread, UpdateThread, PromoteThread, SetThreadStatus, AddParticipant,
                                RemoveParticipant, UpdateParticipant, MuteThread, SetInboxFlags, MarkRead,
                                SendMessage, EditMessage, DeleteMessage, ReactToMessage, PinMessage, PutTab,
                                ScheduleThread, CreateCard, ActOnCard, ResolveCard, AckOutbox, SetBooking,
                                ModerateMessage, AcceptRequest, DeclineRequest, BlockRequest>;

template <class Command>
Result<Decision> Run(Transaction& tx, const Caller& caller, const typename Command::Op::Args& args) {
  PARLEY_TRY(loaded, Command::Load(tx, caller, args));
  Result<Decision> decided = Command::Decide(std::move(loaded), caller, args, tx.limits(), tx.moment());
  if (!decided.ok() || !caller.is_staff()) return decided;
  std::string_view reason;
  if constexpr (requires { args.reason->value; }) reason = args.reason ? args.reason->value : reason;
  PARLEY_CHECK_OK(RecordStaffOp(tx, caller, Command::Op::kName, reason, &*decided));
  return decided;
}

}  // namespace parley::threads
