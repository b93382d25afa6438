// thread.create: reserve the thread's id under what makes a repeat recognisable, then create it with an
// absent-condition. A crash between the two leaves a reservation that the repeat completes.
#include "threads/lifecycle/create_thread.h"

#include <algorithm>

#include "threads/engine/args_digest.h"
#include "threads/engine/reservations.h"
#include "threads/model/pair_reports.h"
#include "threads/model/preview.h"
#include "threads/panel/tab_rules.h"

namespace parley::threads {
namespace {

using protocol::EventKind;
using protocol::Permission;
using protocol::RoleContext;
using Args = protocol::ThreadCreate::Args;

bool ByUser(const ParticipantRow& a, const ParticipantRow& b) {
  return a.item.user_id < b.item.user_id;
}

// Who joins, in order: buyer, seller, then the others once each.
std::vector<ParticipantRow> Joining(const Args& args, protocol::Time now) {
  std::vector<ParticipantRow> out;
  const auto join = [&](const UserId& user, RoleContext role, Permission permission) {
    ParticipantRow row;
    row.item.user_id = user;
    row.item.role_context = role;
    row.item.permission = permission;
    row.item.joined_at = now;
    out.push_back(std::move(row));
  };
  join(args.buyer_user_id, RoleContext::kBuyer, Permission::kOwner);
  if (args.seller_user_id != args.buyer_user_id)
    join(args.seller_user_id, RoleContext::kSeller, Permission::kOwner);
  if (args.participants) {
    const size_t first_other = out.size();
    for (const protocol::NewParticipant& other : args.participants->items) {
      if (other.user_id == args.buyer_user_id || other.user_id == args.seller_user_id) continue;
      join(other.user_id, other.role_context.value_or(RoleContext::kBuyer), Permission::kWrite);
    }
    const auto others = out.begin() + static_cast<std::ptrdiff_t>(first_other);
    const auto same_user = [](const ParticipantRow& a, const ParticipantRow& b) {
      return a.item.user_id == b.item.user_id;
    };
    std::stable_sort(others, out.end(), ByUser);
    out.erase(std::unique(others, out.end(), same_user), out.end());
  }
  return out;
}

std::string ReplyFor(const ThreadRow& head, const std::vector<ParticipantRow>& participants) {
  protocol::ThreadCreate::Reply reply;
  reply.thread.msgpack = Wire(head.item);
  for (const ParticipantRow& row : participants) {
    if (!row.active() || reply.participants.count == protocol::kListedParticipants) continue;
    reply.participants.msgpack += Wire(row.item);
    ++reply.participants.count;
  }
  return protocol::Encode(reply);
}

ThreadRow NewHead(const CreateThread::Loaded& loaded, const Caller& caller, const Args& args,
                  const std::vector<ParticipantRow>& joining, protocol::Time now) {
  ThreadRow head;
  protocol::Thread& thread = head.item;
  thread.thread_id = loaded.thread_id;
  thread.kind = args.kind;
  thread.subtype = args.subtype;
  if (args.subject) thread.subject = args.subject->value;
  thread.lbg_id = args.lbg_id;
  thread.leg_id = args.leg_id;
  thread.buyer_user_id = args.buyer_user_id;
  thread.seller_user_id = args.seller_user_id;
  thread.participant_count = static_cast<int64_t>(joining.size());
  auto& listed = thread.participants.items;
  for (const ParticipantRow& row : joining) listed.push_back(row.item.user_id);
  std::sort(listed.begin(), listed.end());
  if (listed.size() > protocol::kListedParticipants) listed.resize(protocol::kListedParticipants);
  if (args.city) thread.city = args.city->value;
  thread.created_at = thread.updated_at = now;
  thread.safe_mode_required = args.safe_mode_required.value_or(false);
  head.hidden.creator = caller.user;
  if (args.role) head.hidden.role = args.role->value;
  return head;
}

bool IsNamed(const UserId& user, const Args& args) {
  if (user == args.buyer_user_id || user == args.seller_user_id) return true;
  if (!args.participants) return false;
  const auto& others = args.participants->items;
  return std::any_of(others.begin(), others.end(), [&](const auto& other) { return other.user_id == user; });
}

// What does not depend on state is bad whoever asks.
protocol::Status CheckShape(const Args& args) {
  if (args.first_message && args.first_message->value.empty())
    return Error::BadField("firstMessage", "is empty");
  if (args.subtype.value && args.kind != protocol::ThreadKind::kInquiry)
    return Error::BadField("subtype", "goes with inquiries only");
  protocol::Document brief;
  return args.brief ? CheckTabContent(protocol::TabName::kBrief, *args.brief, "brief", &brief)
                    : protocol::Ok();
}

protocol::Status MayCreate(const Caller& caller, const Args& args, bool user_projects) {
  const bool named = caller.user && IsNamed(*caller.user, args);
  if (caller.user && !caller.is_staff() && !caller.is_service()) {
    if (!named)
      return Error(ErrorCode::kForbidden, "the creator must be buyer, seller or among the participants");
    if (args.kind == protocol::ThreadKind::kProject && !user_projects)
      return Error(ErrorCode::kForbidden, "project threads are created by services");
  }
  if (args.first_message && !named)
    return Error(ErrorCode::kForbidden, "only a participant authors a message");
  return protocol::Ok();
}

protocol::Status CheckContent(const Args& args, const Limits& limits) {
  if (args.first_message && args.first_message->value.size() > limits.max_body_bytes)
    return Error(ErrorCode::kTooLarge, "firstMessage is longer than maxBodyBytes");
  if (args.brief && args.brief->msgpack.size() > limits.max_tab_bytes)
    return Error(ErrorCode::kTooLarge, "brief is larger than a tab may be");
  return protocol::Ok();
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
  const auto partition = UserPartition(caller.tenant, args.buyer_user_id);
  const auto sort = InquiryKey(args.seller_user_id, args.role->value);
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
  ReserveFor(stage, caller.tenant, args.buyer_user_id, sort, EncodeReservation(*reservation));
  return protocol::Ok();
}

// A safety report between two keeps either from starting another conversation with the other.
protocol::Status RequireNoReport(Stage& stage, const Caller& caller, const Args& args) {
  if (caller.is_staff() || (caller.user != args.buyer_user_id && caller.user != args.seller_user_id))
    return protocol::Ok();
  PARLEY_TRY(reported, IsPairReported(stage.Rows(caller.tenant), args.buyer_user_id, args.seller_user_id));
  if (!reported) return protocol::Ok();
  return Error(ErrorCode::kSafetySoftBlock, "a safety report is open");
}

// A creator who was removed hears of the thread no more, not even by repeating its creation. The row of a
// removed member may be gone.
protocol::Status RequireNotRemoved(Stage& stage, const Caller& caller, const Args& args,
                                   const ThreadId& thread) {
  if (!caller.user || caller.sees_all() || !IsNamed(*caller.user, args)) return protocol::Ok();
  PARLEY_TRY(row, stage.Participant(caller.tenant, thread, *caller.user));
  return row && row->active() ? protocol::Ok() : protocol::Status(NotMember());
}

// Those that the head lists, which are all that a reply shows.
Result<std::vector<ParticipantRow>> Listed(Stage& stage, const Caller& caller, const ThreadRow& head) {
  std::vector<ParticipantRow> out;
  for (const UserId& user : head.item.participants.items) {
    PARLEY_TRY(row, stage.Participant(caller.tenant, head.item.thread_id, user));
    if (row) out.push_back(std::move(*row));
  }
  return out;
}

}  // namespace

Result<CreateThread::Loaded> CreateThread::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  PARLEY_CHECK_OK(CheckShape(args));
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
    PARLEY_CHECK_OK(CheckContent(args, stage.limits()));
    PARLEY_CHECK_OK(RequireNoReport(stage, caller, args));
    PARLEY_CHECK_OK(ReserveRole(stage, caller, args, &reservation));
    if (args.client_id)
      ReserveFor(stage, caller.tenant, CreatorOf(caller), CreateKey(*args.client_id),
                 EncodeReservation(reservation));
  }
  loaded.thread_id = reservation.thread;
  PARLEY_TRY(head, stage.Thread(caller.tenant, loaded.thread_id));
  if (head) {
    PARLEY_CHECK_OK(RequireNotRemoved(stage, caller, args, loaded.thread_id));
    PARLEY_TRY(rows, Listed(stage, caller, *head));
    loaded.participants = std::move(rows);
    loaded.existing = std::move(head);
  }
  return loaded;
}

Result<Decision> CreateThread::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                      const Limits& limits, Moment moment) {
  if (loaded.existing) return AnswerOnly(ReplyFor(*loaded.existing, loaded.participants));
  PARLEY_CHECK_OK(MayCreate(caller, args, loaded.user_projects));
  PARLEY_CHECK_OK(CheckContent(args, limits));

  std::vector<ParticipantRow> joining = Joining(args, moment.now);
  Draft draft(NewHead(loaded, caller, args, joining, moment.now), moment.now);
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
  if (args.first_message) {
    protocol::Message message;
    message.body = args.first_message->value;
    message.author_user_id = caller.user;
    // Without a clientId: the caller's names the thread, and is free for a send within it.
    draft.AppendMessage(message, Preview(message.body), moment.ids);
  }
  Decision decision = draft.Finish({});
  std::sort(joining.begin(), joining.end(), ByUser);
  decision.reply = ReplyFor(*decision.head, joining);
  return decision;
}

}  // namespace parley::threads
