#include "accounts/invites/invites.h"

#include "accounts/records/item_fields.h"
#include "accounts/users/standing.h"
#include "protocol/base/crypto.h"
#include "protocol/base/reason.h"

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Result;
using protocol::Status;

namespace {

constexpr std::string_view kInviteTable = "workspace-invite", kUsers = "tenants";
constexpr std::string_view kInviteRange = "invite";
constexpr std::string_view kByTenant = "byWorkspaceId", kByResource = "byResource";
constexpr int64_t kListedMs = int64_t{30} * 24 * 3600 * 1000;  // after its expiry

std::string KeyOf(const RecordReads& reads, std::string_view invite_id) {
  return "workspace-invites/" + reads.tenant().ToText() + "/" + std::string(invite_id);
}

Error NoSuchInvite() {
  return ErrorFor(Reason::kNoInvitation, "no such invitation");
}

std::string Folded(std::string_view email) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = email.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  std::string out(email.substr(first, email.find_last_not_of(kSpace) + 1 - first));
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

InviteState StateOf(const Item& item, protocol::Time now) {
  if (item.Has("acceptedAt")) return InviteState::kAccepted;
  if (item.Has("revokedAt")) return InviteState::kRevoked;
  const auto expires = TimeOf(item, "expiresAt");
  return item.Has("lapsedAt") || !expires || *expires <= now ? InviteState::kExpired : InviteState::kPending;
}

// The user whose rights the invitation depends on: the author in their own right, never a service, even if it
// acted as a user.
std::optional<UserId> InviterOf(const Item& item) {
  constexpr std::string_view kUser = "users/";
  const std::string by = TextOf(item, "invitedBy");
  if (item.Has("byService") || !by.starts_with(kUser)) return std::nullopt;
  return UserId::FromText(by.substr(kUser.size()));
}

// An invitation by a user is revoked when they are deleted or lose the resource. It stays revoked if they
// become an owner again.
Result<bool> IsInviterGone(const RecordReads& reads, const Item& item) {
  const auto user = InviterOf(item);
  if (!user) return false;
  PARLEY_TRY(standing, FindStanding(reads, *user));
  if (IntOf(item, "inviterLife").value_or(0) < standing.lives) return true;
  PARLEY_TRY(resource, Resource::Parse(reads.tenant(), TextOf(item, "resource")));
  PARLEY_TRY(since, OwnsSince(reads, resource, *user));
  return !since || (item.Has("inviterSince") && TextOf(item, "inviterSince") != *since);
}

// A suspended user's invitations cannot be accepted.
Result<bool> IsInviterSuspended(const RecordReads& reads, const Item& item) {
  const auto user = InviterOf(item);
  if (!user) return false;
  PARLEY_TRY(standing, FindStanding(reads, *user));
  return standing.IsSuspended(reads.now());
}

Result<Invite> InviteFrom(const RecordReads& reads, const Item& item) {
  const std::string key = TextOf(item, "pk"), prefix = KeyOf(reads, "");
  const int64_t level = IntOf(item, "permissionLevel").value_or(0);
  if (!key.starts_with(prefix) || level < 1 || level > 3)
    return Error(ErrorCode::kInternal, "an invitation cannot be read");
  Invite out;
  out.invite_id = {key.substr(prefix.size())};
  out.email = {TextOf(item, "email")};
  out.resource = {TextOf(item, "resource")};
  out.level = static_cast<Level>(level - 1);
  out.state = StateOf(item, reads.now());
  if (out.state == InviteState::kPending) {
    PARLEY_TRY(gone, IsInviterGone(reads, item));
    if (gone) out.state = InviteState::kRevoked;
  }
  out.invited_by = {TextOf(item, "invitedBy")};
  out.created_at = TimeOf(item, "createdAt").value_or(protocol::Time{});
  out.expires_at = TimeOf(item, "expiresAt").value_or(protocol::Time{});
  out.accepted_at = TimeOf(item, "acceptedAt");
  out.accepted_by = UserId::FromText(TextOf(item, "acceptedBy"));
  out.revoked_at = TimeOf(item, "revokedAt");
  return out;
}

// Not for admins: an inviter gives away a share of their own resource.
Status RequireInviter(const RecordReads& reads, const Actor& actor, const Resource& resource) {
  return RequireOwner(reads, {actor.is_service, false, actor.user}, resource);
}

Status CheckRequest(const NewInvite& request) {
  if (request.ttl_seconds >= 1 && request.ttl_seconds <= kInviteSecondsMax) return protocol::Ok();
  return Error::BadField("ttlSeconds", "must be from 1 to " + std::to_string(kInviteSecondsMax));
}

Status RequireNoMember(const RecordReads& reads, const Resource& resource, const std::string& email) {
  const std::string tenant_key = "TENANT#" + reads.tenant().ToText();
  PARLEY_TRY(record, reads.FindUnique(kUsers, Item{{"pk", tenant_key}, {"email", email}}));
  const auto user = record ? UserId::FromText(TextOf(*record, "user_id")) : std::nullopt;
  if (!user) return protocol::Ok();
  PARLEY_TRY(level, LevelOn(reads, resource, *user));
  if (!level) return protocol::Ok();
  return ErrorFor(Reason::kIsMember, "the user of this address is a member already");
}

// The attributes include the id, because the key is made of it.
void StageInvite(RecordStage& stage, std::string_view invite_id, Item item) {
  item.Set("inviteId", invite_id);
  stage.Put(kInviteTable, kInviteRange, std::move(item));
}

// A pending invitation blocks a new one; an expired one is removed in a write of its own, because unique
// values are checked against the state before a write.
Status ClearTheWay(RecordStage& stage, const Resource& resource, const std::string& email) {
  const Item place{{"resource", resource.ToText()}, {"pendingEmail", email}};
  PARLEY_TRY(waiting, stage.FindUnique(kInviteTable, place));
  if (!waiting) return protocol::Ok();
  PARLEY_TRY(invite, InviteFrom(stage, *waiting));
  if (invite.state == InviteState::kPending)
    return ErrorFor(Reason::kInvitationWaits, "an invitation for this address waits already");
  Item lapsed = *std::move(waiting);
  SetTime(&lapsed, invite.state == InviteState::kRevoked ? "revokedAt" : "lapsedAt", stage.now());
  StageInvite(stage, invite.invite_id.value, std::move(lapsed));
  return stage.Commit();
}

Item NewItem(const RecordStage& stage, const Actor& actor, const NewInvite& request, std::string email) {
  const protocol::Time expires{stage.now().ms + request.ttl_seconds * 1000};
  Item item{{"workspaceId", stage.tenant().ToText()},
            {"email", std::move(email)},
            {"resource", request.resource.ToText()},
            {"invitedBy", actor.ToText()},
            {"createdBy", actor.ToText()}};
  SetInt(&item, "permissionLevel", static_cast<int64_t>(request.level) + 1);
  SetTime(&item, "expiresAt", expires);
  SetInt(&item, "expires", (expires.ms + kListedMs) / 1000 + 1);
  return item;
}

Status RequireAddress(const RecordReads& reads, const UserId& user, const std::string& email) {
  PARLEY_TRY(record, reads.Find(kUsers, "TENANT#" + reads.tenant().ToText(), "USER#" + user.ToText()));
  if (record && !email.empty() && Folded(TextOf(*record, "email")) == email) return protocol::Ok();
  return ErrorFor(Reason::kInvitationOfAnother, "the invitation is for another address");
}

Result<Item> FindByToken(const RecordReads& reads, std::string_view token) {
  const auto hash = HashOfInviteToken(token);
  if (!hash) return NoSuchInvite();
  PARLEY_TRY(item, reads.FindUnique(kInviteTable, Item{{"token", *hash}}));
  if (!item || !protocol::ConstantTimeEqual(TextOf(*item, "token"), *hash)) return NoSuchInvite();
  return *std::move(item);
}

}  // namespace

Result<InvitePage> ListInvites(const RecordReads& reads, const Actor& actor, const InviteAsk& ask) {
  PARLEY_CHECK_OK(RequireInviter(reads, actor, ask.resource.value_or(Resource::Tenant(reads.tenant()))));
  const std::string hash = ask.resource ? ask.resource->ToText() : reads.tenant().ToText();
  RecordReads::Ask rows{kInviteTable, ask.resource ? kByResource : kByTenant, AllOf(hash), ask.limit, false};
  if (ask.after) {
    rows.after = Item{{"pk", KeyOf(reads, *ask.after)}, {"sk", kInviteRange}};
    rows.after->Set(ask.resource ? "resource" : "workspaceId", hash);
  }
  PARLEY_TRY(page, reads.ListToTheEnd(std::move(rows)));
  InvitePage out;
  for (const Item& item : page.items) {
    PARLEY_TRY(invite, InviteFrom(reads, item));
    out.items.push_back(std::move(invite));
  }
  if (page.last) out.next = out.items.back().invite_id.value;
  return out;
}

Result<Invite> CreateInvite(RecordStage& stage, const Actor& actor, const NewInvite& request,
                            const InviteSecret& secret) {
  PARLEY_CHECK_OK(CheckRequest(request));
  PARLEY_CHECK_OK(RequireInviter(stage, actor, request.resource));
  const std::string email = Folded(request.email);
  PARLEY_CHECK_OK(RequireNoMember(stage, request.resource, email));
  PARLEY_CHECK_OK(ClearTheWay(stage, request.resource, email));
  Item item = NewItem(stage, actor, request, email);
  item.Set("token", HashOfInviteToken(secret.token).value_or(""));
  if (actor.is_service) SetInt(&item, "byService", 1);
  if (actor.user && !actor.is_service) {
    PARLEY_TRY(standing, FindStanding(stage, *actor.user));
    SetInt(&item, "inviterLife", standing.lives);
    PARLEY_TRY(since, OwnsSince(stage, request.resource, *actor.user));
    SetText(&item, "inviterSince", since.value_or(std::string()));
  }
  Item made = item;
  made.Set("pk", KeyOf(stage, secret.invite_id));
  SetTime(&made, "createdAt", stage.now());
  PARLEY_TRY(invite, InviteFrom(stage, made));
  StageInvite(stage, secret.invite_id, std::move(item));
  PARLEY_CHECK_OK(stage.Commit());
  return invite;
}

Result<Invite> RevokeInvite(RecordStage& stage, const Actor& actor, std::string_view invite_id) {
  std::optional<Item> item;
  if (protocol::IsTenantChosenId(invite_id)) {
    PARLEY_TRY(found, stage.Find(kInviteTable, KeyOf(stage, invite_id), kInviteRange));
    item = std::move(found);
  }
  if (!item) return NoSuchInvite();
  PARLEY_TRY(resource, Resource::Parse(stage.tenant(), TextOf(*item, "resource")));
  // Actors who may not list the invitation must not learn whether it exists.
  if (!RequireInviter(stage, actor, resource).ok()) return NoSuchInvite();
  PARLEY_TRY(invite, InviteFrom(stage, *item));
  if (invite.state == InviteState::kRevoked) return invite;
  if (invite.state != InviteState::kPending)
    return ErrorFor(Reason::kInvitationOver, "the invitation was accepted, or has expired");
  SetTime(&*item, "revokedAt", stage.now());
  item->Set("updatedBy", actor.ToText());
  PARLEY_TRY(revoked, InviteFrom(stage, *item));
  StageInvite(stage, invite_id, *std::move(item));
  PARLEY_CHECK_OK(stage.Commit());
  return revoked;
}

Result<Permission> AcceptInvite(RecordStage& stage, const UserId& user, std::string_view token) {
  PARLEY_TRY(item, FindByToken(stage, token));
  PARLEY_TRY(invite, InviteFrom(stage, item));
  if (invite.state == InviteState::kAccepted || invite.state == InviteState::kRevoked) return NoSuchInvite();
  PARLEY_CHECK_OK(RequireAddress(stage, user, invite.email.value));
  if (invite.state == InviteState::kExpired)
    return ErrorFor(Reason::kInvitationOver, "the invitation has expired");
  PARLEY_TRY(suspended, IsInviterSuspended(stage, item));
  if (suspended) return NoSuchInvite();
  PARLEY_TRY(resource, Resource::Parse(stage.tenant(), invite.resource.value));
  const Actor accepter = Actor::User(user);
  PARLEY_TRY(permission, StageRaise(stage, accepter, resource, user, invite.level));
  SetTime(&item, "acceptedAt", stage.now());
  item.Set("acceptedBy", user.ToText());
  item.Set("updatedBy", accepter.ToText());
  StageInvite(stage, invite.invite_id.value, std::move(item));
  PARLEY_CHECK_OK(stage.Commit());
  return permission;
}

}  // namespace parley::accounts
