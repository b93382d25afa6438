// The op thread.create: reserves the thread's id under the key that identifies a repeat, then creates the
// thread on the condition that it is absent. A crash between the two leaves a reservation that the repeat
// completes.
#include "threads/lifecycle/create_thread.h"

#include <algorithm>

#include "protocol/base/name.h"
#include "protocol/base/reason.h"
#include "threads/contacts/block_marks.h"
#include "threads/contacts/first_contact.h"
#include "threads/contacts/known_users.h"
#include "threads/engine/args_digest.h"
#include "threads/engine/reservations.h"
#include "threads/lifecycle/direct_thread.h"
#include "threads/model/pair_reports.h"
#include "threads/model/requests.h"

namespace parley::threads {
namespace {

using protocol::EventKind;

bool ByUser(const ParticipantRow& a, const ParticipantRow& b) {
  return a.item.user_id < b.item.user_id;
}

// The owner of the caller's reservations. A service that does not act as a user has a partition of its own,
// since no user id begins with a blank.
UserId CreatorOf(const Caller& caller) {
  return caller.user ? *caller.user : UserId{" service"};
}

// Allows one open inquiry per buyer, seller and role: a second one is rejected with the first, or, without a
// role, becomes the first. Applies to the two parties and to callers who see every thread; a third person
// neither learns of the inquiry nor takes its place.
protocol::Status ReserveRole(Transaction& tx, const Caller& caller, const CreateArgs& args,
                             ReservationRow* reservation) {
  const bool party =
      caller.sees_all() || caller.user == args.buyer_user_id || caller.user == args.seller_user_id;
  if (!TraitsOf(args.kind).per_role || !party) return protocol::Ok();
  const auto partition = UserPartition(caller.tenant, *args.buyer_user_id);
  const auto sort = InquiryKey(*args.seller_user_id, args.role ? args.role->value : protocol::KeyText());
  PARLEY_TRY(earlier, tx.Rows(caller.tenant).Reservation(partition, sort));
  if (earlier) {
    PARLEY_TRY(head, tx.Thread(caller.tenant, earlier->thread));
    if (!head) {  // a crash left the reservation; complete it
      reservation->thread = earlier->thread;
      return protocol::Ok();
    }
    if (!CameToNothing(*head, tx.moment().now)) {
      const auto standing = tx.StandingOf(caller, earlier->thread);
      if (!standing.ok() && standing.error().code != ErrorCode::kThreadNotMember) return standing.error();
      const bool goes_on = standing.ok() && TraitsOf(head->item.kind).per_role;
      if (goes_on && !args.role) {
        reservation->thread = earlier->thread;
        return protocol::Ok();
      }
      if (goes_on) {
        Error error = ErrorFor(protocol::Reason::kInquiryExists, "there is an inquiry for this role already");
        error.current = Wire(head->item);
        return error;
      }
    }
    // The role is free: the thread became a project, its request was rejected or expired, or the caller left
    // it.
  }
  ReserveFor(tx, caller.tenant, *args.buyer_user_id, sort, EncodeReservation(*reservation));
  return protocol::Ok();
}

// The key of the reservation which records that the clientId's inquiry existed already: a command of its own
// then adds firstMessage to the thread, and a repeat completes it. No clientId begins like this.
storage::SortKey JoinedKey(const ClientId& client) {
  return CreateKey(ClientId{protocol::KeyText::UpToNul("\x01" + client.value.text())});
}

// Whether the creation returns to an existing thread: the pair's direct thread, or its inquiry without a
// role.
Result<bool> ComesBack(Transaction& tx, const Caller& caller, const CreateArgs& args,
                       const ReservationRow& reservation, bool known) {
  if (TraitsOf(args.kind).pair) return true;
  if (!TraitsOf(args.kind).per_role || args.role) return false;
  if (known) {
    const auto own = UserPartition(caller.tenant, CreatorOf(caller));
    PARLEY_TRY(joined, tx.Rows(caller.tenant).Reservation(own, JoinedKey(*args.client_id)));
    return joined.has_value();
  }
  if (!args.client_id) return true;
  ReserveFor(tx, caller.tenant, CreatorOf(caller), JoinedKey(*args.client_id),
             EncodeReservation(reservation));
  return true;
}

// Rejects a conversation between two users with an open safety report.
protocol::Status RequireNoReport(Transaction& tx, const Caller& caller, const CreateArgs& args) {
  const auto pair = PartiesOf(caller, args);
  if (!pair || caller.is_staff() || (caller.user != pair->one && caller.user != pair->other))
    return protocol::Ok();
  PARLEY_TRY(reported, IsPairReported(tx.Rows(caller.tenant), pair->one, pair->other));
  if (!reported) return protocol::Ok();
  return ErrorFor(protocol::Reason::kSafetyReport, "a safety report is open");
}

// All users whom the request names, by field.
std::vector<NamedUser> NamedBy(const CreateArgs& args) {
  std::vector<NamedUser> out;
  if (args.buyer_user_id) out.emplace_back("buyerUserId", *args.buyer_user_id);
  if (args.seller_user_id) out.emplace_back("sellerUserId", *args.seller_user_id);
  if (!args.participants) return out;
  for (size_t i = 0; i < args.participants->items.size(); ++i)
    out.emplace_back("participants." + std::to_string(i) + ".userId", args.participants->items[i].user_id);
  return out;
}

bool IsBooking(const Caller& caller, const CreateArgs& args) {
  return TraitsOf(args.kind).bookable && !IsUnbound(caller, args);
}

// Rejects a start that names a user whom the creator blocks or who blocks the creator. A booking that the
// back end makes, acting for no user, passes. A requester whose earlier request was declined passes, too:
// StrangerIn rejects them for that.
protocol::Status RequireNoBlock(Transaction& tx, const Caller& caller, const CreateArgs& args,
                                const ThreadId& thread) {
  if (!caller.user) return protocol::Ok();
  for (const NamedUser& named : NamedBy(args)) {
    PARLEY_TRY(blocked, AreBlocked(tx, caller.tenant, *caller.user, named.second));
    if (!blocked) continue;
    if (IsBooking(caller, args)) return BlockedByUser();
    PARLEY_TRY(turned_away, WasTurnedAway(tx, caller, named.second));
    if (!turned_away) return BlockedByUser();
    // The declined request may be this start's own, left by a crash: then no later check would stop it.
    PARLEY_TRY(acquaintances, AcquaintancesOf(tx, caller, {named.second}, thread));
    if (acquaintances.at(named.second) != Acquaintance::kRefused) return BlockedByUser();
  }
  return protocol::Ok();
}

// The parties whose rows must show a block (contacts/block_marks.h). The parties themselves cannot start a
// conversation during a block, so the back end or a third person creates this one.
Result<std::set<UserId>> BlockersAmong(Transaction& tx, const Caller& caller, const CreateArgs& args) {
  std::set<UserId> out;
  const auto pair = PartiesOf(caller, args);
  if (!pair || pair->one == pair->other) return out;
  PARLEY_TRY(one, tx.Ask(caller.tenant, Blocking{pair->one, pair->other}));
  PARLEY_TRY(other, tx.Ask(caller.tenant, Blocking{pair->other, pair->one}));
  if (one) out.insert(pair->one);
  if (other) out.insert(pair->other);
  return out;
}

protocol::Status RequireMayMeet(Transaction& tx, const Caller& caller, const CreateArgs& args,
                                const Barriers& own, const ThreadId& thread) {
  PARLEY_CHECK_OK(RequireMayStart(own));
  PARLEY_CHECK_OK(RequireVerified(tx, caller));
  PARLEY_CHECK_OK(RequireKnown(tx, caller, NamedBy(args)));
  PARLEY_CHECK_OK(RequireNoBlock(tx, caller, args, thread));
  return RequireNoReport(tx, caller, args);
}

// A removed creator may not see the thread any more, even by repeating its creation. The row of a removed
// member may be swept.
protocol::Status RequireNotRemoved(Transaction& tx, const Caller& caller, const CreateArgs& args,
                                   const ThreadId& thread) {
  if (!caller.user || caller.sees_all() || !IsNamed(*caller.user, caller, args)) return protocol::Ok();
  PARLEY_TRY(row, tx.Participant(caller.tenant, thread, *caller.user));
  return row && row->active() ? protocol::Ok() : protocol::Status(NotMember());
}

// Uses the pair's existing thread instead of a new one. Returning to it is no start, so a later report does
// not prevent it.
protocol::Status ReservePair(Transaction& tx, const Caller& caller, const CreateArgs& args,
                             const Barriers& own, ReservationRow* reservation) {
  if (!TraitsOf(args.kind).pair) return RequireMayMeet(tx, caller, args, own, reservation->thread);
  const Parties pair = *PartiesOf(caller, args);
  PARLEY_TRY(earlier, FindDirect(tx, caller.tenant, pair));
  if (earlier) reservation->thread = *earlier;
  PARLEY_TRY(head, tx.Thread(caller.tenant, reservation->thread));
  if (!head) PARLEY_CHECK_OK(RequireMayMeet(tx, caller, args, own, reservation->thread));
  if (!earlier) ReserveDirect(tx, caller.tenant, pair, *reservation);
  return protocol::Ok();
}

// The stranger among the parties, who must be asked first. The creator must be acquainted with both if they
// are not one of the parties.
Result<std::optional<UserId>> StrangerIn(Transaction& tx, const Caller& caller, const CreateArgs& args,
                                         const ThreadId& thread) {
  std::optional<UserId> stranger;
  const auto pair = IsBooking(caller, args) ? std::nullopt : PartiesOf(caller, args);
  if (!pair) return stranger;
  std::set<UserId> parties = {pair->one, pair->other};
  const bool third = parties.erase(caller.user.value_or(UserId())) == 0;
  PARLEY_TRY(acquaintances, AcquaintancesOf(tx, caller, parties, thread));
  for (const auto& [party, acquaintance] : acquaintances) {
    if (acquaintance == Acquaintance::kRefused || (third && acquaintance == Acquaintance::kStrangers))
      return NotAccepted();
    if (acquaintance == Acquaintance::kStrangers) stranger = party;
  }
  return stranger;
}

// Returns the request and the credits that a new thread between strangers needs. Bookings need none.
Result<std::optional<FirstContact>> ReachOut(Transaction& tx, const Caller& caller, const CreateArgs& args,
                                             const ThreadId& thread) {
  std::optional<FirstContact> out;
  PARLEY_TRY(stranger, StrangerIn(tx, caller, args, thread));
  if (!stranger) return out;
  PARLEY_TRY(reception, tx.Ask(caller.tenant, ReceptionBy{caller, *stranger, SaidIn(args)}));
  if (!reception.unmet.empty()) return FilterUnmet(std::move(reception));
  out = NewContact(tx, caller, thread, *stranger, reception, args.contact.value);
  return out;
}

// Returns requests to the other users who are strangers to the creator, if the thread's kind requires
// requests.
Result<std::vector<RequestRow>> AskOthers(Transaction& tx, const Caller& caller, const CreateArgs& args,
                                          const ThreadId& thread) {
  std::set<UserId> others;
  if (TraitsOf(args.kind).asks_others || IsUnbound(caller, args)) {
    for (const ParticipantRow& row : Joining(caller, args, {})) {
      const UserId& user = row.item.user_id;
      if (user != args.buyer_user_id && user != args.seller_user_id) others.insert(user);
    }
  }
  return AskIn(tx, caller, thread, others, 0);
}

// Charges a new thread as a start, and its firstMessage as a send.
protocol::Status Pay(Transaction& tx, const Caller& caller, const CreateArgs& args) {
  if (!caller.user) return protocol::Ok();
  const std::string text = args.first_message ? args.first_message->value : "";
  PARLEY_CHECK_OK(tx.Pay({Charge::Kind::kStart, caller, {}, 0, text}));
  if (!args.first_message) return protocol::Ok();
  Charge send{Charge::Kind::kSend, caller, {}};
  const std::vector<ParticipantRow> joining = Joining(caller, args, tx.moment().now);
  for (const ParticipantRow& row : joining) {
    if (joining.size() == 2 && row.item.user_id != caller.user) send.peer = row.item.user_id;
  }
  return tx.Pay(send);
}

// Answers with the existing thread. If the creator returns to a pair's own thread, the rest is a command of
// that thread.
Decision Existing(const CreateThread::Loaded& loaded, const Caller& caller, const CreateArgs& args,
                  Moment moment) {
  Decision decision = AnswerOnly(CreatedReply(caller, *loaded.existing, loaded.participants));
  decision.reserves_only = loaded.reserved;
  // Only a user has a firstMessage, and can reopen a request.
  if (loaded.comes_back && caller.user &&
      (args.first_message || MayReopen(*loaded.existing, *caller.user, moment.now))) {
    decision.onward = {loaded.thread_id,
                       [caller, args, judged = loaded.judged, thread = loaded.thread_id](Transaction& tx) {
                         return ComeBack(tx, caller, args, judged, thread);
                       }};
  }
  return decision;
}

}  // namespace

Result<CreateThread::Loaded> CreateThread::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  PARLEY_CHECK_OK(CheckShape(caller, args));
  Loaded loaded;
  loaded.user_projects = tx.policy(caller.tenant).user_projects;
  const Moment moment = tx.moment();
  ReservationRow reservation{ThreadId{moment.ids->Make(moment.now)}, DigestOf(args)};
  PARLEY_TRY(own, tx.BarriersTo(caller, reservation.thread, protocol::CleanTitle(args.city)));
  loaded.own = own;
  bool known = false;
  if (args.client_id) {
    PARLEY_TRY(found,
               tx.Rows(caller.tenant)
                   .Reservation(UserPartition(caller.tenant, CreatorOf(caller)), CreateKey(*args.client_id)));
    known = found.has_value();
    if (known && !SaidBefore(found->digest, args))
      return Error(ErrorCode::kIdempotencyConflict, "this clientId created another thread");
    if (known) reservation = *found;
  }
  if (!known) {
    // A rejected creation leaves no reservation, while a repeat of an accepted one is answered although it
    // would be rejected now.
    PARLEY_CHECK_OK(MayCreate(caller, args, loaded.user_projects));
    PARLEY_CHECK_OK(ReservePair(tx, caller, args, loaded.own, &reservation));
    PARLEY_CHECK_OK(ReserveRole(tx, caller, args, &reservation));
  }
  PARLEY_TRY(there, tx.Thread(caller.tenant, reservation.thread));
  if (!there) {
    // A crash came between the reservation and the thread. Nothing was acknowledged, and a report or block
    // may have come since.
    if (known) PARLEY_CHECK_OK(RequireMayMeet(tx, caller, args, loaded.own, reservation.thread));
    PARLEY_TRY(blockers, BlockersAmong(tx, caller, args));
    loaded.blockers = std::move(blockers);
    // Before the search for strangers, which is the most expensive check.
    if (!known) PARLEY_CHECK_OK(Pay(tx, caller, args));
    PARLEY_TRY(contact, ReachOut(tx, caller, args, reservation.thread));
    loaded.contact = std::move(contact);
    PARLEY_TRY(invited, AskOthers(tx, caller, args, reservation.thread));
    loaded.invited = std::move(invited);
  }
  if (!known) {
    // Each invited stranger counts as a start, as if invited alone.
    for (size_t i = 0; i < loaded.invited.size(); ++i)
      PARLEY_CHECK_OK(tx.Pay({Charge::Kind::kStart, caller, {}}));
    PARLEY_CHECK_OK(CheckContent(args, tx.limits()));
    if (args.client_id)
      ReserveFor(tx, caller.tenant, CreatorOf(caller), CreateKey(*args.client_id),
                 EncodeReservation(reservation));
  }
  // The last check that may reject: the ledger's row is committed with the thread's rows, or not at all.
  if (loaded.contact && loaded.contact->cost > 0)
    PARLEY_CHECK_OK(tx.Pay({Charge::Kind::kReach, caller, {}, loaded.contact->cost}));
  loaded.thread_id = reservation.thread;
  loaded.reserved = !known && args.client_id;
  if (there) {
    PARLEY_CHECK_OK(RequireNotRemoved(tx, caller, args, loaded.thread_id));
    PARLEY_TRY(comes_back, ComesBack(tx, caller, args, reservation, known));
    loaded.comes_back = comes_back;
    if (!comes_back || !caller.user || !MayReopen(*there, *caller.user, moment.now))
      PARLEY_CHECK_OK(RequireLetIn(caller, *there));
    PARLEY_TRY(rows, ListedMembers(tx, caller.tenant, *there));
    loaded.participants = std::move(rows);
    loaded.existing = std::move(there);
  }
  return loaded;
}

Result<Decision> CreateThread::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                      const SizeLimits& limits, Moment moment) {
  if (loaded.existing) return Existing(loaded, caller, args, moment);
  PARLEY_CHECK_OK(MayCreate(caller, args, loaded.user_projects));
  PARLEY_CHECK_OK(CheckContent(args, limits));

  std::vector<ParticipantRow> joining = Joining(caller, args, moment.now);
  for (const RequestRow& request : loaded.invited)
    std::erase_if(joining, [&](const ParticipantRow& row) { return row.item.user_id == request.to; });
  Draft draft(NewHead(loaded.thread_id, caller, args, joining, moment.now), moment.now);
  draft.head().hidden.idle_due_at.value = protocol::Time{moment.now.ms + limits.idle_archive_ms};
  if (loaded.contact) {
    draft.head().hidden.request.value = loaded.contact->request;
    draft.head().hidden.start_cost.value = loaded.contact->cost;
  }
  for (const RequestRow& request : loaded.invited) AddInvited(&draft.head(), request);
  draft.ThreadChanged(EventKind::kThreadCreated);
  for (ParticipantRow& row : joining) {
    if (loaded.blockers.contains(row.item.user_id)) row.hidden.blocked_until = MarkIn(draft.head());
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
  if (args.first_message)
    AppendFirst(&draft, caller, args, loaded.judged, moment.ids, OnlyForShadowed(loaded.own, caller),
                TraitsOf(args.kind).pair);
  RememberCreated(&draft, caller, args);
  Decision decision = draft.Finish({});
  decision.requests = loaded.invited;
  if (loaded.contact && loaded.contact->request) decision.requests.push_back(*loaded.contact->request);
  std::sort(joining.begin(), joining.end(), ByUser);
  decision.reply = CreatedReply(caller, *decision.head, joining);
  return decision;
}

}  // namespace parley::threads
