#include "accounts/users/user_changes.h"

#include "accounts/records/item_fields.h"
#include "accounts/users/departed.h"
#include "accounts/users/user_keys.h"
#include "accounts/users/user_reads.h"
#include "protocol/base/reason.h"

namespace parley::accounts {

using protocol::Error;
using protocol::ErrorCode;
using protocol::Ok;
using protocol::Reason;
using protocol::Result;
using protocol::Status;
using protocol::UserId;

namespace {

constexpr std::string_view kUserIdPrefix = "usr_";

Error Taken(std::string_view field, std::string what) {
  Error error = ErrorFor(Reason::kOfAnotherUser, "something of this user is another user's");
  error.fields.emplace_back(std::string(field), std::move(what));
  return error;
}

Error NoSuchUser() {
  return ErrorFor(Reason::kNoUser, "there is no such user");
}

Status RequireFreeEmail(const RecordReads& reads, const User& user) {
  if (!user.email) return Ok();
  PARLEY_TRY(holder, FindUserByEmail(reads, *user.email));
  return !holder || holder->id == user.id ? Ok() : Taken("email", "is another user's");
}

// Writes the new identities, and deletes the removed ones.
Status PutIdentities(RecordTransaction& tx, const User& before, const User& after) {
  const std::string hash = TenantHash(tx.tenant());
  for (const auto& [type, id] : before.identities) {
    const auto kept = after.identities.find(type);
    if (kept == after.identities.end() || kept->second != id)
      tx.Delete(kTenantsTable, hash, IdentityRange(type, id));
  }
  for (const auto& [type, id] : after.identities) {
    const auto had = before.identities.find(type);
    if (had != before.identities.end() && had->second == id) continue;
    PARLEY_TRY(holder, tx.Find(kTenantsTable, hash, IdentityRange(type, id)));
    if (holder) return Taken("channelIdentities", type + " is another user's");
    tx.Put(kTenantsTable, "identity",
           {{"tenant_id", tx.tenant().ToText()},
            {"channel_type", type},
            {"external_id", id},
            {"user_id", after.id.ToText()}});
  }
  return Ok();
}

Status PutUser(RecordTransaction& tx, const User& before, const User& after, Item base) {
  PARLEY_CHECK_OK(RequireFreeEmail(tx, after));
  PARLEY_CHECK_OK(PutIdentities(tx, before, after));
  tx.Put(kTenantsTable, "user", ToItem(tx.tenant(), after, std::move(base)));
  return tx.Commit();
}

Result<Item> FindRecord(const RecordReads& reads, const UserId& user) {
  PARLEY_TRY(found, reads.Find(kTenantsTable, TenantHash(reads.tenant()), UserRange(user.ToText())));
  if (!found) return NoSuchUser();
  return *std::move(found);
}

Error Outdated(const User& current) {
  Error error(ErrorCode::kVersionConflict, "the user was changed since that version");
  error.current = EncodeUser(current);
  return error;
}

User Started(UserId id, protocol::Time now) {
  User user;
  user.id = std::move(id);
  user.created_at = user.updated_at = now;
  return user;
}

// Stages the deletion of a user's items whose count `counted` is below `now`.
Status ClearCounted(RecordTransaction& tx, std::string_view table, const std::string& hash,
                    std::string_view counted, int64_t now, size_t* left) {
  const auto visit = [&](const Item& item) {
    if (IntOf(item, counted).value_or(0) >= now) return true;
    tx.Delete(table, hash, TextOf(item, "sk"));
    return --*left > 0;
  };
  RecordReads::Ask ask;
  ask.table = table;
  ask.key = AllOf(hash);
  return tx.ForEach(ask, visit);
}

}  // namespace

Result<User> MakeUser(RecordTransaction& tx, const Editor& by, const NewUser& asked,
                      const protocol::Ulid& fresh) {
  if (by.kind == Editor::Kind::kSelf) return ErrorFor(Reason::kOnlyAdministrators, "users do not make users");
  const UserChange change = ChangeOf(asked);
  PARLEY_CHECK_OK(RequireMayChange(by, change));
  const UserId id =
      asked.user_id ? *asked.user_id : *UserId::FromText(std::string(kUserIdPrefix) + fresh.ToText());
  User user = Started(id, tx.now());
  PARLEY_CHECK_OK(Apply(change, &user));
  PARLEY_TRY(there, FindUser(tx, id));
  if (there) return Taken("userId", "is another user's");
  PARLEY_CHECK_OK(PutUser(tx, Started(id, tx.now()), user, {}));
  return user;
}

Result<ChangedUser> ChangeUser(RecordTransaction& tx, const Editor& by, const UserId& id,
                               const UserChange& change) {
  PARLEY_CHECK_OK(RequireAccess(by, id));
  PARLEY_CHECK_OK(RequireMayChange(by, change));
  PARLEY_TRY(item, FindRecord(tx, id));
  PARLEY_TRY(before, UserFrom(item));
  if (before.version != change.version.value) return Outdated(before);
  ChangedUser out{before, std::nullopt};
  PARLEY_CHECK_OK(Apply(change, &out.user));
  out.user.updated_at = tx.now();
  out.user.version = before.version + 1;
  if (out.user.role != before.role || out.user.attributes != before.attributes)
    out.ends = SessionsToEnd{id, SessionsToEnd::Why::kChanged};
  PARLEY_CHECK_OK(PutUser(tx, before, out.user, std::move(item)));
  return out;
}

Result<SessionsToEnd> DeleteUser(RecordTransaction& tx, const Editor& by, const UserId& id) {
  if (by.kind == Editor::Kind::kSelf)
    return ErrorFor(Reason::kOnlyAdministrators, "users do not delete users");
  PARLEY_TRY(item, FindRecord(tx, id));
  PARLEY_TRY(user, UserFrom(item));
  PARLEY_CHECK_OK(PutIdentities(tx, user, Started(id, tx.now())));
  tx.Delete(kTenantsTable, TenantHash(tx.tenant()), UserRange(id.ToText()));
  PARLEY_TRY(standing, FindStanding(tx, id));
  VoidTokensOf(&standing, tx.now());
  ++standing.lives;
  standing.deleted_at = tx.now();
  PutStanding(tx, id, standing);
  PARLEY_CHECK_OK(tx.Commit());
  NoteDeparted(tx, id);
  return SessionsToEnd{id, SessionsToEnd::Why::kVoid};
}

Result<bool> ClearDeleted(RecordTransaction& tx, const UserId& user) {
  PARLEY_TRY(standing, FindStanding(tx, user));
  size_t left = kClearedAtOnce;
  PARLEY_CHECK_OK(ClearCounted(tx, kApiKeyTable, ApiKeyHash(user), "userLife", standing.lives, &left));
  if (left > 0)
    PARLEY_CHECK_OK(
        ClearCounted(tx, kRefreshTokenTable, RefreshTokenHash(user), "userVoids", standing.voids, &left));
  PARLEY_CHECK_OK(tx.Commit());
  return left == 0;
}

Result<std::optional<User>> EnsureUser(RecordTransaction& tx, const Claims& claims, bool provisions) {
  const auto id = UserId::FromText(claims.sub);
  const auto role = protocol::EnumFromName<UserRole>(claims.role);
  if (!id || !role) return Unauthenticated();
  PARLEY_TRY(found, FindUser(tx, *id));
  if (found || !provisions) return std::move(found);
  // A deleted user does not return by a token from before the deletion.
  PARLEY_TRY(standing, FindStanding(tx, *id));
  if (standing.IsVoid(claims.iat_s)) return Unauthenticated();
  User user = Started(*id, tx.now());
  user.role = *role;
  if (FitsAttributes(claims.attrs)) user.attributes = claims.attrs;
  PARLEY_CHECK_OK(PutUser(tx, user, user, {}));
  return std::optional(std::move(user));
}

}  // namespace parley::accounts
