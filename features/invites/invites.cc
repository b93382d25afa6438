#include "features/invites/invites.h"

#include "accounts/records/item_fields.h"
#include "accounts/users/user_standing.h"
#include "protocol/base/ascii.h"
#include "protocol/base/crypto.h"
#include "protocol/base/reason.h"

namespace parley::features {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Reason;
using protocol::Result;
using protocol::Status;

namespace {

constexpr std::string_view kInviteTable = "workspace-invite", kUserTable = "tenants";
constexpr std::string_view kInviteRange = "invite";
constexpr std::string_view kByTenant = "byWorkspaceId", kByResource = "byResource";
constexpr int64_t kListedMs = int64_t{30} * 24 * 3600 * 1000;  // after its expiry

std::string KeyOf(const accounts::RecordReads& reads, std::string_view invite_id) {
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
  for (char& c : out) c = protocol::LowerOf(c);
  return out;
}

InviteState StateOf(const storage::Item& item, protocol::Time now) {
  if (item.Has("acceptedAt")) return InviteState::kAccepted;
  if (item.Has("revokedAt")) return InviteState::kRevoked;
  const auto expires = accounts::TimeOf(item, "expiresAt");
  return item.Has("lapsedAt") || !expires || *expires <= now ? InviteState::kExpired : InviteState::kPending;
}

// The user whose rights the invitation depends on: the author in their own right, never a service, even if it
// acted as a user.
std::optional<protocol::UserId> InviterOf(const storage::Item& item) {
  constexpr std::string_view kUser = "users/";
  const std::string by = accounts::TextOf(item, "invitedBy");
  if (item.Has("byService") || !by.starts_with(kUser)) return std::nullopt;
  return protocol::UserId::FromText(by.substr(kUser.size()));
}

// An invitation by a user is revoked when they are deleted or lose the resource. It stays revoked if they
// become an owner again.
Result<bool> IsInviterGone(const accounts::RecordReads& reads, const storage::Item& item) {
  const auto user = InviterOf(item);
  if (!user) return false;
  PARLEY_TRY(standing, accounts::FindStanding(reads, *user));
  if (accounts::IntOf(item, "inviterLife").value_or(0) < standing.lives) return true;
  PARLEY_TRY(resource, accounts::Resource::Parse(reads.tenant(), accounts::TextOf(item, "resource")));
  PARLEY_TRY(since, accounts::OwnsSince(reads, resource, *user));
  return !since || (item.Has("inviterSince") && accounts::TextOf(item, "inviterSince") != *since);
}

// A suspended user's invitations cannot be accepted.
Result<bool> IsInviterSuspended(const accounts::RecordReads& reads, const storage::Item& item) {
  const auto user = InviterOf(item);
  if (!user) return false;
  PARLEY_TRY(standing, accounts::FindStanding(reads, *user));
  return standing.IsSuspended(reads.now());
}

Result<Invite> InviteFrom(const accounts::RecordReads& reads, const storage::Item& item) {
  const std::string key = accounts::TextOf(item, "pk"), prefix = KeyOf(reads, "");
  const int64_t level = accounts::IntOf(item, "permissionLevel").value_or(0);
  if (!key.starts_with(prefix) || level < 1 || level > 3)
    return Error(ErrorCode::kInternal, "an invitation cannot be read");
  Invite out;
  out.invite_id = {key.substr(prefix.size())};
  out.email = {accounts::TextOf(item, "email")};
  out.resource = {accounts::TextOf(item, "resource")};
  out.level = static_cast<accounts::Level>(level - 1);
  out.state = StateOf(item, reads.now());
  if (out.state == InviteState::kPending) {
    PARLEY_TRY(gone, IsInviterGone(reads, item));
    if (gone) out.state = InviteState::kRevoked;
  }
  out.invited_by = {accounts::TextOf(item, "invitedBy")};
  out.created_at = accounts::TimeOf(item, "createdAt").value_or(protocol::Time{});
  out.expires_at = accounts::TimeOf(item, "expiresAt").value_or(protocol::Time{});
  out.accepted_at = accounts::TimeOf(item, "acceptedAt");
  out.accepted_by = protocol::UserId::FromText(accounts::TextOf(item, "acceptedBy"));
  out.revoked_at = accounts::TimeOf(item, "revokedAt");
  return out;
}

// Not for admins: an inviter gives away a share of their own resource.
Status RequireInviter(const accounts::RecordReads& reads, const accounts::Actor& actor,
                      const accounts::Resource& resource) {
  return accounts::RequireOwner(reads, {actor.is_service, false, actor.user}, resource);
}

Status CheckRequest(const NewInvite& request) {
  if (request.ttl_seconds >= 1 && request.ttl_seconds <= kInviteSecondsMax) return protocol::Ok();
  return Error::BadField("ttlSeconds", "must be from 1 to " + std::to_string(kInviteSecondsMax));
}

Status RequireNoMember(const accounts::RecordReads& reads, const accounts::Resource& resource,
                       const std::string& email) {
  const std::string tenant_key = "TENANT#" + reads.tenant().ToText();
  PARLEY_TRY(record, reads.FindUnique(kUserTable, storage::Item{{"pk", tenant_key}, {"email", email}}));
  const auto user = record ? protocol::UserId::FromText(accounts::TextOf(*record, "user_id")) : std::nullopt;
  if (!user) return protocol::Ok();
  PARLEY_TRY(level, accounts::LevelOn(reads, resource, *user));
  if (!level) return protocol::Ok();
  return ErrorFor(Reason::kIsMember, "the user of this address is a member already");
}

// The attributes include the id, because the key is made of it.
void StageInvite(accounts::RecordTransaction& tx, std::string_view invite_id, storage::Item item) {
  item.Set("inviteId", invite_id);
  tx.Put(kInviteTable, kInviteRange, std::move(item));
}

// A pending invitation blocks a new one; an expired one is removed in a write of its own, because unique
// values are checked against the state before a write.
Status ClearTheWay(accounts::RecordTransaction& tx, const accounts::Resource& resource,
                   const std::string& email) {
  const storage::Item place{{"resource", resource.ToText()}, {"pendingEmail", email}};
  PARLEY_TRY(waiting, tx.FindUnique(kInviteTable, place));
  if (!waiting) return protocol::Ok();
  PARLEY_TRY(invite, InviteFrom(tx, *waiting));
  if (invite.state == InviteState::kPending)
    return ErrorFor(Reason::kInvitationWaits, "an invitation for this address waits already");
  storage::Item lapsed = *std::move(waiting);
  accounts::SetTime(&lapsed, invite.state == InviteState::kRevoked ? "revokedAt" : "lapsedAt", tx.now());
  StageInvite(tx, invite.invite_id.value, std::move(lapsed));
  return tx.Commit();
}

storage::Item NewItem(const accounts::RecordTransaction& tx, const accounts::Actor& actor,
                      const NewInvite& request, std::string email) {
  const protocol::Time expires{tx.now().ms + request.ttl_seconds * 1000};
  storage::Item item{{"workspaceId", tx.tenant().ToText()},
                     {"email", std::move(email)},
                     {"resource", request.resource.ToText()},
                     {"invitedBy", actor.ToText()},
                     {"createdBy", actor.ToText()}};
  accounts::SetInt(&item, "permissionLevel", static_cast<int64_t>(request.level) + 1);
  accounts::SetTime(&item, "expiresAt", expires);
  accounts::SetInt(&item, "expires", (expires.ms + kListedMs) / 1000 + 1);
  return item;
}

Status RequireAddress(const accounts::RecordReads& reads, const protocol::UserId& user,
                      const std::string& email) {
  PARLEY_TRY(record, reads.Find(kUserTable, "TENANT#" + reads.tenant().ToText(), "USER#" + user.ToText()));
  if (record && !email.empty() && Folded(accounts::TextOf(*record, "email")) == email) return protocol::Ok();
  return ErrorFor(Reason::kInvitationOfAnother, "the invitation is for another address");
}

Result<storage::Item> FindByToken(const accounts::RecordReads& reads, std::string_view token) {
  const auto hash = HashOfInviteToken(token);
  if (!hash) return NoSuchInvite();
  PARLEY_TRY(item, reads.FindUnique(kInviteTable, storage::Item{{"token", *hash}}));
  if (!item || !protocol::ConstantTimeEqual(accounts::TextOf(*item, "token"), *hash)) return NoSuchInvite();
  return *std::move(item);
}

}  // namespace

Result<InvitePage> ListInvites(const accounts::RecordReads& reads, const accounts::Actor& actor,
                               const InviteAsk& ask) {
  PARLEY_CHECK_OK(
      RequireInviter(reads, actor, ask.resource.value_or(accounts::Resource::Tenant(reads.tenant()))));
  const std::string hash = ask.resource ? ask.resource->ToText() : reads.tenant().ToText();
  accounts::RecordReads::Ask rows{kInviteTable, ask.resource ? kByResource : kByTenant, accounts::AllOf(hash),
                                  ask.limit, false};
  if (ask.after) {
    rows.after = storage::Item{{"pk", KeyOf(reads, *ask.after)}, {"sk", kInviteRange}};
    rows.after->Set(ask.resource ? "resource" : "workspaceId", hash);
  }
  PARLEY_TRY(page, reads.ListToTheEnd(std::move(rows)));
  InvitePage out;
  for (const storage::Item& item : page.items) {
    PARLEY_TRY(invite, InviteFrom(reads, item));
    out.items.push_back(std::move(invite));
  }
  if (page.last) out.next = out.items.back().invite_id.value;
  return out;
}

Result<Invite> CreateInvite(accounts::RecordTransaction& tx, const accounts::Actor& actor,
                            const NewInvite& request, const InviteSecret& secret) {
  PARLEY_CHECK_OK(CheckRequest(request));
  PARLEY_CHECK_OK(RequireInviter(tx, actor, request.resource));
  const std::string email = Folded(request.email);
  PARLEY_CHECK_OK(RequireNoMember(tx, request.resource, email));
  PARLEY_CHECK_OK(ClearTheWay(tx, request.resource, email));
  storage::Item item = NewItem(tx, actor, request, email);
  item.Set("token", HashOfInviteToken(secret.token).value_or(""));
  if (actor.is_service) accounts::SetInt(&item, "byService", 1);
  if (actor.user && !actor.is_service) {
    PARLEY_TRY(standing, accounts::FindStanding(tx, *actor.user));
    accounts::SetInt(&item, "inviterLife", standing.lives);
    PARLEY_TRY(since, accounts::OwnsSince(tx, request.resource, *actor.user));
    accounts::SetText(&item, "inviterSince", since.value_or(std::string()));
  }
  storage::Item made = item;
  made.Set("pk", KeyOf(tx, secret.invite_id));
  accounts::SetTime(&made, "createdAt", tx.now());
  PARLEY_TRY(invite, InviteFrom(tx, made));
  StageInvite(tx, secret.invite_id, std::move(item));
  PARLEY_CHECK_OK(tx.Commit());
  return invite;
}

Result<Invite> RevokeInvite(accounts::RecordTransaction& tx, const accounts::Actor& actor,
                            std::string_view invite_id) {
  std::optional<storage::Item> item;
  if (protocol::IsTenantChosenId(invite_id)) {
    PARLEY_TRY(found, tx.Find(kInviteTable, KeyOf(tx, invite_id), kInviteRange));
    item = std::move(found);
  }
  if (!item) return NoSuchInvite();
  PARLEY_TRY(resource, accounts::Resource::Parse(tx.tenant(), accounts::TextOf(*item, "resource")));
  // Actors who may not list the invitation must not learn whether it exists.
  if (!RequireInviter(tx, actor, resource).ok()) return NoSuchInvite();
  PARLEY_TRY(invite, InviteFrom(tx, *item));
  if (invite.state == InviteState::kRevoked) return invite;
  if (invite.state != InviteState::kPending)
    return ErrorFor(Reason::kInvitationOver, "the invitation was accepted, or has expired");
  accounts::SetTime(&*item, "revokedAt", tx.now());
  item->Set("updatedBy", actor.ToText());
  PARLEY_TRY(revoked, InviteFrom(tx, *item));
  StageInvite(tx, invite_id, *std::move(item));
  PARLEY_CHECK_OK(tx.Commit());
  return revoked;
}

Result<accounts::Permission> AcceptInvite(accounts::RecordTransaction& tx, const protocol::UserId& user,
                                          std::string_view token) {
  PARLEY_TRY(item, FindByToken(tx, token));
  PARLEY_TRY(invite, InviteFrom(tx, item));
  if (invite.state == InviteState::kAccepted || invite.state == InviteState::kRevoked) return NoSuchInvite();
  PARLEY_CHECK_OK(RequireAddress(tx, user, invite.email.value));
  if (invite.state == InviteState::kExpired)
    return ErrorFor(Reason::kInvitationOver, "the invitation has expired");
  PARLEY_TRY(suspended, IsInviterSuspended(tx, item));
  if (suspended) return NoSuchInvite();
  PARLEY_TRY(resource, accounts::Resource::Parse(tx.tenant(), invite.resource.value));
  const accounts::Actor accepter = accounts::Actor::User(user);
  PARLEY_TRY(permission, accounts::StageRaise(tx, accepter, resource, user, invite.level));
  accounts::SetTime(&item, "acceptedAt", tx.now());
  item.Set("acceptedBy", user.ToText());
  item.Set("updatedBy", accepter.ToText());
  StageInvite(tx, invite.invite_id.value, std::move(item));
  PARLEY_CHECK_OK(tx.Commit());
  return permission;
}

}  // namespace parley::features
