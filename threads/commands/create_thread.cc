// thread.create: reserve the thread's id under what makes a repeat recognisable, then create it with an
// absent-condition. A crash between the two leaves a reservation that the repeat completes.
#include <algorithm>

#include "threads/commands.h"
#include "threads/sanitize.h"

namespace parley::threads {
namespace {

using protocol::EventKind;
using protocol::Permission;
using protocol::RoleContext;
using Args = protocol::ThreadCreate::Args;

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
    const auto by_user = [](const ParticipantRow& a, const ParticipantRow& b) {
      return a.item.user_id < b.item.user_id;
    };
    const auto same_user = [](const ParticipantRow& a, const ParticipantRow& b) {
      return a.item.user_id == b.item.user_id;
    };
    std::stable_sort(others, out.end(), by_user);
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

ThreadRow NewHead(const CreateThread::Loaded& loaded, const Caller& caller, const Args& args, size_t members,
                  protocol::Time now) {
  ThreadRow head;
  protocol::Thread& thread = head.item;
  thread.thread_id = loaded.thread_id;
  thread.kind = args.kind;
  if (args.subject) thread.subject = args.subject->value;
  thread.lbg_id = args.lbg_id;
  thread.leg_id = args.leg_id;
  thread.buyer_user_id = args.buyer_user_id;
  thread.seller_user_id = args.seller_user_id;
  thread.participant_count = static_cast<int64_t>(members);
  if (args.city) thread.city = args.city->value;
  thread.created_at = thread.updated_at = now;
  thread.safe_mode_required = args.safe_mode_required.value_or(false);
  head.hidden.creator = caller.user;
  if (args.role) head.hidden.role = args.role->value;
  return head;
}

protocol::Status CheckArgs(const Caller& caller, const Args& args, const Limits& limits, bool user_projects) {
  if (args.first_message && !caller.user) {
    return Error(ErrorCode::kForbidden, "a service authors only as a user");
  }
  if (caller.user && !caller.is_staff() && !caller.is_service()) {
    if (args.kind == protocol::ThreadKind::kProject && !user_projects) {
      return Error(ErrorCode::kForbidden, "project threads are created by services");
    }
  }
  if (args.first_message && args.first_message->value.empty())
    return Error::BadField("firstMessage", "is empty");
  if (args.first_message && args.first_message->value.size() > limits.max_body_bytes) {
    return Error(ErrorCode::kTooLarge, "firstMessage is longer than maxBodyBytes");
  }
  if (args.brief && args.brief->msgpack.size() > limits.max_tab_bytes) {
    return Error(ErrorCode::kTooLarge, "brief is larger than a tab may be");
  }
  return protocol::Ok();
}

bool IsNamed(const UserId& user, const Args& args) {
  if (user == args.buyer_user_id || user == args.seller_user_id) return true;
  if (!args.participants) return false;
  const auto& others = args.participants->items;
  return std::any_of(others.begin(), others.end(), [&](const auto& other) { return other.user_id == user; });
}

// The partition a reservation of this caller lies in. A service that acts for nobody has one of its own: no
// user id begins with a blank.
storage::PartitionKey CreatorPartition(const Caller& caller) {
  return UserPartition(caller.tenant, caller.user ? *caller.user : UserId{" service"});
}

// Reads or makes the reservation under `sort`. `fresh` tells which.
Result<ReservationRow> ReserveOnce(Stage& stage, const storage::PartitionKey& partition,
                                   const storage::SortKey& sort, const Caller& caller,
                                   const ReservationRow& wanted) {
  PARLEY_TRY(found, stage.Rows(caller.tenant).Reservation(partition, sort));
  if (found) return *found;
  stage.Reserve(partition, sort, wanted);
  return wanted;
}

}  // namespace

Result<CreateThread::Loaded> CreateThread::Load(Stage& stage, const Caller& caller, const Op::Args& args) {
  if (caller.user && !caller.is_staff() && !caller.is_service() && !IsNamed(*caller.user, args)) {
    return Error(ErrorCode::kForbidden, "the creator must be buyer, seller or among the participants");
  }
  Loaded loaded;
  loaded.user_projects = stage.policy(caller.tenant).user_projects;
  const Moment moment = stage.moment();
  ReservationRow reservation{ThreadId{moment.ids->Make(moment.now)}, DigestOf(args)};
  const std::string digest = reservation.digest;

  // What would be refused leaves no reservation behind; a repeat of what was accepted is answered all the
  // same.
  const protocol::Status acceptable = CheckArgs(caller, args, stage.limits(), loaded.user_projects);
  bool known = false;
  if (args.client_id) {
    PARLEY_TRY(found,
               stage.Rows(caller.tenant).Reservation(CreatorPartition(caller), CreateKey(*args.client_id)));
    if (found && found->digest != digest) {
      return Error(ErrorCode::kIdempotencyConflict, "this clientId created another thread");
    }
    if (found) reservation = *found;
    known = found.has_value();
  }
  if (!known) {
    if (!acceptable.ok()) return acceptable.error();
    // One open inquiry per buyer, seller and role: a second is not made silently.
    if (args.role && args.kind == protocol::ThreadKind::kInquiry) {
      const auto partition = UserPartition(caller.tenant, args.buyer_user_id);
      const auto sort = InquiryKey(args.seller_user_id, args.role->value);
      PARLEY_TRY(earlier, ReserveOnce(stage, partition, sort, caller, reservation));
      if (earlier.thread != reservation.thread) {
        PARLEY_TRY(head, stage.Thread(caller.tenant, earlier.thread));
        if (head && head->item.kind == protocol::ThreadKind::kInquiry) {
          Error error(ErrorCode::kAlreadyExists, "there is an inquiry for this role already");
          error.current = Wire(head->item);
          return error;
        }
        if (head) {
          stage.Reserve(partition, sort,
                        reservation);  // that inquiry became a project: the role is free again
        } else {
          reservation.thread = earlier.thread;  // a crash came between; complete it
        }
      }
    }
    if (args.client_id) stage.Reserve(CreatorPartition(caller), CreateKey(*args.client_id), reservation);
  }
  loaded.thread_id = reservation.thread;
  PARLEY_TRY(head, stage.Thread(caller.tenant, loaded.thread_id));
  if (head) {
    PARLEY_TRY(rows, stage.Rows(caller.tenant).Participants(loaded.thread_id));
    loaded.participants = std::move(rows);
    loaded.existing = std::move(head);
  }
  return loaded;
}

Result<Decision> CreateThread::Decide(const Loaded& loaded, const Caller& caller, const Op::Args& args,
                                      const Limits& limits, Moment moment) {
  if (loaded.existing) return AnswerOnly(ReplyFor(*loaded.existing, loaded.participants));
  PARLEY_CHECK_OK(CheckArgs(caller, args, limits, loaded.user_projects));

  std::vector<ParticipantRow> joining = Joining(args, moment.now);
  if (joining.size() > protocol::kMaxParticipants)
    return Error::BadField("participants", "has too many elements");
  Draft draft(NewHead(loaded, caller, args, joining.size(), moment.now), moment.now);
  for (const ParticipantRow& row : joining) {
    if (draft.head().item.participants.items.size() == protocol::kListedParticipants) break;
    draft.head().item.participants.items.push_back(row.item.user_id);
  }
  auto& listed = draft.head().item.participants.items;
  std::sort(listed.begin(), listed.end());
  draft.ThreadChanged(EventKind::kThreadCreated);
  const bool author_joins = args.first_message && caller.user && IsNamed(*caller.user, args);
  if (args.first_message && !author_joins)
    return Error(ErrorCode::kForbidden, "only a participant authors a message");
  for (ParticipantRow& row : joining) {
    if (author_joins && row.item.user_id == *caller.user) row.hidden.own_no = 1;
    draft.ParticipantChanged(row, EventKind::kParticipantAdded);
    row.item.seq = draft.last_seq();
  }
  if (args.brief) {
    TabRow tab;
    tab.item.tab = protocol::TabName::kBrief;
    tab.item.content = *args.brief;
    tab.item.updated_by = caller.user;
    tab.item.updated_at = moment.now;
    draft.TabChanged(std::move(tab));
  }
  if (args.first_message) {
    protocol::Message message;
    message.body = SanitizeMarkdown(args.first_message->value);
    message.author_user_id = caller.user;
    message.client_id = args.client_id;
    draft.AppendMessage(message, Preview(message.body), moment.ids);
  }
  Decision decision = draft.Finish({});
  decision.reply = ReplyFor(*decision.head, joining);
  return decision;
}

}  // namespace parley::threads
