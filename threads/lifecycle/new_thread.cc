#include "threads/lifecycle/new_thread.h"

#include <algorithm>
#include <map>
#include <set>

#include "protocol/base/name.h"
#include "protocol/base/reason.h"
#include "threads/panel/tab_rules.h"

namespace parley::threads {
namespace {

using protocol::Permission;
using protocol::RoleContext;
using protocol::ThreadKind;

// All users in `participants` except `besides`, ascending. The first entry of a user who is named twice
// counts.
std::map<UserId, RoleContext> Others(const CreateArgs& args, const std::set<UserId>& besides) {
  std::map<UserId, RoleContext> out;
  if (!args.participants) return out;
  for (const protocol::NewParticipant& other : args.participants->items) {
    if (!besides.contains(other.user_id))
      out.emplace(other.user_id, other.role_context.value_or(DefaultRoleOf(args.kind)));
  }
  return out;
}

// Rejects fields that only a thread between a buyer and a seller has.
protocol::Status CheckNoSides(const CreateArgs& args) {
  const std::pair<const char*, bool> refused[] = {{"buyerUserId", args.buyer_user_id.has_value()},
                                                  {"sellerUserId", args.seller_user_id.has_value()},
                                                  {"role", args.role.has_value()},
                                                  {"lbgId", args.lbg_id.has_value()},
                                                  {"legId", args.leg_id.has_value()},
                                                  {"brief", args.brief.has_value()}};
  Error error = Error::BadRequest("direct threads and groups have no buyer, seller, booking or panel");
  for (const auto& [name, given] : refused) {
    if (given) error.fields.emplace_back(name, "does not go with this kind");
  }
  if (!error.fields.empty()) return error;
  return protocol::Ok();
}

protocol::Status CheckSides(const CreateArgs& args) {
  if (!args.buyer_user_id) return Error::BadField("buyerUserId", "is required");
  if (!args.seller_user_id) return Error::BadField("sellerUserId", "is required");
  return protocol::Ok();
}

protocol::Status CheckParticipants(const Caller& caller, const CreateArgs& args) {
  for (const auto& [user, role] : Others(args, {})) {
    if (!IsRoleOf(args.kind, role))
      return Error::BadField("participants", "nobody is buyer or seller in this kind of thread");
  }
  if (TraitsOf(args.kind).pair && caller.user && Others(args, {*caller.user}).size() != 1)
    return Error::BadField("participants", "names exactly one other");
  return protocol::Ok();
}

}  // namespace

namespace {

constexpr size_t kContactMembersMax = 16, kContactBytesMax = 4096;

// Accepts a few small plain values by name.
protocol::Status CheckContact(const CreateArgs& args) {
  if (!args.contact.value) return protocol::Ok();
  protocol::Document document;
  if (args.contact.value->msgpack.size() > kContactBytesMax ||
      !DecodeStored(args.contact.value->msgpack, &document))
    return Error::BadField("contact", "is too large");
  const auto* members = document.root.as_map();
  if (!members || members->size() > kContactMembersMax)
    return Error::BadField("contact", "must be a map of at most 16 members");
  for (const auto& [name, value] : *members) {
    if (!value.as_text() && !value.as_int() && !value.as_bool())
      return Error::BadField("contact", "has members that are no text, integer or truth value");
  }
  return protocol::Ok();
}

void AddSaid(const std::optional<protocol::Json>& map, std::set<std::string>* out) {
  protocol::Document document;
  if (!map || !DecodeStored(map->msgpack, &document) || !document.root.as_map()) return;
  for (const auto& [name, value] : *document.root.as_map()) {
    const bool empty = value.is_null() || (value.as_text() && value.as_text()->empty());
    if (!empty) out->insert(std::string(name));
  }
}

}  // namespace

std::set<std::string> SaidIn(const CreateArgs& args) {
  std::set<std::string> out;
  AddSaid(args.contact.value, &out);
  AddSaid(args.brief, &out);
  if (protocol::CleanTitle(args.city)) out.insert("city");
  return out;
}

protocol::Status CheckShape(const Caller& caller, const CreateArgs& args) {
  PARLEY_CHECK_OK(CheckContact(args));
  PARLEY_CHECK_OK(TraitsOf(args.kind).sides ? CheckSides(args) : CheckNoSides(args));
  PARLEY_CHECK_OK(CheckParticipants(caller, args));
  if (args.first_message && args.first_message->value.empty())
    return Error::BadField("firstMessage", "is empty");
  if (args.subtype.value && !TraitsOf(args.kind).per_role)
    return Error::BadField("subtype", "is allowed only in inquiries");
  protocol::Document brief;
  return args.brief ? CheckTabContent(protocol::TabName::kBrief, *args.brief, "brief", &brief)
                    : protocol::Ok();
}

bool IsNamed(const UserId& user, const Caller& caller, const CreateArgs& args) {
  if (!TraitsOf(args.kind).sides && user == caller.user) return true;
  return user == args.buyer_user_id || user == args.seller_user_id || Others(args, {}).contains(user);
}

bool IsUnbound(const Caller& caller, const CreateArgs& args) {
  return TraitsOf(args.kind).bookable && !caller.is_service() && !caller.is_staff();
}

protocol::Status MayCreate(const Caller& caller, const CreateArgs& args, bool user_projects) {
  if (!TraitsOf(args.kind).sides && !caller.user)
    return ErrorFor(protocol::Reason::kOnlyUsers,
                    "such a thread is a user's: a service creates it acting as one");
  const bool named = caller.user && IsNamed(*caller.user, caller, args);
  if (caller.user && !caller.is_staff() && !caller.is_service()) {
    if (!named)
      return ErrorFor(protocol::Reason::kCreatorNotNamed,
                      "the creator must be buyer, seller or among the participants");
    if (TraitsOf(args.kind).bookable && !user_projects)
      return ErrorFor(protocol::Reason::kProjectsByServices, "project threads are created by services");
  }
  if (args.first_message && !named)
    return ErrorFor(protocol::Reason::kOnlyParticipants, "only a participant authors a message");
  return protocol::Ok();
}

protocol::Status CheckContent(const CreateArgs& args, const SizeLimits& limits) {
  if (args.first_message && args.first_message->value.size() > limits.max_body_bytes)
    return ErrorFor(protocol::Reason::kTextTooLong, "firstMessage is longer than maxBodyBytes");
  if (args.brief && args.brief->msgpack.size() > limits.max_tab_bytes)
    return ErrorFor(protocol::Reason::kTabTooLarge, "brief is larger than a tab may be");
  return protocol::Ok();
}

std::optional<Parties> PartiesOf(const Caller& caller, const CreateArgs& args) {
  if (TraitsOf(args.kind).sides) return Parties{*args.buyer_user_id, *args.seller_user_id};
  if (!TraitsOf(args.kind).pair) return std::nullopt;
  return Parties{*caller.user, Others(args, {*caller.user}).begin()->first};
}

std::vector<ParticipantRow> Joining(const Caller& caller, const CreateArgs& args, protocol::Time now) {
  std::vector<ParticipantRow> out;
  std::set<UserId> first;
  const auto join = [&](const UserId& user, RoleContext role, Permission permission) {
    ParticipantRow row;
    row.item.user_id = user;
    row.item.role_context = role;
    row.item.permission = permission;
    row.item.joined_at = now;
    out.push_back(std::move(row));
  };
  if (TraitsOf(args.kind).sides) {
    first = {*args.buyer_user_id, *args.seller_user_id};
    join(*args.buyer_user_id, RoleContext::kBuyer, Permission::kOwner);
    if (first.size() > 1) join(*args.seller_user_id, RoleContext::kSeller, Permission::kOwner);
  } else {
    first = {*caller.user};
    join(*caller.user, RoleContext::kMember,
         TraitsOf(args.kind).fixed ? Permission::kWrite : Permission::kOwner);
  }
  for (const auto& [other, role] : Others(args, first)) join(other, role, Permission::kWrite);
  return out;
}

ThreadRow NewHead(const ThreadId& id, const Caller& caller, const CreateArgs& args,
                  const std::vector<ParticipantRow>& joining, protocol::Time now) {
  ThreadRow head;
  protocol::Thread& thread = head.item;
  thread.thread_id = id;
  thread.kind = args.kind;
  thread.subtype = args.subtype;
  thread.subject = protocol::CleanTitle(args.subject);
  thread.lbg_id = args.lbg_id;
  thread.leg_id = args.leg_id;
  thread.buyer_user_id = args.buyer_user_id;
  thread.seller_user_id = args.seller_user_id;
  thread.participant_count = static_cast<int64_t>(joining.size());
  auto& listed = thread.participants.items;
  for (const ParticipantRow& row : joining) listed.push_back(row.item.user_id);
  std::sort(listed.begin(), listed.end());
  if (listed.size() > protocol::kListedParticipants) listed.resize(protocol::kListedParticipants);
  thread.city = protocol::CleanTitle(args.city);
  thread.created_at = thread.updated_at = now;
  thread.safe_mode_required = args.safe_mode_required.value_or(false);
  head.hidden.creator = caller.user;
  if (IsUnbound(caller, args)) head.hidden.unbound.value = true;
  if (args.role) head.hidden.role = args.role->value;
  return head;
}

}  // namespace parley::threads
