// thread.create: reserve the thread's id under what makes a repeat recognisable, then create it with an
// absent-condition. A crash between the two leaves a reservation that the repeat completes.
#include "threads/lifecycle/create_thread.h"

#include <algorithm>

#include "threads/engine/args_digest.h"
#include "threads/engine/known_users.h"
#include "threads/engine/reservations.h"
#include "threads/lifecycle/direct_thread.h"
#include "threads/model/pair_reports.h"

namespace parley::threads {
namespace {

using protocol::EventKind;
using Args = CreateArgs;

bool ByUser(const ParticipantRow& a, const ParticipantRow& b) {
  return a.item.user_id < b.item.user_id;
}

// Whose partition a reservation of this caller lies in. A service that acts for nobody has one of its own: no
// user id begins with a blank.
UserId CreatorOf(const Caller& caller) {
  return caller.user ? *caller.user : UserId{" service"};
}

// One open inquiry per buyer, seller and role: a second is not made silently. Holds for the two and for those
// who see every thread; a third person neither learns of their inquiry nor takes its place.
protocol::Status ReserveRole(Stage& stage, const Caller& caller, const Args& args,
                             ReservationRow* reservation) {
  const bool party =
      caller.sees_all() || caller.user == args.buyer_user_id || caller.user == args.seller_user_id;
  if (!args.role || args.kind != protocol::ThreadKind::kInquiry || !party) return protocol::Ok();
  const auto partition = UserPartition(caller.tenant, *args.buyer_user_id);
  const auto sort = InquiryKey(*args.seller_user_id, args.role->value);
  PARLEY_TRY(earlier, stage.Rows(caller.tenant).Reservation(partition, sort));
  if (earlier) {
    PARLEY_TRY(head, stage.Thread(caller.tenant, earlier->thread));
    if (!head) {  // a crash came between; complete it
      reservation->thread = earlier->thread;
      return protocol::Ok();
    }
    const auto standing = stage.StandingOf(caller, earlier->thread);
    if (!standing.ok() && standing.error().code != ErrorCode::kThreadNotMember) return standing.error();
    if (standing.ok() && head->item.kind == protocol::ThreadKind::kInquiry) {
      Error error(ErrorCode::kAlreadyExists, "there is an inquiry for this role already");
      error.current = Wire(head->item);
      return error;
    }
    // That inquiry became a project, or the caller left it: the role is free again.
  }
  ReserveFor(stage, caller.tenant, *args.buyer_user_id, sort, EncodeReservation(*reservation));
  return protocol::Ok();
}

// A safety report between two keeps either from starting another conversation with the other.
protocol::Status RequireNoReport(Stage& stage, const Caller& caller, const Args& args) {
  const auto pair = PartiesOf(caller, args);
  if (!pair || caller.is_staff() || (caller.user != pair->one && caller.user != pair->other))
    return protocol::Ok();
  PARLEY_TRY(reported, IsPairReported(stage.Rows(caller.tenant), pair->one, pair->other));
  if (!reported) return protocol::Ok();
  return Error(ErrorCode::kSafetySoftBlock, "a safety report is open");
}

// Everybody the request names, by the field that does.
std::vector<NamedUser> NamedBy(const Args& args) {
  std::vector<NamedUser> out;
  if (args.buyer_user_id) out.emplace_back("buyerUserId", *args.buyer_user_id);
  if (args.seller_user_id) out.emplace_back("sellerUserId", *args.seller_user_id);
  if (!args.participants) return out;
  for (size_t i = 0; i < args.participants->items.size(); ++i)
    out.emplace_back("participants." + std::to_string(i) + ".userId", args.participants->items[i].user_id);
  return out;
}

protocol::Status RequireMayMeet(Stage& stage, const Caller& caller, const Args& args) {
  PARLEY_CHECK_OK(RequireKnown(stage, caller, NamedBy(args)));
  return RequireNoReport(stage, caller, args);
}

// A creator who was removed hears of the thread no more, not even by repeating its creation. The row of a
// removed member may be gone.
protocol::Status RequireNotRemoved(Stage& stage, const Caller& caller, const Args& args,
                                   const ThreadId& thread) {
  if (!caller.user || caller.sees_all() || !IsNamed(*caller.user, caller, args)) return protocol::Ok();
  PARLEY_TRY(row, stage.Participant(caller.tenant, thread, *caller.user));
  return row && row->active() ? protocol::Ok() : protocol::Status(NotMember());
}

// The pair's own thread takes the place of the one that was to be made. Who only comes back to it starts
// nothing, whatever was reported since.
protocol::Status ReservePair(Stage& stage, const Caller& caller, const Args& args,
                             ReservationRow* reservation) {
  if (args.kind != protocol::ThreadKind::kDirect) return RequireMayMeet(stage, caller, args);
  const Parties pair = *PartiesOf(caller, args);
  PARLEY_TRY(earlier, FindDirect(stage, caller.tenant, pair));
  if (earlier) reservation->thread = *earlier;
  PARLEY_TRY(head, stage.Thread(caller.tenant, reservation->thread));
  if (!head) PARLEY_CHECK_OK(RequireMayMeet(stage, caller, args));
  if (!earlier) ReserveDirect(stage, caller.tenant, pair, *reservation);
  return protocol::Ok();
}

// A new thread is a start, and its firstMessage a send.
protocol::Status Pay(Stage& stage, const Caller& caller, const Args& args) {
  if (!caller.user) return protocol::Ok();
  PARLEY_CHECK_OK(stage.Pay({Charge::Kind::kStart, caller, {}}));
  if (!args.first_message) return protocol::Ok();
  Charge send{Charge::Kind::kSend, caller, {}};
  const std::vector<ParticipantRow> joining = Joining(caller, args, stage.moment().now);
  for (const ParticipantRow& row : joining) {
    if (joining.size() == 2 && row.item.user_id != caller.user) send.peer = row.item.user_id;
  }
  return stage.Pay(send);
}

// The thread is there. Of a pair's own, firstMessage is sent by a command of its own, among those of that
// thread.
Decision Existing(const CreateThread::Loaded& loaded, const Caller& caller, const Args& args) {
  Decision decision = AnswerOnly(CreatedReply(caller, *loaded.existing, loaded.participants));
  decision.reserves_only = loaded.reserved;
  if (args.kind == protocol::ThreadKind::kDirect && args.first_message) {
    decision.onward = {loaded.thread_id, [caller, args, thread = loaded.thread_id](Stage& stage) {
                         return SendFirst(stage, caller, args, thread);
                       }};
  }
  return decision;
}

}  // namespace

Result<CreateThread::Loaded> CreateThread::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  PARLEY_CHECK_OK(CheckShape(caller, args));
  Loaded loaded;
  loaded.user_projects = stage.policy(caller.tenant).user_projects;
  const Moment moment = stage.moment();
  ReservationRow reservation{ThreadId{moment.ids->Make(moment.now)}, DigestOf(args)};
  bool known = false;
  if (args.client_id) {
    PARLEY_TRY(found,
               stage.Rows(caller.tenant)
                   .Reservation(UserPartition(caller.tenant, CreatorOf(caller)), CreateKey(*args.client_id)));
    known = found.has_value();
    if (known && !SaidBefore(found->digest, args))
      return Error(ErrorCode::kIdempotencyConflict, "this clientId created another thread");
    if (known) reservation = *found;
  }
  if (!known) {
    // What would be refused leaves no reservation behind; a repeat of what was accepted is answered all the
    // same.
    PARLEY_CHECK_OK(MayCreate(caller, args, loaded.user_projects));
    PARLEY_CHECK_OK(ReservePair(stage, caller, args, &reservation));
    PARLEY_CHECK_OK(ReserveRole(stage, caller, args, &reservation));
    PARLEY_TRY(there, stage.Thread(caller.tenant, reservation.thread));
    if (!there) PARLEY_CHECK_OK(Pay(stage, caller, args));
    PARLEY_CHECK_OK(CheckContent(args, stage.limits()));
    if (args.client_id)
      ReserveFor(stage, caller.tenant, CreatorOf(caller), CreateKey(*args.client_id),
                 EncodeReservation(reservation));
  }
  loaded.thread_id = reservation.thread;
  loaded.reserved = !known && args.client_id;
  PARLEY_TRY(head, stage.Thread(caller.tenant, loaded.thread_id));
  if (head) {
    PARLEY_CHECK_OK(RequireNotRemoved(stage, caller, args, loaded.thread_id));
    PARLEY_TRY(rows, ListedMembers(stage, caller.tenant, *head));
    loaded.participants = std::move(rows);
    loaded.existing = std::move(head);
  }
  return loaded;
}

Result<Decision> CreateThread::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                      const Limits& limits, Moment moment) {
  if (loaded.existing) return Existing(loaded, caller, args);
  PARLEY_CHECK_OK(MayCreate(caller, args, loaded.user_projects));
  PARLEY_CHECK_OK(CheckContent(args, limits));

  std::vector<ParticipantRow> joining = Joining(caller, args, moment.now);
  Draft draft(NewHead(loaded.thread_id, caller, args, joining, moment.now), moment.now);
  draft.head().hidden.idle_due_at.value = protocol::Time{moment.now.ms + limits.idle_archive_ms};
  draft.ThreadChanged(EventKind::kThreadCreated);
  for (ParticipantRow& row : joining) {
    if (args.first_message && row.item.user_id == *caller.user) row.hidden.own_no = 1;
    draft.ParticipantChanged(row, EventKind::kParticipantAdded);
    row.item.seq = draft.last_seq();
  }
  if (args.brief) {
    TabRow tab;
    tab.item.tab = protocol::TabName::kBrief;
    tab.item.content = *args.brief;
    tab.item.updated_by = caller.user;
    draft.TabChanged(std::move(tab));
  }
  if (args.first_message) AppendFirst(&draft, caller, args, moment.ids);
  Decision decision = draft.Finish({});
  std::sort(joining.begin(), joining.end(), ByUser);
  decision.reply = CreatedReply(caller, *decision.head, joining);
  return decision;
}

}  // namespace parley::threads
