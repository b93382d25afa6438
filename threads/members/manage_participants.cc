// The ops participant.add, .remove and .update: shared changes of the member list.
#include "threads/members/manage_participants.h"

#include <algorithm>

#include "protocol/base/reason.h"
#include "protocol/ops/lifecycle.h"
#include "threads/contacts/block_marks.h"
#include "threads/contacts/first_contact.h"
#include "threads/contacts/known_users.h"
#include "threads/model/requests.h"
#include "threads/model/thread_kinds.h"

namespace parley::threads {
namespace {

using protocol::EventKind;

std::string ReplyFor(const ParticipantRow& row) {
  protocol::ParticipantReply reply;
  reply.participant.msgpack = Wire(row.item);
  return protocol::Encode(reply);
}

Result<ManageLoaded> LoadManaged(Transaction& tx, const Caller& caller, const ThreadId& thread,
                                 const UserId& user) {
  PARLEY_TRY(standing, tx.StandingOf(caller, thread));
  PARLEY_TRY(target, tx.Participant(caller.tenant, thread, user));
  return ManageLoaded{std::move(standing), std::move(target)};
}

protocol::Status RequireManager(const Caller& caller, const Standing& standing) {
  if (!MayManage(caller, standing))
    return ErrorFor(protocol::Reason::kOnlyThreadOwners,
                    "only owners, services and staff manage participants");
  return RequireMayWrite(standing, caller, Writing::kMembers);
}

protocol::Status RequireMayCome(const Standing& standing) {
  if (!TraitsOf(standing.head.item.kind).fixed) return protocol::Ok();
  return ErrorFor(protocol::Reason::kDirectStays, "a direct thread keeps its two participants");
}

protocol::Status CheckRole(const Standing& standing, const std::optional<protocol::RoleContext>& role) {
  if (!role || IsRoleOf(standing.head.item.kind, *role)) return protocol::Ok();
  return Error::BadField("roleContext", "nobody is buyer or seller in this kind of thread");
}

// Returns whether the target is a group's last owner, and the longest-standing other member, who takes over
// if the target leaves. Reads all members, who may be many, only if the target is an owner.
Result<Succession> SuccessionOf(Transaction& tx, const Caller& caller, const ManageLoaded& loaded) {
  Succession out;
  const protocol::Thread& thread = loaded.standing.head.item;
  const auto& leaving = loaded.target;
  if (!TraitsOf(thread.kind).owned || !leaving || !leaving->active() ||
      leaving->item.permission != protocol::Permission::kOwner)
    return out;
  PARLEY_TRY(members, tx.Rows(caller.tenant).Participants(thread.thread_id));
  out.last_owner = true;
  for (ParticipantRow& row : members) {
    if (!row.active() || row.item.user_id == leaving->item.user_id) continue;
    if (row.item.permission == protocol::Permission::kOwner) return Succession{};
    if (!out.heir || row.born_seq < out.heir->born_seq) out.heir = std::move(row);
  }
  return out;
}

// Buyer and seller have equal rights in the thread: neither sets the other's permission, nor does an owner
// whom one of them brought in. Owners may remove them like any member; they return with the role and
// permission of a party.
protocol::Status RequireMayDemote(const Caller& caller, const Standing& standing, const UserId& target) {
  const bool own = standing.me && caller.user == target;
  if (own || caller.is_staff() || caller.is_service() || !IsParty(standing.head, target))
    return protocol::Ok();
  return ErrorFor(protocol::Reason::kPartiesKeepPermission,
                  "buyer and seller keep their permission; services and staff may change it");
}

// Replies with the row as Draft numbered it.
Decision FinishWith(Draft* draft) {
  Decision decision = draft->Finish({});
  decision.reply = ReplyFor(decision.participants.back());
  return decision;
}

// The reply for a stranger, who is no member until they accept.
std::string ReplyFor(const RequestRow& request, protocol::RoleContext role) {
  protocol::Participant item;
  item.user_id = request.to;
  item.role_context = role;
  item.joined_at = request.created_at;
  item.removed_at = request.created_at;
  protocol::ParticipantReply reply;
  reply.participant.msgpack = Wire(item);
  reply.request.value = ShownRequest(request, request.from);
  return protocol::Encode(reply);
}

// Strangers need no request to join a booking, and cannot join a direct thread.
bool AsksStrangers(const ThreadRow& head) {
  return !head.is_booking() && !TraitsOf(head.item.kind).fixed;
}

// Rejects adding a user who declined the caller's request, or if a block separates the two. The declined
// request is reported first, and counts for bookings, too, although bookings need no request.
protocol::Status RequireWelcome(Transaction& tx, const Caller& caller, const ThreadRow& head,
                                const UserId& user) {
  if (!caller.user) return protocol::Ok();
  PARLEY_TRY(blocked, AreBlocked(tx, caller.tenant, *caller.user, user));
  if (!blocked && (AsksStrangers(head) || caller.is_service())) return protocol::Ok();
  PARLEY_TRY(turned_away, WasTurnedAway(tx, caller, user));
  if (turned_away) return NotAccepted();
  return blocked ? protocol::Status(BlockedByUser()) : protocol::Ok();
}

// A stranger who cannot be invited is reported after errors that forbid the caller to add anybody.
protocol::Status AskStranger(Transaction& tx, const Caller& caller,
                             const protocol::ParticipantAdd::Args& args, ManageLoaded* loaded) {
  const ThreadRow& head = loaded->standing.head;
  if (!AsksStrangers(head)) return protocol::Ok();
  const RequestRow* invited = InvitedIn(head, args.user_id);
  const bool waits = invited && invited->state == protocol::RequestState::kPending;
  if (waits) {
    loaded->asked = caller.user && !caller.is_staff();
    if (loaded->asked) loaded->request = *invited;
    return protocol::Ok();
  }
  auto asked = AskIn(tx, caller, args.thread_id, {args.user_id}, CountWaiting(head));
  if (!asked.ok()) {
    loaded->known = std::move(asked.error());
  } else if (invited && !asked->empty()) {  // they declined to join, which a new inviter does not change
    loaded->known = NotAccepted();
  } else if (!asked->empty()) {
    loaded->request = asked->front();
  }
  return protocol::Ok();
}

}  // namespace

Result<ManageLoaded> AddParticipant::Load(Transaction& tx, const Caller& caller, const Op::Args& args) {
  PARLEY_TRY(loaded, LoadManaged(tx, caller, args.thread_id, args.user_id));
  const bool here = loaded.target && loaded.target->active();
  if (here) return std::move(loaded);
  loaded.known = RequireKnown(tx, caller, {{"userId", args.user_id}});
  if (loaded.known.ok()) loaded.known = RequireWelcome(tx, caller, loaded.standing.head, args.user_id);
  if (!loaded.known.ok()) return std::move(loaded);
  PARLEY_TRY(mark, MarkOf(tx, caller.tenant, loaded.standing.head, args.user_id));
  loaded.blocked_until = mark;
  PARLEY_CHECK_OK(AskStranger(tx, caller, args, &loaded));
  const auto kind = loaded.request ? Charge::Kind::kStart : Charge::Kind::kAdd;
  if (!loaded.asked && loaded.known.ok()) loaded.paid = tx.Pay({kind, caller, args.user_id});
  return std::move(loaded);
}

void Join(Draft* draft, ParticipantRow row) {
  protocol::Thread& thread = draft->head().item;
  ++thread.participant_count;
  auto& listed = thread.participants.items;
  const auto place = std::lower_bound(listed.begin(), listed.end(), row.item.user_id);
  if (listed.size() < protocol::kListedParticipants || place != listed.end())
    listed.insert(place, row.item.user_id);
  if (listed.size() > protocol::kListedParticipants) listed.pop_back();
  draft->ParticipantChanged(std::move(row), EventKind::kParticipantAdded);
}

Result<Decision> AddParticipant::Decide(const ManageLoaded& loaded, const Caller& caller,
                                        const Op::Args& args, const SizeLimits&, Moment moment) {
  PARLEY_CHECK_OK(CheckRole(loaded.standing, args.role_context));
  PARLEY_CHECK_OK(RequireMayCome(loaded.standing));
  PARLEY_CHECK_OK(RequireManager(caller, loaded.standing));
  if (loaded.target && loaded.target->active()) return AnswerOnly(ReplyFor(*loaded.target));
  PARLEY_CHECK_OK(loaded.known);
  PARLEY_CHECK_OK(loaded.paid);
  const ThreadRow& head = loaded.standing.head;
  const protocol::RoleContext role = args.role_context.value_or(DefaultRoleOf(head.item.kind));
  if (loaded.asked) return AnswerOnly(ReplyFor(*loaded.request, role));
  if (head.item.participant_count >= static_cast<int64_t>(protocol::kMaxParticipants)) {
    return ErrorFor(protocol::Reason::kThreadFull, "the thread has as many participants as it may have");
  }
  if (loaded.request) {
    Draft asking(head, moment.now);
    AddInvited(&asking.head(), *loaded.request);
    asking.HeadKept();
    Decision decision = asking.Finish(ReplyFor(*loaded.request, role));
    decision.changed |= kInboxChange | kTimersChange;
    decision.requests.push_back(*loaded.request);
    return decision;
  }
  ParticipantRow row;  // a returning member starts with a new row and nothing unread
  if (loaded.target) row.item.seq = loaded.target->item.seq;
  row.item.user_id = args.user_id;
  row.item.role_context = role;
  row.item.permission = args.permission.value_or(protocol::Permission::kWrite);
  row.item.joined_at = moment.now;
  row.hidden.join_no = head.item.last_msg_no;
  row.hidden.blocked_until = loaded.blocked_until;
  // Otherwise removing a party and adding them again would demote them.
  if (!RequireMayDemote(caller, loaded.standing, args.user_id).ok()) {
    row.item.permission = protocol::Permission::kOwner;
    row.item.role_context = args.user_id == head.item.buyer_user_id ? protocol::RoleContext::kBuyer
                                                                    : protocol::RoleContext::kSeller;
  }
  // The first member of a deserted group becomes its owner.
  if (TraitsOf(head.item.kind).owned && head.item.participant_count == 0)
    row.item.permission = protocol::Permission::kOwner;
  Draft draft(head, moment.now);
  TakeInvited(&draft.head(), args.user_id);  // being added answers a pending invitation
  Join(&draft, std::move(row));
  Decision decision = FinishWith(&draft);
  if (InvitedIn(head, args.user_id)) decision.changed |= kInboxChange | kTimersChange;
  return decision;
}

Result<RemoveParticipant::Loaded> RemoveParticipant::Load(Transaction& tx, const Caller& caller,
                                                          const Op::Args& args) {
  PARLEY_TRY(manage, LoadManaged(tx, caller, args.thread_id, args.user_id));
  PARLEY_TRY(members, tx.MembersOf(caller.tenant, args.thread_id));
  PARLEY_TRY(succession, SuccessionOf(tx, caller, manage));
  return Loaded{std::move(manage), std::move(members), std::move(succession)};
}

Result<Decision> RemoveParticipant::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                           const SizeLimits&, Moment moment) {
  const Standing& standing = loaded.manage.standing;
  PARLEY_CHECK_OK(RequireMayCome(standing));
  const bool oneself = standing.me && caller.user == args.user_id;
  if (oneself) {
    PARLEY_CHECK_OK(RequireSwitchedOn(standing.barriers.messaging));  // leaving is always allowed otherwise
  } else {
    PARLEY_CHECK_OK(RequireManager(caller, standing));
  }
  if (!loaded.manage.target) return ErrorFor(protocol::Reason::kNoParticipant, "no such participant");
  if (!loaded.manage.target->active()) return AnswerOnly(ReplyFor(*loaded.manage.target));
  ParticipantRow row = *loaded.manage.target;
  row.item.removed_at = moment.now;
  Draft draft(standing.head, moment.now);
  protocol::Thread& thread = draft.head().item;
  --thread.participant_count;
  auto& listed = thread.participants.items;
  listed = Without(loaded.members, args.user_id)->First(protocol::kListedParticipants);
  // Before the removal, so that the leaving member receives no event after it.
  if (loaded.succession.heir) {
    ParticipantRow heir = *loaded.succession.heir;
    heir.item.permission = protocol::Permission::kOwner;
    draft.ParticipantChanged(std::move(heir), EventKind::kParticipantUpdated);
  }
  draft.ParticipantChanged(std::move(row), EventKind::kParticipantRemoved);
  return FinishWith(&draft);
}

Result<UpdateParticipant::Loaded> UpdateParticipant::Load(Transaction& tx, const Caller& caller,
                                                          const Op::Args& args) {
  PARLEY_TRY(manage, LoadManaged(tx, caller, args.thread_id, args.user_id));
  const bool keeps = args.permission.value_or(protocol::Permission::kOwner) == protocol::Permission::kOwner;
  if (keeps) return Loaded{std::move(manage), false};
  PARLEY_TRY(succession, SuccessionOf(tx, caller, manage));
  return Loaded{std::move(manage), succession.last_owner};
}

Result<Decision> UpdateParticipant::Decide(const Loaded& all, const Caller& caller, const Op::Args& args,
                                           const SizeLimits&, Moment moment) {
  const ManageLoaded& loaded = all.manage;
  PARLEY_CHECK_OK(CheckRole(loaded.standing, args.role_context));
  PARLEY_CHECK_OK(RequireManager(caller, loaded.standing));
  if (!loaded.target || !loaded.target->active())
    return ErrorFor(protocol::Reason::kNoParticipant, "no such participant");
  if (args.permission == protocol::Permission::kOwner && TraitsOf(loaded.standing.head.item.kind).fixed)
    return ErrorFor(protocol::Reason::kDirectHasNoOwner, "a direct thread has no owner");
  ParticipantRow row = *loaded.target;
  row.item.role_context = args.role_context.value_or(row.item.role_context);
  row.item.permission = args.permission.value_or(row.item.permission);
  if (row.item.role_context == loaded.target->item.role_context &&
      row.item.permission == loaded.target->item.permission) {
    return AnswerOnly(ReplyFor(*loaded.target));
  }
  PARLEY_CHECK_OK(RequireMayDemote(caller, loaded.standing, args.user_id));
  if (all.last_owner)
    return ErrorFor(protocol::Reason::kGroupNeedsOwner, "a group has an owner: make somebody else one first");
  Draft draft(loaded.standing.head, moment.now);
  draft.ParticipantChanged(std::move(row), EventKind::kParticipantUpdated);
  return FinishWith(&draft);
}

Result<RaiseParticipant::Loaded> RaiseParticipant::Load(Transaction& tx, const Caller& caller,
                                                        const Op::Args& args) {
  return UpdateParticipant::Load(tx, caller, args);
}

Result<Decision> RaiseParticipant::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                          const SizeLimits& limits, Moment moment) {
  PARLEY_CHECK_OK(RequireManager(caller, loaded.manage.standing));
  const auto& target = loaded.manage.target;
  if (target && target->active() && args.permission && target->item.permission >= *args.permission)
    return AnswerOnly(ReplyFor(*target));
  return UpdateParticipant::Decide(loaded, caller, args, limits, moment);
}

}  // namespace parley::threads
